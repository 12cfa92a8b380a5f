import type { Foreseen, MapAnswer, MapQuestion, Odds, OpenWay, Prompt, Scene, Standing } from "../../env/index.js";
import type { BriefingView } from "./learn/briefing-view.js";
import type { LessonView } from "./learn/lesson-view.js";
import type { PuzzleView, Solved } from "./learn/puzzle-view.js";
import type { Rated } from "./learn/rating.js";
import type { Drawing, LegendItem, LogLine, PanelDrawing, Piece } from "./frame-parts.js";
import type { ReviewOffer, ReviewReply, ReviewRequest } from "./review-frame.js";

/** What crosses the WebSocket of one seat. Everything in it is what that seat may know. */

export type * from "./frame-parts.js";

export interface SeatInfo {
  readonly side: string;
  /** `human` or the agent's name; a marshal's is short. */
  readonly who: string;
  /** True when somebody is there. Agents always are. */
  readonly present: boolean;
}

/** Another game after one: the same, with sides exchanged, or against the next level. */
export type Rematch = "same" | "switch" | "harder";

/** How a game has ended. */
export interface Result {
  readonly returns: Readonly<Record<string, number>>;
  readonly text: string;
  /** Solitaire games: what agents get on average, from their cards. */
  readonly compared: readonly { readonly who: string; readonly mean: number }[];
  /** What it counts for the rating of who sits here; null for nothing. */
  readonly rated: Rated | null;
  /** What can be looked back at. */
  readonly review: ReviewOffer;
  /** Other games that whoever sits here can begin now, and whom they would meet; null for nobody. */
  readonly rematches: Partial<Record<Rematch, string | null>>;
}

/** Everything a seat's page shows. */
export interface Frame extends Drawing {
  /**
   * Rises with what this seat sees of the game, whoever it is sent to, not with who is there. An action names the frame
   * it was chosen on.
   */
  readonly n: number;
  readonly session: string;
  readonly game: string;
  readonly title: string;
  /** The side that sits here; null for spectators. */
  readonly seat: string | null;
  readonly prompt: Prompt;
  readonly standing: Standing;
  /** Why the last choice can't be taken back; null when it can. Absent for spectators. */
  readonly noUndo: string | null;
  /** The side whose agent is thinking. */
  readonly thinking: string | null;
  readonly seats: readonly SeatInfo[];
  /** Sides as people call them and as they are coloured, also those that nobody sits at. */
  readonly sides: Scene["sides"];
  /** What this seat can look back at while the game goes on; null where it may not. */
  readonly lookBack: ReviewOffer | null;
  /** True when this seat may ask what it can believe of face-down counters. */
  readonly beliefs: boolean;
  /**
   * What the player here reads before a new game; null for spectators, where something is taught or asked, and after
   * the end.
   */
  readonly briefing: BriefingView | null;
  /** Present where a lesson is taken. */
  readonly lesson: LessonView | null;
  /** Present where a puzzle is solved. */
  readonly puzzle: PuzzleView | null;
  /** Present when the game has ended. */
  readonly result: Result | null;
  /** Some decisions are not on the disk yet. Their number would reveal hidden ones. */
  readonly unsaved: boolean;
  readonly log: readonly LogLine[];
  /** Units that an order of this seat can send somewhere, by name: `ways` says where. */
  readonly sendable: readonly string[];
  /** Printed names of the units that are asked about or can be chosen, where these differ from the names in orders. */
  readonly called: Readonly<Record<string, string>>;
  /** Later phases of the turn that this seat can skip to, by their words in orders. */
  readonly skips: readonly string[];
  /**
   * What can be picked several at a time and done or sent together: choices, each once or as often as wanted, or units
   * that go somewhere; and the choice that goes on afterwards, for units the order that lets them stay. Null for
   * nothing.
   */
  readonly several: { readonly of: "once" | "often" | "units"; readonly then: string | null } | null;
  /** Who can decide for this seat on request, the best first; empty where nobody can. */
  readonly deputies: readonly string[];
  /** Who decides for this seat now, in words; null for nobody. */
  readonly deputy: { readonly who: string; readonly text: string } | null;
  /** The action that throws the dice which aren't put aside now, where several can be put aside by one order. */
  readonly throwing: string | null;
  /** Kind of the event with which a turn begins. */
  readonly turnEvent: string | null;
  /** What may be asked of two places of the map. */
  readonly questions: readonly MapQuestion[];
}

/** What changed since the last frame of the same seat. */
export interface Patch {
  readonly n: number;
  readonly set: Partial<Omit<Frame, "n" | "pieces" | "trays" | "log">>;
  readonly pieces?: ListPatch<Piece>;
  readonly trays?: ListPatch<PanelDrawing>;
  /** The log from entry `from` on is replaced by these. */
  readonly log?: { readonly from: number; readonly lines: readonly LogLine[] };
}

/** What changed in a list of things with names: new and other ones, and the names in their order now. */
export interface ListPatch<T> {
  readonly set: readonly T[];
  readonly order: readonly string[];
}

/** The difference of two frames, or null when there is none but `n`. */
export function diff(old: Frame, now: Frame): Patch | null {
  const set: Record<string, unknown> = {};
  for (const key of Object.keys(now) as (keyof Frame)[]) {
    if (key === "n" || key === "pieces" || key === "trays" || key === "log") continue;
    if (!same(old[key], now[key])) set[key] = now[key];
  }
  const pieces = listDiff(old.pieces, now.pieces, keyOf);
  const trays = listDiff(old.trays, now.trays, idOf);
  let from = 0;
  while (from < old.log.length && from < now.log.length && same(old.log[from], now.log[from])) from++;
  const log = from < old.log.length || from < now.log.length ? { from, lines: now.log.slice(from) } : undefined;
  const lists = {
    ...(pieces === undefined ? {} : { pieces }),
    ...(trays === undefined ? {} : { trays }),
    ...(log === undefined ? {} : { log }),
  };
  if (Object.keys(set).length === 0 && Object.keys(lists).length === 0) return null;
  return { n: now.n, set, ...lists };
}

