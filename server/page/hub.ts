import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  EVERYTHING,
  type Game,
  gameType,
  type JsonObject,
  KesselError,
  oneOf,
  parseReplay,
  type Replay,
  resolveOptions,
  shown,
  SPECTATOR,
} from "../../env/index.js";
import {
  checkSeats,
  type OpenSession,
  resumeSession,
  type SeatMaker,
  seatHere,
  startSession,
} from "../session/open.js";
import { GameCache, KESSEL } from "../threads/library.js";
import { type GameFilter, Library, type RecordedGame } from "../session/library.js";
import { openRecorded } from "../session/recorded.js";
import { linkOf, newId, type SessionStore } from "../session/store.js";
import { ThreadAgent } from "./agent-thread.js";
import type { NewGame, Rematch } from "./frame.js";
import { lessonOf, lessonStart } from "./learn/lesson.js";
import { openPuzzle, puzzleAt, type Shelved, TablePuzzle } from "./learn/puzzle.js";
import { offer, offered } from "./offers.js";
import { Lobby, namesOf } from "./lobby.js";
import { BaseCache } from "./picture.js";
import { ReviewThreads } from "./review/threads.js";
import type { Branch } from "./review.js";
import { compareNets } from "./runs/compare.js";
import type { Comparison, NewComparison, RunView } from "./runs/runs-view.js";
import type { RunShelf } from "./runs/shelf.js";
import { Table } from "./table.js";

export interface HubOptions {
  /** Loads the code of all games. */
  readonly code: () => Promise<unknown>;
  readonly store: SessionStore;
  /** Sessions kept open at once; those that nobody looks at are closed first. */
  readonly openSessions: number;
  /** Sessions that may be made in a minute, by all together. */
  readonly newPerMinute: number;
  /** Folder of recorded games that everybody who opens the page may look back at. */
  readonly games?: string | undefined;
  /** Training runs that everybody who opens the page may watch. */
  readonly runs?: RunShelf | undefined;
  /** Games between people may be made with a seed, too: for tests. */
  readonly seeds?: true | undefined;
  readonly log: (what: string, about: Readonly<Record<string, unknown>>) => void;
}

export const HUB_DEFAULTS = { openSessions: 1000, newPerMinute: 300 } as const;

/** Where a link leads. */
interface Place {
  readonly id: string;
  /** A side, or `watch`. */
  readonly seat: string;
}

/** All sessions that the page serves: opened when somebody comes, closed when all have left. */
export class Hub {
  readonly bases = new BaseCache();
  private readonly threads = new ReviewThreads();
  readonly lobby: Lobby;
  private readonly places = new Map<string, Place>();
  private readonly tables = new Map<string, Promise<Table>>();
  private readonly loaded = new GameCache(KESSEL);
  /** Replays that were opened from files, by link; the latest last. */
  private readonly opened = new Map<string, Replay>();
  private readonly library: Library | null;
  private made: number[] = [];

  constructor(private readonly options: HubOptions) {
    this.lobby = new Lobby(options.code);
    this.library = options.games === undefined ? null : new Library(options.games);
    for (const { id, record } of options.store.list())
      for (const [seat, token] of Object.entries(record.header.links ?? {})) this.places.set(token, { id, seat });
  }

  /** A game with its default options. @throws KesselError `unknown-game` */
  standard(id: string): Game {
    return this.loaded.game({ game: id, options: resolveOptions(gameType(id), {}) });
  }

  /** Who can be chosen with these options. */
  agentsFor(id: string, options: Readonly<Record<string, string>>): unknown {
    const game = this.loaded.game({ game: id, options });
    return { players: game.players, names: namesOf(game), agents: offered(game).map(offer) };
  }

  /**
   * Makes a game.
   *
   * @param position where it begins, if not at the start; never from a browser
   * @returns secrets of the links to its seats, by side, and `watch`
   * @throws KesselError `limit`, `bad-agent` for an agent that is not on the list, `bad-seed` for one in a game between people, or as
   *   `startSession`
   */
  async create(wanted: NewGame, position?: JsonObject): Promise<Record<string, string>> {
    this.checkPace();
    const type = gameType(wanted.game);
    const options = resolveOptions(type, wanted.options);
    const game = this.loaded.game({ game: type.id, options });
    checkSeats(game, Object.keys(wanted.seats));
    const seats = Object.fromEntries(game.players.map((p, i) => [p, this.named(game, i, wanted.seats[p] ?? "human")]));
    const links: Record<string, string> = { watch: newId() };
    const people = game.players.filter((p) => seats[p] === "human");
    if (wanted.seed !== undefined && people.length > 1 && this.options.seeds !== true)
      throw new KesselError(
        "bad-seed",
        "the seed of a game between people is drawn: who chose it could compute what is hidden from the others",
      );
    for (const p of people) links[p] = newId();
    this.made.push(Date.now());
    const open = await startSession(
      this.options.store,
      {
        game: type.id,
        options,
        seats,
        seed: wanted.seed ?? randomBytes(16).toString("hex"),
        links,
        ...(position === undefined ? {} : { position }),
      },
      this.makeSeat,
    );
    this.adopt(open);
    await this.trim();
    return links;
  }

