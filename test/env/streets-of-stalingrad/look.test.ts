import { describe, expect, test } from "vitest";
import type { MapAnswer } from "../../../env/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };

const { data } = streetsOfStalingrad;
const ask = (from: string, to: string, scenario: string): MapAnswer =>
  streetsOfStalingrad.query!({ kind: "look", from, to }, { scenario }, data) as unknown as MapAnswer;

describe.each(["sandbox-2", "drill-kurgan"])("a look from hex to hex in %s", (scenario) => {
  const { board } = loadSetting(data, scenario);
  const { sight } = board;
  const pairs = Array.from({ length: 400 }, (_, i) => [(i * 7) % board.size, (i * 31 + 5) % board.size] as const);

  test("gives the game's lines of sight, and the hexes that block them", () => {
    const seen = new Set<boolean>();
    for (const [a, b] of pairs) {
      const answer = ask(board.ids[a]!, board.ids[b]!, scenario);
      seen.add(answer.yes);
      expect(answer.yes).toBe(sight.clear(a, b));
      const told = answer.says.map((l) => l.text).join(" ");
      expect(told.includes("blocks the line")).toBe(!sight.clear(a, b));
      expect(told.includes("Units, leaders and OPs may spot")).toBe(sight.spots(a, b, false));
      expect(told.includes("Only an OP may spot")).toBe(!sight.spots(a, b, false) && sight.spots(a, b, true));
      expect(told.includes("Spotting adds")).toBe(sight.spots(a, b, false) || sight.spots(a, b, true));
      for (const p of answer.places) {
        const h = board.index(p);
        expect([a, b]).not.toContain(h);
        expect(board.distance(a, h) + board.distance(h, b)).toBeLessThanOrEqual(board.distance(a, b) + 1);
      }
      for (const { rule } of answer.says) expect(Object.keys(rules)).toContain(rule);
    }
    expect(seen).toEqual(new Set([true, false]));
  });
});

test("neighbours see each other, and spotting costs what the chart says for them", () => {
  const { board } = loadSetting(data, "sandbox-2");
  const [from, to] = [board.ids[0]!, board.ids[board.neighbours.find((n) => n > 0)!]!];
  const told = ask(from, to, "sandbox-2").says.map((l) => l.text);
  expect(told).toContain(
    "Spotting adds to the die: an OP -1 (of another command +1), the gun itself 0, another unit 0 (of another command +3) and a named leader -1 more on the bombardment table.",
  );
});

test("named leaders are mentioned for adjacent hexes only, the wall for hexes that contain it", () => {
  const { board } = loadSetting(data, "drill-kurgan");
  const told = (a: number, b: number) =>
    ask(board.ids[a]!, board.ids[b]!, "drill-kurgan")
      .says.map((l) => l.text)
      .join(" ");
  const walled = (a: number) => board.hexes[a]!.wall !== undefined;
  for (let a = 0; a < board.size; a += 7)
    for (const b of [a + 1, (a + 40) % board.size, (a + 81) % board.size]) {
      if (b >= board.size) continue;
      expect([a, b, told(a, b).includes("Tartar Wall")]).toEqual([a, b, walled(a) || walled(b)]);
      if (board.distance(a, b) > 1) expect(told(a, b)).not.toContain("named leader");
    }
});

test("an unknown place is named", () => {
  expect(() => ask("9999", "0705", "sandbox-2")).toThrow(/bad-query|"9999" is no hex of this map/);
});
