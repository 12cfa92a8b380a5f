import type { JsonObject } from "../../env/index.js";
import { loadGame } from "../../env/index.js";
import { type BackendChoice, startBackend } from "../nets/backend.js";
import { type Checkpoint, unpackCheckpoint } from "../learn/checkpoint.js";
import { type AllReduceMemory, SharedMemoryAllReduce } from "../learn/allreduce.js";
import { Ppo, type PpoConfig } from "../learn/ppo.js";

/** What a follower, a learner in a worker thread, is started with. */
export interface FollowerStart {
  readonly game: string;
  readonly options: JsonObject;
  readonly backend: BackendChoice;
  readonly config: PpoConfig;
  readonly seed: string;
  readonly memory: AllReduceMemory;
  /** The packed checkpoint to start from. */
  readonly from: Uint8Array;
}

/** @returns a function that performs updates in lockstep with the leading learner until that one stops */
export function open({
  game,
  options,
  backend,
  config,
  seed,
  memory,
  from,
}: FollowerStart): (rank: number) => Promise<void> {
  return async (rank) => {
    const group = new SharedMemoryAllReduce(memory, rank);
    try {
      await startBackend(backend);
      const ppo = new Ppo(loadGame(game, options as never), config, seed, group);
      const saved: Checkpoint = unpackCheckpoint(from, "the start of the run");
      ppo.restore(saved);
      while (ppo.allContinue(true)) await ppo.step();
    } catch (e) {
      group.fail();
      throw e;
    }
  };
}
