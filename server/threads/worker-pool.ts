import { KesselError } from "../../env/index.js";
import type { Slow } from "../slice/seats.js";
import type { Limits } from "../wire/limits.js";
import { lostSlice, type ThreadStart, type Work, type WorkResult } from "./slice-worker.js";
import { type Log, type Losses, WorkerThread } from "./worker-thread.js";

const WATCH_MS = 250;
/** Threads whose work is long give way to those that answer in a moment. */
const LONG_WORK_NICE = 10;

const closedError = (): KesselError => new KesselError("closed", "the server is shutting down");

export const closedWhilePlayed = (): KesselError =>
  new KesselError("batch-lost", "the batch was closed while it was played");

const OF_BATCHES: Losses = {
  lost: lostSlice,
  overdue: (seconds) =>
    new KesselError(
      "batch-lost",
      `a request took longer than ${seconds} seconds, and its batch was ended; reset the batch, then load what was saved`,
    ),
};
const OF_QUESTIONS: Losses = {
  lost: () => new KesselError("internal", "the thread that worked on it has ended; the batch is as it was, ask again"),
  overdue: (seconds) => new KesselError("time-limit", `it took longer than ${seconds} seconds; the batch is as it was`),
};

/** Lets `most` tasks run at a time; the others wait in order. */
class TaskLimit {
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

/** A connection's threads for batches with agents that may take long. */
interface OwnThreads {
  readonly threads: Set<WorkerThread>;
  /** Limits the tasks of threads that search. Models are not limited: waiting for each other would cost more. */
  readonly searches: TaskLimit;
}

/**
 * The server's worker threads. Not training's `Pool`: a slice stays on the thread that made it, clients take turns, and
 * a thread that ends is replaced and loses only its own slices; a pool's tasks have no state and go to any idle thread.
 *
 * Slices with agents that search share no thread, nor do those with models that run in processes: such an agent may
 * think for minutes. Each has a thread of its own that ends with it. A connection's searches take turns, so that they
 * get no more of the machine than a single one.
 */
export class WorkerPool {
  private readonly threads: readonly WorkerThread[];
  /** Answers what takes long and is about no slice, or only about copies of states. */
  private readonly questionThread: WorkerThread;
  private readonly own = new Map<string, OwnThreads>();
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
    this.threads = Array.from({ length: count }, () => new WorkerThread(start, OF_BATCHES, log));
    this.questionThread = new WorkerThread(start, OF_QUESTIONS, log, LONG_WORK_NICE);
    this.loads = this.threads.map(() => 0);
    this.watch = setInterval(() => {
      for (const t of this.all()) t.endOverdue(limits.requestSeconds);
    }, WATCH_MS).unref();
  }

  /** On how many threads a batch is played. */
  countFor(slow: Slow | null): number {
    const { searchesAtOnce, searchesPerClient } = this.limits;
    if (slow === "searches") return searchesAtOnce;
    // a connection may have two such batches
    return slow === null ? this.threads.length : Math.min(this.threads.length, Math.ceil(searchesPerClient / 2));
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

  /**
   * Checks that a connection may have `wanted` further threads of its own.
   *
   * @param most environments of a batch that takes this number of threads
   * @throws KesselError `limit`
   */
  checkOwn(client: string, wanted: number, most: (threads: number) => number): void {
    const { searchesPerClient } = this.limits;
    const left = searchesPerClient - (this.own.get(client)?.threads.size ?? 0);
    if (wanted <= left) return;
    const advice =
      left === 0
        ? "; close such a batch first"
        : `, and has ${left} left; this batch takes ${wanted}, one of at most ${most(left)} environments would fit`;
    throw new KesselError(
      "limit",
      `a connection may have ${searchesPerClient} threads for batches with agents that search or models of its own${advice}`,
    );
  }

  /** Assigns a new slice to a thread of its own, which `checkOwn` has allowed. */
  assignOwn(client: string, slow: Slow): SliceHandle {
    const own = this.own.get(client) ?? { threads: new Set(), searches: new TaskLimit(this.limits.searchesAtOnce) };
    const searches = slow === "searches";
    const thread = new WorkerThread(this.start, OF_BATCHES, this.log, searches ? LONG_WORK_NICE : undefined);
    own.threads.add(thread);
    this.own.set(client, own);
    const key = this.keys++;
    const leave = (): void => {
      own.threads.delete(thread);
      if (own.threads.size === 0 && this.own.get(client) === own) this.own.delete(client);
      void thread.close(closedWhilePlayed());
    };
    const ask = (work: Work): Promise<WorkResult> => thread.ask(client, key, work);
    return { ask: (_, work) => (searches ? own.searches.run(() => ask(work)) : ask(work)), leave, end: leave };
  }

  /**
   * Answers what is about no slice, in a thread that gives way to those that play.
   *
   * @throws KesselError `internal` when the thread ended, `time-limit`, and what the answer throws
   */
  askOffThread(client: string, work: Extract<Work, { op: "describe" | "answer-off-thread" }>): Promise<WorkResult> {
    return this.questionThread.ask(client, 0, work);
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    await Promise.all([...this.all()].map((t) => t.close(closedError())));
  }

  private *all(): Iterable<WorkerThread> {
    yield* this.threads;
    yield this.questionThread;
    for (const { threads } of this.own.values()) yield* threads;
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
