import { describe, expect, it } from "vitest";
import { HexGrid, type HexShift } from "../../../env/core/hex.js";

/** Columns and rows, both inclusive. */
function rectangle(c0: number, c1: number, r0: number, r1: number, shift: HexShift): HexGrid {
  const ids: string[] = [];
  for (let c = c0; c <= c1; c++) for (let r = r0; r <= r1; r++) ids.push(String(c * 100 + r).padStart(4, "0"));
  return new HexGrid(ids, shift);
}

const ring = (g: HexGrid, id: string): (string | null)[] =>
  Array.from({ length: 6 }, (_, d) => g.ids[g.neighbour(g.index(id), d)] ?? null);
const lineIds = (g: HexGrid, a: string, b: string): string[] => {
  const out = new Int16Array(100);
  const n = g.line(g.index(a), g.index(b), out);
  return Array.from(out.subarray(0, n), (h) => g.ids[h] ?? "off");
};

describe("a grid with odd columns half a hex south", () => {
  const g = rectangle(10, 30, 0, 24, "odd");

  it("has the neighbours of an even column in the order N NE SE S SW NW", () => {
    expect(ring(g, "2608")).toEqual(["2607", "2707", "2708", "2609", "2508", "2507"]);
  });

  it("has the neighbours of an odd column", () => {
    expect(ring(g, "2513")).toEqual(["2512", "2613", "2614", "2514", "2414", "2413"]);
  });

  it("lets 1807 touch 1907, and 2721 touch 2822", () => {
    expect(g.adjacent(g.index("1807"), g.index("1907"))).toBe(true);
    expect(g.adjacent(g.index("2721"), g.index("2822"))).toBe(true);
    expect(g.adjacent(g.index("2721"), g.index("2820"))).toBe(false);
  });

  it("ends at the edges", () => {
    expect(ring(g, "1000")).toEqual([null, null, "1100", "1001", null, null]);
    expect(ring(g, "1100")).toEqual([null, "1200", "1201", "1101", "1001", "1000"]);
    expect(ring(g, "3024")).toEqual(["3023", null, null, null, "2924", "2923"]);
  });

  it("counts distance in moves", () => {
    const far = (a: string, b: string) => g.distance(g.index(a), g.index(b));
    expect(far("2010", "2010")).toBe(0);
    expect(far("2010", "2016")).toBe(6);
    // six columns over, a shift of three rows comes free
    expect(far("2010", "2610")).toBe(6);
    expect(far("2010", "2613")).toBe(6);
    expect(far("2010", "2614")).toBe(7);
    expect(far("2010", "2110")).toBe(1);
    expect(far("2010", "2111")).toBe(2);
  });

  it("draws lines from centre to centre", () => {
    expect(lineIds(g, "2010", "2010")).toEqual(["2010"]);
    expect(lineIds(g, "2010", "2013")).toEqual(["2010", "2011", "2012", "2013"]);
    expect(lineIds(g, "2010", "2311")).toEqual(["2010", "2110", "2211", "2311"]);
  });

  it("draws a line along a hexside the same way in both directions", () => {
    // 2010 to 2210 runs between 2109 and 2110; the nudge, mostly towards lower rows, takes 2109
    expect(lineIds(g, "2010", "2210")).toEqual(["2010", "2109", "2210"]);
    expect(lineIds(g, "2210", "2010")).toEqual(["2210", "2109", "2010"]);
    for (const a of ["1000", "1509", "2312", "3024"])
      for (const b of g.ids) expect(lineIds(g, b, a)).toEqual(lineIds(g, a, b).reverse());
  });

  it("says where a line leaves the map", () => {
    expect(lineIds(g, "2000", "2200")).toEqual(["2000", "off", "2200"]);
  });

  it("puts neighbours one unit apart for drawing", () => {
    for (const id of ["2010", "2110"])
      for (const k of ring(g, id)) {
        const [x, y] = g.point(g.index(id));
        const [u, v] = g.point(g.index(k!));
        expect(Math.hypot(x - u, y - v)).toBeCloseTo(1, 12);
      }
  });
});

describe("a grid with even columns half a hex towards higher rows", () => {
  const g = rectangle(1, 40, 1, 79, "even");

  it("lets 1714 touch 1814, and a line run 1814, 1714, 1613", () => {
    expect(g.adjacent(g.index("1714"), g.index("1814"))).toBe(true);
    expect(lineIds(g, "1814", "1613")).toEqual(["1814", "1714", "1613"]);
    expect(lineIds(g, "1464", "1263")).toEqual(["1464", "1364", "1263"]);
  });

  it("measures 4 from 1814 to 1412 and 9 from 1039 to 0433", () => {
    expect(g.distance(g.index("1814"), g.index("1412"))).toBe(4);
    expect(g.distance(g.index("1039"), g.index("0433"))).toBe(9);
  });

  it("holds 3,160 hexes, each the neighbour of its neighbours", () => {
    expect(g.size).toBe(3160);
    for (let h = 0; h < g.size; h++)
      for (let d = 0; d < 6; d++) {
        const k = g.neighbour(h, d);
        if (k >= 0) expect(g.neighbour(k, (d + 3) % 6)).toBe(h);
      }
  });
});

describe("hex numbers", () => {
  it("are four digits and are listed once", () => {
    expect(() => new HexGrid(["12"], "odd")).toThrow('"12" is not a hex number of four digits');
    expect(() => new HexGrid(["1200", "1200"], "odd")).toThrow("hex 1200 is listed twice");
  });

  it("that the map lacks have index -1", () => {
    const g = new HexGrid(["1200", "1201"], "odd");
    expect([g.index("1201"), g.index("1202"), g.index("x"), g.at(12, -1)]).toEqual([1, -1, -1, -1]);
  });
});
