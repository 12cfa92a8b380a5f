// A thread beside the one of the socket: of threads.ts, slices of batches; of scribe.ts, observations.
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

register({ tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) });
const { control, ...start } = workerData;
if (control === undefined) await (await import("./slice-worker.ts")).keepSlices(parentPort, start);
else await (await import("./observation-helper-worker.ts")).writeBlocks(parentPort, start, control);
