/** What a finished game counts for the person at it. */
export interface Rated {
  readonly seat: string;
  /** Who was played, as the roster names it; empty in games for one. */
  readonly opponent: string;
  /** The return, -1 to 1. */
  readonly value: number;
}

/** Results of one person in one seat against one opponent. */
export interface PlayedSum {
  readonly seat: string;
  readonly opponent: string;
  readonly games: number;
  /** Of the returns, and of their squares. */
  readonly sum: number;
  readonly squares: number;
}

export interface SeatRating {
  readonly seat: string;
  /** Elo points, or in games for one the mean return. */
  readonly scale: "elo" | "return";
  readonly games: number;
  readonly value: number;
  /** 95 %. */
  readonly interval: readonly [number, number];
  /** The levels in the same seat, and whoever plays anything; in games for one all agents. The best first. */
  readonly agents: readonly { readonly who: string; readonly value: number }[];
}
