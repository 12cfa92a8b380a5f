import { setTimeout as sleep } from "node:timers/promises";
import { KesselError } from "../../env/index.js";
import { Pool } from "../../training/report/pool.js";
import { faultOf } from "../stack-lines.js";
import { Restarts } from "../threads/restarts.js";
import type { Log } from "../threads/worker-thread.js";

/** What a page in a thread is started with. */
export interface PageThreadStart {
  readonly port: number;
  readonly host: string;
  /** Folder of recorded games. */
  readonly games?: string;
  /** Folder of training runs. */
  readonly runs?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly allowHosts?: readonly string[];
  readonly base?: string;
  readonly trustProxies?: readonly string[];
  readonly shared?: readonly string[];
}

/** MB of the page's thread for what lives no longer than a move: with less, frames are copied while they are made. */
const YOUNG_MB = 48;

/** A page that ended sooner after its start than this counts as one that never got ready. */
const STEADY_MS = 5_000;

const MODULE = new URL("./thread-worker.ts", import.meta.url);

/**
 * The play page in a thread of its own: what happens there holds up no batch, and no batch holds it up. Where the
 * thread ends by a failure, the page is started again at the same address; who plays sits down again, and no decision
 * is lost.
 */
export class PageThread {
  private readonly restarts = new Restarts();
  /** Null while there is no page. */
  private pool: Pool<"address" | "close", string> | null = null;
  private readyAt = 0;
  private beginning: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();
  address = "";

  private constructor(
    private settings: PageThreadStart,
    private readonly log: Log,
  ) {}

  /** @throws KesselError as `PageServer.start` */
  static async start(start: PageThreadStart, log: Log): Promise<PageThread> {
    const page = new PageThread(start, log);
    await page.begin();
    const port = Number(/:(\d+)(?=\/)/.exec(page.address)![1]);
    page.settings = { ...start, port };
    return page;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.beginning;
    const { pool } = this;
    this.pool = null;
    await pool?.run("close").catch(() => undefined); // a thread that fails at this is closed too
    await pool?.close();
  }

  private async begin(): Promise<void> {
    const limits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const pool: NonNullable<typeof this.pool> = new Pool(1, MODULE, this.settings, limits, (why) => {
      if (this.pool === pool) this.lost(pool, why); // else the task here fails
    });
    this.restarts.begun();
    try {
      this.address = await pool.run("address");
      this.pool = pool;
      this.readyAt = performance.now();
    } catch (e) {
      this.restarts.ended();
      await pool.close();
      throw e;
    }
  }

  private lost(pool: NonNullable<typeof this.pool>, why: Error): void {
    this.pool = null;
    if (performance.now() - this.readyAt > STEADY_MS) this.restarts.ready();
    this.restarts.ended();
    this.log("page-lost", faultOf(why));
    this.beginning = this.beginAgain(pool);
  }

  private async beginAgain(lost: Pool<"address" | "close", string>): Promise<void> {
    await lost.close(); // it no longer listens
    const { signal } = this.closing;
    while (this.pool === null && !signal.aborted) {
      await sleep(this.restarts.restMs(), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.begin();
        this.log("page-started-again", { address: this.address });
      } catch (e) {
        this.log("page-failed", e instanceof KesselError ? { says: e.message } : faultOf(e));
      }
    }
  }
}
