import { expect, it } from "vitest";
import { Cuts } from "../../../env/core/cuts.js";
import { Flood, HexGrid } from "../../../env/core/hex.js";
import { Rng } from "../../../env/core/rng.js";

it("sees that 2513 is the neck of the pocket 2612, 2613", () => {
  const g = new HexGrid(["2411", "2412", "2413", "2513", "2612", "2613"], "odd");
  const out = new Int32Array(g.size);
  new Cuts(g.neighbours, Int16Array.of(g.index("2411"))).measure(new Uint8Array(g.size).fill(1), 0, out, 0);
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
  const cuts = new Cuts(g.neighbours, Int16Array.of(0, 3));
  cuts.measure(new Uint8Array(g.size).fill(1), 0, out, 0);
  expect([...out]).toEqual([0, 0, 0, 0, -1]);
  cuts.measure(Uint8Array.of(1, 1, 1, 0, 1), 0, out, 0);
  expect([...out]).toEqual([2, 1, 0, -1, -1]);
});

it("agrees with closing each hex and filling anew, on random maps", () => {
  const ids: string[] = [];
  for (let c = 10; c < 22; c++) for (let r = 0; r < 12; r++) ids.push(String(c * 100 + r));
  const g = new HexGrid(ids, "odd");
  const roots = Int16Array.from(Array.from({ length: 12 }, (_, i) => i)); // column 10
  const rng = new Rng("cuts");
  const cuts = new Cuts(g.neighbours, roots);
  const flood = new Flood(g.neighbours);
  const out = new Int32Array(g.size + 5);
  let necks = 0;
  for (let map = 0; map < 60; map++) {
    const open = Uint8Array.from(ids, () => (rng.below(100) < 58 ? 1 : 0));
    cuts.measure(open, 0, out, 5);
    const from = (closed: number): number => {
      flood.begin();
      if (closed >= 0) flood.block(closed);
      for (const r of roots) flood.spread(r, open);
      return flood.count;
    };
    const all = from(-1);
    const linked = ids.map((_, h) => flood.reached(h));
    for (let h = 0; h < g.size; h++) {
      const want = linked[h] ? all - 1 - from(h) : -1;
      if (want > 0) necks++;
      expect(out[5 + h]).toBe(want);
    }
  }
  expect(necks).toBeGreaterThan(200);
});
