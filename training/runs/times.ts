import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  type Game,
  type Json,
  type JsonObject,
  KesselError,
  loadGame,
  oneOf,
  parseWith,
  shown,
} from "../../env/index.js";
import { importGame } from "../../agents/import-game.js";
import { table } from "../report/table.js";
import { parseRun, RunFolder, type SelfPlayRunConfig, selfPlayRunSchema } from "./run-folder.js";
import { firstAt, LEVELS, strengthCurve, type StrengthPoint } from "./strength.js";
import { type TrainingCallbacks, trainSelfPlay } from "./train-self-play.js";

const recipeSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  game: z.string(),
  /** A configuration of self-play beside the list; what it begins with is left out. */
  config: z.string(),
  /** Updates between the models that are measured. */
  every: z.int().min(1),
  /** Who is met, as agents are named. */
  against: z.array(z.string()).min(1),
});
export type Recipe = z.infer<typeof recipeSchema>;

/** The recipes of a list (training/configs/times.json), by their names, or all. @throws KesselError `bad-config` */
export function recipesOf(file: string, names: readonly string[]): Recipe[] {
  const list = parseWith(z.array(recipeSchema), JSON.parse(readFileSync(file, "utf8")), "bad-config", file);
  const unknown = names.find((n) => !list.some((r) => r.name === n));
  if (unknown !== undefined)
    throw new KesselError(
      "bad-config",
      `${file} has no recipe ${shown(unknown)}; it has ${oneOf(list.map((r) => r.name))}`,
    );
  return names.length === 0 ? list : list.filter((r) => names.includes(r.name));
}

export interface TimesOptions {
  /** Folder of the recipes' list, and that of the runs, one a recipe. */
  readonly configs: string;
  readonly runs: string;
  /** Minutes of playing and learning of each recipe, evaluations aside. */
  readonly minutes: number;
  /** Games against each agent. */
  readonly games: number;
  readonly jobs: number;
  readonly watch: TrainingCallbacks & { stage(what: string): void };
}

/** What a recipe had cost when it first had a share of the points against an agent. */
export interface RecipeTimes {
  readonly recipe: Recipe;
  readonly options: Readonly<Record<string, Json>>;
  readonly curve: readonly StrengthPoint[];
}

/**
 * Trains recipes from nothing, each for some minutes or to its end, and measures the models that they wrote. A run that
 * is in its folder goes on.
 */
export async function trainAndTime(recipes: readonly Recipe[], options: TimesOptions): Promise<RecipeTimes[]> {
  const found: RecipeTimes[] = [];
  for (const recipe of recipes) {
    await importGame(recipe.game);
    const folder = new RunFolder(join(options.runs, recipe.name));
    const begun = existsSync(join(folder.path, "config.json"));
    const config = begun ? folder.config(selfPlayRunSchema) : configOf(recipe, options.configs);
    const game = loadGame(recipe.game, config.options);
    options.watch.stage(`${recipe.name}: training for ${options.minutes} minutes in all`);
    if (!(await train(game, config, folder, begun, options))) return found;
    options.watch.stage(`${recipe.name}: measuring`);
    const { against } = recipe;
    const curve = await strengthCurve(game, folder, { against, games: options.games, jobs: options.jobs });
    found.push({ recipe, options: config.options, curve });
  }
  return found;
}

function configOf({ game, config, every }: Recipe, folder: string): SelfPlayRunConfig {
  const file = JSON.parse(readFileSync(join(folder, config), "utf8")) as JsonObject;
  const evaluate = { every, games: 2, against: ["random"] };
  return parseRun(selfPlayRunSchema, { method: "ppo", ...file, game, warmStart: null, evaluate });
}

/** @returns whether it went on until its minutes were over, or its updates */
async function train(
  game: Game,
  config: SelfPlayRunConfig,
  folder: RunFolder,
  resume: boolean,
  { minutes, watch }: TimesOptions,
): Promise<boolean> {
  const spent = (): number => folder.metrics.read().reduce((sum, line) => sum + Number(line["seconds"] ?? 0), 0);
  if (resume && spent() >= 60 * minutes) return true;
  let interrupted = false;
  await trainSelfPlay(game, config, folder, resume, {
    update: watch.update,
    shouldStop: () => (interrupted = watch.shouldStop()) || spent() >= 60 * minutes,
  });
  return !interrupted;
}

/**
 * When each recipe first had half and three quarters of the points against each agent, and what its last model gets.
 */
export function timesText(times: readonly RecipeTimes[]): string {
  const rows = times.flatMap(({ recipe, curve }) =>
    recipe.against.map((name) => {
      const last = curve.at(-1)!;
      const { score, interval } = last.scores[name]!;
      const [low, high] = interval.map((x) => (100 * x).toFixed(1));
      return [
        recipe.name,
        name.replace(/^heuristic:/, ""),
        ...LEVELS.map((level) => {
          const p = firstAt(curve, name, level);
          return p === null
            ? "not reached"
            : `${p.minutes.toFixed(1)} min, ${p.decisions.toLocaleString("en")} decisions`;
        }),
        `${(100 * score).toFixed(1)} [${low}, ${high}] after ${last.minutes.toFixed(1)} min`,
      ];
    }),
  );
  return table(["recipe", "against", ...LEVELS.map((level) => `${100 * level} %`), "last model %"], rows, 2);
}
