import type { GameType } from "../env/core/game.js";
import { importGame as importRules, isLoaded } from "../env/registry.js";
import { hasHeuristics, importHeuristics } from "./heuristics/index.js";

/**
 * Loads the code of a game and of its scripted players, unless it is loaded: what `roster` and `makeAgent` need.
 *
 * @throws KesselError `unknown-game`
 */
export async function importGame(id: string): Promise<GameType> {
  const type = await importRules(id);
  await importHeuristics(id);
  return type;
}

/** True if `importGame` has loaded a game. @throws KesselError `unknown-game` */
export const isImported = (id: string): boolean => isLoaded(id) && hasHeuristics(id);
