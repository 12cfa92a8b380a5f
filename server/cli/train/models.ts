import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Game, type JsonObject, KesselError, loadGame, oneOf } from "../../../env/index.js";
import type { TrainedExploiter } from "../../../training/models/publish.js";
import type { PpoRunConfig, ppoRunSchema, RunFolder } from "../../../training/runs/run-folder.js";
import { type GameFlags, gameFrom, print, splitAgents, viewerFrom, writeOut } from "../common.js";
import { commandLine, type MeasureFlags, measuring, runCommand } from "./flags.js";

// What `kessel train` does with finished runs and models: publish, measure, report.

interface PublishFlags extends MeasureFlags {
  run: string;
  model?: string;
  exploiter?: string;
  out: string;
}

interface StrengthFlags extends MeasureFlags, GameFlags {
  run: string;
  json?: boolean;
}

interface ReportFlags {
  run: string;
  out?: string;
}

export async function measure(
  file: string,
  { against, measure: games, jobs, temperature }: MeasureFlags & { temperature?: string },
): Promise<void> {
  const [{ measureModel }, { progressBar }, { agentKinds }, { MOST_TEMPERATURE, temperatureIn }] = await Promise.all([
    import("../../../training/models/publish.js"),
    import("../../../training/runs/progress.js"),
    import("../../../agents/registry.js"),
    import("../../../agents/model.js"),
  ]);
  const plays = temperature === undefined ? undefined : temperatureIn(temperature);
  if (plays === null)
    throw new KesselError(
      "bad-option",
      `--temperature is a number from 0 to ${MOST_TEMPERATURE}, not ${JSON.stringify(temperature)}`,
    );
  const bar = progressBar("games of the card");
  try {
    const agents = against === undefined ? [] : splitAgents(against, agentKinds());
    await measureModel(file, agents, { games, jobs, progress: bar.update }, plays);
  } finally {
    bar.stop();
  }
  print(`wrote ${file} and its card`);
}

/** The game that a model was trained for, with its options. */
async function gameOf(bytes: Uint8Array, file: string): Promise<Game> {
  const { META, readModel, trainedOf } = await import("../../../agents/model.js");
  const info = readModel(bytes, file);
  const id = info.metadata[META.game];
  if (id === undefined)
    throw new KesselError("bad-model", `${file}: the file has no metadata ${META.game}, so it isn't a Kessel model`);
  const { options = {} } = (trainedOf(info, file) ?? {}) as { options?: JsonObject };
  return loadGame(id, options);
}

interface OracleFlags {
  games: number;
  iterations: number;
  root: "gumbel" | "plan";
  seat?: string;
  seed: string;
}

export async function oracle(file: string, { seat: name, ...flags }: OracleFlags): Promise<void> {
  const [{ readModelFile }, { OnnxModel }, { oracleReturns, oracleText }, { progressBar }] = await Promise.all([
    import("../../../agents/model-file.js"),
    import("../../../agents/onnx.js"),
    import("../../../training/arena/oracle.js"),
    import("../../../training/runs/progress.js"),
  ]);
  const bytes = readModelFile(file);
  const game = await gameOf(bytes, file);
  const { players } = game;
  if (name === undefined && players.length > 1)
    throw new KesselError(
      "bad-option",
      `${game.type.id} has more than one seat: say with --seat whose games are measured, ${oneOf(players)}`,
    );
  const seat = name === undefined ? 0 : viewerFrom(game, name);
  if (seat < 0) throw new KesselError("bad-seat", "a spectator plays nothing: --seat is a side of the game");
  const net = await OnnxModel.load(bytes, game, file);
  const bar = progressBar("games");
  let rows;
  try {
    rows = await oracleReturns(game, net, { ...flags, seat, progress: bar.update });
  } finally {
    bar.stop();
    await net.close();
  }
  print(oracleText(rows, flags.iterations));
}

export async function quantizeModel(file: string, { out, seed }: { out: string; seed: string }): Promise<void> {
  const [{ readModelFile }, { quantize }, { writeAtomic }] = await Promise.all([
    import("../../../agents/model-file.js"),
    import("../../../training/models/quantize.js"),
    import("../../../training/learn/checkpoint.js"),
  ]);
  const bytes = readModelFile(file);
  const { bytes: small, comparison } = await quantize(bytes, await gameOf(bytes, file), file, seed);
  mkdirSync(dirname(out), { recursive: true });
  writeAtomic(out, small);
  const { positions, agreement, value, speeds } = comparison;
  print(`wrote ${out}: ${small.length} bytes, before ${bytes.length}`);
  print(
    `in ${positions} positions of its own games: the same action preferred in ${(100 * agreement).toFixed(1)} %, values ${value.toFixed(4)} apart`,
  );
  for (const { rows, before, after } of speeds)
    print(
      `batch of ${rows}: ${after.toFixed(0)} rows a second, before ${before.toFixed(0)} (${(after / before).toFixed(2)} times)`,
    );
}

export async function report(flags: ReportFlags): Promise<void> {
  const [{ anyRunSchema, RunFolder }, { runPage }] = await Promise.all([
    import("../../../training/runs/run-folder.js"),
    import("../../../training/runs/run-page.js"),
  ]);
  const folder = new RunFolder(flags.run);
  const file = flags.out ?? join(flags.run, "report.html");
  writeOut(
    file,
    runPage({
      config: folder.config(anyRunSchema) as JsonObject,
      lines: folder.metrics.read(),
      models: folder.models(),
    }),
  );
  print(`wrote ${file}`);
}

