import type { Game, Replay, State } from "../../../env/index.js";
import type { Review } from "../review-frame.js";
import type { BeliefAnswer, Drawn, JudgeAnswer, ReviewResult, ReviewTask } from "./tasks.js";
import type { ReviewThread, ReviewThreads } from "./threads.js";

/** Milliseconds between two reports of how far an analysis is. */
const REPORT = 300;

/** Has a thread of its own while something is asked. */
class Lane {
  private thread: ReviewThread | null = null;

  constructor(
    private readonly game: Game,
    private readonly threads: ReviewThreads,
  ) {}

  /** @param begun gets what its thread counts (`ReviewThread.count`) */
  async run(task: ReviewTask, begun: (count: Int32Array) => void = () => undefined): Promise<ReviewResult> {
    if (this.thread?.pool.failed === true) this.thread = null;
    const thread = (this.thread ??= this.threads.take(this));
    thread.asked++;
    begun(thread.count);
    try {
      const tasks = [task];
      if (thread.asker !== this) tasks.unshift({ what: "table", game: this.game.type.id, options: this.game.options });
      thread.asker = this;
      return (await Promise.all(tasks.map((t) => thread.pool.run(t)))).at(-1)!;
    } catch (e) {
      thread.asker = null; // it may not know the game
      throw e;
    } finally {
      if (--thread.asked === 0) {
        if (this.thread === thread) this.thread = null;
        this.threads.give(thread);
      }
    }
  }

  async close(): Promise<void> {
    await this.thread?.pool.close();
  }
}

/**
 * Analyses and beliefs of one table, in threads of their own: they disturb no move, and no move disturbs them. What is
 * asked of one position does not wait for the analysis of the game.
 */
export class Reviewer {
  private readonly long: Lane;
  private readonly short: Lane;

  constructor(game: Game, threads: ReviewThreads) {
    this.long = new Lane(game, threads);
    this.short = new Lane(game, threads);
  }

  /**
   * @param seat from what this seat knows; `null` from everything
   * @param progress gets the share that is done, now and then
   */
  async analyse(replay: Replay, by: string, seat: number | null, progress: (done: number) => void): Promise<Review> {
    let count: Int32Array = new Int32Array(2);
    const tick = setInterval(() => {
      if (count[1]! > 0) progress(count[0]! / count[1]!);
    }, REPORT);
    try {
      const task = { what: "analyse", replay: JSON.stringify(replay), by, seat } as const;
      return (await this.long.run(task, (counted) => (count = counted.fill(0)))) as Review;
    } finally {
      clearInterval(tick);
    }
  }

  async judge(state: State, taken: number, by: string): Promise<JudgeAnswer> {
    return (await this.short.run({ what: "judge", state, taken, by })) as JudgeAnswer;
  }

  async beliefs(state: State, seat: number): Promise<BeliefAnswer> {
    return (await this.short.run({ what: "beliefs", state, seat })) as BeliefAnswer;
  }

  async draw(task: Omit<Extract<ReviewTask, { what: "draw" }>, "what">): Promise<Drawn> {
    const lane = task.format === "film" ? this.long : this.short;
    return (await lane.run({ what: "draw", ...task })) as Drawn;
  }

  async close(): Promise<void> {
    await Promise.all([this.long.close(), this.short.close()]);
  }
}
