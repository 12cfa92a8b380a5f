import { describe, expect, test } from "vitest";
import { GAMES, loadGame } from "../../../env/index.js";
import { Starts } from "../../conformance/starts.js";
import { wirePairs } from "../../conformance/wire.js";
import { hides } from "../page/leaks.js";

const PAIRS = 12;

describe("worlds that a seat can't tell apart bring it the same bytes, whatever it asks", () => {
  test.each(GAMES.map((g) => g.id).filter((id) => hides(loadGame(id))))("%s", { timeout: 180_000 }, async (id) => {
    const game = loadGame(id);
    const count = await wirePairs(game, PAIRS, "twins", new Starts(game, "twins", 1));
    expect(count.differences).toEqual([]);
    expect(count.pairs).toBe(PAIRS);
    expect(count.parted).toBeLessThan(PAIRS);
    for (const op of ["make", "reset", "step", "observe", "position", "render", "replay", "legal", "stats", "save"])
      expect(count.operations.get(op) ?? 0, op).toBeGreaterThan(PAIRS / 2);
  });
});
