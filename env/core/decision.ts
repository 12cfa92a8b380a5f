import type { z } from "zod";
import type { Brand } from "./brand.js";
import { InvariantError } from "./errors.js";
import type { Feature, Json, Viewer } from "./game.js";
import type { State, StateView } from "./layout.js";
import { type Choice, endersLast, type Prompt } from "./narration.js";
import type { Play } from "./play.js";
import { badPosition } from "./schema.js";

/** The ranges of an action space by name, and what the numbers in each stand for: `{ done: Single; hex: HexId }`. */
export type Ranges = Readonly<Record<string, number>>;

/** The number in a range of one action: it stands for nothing. */
export type Single = Brand<"single">;

/** The flat action space: its ranges in the order written. */
export interface ActionSpace<I extends Ranges> {
  readonly ranges: readonly (keyof I & string)[];
  /** The first action of each range. */
  readonly first: Readonly<Record<keyof I & string, number>>;
  readonly count: Readonly<Record<keyof I & string, number>>;
  /** What the first action of each range stands for. */
  readonly from: Readonly<Record<keyof I & string, number>>;
  readonly size: number;
  /** The range of each action, by its place in `ranges`. */
  readonly rangeOf: Uint8Array;
  /** By place in `ranges`: the action that stands for 0. */
  readonly zero: Int32Array;
}

/** Action spaces of a game whose ranges are longer or shorter by its tables, as on a larger map. */
export interface Spaces<T, I extends Ranges> {
  /** The ranges, the same in each space. */
  readonly ranges: readonly (keyof I & string)[];
  readonly of: (t: T) => ActionSpace<I>;
}

/** @param spec of each range how many actions it has, or the first and the last number that they stand for */
export function actionSpace<I extends Ranges>(
  spec: Readonly<Record<keyof I & string, number | readonly [first: number, last: number]>>,
): ActionSpace<I> {
  const ranges: readonly (keyof I & string)[] = Object.keys(spec);
  const first: Record<string, number> = {};
  const count: Record<string, number> = {};
  const from: Record<string, number> = {};
  let size = 0;
  for (const range of ranges) {
    const numbers = spec[range];
    const [least, last] = typeof numbers === "number" ? [0, numbers - 1] : numbers;
    first[range] = size;
    from[range] = least;
    count[range] = last - least + 1;
    size += count[range];
  }
  const rangeOf = Uint8Array.from(ranges.flatMap((r, k) => Array<number>(count[r]!).fill(k)));
  const zero = Int32Array.from(ranges, (r) => first[r]! - from[r]!);
  // the spread makes a plain record of what was built key by key, as in core/layout.ts
  return { ranges, first: { ...first }, count, from, size, rangeOf, zero } as ActionSpace<I>;
}

/** An action as the player reads it: a text, or with what it touches, costs, ends and risks. */
export type Meaning = string | (Pick<Choice, "text"> & Partial<Omit<Choice, "action" | "name">>);

/** What the actions of one range are in a decision. `i` is the number that the action stands for. */
export interface Act<T, I extends number, N, W = undefined> {
  readonly means: (t: T, s: StateView, i: I, survey: W) => Meaning;
  /** Carries it out without allocating. @returns for the loop of the game, such as the step that is next */
  readonly does: (t: T, s: State, i: I, play: Play) => N;
}

/** What documents hold of an open decision under one key. */
export interface Held<T> {
  readonly schema: z.ZodType<Json>;
  /** Undefined: documents leave it out in this state. */
  write(t: T, s: StateView): Json | undefined;
  /** @returns why the value is refused, and where if not in all of it; or null */
  read(t: T, value: Json, s: State): string | Fault | null;
  /** A document leaves it out. Default: it is refused. @returns why, or null */
  absent?(t: T, s: State): string | null;
  /** Why a decision of another kind has no such key. */
  alien?(kind: string): string;
}

/** One thing that is wrong: where in a document, and why. */
export interface Fault {
  readonly path: string;
  readonly reason: string;
}
export const fault = (path: string, reason: string): Fault => ({ path, reason });

