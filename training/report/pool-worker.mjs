// A thread of pool.ts: loads the TypeScript module it is told and answers its tasks one by one.
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

register({ tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) });
const { open } = await import(workerData.module);
const answer = await open(workerData.start);
parentPort.on("message", async ({ id, task }) => {
  try {
    parentPort.postMessage({ id, result: await answer(task) });
  } catch (e) {
    parentPort.postMessage({
      id,
      error: { code: e.code ?? null, message: e.name === "KesselError" ? e.message : (e.stack ?? String(e)) },
    });
  }
});
