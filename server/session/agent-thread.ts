import type { Agent, Decisions } from "../../agents/agent.js";
import type { Game, Options, State } from "../../env/index.js";
import { Pool } from "../../training/report/pool.js";
import type { OneDecision } from "./one-decision.js";
import { type SeatMaker, seatHere } from "./open.js";

/** Search thinks in a thread of its own, so that it can be stopped and disturbs nobody. */
export const seatInThread: SeatMaker = (who, game, seed) =>
  who.startsWith("search") ? Promise.resolve(new ThreadAgent(who, game, seed)) : seatHere(who, game, seed);

/** Milliseconds after which a thread that has nothing to think about ends; the next decision starts another. */
const IDLE_MS = 60_000;

/** What the thread is started with. */
export interface ThreadStart {
  readonly game: string;
  readonly options: Options;
  readonly who: string;
  readonly seed: string;
}

/**
 * An agent in a thread of its own: it can be stopped in the middle of a thought, and disturbs nobody meanwhile. The
 * thread gets the position and deals worlds itself, as the agent would here.
 */
export class ThreadAgent implements Agent {
  private pool: Pool<State, number> | null = null;
  private instead: Agent | null = null;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    readonly name: string,
    private readonly game: Game,
    private readonly seed: string,
    private readonly idleMs = IDLE_MS,
  ) {}

  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    clearTimeout(this.idle);
    const start: ThreadStart = { game: this.game.type.id, options: this.game.options, who: this.name, seed: this.seed };
    if (this.pool?.failed === true) this.pool = null;
    this.pool ??= new Pool(1, new URL("./agent-thread-worker.ts", import.meta.url), start);
    try {
      out[0] = await this.pool.run((decisions as OneDecision).state);
    } catch (e) {
      const { instead } = this;
      this.instead = null;
      if (instead === null) throw e;
      await instead.act(decisions, out);
      await instead.close?.();
    }
    this.idle = setTimeout(() => void this.close(), this.idleMs).unref();
  }

  interrupt(instead: Agent): void {
    this.instead = instead;
    void this.close();
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { pool } = this;
    this.pool = null;
    await pool?.close();
  }
}
