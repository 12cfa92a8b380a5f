import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeAgent } from "../../agents/registry.js";
import { type Game, type JsonObject, KesselError } from "../../env/index.js";
import { weightCount } from "../nets/architecture.js";
import { packCheckpoint, writeAtomic } from "../learn/checkpoint.js";
import { exportOnnx, goldenFrom } from "../nets/export.js";
import { ALONE, groupMemory, type GroupMemory, SharedGroup } from "../learn/allreduce.js";
import { NetAgent } from "../learn/league.js";
import type { MetricLine } from "./metrics.js";
import type { Following } from "./learner-worker.js";
import type { Net } from "../nets/net.js";
import { playGames } from "../learn/play.js";
import { Pool } from "../report/pool.js";
import { Ppo } from "../learn/ppo.js";
import type { PpoRunConfig, RunFolder } from "./run-folder.js";
import { Samples } from "../learn/rollout-buffer.js";
import { wilson } from "../report/stats.js";
import { takeWeights } from "../nets/weights.js";

export interface TrainingWatch {
  /** Called after each update. */
  update(line: MetricLine, all: number): void;
  /** True when the run is to stop after this update; it can be resumed. */
  stopping(): boolean;
}

/**
 * Carries out a self-play run, or goes on with one: a checkpoint every so often, a line of metrics per update, and at
 * every measurement the net as it is then under `models/` in the run's folder. The folder is made when all is checked.
 *
 * @throws KesselError `bad-config`, `bad-agent`, `bad-model`
 */
export async function trainPpo(
  game: Game,
  config: PpoRunConfig,
  folder: RunFolder,
  resume: boolean,
  watch: TrainingWatch,
): Promise<Ppo> {
  const { learners } = config.ppo;
  const memory = learners === 1 ? null : groupMemory(learners, weightCount(game, config.ppo.net));
  const ppo = new Ppo(game, config.ppo, config.seed, memory === null ? ALONE : new SharedGroup(memory, 0));
  for (const name of [...config.ppo.opponents, ...config.evaluate.against])
    await (await makeAgent(name, { game, seed: "check" })).close?.();
  const saved = resume ? folder.load(game, "update") : null;
  if (saved !== null) ppo.restore(saved);
  else if (config.warmStart !== null) takeWeights(ppo.net, readWarmStart(config.warmStart), config.warmStart);
  if (!resume) folder.begin(config);
  const models = join(folder.path, "models");
  mkdirSync(models, { recursive: true });
  const others = memory === null ? null : follow(game, config, memory, ppo);
  try {
    await lead(ppo, game, config, folder, watch, models);
  } finally {
    await others?.close();
  }
  return ppo;
}

/** Starts the other learners of a group. When one fails, so does the next step of the leading one. */
function follow(game: Game, config: PpoRunConfig, memory: GroupMemory, ppo: Ppo): Pool<number, void> {
  const start: Following = {
    game: game.type.id,
    options: config.options,
    backend: config.backend,
    config: config.ppo,
    seed: config.seed,
    memory,
    from: packCheckpoint(ppo.save()),
  };
  const pool = new Pool<number, void>(memory.size - 1, new URL("./learner-worker.ts", import.meta.url), start);
  for (let rank = 1; rank < memory.size; rank++) void pool.run(rank).catch(() => undefined); // the leading learner hears of it from the group
  return pool;
}

async function lead(
  ppo: Ppo,
  game: Game,
  config: PpoRunConfig,
  folder: RunFolder,
  watch: TrainingWatch,
  models: string,
): Promise<void> {
  const all = config.ppo.updates;
  while (ppo.update < all) {
    ppo.goesOn(true);
    const began = performance.now();
    const report = await ppo.step();
    const seconds = (performance.now() - began) / 1000;
    const at = ppo.update;
    const due = at % config.evaluate.every === 0 || at === all;
    const measured = due
      ? {
          evaluation: await evaluateNet(
            game,
            ppo.net,
            config.evaluate.against,
            config.evaluate.games,
            `${config.seed}/evaluate`,
          ),
          league: ppo.league.table(),
        }
      : {};
    const line = {
      at,
      ...report,
      ...measured,
      seconds,
      decisionsPerSecond: (report["decisions"] as number) / seconds,
      samplesPerSecond: (report["samples"] as number) / seconds,
    };
    folder.metrics.log(line);
    watch.update(line, all);
    if (due)
      writeAtomic(
        join(models, `${String(at).padStart(6, "0")}.onnx`),
        await exportNet(ppo.net, { method: "ppo", seed: config.seed, updates: at }),
      );
    await new Promise(setImmediate); // lets signals through
    const stop = watch.stopping();
    if (at % config.checkpointEvery === 0 || at === all || stop) folder.save(game, ppo.save());
    if (stop) break;
  }
  ppo.goesOn(false);
}

function readWarmStart(file: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file));
  } catch {
    throw new KesselError("bad-model", `there is no model ${file} to start from`);
  }
}

/** Points per game against each of `agents`, by seat, with their 95 % intervals. Actions are drawn from the policy. */
export async function evaluateNet(
  game: Game,
  net: Net,
  agents: readonly string[],
  games: number,
  seed: string,
): Promise<JsonObject> {
  const results: Record<string, JsonObject> = {};
  const P = game.players.length;
  for (const name of agents) {
    const own = new NetAgent("net", net, `${seed}/net`);
    const other = await makeAgent(name, { game, seed: `${seed}/${name}` });
    const points = game.players.map(() => 0);
    const counts = game.players.map(() => 0);
    await playGames(game, {
      count: games,
      width: 256,
      seed: (n) => `${seed}/${Math.floor(n / P)}`,
      seats: (n) => game.players.map((_, p) => (p === n % P ? own : other)),
      ended: (n, returns) => {
        counts[n % P]!++;
        points[n % P]! += (returns[n % P]! + 1) / 2;
      },
    });
    await other.close?.();
    results[name] = Object.fromEntries(
      game.players.map((p, i) => [
        p,
        { rate: points[i]! / counts[i]!, interval: wilson(points[i]!, counts[i]!), games: counts[i]! },
      ]),
    );
  }
  return results;
}

/** A few games of a net against itself, as recorded decisions. */
export async function ownSamples(net: Net, games: number, seed: string): Promise<Samples> {
  const samples = new Samples(net.game);
  const agent = new NetAgent("net", net, seed);
  await playGames(net.game, {
    count: games,
    width: games,
    seed: (n) => `${seed}/${n}`,
    seats: () => net.game.players.map(() => agent),
    chosen: (_n, _agent, _row, state, actor, action) => void samples.add(state, actor, action),
    ended: () => undefined,
  });
  return samples;
}

/** A net as a model file, with golden pairs from its own play. */
export async function exportNet(net: Net, trained: JsonObject): Promise<Uint8Array> {
  return exportOnnx(net, trained, await goldenFrom(net, await ownSamples(net, 4, "golden"), 8));
}
