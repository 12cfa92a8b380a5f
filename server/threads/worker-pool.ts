import { Worker } from "node:worker_threads";
import { type Json, KesselError } from "../../env/index.js";
import { type WorkResult, lostSlice, type Report, type ThreadStart, type Work } from "./slice-worker.js";

interface PendingTask {
  readonly done: (d: WorkResult) => void;
  readonly fail: (e: Error) => void;
}
interface QueuedTask extends PendingTask {
  readonly key: number;
  readonly work: Work;
}

/** Tasks sent to a thread at a time: the next one is there when it finishes the first. */
const TASKS_AHEAD = 2;
/** A thread that ends so often before it is ready is not started again. */
const START_TRIES = 3;

type Log = (event: string, facts: Readonly<Record<string, Json>>) => void;

/**
 * A worker thread, started when it is first needed and restarted when it ends. It takes one task of each client in
 * turn, so that a client with many requests doesn't delay the others.
 */
class WorkerThread {
  private worker: Worker | null = null;
  private readonly queues = new Map<string, QueuedTask[]>();
  private readonly running = new Map<number, PendingTask>();
  private next = 0;
  private failures = 0;
  private closed = false;

  constructor(
    private readonly start: ThreadStart,
    private readonly log: Log,
  ) {}

  ask(client: string, key: number, work: Work): Promise<WorkResult> {
    return new Promise((done, fail) => {
      if (this.closed) return fail(closedError());
      if (this.failures >= START_TRIES)
        return fail(new KesselError("internal", "the server's worker threads do not start; its log says why"));
      const queue = this.queues.get(client);
      const task: QueuedTask = { done, fail, key, work };
      if (queue === undefined) this.queues.set(client, [task]);
      else queue.push(task);
      this.worker ??= this.begin();
      this.feed();
    });
  }

  /** Fails all tasks with `closed`, then ends the thread. */
  async close(): Promise<void> {
    this.closed = true;
    this.failAll(() => closedError());
    await this.worker?.terminate();
  }

  private begin(): Worker {
    const worker = new Worker(new URL("./worker-entry.mjs", import.meta.url), { workerData: this.start, execArgv: [] });
    worker.on("message", (report: Report | "ready") => {
      if (report === "ready") this.failures = 0;
      else this.finish(report);
    });
    worker.on("error", (e) =>
      this.log("thread-failed", { name: e instanceof Error ? e.name : "unknown", where: stackLines(e) }),
    );
    worker.on("exit", () => this.ended());
    this.failures++; // back to 0 when it reports that it is ready
    return worker;
  }

  /** Gives the thread its next tasks, one of each client in turn. */
  private feed(): void {
    while (this.running.size < TASKS_AHEAD) {
      const entry = this.queues.entries().next().value;
      if (entry === undefined) return;
      const [client, queue] = entry;
      const { key, work, ...waiting } = queue.shift()!;
      this.queues.delete(client);
      if (queue.length > 0) this.queues.set(client, queue); // last in turn now
      const id = this.next++;
      this.running.set(id, waiting);
      this.worker!.postMessage({ ...work, id, key });
    }
  }

  private finish(report: Report): void {
    const task = this.running.get(report.id);
    if (task === undefined) return; // failed when the pool was closed
    const { done, fail } = task;
    this.running.delete(report.id);
    this.feed();
    if ("done" in report) return done(report.done);
    const { code, message, stack } = report.failure;
    const e = code === null ? new Error(message) : new KesselError(code, message);
    if (code === null && stack !== undefined) e.stack = stack;
    fail(e);
  }

  private ended(): void {
    this.worker = null;
    const lost = this.failAll(() => (this.closed ? closedError() : lostSlice()));
    if (!this.closed) this.log("thread-lost", { tasks: lost });
    if (!this.closed && this.failures < START_TRIES) this.worker = this.begin();
  }

  /** @returns how many tasks there were */
  private failAll(error: () => KesselError): number {
    const pending = [...this.running.values(), ...[...this.queues.values()].flat()];
    this.running.clear();
    this.queues.clear();
    for (const { fail } of pending) fail(error());
    return pending.length;
  }
}

const closedError = (): KesselError => new KesselError("closed", "the server is shutting down");

const stackLines = (e: unknown): string[] =>
  (e instanceof Error ? (e.stack ?? "") : "")
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 8)
    .map((line) => line.trim());

/**
 * The server's worker threads. Not training's `Pool`: a slice stays on the thread that made it, clients take turns, and
 * a thread that ends is replaced and loses only its own slices; a pool's tasks have no state and go to any idle thread.
 */
export class WorkerPool {
  private readonly threads: readonly WorkerThread[];
  /** Environments on each thread. */
  private readonly loads: number[];
  private keys = 0;

  constructor(count: number, start: ThreadStart, log: Log) {
    this.threads = Array.from({ length: count }, () => new WorkerThread(start, log));
    this.loads = this.threads.map(() => 0);
  }

  get count(): number {
    return this.threads.length;
  }

  /** Assigns a new slice to the thread with the fewest environments. */
  assign(environments: number): SliceHandle {
    const k = this.loads.indexOf(Math.min(...this.loads));
    const key = this.keys++;
    this.loads[k]! += environments;
    return {
      ask: (client, work) => this.threads[k]!.ask(client, key, work),
      leave: () => void (this.loads[k]! -= environments),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((t) => t.close()));
  }
}

/** A slice on a worker thread. */
export interface SliceHandle {
  /**
   * @param client waits its turn among the thread's clients
   * @throws KesselError as the slice threw it, `batch-lost` when its thread has ended; Error for a fault of the server
   */
  ask(client: string, work: Work): Promise<WorkResult>;
  /** Gives the place on the thread back. */
  leave(): void;
}
