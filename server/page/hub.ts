import { randomBytes } from "node:crypto";
import {
  EVERYTHING,
  type Game,
  gameType,
  type JsonObject,
  KesselError,
  resolveOptions,
  SPECTATOR,
  briefingFor,
} from "../../env/index.js";
import { checkSeats, type OpenSession, resumeSession, startSession } from "../session/open.js";
import { openRecorded } from "../session/recorded.js";
import { newId, type SessionStore } from "../session/store.js";
import { GameCache, KESSEL } from "../threads/library.js";
import type { NewGame, Rematch } from "./frame.js";
import { lessonOf, lessonStart } from "./learn/lesson.js";
import { openPuzzle, puzzleAt, TablePuzzle } from "./learn/puzzle.js";
import { Lobby, namesOf } from "./lobby.js";
import { offer, offered } from "./offers.js";
import { OpenTables } from "./open-tables.js";
import { Pace } from "./pace.js";
import { BaseCache } from "./picture.js";
import { Replays } from "./replays.js";
import type { Branch } from "./review.js";
import type { RunShelf } from "./runs/run-library.js";
import { SeatMakers } from "./seat-makers.js";
import { ServedRuns } from "./served-runs.js";
import type { Table } from "./table.js";

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

/** The games that people make on the page, and where each link leads. */
export class Hub {
  readonly bases = new BaseCache();
  readonly lobby: Lobby;
  readonly tables: OpenTables;
  readonly replays: Replays;
  readonly runs: ServedRuns;
  private readonly seats: SeatMakers;
  private readonly pace: Pace;
  private readonly places = new Map<string, Place>();
  private readonly loaded = new GameCache(KESSEL);

  constructor(private readonly options: HubOptions) {
    const { code, store, games, runs, openSessions, newPerMinute, log } = options;
    this.lobby = new Lobby(code);
    this.pace = new Pace(newPerMinute);
    this.seats = new SeatMakers(runs);
    const branch: Branch = ({ session, header }, state, seats) =>
      this.create({ game: header.game, options: header.options, seats }, session.game.write(state));
    this.tables = new OpenTables(this.bases, openSessions, this.seats, branch, log);
    this.replays = new Replays(games, this.tables, this.pace);
    this.runs = new ServedRuns(runs, this.loaded, this.bases, this.replays, this.pace);
    for (const { id, record } of store.list())
      for (const [seat, token] of Object.entries(record.header.links ?? {})) this.places.set(token, { id, seat });
  }

  /** A game with its default options. @throws KesselError `unknown-game` */
  standard(id: string): Game {
    return this.loaded.game({ game: id, options: resolveOptions(gameType(id), {}) });
  }

  /** Who can be chosen with these options. */
  agentsFor(id: string, options: Readonly<Record<string, string>>): unknown {
    const game = this.loaded.game({ game: id, options });
    const { briefings = [], lobby } = game.type;
    const minutes = briefingFor(briefings, game.players[0]!, game.options)?.minutes ?? lobby?.minutes ?? null;
    return { players: game.players, names: namesOf(game), agents: offered(game).map(offer), minutes };
  }

  /**
   * Makes a game.
   *
   * @param position where it begins, if not at the start; never from a browser
   * @returns secrets of the links to its seats, by side, and `watch`
   * @throws KesselError `limit`, `bad-agent` for an agent that is not on the list, `bad-seed` for one in a game
   *   between people, or as `startSession`
   */
  async create(wanted: NewGame, position?: JsonObject): Promise<Record<string, string>> {
    this.pace.check();
    const type = gameType(wanted.game);
    const options = resolveOptions(type, wanted.options);
    const game = this.loaded.game({ game: type.id, options });
    checkSeats(game, Object.keys(wanted.seats));
    const seats = Object.fromEntries(
      game.players.map((p, i) => [p, this.seats.named(game, i, wanted.seats[p] ?? "human")]),
    );
    const links: Record<string, string> = { watch: newId() };
    const people = game.players.filter((p) => seats[p] === "human");
    if (wanted.seed !== undefined && people.length > 1 && this.options.seeds !== true)
      throw new KesselError(
        "bad-seed",
        "the seed of a game between people is drawn: who chose it could compute what is hidden from the others",
      );
    for (const p of people) links[p] = newId();
    this.pace.note();
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
      this.seats.make,
    );
    this.adopt(open);
    await this.tables.trim();
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
   * Begins the lesson of a game.
   *
   * @returns the secret of the link to the learner's seat, by its side
   * @throws KesselError `limit`; `unsupported` for a game without a lesson
   */
  async createLesson(id: string): Promise<Record<string, string>> {
    this.pace.check();
    const type = gameType(id);
    const { seat, seed } = lessonOf(type);
    const { game, state } = lessonStart(type);
    const links = { [seat]: newId() };
    this.pace.note();
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
    await this.tables.trim();
    return links;
  }

  /** Serves a session that is open already, under the links of its header. */
  adopt(open: OpenSession): void {
    const { id, links } = open.header;
    for (const [seat, token] of Object.entries(links ?? {})) this.places.set(token, { id, seat });
    this.tables.open(id, open);
  }

  /**
   * The table that a link leads to, and who looks.
   *
   * @throws KesselError `bad-seat` for an unknown link, or as `resumeSession`
   */
  async find(token: string): Promise<{ readonly table: Table; readonly viewer: number }> {
    const { tables } = this;
    const place = this.places.get(token);
    const shelved = puzzleAt(token);
    if (shelved !== undefined) {
      const puzzle = shelved.book.puzzles[shelved.at]!;
      // one table for all who try it
      const table = await tables.at(token, async () => {
        const open = openPuzzle(this.loaded.game({ game: shelved.book.game, options: puzzle.options }), puzzle);
        return tables.table(open, new TablePuzzle(open, shelved));
      });
      return { table, viewer: table.players.indexOf(puzzle.side) };
    }
    if (place !== undefined) {
      const resumed = async (): Promise<Table> =>
        tables.table(await resumeSession(this.options.store, place.id, () => ({}), this.seats.make));
      const table = await tables.at(place.id, resumed);
      return { table, viewer: place.seat === "watch" ? SPECTATOR : table.players.indexOf(place.seat) };
    }
    const replay = await this.replays.find(token);
    if (replay === null)
      throw new KesselError(
        "bad-seat",
        "this link leads to no game here; one to a replay that was opened from a file lasts until the server stops",
      );
    return { table: await tables.at(token, async () => tables.table(openRecorded(replay, token))), viewer: EVERYTHING };
  }

  close(): Promise<void> {
    return this.tables.close();
  }
}
