import { expect, test } from "vitest";
import { GAMES } from "../../env/index.js";
import { TOYS } from "../toys/index.js";
import { checkGame } from "./check.js";
import { optionSets } from "./option-sets.js";

test.each([...TOYS, ...GAMES].map((type) => ({ id: type.id, type })))("$id keeps its promises", ({ type }) => {
  expect(checkGame(optionSets(type)[0]!.game, { games: 6, points: 48 })).toEqual([]);
});
