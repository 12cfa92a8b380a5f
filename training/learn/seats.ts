import { type Game, KesselError, shown } from "../../env/index.js";

/**
 * The players at the seats of a configuration.
 *
 * @param key the configuration's key, for the error
 *
 * @throws KesselError `bad-config` for a seat that the game doesn't have
 */
export const seatsOf = (game: Game, seats: readonly string[], key: string): number[] =>
  seats.map((seat) => {
    const p = game.players.indexOf(seat);
    if (p < 0)
      throw new KesselError(
        "bad-config",
        `configuration: ${key}: ${game.type.id} has the seats ${game.players.join(", ")}, not ${shown(seat)}`,
      );
    return p;
  });
