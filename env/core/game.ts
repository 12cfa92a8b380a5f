import type { Dice } from "./dice/dice.js";
import type { Field, State, StateView } from "./layout.js";
import type { Briefing } from "./learning/briefing.js";
import type { Teaching } from "./learning/teaching.js";
import type { EventKinds, Narration, Narrator } from "./narration.js";
import type { OrderRules } from "./order-rules.js";
import type { Rng } from "./dice/rng.js";
import type { Scene } from "./scene.js";
import type { Actor, Viewer } from "./viewers.js";

export * from "./viewers.js";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** The name and the values of an option in words. */
export interface OptionWords {
  readonly about: string;
  /** Names of the values that people are offered; those without a name are for programs. */
  readonly values: Readonly<Record<string, string>>;
}

/** One option of a game: its values and what it does. */
export interface OptionSpec {
  readonly id: string;
  readonly about: string;
  readonly values: readonly (string | number | boolean)[];
  readonly default: string | number | boolean;
  /** The same for people, who are shown no ids. Absent: `about` and the values speak for themselves. */
  readonly words?: OptionWords;
  /**
   * Values of other options that a value of this one stands for, by that value as text: `resolveOptions` fills them in.
   */
  readonly sets?: Readonly<Record<string, Options>>;
  /**
   * Values of other options, or lists of them, any of which a value of this one can't be had with, by that value as
   * text.
   */
  readonly without?: Readonly<Record<string, Readonly<Record<string, OptionValue | readonly OptionValue[]>>>>;
  /** Its source: the rulebook section, or `reconstructed`. */
  readonly provenance: string;
}

type OptionValue = string | number | boolean;

/** Values of all options of a game, defaults filled in. */
export type Options = Readonly<Record<string, OptionValue>>;

/** Data files of a game by name without `.json` (`map`, `units`, ...), as parsed. */
export type GameData = Readonly<Record<string, Json>>;

export interface Feature {
  readonly name: string;
  /** Least and greatest value, both inclusive. */
  readonly range: readonly [number, number];
  /** How the value is computed from the state, in words. */
  readonly norm: string;
}

/** The four tensors of a game, feature by feature, and what their rows stand for. */
export interface ObservationSpec {
  readonly globals: readonly Feature[];
  readonly mapRows: readonly string[];
  readonly map: readonly Feature[];
  readonly unitRows: readonly string[];
  readonly units: readonly Feature[];
  /** Those with `norm` `one-hot` name the kinds of decisions; the search for leaks counts which of them it has met. */
  readonly decision: readonly Feature[];
}

/** Four float32 views to be written: `globals [G]`, `map [N, Fm]`, `units [U, Fu]`, `decision [D]`, row-major. */
export interface Observation {
  readonly globals: Float32Array;
  readonly map: Float32Array;
  readonly units: Float32Array;
  readonly decision: Float32Array;
  /**
   * Int32 words, zero at first, in which the game records what it has written here (`Game.cacheWords`), so that it need
   * only change what differs next time. A row has them only when `observe` of one game is the tensors' only writer.
   */
  readonly cache?: Int32Array;
}

/** Constant features of the rows of `map` or of `units`: part of the description, not of observations. */
export interface StaticTable {
  readonly features: readonly Feature[];
  /** One list a row, in the order of `features`. */
  readonly values: readonly (readonly number[])[];
}

/** A counter or a place as a person sees it, for the play page and for `describe`. */
export interface Statics {
  /** Neighbours of each row of `map`, by row index. */
  readonly neighbours: readonly (readonly number[])[];
  /** Drawing position of each row of `map`, x to the east, y to the south. */
  readonly points: readonly (readonly [number, number])[];
  /** Printed name of each row of `map`. */
  readonly placeNames: readonly string[];
  /** Absent where observations hold everything. */
  readonly map?: StaticTable;
  readonly units?: StaticTable;
}

/** What is known of a game before its code is loaded: `env/<game>/game.json`. */
/** What makes somebody choose a game. */
export interface LobbyEntry {
  /** Who you are and what it is about, in a sentence or two. */
  readonly situation: string;
  /** What a game takes a person, roughly. */
  readonly minutes: number;
  /** From 1, learnt while you play, to 5, a large wargame. */
  readonly complexity: number;
  /** The game to begin with. */
  readonly startHere?: boolean;
}

