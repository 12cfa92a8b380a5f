import type { Standing } from "../../env/index.js";
import type { Blunder, SideSummary, TurningPoint } from "../analysis/document.js";
import type { Guess } from "../analysis/beliefs.js";
import type { Drawing, LogLine } from "./frame-parts.js";

/** What crosses a seat's socket for looking back at a game, and for beliefs. */

/** What can be looked at when a game is over. */
export interface ReviewOffer {
  /** Decisions of the game: moments are 0 (the start) to this. */
  readonly decisions: number;
  /** Who can analyse it, the best first. */
  readonly evaluators: readonly string[];
}

/** The game as it stood before a decision, or at the end, in the eyes of somebody. */
export interface Moment extends Drawing {
  readonly at: number;
  readonly eyes: Eyes;
  /** Who decides there; null at the end. */
  readonly by: string | null;
  readonly standing: Standing;
  /** The decision that led here, as far as these eyes saw it. */
  readonly line: LogLine | null;
}

/** `all`, `watch` (what everybody could see), or a side. */
export type Eyes = string;

/** A legal action of a decision and what is thought of it. */
export interface JudgedChoice {
  readonly action: string;
  readonly text: string;
  /** Where it is on the map: the place, or from the first to the last; empty for what has no place. */
  readonly way: readonly string[];
  readonly probability: number;
  /** Return that the deciding side expects of it; null where that was not looked at. */
  readonly value: number | null;
}

/** What an evaluator thinks of the decision of one moment, from what the deciding side knows. */
export interface Judged {
  readonly at: number;
  readonly by: string;
  /** Return that the deciding side expects. */
  readonly value: number;
  /** Likeliest first; the one that was taken is among them. */
  readonly choices: readonly JudgedChoice[];
  /** The action that was taken. */
  readonly taken: string;
}

/** An analysis as the page shows it. */
export interface Review {
  readonly by: string;
  /** Expected return of each side before each decision, and at the end. */
  readonly values: Readonly<Record<string, readonly number[]>>;
  /** What dice and draws have given the first side up to each decision. */
  readonly luck: readonly number[] | null;
  readonly sides: readonly SideSummary[];
  readonly turningPoints: readonly TurningPoint[];
}

export type { Blunder, TurningPoint };

/** What a seat may believe of the face-down counters of one place. */
export interface PlaceBelief {
  readonly place: string;
  readonly hidden: number;
  /** The likeliest. */
  readonly what: readonly Guess[];
  /** How many further ones there could be. */
  readonly others: number;
}

export type ReviewRequest =
  | { readonly op: "moment"; readonly at: number; readonly eyes: Eyes }
  | { readonly op: "analyse"; readonly by: string }
  | { readonly op: "judge"; readonly at: number; readonly by: string }
  | { readonly op: "beliefs"; readonly n: number }
  | { readonly op: "branch"; readonly at: number; readonly seats: Readonly<Record<string, string>> }
  | { readonly op: "replay" }
  | ExportRequest;

/** A file of a moment: its position, its picture; or of the whole game as an animated picture. */
export interface ExportRequest {
  readonly op: "export";
  readonly what: "position" | "svg" | "png" | "film";
  readonly at: number;
  readonly eyes: Eyes;
  readonly theme: "light" | "dark";
}

export type ReviewReply =
  | { readonly op: "moment"; readonly moment: Moment }
  /** Share of an analysis that is done. */
  | { readonly op: "progress"; readonly by: string; readonly done: number }
  | { readonly op: "review"; readonly review: Review }
  | { readonly op: "judged"; readonly judged: Judged }
  | {
      readonly op: "beliefs";
      readonly n: number;
      /** What fits is weighed by habits learnt from games; otherwise all of it counts alike. */
      readonly habits: boolean;
      readonly places: readonly PlaceBelief[];
    }
  /** Links to the seats of the new game, as `POST /api/games` gives them. */
  | { readonly op: "branched"; readonly links: Readonly<Record<string, string>> }
  | { readonly op: "replay"; readonly name: string; readonly text: string }
  | { readonly op: "file"; readonly name: string; readonly type: string; readonly base64: string };