export function patched(old: Frame, patch: Patch): Frame {
  const pieces = listPatched(old.pieces, patch.pieces, keyOf);
  const trays = listPatched(old.trays, patch.trays, idOf);
  const log = patch.log === undefined ? old.log : [...old.log.slice(0, patch.log.from), ...patch.log.lines];
  return { ...old, ...patch.set, n: patch.n, pieces, trays, log };
}

const keyOf = ({ key }: Piece): string => key;
const idOf = ({ id }: PanelDrawing): string => id;

function listDiff<T>(old: readonly T[], now: readonly T[], name: (thing: T) => string): ListPatch<T> | undefined {
  const before = new Map(old.map((t) => [name(t), t]));
  const set = now.filter((t) => !same(before.get(name(t)), t));
  const order = now.map(name);
  const stays = set.length === 0 && same(order, old.map(name));
  return stays ? undefined : { set, order };
}

function listPatched<T>(old: readonly T[], patch: ListPatch<T> | undefined, name: (thing: T) => string): readonly T[] {
  if (patch === undefined) return old;
  const byName = new Map([...old, ...patch.set].map((t) => [name(t), t]));
  return patch.order.map((n) => byName.get(n)!);
}

/** True when equal as JSON. Parts that are the same object are not compared. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((v, i) => same(v, b[i]));
  const [one, two] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(one);
  return keys.length === Object.keys(two).length && keys.every((k) => k in two && same(one[k], two[k]));
}

/** What is drawn once and kept by its hash. */
export interface Base {
  readonly width: number;
  readonly height: number;
  readonly svg: string;
  /** Names of places, drawn over the counters. */
  readonly names: string;
  /** Height of a flag, px: flags grow on the page where they would be too small to read. */
  readonly flag: number;
  readonly hexes: boolean;
  readonly places: readonly BasePlace[];
  /** The marks of the board itself, and what they mean. */
  readonly legend: readonly LegendItem[];
}

export interface BasePlace {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** Outline as SVG path data. */
  readonly outline: string;
  readonly about: string;
}

/** What the server sends. */
export type Reply =
  | { readonly op: "frame"; readonly frame: Frame }
  | { readonly op: "pong" }
  | { readonly op: "patch"; readonly patch: Patch }
  | {
      readonly op: "odds";
      readonly n: number;
      readonly action: number;
      readonly odds: Odds;
      readonly leads: Foreseen | null;
    }
  | { readonly op: "hint"; readonly n: number; readonly by: string; readonly text: string; readonly action: number }
  | {
      readonly op: "rules";
      readonly words: string;
      readonly rules: readonly { readonly id: string; readonly says: string; readonly note: string }[];
    }
  | {
      readonly op: "answer";
      readonly kind: string;
      readonly from: string;
      readonly to: string;
      readonly answer: MapAnswer;
    }
  | { readonly op: "ways"; readonly n: number; readonly unit: string; readonly ways: readonly OpenWay[] }
  /** What an order came to, in sentences. */
  | {
      readonly op: "ordered";
      readonly order: string;
      /** Why it stopped; null if all was done. */
      readonly stopped: string | null;
      /** The warning that stopped it: the page asks whether to go on in spite of it. */
      readonly warning: string | null;
      readonly lines: readonly string[];
    }
  | ({ readonly op: "solved"; readonly n: number } & Solved)
  | { readonly op: "error"; readonly code: string; readonly message: string }
  | ReviewReply;

/** What a seat's page may send; checked by messages.ts. */
export type Request =
  | { readonly op: "sit"; readonly token: string }
  /** True when the connection is alive. Answered by `pong`. */
  | { readonly op: "ping" }
  /** `act` at a puzzle changes nothing: it is answered by `solved`. */
  | { readonly op: "act" | "odds"; readonly n: number; readonly action: number }
  | { readonly op: "undo" | "hint"; readonly n: number }
  /** Where an order can send a unit. */
  | { readonly op: "ways"; readonly n: number; readonly unit: string }
  /** An order in words; answered by `ordered`. */
  | { readonly op: "order"; readonly n: number; readonly order: string }
  /** On with the order that a warning has stopped. */
  | { readonly op: "goOn"; readonly n: number; readonly order: string }
  /**
   * Somebody of `Frame.deputies` decides from now on, as far as is handed over; each of its decisions waits for
   * `deputyOn`.
   */
  | {
      readonly op: "handOver";
      readonly n: number;
      readonly what: "phase" | "turn" | readonly string[];
      readonly who: string;
    }
  /** The deputy takes its next decision, or all that are left. Of an older frame it is not heard. */
  | { readonly op: "deputyOn"; readonly n: number; readonly all: boolean }
  | { readonly op: "rule"; readonly words: string }
  | { readonly op: "ask"; readonly kind: string; readonly from: string; readonly to: string }
  /** `playOn`: from the end of a lesson or from a puzzle, against the easiest agents; answered by `branched`. */
  | { readonly op: "resign" | "moveNow" | "whole" | "playOn" }
  /** Who sits here decides again, and no deputy. */
  | { readonly op: "handBack" }
  | ReviewRequest;

/** A new game. Agents are named as the list of the page names them. */
export interface NewGame {
  readonly game: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly seats: Readonly<Record<string, string>>;
  readonly seed?: string | undefined;
}
