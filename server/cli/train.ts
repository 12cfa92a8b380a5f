import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type Game, type Json, type JsonObject, KesselError, loadGame } from "../../env/index.js";
import type { z } from "zod";
import type { Measuring } from "../../training/card.js";
import type * as run from "../../training/run.js";
import { example, print, readJson, splitAgents, whole } from "./common.js";

/** Flags of every way to train. */
interface RunFlags {
  run: string;
  config?: string;
  set: [string, Json][];
  resume?: boolean;
  seed?: string;
}

interface ImitateFlags extends RunFlags, MeasureFlags {
  expert?: string;
  games?: number;
  epochs?: number;
  out?: string;
}

/** How a finished model is measured for its card. */
interface MeasureFlags {
  measure: number;
  against?: string;
  jobs: number;
}

interface PpoFlags extends RunFlags {
  updates?: number;
}

export function register(program: Command): void {
  const train = program.command("train").description("train a net: by imitation of an agent, or by self-play");
  withMeasuring(withRun(train.command("imitate")))
    .description("record games of an agent, train a net to choose what it chooses, and write the model with its card")
    .option("-e, --expert <names>", "the agent to imitate; one, or one for each seat, separated by commas")
    .option("-n, --games <number>", "games to record", whole(1))
    .option("--epochs <number>", "times each decision is learnt from", whole(1))
    .option("--out <file>", "the model to write (default: models/GAME/imitation.onnx)")
    .addHelpText("after", example("kessel train imitate pocket-stalingrad --expert heuristic:greedy --games 500 --run runs/imitation --out runs/imitation/greedy.onnx"))
    .action(imitate);
  withRun(train.command("ppo"))
    .description("train by self-play (PPO) against itself, its past and named agents")
    .option("--updates <number>", "length of the run", whole(1))
    .addHelpText("after", example("kessel train ppo pocket-stalingrad --run runs/ps --updates 200 --set 'ppo.opponents=[\"heuristic:greedy\"]'"))
    .action(ppo);
}

function withRun(command: Command): Command {
  return command
    .argument("<game>", "as `kessel list` names it")
    .requiredOption("--run <dir>", "folder of the run: configuration, metrics, checkpoints, models")
    .option("--config <file>", "configuration, as a run's config.json; what it leaves out has its default")
    .option("--set <key=value>", "one value of the configuration, such as ppo.games=512; repeat for more", collect, [])
    .option("-s, --seed <seed>", "seed of the whole run")
    .option("--resume", "go on with the run in the folder");
}

function withMeasuring(command: Command): Command {
  return command
    .option("--measure <games>", "games against each opponent for the model's card", whole(2), 1000)
    .option("--against <names>", "those opponents, separated by commas (default: random and the game's heuristics)")
    .option("-j, --jobs <number>", "worker threads for measuring", whole(1, 64), 1);
}

