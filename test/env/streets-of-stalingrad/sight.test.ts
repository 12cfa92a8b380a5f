import { expect, test } from "vitest";
import terrain from "../../../env/streets-of-stalingrad/data/terrain.json" with { type: "json" };
import { loadSetting, standardBoard } from "../../../env/streets-of-stalingrad/data.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";
import type { HexRow } from "../../../env/streets-of-stalingrad/schema.js";
import { nightly } from "../../nightly.js";

/**
 * The ruler test once more, by another way than the game's: every piece of matter is cut into segments, a line is tried
 * against each of them and against the middle of each piece in its own parameter, in fractions of whole numbers.
 */
type Point = readonly [number, number];
const data = streetsOfStalingrad.data;
const board = standardBoard(data);
const CELLS = terrain.losCells as unknown as Record<string, Point[]>;
const HEX: Point[] = [
  [2, 4],
  [4, 0],
  [2, -4],
  [-2, -4],
  [-4, 0],
  [-2, 4],
];
const middle = (h: number): Point => {
  const c = board.columns[h]!;
  return [-6 * c, 8 * board.rows[h]! + (c % 2 === 0 ? 4 : 0)];
};
const moved = (shape: readonly Point[], [x, y]: Point): Point[] => shape.map(([a, b]) => [a + x, b + y]);
const sides = (shape: readonly Point[]): [Point, Point][] => shape.map((p, i) => [p, shape[(i + 1) % shape.length]!]);

/** Part of the line a-b, in [0, 1], that is in a closed convex shape; null if none. */
function inside(a: Point, b: Point, shape: readonly Point[]): [number, number] | null {
  const inner = moved([[0, 0]], centreOf(shape))[0]!;
  let [from, to] = [0, 1];
  for (const [p, q] of sides(shape)) {
    const normal: Point = [q[1] - p[1], p[0] - q[0]];
    const at = (x: Point) => normal[0] * (x[0] - p[0]) + normal[1] * (x[1] - p[1]);
    const sign = Math.sign(at(inner));
    const [f, g] = [sign * at(a), sign * at(b)];
    if (f < 0 && g < 0) return null;
    if (f < 0) from = Math.max(from, f / (f - g));
    if (g < 0) to = Math.min(to, f / (f - g));
  }
  return from <= to + 1e-12 ? [from, to] : null;
}
const centreOf = (shape: readonly Point[]): Point => [
  shape.reduce((n, p) => n + p[0], 0) / shape.length,
  shape.reduce((n, p) => n + p[1], 0) / shape.length,
];

/** True when two segments have a point in common. Solved for both parameters. */
function cross(a: Point, b: Point, c: Point, d: Point): boolean {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const [wx, wy] = [c[0] - a[0], c[1] - a[1]];
  const det = ux * vy - uy * vx;
  if (det !== 0) {
    const t = (wx * vy - wy * vx) / det;
    const s = (wx * uy - wy * ux) / det;
    return t >= -1e-12 && t <= 1 + 1e-12 && s >= -1e-12 && s <= 1 + 1e-12;
  }
  if (wx * uy - wy * ux !== 0) return false;
  const along = (p: Point) => ((p[0] - a[0]) * ux + (p[1] - a[1]) * uy) / (ux * ux + uy * uy);
  const [low, high] = [Math.min(along(c), along(d)), Math.max(along(c), along(d))];
  return high >= 0 && low <= 1;
}

function blocks(h: number, a: Point, b: Point, open: boolean, overSuburbs: boolean): boolean {
  const hex: HexRow = board.hexes[h]!;
  const at = middle(h);
  const outline = moved(HEX, at);
  const part = inside(a, b, outline);
  if (part === null) return false;
  const longer = part[1] - part[0] > 1e-9;
  // a mere corner of a hilltop does not block, its inside and a whole side do
  if (hex.f?.includes("hilltop") === true && longer) return true;
  if (open) return false;
  const los = hex.los === "all" ? "C012345" : (hex.los ?? "");
  if (!(overSuburbs && hex.t === "suburb"))
    for (const cell of los) if (inside(a, b, moved(CELLS[cell]!, at)) !== null) return true;
  for (const line of [...(hex.wall ? [hex.wall] : []), ...(hex.cliff ?? [])]) {
    const drawn = moved(line as Point[], at);
    for (let i = 0; i + 1 < drawn.length; i++) if (cross(a, b, drawn[i]!, drawn[i + 1]!)) return true;
  }
  return false;
}

