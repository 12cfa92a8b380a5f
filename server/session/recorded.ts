import type { Agent } from "../../agents/agent.js";
import { gameType, InvariantError, KesselError, playReplay, type Replay } from "../../env/index.js";
import { GAMES_HERE, type OpenSession } from "./open.js";
import type { SessionHeader } from "./record.js";
import { type Seat, Session } from "./session.js";
import { NullStore } from "./store.js";

/**
 * Opens a finished game from its replay, to look back at it: nobody plays in it, nothing of it is kept on disk, and no
 * agent that it names is made.
 *
 * @param id letters and digits
 * @throws KesselError `bad-replay` for a replay that does not play as recorded, of another version, or of a game that
 *   goes on
 */
export function openRecorded(replay: Replay, id: string): OpenSession {
  const type = gameType(replay.game);
  // a position may bring a map and counters of its own
  const shared =
    replay.position === undefined ? GAMES_HERE.game({ game: type.id, options: { ...replay.options } }) : undefined;
  const { game, terminated } = playReplay(type, replay, undefined, null, shared);
  if (!terminated && replay.resigned === undefined)
    throw new KesselError(
      "bad-replay",
      `this game of ${type.title} is not over after ${replay.actions.length} decisions; only finished games can be looked back at (kessel play --resume FILE continues it)`,
    );
  const seats = Object.fromEntries(game.players.map((p) => [p, replay.agents?.[p] ?? "human"]));
  const header: SessionHeader = {
    kessel: "session",
    format: 1,
    id,
    game: type.id,
    version: type.version,
    options: { ...game.options },
    seed: replay.seed,
    seats,
    created: new Date().toISOString(),
    data: null,
    ...(replay.position === undefined ? {} : { position: replay.position }),
  };
  const file = new NullStore().create(header);
  const sat = game.players.map((p) => recorded(seats[p]!));
  const session = new Session(game, sat, replay.seed, file, replay.position, replay.dice);
  const end = replay.resigned === undefined ? [] : [{ resign: replay.resigned }];
  session.resume([...replay.actions.map((action) => ({ do: action })), ...end]);
  return { session, header, file, close: () => Promise.resolve() };
}

/** Who sat there: a name. */
const recorded = (name: string): Seat =>
  name === "human"
    ? name
    : ({
        name,
        act: () => {
          throw new InvariantError("a recorded game is over; nobody decides in it");
        },
      } satisfies Agent);