export interface GameSummary {
  readonly id: string;
  readonly title: string;
  /** Designer, publisher, year. */
  readonly credits: string;
  /** Absent: the lobby shows its title alone. */
  readonly lobby?: LobbyEntry;
  /** Rises when the same actions can give another result. */
  readonly version: number;
  /** Which data were reconstructed, shown wherever the game is shown; null when all data are as printed. */
  readonly reconstructed: string | null;
  readonly options: readonly OptionSpec[];
}

/** A position that shows a rule. */
export interface RulePicture {
  /** What is seen in it. */
  readonly says: string;
  /** The place in its middle. Absent: all of the board. */
  readonly around?: string;
  readonly options?: Options;
  readonly position: JsonObject;
}

/** A section of the rules in full sentences. */
export interface RuleSection {
  readonly title: string;
  /**
   * Rules that it explains: an id, how ids begin (`SS 7` has `SS 7.31`), or the first letters of ids and a star (`SOS
   * 9.1*`).
   */
  readonly rules: readonly string[];
  readonly text: readonly string[];
  readonly picture?: RulePicture;
}

/**
 * A game as the registry has it. `load` binds options and data and returns the `Game`; two games
 * loaded with the same options and data behave the same.
 */
export interface GameType extends GameSummary {
  /** The game's own data files; may be a getter that reads them on first use. */
  readonly data: GameData;
  /** Rules by id: `data/rules.json`. */
  readonly rules: RuleIndex;
  /** The rules in our words for who never saw the game: `data/guide.json`. */
  readonly guide: Guide;
  /** The rules in full sentences, section by section: `data/rulebook.json`. Absent: the page lists the index. */
  readonly rulebook?: readonly RuleSection[];
  /** What the page teaches with: `data/primer.json` and `data/lesson.json`. Absent: it offers no lesson. */
  readonly teaching?: Teaching;
  /** What each side reads before a new game: `data/briefing.json`. Absent: the page says what it can derive. */
  readonly briefings?: readonly Briefing[];
  /** Kinds of events of the game: `data/events.json`. Present when its games have `narration`. */
  readonly events?: EventKinds;
  /** How decisions make up orders: `data/orders.json`. Absent: orders are lists of actions. */
  readonly orders?: OrderRules;
  /**
   * Option sets that conformance plays, each filled up with defaults, the first being the defaults. Absent: every value
   * of every option by itself. For games whose scenarios are too many or too long.
   */
  readonly tried?: readonly Options[];
  /**
   * The data as a position needs them, for games whose positions may bring a map and counters along. Absent: the data
   * as they are.
   *
   * @param data the game's own files, some of them possibly replaced by the user
   */
  dataFor?(position: JsonObject, data: GameData): GameData;
  /**
   * Answers a question about board and counters that needs no position: distance, terrain, a line of sight. For
   * rule cases, the page's tools and text clients.
   *
   * @param chosen options as a caller gives them; they may name a scenario that can be queried but not played
   * @throws KesselError `bad-query` naming what may be asked; `bad-option`; `bad-data`
   */
  query?(question: JsonObject, chosen: Options, data: GameData): Json;
  /** What people may ask on the map by two places: `query` answers `{ kind, from, to }` with a `MapAnswer`. */
  readonly mapQuestions?: readonly MapQuestion[];
  /**
   * @param options all options, checked by `resolveOptions`
   * @param data the game's own files, some of them possibly replaced by the user
   * @throws KesselError `bad-data` with file, path and reason; `bad-option` for a contradiction
   */
  load(options: Options, data: GameData): Game;
}

/** A question about the way from one place to another that needs no position. */
export interface MapQuestion {
  readonly kind: string;
  /** As a tool is called. */
  readonly name: string;
  readonly about: string;
}

/** The answer for people: it depends on the map alone, so it can reveal nothing that is hidden. */
export interface MapAnswer {
  /** Yes or no at a glance: seen, in reach. */
  readonly yes: boolean;
  /** The answer in one line. */
  readonly text: string;
  /** Reasons and consequences, each with its rule. */
  readonly says: readonly { readonly text: string; readonly rule: string }[];
  /** Places that matter for the answer, such as what blocks a line. */
  readonly places: readonly string[];
}

export type RuleStatus = "done" | "option" | "absent";
export interface Rule {
  /** The rule, not in the rulebook's words. */
  readonly says: string;
  readonly status: RuleStatus;
  /** The option, when status is `option`. */
  readonly option?: string;
  /** Why, when status is `absent`. */
  readonly reason?: string;
}
export type RuleIndex = Readonly<Record<string, Rule>>;

