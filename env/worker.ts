import { type ResourceLimits, Worker } from "node:worker_threads";

/** How a thread runs. */
export interface WorkerSettings {
  /** Added to the `nice` value of a thread that gives way to others (Linux only). */
  readonly nice?: number | undefined;
  readonly resourceLimits?: ResourceLimits;
}

/**
 * Starts a thread; nothing else in Kessel starts any.
 *
 * @param module address of the TypeScript module that runs in it: its export `run(port, start)` is called
 * @param start structured-clonable
 */
export const startWorker = (module: URL, start: unknown, { nice, resourceLimits = {} }: WorkerSettings = {}): Worker =>
  new Worker(new URL("./worker-entry.mjs", import.meta.url), {
    workerData: { module: module.href, start, nice },
    execArgv: [],
    resourceLimits,
  });
