import { dirname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { z } from "zod";
import { type Game, type Json, type JsonObject, KesselError, loadGame } from "../../../env/index.js";
import { cardOf } from "../../../training/models/files.js";
import type { MeasurementOptions } from "../../../training/models/publish.js";
import type * as run from "../../../training/runs/run-folder.js";
import { checkWritable, makeFolder, print, readJson, splitAgents, whole } from "../common.js";

/** Flags of every way to train. */
export interface RunFlags {
  run: string;
  config?: string;
  set: [string, Json][];
  resume?: boolean;
  seed?: string;
}

/** How a finished model is measured for its card. */
export interface MeasureFlags {
  measure: number;
  against?: string;
  jobs: number;
}

export function withRun(command: Command): Command {
  return command
    .argument("<game>", "as `kessel list` names it")
    .requiredOption("--run <dir>", "folder of the run: configuration, metrics, checkpoints, models")
    .option("--config <file>", "configuration file such as a run's config.json; missing values have their defaults")
    .option("--set <key=value>", "one value of the configuration, such as ppo.games=512; may be repeated", collect, [])
    .option("-s, --seed <seed>", "seed of the whole run")
    .option("--resume", "continue the run in the folder");
}

export function withMeasuring(command: Command): Command {
  return command
    .option("--measure <games>", "games against each opponent for the model's card", whole(2), 1000)
    .option("--against <names>", "opponents, separated by commas (default: random and the game's heuristics)")
    .option("-j, --jobs <number>", "worker threads for measuring", whole(1, 64), 1);
}

/** Collects `--set key=value`; values are JSON, or else texts. */
export function collect(text: string, earlier: [string, Json][]): [string, Json][] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("give it as key=value.");
  let value: Json = text.slice(at + 1);
  try {
    value = JSON.parse(value) as Json;
  } catch {
    // a text without quotes is a text
  }
  return [...earlier, [text.slice(0, at), value]];
}

/** A configuration with values replaced at paths such as `ppo.games`. @throws KesselError `bad-config` */
export function withValues(config: JsonObject, values: readonly (readonly [string, Json])[]): JsonObject {
  const result = structuredClone(config) as Record<string, unknown>;
  for (const [path, value] of values) {
    const keys = path.split(".");
    let at = result;
    for (const key of keys.slice(0, -1)) {
      const next = (at[key] ??= {});
      if (next === null || typeof next !== "object" || Array.isArray(next))
        throw new KesselError("bad-config", `configuration: ${path}: ${key} has no values of its own`);
      at = next as Record<string, unknown>;
    }
    at[keys.at(-1)!] = value;
  }
  return result as JsonObject;
}

function fileConfig(file: string | undefined): JsonObject {
  if (file === undefined) return {};
  const value = readJson(file, "bad-config");
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new KesselError("bad-config", `${file} is not a JSON object`);
  return value as JsonObject;
}

/**
 * The run's configuration, printed: that of the folder when resuming, otherwise the file's with the flags' values.
 *
 * @throws KesselError `bad-option` for values that a run that goes on does not take
 */
export function configure<T extends { game: string; options: Record<string, string | number | boolean> }>(
  folder: run.RunFolder,
  { parseRun }: typeof run,
  schema: z.ZodType<T>,
  id: string,
  flags: RunFlags,
  start: JsonObject,
  values: readonly (readonly [string, Json])[],
): { config: T; game: Game } {
  const seed = flags.seed === undefined ? [] : [["seed", flags.seed] as const];
  const given = flags.config !== undefined || values.length + seed.length + flags.set.length > 0;
  if (flags.resume === true && given)
    throw new KesselError(
      "bad-option",
      `a run that goes on keeps the configuration of its folder; leave out --config, --set, --seed and what else gives it values. For other values begin another; self-play can begin a run with warmStart, a model of ${flags.run}/models`,
    );
  const config = flags.resume
    ? folder.config(schema)
    : parseRun(
        schema,
        withValues({ ...start, ...fileConfig(flags.config), game: id }, [...values, ...seed, ...flags.set]),
      );
  if (config.game !== id)
    throw new KesselError("bad-config", `the run in ${flags.run} trains ${config.game}, not ${id}`);
  const game = loadGame(id, config.options);
  print(JSON.stringify(config, null, 2));
  return { config, game };
}

/**
 * To be asked before the long work that a model and its card come from: makes their folder.
 *
 * @throws KesselError `bad-option`
 */
export function prepareModel(file: string): void {
  const files = [file, cardOf(file)];
  makeFolder(dirname(file));
  files.forEach(checkWritable);
}

/** How a model is measured for its card. @throws KesselError `bad-agent` */
export async function measuring(game: Game, flags: MeasureFlags): Promise<MeasurementOptions> {
  const [{ heuristicNames }, { agentKinds }] = await Promise.all([
    import("../../../agents/heuristics/index.js"),
    import("../../../agents/registry.js"),
  ]);
  const against =
    flags.against === undefined
      ? ["random", ...heuristicNames(game.type.id).map((n) => `heuristic:${n}`)]
      : splitAgents(flags.against, agentKinds());
  return { against, games: flags.measure, seed: "card", jobs: flags.jobs };
}

const typed = (words: readonly string[]): string =>
  ["npx kessel", ...words.map((a) => (/^[\w@%+=:,./-]+$/.test(a) ? a : `'${a.replaceAll("'", "'\\''")}'`))].join(" ");

/** This command line, to be typed again. */
export const commandLine = (): string => typed(process.argv.slice(2));

/** A command that begins the run in a folder again: its values that aren't the defaults. */
export function runCommand(config: run.SelfPlayRunConfig, defaults: run.SelfPlayRunConfig, folder: string): string {
  const set: string[] = [];
  const visit = (path: string, value: Json | undefined, usual: Json | undefined): void => {
    if (JSON.stringify(value) === JSON.stringify(usual)) return;
    if (isObject(value) && isObject(usual) && value["kind"] === undefined)
      for (const key of Object.keys(value)) visit(path === "" ? key : `${path}.${key}`, value[key], usual[key]);
    else set.push("--set", `${path}=${JSON.stringify(value)}`);
  };
  visit("", config as unknown as Json, defaults as unknown as Json);
  return typed(["train", config.method, config.game, "--run", folder, ...set]);
}

const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);
