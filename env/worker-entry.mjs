// What every thread runs first: worker.ts starts it.
import { platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { load } from "./source.mjs";

const { module, start, nice } = workerData;
// on Linux 0 means this thread and those it starts; elsewhere it would be the whole server
if (nice !== undefined && platform() === "linux") setPriority(0, nice);
const { run } = await load(module);
await run(parentPort, start);
