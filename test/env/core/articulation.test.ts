import { expect, it } from "vitest";
import { ArticulationPoints } from "../../../env/core/articulation.js";
import { HexGrid, type HexShift } from "../../../env/core/hex.js";
import { Rng } from "../../../env/core/dice/rng.js";
import { reach } from "./reach.js";

it("sees that 2513 is the neck of the pocket 2612, 2613", () => {
  const g = new HexGrid(["2411", "2412", "2413", "2513", "2612", "2613"], "odd");
  const out = new Int32Array(g.size);
  new ArticulationPoints(g, Int16Array.of(g.index("2411"))).measure(new Uint8Array(g.size).fill(1), 0, out, 0);
  const cut = (id: string) => out[g.index(id)];
  expect(cut("2513")).toBe(2);
  expect(cut("2612")).toBe(0);
  expect(cut("2613")).toBe(1); // 2612 touches 2613 only
  expect(cut("2413")).toBe(3); // the neck and the pocket hang on it
  expect(cut("2412")).toBe(4);
  expect(cut("2411")).toBe(5); // the only root
});

it("takes any of several roots for a way out, and marks hexes without one", () => {
  const g = new HexGrid(["1000", "1001", "1002", "1003", "1900"], "odd");
  const out = new Int32Array(g.size);
  const points = new ArticulationPoints(g, Int16Array.of(0, 3));
  points.measure(new Uint8Array(g.size).fill(1), 0, out, 0);
  expect([...out]).toEqual([0, 0, 0, 0, -1]);
  points.measure(Uint8Array.of(1, 1, 1, 0, 1), 0, out, 0);
  expect([...out]).toEqual([2, 1, 0, -1, -1]);
});

it("refuses maps with more rows than a word has bits", () => {
  expect(() => new ArticulationPoints(new HexGrid(["1000", "1032"], "odd"), Int16Array.of(0))).toThrow(
    "articulation points need a map of at most 32 rows",
  );
});

/** Columns 10 to 21 with holes, some of them with 32 rows, and roots: a whole side, a few hexes, or one. */
const MAPS = (["odd", "even"] as const).flatMap((shift) =>
  [12, 32].flatMap((rows) => (["side", "few", "one"] as const).map((roots) => [shift, rows, roots] as const)),
);

it.each(MAPS)(
  "agrees with closing each hex and searching again: columns shifted %s, %i rows, roots: %s",
  (shift: HexShift, rows, kind) => {
    const rng = new Rng(`cuts ${shift} ${rows} ${kind}`);
    const ids = Array.from({ length: 12 * rows }, (_, i) =>
      String(1000 + 100 * Math.floor(i / rows) + (i % rows)),
    ).filter(() => rng.below(30) > 0);
    const g = new HexGrid(ids, shift);
    const all = ids.map((_, h) => h);
    const roots = all.filter((h) => (kind === "side" ? g.columns[h] === 10 : kind === "few" ? h % 37 === 5 : h === 20));
    const points = new ArticulationPoints(g, Int16Array.from(roots));
    let necks = 0;
    for (let map = 0; map < 8; map++) {
      const share = 50 + 6 * map;
      const open = Int32Array.from({ length: g.size + 3 }, () => (rng.below(100) < share ? 1 : 0));
      const linked = reach(g, roots, (h) => open[3 + h] === 1);
      const lost = (closed: number): number[] => {
        const left = reach(g, roots, (h) => open[3 + h] === 1 && h !== closed);
        return all.filter((h) => h !== closed && linked.has(h) && !left.has(h));
      };
      const out = new Int32Array(g.size + 5);
      points.measure(open, 3, out, 5);
      expect([...out.subarray(5)]).toEqual(all.map((h) => (linked.has(h) ? lost(h).length : -1)));
      for (const h of all.filter((h) => out[5 + h]! > 0)) {
        necks++;
        const marks = new Int32Array(g.size + 2);
        points.mark(open, 3, h, marks, 2);
        expect(all.filter((k) => marks[2 + k] === 1)).toEqual(lost(h));
      }
    }
    expect(necks).toBeGreaterThan(20);
  },
);
