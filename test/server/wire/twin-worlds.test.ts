import { describe, expect, test } from "vitest";
import { type Game, GAMES, loadGame } from "../../../env/index.js";
import { OPS } from "../../../server/wire/protocol.js";
import { Starts } from "../../conformance/starts.js";
import { wirePairs } from "../../conformance/wire/wire.js";
import { hides } from "../page/leaks.js";

const PAIRS = 100;

async function expectAlike(game: Game, workers: number): Promise<void> {
  const count = await wirePairs(game, PAIRS, "twins", new Starts(game, "twins", 1), { workers });
  expect(count.differences).toEqual([]);
  expect(count.pairs).toBeGreaterThanOrEqual(PAIRS);
  // every operation of the protocol: a new one is asked in twin worlds too
  for (const op of OPS) expect(count.operations.get(op) ?? 0, op).toBeGreaterThan(count.sessions / 4);
}

describe("worlds that a seat can't tell apart bring it the same bytes, whatever it asks", () => {
  const ids = GAMES.map((g) => g.id).filter((id) => hides(loadGame(id)));
  test.each(ids)("%s", (id) => expectAlike(loadGame(id), 0));

  test("from worker threads", () => expectAlike(loadGame("savage-streets"), 1));
});
