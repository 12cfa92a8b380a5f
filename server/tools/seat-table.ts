import { randomBytes } from "node:crypto";
import { roster } from "../../agents/roster.js";
import { type Game, gameType, KesselError, loadGame, oneOf, resolveOptions, shown } from "../../env/index.js";
import { type OpenSession, resumeSession, startSession } from "../session/open.js";
import type { SessionStore } from "../session/store.js";
import { TextSeat } from "../text/decision.js";
import { seatNames } from "./describe-games.js";

/** Games open at once; the one that was touched longest ago is closed for another, and opened again when it is asked for. */
const MOST_OPEN = 1024;

/** A game between one client and agents, with the client's seat. */
export interface SeatedGame {
  readonly open: OpenSession;
  /** The client's player, by index. */
  readonly player: number;
  readonly text: TextSeat;
}

interface Entry extends SeatedGame {
  /** What was asked before: requests to one game are answered one after the other. */
  turn: Promise<unknown>;
}

/** Where tools find their games. */
export type Seats = Pick<SeatTable, "begin" | "with">;

/** Games of language models against agents. Each is kept on disk, so that it goes on after a restart of client or server. */
export class SeatTable {
  private readonly entries = new Map<string, Promise<Entry>>();

  constructor(private readonly store: SessionStore) {}

  /**
   * Begins a game and plays on to the client's first decision.
   *
   * @param opponent short name of an agent of the roster, for all other seats; null for the strongest level
   * @param seed of the dice; null for one that is drawn
   * @returns id of the session
   * @throws KesselError `unknown-game`, `bad-option`, `bad-seat`, `bad-agent`
   */
  async begin(
    gameId: string,
    seat: string | null,
    opponent: string | null,
    options: Readonly<Record<string, unknown>>,
    seed: string | null = null,
  ): Promise<string> {
    const type = gameType(gameId);
    const game = loadGame(type.id, options);
    const mine = seatOf(game, seat);
    const others = game.players.filter((p) => p !== mine);
    const agents = Object.fromEntries(others.map((p) => [p, opponentOf(game, p, opponent)]));
    const open = await startSession(this.store, {
      game: type.id,
      options: resolveOptions(type, options),
      seats: { [mine]: "human", ...agents },
      seed: seed ?? randomBytes(12).toString("hex"),
    });
    const { id } = open.header;
    const entry = seated(open, 0);
    this.makeRoom();
    this.entries.set(id, Promise.resolve(entry));
    await this.with(id, ({ open: { session } }) => session.advance());
    return id;
  }

  /**
   * Does something with a game, after everything that was asked of it before.
   *
   * @throws KesselError `bad-session` when there is no such game, or it is not one client's against agents
   */
  async with<T>(id: string, use: (game: SeatedGame) => Promise<T> | T): Promise<T> {
    const entry = await this.entry(id);
    const answer = entry.turn.then(() => use(entry));
    entry.turn = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    const all = [...this.entries.values()];
    this.entries.clear();
    for (const entry of all) await closed(entry);
  }

  private async entry(id: string): Promise<Entry> {
    const known = this.entries.get(id);
    if (known !== undefined) {
      this.entries.delete(id);
      this.entries.set(id, known); // touched last
      return known;
    }
    this.makeRoom();
    const opening = this.reopen(id);
    this.entries.set(id, opening);
    opening.catch(() => this.entries.delete(id));
    return opening;
  }

  private async reopen(id: string): Promise<Entry> {
    const open = await resumeSession(this.store, id, () => {
      throw new KesselError(
        "bad-session",
        "a game with an owner's data is played in the terminal (kessel play --resume)",
      );
    });
    try {
      const entry = seated(open);
      await open.session.advance();
      return entry;
    } catch (e) {
      await open.close();
      throw e;
    }
  }

  private makeRoom(): void {
    if (this.entries.size < MOST_OPEN) return;
    const [oldest, entry] = this.entries.entries().next().value!;
    this.entries.delete(oldest);
    void closed(entry);
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

/** @param told entries of the client's log that need not be told again; default all */
function seated(open: OpenSession, told?: number): Entry {
  const people = open.session.seats.flatMap((who, player) => (who === "human" ? [player] : []));
  if (people.length !== 1)
    throw new KesselError("bad-session", `session ${open.header.id} has ${people.length} people; tools play for one`);
  const player = people[0]!;
  return {
    open,
    player,
    text: new TextSeat(open.session, player, told ?? open.session.log(player).length),
    turn: Promise.resolve(),
  };
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