/**
 * A kind of decision: all there is to say about it.
 *
 * `T` are the tables of the game, `I` the ranges of its actions; `N` is what carrying an action out returns, `W` what
 * the words of all choices share (`Asked.survey`).
 */
export interface Decision<T, I extends Ranges, N = void, W = undefined> {
  /** The rule that asks, then others that help. */
  readonly rules: readonly [string, ...string[]];
  /** Where the state decides which of them asks and help: these. */
  readonly cites?: (t: T, s: StateView) => readonly [string, ...string[]];
  /** In a few words, for the caption of a board. */
  readonly caption?: string;
  readonly asks: (t: T, s: StateView, viewer: Viewer) => string;
  /** Others may not know what it is about: they read this, with the rule that asks. */
  readonly secret?: string;
  /** The object decided about, named as in actions. */
  readonly about?: (
    t: T,
    s: StateView,
    viewer: Viewer,
  ) => { readonly units?: readonly string[]; readonly places?: readonly string[] };
  /**
   * Sets a byte for each legal action in `mask[at ..]`, which is all zero, and allocates nothing.
   *
   * @returns how many are legal
   */
  readonly marks: (t: T, s: StateView, mask: Uint8Array, at: number) => number;
  readonly acts: { readonly [R in keyof I]?: Act<T, I[R], N, W> };
  /** Not asked where only one action is legal: then the game declines by itself. */
  readonly optional?: boolean;
  /** The action that odds of what leads here take for granted (`Narration.presumed`). */
  readonly presumed?: (t: T, s: StateView) => number;
  /** By key, in the order in which they are written. */
  readonly holds?: Readonly<Record<string, Held<T>>>;
  /** Why it can't be open in this state, or null. */
  readonly fault?: (t: T, s: StateView) => Fault | null;
}

/** The `marks` of a decision between two actions that are always legal. */
export const bothOf =
  (one: number, other: number) =>
  (_t: unknown, _s: StateView, mask: Uint8Array, at: number): number => {
    mask[at + one] = 1;
    mask[at + other] = 1;
    return 2;
  };

/** An act in its range; all of one shape, so that V8 reads them alike. */
interface Slot<T, N, W> {
  readonly means: Act<T, number, N, W>["means"];
  readonly does: Act<T, number, N, W>["does"];
}

/** What a prompt needs beside the decision. */
export interface Asked<W = undefined> {
  /** All actions by number. */
  readonly names: readonly string[];
  /** The side that decides, by its name; null at the end. */
  readonly by: string | null;
  /** True when the viewer decides, and so gets choices. */
  readonly decides: boolean;
  /** True when the viewer knows what a secret decision is about. Default: only who decides. */
  readonly knows?: boolean;
  /** True when the only choice keeps its warning. Default: no. */
  readonly warnsAlone?: boolean;
  /** The state that says what is legal, where `s` is but what the viewer knows of it. Default: `s`. */
  readonly truth?: StateView;
  /** What the words of all choices share, found once. @param mask what is legal */
  readonly survey?: (mask: Uint8Array) => W;
  /** What a game adds to each choice, such as what it ends. */
  readonly refine?: (choice: Choice) => Choice;
}

/** All decisions of a game. The number of a kind is its place in `kinds`. */
export class Decisions<T, K extends string, I extends Ranges, N = void, W = undefined> {
  private readonly list: readonly Decision<T, I, N, W>[];
  /** Sets a byte for each legal action in `mask[at ..]`, which is all zero. @returns how many */
  readonly mark: (t: T, s: StateView, kind: number, mask: Uint8Array, at: number) => number;
  /** By `kind * ranges + range`. */
  private readonly slots: readonly (Slot<T, N, W> | null)[];
  private readonly spaceOf: (t: T) => ActionSpace<I>;
  private readonly ranges: number;
  /** What documents hold of each kind. */
  private readonly held: readonly (readonly (readonly [string, Held<T>])[])[];

