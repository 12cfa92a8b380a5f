// Entry of both kinds of worker threads: slices of batches (worker-pool.ts) and the observation helper.
import { platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { load } from "../../env/source.mjs";

const { control, ...start } = workerData;
// on Linux 0 means this thread and those it starts; elsewhere it would be the whole server
if (start.nice !== undefined && platform() === "linux") setPriority(0, start.nice);
if (control === undefined)
  await (await load(new URL("./slice-worker.ts", import.meta.url))).runSlices(parentPort, start);
else {
  const helper = await load(new URL("./observation-helper-worker.ts", import.meta.url));
  await helper.helpWithObservations(parentPort, start, control);
}
