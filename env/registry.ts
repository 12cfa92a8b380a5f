import { KesselError, oneOf, shown } from "./core/errors.js";
import type { Game, GameData, GameType } from "./core/game.js";
import { resolveOptions } from "./core/options.js";
import { pocketStalingrad } from "./pocket-stalingrad/index.js";
import { nightFight } from "./night-fight/index.js";
import { savageStreets } from "./savage-streets/index.js";
import { streetsOfStalingrad } from "./streets-of-stalingrad/index.js";
import { strikeCounterstrike } from "./strike-counterstrike/index.js";

/** Every game there is: one line each. */
export const GAMES: readonly GameType[] = [
  pocketStalingrad,
  savageStreets,
  nightFight,
  strikeCounterstrike,
  streetsOfStalingrad,
];

export const gameIds = (): string[] => GAMES.map((g) => g.id);

/** @throws KesselError `unknown-game` */
export function gameType(id: string): GameType {
  const found = GAMES.find((g) => g.id === id);
  if (found === undefined)
    throw new KesselError("unknown-game", `there is no game ${shown(id)}; there are ${oneOf(gameIds())}`);
  return found;
}

/**
 * Loads a game with options and data files, some of them possibly replaced by the user.
 *
 * @throws KesselError `unknown-game`, `bad-option`, `bad-data`
 */
export function loadGame(id: string, options: unknown = {}, replaced: GameData = {}): Game {
  const type = gameType(id);
  for (const file of Object.keys(replaced))
    if (!(file in type.data))
      throw new KesselError(
        "bad-data",
        `${id} has no data file ${shown(file)}; it has ${oneOf(Object.keys(type.data), 20)}`,
      );
  return type.load(resolveOptions(type, options), { ...type.data, ...replaced });
}