  constructor(
    private readonly game: string,
    space: ActionSpace<I> | Spaces<T, I>,
    readonly kinds: readonly K[],
    readonly of: Readonly<Record<K, Decision<T, I, N, W>>>,
  ) {
    this.list = kinds.map((kind) => of[kind]);
    this.mark = dispatcher(this.list.map((d) => d.marks));
    this.held = this.list.map((d) => Object.entries(d.holds ?? {}));
    this.ranges = space.ranges.length;
    this.spaceOf = "of" in space ? space.of : () => space;
    this.slots = this.list.flatMap((d) =>
      space.ranges.map((r): Slot<T, N, W> | null => {
        const act = d.acts[r];
        return act === undefined ? null : ({ means: act.means, does: act.does } as Slot<T, N, W>);
      }),
    );
  }

  /** Carries out a legal action. */
  apply(t: T, s: State, kind: number, action: number, play: Play): N {
    const { rangeOf, zero } = this.spaceOf(t);
    const range = rangeOf[action]!;
    const slot = this.slots[kind * this.ranges + range];
    if (slot === null || slot === undefined)
      throw new InvariantError(`${this.game}: action ${action} is not possible in ${this.kinds[kind]!}`);
    return slot.does(t, s, action - zero[range]!, play);
  }

  /** The pending decision in words. */
  prompt(t: T, s: StateView, kind: number, viewer: Viewer, asked: Asked<W>): Prompt {
    const { rules, cites, asks, about, secret } = this.list[kind]!;
    if (secret !== undefined && !(asked.knows ?? asked.decides)) {
      const blank = { seeAlso: [], units: [], places: [], choices: [] };
      return { by: asked.by, kind: this.kinds[kind]!, text: secret, rule: rules[0], ...blank };
    }
    const [rule, ...seeAlso] = cites?.(t, s) ?? rules;
    const { units = [], places = [] } = about?.(t, s, viewer) ?? {};
    const choices = asked.decides ? this.choices(t, s, kind, asked) : [];
    return { by: asked.by, kind: this.kinds[kind]!, text: asks(t, s, viewer), rule, seeAlso, units, places, choices };
  }

  private choices(t: T, s: StateView, kind: number, asked: Asked<W>): Choice[] {
    const { names, truth = s, refine = (choice) => choice, warnsAlone = false } = asked;
    const mask = new Uint8Array(names.length);
    this.mark(t, truth, kind, mask, 0);
    const survey = asked.survey?.(mask) as W;
    const list: Choice[] = [];
    for (let action = 0; action < names.length; action++)
      if (mask[action] === 1) list.push(refine(this.choice(t, s, kind, action, names[action]!, survey)));
    return list.length === 1 && !warnsAlone ? [{ ...list[0]!, warning: null }] : endersLast(list);
  }

  private choice(t: T, s: StateView, kind: number, action: number, name: string, survey: W): Choice {
    const { rangeOf, zero } = this.spaceOf(t);
    const range = rangeOf[action]!;
    const meaning = this.slots[kind * this.ranges + range]!.means(t, s, action - zero[range]!, survey);
    const rest = typeof meaning === "string" ? { text: meaning } : meaning;
    return { action, name, places: [], units: [], ends: null, warning: null, ...rest };
  }

  /** The action that is presumed in a decision of this kind, -1 for none. */
  presumed(t: T, s: StateView, kind: number): number {
    return this.list[kind]!.presumed?.(t, s) ?? -1;
  }

  /** The one-hot features of the kinds. */
  features(prefix: string): Feature[] {
    return this.kinds.map((kind) => ({ name: prefix + kind, range: [0, 1], norm: "one-hot" }));
  }

  /** What documents can hold of open decisions. All of it is optional: `read` knows what the decision at hand needs. */
  get shape(): Record<string, z.ZodType<Json | undefined>> {
    return Object.fromEntries(this.held.flat().map(([key, held]) => [key, held.schema.optional()]));
  }

  /** True when documents hold anything of a decision of this kind. */
  holds(kind: number): boolean {
    return this.list[kind]!.holds !== undefined;
  }

  write(t: T, s: StateView, kind: number): Record<string, Json> {
    const doc: Record<string, Json> = {};
    for (const [key, held] of this.held[kind]!) {
      const value = held.write(t, s);
      if (value !== undefined) doc[key] = value;
    }
    return doc;
  }

