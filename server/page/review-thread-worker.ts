import { gameType, loadGame, parseReplay } from "../../env/index.js";
import { beliefsOf } from "../analysis/beliefs.js";
import type { PlaceBelief, Review } from "./review-frame.js";
import type { ReviewResult, ReviewStart, ReviewTask } from "./reviewer.js";

/** Decisions and turning points that are listed. */
const LISTED = 5;
/** Actions told of each decision, and identities of each place. */
const [TOLD_ACTIONS, TOLD_GUESSES] = [3, 6];

/** Looks back at games of one kind; counts what is done of an analysis in `counted`. */
export function open({ game: id, options, counted }: ReviewStart): (task: ReviewTask) => Promise<ReviewResult> {
  const count = new Int32Array(counted);
  const game = loadGame(id, options);
  return async (task) => {
    if (task.what === "beliefs") {
      const { model, places } = beliefsOf(game, task.state, task.seat);
      return {
        model,
        places: places.map(({ place, hidden, what }): PlaceBelief => ({
          place,
          hidden,
          what: what.slice(0, TOLD_GUESSES),
          others: Math.max(0, what.length - TOLD_GUESSES),
        })),
      };
    }
    // who asks what he can believe does not wait for nets to be loaded
    const [{ analyse }, { makeEvaluator }, { recordOf }] = await Promise.all([
      import("../analysis/analyse.js"),
      import("../analysis/evaluator.js"),
      import("../analysis/record.js"),
    ]);
    const record = recordOf(gameType(id), parseReplay(JSON.parse(task.replay)));
    const evaluator = await makeEvaluator(task.by, record.game);
    try {
      const found = await analyse(record, evaluator, {
        seat: null,
        worst: LISTED,
        progress: (done, all) => {
          count[0] = done;
          count[1] = all;
        },
      });
      let sum = 0;
      const review: Review = {
        by: task.by,
        values: Object.fromEntries(
          Object.entries(found.end).map(([side, end]) => [side, [...found.decisions.map((d) => d.value[side]!), end]]),
        ),
        luck: found.decisions.some((d) => d.luck === null) ? null : found.decisions.map((d) => (sum += d.luck!)),
        options: found.decisions.map((d) => d.alternatives.slice(0, TOLD_ACTIONS)),
        sides: found.sides,
        turningPoints: found.turningPoints,
      };
      return review;
    } finally {
      await evaluator.close();
    }
  };
}
