import { complaintsOf } from "./find-game.js";
import { pageDifferenceOf } from "./find-page.js";
import { differenceOf } from "./find-server.js";
import { toolsDifferenceOf } from "./find-tools.js";
import { GAME_PLANTS } from "./game-plants.js";
import { PAGE_PLANTS } from "./page-plants.js";
import type { CodePlant } from "./plant.js";
import { STACK_PLANTS } from "./stack-plants.js";
import { SERVER_PLANTS } from "./server-plants.js";
import { TOOL_PLANTS } from "./tool-plants.js";

/** A planted leak and the kit that watches its place. */
export interface Planted {
  readonly name: string;
  /** Leaks of one kind of place. */
  readonly group: string;
  /** What must find it: a complaint of the leak kit for games, or twin worlds. */
  readonly kit: string;
  /** Looks for it with that kit. @returns whether the kit found it */
  readonly find: () => Promise<boolean>;
}

/**
 * Twin worlds over the wire watch the server and its shared memory, over the socket the page, over the tools what
 * language models read.
 */
const TWIN_KITS: readonly [
  kit: string,
  plants: readonly CodePlant[],
  differenceOf: (plant: CodePlant | null) => Promise<string | null>,
][] = [
  ["twin worlds over the wire", SERVER_PLANTS, differenceOf],
  ["twin worlds over the page's socket", PAGE_PLANTS, pageDifferenceOf],
  ["twin worlds over the tools", TOOL_PLANTS, toolsDifferenceOf],
];

/** Every planted leak. */
export const PLANTED: readonly Planted[] = [
  ...[...GAME_PLANTS, ...STACK_PLANTS].map((plant) => ({
    name: plant.name,
    group: GAME_PLANTS.includes(plant) ? "games" : "stacks",
    kit: plant.code,
    find: () => Promise.resolve(complaintsOf(plant).includes(plant.code)),
  })),
  ...TWIN_KITS.flatMap(([kit, plants, difference]) =>
    plants.map((plant) => ({
      name: plant.name,
      group: kit,
      kit,
      find: async () => (await difference(plant)) !== null,
    })),
  ),
];

/** What each kit of twin worlds finds where nothing is planted: null. */
export const HONEST: readonly { kit: string; difference: () => Promise<string | null> }[] = TWIN_KITS.map(
  ([kit, , difference]) => ({ kit, difference: () => difference(null) }),
);
