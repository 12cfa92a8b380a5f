import { expect, test } from "vitest";
import { gameFor, loadGame, type Game } from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { Complaints } from "../../conformance/complaints.js";
import { leakPairs } from "../../conformance/leaks.js";
import { Starts } from "../../conformance/starts.js";
import { streetsOfStalingrad as twinsOf } from "../../conformance/twins/streets-of-stalingrad.js";
import { nightlyUnless } from "../../nightly.js";
import { CARTS, NIGHT, UNDER_FIRE, WOODS, WORKS } from "./woods.js";

/** Name, pairs, seed (in the woods marked stacks come up by some only), game. */
const games: [string, number, string, () => Game][] = [
  ["the woods", 800, "b", () => gameFor(type, WOODS)],
  ["the woods by night", 1000, "b", () => gameFor(type, NIGHT)],
  ["engineers at work", 400, "works", () => gameFor(type, WORKS)],
  ["transports by night", 400, "carts", () => gameFor(type, CARTS)],
  ["a transport under fire", 400, "fire", () => gameFor(type, UNDER_FIRE)],
  ["sandbox-1", 800, "twins", () => loadGame(type.id)],
  ["sandbox-2", 600, "twins", () => loadGame(type.id, { scenario: "sandbox-2" })],
  ["drill-kurgan", 600, "twins", () => loadGame(type.id, { scenario: "drill-kurgan" })],
];

games.forEach(([name, pairs, seed, load], i) => {
  const what = "which counter of a face-down stack carries a marker, works or rides, and the MP left, come out nowhere";
  test(`${name}: ${what}`, nightlyUnless(i < 5), () => {
    const game = load();
    const complaints = new Complaints();
    const { different } = leakPairs(game, pairs, seed, complaints, new Starts(game, seed, 4), twinsOf(game));
    expect(complaints.list()).toEqual([]);
    expect(different).toBeGreaterThan(pairs / 8);
  });
});