export async function strength(id: string, flags: StrengthFlags): Promise<void> {
  const [{ RunFolder }, { strengthCurve, strengthText }, { progressBar }] = await Promise.all([
    import("../../../training/runs/run-folder.js"),
    import("../../../training/runs/strength.js"),
    import("../../../training/runs/progress.js"),
  ]);
  const game = gameFrom(id, flags);
  const { against } = await measuring(game, flags);
  const bar = progressBar("games of the curve");
  let curve;
  try {
    const { measure: games, jobs } = flags;
    curve = await strengthCurve(game, new RunFolder(flags.run), { against, games, jobs, progress: bar.update });
  } finally {
    bar.stop();
  }
  print(flags.json === true ? JSON.stringify(curve, null, 2) : strengthText(curve, against));
}

const METHODS = { ppo: "Self-play (PPO)", expert: "Expert iteration (search against itself)" } as const;

export async function publishModel(id: string, flags: PublishFlags): Promise<void> {
  const [
    { startBackend },
    { parseRun, ppoRunSchema, RunFolder, selfPlayRunSchema },
    { Net },
    { loadWeights },
    { selfPlaySamples },
    { publish },
    { factsOfOrigin },
    { writeAtomic },
    { progressBar },
  ] = await Promise.all([
    import("../../../training/nets/backend.js"),
    import("../../../training/runs/run-folder.js"),
    import("../../../training/nets/net.js"),
    import("../../../training/nets/weights.js"),
    import("../../../training/models/golden-pairs.js"),
    import("../../../training/models/publish.js"),
    import("../../../training/runs/origin.js"),
    import("../../../training/learn/checkpoint.js"),
    import("../../../training/runs/progress.js"),
  ]);
  const folder = new RunFolder(flags.run);
  const config = folder.config(selfPlayRunSchema);
  if (config.game !== id)
    throw new KesselError("bad-config", `the run in ${flags.run} trains ${config.game}, not ${id}`);
  const backend = await startBackend(config.backend);
  const game = loadGame(id, config.options);
  const model = folder.model(flags.model);
  const net = new Net(game, (config.method === "ppo" ? config.ppo : config.expert).net, config.seed);
  loadWeights(net, model.bytes, model.name);
  const { updates, games, decisions, samples, hours } = folder.totals(model.update);
  const again = (of: typeof config, dir: string) =>
    runCommand(of, parseRun(selfPlayRunSchema, { method: of.method, game: of.game }), dir);
  const exploiter =
    flags.exploiter === undefined
      ? undefined
      : trainedExploiter(new RunFolder(flags.exploiter), game, ppoRunSchema, again, factsOfOrigin);
  mkdirSync(dirname(flags.out), { recursive: true });
  const bar = progressBar("games of the card");
  try {
    await publish(
      net,
      await selfPlaySamples(net, 32, "card"),
      flags.out,
      {
        how: `${METHODS[config.method]}${config.warmStart === null ? "" : `, begun from ${basename(config.warmStart)}`}: ${updates} updates.`,
        command: `${again(config, flags.run)}\n${commandLine()}`,
        seed: config.seed,
        facts: {
          ...{ updates, games, decisions, samples, hours: hours.toFixed(2) },
          ...factsOfOrigin(folder, model.update),
          backend,
        },
        config: config as unknown as JsonObject,
      },
      { ...(await measuring(game, flags)), progress: bar.update },
      exploiter,
    );
  } finally {
    bar.stop();
  }
  writeAtomic(curveOf(flags.out), folder.curve(model.update));
  if (flags.exploiter !== undefined)
    writeAtomic(curveOf(flags.out.replace(/\.onnx$/, ".exploiter.onnx")), new RunFolder(flags.exploiter).curve());
  print(`wrote ${flags.out}, its card and its curve`);
}

/** Where the metrics of a model's run lie: beside the model. */
const curveOf = (file: string): string => file.replace(/\.onnx$/, ".curve.jsonl.gz");

/** The last model of a run that met one agent only. @throws KesselError `bad-config` for another run */
function trainedExploiter(
  folder: RunFolder,
  game: Game,
  schema: typeof ppoRunSchema,
  again: (config: PpoRunConfig, dir: string) => string,
  factsOf: (folder: RunFolder, update: number) => TrainedExploiter["effort"],
): TrainedExploiter {
  const config = folder.config(schema);
  const [against, ...others] = config.ppo.opponents;
  if (against === undefined || others.length > 0 || config.ppo.selfPlay > 0)
    throw new KesselError(
      "bad-config",
      `the run in ${folder.path} was not made with --best-response-to: it met ${config.ppo.selfPlay > 0 ? "itself" : `${config.ppo.opponents.length} agents`}`,
    );
  const { seats } = config.ppo;
  const untried = seats.length === 0 ? [] : game.players.filter((p) => !seats.includes(p));
  if (untried.length > 0)
    throw new KesselError(
      "bad-config",
      `the run in ${folder.path} didn't learn to answer as ${untried.join(", ")}; a card says what an exploiter gains in each seat, so train it with ppo.seats=[]`,
    );
  const { bytes, update } = folder.model();
  const { hours, ...counts } = folder.totals(update);
  const effort = { ...counts, hours: hours.toFixed(2), ...factsOf(folder, update) };
  return { bytes, against, effort, command: again(config, folder.path) };
}
