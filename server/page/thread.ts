import { Pool } from "../../training/report/pool.js";

/** What a page in a thread is started with. */
export interface PageThreadStart {
  readonly port: number;
  readonly host: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** The play page in a thread of its own: what happens there holds up no batch, and no batch holds it up. */
export class PageThread {
  private constructor(
    private readonly pool: Pool<"address" | "close", string>,
    readonly address: string,
  ) {}

  /** @throws KesselError as `PageServer.start` */
  static async start(start: PageThreadStart): Promise<PageThread> {
    const pool = new Pool<"address" | "close", string>(1, new URL("./thread-worker.ts", import.meta.url), start);
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
