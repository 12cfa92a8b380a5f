import { Worker } from "node:worker_threads";
import { type Json, KesselError } from "../../env/index.js";
import type { Limits } from "../wire/limits.js";
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
const WATCH_MS = 250;

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
  /** When the task that it works on was begun, by `performance.now`; Infinity until the thread has started. */
  private since = Infinity;
  /** Why it takes no more tasks. */
  private closed: KesselError | null = null;

  constructor(
    private readonly start: ThreadStart,
    private readonly log: Log,
  ) {}

  ask(client: string, key: number, work: Work): Promise<WorkResult> {
    return new Promise((done, fail) => {
      if (this.closed !== null) return fail(this.closed);
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

  /** Fails all tasks with `why`, then ends the thread. */
  async close(why: KesselError): Promise<void> {
    this.closed = why;
    this.failAll(() => why);
    await this.worker?.terminate();
  }

  /** Ends the thread when it has worked on one task for more than `seconds`; it starts again with its next task. */
  endOverdue(seconds: number): void {
    const [id] = this.running.keys();
    if (id === undefined || performance.now() - this.since <= 1000 * seconds) return;
    const { fail } = this.running.get(id)!;
    this.running.delete(id);
    this.since = Infinity;
    this.log("request-overdue", { seconds });
    fail(
      new KesselError(
        "batch-lost",
        `a request took longer than ${seconds} seconds, and its batch was ended; reset the batch, then load what was saved`,
      ),
    );
    void this.worker?.terminate();
  }

  private begin(): Worker {
    const worker = new Worker(new URL("./worker-entry.mjs", import.meta.url), { workerData: this.start, execArgv: [] });
    worker.on("message", (report: Report | "ready") => {
      if (report === "ready") {
        this.failures = 0;
        this.since = performance.now();
      } else this.finish(report);
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
      if (this.running.size === 0 && this.since < Infinity) this.since = performance.now();
      this.running.set(id, waiting);
      this.worker!.postMessage({ ...work, id, key });
    }
  }

  private finish(report: Report): void {
    const task = this.running.get(report.id);
    if (task === undefined) return; // failed when the pool was closed
    const { done, fail } = task;
    this.running.delete(report.id);
    this.since = performance.now();
    this.feed();
    if ("done" in report) return done(report.done);
    const { code, message, stack } = report.failure;
    const e = code === null ? new Error(message) : new KesselError(code, message);
    if (code === null && stack !== undefined) e.stack = stack;
    fail(e);
  }

  private ended(): void {
    this.worker = null;
    const lost = this.failAll(() => this.closed ?? lostSlice());
    if (this.closed === null) this.log("thread-lost", { tasks: lost });
    if (this.closed === null && this.failures < START_TRIES) this.worker = this.begin();
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

/** Lets `most` tasks run at a time; the others wait in order. */
class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running < this.most) this.running++;
    else await new Promise<void>((go) => this.waiting.push(go)); // whoever ends hands its turn on
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}

/** A connection's threads for batches with agents that search. */
interface SearchThreads {
  readonly threads: Set<WorkerThread>;
  readonly turns: Turns;
}

/**
 * The server's worker threads. Not training's `Pool`: a slice stays on the thread that made it, clients take turns, and a
 * thread that ends is replaced and loses only its own slices; a pool's tasks have no state and go to any idle thread.
 *
 * Slices with agents that search share no thread: such an agent may think for minutes. Each has a thread of its own that ends
 * with it, and a connection's take turns, so that many of them get no more of the machine than one.
 */
export class WorkerPool {
  private readonly threads: readonly WorkerThread[];
  private readonly searches = new Map<string, SearchThreads>();
  /** Environments on each thread. */
  private readonly loads: number[];
  private readonly watch: NodeJS.Timeout;
  private keys = 0;

  constructor(
    count: number,
    private readonly start: ThreadStart,
    private readonly limits: Limits,
    private readonly log: Log,
  ) {
    this.threads = Array.from({ length: count }, () => new WorkerThread(start, log));
    this.loads = this.threads.map(() => 0);
    this.watch = setInterval(() => {
      for (const t of this.all()) t.endOverdue(limits.requestSeconds);
    }, WATCH_MS).unref();
  }

  /** On how many threads a batch is played. */
  countFor(searches: boolean): number {
    return searches ? this.limits.searchesAtOnce : this.threads.length;
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

  /** Assigns a new slice to a thread of its own. @throws KesselError `limit` */
  assignOwn(client: string): SliceHandle {
    const own = this.searches.get(client) ?? { threads: new Set(), turns: new Turns(this.limits.searchesAtOnce) };
    if (own.threads.size >= this.limits.searchesPerClient)
      throw new KesselError(
        "limit",
        `a connection may have ${this.limits.searchesPerClient} threads for batches with agents that search; close such a batch first`,
      );
    const thread = new WorkerThread(this.start, this.log);
    own.threads.add(thread);
    this.searches.set(client, own);
    const key = this.keys++;
    const leave = (): void => {
      own.threads.delete(thread);
      if (own.threads.size === 0 && this.searches.get(client) === own) this.searches.delete(client);
      void thread.close(new KesselError("batch-lost", "the batch was closed while it was played"));
    };
    return { ask: (_, work) => own.turns.run(() => thread.ask(client, key, work)), leave, end: leave };
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    await Promise.all([...this.all()].map((t) => t.close(closedError())));
  }

  private *all(): Iterable<WorkerThread> {
    yield* this.threads;
    for (const { threads } of this.searches.values()) yield* threads;
  }
}

/** A slice on a worker thread. */
export interface SliceHandle {
  /**
   * @param client waits its turn among the thread's clients
   * @throws KesselError as the slice threw it, `batch-lost` when its thread has ended; Error for a fault of the server
   */
  ask(client: string, work: Work): Promise<WorkResult>;
  /** Gives the place on the thread back; a thread of its own ends. */
  leave(): void;
  /** Ends what the thread is doing; absent where it plays other slices too. */
  end?(): void;
}