  /**
   * Reads what a document holds of the open decision; `fault` then judges it.
   *
   * @param path of `doc` in the position, empty for the position itself
   * @throws KesselError `bad-position`
   */
  read(t: T, doc: Readonly<Record<string, Json | undefined>>, s: State, kind: number, path: string): void {
    const { holds = {} } = this.list[kind]!;
    const name = this.kinds[kind]!;
    const within = (key: string): string => (path === "" ? key : `${path}.${key}`);
    for (const [key, value] of Object.entries(doc)) {
      if (value === undefined || holds[key] !== undefined) continue;
      const held = this.list.find((d) => d.holds?.[key] !== undefined)?.holds?.[key];
      throw badPosition(this.game, within(key), held?.alien?.(name) ?? `a decision of kind ${name} has no such field`);
    }
    for (const [key, held] of this.held[kind]!) {
      const value = doc[key];
      const wrong =
        value !== undefined
          ? held.read(t, value, s)
          : held.absent !== undefined
            ? held.absent(t, s)
            : `a decision of kind ${name} needs it`;
      if (typeof wrong === "string") throw badPosition(this.game, within(key), wrong);
      if (wrong !== null) throw badPosition(this.game, wrong.path, wrong.reason);
    }
  }

  /** Why the decision can't be open in this state, or null. */
  fault(t: T, s: StateView, kind: number): Fault | null {
    return this.list[kind]!.fault?.(t, s) ?? null;
  }
}

type Marks<T> = (t: T, s: StateView, mask: Uint8Array, at: number) => number;
type MarksOfKind<T> = (t: T, s: StateView, kind: number, mask: Uint8Array, at: number) => number;

/**
 * Calls the function of a kind. V8 inlines a function that is a variable of a closure, but not one from a list. Beyond
 * a dozen cases it stops inlining the dispatcher itself, so the kinds after that have another one.
 */
function dispatcher<T>(all: readonly Marks<T>[]): MarksOfKind<T> {
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = all;
  const rest = furtherDispatcher(all);
  return (t, s, kind, mask, at) => {
    switch (kind) {
      case 0:
        return m0!(t, s, mask, at);
      case 1:
        return m1!(t, s, mask, at);
      case 2:
        return m2!(t, s, mask, at);
      case 3:
        return m3!(t, s, mask, at);
      case 4:
        return m4!(t, s, mask, at);
      case 5:
        return m5!(t, s, mask, at);
      case 6:
        return m6!(t, s, mask, at);
      case 7:
        return m7!(t, s, mask, at);
      case 8:
        return m8!(t, s, mask, at);
      case 9:
        return m9!(t, s, mask, at);
      case 10:
        return m10!(t, s, mask, at);
      case 11:
        return m11!(t, s, mask, at);
      default:
        return rest(t, s, kind, mask, at);
    }
  };
}

/** Kinds from the 13th on. */
function furtherDispatcher<T>(all: readonly Marks<T>[]): MarksOfKind<T> {
  const [m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31] =
    all.slice(12);
  return (t, s, kind, mask, at) => {
    switch (kind) {
      case 12:
        return m12!(t, s, mask, at);
      case 13:
        return m13!(t, s, mask, at);
      case 14:
        return m14!(t, s, mask, at);
      case 15:
        return m15!(t, s, mask, at);
      case 16:
        return m16!(t, s, mask, at);
      case 17:
        return m17!(t, s, mask, at);
      case 18:
        return m18!(t, s, mask, at);
      case 19:
        return m19!(t, s, mask, at);
      case 20:
        return m20!(t, s, mask, at);
      case 21:
        return m21!(t, s, mask, at);
      case 22:
        return m22!(t, s, mask, at);
      case 23:
        return m23!(t, s, mask, at);
      case 24:
        return m24!(t, s, mask, at);
      case 25:
        return m25!(t, s, mask, at);
      case 26:
        return m26!(t, s, mask, at);
      case 27:
        return m27!(t, s, mask, at);
      case 28:
        return m28!(t, s, mask, at);
      case 29:
        return m29!(t, s, mask, at);
      case 30:
        return m30!(t, s, mask, at);
      case 31:
        return m31!(t, s, mask, at);
      default:
        return all[kind]!(t, s, mask, at);
    }
  };
}
