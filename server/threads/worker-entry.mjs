// Entry of both kinds of worker threads: slices of batches (worker-pool.ts) and the observation helper.
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

register({ tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) });
const { control, ...start } = workerData;
if (control === undefined) await (await import("./slice-worker.ts")).runSlices(parentPort, start);
else await (await import("./observation-helper-worker.ts")).helpWithObservations(parentPort, start, control);
