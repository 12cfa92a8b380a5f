import type { Interval } from "../../training/report/stats.js";
import type { JsonObject } from "../../env/index.js";

/** Returns expected, -1..1, by side. */
export type BySide = Readonly<Record<string, number>>;

/** A legal action of a decision. */
export interface Alternative {
  readonly action: string;
  /** Chance that the evaluator takes it. */
  readonly probability: number;
  /** Return it expects for the deciding side; null where it has not looked. */
  readonly value: number | null;
}

export interface DecisionAnalysis {
  /** From 1. */
  readonly number: number;
  readonly by: string;
  /** As action notation; null where the seat whose knowledge is used does not see it. */
  readonly action: string | null;
  /** It was the only legal action. */
  readonly forced: boolean;
  /** What each side expected before it, from what that side knew. */
  readonly value: BySide;
  /** What its dice and draws were worth to the first side; null where a seat's knowledge does not show it. */
  readonly luck: number | null;
  /** Most likely first; the chosen one is among them. Empty for forced decisions and those of another seat. */
  readonly alternatives: readonly Alternative[];
  /** How much less the action was worth than the best one, for who took it; null where `alternatives` is empty. */
  readonly loss: number | null;
}

/** A decision that cost much, looked at again with more samples. */
export interface Blunder {
  readonly number: number;
  readonly by: string;
  readonly action: string;
  readonly best: string;
  /** The two as the player reads them. */
  readonly text: string;
  readonly bestText: string;
  /** Return expected before it by its side. */
  readonly value: number;
  readonly loss: number;
  /** 95 % interval of the loss. */
  readonly interval: Interval;
  readonly why: string;
}

/** A decision after which the expected return was another. */
export interface TurningPoint {
  readonly number: number;
  readonly by: string;
  /** What came, in sentences. */
  readonly text: string;
  /** Expected return of the first side, the mean of what both sides expected; or of the one seat. */
  readonly before: number;
  readonly after: number;
  /**
   * Parts of the change: what dice and draws gave (null where that is not known), and what the choice cost. The rest is
   * what the evaluator sees only then.
   */
  readonly dice: number | null;
  readonly choice: number;
  readonly why: string;
}

export interface SideSummary {
  readonly side: string;
  /** Decisions looked at. */
  readonly decisions: number;
  /** Sum of the losses of all of them, as estimated with few samples: too high rather than too low. */
  readonly loss: number;
  /** What dice and draws gave it; null where a seat's knowledge does not show it. */
  readonly luck: number | null;
  /** Worst first. */
  readonly worst: readonly Blunder[];
}

/** What `kessel games analyse` says of a game. All values are expected returns, -1..1. */
export interface Analysis {
  readonly format: 1;
  readonly game: string;
  readonly title: string;
  readonly version: number;
  readonly options: JsonObject;
  readonly evaluator: string;
  /** `everything`, or the side from whose knowledge alone it is made. */
  readonly knowledge: string;
  readonly players: readonly string[];
  readonly agents: Readonly<Record<string, string>>;
  readonly over: boolean;
  readonly returns: BySide | null;
  readonly decisions: readonly DecisionAnalysis[];
  /** What each side expects after the last decision; the returns of a finished game. */
  readonly end: BySide;
  readonly sides: readonly SideSummary[];
  /** In the order of the game. */
  readonly turningPoints: readonly TurningPoint[];
}
