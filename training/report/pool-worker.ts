import type { MessagePort } from "node:worker_threads";
import { KesselError } from "../../env/index.js";
import { load } from "../../env/source.mjs";
import type { PoolStart, Reply, Task } from "./pool.js";

/** A thread of a pool: loads the module of its tasks, and answers them one by one. */
export async function run(port: MessagePort, { module, start }: PoolStart): Promise<void> {
  const { open } = (await load(module)) as { open: (start: unknown) => unknown };
  const answer = (await open(start)) as (task: unknown) => unknown;
  const reply = (message: Reply<unknown>): void => port.postMessage(message);
  port.on("message", ({ id, task, end }: Task<unknown>) => {
    if (end === true) return port.close(); // nothing else being open, the thread ends
    const answered = async (): Promise<unknown> => answer(task);
    answered().then(
      (result) => reply({ id, result }),
      (e: unknown) => reply({ id, error: failureOf(e) }),
    );
  });
}

function failureOf(e: unknown): NonNullable<Reply<unknown>["error"]> {
  if (e instanceof KesselError) return { code: e.code, message: e.message };
  return { code: null, message: e instanceof Error ? (e.stack ?? e.message) : String(e) };
}
