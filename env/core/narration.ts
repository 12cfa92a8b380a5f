import { z } from "zod";
import { InvariantError } from "./errors.js";
import type { StateView } from "./layout.js";
import { parseWith } from "./schema.js";
import type { Viewer } from "./viewers.js";

/** Dice thrown together, or counters drawn, inside one event. */
export interface Throw {
  /** The side that threw, by its name; null when no side did (a procedure of the game). */
  readonly by: string | null;
  /** Its purpose: `attack`, `command`, `drawing the garrison`. */
  readonly purpose: string;
  /** Sides of the dice; 0 when counters were drawn. */
  readonly sides: number;
  /** The results in order, dice thrown again included. Names when counters were drawn. */
  readonly faces: readonly (number | string)[];
  /** The result needed for success, in words: `5+`, `6 or less`; null when any result counts. */
  readonly needed: string | null;
  /** Its effect: `2 hits`. */
  readonly result: string;
}

/** One thing that happened. Names of units, places and sides are those of action notation. */
export interface GameEvent {
  /** The kind: a key of the game's `data/events.json`. */
  readonly what: string;
  /** The rule behind it: a key of `data/rules.json`. */
  readonly rule: string;
  /** The side that did it and threw its dice, by its name; null when no side did, or both threw. */
  readonly by: string | null;
  /** One or two sentences, without the rule's number: `Pz 2 withdraws to 2408.` */
  readonly text: string;
  /**
   * The result in a few words without dice, for odds: `2507 captured`; several when each counts by itself. Events that
   * are no result have none. `{n}` stands for the sum of `amount` over all events of an action with the same words.
   */
  readonly outcome?: string | readonly string[];
  readonly dice?: readonly Throw[];
  readonly units?: readonly string[];
  /** Places of the event; of a move, from first to last. */
  readonly places?: readonly string[];
  readonly amount?: number;
}

/**
 * Receives events in order. Rules build an event only when there is a narrator, so that play without one costs nothing.
 */
export interface Narrator {
  /** Tells an event that every player and spectator may know. */
  tell(event: GameEvent): void;
  /**
   * Tells an event that differs between viewers.
   *
   * @param version the event as a viewer perceives it; null when that viewer perceives nothing. `EVERYTHING` gets the
   *   truth
   */
  tellEach(version: (viewer: Viewer) => GameEvent | null): void;
}

/** A kind of event, and the parts of a viewer's document (`Game.view`) whose change it explains. */
export interface EventKind {
  readonly says: string;
  /** The rule behind every event of the kind; absent where it varies. */
  readonly rule?: string | undefined;
  /** The side behind every event of the kind, null for no side; absent where it varies. */
  readonly by?: string | null | undefined;
  /**
   * Paths that change with such an event: keys joined by dots, `*` for any one key, `**` for any rest; `{unit}` and
   * `{place}` stand for one of the event's units and places.
   */
  readonly changes: readonly string[];
  /**
   * It shows what may be hidden again before the next decision, so that a viewer learns from it what no document keeps:
   * a counter that crosses open ground, a marker that is turned up and joins counters drawn from the pool.
   */
  readonly passing?: boolean | undefined;
  /** The event is a step of a way: viewers who can't tell the moving counters apart see which way they go. */
  readonly way?: boolean | undefined;
}

/** `data/events.json` */
export interface EventKinds {
  readonly kinds: Readonly<Record<string, EventKind>>;
  /** Paths of `Game.view` that the next prompt covers instead: the open decision, the phase. */
  readonly prompted: readonly string[];
}

const eventKindsSchema = z.strictObject({
  kinds: z.record(
    z.string().regex(/^[a-z][a-z-]*$/),
    z.strictObject({
      says: z.string().min(1),
      rule: z.string().min(1).optional(),
      by: z.string().min(1).nullable().optional(),
      changes: z.array(z.string().min(1)),
      passing: z.boolean().optional(),
      way: z.boolean().optional(),
    }),
  ),
  prompted: z.array(z.string().min(1)),
});

/** @throws KesselError `bad-data` with path and reason */
export function readEventKinds(doc: unknown): EventKinds {
  return parseWith(eventKindsSchema, doc, "bad-data", "events.json");
}

/** An event of a kind, without the rule and the side where the kind has them. */
export type Happening = Omit<GameEvent, "what" | "rule" | "by"> & Partial<Pick<GameEvent, "rule" | "by">>;

/**
 * Makes events of the kinds of a game.
 *
 * @returns takes a kind and the rest of an event, and throws InvariantError when neither has a rule or a side
 */
export function eventMaker<K extends string>(
  kinds: Readonly<Record<K, EventKind>>,
): <H extends Partial<Happening>>(what: K, rest: H) => H & Pick<GameEvent, "what" | "rule" | "by"> {
  return (what, rest) => {
    const { rule = rest.rule, by = rest.by } = kinds[what];
    if (rule === undefined || by === undefined) throw new InvariantError(`event ${what} has no rule or no side`);
    return { what, rule, by, ...rest };
  };
}

