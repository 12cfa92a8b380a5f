import { expect, test } from "vitest";
import { race } from "../toys/race.js";
import { optionSets } from "./option-sets.js";

test("a game is tried with every value of its options, or with the sets that it names", () => {
  expect(optionSets(race).map((s) => s.name)).toEqual([
    "defaults",
    "target=10",
    "target=30",
    "mercy=true",
    "target=30 mercy=true",
  ]);
  const tried = optionSets({ ...race, tried: [{}] });
  expect(tried.map((s) => s.name)).toEqual(["defaults"]);
  expect(optionSets({ ...race, tried: [{}, { mercy: true }] })[1]!.game.options["mercy"]).toBe(true);
});

test("a set that the game can't be loaded with is no set", () => {
  expect(() => optionSets({ ...race, tried: [{ nights: true }] })).toThrow('no option "nights"');
});
