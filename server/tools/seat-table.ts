import { importGame } from "../../agents/import-game.js";
import { randomBytes } from "node:crypto";
import { roster } from "../../agents/roster.js";
import { type Game, type GameType, KesselError, loadGame, oneOf, resolveOptions, shown } from "../../env/index.js";
import { seatInThread } from "../session/agent-thread.js";
import { type OpenSession, resumeSession, startSession } from "../session/open.js";
import type { SessionStore } from "../session/store.js";
import { TextSeat } from "../text/decision.js";
import { seatNames } from "./describe-games.js";

/**
 * Games open at once, more only while they are in use; the one that was touched longest ago is closed for another, and
 * opened again when it is asked for. Where none is kept only those that are over make room, and beyond that none is
 * begun.
 */
const MOST_OPEN = 1024;

/** Milliseconds between two tries to write what the disk has refused. */
const RETRY_MS = 2000;

/** A game with one of the client's seats. */
export interface SeatedGame {
  readonly open: OpenSession;
  /** The client's player, by index. */
  readonly player: number;
  readonly text: TextSeat;
  /** What the client names it by: the session's id, with the side where several seats are the client's. */
  readonly name: string;
}

interface Entry {
  readonly open: OpenSession;
  /** By side: one against agents, or all that there are. */
  readonly seats: ReadonlyMap<string, SeatedGame>;
  /** What was asked before: requests to one game are answered one after the other. */
  turn: Promise<unknown>;
}

/** A game in the table. */
interface Place {
  readonly entry: Promise<Entry>;
  /** Null until it is open. */
  open: OpenSession | null;
  /** Requests under way: while there are any it is not closed, or what they do would be kept nowhere. */
  users: number;
}

/** Where tools find their games. */
export type Seats = Pick<SeatTable, "begin" | "beginForAll" | "with">;

/**
 * Games of language models, against agents or each other. Each is kept on disk, so that it goes on after a restart of
 * client or server.
 */
export class SeatTable {
  /** By id, the one that was touched longest ago first. */
  private readonly places = new Map<string, Place>();
  /** Games that are being closed: until they are, their files can't be opened again. */
  private readonly closing = new Map<string, Promise<void>>();
  /** Games that are being begun, without an id yet. */
  private readonly starting = new Set<Promise<unknown>>();
  private ended = false;
  private retrying: NodeJS.Timeout | null = null;

  /**
   * @param allSeats true when a client may continue a game in which it has all seats. A client that names a seat then
   *   reads what its side knows
   */
  constructor(
    private readonly store: SessionStore,
    private readonly allSeats = false,
    private readonly most = MOST_OPEN,
  ) {}

  /**
   * Begins a game and plays on to the client's first decision.
   *
   * @param opponent short name of an agent of the roster, for all other seats; null for the strongest level
   * @param seed of the dice; null for one that is drawn
   * @returns id of the session
   * @throws KesselError `unknown-game`, `bad-option`, `bad-seat`, `bad-agent`, `limit`
   */
  async begin(
    gameId: string,
    seat: string | null,
    opponent: string | null,
    options: Readonly<Record<string, unknown>>,
    seed: string | null = null,
  ): Promise<string> {
    const type = await importGame(gameId);
    const game = loadGame(type.id, options);
    const mine = seatOf(game, seat);
    const others = game.players.filter((p) => p !== mine);
    if (opponent !== null && others.length === 0)
      throw new KesselError("bad-agent", `${type.id} is a game for one; leave the opponent out`);
    const agents = Object.fromEntries(others.map((p) => [p, opponentOf(game, p, opponent)]));
    return this.start(type, { [mine]: "human", ...agents }, options, seed);
  }

  /**
   * Begins a game whose seats are all the client's.
   *
   * @returns by side, the session as that side's player names it: `ID/SIDE`
   * @throws KesselError `unknown-game`, `bad-option`, `limit`
   */
  async beginForAll(
    gameId: string,
    options: Readonly<Record<string, unknown>>,
    seed: string | null = null,
  ): Promise<Record<string, string>> {
    const type = await importGame(gameId);
    const { players } = loadGame(type.id, options);
    const id = await this.start(type, Object.fromEntries(players.map((p) => [p, "human"])), options, seed);
    return Object.fromEntries(players.map((p) => [p, `${id}/${p}`]));
  }

