import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenSession } from "../session/open.js";
import type { TablePuzzle } from "./learn/puzzle.js";
import type { BaseCache } from "./picture.js";
import { ReviewThreads } from "./review/threads.js";
import type { Branch } from "./review.js";
import type { SeatMakers } from "./seat-makers.js";
import { Table } from "./table.js";

/** The tables that somebody sits at, and some that nobody does any more: closed when there are too many. */
export class OpenTables {
  private readonly threads = new ReviewThreads();
  private readonly byId = new Map<string, Promise<Table>>();

  /**
   * @param most tables kept open at once; those that nobody looks at are closed first
   * @param branch makes a game that goes on from another
   */
  constructor(
    private readonly bases: BaseCache,
    private readonly most: number,
    private readonly seats: SeatMakers,
    private readonly branch: Branch,
    private readonly log: (what: string, about: Readonly<Record<string, unknown>>) => void,
  ) {}

  /** The table of an id. @param opens makes it where none is open */
  at(id: string, opens: () => Promise<Table>): Promise<Table> {
    let opening = this.byId.get(id);
    if (opening === undefined) {
      opening = opens();
      this.byId.set(id, opening);
      opening.catch(() => this.byId.delete(id));
      void this.trim(); // not awaited: nobody sits here yet
    }
    return opening;
  }

  /** Opens a table, in place of another of that id. */
  open(id: string, session: OpenSession): void {
    this.byId.set(id, Promise.resolve(this.table(session)));
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  table(open: OpenSession, puzzle: TablePuzzle | null = null): Table {
    const { threads, branch, log } = this;
    const { advisor, quick } = this.seats;
    open.file.group(({ code }) => {
      log("session-not-saved", { game: open.header.game, code });
      table.tellUnsaved();
    });
    const done = (): void => void this.putAway(open.header.id, table);
    const table = new Table(open, this.bases, { advisor, quick, branch, threads, log, done }, puzzle);
    return table;
  }

  /** Closes tables that nobody looks at, those first that were opened first, while there are too many. */
  async trim(): Promise<void> {
    if (this.byId.size <= this.most) return;
    for (const id of this.byId.keys()) {
      if (this.byId.size <= this.most) return;
      await this.letGo(id);
    }
  }

  /** Closes a table unless somebody looks at it. */
  async letGo(id: string): Promise<void> {
    const opening = this.byId.get(id);
    const table = await opening?.catch(() => null);
    if (!table || table.watched) return;
    await nextTurn(); // whoever has just found it sits down before
    if (table.watched || this.byId.get(id) !== opening) return;
    await this.putAway(id, table);
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.byId.values());
    this.byId.clear();
    await Promise.all(all.map((t) => (t.status === "fulfilled" ? t.value.close() : undefined)));
    await this.threads.close();
  }

  /** Lets a table go. Later requests get another; a failure here does not reach the request that made room. */
  private async putAway(id: string, table: Table): Promise<void> {
    this.byId.delete(id);
    try {
      await table.close();
    } catch (e) {
      this.log("table-not-closed", { name: e instanceof Error ? e.name : "unknown" });
    }
  }
}
