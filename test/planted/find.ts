import { complaintsOf } from "./find-game.js";
import { GAME_PLANTS } from "./game-plants.js";

export interface Found {
  readonly name: string;
  /** What found it; null when nothing did. */
  readonly by: string | null;
}

/** Looks for every planted leak with the kit that watches its place. */
export function findAll(each: (name: string, by: string | null) => void = () => undefined): Found[] {
  const found: Found[] = [];
  for (const plant of GAME_PLANTS) {
    const by = complaintsOf(plant).includes(plant.code) ? plant.code : null;
    found.push({ name: plant.name, by });
    each(plant.name, by);
  }
  return found;
}
