// A thread of pool.ts: loads the TypeScript module it is told and answers its tasks one by one.
import { parentPort, workerData } from "node:worker_threads";
import { load } from "../../env/source.mjs";

const { open } = await load(workerData.module);
const answer = await open(workerData.start);
parentPort.on("message", async ({ id, task, end }) => {
  if (end === true) return parentPort.close(); // nothing else being open, the thread ends
  try {
    parentPort.postMessage({ id, result: await answer(task) });
  } catch (e) {
    parentPort.postMessage({
      id,
      error: { code: e.code ?? null, message: e.name === "KesselError" ? e.message : (e.stack ?? String(e)) },
    });
  }
});
