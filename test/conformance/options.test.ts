import { expect, test } from "vitest";
import { GAMES } from "../../env/index.js";
import { nightlyUnless } from "../nightly.js";
import { TOYS } from "../toys/index.js";
import { checkGame } from "./check.js";
import { optionSets } from "./option-sets.js";

// the defaults are looked at closely in conformance.test.ts, every other option set more lightly here
for (const type of [...TOYS, ...GAMES])
  optionSets(type)
    .slice(1)
    .forEach(({ name, game }, i, sets) => {
      const all = i === sets.length - 1; // the last value of every option together, where the game names no sets
      test(`${type.id} keeps its promises with ${name}`, nightlyUnless(all), () => {
        expect(checkGame(game, { games: 3, points: 24, pairs: 120, chances: 4, steps: 20 })).toEqual([]);
      });
    });
