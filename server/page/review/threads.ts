import { Pool } from "../../../training/report/pool.js";
import type { ReviewResult, ReviewStart, ReviewTask } from "./tasks.js";

/** Milliseconds after which a thread that nobody asks is stopped. */
const IDLE = 60_000;
/** Threads that may wait for the next question. */
const MOST_SPARE = 4;

/** A thread that looks back at games, one question after another, and at games of one table at a time. */
export class ReviewThread {
  private readonly counted = new SharedArrayBuffer(8);
  /** How much of an analysis is done, and of how much. */
  readonly count = new Int32Array(this.counted);
  readonly pool = new Pool<ReviewTask, ReviewResult>(1, new URL("./thread-worker.ts", import.meta.url), {
    counted: this.counted,
  } satisfies ReviewStart);
  /** Whose questions it knows the game of. */
  asker: object | null = null;
  /** Questions that it has not answered. */
  asked = 0;
  idle: NodeJS.Timeout | null = null;
}

/**
 * The threads of all tables. One that has answered waits for whoever asks next, for it takes more than a second to
 * start; so there are as many as are busy at a time, and few more.
 */
export class ReviewThreads {
  /** Those that wait, the latest last. */
  private readonly spare: ReviewThread[] = [];

  /** A thread for one guest alone, until it is given back: the one that last answered that guest, if it waits still. */
  take(asker: object): ReviewThread {
    const own = this.spare.findLastIndex((t) => t.asker === asker);
    const [thread = new ReviewThread()] = this.spare.splice(own, 1); // at -1 is the last
    if (thread.idle !== null) clearTimeout(thread.idle);
    return thread;
  }

  /** Takes a thread back that has answered all it was asked. */
  give(thread: ReviewThread): void {
    if (thread.pool.failed) return;
    this.spare.push(thread);
    thread.idle = setTimeout(() => void this.end(thread), IDLE).unref();
    if (this.spare.length > MOST_SPARE) void this.end(this.spare[0]!);
  }

  async close(): Promise<void> {
    await Promise.all([...this.spare].map((t) => this.end(t)));
  }

  private end(thread: ReviewThread): Promise<void> {
    this.spare.splice(this.spare.indexOf(thread), 1);
    if (thread.idle !== null) clearTimeout(thread.idle);
    return thread.pool.close();
  }
}