function collect(text: string, earlier: [string, Json][]): [string, Json][] {
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
function withValues(config: JsonObject, values: readonly (readonly [string, Json])[]): JsonObject {
  const result = structuredClone(config) as Record<string, unknown>;
  for (const [path, value] of values) {
    const keys = path.split(".");
    let at = result;
    for (const key of keys.slice(0, -1)) {
      const next = (at[key] ??= {});
      if (next === null || typeof next !== "object" || Array.isArray(next)) throw new KesselError("bad-config", `configuration: ${path}: ${key} has no values of its own`);
      at = next as Record<string, unknown>;
    }
    at[keys.at(-1)!] = value;
  }
  return result as JsonObject;
}

function fileConfig(file: string | undefined): JsonObject {
  if (file === undefined) return {};
  const value = readJson(file, "bad-config");
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new KesselError("bad-config", `${file} is not a JSON object`);
  return value as JsonObject;
}

/** The run's configuration: that of the folder when resuming, else the file's with the flags' values. @throws KesselError */
function configure<T extends { game: string; options: Record<string, string | number | boolean> }>(
  folder: run.RunFolder,
  { parseRun }: typeof run,
  schema: z.ZodType<T>,
  id: string,
  flags: RunFlags,
  start: JsonObject,
  values: readonly (readonly [string, Json])[],
): { config: T; game: Game } {
  const seed = flags.seed === undefined ? [] : [["seed", flags.seed] as const];
  const config = flags.resume ? folder.config(schema) : parseRun(schema, withValues({ ...start, ...fileConfig(flags.config), game: id }, [...values, ...seed, ...flags.set]));
  if (config.game !== id) throw new KesselError("bad-config", `the run in ${flags.run} trains ${config.game}, not ${id}`);
  const game = loadGame(id, config.options);
  if (!flags.resume) folder.begin(config);
  print(JSON.stringify(config, null, 2));
  return { config, game };
}

async function measuring(game: Game, flags: MeasureFlags): Promise<Measuring> {
  const [{ heuristicNames }, { agentKinds }] = await Promise.all([import("../../agents/heuristics/index.js"), import("../../agents/registry.js")]);
  const against = flags.against === undefined ? ["random", ...heuristicNames(game.type.id).map((n) => `heuristic:${n}`)] : splitAgents(flags.against, agentKinds());
  return { against, games: flags.measure, seed: "card", jobs: flags.jobs };
}

/** This command line, to be typed again. */
const commandLine = (): string => ["npx kessel", ...process.argv.slice(2).map((a) => (/^[\w@%+=:,./-]+$/.test(a) ? a : `'${a.replaceAll("'", "'\\''")}'`))].join(" ");

async function imitate(id: string, flags: ImitateFlags): Promise<void> {
  const [{ startBackend }, run, { trainByImitation }, { publish }, { progressBar }] = await Promise.all([
    import("../../training/backend.js"),
    import("../../training/run.js"),
    import("../../training/train-imitate.js"),
    import("../../training/card.js"),
    import("../../training/progress.js"),
  ]);
  const folder = new run.RunFolder(flags.run);
  const { agentKinds } = await import("../../agents/registry.js");
  const { config, game } = configure(folder, run, run.imitateRunSchema, id, flags, { method: "imitate" }, [
    ...(flags.expert === undefined ? [] : [["experts", splitAgents(flags.expert, agentKinds())] as const]),
    ...(flags.games === undefined ? [] : [["games", flags.games] as const]),
    ...(flags.epochs === undefined ? [] : [["imitate.epochs", flags.epochs] as const]),
  ]);
  const backend = await startBackend(config.backend);
  print(`backend ${backend}`);
  const began = performance.now();
  let bar = progressBar("games recorded");
  let epoch = 0;
  let agreement: number | undefined;
  try {
    const { net, samples } = await trainByImitation(game, config, folder, flags.resume === true, {
      recorded: (done, all) => bar.update(done, all),
      learnt: (now, done, all) => {
        if (now !== epoch || done <= config.imitate.minibatch) {
          bar.stop();
          bar = progressBar(`decisions of epoch ${now + 1}`);
        }
        epoch = now;
        bar.update(done, all);
      },
      epoch: ({ epoch: n, train, heldOut }, speed) => {
        bar.stop();
        agreement = heldOut?.agreement;
        const kept = heldOut === null ? "" : `, on held-out decisions agreement ${(100 * heldOut.agreement).toFixed(1)} %, value error ${heldOut.value.toFixed(3)}`;
        print(`epoch ${n}: policy ${train["policy"]!.toFixed(3)}, value ${train["value"]!.toFixed(3)}${kept}; ${speed.toFixed(0)} samples/s`);
      },
    });
    const minutes = (performance.now() - began) / 60_000;
    bar.stop();
    bar = progressBar("games of the card");
    const file = flags.out ?? `models/${id}/imitation.onnx`;
    mkdirSync(dirname(file), { recursive: true });
    await publish(
      net,
      samples,
      file,
      {
        how: `Imitation of ${config.experts.join(" and ")}: the policy learnt its choices in ${config.games} recorded games, the value how they ended.`,
        command: commandLine(),
        seed: config.seed,
        facts: { games: config.games, decisions: samples.size, epochs: config.imitate.epochs, ...(agreement === undefined ? {} : { "agreement on held-out decisions": `${(100 * agreement).toFixed(1)} %` }), backend, minutes: minutes.toFixed(1) },
        config: config as unknown as JsonObject,
      },
      { ...(await measuring(game, flags)), progress: bar.update },
    );
    print(`wrote ${file} and its card`);
  } finally {
    bar.stop();
  }
}

async function ppo(id: string, flags: PpoFlags): Promise<void> {
  const [{ startBackend }, run, { trainPpo }, { progressBar }] = await Promise.all([
    import("../../training/backend.js"),
    import("../../training/run.js"),
    import("../../training/train-ppo.js"),
    import("../../training/progress.js"),
  ]);
  const folder = new run.RunFolder(flags.run);
  const { config, game } = configure(folder, run, run.ppoRunSchema, id, flags, { method: "ppo" }, flags.updates === undefined ? [] : [["ppo.updates", flags.updates]]);
  print(`backend ${await startBackend(config.backend)}`);
  const bar = progressBar("updates");
  let stop = false;
  const interrupt = () => (stop = true);
  process.once("SIGINT", interrupt);
  try {
    const trained = await trainPpo(game, config, folder, flags.resume === true, {
      update: (line, all) => {
        bar.update(line.at, all);
        if (!process.stderr.isTTY || line["evaluation"] !== undefined) print(summary(line, all));
      },
      stopping: () => stop,
    });
    print(trained.update < config.ppo.updates ? `stopped after update ${trained.update}; --resume goes on` : `done; models are in ${flags.run}/models`);
  } finally {
    bar.stop();
    process.removeListener("SIGINT", interrupt);
  }
}

/** One line about an update. */
function summary(line: JsonObject, all: number): string {
  const n = (key: string, digits = 3) => (typeof line[key] === "number" ? (line[key] as number).toFixed(digits) : "-");
  const left = ((line["seconds"] as number) * (all - (line["at"] as number))) / 60;
  const parts = [
    `update ${String(line["at"])}/${all}`,
    `${n("decisionsPerSecond", 0)} decisions/s`,
    `${n("samplesPerSecond", 0)} samples/s`,
    `league ${n("againstLeague")}`,
    `entropy ${n("entropy")}`,
    `kl ${n("kl", 4)}`,
    `explained ${n("explained")}`,
    `${left.toFixed(0)} min left`,
  ];
  return line["evaluation"] === undefined ? parts.join("  ") : `${parts.join("  ")}\n${JSON.stringify(line["evaluation"])}`;
}
