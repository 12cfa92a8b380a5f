import { loadGame } from "../../env/index.js";
import { type BackendChoice, startBackend } from "../nets/backend.js";
import { ALONE, type GroupMemory, SharedGroup } from "../learn/allreduce.js";
import { feedOf, Learner } from "../learn/learner.js";
import { Net } from "../nets/net.js";
import { clippedObjective } from "../learn/clipped-objective.js";
import { ppoSchema } from "../learn/ppo.js";
import { MINIBATCH, NET } from "./training.js";
import { Minibatch } from "../learn/rollout-buffer.js";
import { ownSamples } from "../runs/train-ppo.js";

export interface TrainingBench {
  readonly game: string;
  readonly backend: BackendChoice;
  /** Null for a learner by itself. */
  readonly memory: GroupMemory | null;
}

/** A step of the learner of rank `rank` on its part of a minibatch of the game's own decisions. @returns samples learnt from */
export function open({ game: id, backend, memory }: TrainingBench): (rank: number) => Promise<number> {
  let started: Promise<() => Promise<number>> | undefined;
  return async (rank) => (await (started ??= start(id, backend, memory, rank)))();
}

async function start(
  id: string,
  backend: BackendChoice,
  memory: GroupMemory | null,
  rank: number,
): Promise<() => Promise<number>> {
  await startBackend(backend);
  const game = loadGame(id);
  const config = ppoSchema.parse({ net: NET });
  const net = new Net(game, config.net, "bench");
  const learner = new Learner(net, config.maxGradient, memory === null ? ALONE : new SharedGroup(memory, rank));
  const samples = await ownSamples(net, 16, `bench/${rank}`);
  const rows = MINIBATCH / (memory?.size ?? 1);
  const batch = new Minibatch(game, rows);
  const order = Int32Array.from({ length: rows }, (_, i) => i % samples.size);
  const objective = clippedObjective(game, config);
  return async () => {
    batch.load(samples, order, 0, rows);
    await learner.step(objective, feedOf(batch, rows, { entropy: 0.01 }), 1e-5);
    return rows;
  };
}
