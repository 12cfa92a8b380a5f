import { expect, test } from "vitest";
import { type GameData, type GameType, GAMES, gameType, type Json, type JsonObject } from "../../env/index.js";
import { checkData } from "./data.js";

/**
 * Keys that no scenario of ours reads: what only an owner's position or a scenario without a set-up of ours brings in.
 */
const IDLE: Readonly<Record<string, readonly RegExp[]>> = {
  "streets-of-stalingrad": [
    /^tables\.setupSandbox\.types\./,
    /^units\.types\./,
    /^sandbox\.scenario$/,
    /^scenarios\.scenarios\.\d+\.(victory|stukaAf|deploy)/,
    // units of a hex that is left out are set up in the pool
    /^(campaign|scenario-\d)\.deploy\./,
  ],
};

/** Files of scenarios that take a second to load. */
const SLOW = /^(campaign|scenario-[124-689])$/;

const faults = (type: GameType): string[] => {
  const told: string[] = [];
  checkData(
    type,
    (fault) => told.push(fault),
    (file) => (SLOW.test(file) ? 3 : type.id in IDLE ? 12 : 80),
    IDLE[type.id],
  );
  return told;
};

test.each(GAMES.map((type) => ({ id: type.id, type })))("$id reads its data or refuses them", ({ type }) => {
  expect(faults(type)).toEqual([]);
});

/** Pocket Stalingrad with more in a file than the game reads, and a loader that looks away. */
function careless(more: JsonObject, forgiven: readonly string[]): GameType {
  const honest = gameType("pocket-stalingrad");
  const without = (doc: Json | undefined): Json =>
    Object.fromEntries(Object.entries(doc as JsonObject).filter(([key]) => !forgiven.includes(key)));
  const units = { ...(honest.data["units"] as JsonObject), ...more };
  return {
    ...honest,
    data: { ...honest.data, units },
    load: (options, data: GameData) => honest.load(options, { ...data, units: without(data["units"]) }),
  };
}

test("a key that nothing reads is reported", () => {
  expect(faults(careless({ nightTokens: 1 }, ["nightTokens", "nightTokensZz"]))).toEqual([
    "units.json: nightTokens can be left out",
    "units.json: nightTokens can be renamed",
  ]);
});

test("a block that takes unknown keys is reported", () => {
  expect(faults(careless({}, ["unknownZz"]))).toEqual(["units.json: (top) takes an unknown key"]);
});
