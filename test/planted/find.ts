import { complaintsOf } from "./find-game.js";
import { pageDifferenceOf } from "./find-page.js";
import { differenceOf } from "./find-server.js";
import { GAME_PLANTS } from "./game-plants.js";
import { PAGE_PLANTS } from "./page-plants.js";
import { STACK_PLANTS } from "./stack-plants.js";
import { SERVER_PLANTS } from "./server-plants.js";

export interface Found {
  readonly name: string;
  /** What found it; null when nothing did. */
  readonly by: string | null;
}

/**
 * Looks for every planted leak with the kit that watches its place: the leak kit for games, twin worlds over the wire for the
 * server and its shared memory, twin worlds over the socket for the page.
 *
 * @throws Error when a kit finds something where nothing is planted
 */
export async function findAll(each: (name: string, by: string | null) => void = () => undefined): Promise<Found[]> {
  const found: Found[] = [];
  const note = (name: string, by: string | null): void => {
    found.push({ name, by });
    each(name, by);
  };
  for (const plant of [...GAME_PLANTS, ...STACK_PLANTS])
    note(plant.name, complaintsOf(plant).includes(plant.code) ? plant.code : null);
  for (const [plants, find, by] of [
    [SERVER_PLANTS, differenceOf, "twin worlds over the wire"],
    [PAGE_PLANTS, pageDifferenceOf, "twin worlds over the page's socket"],
  ] as const) {
    const honest = await find(null);
    if (honest !== null) throw new Error(`${by} differ where nothing is planted: ${honest}`);
    for (const plant of plants) note(plant.name, (await find(plant)) === null ? null : by);
  }
  return found;
}
