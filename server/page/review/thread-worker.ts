import { importGame } from "../../../agents/import-game.js";
import { EVERYTHING, type Game, loadGame, parseReplay } from "../../../env/index.js";
import { beliefsOf, habitBeliefsOf, HABITS, shippedHabits } from "../../analysis/beliefs.js";
import type { Evaluator } from "../../analysis/evaluator.js";
import type { PlaceBelief, Review } from "../review-frame.js";
import type { BeliefAnswer, Drawn, JudgeAnswer, ReviewResult, ReviewStart, ReviewTask } from "./tasks.js";
import { judgedChoices } from "./judged-choices.js";

/** Decisions and turning points that are listed. */
const LISTED = 5;
/** Most identities listed for each place. */
const TOLD_GUESSES = 6;

/** Width of a film, px. */
const FILM = 720;

type Task<What> = Extract<ReviewTask, { what: What }>;

/** A game that is looked back at, and the nets that were loaded for it: they stay while its table asks. */
class Table {
  private readonly evaluators = new Map<string, Promise<Evaluator>>();
  private loadedHabits: ReturnType<typeof shippedHabits> | undefined;

  constructor(readonly game: Game) {}

  evaluator(by: string): Promise<Evaluator> {
    let evaluator = this.evaluators.get(by);
    if (evaluator === undefined) {
      evaluator = import("../../analysis/evaluator.js").then((m) => m.makeEvaluator(by, this.game));
      this.evaluators.set(by, evaluator);
      evaluator.catch(() => this.evaluators.delete(by));
    }
    return evaluator;
  }

  get habits(): ReturnType<typeof shippedHabits> {
    this.loadedHabits ??= shippedHabits(this.game);
    return this.loadedHabits;
  }

  async close(): Promise<void> {
    const loaded = await Promise.allSettled([...this.evaluators.values(), this.loadedHabits]);
    for (const net of loaded) if (net.status === "fulfilled") await net.value?.close();
  }
}

/** Looks back at games of the table that asked last; counts what is done of an analysis in `counted`. */
export function open({ counted }: ReviewStart): (task: ReviewTask) => Promise<ReviewResult> {
  const count = new Int32Array(counted);
  let table: Table | null = null;
  const asking = (): Table => {
    if (table === null) throw new Error("no table asks this thread");
    return table;
  };
  return async (task) => {
    switch (task.what) {
      case "table": {
        const last = table;
        table = null;
        await last?.close();
        await importGame(task.game);
        table = new Table(loadGame(task.game, task.options));
        return null;
      }
      case "beliefs":
        return believed(asking().game, task, await asking().habits);
      case "judge":
        return judged(asking().game, await asking().evaluator(task.by), task);
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
  const { lookAtOne } = await import("../../analysis/judged-decision.js");
  const { value, actions } = await lookAtOne(game, evaluator, state, taken);
  return { value, choices: judgedChoices(game, state, actions) };
}

async function analysed(task: Task<"analyse">, progress: (done: number, all: number) => void): Promise<Review> {
  // a question about beliefs does not wait for nets to be loaded
  const [{ analyse }, { makeEvaluator }, { recordOf }] = await Promise.all([
    import("../../analysis/analyse.js"),
    import("../../analysis/evaluator.js"),
    import("../../analysis/record.js"),
  ]);
  const replay = parseReplay(JSON.parse(task.replay));
  const { seat } = task;
  const record = recordOf(await importGame(replay.game), replay, () => seat ?? EVERYTHING);
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
