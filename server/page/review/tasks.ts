import type { Options, Scene, State } from "../../../env/index.js";
import type { JudgedChoice, PlaceBelief, Review } from "../review-frame.js";

/** What the thread is started with. */
export interface ReviewStart {
  /** Two int32: how much of an analysis is done, and of how much. */
  readonly counted: SharedArrayBuffer;
}

export type ReviewTask =
  /** What is asked from now on is asked by another table: nothing of the last one is used any more. */
  | { readonly what: "table"; readonly game: string; readonly options: Options }
  | { readonly what: "analyse"; readonly replay: string; readonly by: string; readonly seat: number | null }
  | { readonly what: "judge"; readonly state: State; readonly taken: number; readonly by: string }
  | { readonly what: "beliefs"; readonly state: State; readonly seat: number }
  | {
      readonly what: "draw";
      /** One for a picture, all for a film. */
      readonly scenes: readonly Scene[];
      readonly format: "svg" | "png" | "film";
      readonly theme: "light" | "dark";
    };

export interface BeliefAnswer {
  /** See `ReviewReply`. */
  readonly habits: boolean;
  readonly places: readonly PlaceBelief[];
}

export interface JudgeAnswer {
  readonly value: number;
  readonly choices: readonly JudgedChoice[];
}

export interface Drawn {
  readonly base64: string;
}

export type ReviewResult = Review | JudgeAnswer | BeliefAnswer | Drawn | null;