/** What is written of a game's rules; `guideText` also makes the long form, out of the rule index. */
export interface Guide {
  /** What the game is, who wins how, what a turn is, what is hidden. */
  readonly short: string;
  /**
   * Enough to play sensibly: paragraphs with a word as heading, each naming its rules, `Combat: ... (SS 7.1, SS 7.2)`.
   */
  readonly medium: readonly string[];
}

/** One outcome of explicit chance. */
export interface ChanceOutcome {
  readonly name: string;
  readonly probability: number;
}

/** Explicit chance: the state stops at chance nodes instead of rolling. Outcomes aren't actions. */
export interface ExplicitChance {
  /** Makes a state stop at chance nodes from now on (or not). */
  set(s: State, on: boolean): void;
  /** Outcomes of the chance node that `s` is at, in index order; probabilities sum to 1. */
  outcomes(s: StateView): readonly ChanceOutcome[];
  /** Goes on with outcome `index`. @param narrator as for `apply` of a game */
  apply(s: State, index: number, narrator?: Narrator | null): void;
}

/**
 * A game with its options and data: questions that only read a state, and `start`, `apply`, `resample`, `read`, which
 * write one. All that can change is in the state; a game object has data and scratch space only, and is used by one
 * thread.
 *
 * `apply`, `legalMask` and `observe` allocate nothing.
 */
export interface GameCore {
  readonly type: GameType;
  readonly options: Options;
  /** Sides that decide, in the order of their index, by the book's names. One name in a solitaire game. */
  readonly players: readonly string[];
  /** Words of a state (`layout(...).size`) and its named fields. */
  readonly stateSize: number;
  readonly fields: readonly Field[];
  /** The flat action space: one unique string an action, the same at every decision. */
  readonly actions: readonly string[];
  readonly observation: ObservationSpec;
  readonly statics: Statics;
  /** Printed name of each row of `units`, of the first ones at least. Absent: people read the names of the rows. */
  readonly unitTitles?: readonly string[];
  /** Upper bound on the length of a game, in decisions. */
  readonly maxDecisions: number;

  /**
   * Writes the start of a game up to its first decision. `s` is zero but for the random stream.
   *
   * @param narrator receives what the set-up draws and rolls, and what begins
   */
  start(s: State, dice: Dice, narrator?: Narrator | null): void;

  /** The actor: a player's index, `NOBODY` when the game is over, `CHANCE` at an explicit chance node. */
  actor(s: StateView): Actor;

  /**
   * Writes 1 for each legal action and 0 for the others into `mask[at .. at + actions.length - 1]`.
   *
   * @param untouched `s` is as the latest `apply` of this game left it: what that found need not be found again
   * @returns how many are legal: at least 1 while a player decides, otherwise 0
   */
  legalMask(s: StateView, mask: Uint8Array, at: number, untouched?: boolean): number;

  /**
   * Carries out a legal action and runs on to the next decision. The caller has checked `action` against the mask and
   * has bound `dice` to `s`.
   *
   * @param narrator receives the events in order; the state is the same with and without one
   */
  apply(s: State, action: number, dice: Dice, narrator?: Narrator | null): void;

  /** Writes each player's return, -1..1, into `out`; zeros before the end. Two players' returns sum to 0. */
  returns(s: StateView, out: Float32Array): void;

  /**
   * Writes what `viewer` may know, and nothing else: the same result in every state that this viewer cannot tell apart.
   * Every cell is written, inside its feature's range; in a row with a cache, every cell whose value changes.
   */
  observe(s: StateView, viewer: Viewer, out: Observation): void;

  /**
   * Writes into `out` a random complete state consistent with everything `player` has observed, with a fresh random
   * stream; never reads what that player cannot know.
   *
   * @returns false when the sample had to ignore some of the history (a documented fallback)
   */
  resample(s: StateView, player: number, out: State, rng: Rng): boolean;

  /** The whole position as a document, canonical: `read` of it gives the same state (but for the random stream). */
  write(s: StateView): JsonObject;

  /** What `viewer` may know as a document. Games without hidden information return `write`. */
  view(s: StateView, viewer: Viewer): JsonObject;

  /**
   * Reads a position document into `s`, whose random stream the caller has seeded. A document without a decision may
   * run on to one, with `dice`.
   *
   * @throws KesselError `bad-position` with the JSON path and the reason
   */
  read(doc: JsonObject, s: State, dice: Dice): void;

  /**
   * The action as `viewer` sees it happen, for logs and replays; null when nothing is seen.
   *
   * @param before the state in which it was chosen
   * @param after the state after `apply`
   */
  describeFor(before: StateView, action: number, after: StateView, viewer: Viewer): string | null;

