import type { Game, Options, Replay, State } from "../../env/index.js";
import { Pool } from "../../training/report/pool.js";
import type { PlaceBelief, Review } from "./review-frame.js";

/** What the thread is started with. */
export interface ReviewStart {
  readonly game: string;
  readonly options: Options;
  /** Two int32: how much of an analysis is done, and of how much. */
  readonly counted: SharedArrayBuffer;
}

export type ReviewTask =
  | { readonly what: "analyse"; readonly replay: string; readonly by: string }
  | { readonly what: "beliefs"; readonly state: State; readonly seat: number };

export interface BeliefAnswer {
  readonly model: string;
  readonly places: readonly PlaceBelief[];
}

export type ReviewResult = Review | BeliefAnswer;

/** Milliseconds between two reports of how far an analysis is. */
const REPORT = 300;
/** Milliseconds after which a thread that nobody asks is stopped. */
const IDLE = 60_000;

/**
 * Analyses and beliefs of one table, in a thread of its own that begins with the first question and ends when nothing has been
 * asked for a while: it disturbs no move, and no move disturbs it.
 */
export class Reviewer {
  private pool: Pool<ReviewTask, ReviewResult> | null = null;
  private readonly counted = new SharedArrayBuffer(8);
  private asked = 0;
  private idle: NodeJS.Timeout | null = null;

  constructor(private readonly game: Game) {}

  /** @param progress gets the share that is done, now and then */
  async analyse(replay: Replay, by: string, progress: (done: number) => void): Promise<Review> {
    const count = new Int32Array(this.counted).fill(0);
    const tick = setInterval(() => {
      if (count[1]! > 0) progress(count[0]! / count[1]!);
    }, REPORT);
    try {
      return (await this.run({ what: "analyse", replay: JSON.stringify(replay), by })) as Review;
    } finally {
      clearInterval(tick);
    }
  }

  async beliefs(state: State, seat: number): Promise<BeliefAnswer> {
    return (await this.run({ what: "beliefs", state, seat })) as BeliefAnswer;
  }

  async close(): Promise<void> {
    if (this.idle !== null) clearTimeout(this.idle);
    const { pool } = this;
    this.pool = null;
    await pool?.close();
  }

  private async run(task: ReviewTask): Promise<ReviewResult> {
    const start: ReviewStart = { game: this.game.type.id, options: this.game.options, counted: this.counted };
    this.pool ??= new Pool(1, new URL("./review-thread-worker.ts", import.meta.url), start);
    if (this.idle !== null) clearTimeout(this.idle);
    this.asked++;
    try {
      return await this.pool.run(task);
    } finally {
      if (--this.asked === 0 && this.pool !== null) {
        this.idle = setTimeout(() => void this.close(), IDLE);
        this.idle.unref();
      }
    }
  }
}