/** One legal action as a player reads it. */
export interface Choice {
  /** Index and notation of the action. */
  readonly action: number;
  readonly name: string;
  /** What it does, what it costs: `Move I/517 to 5 Rail Station (2 of 6 MP)`. */
  readonly text: string;
  /** What can be clicked to choose it, named as in action notation. */
  readonly places: readonly string[];
  readonly units: readonly string[];
  /** The die, by its place in the tray. */
  readonly die?: number;
  /** Movement points that it takes, for the map. */
  readonly cost?: number;
  /** Where the unit that it names can get to from here, and what that costs: shown while it is being considered. */
  readonly reach?: readonly Reach[];
  /** What it ends for the actor. */
  readonly ends: "phase" | "turn" | null;
  /** Why the client should ask for confirmation: it loses the game, wastes what cannot be kept, or cannot be undone. */
  readonly warning: string | null;
}

/** A place that can be got to. */
export interface Reach {
  readonly place: string;
  readonly cost: number;
}

/** The pending decision. */
export interface Prompt {
  /** The side that decides, by its name; null at the end and at a chance node. */
  readonly by: string | null;
  /** The kind of decision, as positions name it. */
  readonly kind: string;
  /** A full sentence that names the object decided about; its owner also reads the name of a hidden one. */
  readonly text: string;
  /** The rule of the decision, and related ones: keys of `data/rules.json`. */
  readonly rule: string;
  readonly seeAlso: readonly string[];
  /** The object decided about. */
  readonly units: readonly string[];
  readonly places: readonly string[];
  /**
   * All legal actions: first those that do something, then those that do nothing but go on (`done`, `pass`); among
   * each, those that end a phase or a turn last. Empty for a viewer who doesn't decide.
   */
  readonly choices: readonly Choice[];
}

/** One condition of victory. */
export interface Condition {
  readonly rule: string;
  /** The side that wins by it. */
  readonly side: string;
  readonly text: string;
  readonly have: number;
  readonly need: number;
  /** What is had has to come down to `need`, not up. */
  readonly fewer?: boolean;
  /** What the other side has, where more than that is needed. */
  readonly against?: number;
  /** Unit of the count: `VP`, `areas`, `hexes`. */
  readonly unit: string;
  /** Places that count towards it, held or missing. */
  readonly places: readonly string[];
  readonly met: boolean;
  /** When it is checked: `at once`, `end of turn 3`. */
  readonly when: string;
}

export interface Standing {
  readonly conditions: readonly Condition[];
  /** How the game would end if it ended now: the winner's name, null for a draw or no result. */
  readonly winnerNow: string | null;
  /** The same as a sentence, with its reason. */
  readonly ifEndedNow: string;
}

/** Optional extension of a game: sentences for players. Each answer holds what `viewer` may know and nothing else. */
export interface Narration {
  prompt(s: StateView, viewer: Viewer): Prompt;
  standing(s: StateView, viewer: Viewer): Standing;
  /**
   * For odds: true when each event of this legal action reports one roll alone, whatever the other dice show. Such
   * rolls are examined one by one and not in all combinations.
   */
  throwsApart?(s: StateView, action: number): boolean;
  /**
   * For odds: the answer that an action's odds presume to a decision in the middle of what it began, or -1 where they
   * end. The same in all states that the actor can't tell apart.
   *
   * @param s a state after the action, in which the same player decides
   */
  presumed?(s: StateView): number;
}

/** Results that an event names, for odds. */
export function outcomesOfEvent({ outcome }: GameEvent): readonly string[] {
  if (outcome === undefined) return [];
  return typeof outcome === "string" ? [outcome] : outcome;
}

const DECLINING = /^(done|pass|stop|stay|hold)$/;

/** True when an action of this name does nothing but go on. */
export const declines = (name: string): boolean => DECLINING.test(name);

/** Choices in the order of `Prompt.choices`; those of one kind keep their order. */
export function endersLast(choices: readonly Choice[]): Choice[] {
  const weight = (c: Choice): number =>
    (declines(c.name) ? 3 : 0) + (c.ends === "turn" ? 2 : c.ends === "phase" ? 1 : 0);
  return [...choices].sort((a, b) => weight(a) - weight(b));
}

/** One decision as a viewer saw it. */
export interface LogEntry {
  /** Number of the entry in this viewer's log, from 1. */
  readonly number: number;
  /** Null for the start of the game, which nobody decides. */
  readonly actor: string | null;
  /** The action as the viewer may know it; null when it was hidden, and at the start. */
  readonly action: string | null;
  /** It was the only legal action; shown to the side that took it. */
  readonly forced: boolean;
  /** Who decided in the place of the person; shown to the side that took it. */
  readonly deputy?: string;
  readonly events: readonly GameEvent[];
}

/** Collects the events for each of the given viewers. */
export class EventLog implements Narrator {
  private readonly lists: Map<Viewer, GameEvent[]>;

  constructor(viewers: readonly Viewer[]) {
    this.lists = new Map(viewers.map((v) => [v, []]));
  }

  tell(event: GameEvent): void {
    for (const list of this.lists.values()) list.push(event);
  }

  tellEach(version: (viewer: Viewer) => GameEvent | null): void {
    for (const [viewer, list] of this.lists) {
      const event = version(viewer);
      if (event !== null) list.push(event);
    }
  }

  /** Discards the events since the last `take`. */
  clear(): void {
    for (const list of this.lists.values()) list.length = 0;
  }

  /** The events for `viewer` since the last `take`. */
  take(viewer: Viewer): GameEvent[] {
    const list = this.lists.get(viewer);
    if (list === undefined) throw new RangeError(`this log was not made for viewer ${viewer}`);
    return list.splice(0);
  }
}
