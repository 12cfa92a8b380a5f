import { startBackend } from "../../training/backend.js";
import { parseRun, ppoRunSchema, RunFolder } from "../../training/run.js";
import { trainPpo } from "../../training/train-ppo.js";
import { nim } from "./nim.js";

// Trains on Nim in the folder named on the command line, beginning or resuming, and prints a line per update.
const [path, resume] = [process.argv[2]!, process.argv[3] === "resume"];
await startBackend("wasm");
const folder = new RunFolder(path);
const config = resume
  ? folder.config(ppoRunSchema)
  : parseRun(ppoRunSchema, {
      method: "ppo",
      game: "toy-nim",
      seed: "kill",
      checkpointEvery: 3,
      evaluate: { every: 8, games: 20 },
      ppo: { net: { kind: "mlp", hidden: [16] }, updates: 24, games: 32, minibatch: 128, snapshotEvery: 4, opponents: ["random"] },
    });
if (!resume) folder.begin(config);
await trainPpo(nim.load({}, {}), config, folder, resume, { update: ({ at }) => process.stdout.write(`${at}\n`), stopping: () => false });