  /**
   * Does something with a game, after everything that was asked of it before.
   *
   * @param session its id, or `ID/SIDE`, needed where several seats are the client's
   * @throws KesselError `bad-session` when there is no such game, or no such seat of the client's
   */
  async with<T>(session: string, use: (game: SeatedGame) => Promise<T> | T): Promise<T> {
    const slash = session.indexOf("/");
    const [id, side] = slash < 0 ? [session, null] : [session.slice(0, slash), session.slice(slash + 1)];
    const place = this.place(id);
    return this.during(place, async () => {
      const entry = await place.entry;
      const game = seatAt(entry, side);
      const answer = entry.turn.then(() => use(game));
      entry.turn = answer.catch(() => undefined);
      return answer;
    });
  }

  private async start(
    type: GameType,
    seats: Readonly<Record<string, string>>,
    options: Readonly<Record<string, unknown>>,
    seed: string | null,
  ): Promise<string> {
    this.checkRoom();
    const wanted = {
      game: type.id,
      options: resolveOptions(type, options),
      seats,
      seed: seed ?? randomBytes(12).toString("hex"),
    };
    const begun = startSession(this.store, wanted, seatInThread).then((open) => this.seat(open));
    this.starting.add(begun);
    const { open, entry, place } = await begun.finally(() => this.starting.delete(begun));
    await this.during(place, () => {
      const advanced = open.session.advance();
      entry.turn = advanced.catch(() => undefined);
      return advanced;
    });
    return open.header.id;
  }

  private seat(open: OpenSession) {
    const entry = seated(open, 0);
    const place: Place = { entry: Promise.resolve(entry), open, users: 0 };
    this.places.set(open.header.id, place);
    return { open, entry, place };
  }

  /** Closes all games, those that are just being begun too. None is begun or opened after that. */
  async close(): Promise<void> {
    this.ended = true;
    if (this.retrying !== null) clearInterval(this.retrying);
    await Promise.allSettled(this.starting);
    const all = [...this.places.values()];
    this.places.clear();
    for (const { entry } of all) await closed(entry);
    await Promise.all(this.closing.values());
  }

  private place(id: string): Place {
    const known = this.places.get(id);
    if (known !== undefined) {
      this.places.delete(id);
      this.places.set(id, known); // touched last
      return known;
    }
    this.checkOpen();
    const entry = (this.closing.get(id) ?? Promise.resolve()).then(() => this.reopen(id));
    const place: Place = { entry, open: null, users: 0 };
    this.places.set(id, place);
    entry.then(
      ({ open }) => (place.open = open),
      () => this.places.delete(id),
    );
    return place;
  }

  /** Uses a game; what came to be too much is closed afterwards, so that a game that can't be opened closes none. */
  private async during<T>(place: Place, use: () => Promise<T>): Promise<T> {
    place.users++;
    try {
      return await use();
    } finally {
      place.users--;
      this.makeRoom();
      if (place.open?.file.retry() === false) this.retry();
    }
  }

  private async reopen(id: string): Promise<Entry> {
    const ofOwner = (): never => {
      throw new KesselError(
        "bad-session",
        "a game with an owner's data is played in the terminal (kessel play --resume)",
      );
    };
    const open = await resumeSession(this.store, id, ofOwner, seatInThread);
    try {
      const people = open.session.seats.filter((who) => who === "human").length;
      if (people !== 1 && !this.allSeats)
        throw new KesselError("bad-session", `session ${id} has ${people} people; tools play for one`);
      const entry = seated(open);
      await open.session.advance();
      return entry;
    } catch (e) {
      await open.close();
      throw e;
    }
  }

  /** @throws KesselError `closed` */
  private checkOpen(): void {
    if (this.ended) throw new KesselError("closed", "the server of this game ends");
  }

