import type { Worker } from "node:worker_threads";
import { type Json, KesselError } from "../../env/index.js";
import { startWorker } from "../../env/worker.js";
import { shortageOf } from "../shortages.js";
import { failureOf } from "../stack-lines.js";
import { withBlocks, withRows } from "./blocks.js";
import { FairQueue } from "./fair-queue.js";
import { Restarts } from "./restarts.js";
import type { Report, ThreadStart, Work, WorkResult } from "./slice-worker.js";

interface PendingTask {
  readonly client: string;
  readonly done: (d: WorkResult) => void;
  readonly fail: (e: Error) => void;
}
interface QueuedTask extends PendingTask {
  readonly key: number;
  readonly work: Work;
}
interface RunningTask extends PendingTask {
  /**
   * When the thread began it or finished what it waited behind, by `performance.now`; Infinity where that isn't known.
   */
  begun: number;
}

/** Why tasks fail whose thread has ended, or was ended after a number of seconds. */
export interface Losses {
  readonly lost: () => KesselError;
  readonly overdue: (seconds: number) => KesselError;
}

/** Tasks sent to a thread at a time: the next one is there when it finishes the first. */
const TASKS_AHEAD = 2;

export type Log = (event: string, facts: Readonly<Record<string, Json>>) => void;

/** The game that work is about; null for work about a slice that is there. */
function gameOf(work: Work): string | null {
  if (work.op === "make") return work.request.game;
  return work.op === "describe" || work.op === "answer-off-thread" ? work.game.game : null;
}

/** A worker thread, started when it is first needed and restarted when it ends. Its clients share its time fairly. */
export class WorkerThread {
  private worker: Worker | null = null;
  private readonly queue = new FairQueue<QueuedTask>();
  /** Tasks sent to the thread, oldest first. One that waits for a model lets the next begin. */
  private readonly running = new Map<number, RunningTask>();
  private next = 0;
  /** Games that it was asked about. */
  private readonly games = new Set<string>();
  private readonly restarts = new Restarts();
  /** What it lacked when it last failed. */
  private shortage: string | null = null;
  /** When the thread last finished a task or was given one; Infinity until it has started. */
  private since = Infinity;
  /** Why it takes no more tasks. */
  private closed: KesselError | null = null;

  constructor(
    private readonly start: ThreadStart,
    private readonly losses: Losses,
    private readonly log: Log,
    /** How far it gives way to others; see `startWorker`. */
    private readonly nice?: number,
  ) {}

  ask(client: string, key: number, work: Work): Promise<WorkResult> {
    return new Promise((done, fail) => {
      if (this.closed !== null) return fail(this.closed);
      const game = gameOf(work);
      if (game !== null) this.games.add(game);
      if (this.worker === null && (this.restarts.restMs() > 0 || !this.begin())) return fail(this.unable());
      this.queue.push(client, { client, done, fail, key, work });
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
    const [oldest] = this.running;
    if (oldest === undefined) return;
    const [id, { fail, begun }] = oldest;
    if (performance.now() - begun <= 1000 * seconds) return;
    this.running.delete(id);
    for (const task of this.running.values()) task.begun = Infinity; // lost with the thread, and not overdue
    this.log("request-overdue", { seconds });
    fail(this.losses.overdue(seconds));
    void this.worker?.terminate();
  }

  /** @returns whether a thread has begun: the machine may have none left */
  private begin(): boolean {
    this.restarts.begun();
    try {
      this.worker = this.newWorker();
    } catch (e) {
      this.shortage = shortageOf(e) ?? (e as Error).message;
      this.log("thread-failed", failureOf(e as Error));
      this.restarts.ended();
      return false;
    }
    return true;
  }

  private newWorker(): Worker {
    const start: ThreadStart = { ...this.start, games: [...this.games] };
    const worker = startWorker(new URL("./slice-worker.ts", import.meta.url), start, { nice: this.nice });
    worker.on("message", (report: Report | "ready") => {
      if (report === "ready") this.started();
      else this.finish(withRows(report) as Report);
    });
    worker.on("error", (e) => {
      this.shortage = shortageOf(e);
      this.log("thread-failed", failureOf(e));
    });
    worker.on("exit", () => this.ended());
    return worker;
  }

  private started(): void {
    this.restarts.ready();
    this.since = performance.now();
    for (const task of this.running.values()) task.begun = this.since;
  }

  private feed(): void {
    while (this.running.size < TASKS_AHEAD) {
      const taken = this.queue.next();
      if (taken === null) return;
      const { key, work, ...waiting } = taken.task;
      const id = this.next++;
      const started = this.since < Infinity;
      const now = performance.now();
      if (started && this.running.size === 0) this.since = now;
      this.running.set(id, { ...waiting, begun: started ? now : Infinity });
      const moved: ArrayBuffer[] = [];
      this.worker!.postMessage(withBlocks({ ...work, id, key }, moved), moved);
    }
  }

  private finish(report: Report): void {
    const task = this.running.get(report.id);
    if (task === undefined) return; // failed when the pool was closed
    const { client, done, fail } = task;
    this.running.delete(report.id);
    const now = performance.now();
    this.queue.spent(client, now - this.since);
    this.since = now;
    for (const [id, waiting] of this.running) if (id > report.id) waiting.begun = now;
    this.feed();
    if ("done" in report) return done(report.done);
    const { code, message, stack } = report.failure;
    const e = code === null ? new Error(message) : new KesselError(code, message);
    if (code === null && stack !== undefined) e.stack = stack;
    fail(e);
  }

  private ended(): void {
    this.worker = null;
    this.since = Infinity;
    this.restarts.ended();
    const lost = this.failAll(() => this.closed ?? this.losses.lost());
    if (this.closed === null) this.log("thread-lost", { tasks: lost });
    if (this.closed === null && this.restarts.restMs() === 0) this.begin();
  }

  private unable(): KesselError {
    const { shortage } = this;
    return shortage === null
      ? new KesselError("internal", "the server's worker threads do not start; its log says why")
      : new KesselError("limit", `the server's worker threads do not start: ${shortage}`);
  }

  /** @returns how many tasks there were */
  private failAll(error: () => KesselError): number {
    const pending = [...this.running.values(), ...this.queue.clear()];
    this.running.clear();
    for (const { fail } of pending) fail(error());
    return pending.length;
  }
}