  /**
   * Begins another game after one that is over.
   *
   * @param token secret of the link to the seat that somebody has played
   * @returns the secret of the link to their seat in it
   * @throws KesselError `bad-seat`, `unsupported` where there is no such rematch, `limit`
   */
  async rematch(token: string, way: Rematch): Promise<string> {
    const { table, viewer } = await this.find(token);
    const found = table.rematches(viewer)[way];
    if (found === undefined)
      throw new KesselError("unsupported", `no rematch of this kind (${way}) follows from this game`);
    return (await this.create(found.game))[found.seat]!;
  }

  /**
   * Opens the replay of a finished game, to look back at it. It stays until the server stops or many others have come.
   *
   * @param text of the file
   * @returns the secret of its link, the same for the same text
   * @throws KesselError `limit`, `bad-replay`
   */
  async openReplay(text: string): Promise<string> {
    this.checkPace();
    this.made.push(Date.now());
    let doc: unknown;
    try {
      doc = JSON.parse(text);
    } catch {
      throw new KesselError("bad-replay", "this file is no replay: it is not JSON");
    }
    const replay = parseReplay(doc);
    const link = linkOf(text);
    this.opened.delete(link);
    if (!this.tables.has(link)) this.tables.set(link, Promise.resolve(this.table(openRecorded(replay, link))));
    this.opened.set(link, replay);
    if (this.opened.size > MOST_OPENED) this.opened.delete(this.opened.keys().next().value!);
    await this.trim();
    return link;
  }

  /**
   * Begins the lesson of a game.
   *
   * @returns the secret of the link to the learner's seat, by its side
   * @throws KesselError `limit`; `unsupported` for a game without a lesson
   */
  async createLesson(id: string): Promise<Record<string, string>> {
    this.checkPace();
    const type = gameType(id);
    const { seat, seed } = lessonOf(type);
    const { game, state } = lessonStart(type);
    const links = { [seat]: newId() };
    this.made.push(Date.now());
    const open = await startSession(this.options.store, {
      game: id,
      options: game.options,
      seats: {},
      seed,
      links,
      position: game.write(state),
      lesson: true,
    });
    this.adopt(open);
    await this.trim();
    return links;
  }

  /** Finished games of the folder that is served, the first of those that fit; null where none is. */
  async recorded(
    filter: GameFilter,
  ): Promise<{ readonly total: number; readonly games: readonly RecordedGame[] } | null> {
    if (this.library === null) return null;
    const games = (await this.library.list(filter)).filter((g) => g.won !== null);
    return { total: games.length, games: games.slice(0, MOST_LISTED) };
  }

  /** A run with its curves, and who can play in its game. @throws KesselError as `RunShelf.view` */
  run(name: string): RunView {
    const shelf = this.runs();
    const game = this.loaded.game(shelf.gameOf(name));
    const agents = offered(game).map(({ short, players }) => ({ short, players }));
    return { ...shelf.view(name, game), players: game.players, names: namesOf(game), agents };
  }

  /** The runs that are served. @throws KesselError `unsupported` where none are */
  runs(): RunShelf {
    const { runs } = this.options;
    if (runs === undefined)
      throw new KesselError("unsupported", "this server shows no training runs; kessel serve --runs DIR does");
    return runs;
  }

  /** Lets two nets of a run play, and asks both about every decision. @throws KesselError as `compareNets` */
  compare(asked: NewComparison): Promise<Comparison> {
    this.checkPace();
    return compareNets(this.runs(), asked, this.bases, (text) => this.openReplay(text));
  }

  /** @throws KesselError `limit` */
  private checkPace(): void {
    const now = Date.now();
    this.made = this.made.filter((t) => t > now - 60_000);
    if (this.made.length >= this.options.newPerMinute)
      throw new KesselError(
        "limit",
        `at most ${this.options.newPerMinute} games can be made in a minute; try again soon`,
      );
  }

  /** Serves a session that is open already, under the links of its header. */
  adopt(open: OpenSession): void {
    const { id, links } = open.header;
    for (const [seat, token] of Object.entries(links ?? {})) this.places.set(token, { id, seat });
    this.tables.set(id, Promise.resolve(this.table(open)));
  }

