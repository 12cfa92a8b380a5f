import { importGame } from "../../agents/import-game.js";
import { loadGame } from "../../env/index.js";
import { startBackend } from "../nets/backend.js";
import { unpackCheckpoint } from "../learn/checkpoint.js";
import { type AllReduceMemory, SharedMemoryAllReduce } from "../learn/allreduce.js";
import type { ReplayMemory } from "../learn/replay.js";
import type { SelfPlayRunConfig } from "./run-folder.js";
import { makeTrainer } from "./trainers.js";

/** What a follower, a learner in a worker thread, is started with. */
export interface FollowerStart {
  readonly game: string;
  readonly config: SelfPlayRunConfig;
  readonly memory: AllReduceMemory;
  /** See `trainerMemory`. */
  readonly own: readonly ReplayMemory[];
  /** The packed checkpoint to start from. */
  readonly from: Uint8Array;
}

/** @returns a function that performs updates in lockstep with the leading learner until that one stops */
export function open({ game, config, memory, own, from }: FollowerStart): (rank: number) => Promise<void> {
  return async (rank) => {
    const group = new SharedMemoryAllReduce(memory, rank);
    try {
      await importGame(game);
      await startBackend(config.backend);
      const trainer = makeTrainer(loadGame(game, config.options), config, group, own);
      trainer.restore(unpackCheckpoint(from, "the start of the run"));
      while (trainer.allContinue(true)) await trainer.step();
    } catch (e) {
      group.fail();
      throw e;
    }
  };
}
