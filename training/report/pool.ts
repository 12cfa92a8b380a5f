import type { ResourceLimits, Worker } from "node:worker_threads";
import { type ErrorCode, KesselError } from "../../env/index.js";
import { startWorker } from "../../env/worker.js";

/** What a thread of a pool is started with. */
export interface PoolStart {
  readonly module: string;
  readonly start: unknown;
}

/** What a thread is sent: a task, or the word to end. */
export interface Task<T> {
  readonly id: number;
  readonly task: T;
  readonly end?: boolean;
}

export interface Reply<R> {
  readonly id: number;
  readonly result?: R;
  readonly error?: { readonly code: ErrorCode | null; readonly message: string };
}

interface Waiting<R> {
  readonly done: (result: R) => void;
  readonly fail: (e: Error) => void;
}

/** Milliseconds after which a thread without a task that hasn't ended by itself is stopped. */
const ENDING_MS = 1000;

/**
 * Lets a thread end by itself: what a native library has under way (a socket that is being closed) takes the process
 * with it where the thread is stopped in the middle.
 */
function ended(worker: Worker): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(() => void worker.terminate().then(() => done()), ENDING_MS);
    worker.once("exit", () => {
      clearTimeout(timer);
      done();
    });
    worker.postMessage({ end: true });
  });
}

/**
 * A pool of worker threads; each runs one task at a time. Their module exports `open(start): (task) => result`, where
 * either may return a promise.
 */
export class Pool<T, R> {
  private readonly workers: Worker[];
  private readonly idle: Worker[];
  private readonly queue: { id: number; task: T }[] = [];
  private readonly waiting = new Map<number, Waiting<R>>();
  private next = 0;
  /** Why it runs no more tasks: one of its threads has failed or ended. */
  private why: Error | null = null;

  /**
   * @param start argument of every worker's `open`, structured-clonable
   * @param resourceLimits memory of each worker
   * @param lost receives the reason why the pool runs nothing further, where it wasn't closed
   */
  constructor(
    size: number,
    module: URL,
    start: unknown,
    resourceLimits: ResourceLimits = {},
    private readonly lost: (why: Error) => void = () => undefined,
  ) {
    this.workers = Array.from({ length: size }, () => {
      const pooled: PoolStart = { module: module.href, start };
      const worker = startWorker(new URL("./pool-worker.ts", import.meta.url), pooled, { resourceLimits });
      worker.on("message", (reply: Reply<R>) => this.finish(worker, reply));
      worker.on("error", (e) => this.fail(e instanceof Error ? e : new Error(String(e))));
      worker.on("exit", () => this.fail(new Error("a worker thread has ended")));
      return worker;
    });
    this.idle = [...this.workers];
  }

  /** Runs a task in an idle worker. @throws the worker's KesselError, or an Error */
  run(task: T): Promise<R> {
    return new Promise((done, fail) => {
      if (this.why !== null) return fail(this.why);
      const id = this.next++;
      this.waiting.set(id, { done, fail });
      this.queue.push({ id, task });
      this.feed();
    });
  }

  /** True when a thread of it has failed or ended. Then it runs nothing more. */
  get failed(): boolean {
    return this.why !== null;
  }

  async close(): Promise<void> {
    this.end(new KesselError("closed", "the worker threads were stopped"));
    await Promise.all(this.workers.map((w) => (this.idle.includes(w) ? ended(w) : w.terminate())));
  }

  private feed(): void {
    while (this.idle.length > 0 && this.queue.length > 0) this.idle.pop()!.postMessage(this.queue.shift()!);
  }

  private finish(worker: Worker, { id, result, error }: Reply<R>): void {
    const waiting = this.waiting.get(id);
    this.idle.push(worker);
    if (waiting === undefined) return; // it has failed with another thread
    const { done, fail } = waiting;
    this.waiting.delete(id);
    if (error === undefined) done(result as R);
    else fail(error.code === null ? new Error(error.message) : new KesselError(error.code, error.message));
    this.feed();
  }

  /** A thread has failed or ended. */
  private fail(e: Error): void {
    const first = this.why === null;
    this.end(e);
    if (first) this.lost(e);
  }

  /** Fails all tasks, these and later ones, with the first reason. */
  private end(e: Error): void {
    this.why ??= e;
    this.queue.length = 0;
    for (const { fail } of this.waiting.values()) fail(this.why);
    this.waiting.clear();
  }
}
