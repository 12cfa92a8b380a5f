import { startBackend } from "../../../training/nets/backend.js";
import { type AllReduceMemory, SharedMemoryAllReduce } from "../../../training/learn/allreduce.js";
import { imitation } from "../../../training/learn/imitate.js";
import { feedOf, Learner } from "../../../training/learn/learner.js";
import { Net } from "../../../training/nets/net.js";
import { Minibatch } from "../../../training/learn/rollout-buffer.js";
import { randomSamples } from "../models.js";
import { raceGame } from "../arena/race.js";

/** Which of the recorded decisions a learner learns from, and in which group. */
export interface Part {
  readonly rank: number;
  readonly from: number;
  readonly rows: number;
  readonly memory: AllReduceMemory | null;
}

export const NET = { kind: "mlp", hidden: [16] } as const;

/** Three steps of imitation on a part of the same decisions. @returns weights, and the last step's losses */
export function open(): (part: Part) => Promise<{ weights: Float32Array; losses: Record<string, number> }> {
  return async ({ rank, from, rows, memory }) => {
    await startBackend("onnx");
    const game = raceGame();
    const batch = new Minibatch(game, rows);
    batch.load(
      await randomSamples(game, 10),
      Int32Array.from({ length: from + rows }, (_, i) => i),
      from,
      rows,
    );
    const net = new Net(game, { ...NET, hidden: [...NET.hidden] }, "same");
    const learner =
      memory === null ? new Learner(net, 0.01) : new Learner(net, 0.01, new SharedMemoryAllReduce(memory, rank));
    let losses: Record<string, number> = {};
    for (let i = 0; i < 3; i++) losses = await learner.step(imitation(game, 0.5), feedOf(batch, rows), 0.01);
    return { weights: net.params.all, losses };
  };
}
