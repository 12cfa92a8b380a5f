import { expect, test } from "vitest";
import { gameIds, loadGame } from "../../../env/index.js";
import { comparePairs } from "./leak-pairs.js";

test.each(gameIds())("tools tell %s alike in worlds that a seat can't tell apart", async (id) => {
  const { compared, different, leaks } = await comparePairs(loadGame(id), 120, "tools");
  expect(leaks).toEqual([]);
  expect(compared).toBeGreaterThanOrEqual(120);
  if (id !== "pocket-stalingrad") expect(different).toBeGreaterThan(20);
});

test("a server that tells a word of the true state is found", async () => {
  const sum = (s: Int32Array) => s.reduce((a, b) => (31 * a + b) | 0, 0);
  const { leaks } = await comparePairs(loadGame("savage-streets"), 120, "planted", (text, s) => `${text}${sum(s)}`);
  expect(leaks.join("\n")).toMatch(/may tell worlds apart by/);
});
