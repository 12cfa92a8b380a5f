import { expect, test } from "vitest";
import { gameFor, loadGame, type Game } from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { Complaints } from "../../conformance/complaints.js";
import { leakPairs } from "../../conformance/leaks.js";
import { Starts } from "../../conformance/starts.js";
import { streetsOfStalingrad as twinsOf } from "../../conformance/twins/streets-of-stalingrad.js";
import { NIGHT, WOODS } from "./woods.js";

const games: [string, number, () => Game][] = [
  ["the woods", 800, () => gameFor(type, WOODS)],
  ["the woods by night", 1000, () => gameFor(type, NIGHT)],
  ["sandbox-1", 800, () => loadGame(type.id)],
  ["sandbox-2", 600, () => loadGame(type.id, { scenario: "sandbox-2" })],
  ["drill-kurgan", 600, () => loadGame(type.id, { scenario: "drill-kurgan" })],
];

test.each(games)(
  "%s: which counter of a face-down stack carries a marker, and the MP it has left, come out nowhere",
  (_name, pairs, load) => {
    const game = load();
    const complaints = new Complaints();
    const { different } = leakPairs(game, pairs, "twins", complaints, new Starts(game, "twins", 4), twinsOf(game));
    expect(complaints.list()).toEqual([]);
    expect(different).toBeGreaterThan(pairs / 8);
  },
  180_000,
);
