import { expect, test } from "vitest";
import { gameFor, loadGame, type Game } from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { Complaints } from "../../conformance/complaints.js";
import { leakPairs } from "../../conformance/leaks.js";
import { Starts } from "../../conformance/starts.js";
import { streetsOfStalingrad as twinsOf } from "../../conformance/twins/streets-of-stalingrad.js";
import { nightlyUnless } from "../../nightly.js";
import { CARTS, DAWN, NIGHT, SILENT, UNDER_FIRE, WOODS, WORKS } from "./woods.js";

/** Name, pairs, seed (in the woods marked stacks come up by some only), game. */
const games: [string, number, string, () => Game][] = [
  ["the woods", 800, "b", () => gameFor(type, WOODS)],
  ["the woods by night", 1000, "d", () => gameFor(type, NIGHT)],
  ["engineers at work", 400, "works", () => gameFor(type, WORKS)],
  ["transports by night", 400, "carts", () => gameFor(type, CARTS)],
  ["a transport under fire", 400, "fire", () => gameFor(type, UNDER_FIRE)],
  ["guns that stay silent", 600, "b", () => gameFor(type, SILENT)],
  ["sandbox-1", 800, "twins", () => loadGame(type.id)],
  ["sandbox-2", 600, "twins", () => loadGame(type.id, { scenario: "sandbox-2" })],
  ["drill-kurgan", 600, "twins", () => loadGame(type.id, { scenario: "drill-kurgan" })],
];

games.forEach(([name, pairs, seed, load], i) => {
  const what =
    "which counter of a face-down stack carries a marker, works or rides, the MP it has left, and which guns stay silent come out nowhere";
  test(`${name}: ${what}`, nightlyUnless(i < 6), () => {
    const game = load();
    const complaints = new Complaints();
    const { different } = leakPairs(game, pairs, seed, complaints, new Starts(game, seed, 4), twinsOf(game));
    expect(complaints.list()).toEqual([]);
    expect(different).toBeGreaterThan(pairs / 8);
  });
});

test("in the Administrative Phase and on arrival nothing leaks that the other side may not know", () => {
  const game = gameFor(type, DAWN);
  const complaints = new Complaints();
  const { different } = leakPairs(game, 500, "dawn", complaints, new Starts(game, "dawn", 4));
  expect(complaints.list()).toEqual([]);
  expect(different).toBeGreaterThan(100);
});
