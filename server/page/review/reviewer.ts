import type { Game, Options, Replay, Scene, State } from "../../../env/index.js";
import { Pool } from "../../../training/report/pool.js";
import type { JudgedChoice, PlaceBelief, Review } from "../review-frame.js";

/** What the thread is started with. */
export interface ReviewStart {
  readonly game: string;
  readonly options: Options;
  /** Two int32: how much of an analysis is done, and of how much. */
  readonly counted: SharedArrayBuffer;
}

export type ReviewTask =
  | { readonly what: "analyse"; readonly replay: string; readonly by: string; readonly seat: number | null }
  | { readonly what: "judge"; readonly state: State; readonly taken: number; readonly by: string }
  | { readonly what: "beliefs"; readonly state: State; readonly seat: number }
  | {
      readonly what: "draw";
      /** One for a picture, all for a film. */
      readonly scenes: readonly Scene[];
      readonly format: "svg" | "png" | "film";
      readonly theme: "light" | "dark";
    };

export interface BeliefAnswer {
  /** See `ReviewReply`. */
  readonly habits: boolean;
  readonly places: readonly PlaceBelief[];
}

export interface JudgeAnswer {
  readonly value: number;
  readonly choices: readonly JudgedChoice[];
}

export interface Drawn {
  readonly base64: string;
}

export type ReviewResult = Review | JudgeAnswer | BeliefAnswer | Drawn;

/** Milliseconds between two reports of how far an analysis is. */
const REPORT = 300;
/** Milliseconds after which a thread that nobody asks is stopped. */
const IDLE = 60_000;

/** A thread that begins with the first question and ends when nothing has been asked for a while. */
class Lane {
  private pool: Pool<ReviewTask, ReviewResult> | null = null;
  private asked = 0;
  private idle: NodeJS.Timeout | null = null;

  constructor(private readonly start: ReviewStart) {}

  async run(task: ReviewTask): Promise<ReviewResult> {
    if (this.pool?.failed === true) this.pool = null;
    this.pool ??= new Pool(1, new URL("./thread-worker.ts", import.meta.url), this.start);
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

  async close(): Promise<void> {
    if (this.idle !== null) clearTimeout(this.idle);
    const { pool } = this;
    this.pool = null;
    await pool?.close();
  }
}

/**
 * Analyses and beliefs of one table, in threads of their own: they disturb no move, and no move disturbs them. What is asked
 * of one position does not wait for the analysis of the game.
 */
export class Reviewer {
  private readonly counted = new SharedArrayBuffer(8);
  private readonly long: Lane;
  private readonly short: Lane;

  constructor(game: Game) {
    const start: ReviewStart = { game: game.type.id, options: game.options, counted: this.counted };
    this.long = new Lane(start);
    this.short = new Lane(start);
  }

  /**
   * @param seat from what this seat knows; `null` from everything
   * @param progress gets the share that is done, now and then
   */
  async analyse(replay: Replay, by: string, seat: number | null, progress: (done: number) => void): Promise<Review> {
    const count = new Int32Array(this.counted).fill(0);
    const tick = setInterval(() => {
      if (count[1]! > 0) progress(count[0]! / count[1]!);
    }, REPORT);
    try {
      return (await this.long.run({ what: "analyse", replay: JSON.stringify(replay), by, seat })) as Review;
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
