import type { LessonStep } from "../../../env/index.js";

/** A lesson as its learner sees it. */
export interface LessonView {
  readonly title: string;
  /** Steps done, of those to be done. */
  readonly done: number;
  readonly of: number;
  /** To be read now, one after the other; with the last one the learner chooses. */
  readonly pages: readonly Pick<LessonStep, "says" | "panel" | "places" | "rules">[];
  /** Names of the actions that the lesson asks for; none when it is over, or while others play. */
  readonly do: readonly string[];
  /** Why not another one. */
  readonly otherwise: string;
  /** Nothing is left but to play on from here. */
  readonly over: boolean;
}
