import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeAgent } from "../../agents/registry.js";
import { type Game, type JsonObject, KesselError } from "../../env/index.js";
import { weightCount } from "../nets/architecture.js";
import { packCheckpoint, writeAtomic } from "../learn/checkpoint.js";
import { exportNet } from "../models/golden-pairs.js";
import { SINGLE_LEARNER, allReduceMemory, type AllReduceMemory, SharedMemoryAllReduce } from "../learn/allreduce.js";
import { NetAgent } from "../learn/league.js";
import type { MetricLine } from "./metrics.js";
import type { FollowerStart } from "./learner-worker.js";
import type { Net } from "../nets/net.js";
import { playGames } from "../learn/play.js";
import { Pool } from "../report/pool.js";
import { Ppo } from "../learn/ppo.js";
import type { PpoRunConfig, RunFolder } from "./run-folder.js";
import { wilson } from "../report/stats.js";
import { loadWeights } from "../nets/weights.js";

export interface TrainingCallbacks {
  /** Called after each update. */
  update(line: MetricLine, all: number): void;
  /** Whether to stop after this update; the run can be resumed. */
  shouldStop(): boolean;
}

/**
 * Starts or resumes a self-play run. Writes checkpoints, a line of metrics per update, and at every evaluation the
 * current net under `models/`. The folder is created after all checks.
 *
 * @throws KesselError `bad-config`, `bad-agent`, `bad-model`
 */
export async function trainPpo(
  game: Game,
  config: PpoRunConfig,
  folder: RunFolder,
  resume: boolean,
  watch: TrainingCallbacks,
): Promise<Ppo> {
  const { learners } = config.ppo;
  const memory = learners === 1 ? null : allReduceMemory(learners, weightCount(game, config.ppo.net));
  const ppo = new Ppo(game, config.ppo, config.seed, memory === null ? SINGLE_LEARNER : new SharedMemoryAllReduce(memory, 0));
  for (const name of [...config.ppo.opponents, ...config.evaluate.against])
    await (await makeAgent(name, { game, seed: "check" })).close?.();
  const saved = resume ? folder.load(game, "update") : null;
  if (saved !== null) ppo.restore(saved);
  else if (config.warmStart !== null) loadWeights(ppo.net, readWarmStart(config.warmStart), config.warmStart);
  if (!resume) folder.begin(config);
  const models = join(folder.path, "models");
  mkdirSync(models, { recursive: true });
  const others = memory === null ? null : startFollowers(game, config, memory, ppo);
  try {
    await runUpdates(ppo, game, config, folder, watch, models);
  } finally {
    await others?.close();
  }
  return ppo;
}

/** Starts the other learners. When one fails, the next step of the leading learner throws. */
function startFollowers(game: Game, config: PpoRunConfig, memory: AllReduceMemory, ppo: Ppo): Pool<number, void> {
  const start: FollowerStart = {
    game: game.type.id,
    options: config.options,
    backend: config.backend,
    config: config.ppo,
    seed: config.seed,
    memory,
    from: packCheckpoint(ppo.save()),
  };
  const pool = new Pool<number, void>(memory.size - 1, new URL("./learner-worker.ts", import.meta.url), start);
  // the leading learner learns of it through the all-reduce
  for (let rank = 1; rank < memory.size; rank++) void pool.run(rank).catch(() => undefined);
  return pool;
}

async function runUpdates(
  ppo: Ppo,
  game: Game,
  config: PpoRunConfig,
  folder: RunFolder,
  watch: TrainingCallbacks,
  models: string,
): Promise<void> {
  const all = config.ppo.updates;
  while (ppo.update < all) {
    ppo.allContinue(true);
    const began = performance.now();
    const report = await ppo.step();
    const seconds = (performance.now() - began) / 1000;
    const at = ppo.update;
    const evaluates = at % config.evaluate.every === 0 || at === all;
    const evaluated = evaluates
      ? {
          evaluation: await evaluateNet(
            game,
            ppo.net,
            config.evaluate.against,
            config.evaluate.games,
            `${config.seed}/evaluate`,
          ),
          league: ppo.league.winRates(),
        }
      : {};
    const line = {
      at,
      ...report,
      ...evaluated,
      seconds,
      decisionsPerSecond: (report["decisions"] as number) / seconds,
      samplesPerSecond: (report["samples"] as number) / seconds,
    };
    folder.metrics.log(line);
    watch.update(line, all);
    if (evaluates)
      writeAtomic(
        join(models, `${String(at).padStart(6, "0")}.onnx`),
        await exportNet(ppo.net, { method: "ppo", seed: config.seed, updates: at }),
      );
    await new Promise(setImmediate); // lets signals be handled
    const stop = watch.shouldStop();
    if (at % config.checkpointEvery === 0 || at === all || stop) folder.save(game, ppo.save());
    if (stop) break;
  }
  ppo.allContinue(false);
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
    const agent = new NetAgent("net", net, `${seed}/net`);
    const other = await makeAgent(name, { game, seed: `${seed}/${name}` });
    const points = game.players.map(() => 0);
    const counts = game.players.map(() => 0);
    await playGames(game, {
      count: games,
      width: 256,
      seed: (n) => `${seed}/${Math.floor(n / P)}`,
      seats: (n) => game.players.map((_, p) => (p === n % P ? agent : other)),
      onEnd: (n, returns) => {
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
