import { startBackend } from "../../../training/nets/backend.js";
import { RunFolder } from "../../../training/runs/run-folder.js";
import { nim } from "../nim.js";
import { nimRun } from "./nim-run.js";
import { trainSelfPlay } from "../../../training/runs/train-self-play.js";

// Trains on Nim in the folder named on the command line, beginning or resuming, and prints a line per update.
await startBackend("wasm");
await trainSelfPlay(nim.load({}, {}), nimRun, new RunFolder(process.argv[2]!), process.argv[3] === "resume", {
  update: ({ at }) => process.stdout.write(`${at}\n`),
  shouldStop: () => false,
});
