import { expect, test } from "vitest";
import { GAMES } from "../../env/index.js";
import { TOYS } from "../toys/index.js";
import { checkGame } from "./check.js";
import { optionSets } from "./optionSets.js";

const cases = [...TOYS, ...GAMES].flatMap((type) => optionSets(type).map(({ name, game }, i) => ({ id: type.id, name, game, first: i === 0 })));

test.each(cases)("$id keeps its promises ($name)", ({ game, first }) => {
  // the defaults are looked at closely, every other option set more lightly
  const effort = first ? { games: 6, points: 48 } : { games: 3, points: 24, pairs: 250, chances: 4, steps: 20 };
  expect(checkGame(game, effort)).toEqual([]);
});
