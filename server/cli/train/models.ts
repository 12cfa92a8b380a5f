import { percent } from "../../../env/core/words.js";
import { importGame } from "../../../agents/import-game.js";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { type Game, type JsonObject, KesselError, loadGame, oneOf } from "../../../env/index.js";
import type { TrainedExploiter } from "../../../training/models/exploiter.js";
import { cardOf, curveOf, exploiterOf } from "../../../training/models/files.js";
import {
  checkWritable,
  type GameFlags,
  gameFrom,
  listFolder,
  print,
  readJson,
  splitAgents,
  viewerFrom,
  writeOut,
} from "../common.js";
import { commandLine, type MeasureFlags, measuring, prepareModel, runCommand } from "./flags.js";

// What `kessel train` does with finished runs and models: publish, measure, report.

interface PublishFlags extends MeasureFlags, GameFlags {
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

interface CardFlags extends MeasureFlags {
  temperature?: string;
  exploiter?: string;
}

export async function measure(
  file: string,
  { against, measure: games, jobs, temperature, exploiter: run }: CardFlags,
): Promise<void> {
  const [{ measureModel }, { startBackend }, { progressBar }, { agentKinds }, { MOST_TEMPERATURE, temperatureIn }] =
    await Promise.all([
      import("../../../training/models/publish.js"),
      import("../../../training/nets/backend.js"),
      import("../../../training/runs/progress.js"),
      import("../../../agents/registry.js"),
      import("../../../agents/model.js"),
    ]);
  for (const written of [file, cardOf(file)]) checkWritable(written);
  const plays = temperature === undefined ? undefined : temperatureIn(temperature);
  if (plays === null)
    throw new KesselError(
      "bad-option",
      `--temperature is a number from 0 to ${MOST_TEMPERATURE}, not ${JSON.stringify(temperature)}`,
    );
  const bar = progressBar("games of the card");
  try {
    const agents = against === undefined ? [] : splitAgents(against, agentKinds());
    if (run !== undefined) await startBackend("auto");
    const exploiter = run === undefined ? undefined : await trainedExploiter(run);
    await measureModel(file, agents, { games, jobs, progress: bar.update }, { temperature: plays, exploiter });
  } finally {
    bar.stop();
  }
  if (run !== undefined) await keepCurve(run, exploiterOf(file));
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
  await importGame(id);
  return loadGame(id, options);
}

interface BalanceFlags {
  file: string;
  game?: string;
  games: number;
  jobs: number;
}

export async function balance({ file, game, games, jobs }: BalanceFlags): Promise<void> {
  const [{ balanceTable, balanceText, measureBalance, readBalance }, { progressBar }] = await Promise.all([
    import("../../../training/arena/balance.js"),
    import("../../../training/runs/progress.js"),
  ]);
  const doc = readBalance(readJson(file, "bad-data"), file);
  const chosen = doc.rows.filter((row) => game === undefined || row.game === game);
  if (chosen.length === 0) throw new KesselError("bad-option", `${file} has no fight of ${game ?? "any game"}`);
  checkWritable(file);
  const bar = progressBar("fights");
  let measured;
  try {
    measured = await measureBalance(chosen, { games, jobs, progress: bar.update });
  } finally {
    bar.stop();
  }
  const rows = doc.rows.map((row) => measured[chosen.indexOf(row)] ?? row);
  writeOut(file, balanceText({ ...doc, rows }));
  for (const line of balanceTable(measured)) print(line);
}

interface RegretFlags {
  games: number;
  share: number;
  iterations: number;
  worlds: number;
  seed: string;
  out?: string;
}

export async function regret(files: readonly string[], { out, ...flags }: RegretFlags): Promise<void> {
  const [
    { readRegret, regretByKind, regretTable, regretText },
    { readModelFile, SHIPPED },
    { OnnxModel },
    { progressBar },
  ] = await Promise.all([
    import("../../../training/arena/regret.js"),
    import("../../../agents/model-file.js"),
    import("../../../agents/onnx.js"),
    import("../../../training/runs/progress.js"),
  ]);
  if (out !== undefined) checkWritable(out);
  const chosen =
    files.length > 0
      ? files
      : listFolder(SHIPPED, "bad-model")
          .filter(hasCommander(SHIPPED))
          .map((f) => `${f}/commander.onnx`);
  let rows = out !== undefined && existsSync(out) ? [...readRegret(readJson(out, "bad-data"))] : [];
  const measured = [];
  for (const file of chosen) {
    const bytes = readModelFile(file);
    const game = await gameOf(bytes, file);
    const net = await OnnxModel.load(bytes, game, file);
    const bar = progressBar(`games of ${file}`);
    try {
      const kinds = await regretByKind(game, net, { ...flags, progress: bar.update });
      const { games, share, iterations, worlds } = flags;
      const { id, version } = game.type;
      const model = file.replace(/^models\//, "");
      measured.push({ game: id, options: game.options, model, version, games, share, iterations, worlds, kinds });
    } finally {
      bar.stop();
      await net.close();
    }
    if (out === undefined) continue;
    const now = measured.at(-1)!;
    rows = rows.some((r) => r.model === now.model)
      ? rows.map((r) => (r.model === now.model ? now : r))
      : [...rows, now];
    writeOut(out, regretText(rows));
  }
  for (const line of regretTable(measured)) print(line);
}

const hasCommander = (folder: string) => (name: string) => existsSync(join(folder, name, "commander.onnx"));

interface OracleFlags {
  games: number;
  iterations: number;
  root: "gumbel" | "plan";
  seat?: string;
  belief?: string;
  seed: string;
}

export async function oracle(file: string, { seat: name, belief: beliefFile, ...flags }: OracleFlags): Promise<void> {
  const [{ readModelFile }, { OnnxModel }, { Belief }, { oracleReturns, oracleText }, { progressBar }] =
    await Promise.all([
      import("../../../agents/model-file.js"),
      import("../../../agents/onnx.js"),
      import("../../../agents/search/belief.js"),
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
  const belief = beliefFile === undefined ? undefined : await Belief.load(readModelFile(beliefFile), game, beliefFile);
  const net = await OnnxModel.load(bytes, game, file);
  const bar = progressBar("games");
  let rows;
  try {
    rows = await oracleReturns(game, net, { ...flags, seat, ...(belief && { belief }), progress: bar.update });
  } finally {
    bar.stop();
    await net.close();
    await belief?.close();
  }
  print(oracleText(rows, flags.iterations));
}

export async function quantizeModel(file: string, { out, seed }: { out: string; seed: string }): Promise<void> {
  const [{ readModelFile }, { quantize }, { writeAtomic }] = await Promise.all([
    import("../../../agents/model-file.js"),
    import("../../../training/models/quantize.js"),
    import("../../../training/learn/checkpoint.js"),
  ]);
  prepareModel(out);
  const bytes = readModelFile(file);
  const { bytes: small, comparison } = await quantize(bytes, await gameOf(bytes, file), file, seed);
  writeAtomic(out, small);
  const { positions, agreement, value, speeds } = comparison;
  print(`wrote ${out}: ${small.length} bytes, before ${bytes.length}`);
  print(
    `in ${positions} positions of its own games: the same action preferred in ${percent(agreement, 1)}, values ${value.toFixed(4)} apart`,
  );
  for (const { rows, before, after } of speeds)
    print(
      `batch of ${rows}: ${after.toFixed(0)} rows a second, before ${before.toFixed(0)} (${(after / before).toFixed(2)} times)`,
    );
}

interface TransferFlags extends GameFlags {
  out: string;
}

export async function transferModel(file: string, flags: TransferFlags): Promise<void> {
  const [{ readModelFile }, { metadataOf }, { transfer }, { card }, { startBackend }, { writeAtomic }] =
    await Promise.all([
      import("../../../agents/model-file.js"),
      import("../../../training/models/metadata.js"),
      import("../../../training/models/transfer.js"),
      import("../../../training/models/card.js"),
      import("../../../training/nets/backend.js"),
      import("../../../training/learn/checkpoint.js"),
    ]);
  const bytes = readModelFile(file);
  const id = metadataOf(bytes, file)?.game;
  if (id === undefined)
    throw new KesselError("bad-model", `${file} has no training metadata: it was not written by kessel train`);
  prepareModel(flags.out);
  await startBackend("auto");
  await importGame(id);
  const game = await gameFrom(id, flags);
  writeAtomic(flags.out, await transfer(bytes, file, game, commandLine()));
  writeAtomic(cardOf(flags.out), card(flags.out));
  print(`wrote ${flags.out} and its card; \`kessel model measure\` adds results`);
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
  const game = await gameFrom(id, flags);
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
    { parseRun, RunFolder, selfPlayRunSchema },
    { Net },
    { loadWeights },
    { selfPlaySamples },
    { publish },
    { factsOfOrigin },
    { progressBar },
  ] = await Promise.all([
    import("../../../training/nets/backend.js"),
    import("../../../training/runs/run-folder.js"),
    import("../../../training/nets/net.js"),
    import("../../../training/nets/weights.js"),
    import("../../../training/models/golden-pairs.js"),
    import("../../../training/models/publish.js"),
    import("../../../training/runs/origin.js"),
    import("../../../training/runs/progress.js"),
  ]);
  const folder = new RunFolder(flags.run);
  const config = folder.config(selfPlayRunSchema);
  if (config.game !== id)
    throw new KesselError("bad-config", `the run in ${flags.run} trains ${config.game}, not ${id}`);
  prepareModel(flags.out);
  const backend = await startBackend(config.backend);
  await importGame(id);
  const { net: spec } = config.method === "ppo" ? config.ppo : config.expert;
  const another = Object.keys(flags.option).length > 0 || flags.data !== undefined;
  if (another && spec.kind !== "pooled")
    throw new KesselError(
      "bad-option",
      `a net of kind ${spec.kind} plays only the fight that it was trained for; leave out -o and --data`,
    );
  const game = another ? await gameFrom(id, flags) : loadGame(id, config.options);
  const model = folder.model(flags.model);
  const net = new Net(game, spec, config.seed);
  loadWeights(net, model.bytes, model.name);
  const { updates, games, decisions, samples, hours } = folder.totals(model.update);
  const again = runCommand(
    config,
    parseRun(selfPlayRunSchema, { method: config.method, game: config.game }),
    flags.run,
  );
  const exploiter = flags.exploiter === undefined ? undefined : await trainedExploiter(flags.exploiter);
  const bar = progressBar("games of the card");
  try {
    await publish(
      net,
      await selfPlaySamples(net, 32, "card"),
      flags.out,
      {
        how: `${METHODS[config.method]}${config.warmStart === null ? "" : `, begun from ${basename(config.warmStart)}`}: ${updates} updates.`,
        command: `${again}\n${commandLine()}`,
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
  await keepCurve(flags.run, flags.out, model.update);
  if (flags.exploiter !== undefined) await keepCurve(flags.exploiter, exploiterOf(flags.out));
  print(`wrote ${flags.out}, its card and its curve`);
}

/** Keeps the metrics of a model's run, up to an update, beside the model. */
async function keepCurve(run: string, file: string, update?: number): Promise<void> {
  const [{ RunFolder }, { writeAtomic }] = await Promise.all([
    import("../../../training/runs/run-folder.js"),
    import("../../../training/learn/checkpoint.js"),
  ]);
  writeAtomic(curveOf(file), new RunFolder(run).curve(update));
}

/** The last model of a run that met one agent only. @throws KesselError `bad-config` for another run */
async function trainedExploiter(run: string): Promise<TrainedExploiter> {
  const [{ parseRun, ppoRunSchema, RunFolder }, { factsOfOrigin }] = await Promise.all([
    import("../../../training/runs/run-folder.js"),
    import("../../../training/runs/origin.js"),
  ]);
  const folder = new RunFolder(run);
  const config = folder.config(ppoRunSchema);
  await importGame(config.game);
  const game = loadGame(config.game, config.options);
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
  const effort = { ...counts, hours: hours.toFixed(2), ...factsOfOrigin(folder, update) };
  const command = runCommand(config, parseRun(ppoRunSchema, { method: "ppo", game: config.game }), folder.path);
  return { bytes, against, effort, command, run };
}
