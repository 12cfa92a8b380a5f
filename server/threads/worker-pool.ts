import { Worker } from "node:worker_threads";
import { type Json, KesselError } from "../../env/index.js";
import { type Done, lostSlice, type Report, type ThreadStart, type Work } from "./slice-worker.js";

interface Waiting {
  readonly done: (d: Done) => void;
  readonly fail: (e: Error) => void;
}
interface Queued extends Waiting {
  readonly key: number;
  readonly work: Work;
}

/** Tasks a thread has at a time: while it does one, the next is there already. */
const AHEAD = 2;
/** A thread that ended so often without ever having been ready is given up. */
const TRIES = 3;

type Log = (event: string, facts: Readonly<Record<string, Json>>) => void;

/**
 * A worker thread that is started when it is first needed, and again when it has ended. Its tasks are taken from clients
 * in turn, so that one who asks for much doesn't keep the others waiting.
 */
class Thread {
  private worker: Worker | null = null;
  private readonly queues = new Map<string, Queued[]>();
  private readonly running = new Map<number, Waiting>();
  private next = 0;
  private failures = 0;
  private closed = false;

  constructor(
    private readonly start: ThreadStart,
    private readonly log: Log,
  ) {}

  ask(client: string, key: number, work: Work): Promise<Done> {
    return new Promise((done, fail) => {
      if (this.closed) return fail(new KesselError("closed", "the server is shutting down"));
      if (this.failures >= TRIES)
        return fail(new KesselError("internal", "the server's worker threads do not start; its log says why"));
      const queue = this.queues.get(client);
      const task: Queued = { done, fail, key, work };
      if (queue === undefined) this.queues.set(client, [task]);
      else queue.push(task);
      this.worker ??= this.begin();
      this.feed();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.worker?.terminate();
  }

  private begin(): Worker {
    const worker = new Worker(new URL("./worker-entry.mjs", import.meta.url), { workerData: this.start, execArgv: [] });
    worker.on("message", (report: Report | "ready") => {
      if (report === "ready") this.failures = 0;
      else this.finish(report);
    });
    worker.on("error", (e) =>
      this.log("thread-failed", { name: e instanceof Error ? e.name : "unknown", where: placesOf(e) }),
    );
    worker.on("exit", () => this.ended());
    this.failures++; // until it says that it is ready
    return worker;
  }

  /** Gives the thread its next tasks, one of each client in turn. */
  private feed(): void {
    while (this.running.size < AHEAD) {
      const entry = this.queues.entries().next().value;
      if (entry === undefined) return;
      const [client, queue] = entry;
      const { key, work, ...waiting } = queue.shift()!;
      this.queues.delete(client);
      if (queue.length > 0) this.queues.set(client, queue); // at the end of the line
      const id = this.next++;
      this.running.set(id, waiting);
      this.worker!.postMessage({ ...work, id, key });
    }
  }

  private finish(report: Report): void {
    const { done, fail } = this.running.get(report.id)!;
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
    const waiting = [...this.running.values(), ...[...this.queues.values()].flat()];
    this.running.clear();
    this.queues.clear();
    if (!this.closed) this.log("thread-lost", { tasks: waiting.length });
    for (const { fail } of waiting)
      fail(this.closed ? new KesselError("closed", "the server is shutting down") : lostSlice());
    if (!this.closed && this.failures < TRIES) this.worker = this.begin();
  }
}

const placesOf = (e: unknown): string[] =>
  (e instanceof Error ? (e.stack ?? "") : "")
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 8)
    .map((line) => line.trim());

/** The server's worker threads. */
export class Threads {
  private readonly threads: readonly Thread[];
  /** Environments that each thread has. */
  private readonly loads: number[];
  private keys = 0;

  constructor(count: number, start: ThreadStart, log: Log) {
    this.threads = Array.from({ length: count }, () => new Thread(start, log));
    this.loads = this.threads.map(() => 0);
  }

  get count(): number {
    return this.threads.length;
  }

  /** A place for a slice, on the thread with the fewest environments. */
  seat(environments: number): Desk {
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

/** One slice's place on a thread. */
export interface Desk {
  /**
   * @param client whose turn it takes
   * @throws KesselError as the slice threw it, `batch-lost` when its thread has ended; Error for a fault of ours
   */
  ask(client: string, work: Work): Promise<Done>;
  /** The slice is closed. */
  leave(): void;
}
