import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../../agents/agent.js";
import { makeAgent } from "../../agents/registry.js";
import { type Game, type JsonObject, KesselError } from "../../env/index.js";
import { weightCount } from "../nets/architecture.js";
import { packCheckpoint, writeAtomic } from "../learn/checkpoint.js";
import { exportNet } from "../models/golden-pairs.js";
import { SINGLE_LEARNER, allReduceMemory, type AllReduceMemory, SharedMemoryAllReduce } from "../learn/allreduce.js";
import { learnerSeats, NetAgent } from "../learn/league.js";
import type { MetricLine } from "./metrics.js";
import type { FollowerStart } from "./learner-worker.js";
import type { Net } from "../nets/net.js";
import { playGames } from "../learn/play.js";
import { Pool } from "../report/pool.js";
import type { ReplayMemory } from "../learn/replay.js";
import type { RunFolder, SelfPlayRunConfig } from "./run-folder.js";
import { makeTrainer, methodOf, type Trainer, trainerMemory } from "./trainers.js";
import { wilson } from "../report/stats.js";
import { growFrom } from "../nets/weights.js";

export interface TrainingCallbacks {
  /** Called after each update. */
  update(line: MetricLine, all: number): void;
  /** True when to stop after this update; the run can be resumed. */
  shouldStop(): boolean;
}

/**
 * Starts or resumes a self-play run. Writes checkpoints, a line of metrics per update, and at every evaluation the
 * current net under `models/`. The folder is created after all checks.
 *
 * @throws KesselError `bad-config`, `bad-agent`, `bad-model`
 */
export async function trainSelfPlay(
  game: Game,
  config: SelfPlayRunConfig,
  folder: RunFolder,
  resume: boolean,
  watch: TrainingCallbacks,
): Promise<Trainer> {
  const { learners, net } = methodOf(config);
  const memory = learners === 1 ? null : allReduceMemory(learners, weightCount(game, net));
  const own = trainerMemory(game, config);
  const allReduce = memory === null ? SINGLE_LEARNER : new SharedMemoryAllReduce(memory, 0);
  const trainer = makeTrainer(game, config, allReduce, own);
  await trainer.prepare?.();
  for (const name of config.evaluate.against) await (await makeAgent(name, { game, seed: "check" })).close?.();
  const saved = resume ? folder.load(game, "update") : null;
  if (saved !== null) trainer.restore(saved);
  else if (config.warmStart !== null) growFrom(trainer.net, readWarmStart(config.warmStart), config.warmStart);
  if (!resume) folder.begin(config);
  const models = join(folder.path, "models");
  mkdirSync(models, { recursive: true });
  const followers = memory === null ? null : startFollowers(game, config, memory, own, trainer);
  try {
    await runUpdates(trainer, game, config, folder, watch, models);
  } catch (e) {
    throw (await followers?.fault()) ?? e;
  } finally {
    await followers?.close();
  }
  return trainer;
}

/** The other learners of a run. */
interface Followers {
  /** What the first of them that failed has thrown; null when it does not become known soon. */
  fault(): Promise<unknown>;
  close(): Promise<void>;
}

/** So long after a failed step a follower's own error is waited for, ms. */
const FAULT_MS = 1000;

/** Starts the other learners. When one fails, the next step of the leading learner throws. */
function startFollowers(
  game: Game,
  config: SelfPlayRunConfig,
  memory: AllReduceMemory,
  own: readonly ReplayMemory[],
  trainer: Trainer,
): Followers {
  const start: FollowerStart = { game: game.type.id, config, memory, own, from: packCheckpoint(trainer.save()) };
  const pool = new Pool<number, void>(memory.size - 1, new URL("./learner-worker.ts", import.meta.url), start);
  const failed = new Promise((tell) => {
    for (let rank = 1; rank < memory.size; rank++) void pool.run(rank).catch(tell);
  });
  return {
    fault: () => Promise.race([failed, new Promise((tell) => setTimeout(() => tell(null), FAULT_MS))]),
    close: () => pool.close(),
  };
}

async function runUpdates(
  trainer: Trainer,
  game: Game,
  config: SelfPlayRunConfig,
  folder: RunFolder,
  watch: TrainingCallbacks,
  models: string,
): Promise<void> {
  const { method, seed, evaluate } = config;
  const all = methodOf(config).updates;
  while (trainer.update < all) {
    trainer.allContinue(true);
    const began = performance.now();
    const report = await trainer.step();
    const seconds = (performance.now() - began) / 1000;
    const at = trainer.update;
    const evaluates = at % evaluate.every === 0 || at === all;
    const evaluated = evaluates
      ? {
          evaluation: await evaluateNet(game, trainer.net, evaluate.against, evaluate.games, `${seed}/evaluate`),
          ...trainer.standing?.(),
        }
      : {};
    const line = {
      at,
      ...report,
      ...evaluated,
      seconds,
      decisionsPerSecond: (report["decisions"] as number) / seconds,
      samplesPerSecond: (report["samples"] as number) / seconds,
      ...trainer.speeds?.(seconds),
    };
    folder.metrics.log(line);
    watch.update(line, all);
    if (evaluates)
      writeAtomic(
        join(models, `${String(at).padStart(6, "0")}.onnx`),
        await exportNet(trainer.net, { method, seed, updates: at }),
      );
    await new Promise(setImmediate); // lets signals be handled
    const stop = watch.shouldStop();
    if (at % config.checkpointEvery === 0 || at === all || stop) folder.save(game, trainer.save());
    if (stop) break;
  }
  trainer.allContinue(false);
}

function readWarmStart(file: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file));
  } catch {
    throw new KesselError("bad-model", `there is no model ${file} to start from`);
  }
}

/**
 * Points per game against each of `agents`, by the seats in which they can be met, with their 95 % intervals. In games
 * for one the net plays `alone`, whoever is named. Actions are drawn from the policy.
 */
export async function evaluateNet(
  game: Game,
  net: Net,
  agents: readonly string[],
  games: number,
  seed: string,
): Promise<JsonObject> {
  const results: Record<string, JsonObject> = {};
  for (const name of game.players.length === 1 ? ["alone"] : agents) {
    const agent = new NetAgent("net", net, `${seed}/net`);
    const other: Agent = name === "alone" ? agent : await makeAgent(name, { game, seed: `${seed}/${name}` });
    const seats = learnerSeats(game, other).flatMap((can, seat) => (can ? [seat] : []));
    const P = seats.length;
    const seatOf = (n: number): number => seats[n % P]!;
    const points = game.players.map(() => 0);
    const counts = game.players.map(() => 0);
    await playGames(game, {
      count: games,
      width: 256,
      seed: (n) => `${seed}/${Math.floor(n / P)}`,
      seats: (n) => game.players.map((_, p) => (p === seatOf(n) ? agent : other)),
      onEnd: (n, returns) => {
        counts[seatOf(n)]!++;
        points[seatOf(n)]! += (returns[seatOf(n)]! + 1) / 2;
      },
    });
    if (other !== agent) await other.close?.();
    results[name] = Object.fromEntries(
      seats.map((i) => [
        game.players[i]!,
        { rate: points[i]! / counts[i]!, interval: wilson(points[i]!, counts[i]!), games: counts[i]! },
      ]),
    );
  }
  return results;
}
