// A thread of threads.ts: slices of batches, stepped where they don't hold up the socket.
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

register({ tsconfig: fileURLToPath(new URL("../tsconfig.json", import.meta.url)) });
const { keepSlices } = await import("./thread.ts");
await keepSlices(parentPort, workerData);
