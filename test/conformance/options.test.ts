import { expect, test } from "vitest";
import { GAMES } from "../../env/index.js";
import { TOYS } from "../toys/index.js";
import { checkGame } from "./check.js";
import { optionSets } from "./option-sets.js";

// the defaults are looked at closely in conformance.test.ts, every other option set more lightly here
const others = [...TOYS, ...GAMES].flatMap((type) =>
  optionSets(type)
    .slice(1)
    .map(({ name, game }) => ({ id: type.id, name, game })),
);

test.each(others)("$id keeps its promises with $name", ({ game }) => {
  expect(checkGame(game, { games: 3, points: 24, pairs: 120, chances: 4, steps: 20 })).toEqual([]);
});
