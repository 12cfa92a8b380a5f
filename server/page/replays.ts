import { KesselError, parseReplay, type Replay } from "../../env/index.js";
import { type GameFilter, Library, type RecordedGame } from "../session/library.js";
import { openRecorded } from "../session/recorded.js";
import { linkOf } from "../session/store.js";
import { OpenedReplays } from "./opened-files.js";
import type { OpenTables } from "./open-tables.js";
import type { Pace } from "./pace.js";

/** Recorded games that are listed at once. */
const MOST_LISTED = 50;
/** Tables of opened files that are kept ready while nobody looks at them. */
const MOST_READY = 8;

/** Finished games that can be looked back at: those of a folder, and those opened from files. */
export class Replays {
  private readonly opened = new OpenedReplays();
  /** Links whose tables were opened here, the latest last. */
  private ready: string[] = [];
  private readonly library: Library | null;

  /** @param folder of recorded games that everybody who opens the page may look back at */
  constructor(
    folder: string | undefined,
    private readonly tables: OpenTables,
    private readonly pace: Pace,
  ) {
    this.library = folder === undefined ? null : new Library(folder);
  }

  /**
   * Opens the replay of a finished game, to look back at it. It stays until the server stops or many others have come.
   *
   * @param text of the file
   * @param from who opens it: a guest's address
   * @returns the secret of its link, the same for the same text
   * @throws KesselError `limit`, `bad-replay`
   */
  async open(text: string, from: string): Promise<string> {
    this.pace.check();
    this.pace.note();
    let doc: unknown;
    try {
      doc = JSON.parse(text);
    } catch {
      throw new KesselError("bad-replay", "this file is no replay: it is not JSON");
    }
    const replay = parseReplay(doc);
    const link = linkOf(text);
    if (!this.tables.has(link)) this.tables.open(link, openRecorded(replay, link));
    this.opened.keep(link, text, from);
    this.ready = [...this.ready.filter((l) => l !== link && this.tables.has(l)), link];
    for (const old of this.ready.slice(0, -MOST_READY)) await this.tables.letGo(old);
    await this.tables.trim();
    return link;
  }

  /** The replay that a link leads to. */
  async find(link: string): Promise<Replay | null> {
    const opened = this.opened.find(link);
    if (opened !== null) return opened;
    if (this.library === null) return null;
    const known = await this.library.replay(link);
    if (known !== null) return known;
    await this.library.list(); // the link may be older than this server, or the game newer than the last list
    return this.library.replay(link);
  }

  /** Finished games of the folder that is served, the first of those that fit; null where none is. */
  async list(filter: GameFilter): Promise<{ readonly total: number; readonly games: readonly RecordedGame[] } | null> {
    if (this.library === null) return null;
    const games = (await this.library.list(filter)).filter((g) => g.won !== null);
    return { total: games.length, games: games.slice(0, MOST_LISTED) };
  }
}
