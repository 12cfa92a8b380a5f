import { expect, test } from "vitest";
import { GAMES } from "../../env/index.js";
import { nightly } from "../nightly.js";
import { TOYS } from "../toys/index.js";
import { checkGame } from "./check.js";
import { optionSets } from "./option-sets.js";

const types = [...TOYS, ...GAMES].map((type) => ({ id: type.id, type }));

test.each(types)("$id keeps its promises", ({ type }) => {
  expect(checkGame(optionSets(type)[0]!.game, { games: 3, points: 20, pairs: 200, chances: 6, steps: 20 })).toEqual([]);
});

test.each(types)("$id keeps its promises in more games", nightly, ({ type }) => {
  expect(checkGame(optionSets(type)[0]!.game, { seed: "more games" })).toEqual([]);
});