  /** The board as plain text for a terminal, for `viewer`. */
  render(s: StateView, viewer: Viewer): string;

  /**
   * The board as drawing data for `viewer`, derived from `view` alone. Optional; `sceneOf`
   * makes one from `statics` and `render` for a game without.
   */
  scene?(s: StateView, viewer: Viewer): Scene;

  /** Checks invariants (no counter lost or doubled, limits kept). @returns the first violation, or null */
  invariantViolation(s: StateView): string | null;

  /** Named potentials for reward shaping, of player 0 (player 1's is the negative); 0 in finished games. */
  readonly potentials: Readonly<Record<string, (s: StateView) => number>>;
}

/** Optional extensions of a game: each is absent or complete. */
export interface GameExtensions {
  /** The game can stop at chance nodes. */
  readonly chance?: ExplicitChance;
  /** `observe` keeps a cache in each row and then writes only what changed: its length in int32 words. */
  readonly cacheWords?: number;
  /** A step takes longer than `observe`: large batches are worth several threads. */
  readonly heavySteps?: boolean;
  /**
   * Writes into `out` the state as `player` knows it, for scripted players: what cannot be known is off the map or
   * blank, the random stream is zero. The same words in every state that this player cannot tell apart. Not a state to
   * play on from.
   */
  redact?(s: StateView, player: number, out: State): void;
  /** Events, prompts and standing in sentences. */
  readonly narration?: Narration;
  /**
   * The kinds of decisions that can come up with these options, as the one-hot features of `decision` name them.
   * Default: all that the observation lists. For a game whose observation also serves scenarios and rules that are not
   * in play.
   */
  readonly decisionKinds?: readonly string[];
  /** How rule cases compare lists. */
  readonly cases?: CaseComparison;
  /** Costly questions inside the rules, by name, for `kessel bench` to time on their own. */
  readonly benchProbes?: Readonly<Record<string, (s: StateView) => void>>;

  /**
   * Writes what each player's return was expected to be before the last roll of an ended game, where a game ends by a
   * roll that no decision follows. Trainers and search use it in place of `returns`: the mean is the same, the noise of
   * that roll is gone. Read it through `expectedReturns`.
   */
  expectedReturns?(s: StateView, out: Float32Array): void;

  /**
   * How far player 0 is ahead in what the victory conditions count, -1..1; in every state, ended ones too. It reads the
   * true state: trainers alone ask for it, to teach nets by how much a game was won (`training/nets/auxiliary.ts`).
   */
  margin?(s: StateView): number;
}

/** A game as callers see it: the required questions and the optional extensions. */
export interface Game extends GameCore, GameExtensions {}

/** Writes an ended game's returns as trainers and search take them; see `GameExtensions.expectedReturns`. */
export function expectedReturns(game: Game, s: StateView, out: Float32Array): void {
  if (game.expectedReturns === undefined) game.returns(s, out);
  else game.expectedReturns(s, out);
}

/** How a game's rule cases compare lists. Without it, lists compare in order. */
export interface CaseComparison {
  /**
   * The list in a form for comparison: sorted where the order means nothing.
   *
   * @param key the key of the list in the position document; null inside a list
   */
  comparableList(key: string | null, list: readonly Json[]): readonly Json[];
}

export interface Shapes {
  readonly globals: readonly [number];
  readonly map: readonly [number, number];
  readonly units: readonly [number, number];
  readonly decision: readonly [number];
}

export function shapesOf(spec: ObservationSpec): Shapes {
  return {
    globals: [spec.globals.length],
    map: [spec.mapRows.length, spec.map.length],
    units: [spec.unitRows.length, spec.units.length],
    decision: [spec.decision.length],
  };
}

/** The four tensors in the order of the wire format. */
export const TENSORS = ["globals", "map", "units", "decision"] as const;
export type TensorName = (typeof TENSORS)[number];

/** Numbers per observation in each tensor. */
export function tensorSizes(spec: ObservationSpec): Record<TensorName, number> {
  const s = shapesOf(spec);
  return { globals: s.globals[0], map: s.map[0] * s.map[1], units: s.units[0] * s.units[1], decision: s.decision[0] };
}

/** A fresh observation of the right size. */
export function newObservation(spec: ObservationSpec): Observation {
  const n = tensorSizes(spec);
  return {
    globals: new Float32Array(n.globals),
    map: new Float32Array(n.map),
    units: new Float32Array(n.units),
    decision: new Float32Array(n.decision),
  };
}