  /** True when there is room for one more game. @throws KesselError `limit`, `closed` */
  private checkRoom(): void {
    this.checkOpen();
    if (this.store.keeps) return;
    const lasting = [...this.places.values()].filter((place) => !this.mayClose(place)).length;
    if (lasting + this.starting.size >= this.most)
      throw new KesselError(
        "limit",
        `${this.most} games are under way, and none is kept that would be closed; play or resign one of them first`,
      );
  }

  /** A game that is kept nowhere, or not in whole, would be lost while it goes on. */
  private mayClose({ users, open }: Place): boolean {
    return users === 0 && (this.store.keeps ? open === null || open.file.retry() : open?.session.over === true);
  }

  /** Tries from time to time to write what the disk has refused, until all is there. */
  private retry(): void {
    this.retrying ??= setInterval(() => {
      if ([...this.places.values()].some(({ open }) => open?.file.retry() === false)) return;
      clearInterval(this.retrying!);
      this.retrying = null;
    }, RETRY_MS).unref();
  }

  /** Closes games that nobody uses, until no more are open than may be. */
  private makeRoom(): void {
    for (const [id, place] of this.places) {
      if (this.places.size <= this.most) return;
      if (!this.mayClose(place)) continue;
      const { entry } = place;
      this.places.delete(id);
      this.closing.set(
        id,
        closed(entry).finally(() => this.closing.delete(id)),
      );
    }
  }
}

async function closed(entry: Promise<Entry>): Promise<void> {
  try {
    const { open, turn } = await entry;
    await turn;
    await open.close();
  } catch {
    return; // it never opened, so there is nothing to close
  }
}

/**
 * @param seen entries of the clients' logs that need not be sent again; default all
 */
function seated(open: OpenSession, seen?: number): Entry {
  const { session, header } = open;
  const seats = new Map<string, SeatedGame>();
  const mine = session.seats.flatMap((who, player) => (who === "human" ? [player] : []));
  for (const player of mine) {
    const side = session.game.players[player]!;
    const text = new TextSeat(session, player, seen ?? session.log(player).length);
    const name = mine.length > 1 ? `${header.id}/${side}` : header.id;
    seats.set(side, { open, player, text, name });
  }
  return { open, seats, turn: Promise.resolve() };
}

/** @param side null for the only one @throws KesselError `bad-session` */
function seatAt({ open, seats }: Entry, side: string | null): SeatedGame {
  const { id } = open.header;
  const [only] = seats.values();
  const found = side === null ? (seats.size === 1 ? only : undefined) : seats.get(side);
  if (found !== undefined) return found;
  const names = [...seats.keys()].map((s) => `${id}/${s}`);
  throw new KesselError("bad-session", `name the seat that you play with the session: ${oneOf(names)}`);
}

/** A seat by its id or the name of its side; in a game for one it need not be named. @throws KesselError `bad-seat` */
function seatOf(game: Game, wanted: string | null): string {
  if (wanted === null && game.players.length === 1) return game.players[0]!;
  const names = seatNames(game);
  if (wanted === null) throw new KesselError("bad-seat", `say which seat you take: ${oneOf(names)}`);
  const lower = wanted.toLowerCase();
  const found = game.players.filter(
    (p, i) => p.toLowerCase() === lower || names[i]!.toLowerCase().endsWith(` (${lower})`),
  );
  if (found.length === 1) return found[0]!;
  throw new KesselError("bad-seat", `${game.type.id} has no seat ${shown(wanted)}; seats are ${oneOf(names)}`);
}

/** An agent by its short name, of those that play a seat; never by path or address. @throws KesselError `bad-agent` */
function opponentOf(game: Game, seat: string, name: string | null): string {
  const player = game.players.indexOf(seat);
  const all = roster(game).filter((e) => e.players.includes(player));
  const strongest = all.filter((e) => e.kind === "level").at(-1) ?? all[0]!;
  const found = name === null ? strongest : all.find((e) => e.short === name || e.name === name);
  if (found === undefined)
    throw new KesselError(
      "bad-agent",
      `nobody called ${shown(name)} plays ${seat}; there are ${oneOf(
        all.map((e) => e.short),
        20,
      )}`,
    );
  return found.name;
}
