import { EVERYTHING, type Game, gameType, loadGame, parseReplay } from "../../../env/index.js";
import { beliefsOf, habitBeliefsOf, HABITS, shippedHabits } from "../../analysis/beliefs.js";
import type { Evaluator } from "../../analysis/evaluator.js";
import type { PlaceBelief, Review } from "../review-frame.js";
import type { BeliefAnswer, Drawn, JudgeAnswer, ReviewResult, ReviewStart, ReviewTask } from "./tasks.js";
import { toldChoices } from "./way.js";

/** Decisions and turning points that are listed. */
const LISTED = 5;
/** Identities told of each place. */
const TOLD_GUESSES = 6;

/** Width of a film, px. */
const FILM = 720;

type Task<What> = Extract<ReviewTask, { what: What }>;

/** Looks back at games of the table that asked last; counts what is done of an analysis in `counted`. */
export function open({ counted }: ReviewStart): (task: ReviewTask) => Promise<ReviewResult> {
  const count = new Int32Array(counted);
  const evaluators = new Map<string, Promise<Evaluator>>();
  let game!: Game;
  let habits: ReturnType<typeof shippedHabits> | undefined;
  return async (task) => {
    switch (task.what) {
      case "table": {
        const old = [...evaluators.values()];
        evaluators.clear();
        habits = undefined;
        game = loadGame(task.game, task.options);
        for (const evaluator of old) await (await evaluator).close();
        return null;
      }
      case "beliefs":
        habits ??= shippedHabits(game);
        return believed(game, task, await habits);
      case "judge": {
        // positions are asked about one after another: nets stay loaded
        let evaluator = evaluators.get(task.by);
        if (evaluator === undefined) {
          evaluator = import("../../analysis/evaluator.js").then((m) => m.makeEvaluator(task.by, game));
          evaluators.set(task.by, evaluator);
          evaluator.catch(() => evaluators.delete(task.by));
        }
        return judged(game, await evaluator, task);
      }
      case "draw":
        return drawn(task);
      case "analyse":
        return analysed(task, (done, all) => {
          count[0] = done;
          count[1] = all;
        });
    }
  };
}

async function believed(
  game: Game,
  { state, seat }: Task<"beliefs">,
  habits: Awaited<ReturnType<typeof shippedHabits>>,
): Promise<BeliefAnswer> {
  const { model, places } =
    habits === null ? beliefsOf(game, state, seat) : await habitBeliefsOf(game, state, seat, habits);
  return {
    habits: model === HABITS,
    places: places.map(({ place, hidden, what }): PlaceBelief => ({
      place,
      hidden,
      what: what.slice(0, TOLD_GUESSES),
      others: Math.max(0, what.length - TOLD_GUESSES),
    })),
  };
}

async function drawn({ scenes, format, theme }: Task<"draw">): Promise<Drawn> {
  const { drawScene } = await import("../../draw/picture.js");
  const base64 = (bytes: Buffer): Drawn => ({ base64: bytes.toString("base64") });
  if (format === "film") {
    const svgs = scenes.map((s) => drawScene(s, { theme, width: FILM, panels: false }));
    return base64(await (await import("../../draw/film.js")).filmOf(svgs));
  }
  const svg = drawScene(scenes[0]!, { theme });
  return base64(format === "svg" ? Buffer.from(svg) : (await import("../../draw/png.js")).pngOf(svg));
}

async function judged(game: Game, evaluator: Evaluator, { state, taken }: Task<"judge">): Promise<JudgeAnswer> {
  const { lookAtOne } = await import("../../analysis/found.js");
  const { value, actions } = await lookAtOne(game, evaluator, state, taken);
  return { value, choices: toldChoices(game, state, actions) };
}

async function analysed(task: Task<"analyse">, progress: (done: number, all: number) => void): Promise<Review> {
  // who asks what he can believe does not wait for nets to be loaded
  const [{ analyse }, { makeEvaluator }, { recordOf }] = await Promise.all([
    import("../../analysis/analyse.js"),
    import("../../analysis/evaluator.js"),
    import("../../analysis/record.js"),
  ]);
  const replay = parseReplay(JSON.parse(task.replay));
  const { seat } = task;
  const record = recordOf(gameType(replay.game), replay, () => seat ?? EVERYTHING);
  const evaluator = await makeEvaluator(task.by, record.game);
  try {
    const found = await analyse(record, evaluator, { seat, worst: LISTED, progress });
    let sum = 0;
    return {
      by: task.by,
      values: Object.fromEntries(
        Object.entries(found.end).map(([side, end]) => [side, [...found.decisions.map((d) => d.value[side]!), end]]),
      ),
      luck: found.decisions.some((d) => d.luck === null) ? null : found.decisions.map((d) => (sum += d.luck!)),
      sides: found.sides,
      turningPoints: found.turningPoints,
    };
  } finally {
    await evaluator.close();
  }
}
