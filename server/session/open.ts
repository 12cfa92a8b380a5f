import { importGame } from "../../agents/import-game.js";
import { canPlay } from "../../agents/agent.js";
import { makeAgent } from "../../agents/registry.js";
import { type Game, type GameData, type JsonObject, KesselError, oneOf, type Options, shown } from "../../env/index.js";
import { GameCache, KESSEL } from "../threads/library.js";
import { checkFits, dataDigest, seatSeed, seatsOf, type SessionHeader, type SessionLine } from "./record.js";
import { type Seat, Session } from "./session.js";
import type { SessionFile } from "./session-file.js";
import { newId, type SessionStore } from "./store.js";

/** Games are loaded once for all sessions, so that agents share their nets too. */
export const GAMES_HERE = new GameCache(KESSEL);

/** A game between people and agents that is kept on disk. */
export interface OpenSession {
  readonly session: Session;
  readonly header: SessionHeader;
  readonly file: SessionFile;
  /** Lets go of the file and of the agents. */
  close(): Promise<void>;
}

export interface NewSession {
  readonly game: string;
  readonly options: Options;
  /** `human` or an agent's name, by side; sides not named are human. */
  readonly seats: Readonly<Record<string, string>>;
  readonly seed: string;
  /** The owner's data and their folder. */
  readonly data?: { readonly dir: string; readonly files: GameData };
  readonly links?: Readonly<Record<string, string>>;
  /** Where the game begins, if not at its start. */
  readonly position?: JsonObject;
  /** It is the game's lesson. */
  readonly lesson?: boolean;
}

/** Makes an agent for a seat. The page makes costly ones in threads of their own. */
export type SeatMaker = (who: string, game: Game, seed: string) => Promise<Seat>;

export const seatHere: SeatMaker = async (who, game, seed) =>
  who === "human" ? "human" : makeAgent(who, { game, seed, connect: true });

/** @throws KesselError for an unknown game, seat, option or agent; nothing is kept then */
export async function startSession(
  store: SessionStore,
  wanted: NewSession,
  makeSeat: SeatMaker = seatHere,
): Promise<OpenSession> {
  const type = await importGame(wanted.game);
  const game = GAMES_HERE.game({ game: type.id, options: wanted.options, data: wanted.data?.files });
  checkSeats(game, Object.keys(wanted.seats));
  const names = Object.fromEntries(game.players.map((p) => [p, wanted.seats[p] ?? "human"]));
  const seats = await seatsFor(game, names, wanted.seed, 0, makeSeat);
  const header: SessionHeader = {
    kessel: "session",
    format: 1,
    id: newId(),
    game: type.id,
    version: type.version,
    options: { ...game.options },
    seed: wanted.seed,
    seats: names,
    created: new Date().toISOString(),
    data: wanted.data === undefined ? null : { dir: wanted.data.dir, digest: dataDigest(wanted.data.files) },
    ...(wanted.links === undefined ? {} : { links: { ...wanted.links } }),
    ...(wanted.position === undefined ? {} : { position: wanted.position }),
    ...(wanted.lesson === true ? { lesson: true } : {}),
  };
  try {
    // the file last, so that it needn't be taken away where the position can't be read
    const keeper = { append: (line: SessionLine) => file.append(line) };
    const session = new Session(game, seats, wanted.seed, keeper, wanted.position);
    const file = store.create(header);
    return opened(session, header, file);
  } catch (e) {
    await closeSeats(seats);
    throw e;
  }
}

/**
 * Goes on with a session: the same game, options, seed, seats and agents.
 *
 * @param readData reads the owner's data from the folder that the header names
 * @throws KesselError `bad-session`, or as `startSession`
 */
export async function resumeSession(
  store: SessionStore,
  id: string,
  readData: (game: string, dir: string) => GameData,
  makeSeat: SeatMaker = seatHere,
): Promise<OpenSession> {
  const stored = store.open(id);
  const { header, lines, file } = stored;
  let seats: Seat[] = [];
  try {
    const type = await importGame(header.game);
    const replaced = header.data === null ? undefined : readData(header.game, header.data.dir);
    if (header.data !== null && dataDigest(replaced!) !== header.data.digest)
      throw new KesselError("bad-session", `the data in ${header.data.dir} have changed since session ${id} was begun`);
    const game = GAMES_HERE.game({ game: type.id, options: header.options, data: replaced });
    checkFits(header, game);
    seats = await seatsFor(game, seatsOf(stored), header.seed, lines.length, makeSeat);
    const session = new Session(game, seats, header.seed, file, header.position as JsonObject | undefined);
    session.resume(lines);
    return opened(session, header, file);
  } catch (e) {
    file.close();
    await closeSeats(seats);
    throw e;
  }
}

function opened(session: Session, header: SessionHeader, file: SessionFile): OpenSession {
  const close = async (): Promise<void> => {
    file.close();
    session.handBackAll();
    await closeSeats(session.seats);
  };
  return { session, header, file, close };
}

async function closeSeats(seats: readonly Seat[]): Promise<void> {
  for (const seat of seats) if (seat !== "human") await seat.close?.();
}

/** @throws KesselError `bad-seat` */
export function checkSeats(game: Game, names: readonly string[]): void {
  const wrong = names.find((s) => !game.players.includes(s));
  if (wrong !== undefined)
    throw new KesselError("bad-seat", `${game.type.id} has no seat ${shown(wrong)}; seats are ${oneOf(game.players)}`);
}

async function seatsFor(
  game: Game,
  names: Readonly<Record<string, string>>,
  seed: string,
  decisions: number,
  makeSeat: SeatMaker,
): Promise<Seat[]> {
  const seats: Seat[] = [];
  try {
    for (const [i, p] of game.players.entries()) {
      const seat = await makeSeat(names[p]!, game, seatSeed(seed, p, decisions));
      seats.push(seat);
      if (seat !== "human" && !canPlay(seat, i)) throw new KesselError("bad-seat", `${seat.name} does not play ${p}`);
    }
    return seats;
  } catch (e) {
    await closeSeats(seats);
    throw e;
  }
}
