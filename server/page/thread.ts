import { Pool } from "../../training/report/pool.js";

/** What a page in a thread is started with. */
export interface PageThreadStart {
  readonly port: number;
  readonly host: string;
  /** Folder of recorded games. */
  readonly games?: string;
  /** Folder of training runs. */
  readonly runs?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** MB of the page's thread for what lives no longer than a move: with less, frames are copied while they are made. */
const YOUNG_MB = 48;

/** The play page in a thread of its own: what happens there holds up no batch, and no batch holds it up. */
export class PageThread {
  private constructor(
    private readonly pool: Pool<"address" | "close", string>,
    readonly address: string,
  ) {}

  /** @throws KesselError as `PageServer.start` */
  static async start(start: PageThreadStart): Promise<PageThread> {
    const module = new URL("./thread-worker.ts", import.meta.url);
    const pool = new Pool<"address" | "close", string>(1, module, start, { maxYoungGenerationSizeMb: YOUNG_MB });
    try {
      return new PageThread(pool, await pool.run("address"));
    } catch (e) {
      await pool.close();
      throw e;
    }
  }

  async close(): Promise<void> {
    await this.pool.run("close").catch(() => undefined); // a thread that has failed is closed already
    await this.pool.close();
  }
}
