import type { Options } from "../../../env/index.js";
import type { Chart } from "../../../training/runs/charts.js";
import type { Drawing } from "../frame-parts.js";
import type { Judged } from "../review-frame.js";

/** A run in the list. */
export interface ListedRun {
  /** Its folder's name. */
  readonly name: string;
  readonly game: string;
  readonly title: string;
  readonly method: string;
  /** The last update or epoch of its metrics. */
  readonly at: number;
  /** Nets that were kept. */
  readonly snapshots: number;
  /** When its metrics were last written, ms since 1970. */
  readonly changed: number;
}

/** A run as the page shows it. */
export interface RunView extends ListedRun {
  /** What the curves count. */
  readonly counted: "update" | "epoch";
  readonly groups: readonly { readonly title: string; readonly charts: readonly Chart[] }[];
  /** Nets that fit the game, the newest first: the number of the update in digits. */
  readonly nets: readonly string[];
  /** Options of its games. */
  readonly options: Options;
  /** Sides of the game with the run's options, and what people call them. */
  readonly players: readonly string[];
  readonly names: readonly string[];
  /** Who else can play, and which players, by index. */
  readonly agents: readonly { readonly short: string; readonly players: readonly number[] }[];
}

export type { Chart };

/** Two nets of a run to be compared. */
export interface NewComparison {
  readonly run: string;
  readonly one: string;
  readonly other: string;
}

/** A decision about which two nets differ. */
export interface Difference {
  /** The moment of the game. */
  readonly at: number;
  readonly by: string;
  readonly prompt: string;
  /** What each would do: the likeliest actions of both nets, in the order of its own. */
  readonly opinions: readonly [Judged, Judged];
  /** Half the sum of the differences of all chances: 0 the same policy, 1 nothing in common. */
  readonly apart: number;
  /** The position as the side that decides sees it. */
  readonly drawing: Drawing;
}

export interface Comparison {
  /** A game between the two: its moments are at `/g/LINK#at=N`. */
  readonly link: string;
  readonly decisions: number;
  /** Share of the decisions in which both would choose the same. */
  readonly same: number;
  /** Those that are furthest apart. */
  readonly differences: readonly Difference[];
}