  /** The table that a link leads to, and who looks. @throws KesselError `bad-seat` for an unknown link, or as `resumeSession` */
  async find(token: string): Promise<{ readonly table: Table; readonly viewer: number }> {
    const place = this.places.get(token);
    const puzzle = puzzleAt(token);
    if (puzzle !== undefined) return this.findPuzzle(token, puzzle);
    const replay = place === undefined ? (this.opened.get(token) ?? (await this.fromLibrary(token))) : null;
    if (place === undefined && replay === null)
      throw new KesselError(
        "bad-seat",
        "this link leads to no game here; one to a replay that was opened from a file lasts until the server stops",
      );
    const id = place?.id ?? token;
    let opening = this.tables.get(id);
    if (opening === undefined) {
      opening = (
        place === undefined
          ? Promise.resolve(openRecorded(replay!, token))
          : resumeSession(this.options.store, place.id, () => ({}), this.makeSeat)
      ).then((open) => this.table(open));
      this.tables.set(id, opening);
      opening.catch(() => this.tables.delete(id));
      void this.trim(); // not awaited: nobody sits here yet
    }
    const table = await opening;
    if (place === undefined) return { table, viewer: EVERYTHING };
    return { table, viewer: place.seat === "watch" ? SPECTATOR : table.players.indexOf(place.seat) };
  }

  /** The table of a puzzle: one for all who try it. */
  private async findPuzzle(
    link: string,
    shelved: Shelved,
  ): Promise<{ readonly table: Table; readonly viewer: number }> {
    const puzzle = shelved.book.puzzles[shelved.at]!;
    let opening = this.tables.get(link);
    if (opening === undefined) {
      const game = this.loaded.game({ game: shelved.book.game, options: puzzle.options });
      const open = openPuzzle(game, puzzle);
      opening = Promise.resolve(this.table(open, new TablePuzzle(open, shelved)));
      this.tables.set(link, opening);
      void this.trim(); // as in `find`
    }
    const table = await opening;
    return { table, viewer: table.players.indexOf(puzzle.side) };
  }

  private async fromLibrary(link: string): Promise<Replay | null> {
    if (this.library === null) return null;
    const known = await this.library.replay(link);
    if (known !== null) return known;
    await this.library.list(); // the link may be older than this server, or the game newer than the last list
    return this.library.replay(link);
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.tables.values());
    this.tables.clear();
    await Promise.all(all.map((t) => (t.status === "fulfilled" ? t.value.close() : undefined)));
    await this.threads.close();
  }

  /** Search thinks in a thread of its own, so that it can be stopped and disturbs nobody; nets of runs lie in their folder. */
  private readonly makeSeat: SeatMaker = async (who, game, seed) => {
    if (who.startsWith("search")) return new ThreadAgent(who, game, seed);
    return who.startsWith("run:") ? this.runs().seat(who, game, seed) : seatHere(who, game, seed);
  };

  private table(open: OpenSession, puzzle: TablePuzzle | null = null): Table {
    const advisor = async (game: Game) => {
      const best =
        offered(game)
          .filter((e) => e.kind === "level")
          .at(-1) ?? offered(game)[0]!;
      return this.makeSeat(best.name, game, randomBytes(8).toString("hex"));
    };
    const quick = async (game: Game, player: number) => {
      const best = offered(game).find((e) => e.kind !== "search" && e.players.includes(player))!;
      return this.makeSeat(best.name, game, randomBytes(8).toString("hex"));
    };
    const branch: Branch = ({ session, header }, state, seats) =>
      this.create({ game: header.game, options: header.options, seats }, session.game.write(state));
    open.file.group(({ code }) => {
      this.options.log("session-not-saved", { game: open.header.game, code });
      table.tellUnsaved();
    });
    const { threads } = this;
    const done = (): void => void this.putAway(open.header.id, table);
    const table = new Table(open, this.bases, { advisor, quick, branch, threads, log: this.options.log, done }, puzzle);
    return table;
  }

  /** Lets a table go. Who asks for it from now on gets another; what fails here is no affair of who made room by it. */
  private async putAway(id: string, table: Table): Promise<void> {
    this.tables.delete(id);
    try {
      await table.close();
    } catch (e) {
      this.options.log("table-not-closed", { name: e instanceof Error ? e.name : "unknown" });
    }
  }

  /** Closes tables that nobody looks at, those first that were opened first, while there are too many. */
  private async trim(): Promise<void> {
    if (this.tables.size <= this.options.openSessions) return;
    for (const [id, opening] of this.tables) {
      if (this.tables.size <= this.options.openSessions) return;
      const table = await opening.catch(() => null);
      if (table === null || table.watched) continue;
      await nextTurn(); // whoever has just found it sits down before
      if (table.watched || this.tables.get(id) !== opening) continue;
      await this.putAway(id, table);
    }
  }

  /** The agent's full name for one from the list. Browsers name none by path or address. */
  private named(game: Game, player: number, who: string): string {
    if (who === "human" || (who.startsWith("run:") && this.options.runs?.has(who) === true)) return who;
    const list = offered(game).filter((e) => e.players.includes(player));
    const found = list.find((e) => e.short === who || e.name === who);
    if (found === undefined)
      throw new KesselError(
        "bad-agent",
        `${shown(who)} can't play here; there are ${oneOf(
          list.map((e) => e.short),
          20,
        )}`,
      );
    return found.name;
  }
}

/** Recorded games that are listed at once. */
const MOST_LISTED = 50;

/** Replays from files that are remembered. */
const MOST_OPENED = 100;