function isClear(from: number, to: number, spotting: boolean): boolean {
  if (board.distance(from, to) <= 1) return true;
  const [a, b] = [middle(from), middle(to)];
  const slopes = [from, to].flatMap((end) =>
    [...(board.hexes[end]!.down ?? "")].flatMap((d) => {
      const n = board.neighbours[end * 6 + Number(d)]!;
      if (n < 0 || n === from || n === to) return [];
      const part = inside(a, b, moved(HEX, middle(n)));
      // along the edge of a slope is not across it
      const across = part !== null && part[1] - part[0] > 1e-9 && !runsOnEdge(a, b, n);
      return across ? [n] : [];
    }),
  );
  for (let h = 0; h < board.size; h++) {
    if (h === from || h === to) continue;
    if (board.distance(h, from) > board.distance(from, to) || board.distance(h, to) > board.distance(from, to))
      continue;
    if (blocks(h, a, b, slopes.includes(h), spotting && slopes.length > 0)) return false;
  }
  return true;
}
const runsOnEdge = (a: Point, b: Point, h: number): boolean =>
  sides(moved(HEX, middle(h))).some(([p, q]) => {
    const off = (x: Point) => (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
    return off(p) === 0 && off(q) === 0;
  });

/** Compares both ways and both modes. @returns pairs that differ */
function different(pairs: Iterable<readonly [number, number]>): string[] {
  const found: string[] = [];
  for (const [f, t] of pairs)
    for (const spotting of [false, true]) {
      const want = isClear(f, t, spotting);
      const { sight } = board;
      const there = spotting ? sight.clearToSpot(f, t) : sight.clear(f, t);
      const back = spotting ? sight.clearToSpot(t, f) : sight.clear(t, f);
      if (there !== want || back !== want) found.push(`${board.ids[f]} ${board.ids[t]} ${spotting ? "spot" : "fire"}`);
    }
  return found;
}

const WINDOWS: [string, [number, number], [number, number]][] = [
  ["the Grain Elevator", [1, 9], [14, 21]],
  ["the central landing", [1, 8], [25, 32]],
  ["Mamayev Kurgan", [3, 13], [35, 42]],
];
test.each(WINDOWS)("lines of sight at %s are those of the ruler", (_, [left, right], [low, high]) => {
  const hexes = board.ids.flatMap((__, h) => {
    const [c, r] = [board.columns[h]!, board.rows[h]!];
    return c >= left && c <= right && r >= low && r <= high ? [h] : [];
  });
  const pairs = hexes.flatMap((f) => hexes.filter((t) => t > f).map((t) => [f, t] as const));
  expect(pairs.length).toBeGreaterThan(1000);
  expect(different(pairs)).toEqual([]);
});

test("a drill's own board blocks and opens the same lines as the whole map", () => {
  const drill = loadSetting(data, "drill-kurgan").board;
  const found: string[] = [];
  for (let f = 0; f < drill.size; f++)
    for (let t = 0; t < drill.size; t++) {
      const [F, T] = [board.index(drill.ids[f]!), board.index(drill.ids[t]!)];
      for (const op of [false, true])
        if (drill.sight.spots(f, t, op) !== board.sight.spots(F, T, op)) found.push(`${drill.ids[f]} ${drill.ids[t]}`);
      if (drill.sight.clear(f, t) !== board.sight.clear(F, T)) found.push(`${drill.ids[f]} ${drill.ids[t]}`);
    }
  expect(found).toEqual([]);
});

/** Compares a number of lines of up to 16 hexes anywhere. @returns pairs that differ */
function differentAnywhere(count: number, first: number): string[] {
  let seed = first;
  const below = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  const pairs: [number, number][] = [];
  while (pairs.length < count) {
    const [f, t] = [below(board.size), below(board.size)];
    if (board.distance(f, t) <= 16) pairs.push([f, t]);
  }
  return different(pairs);
}

test("three thousand lines anywhere are those of the ruler", () => expect(differentAnywhere(3000, 7)).toEqual([]));

test("twenty thousand lines anywhere are those of the ruler", nightly, () => {
  expect(differentAnywhere(20_000, 11)).toEqual([]);
});
