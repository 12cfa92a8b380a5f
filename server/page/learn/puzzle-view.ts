import type { Move } from "../../../env/core/learning/primer.js";

/** A puzzle as its solver sees it before the answer. */
export interface PuzzleView {
  readonly id: string;
  /** Its place among the puzzles of its game from the easiest up, from 1, and how many there are. */
  readonly number: number;
  readonly of: number;
  /** Elo points; who plays anything has 0. */
  readonly rating: number;
}

/** What an answer was worth, and why. */
export interface Solved {
  /** The action that was chosen. */
  readonly action: string;
  /** The best, or one as good as far as the playouts show. */
  readonly right: boolean;
  readonly best: string;
  /** All legal actions, the best first. */
  readonly choices: readonly { readonly action: string; readonly text: string; readonly value: number }[];
  /** Odds and standing: why the best one is better than the chosen one, or for the best one, than the next. */
  readonly why: string;
  /** What actions like the best one are for. */
  readonly purpose: Pick<Move, "name" | "why" | "rule"> | null;
  /** How it was checked. */
  readonly checked: string;
}

/** A puzzle in the list of its game. */
export interface ListedPuzzle {
  readonly id: string;
  /** Where it is played: `/g/LINK`. */
  readonly link: string;
  readonly rating: number;
}
