import { parseRun, ppoRunSchema } from "../../../training/runs/run-folder.js";

/** A short run on Nim with checkpoints, snapshots and measurements at different updates. */
export const nimRun = parseRun(ppoRunSchema, {
  method: "ppo",
  game: "toy-nim",
  seed: "kill",
  checkpointEvery: 3,
  evaluate: { every: 8, games: 20 },
  ppo: {
    net: { kind: "mlp", hidden: [16] },
    updates: 16,
    games: 32,
    minibatch: 128,
    snapshotEvery: 4,
    opponents: ["random"],
  },
});
