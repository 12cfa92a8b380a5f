import type { JsonObject } from "../../env/index.js";
import { loadGame } from "../../env/index.js";
import { type BackendChoice, startBackend } from "../nets/backend.js";
import { type Checkpoint, unpackCheckpoint } from "../learn/checkpoint.js";
import { type GroupMemory, SharedGroup } from "../learn/allreduce.js";
import { Ppo, type PpoConfig } from "../learn/ppo.js";

/** What a thread needs to be a learner besides the leading one. */
export interface Following {
  readonly game: string;
  readonly options: JsonObject;
  readonly backend: BackendChoice;
  readonly config: PpoConfig;
  readonly seed: string;
  readonly memory: GroupMemory;
  /** Where the leading learner stands, packed. */
  readonly from: Uint8Array;
}

/** What a worker thread does: it goes along with the leading learner until that one stops. */
export function open({
  game,
  options,
  backend,
  config,
  seed,
  memory,
  from,
}: Following): (rank: number) => Promise<void> {
  return async (rank) => {
    const group = new SharedGroup(memory, rank);
    try {
      await startBackend(backend);
      const ppo = new Ppo(loadGame(game, options as never), config, seed, group);
      const saved: Checkpoint = unpackCheckpoint(from, "the start of the run");
      ppo.restore(saved);
      while (ppo.goesOn(true)) await ppo.step();
    } catch (e) {
      group.fail();
      throw e;
    }
  };
}
