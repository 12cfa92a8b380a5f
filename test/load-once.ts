import { type Game, type GameType, gameType, type Options, resolveOptions } from "../env/index.js";

/**
 * A game type that loads a game once for each choice of options, since loading takes longer than most tests. What it
 * loads from other data than the game's own is not kept.
 */
export function loadingOnce(type: GameType): GameType {
  const games = new Map<string, Game>();
  const load: GameType["load"] = (options, data) => {
    if (data !== type.data) return type.load(options, data);
    const key = JSON.stringify(Object.entries(options).sort());
    const game = games.get(key) ?? type.load(options, data);
    games.set(key, game);
    return game;
  };
  return Object.create(type, { load: { value: load } }) as GameType;
}

const types = new Map<string, GameType>();

/** As `loadGame`, and the same game for the same options. @throws KesselError as `loadGame` */
export function loadOnce(id: string, options: Options = {}): Game {
  const type = types.get(id) ?? loadingOnce(gameType(id));
  types.set(id, type);
  return type.load(resolveOptions(type, options), type.data);
}
