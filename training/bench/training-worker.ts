import { importGame } from "../../agents/import-game.js";
import { loadGame } from "../../env/index.js";
import { type BackendChoice, startBackend } from "../nets/backend.js";
import { SINGLE_LEARNER, type AllReduceMemory, SharedMemoryAllReduce } from "../learn/allreduce.js";
import { feedOf, Learner } from "../learn/learner.js";
import { Net } from "../nets/net.js";
import { clippedObjective } from "../learn/clipped-objective.js";
import { ppoSchema } from "../learn/ppo.js";
import { Minibatch } from "../learn/rollout-buffer.js";
import { selfPlaySamples } from "../models/golden-pairs.js";

/** What a training benchmark's worker is started with. */
export interface TrainingBench {
  readonly game: string;
  readonly net: unknown;
  /** Samples of a step, over all learners. */
  readonly minibatch: number;
  readonly backend: BackendChoice;
  /** Null for a learner by itself. */
  readonly memory: AllReduceMemory | null;
}

/**
 * @returns a function that takes one step as learner `rank` on its share of a minibatch, and returns the samples of
 *   that share
 */
export function open(bench: TrainingBench): (rank: number) => Promise<number> {
  let started: Promise<() => Promise<number>> | undefined;
  return async (rank) => (await (started ??= start(bench, rank)))();
}

async function start(
  { game: id, net: spec, minibatch, backend, memory }: TrainingBench,
  rank: number,
): Promise<() => Promise<number>> {
  await startBackend(backend);
  await importGame(id);
  const game = loadGame(id);
  const config = ppoSchema.parse({ net: spec });
  const net = new Net(game, config.net, "bench");
  const learner = new Learner(
    net,
    config.maxGradient,
    memory === null ? SINGLE_LEARNER : new SharedMemoryAllReduce(memory, rank),
  );
  const samples = await selfPlaySamples(net, 16, `bench/${rank}`);
  const rows = minibatch / (memory?.size ?? 1);
  const batch = new Minibatch(game, rows);
  const order = Int32Array.from({ length: rows }, (_, i) => i % samples.size);
  const objective = clippedObjective(game, config);
  return async () => {
    batch.load(samples, order, 0, rows);
    await learner.step(objective, feedOf(batch, rows, { entropy: 0.01 }), 1e-5);
    return rows;
  };
}
