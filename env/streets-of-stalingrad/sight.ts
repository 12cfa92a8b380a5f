import type { HexRow } from "./schema.js";

type Point = readonly [number, number];
type Polygon = readonly Point[];

/** What a line of sight needs of the board. */
export interface SightBoard {
  readonly size: number;
  readonly hexes: readonly HexRow[];
  readonly columns: ArrayLike<number>;
  readonly rows: ArrayLike<number>;
  readonly neighbours: ArrayLike<number>;
  distance(a: number, b: number): number;
}

/** Farthest that any unit sees. Ruling R91. */
export const SIGHT_RANGE = 16;
const UNKNOWN = 0;
const FREE = 1;
const BLOCKED = 2;

/** Corners of a hex relative to its centre, clockwise from the eastern end of side 0. */
const CORNERS: Polygon = [
  [2, 4],
  [4, 0],
  [2, -4],
  [-2, -4],
  [-4, 0],
  [-2, 4],
];

/**
 * Lines of sight for direct fire, exact in whole numbers: a segment between two centres is blocked by what it touches.
 * A line is computed when first asked for and kept, since nothing on the map changes. Rule: SOS 9.31, SOS 9.32, SOS 9.33, SOS 9.34, SOS 9.35, SOS 9.36, SOS 9.37, SOS 9.38, SOS 9.40
 */
export class Sight {
  private readonly rows: (Uint8Array | undefined)[];
  /** Nothing in the hex blocks anything. */
  private readonly open: Uint8Array;

  constructor(
    private readonly board: SightBoard,
    private readonly losCells: Readonly<Record<string, Polygon>>,
  ) {
    this.rows = new Array<Uint8Array | undefined>(board.size).fill(undefined);
    this.open = Uint8Array.from(board.hexes, (x) =>
      x.los === undefined && x.wall === undefined && x.cliff === undefined && !(x.f?.includes("hilltop") ?? false)
        ? 1
        : 0,
    );
  }

  /** Is the line between two hexes clear? The same in both directions. */
  clear(a: number, b: number): boolean {
    let row = this.rows[a];
    if (row === undefined) row = this.rows[a] = new Uint8Array(this.board.size);
    if (row[b] === UNKNOWN) row[b] = this.trace(a, b) ? FREE : BLOCKED;
    return row[b] === FREE;
  }

  /** Would a unit in `a` see a counter in `b`, if terrain there hides nothing? Ruling R91. */
  sees(a: number, b: number): boolean {
    return this.board.distance(a, b) <= SIGHT_RANGE && this.clear(a, b);
  }

  private trace(from: number, to: number): boolean {
    const { board } = this;
    if (board.distance(from, to) <= 1) return true;
    const [a, b] = [this.centre(from), this.centre(to)];
    const slopes = this.openSlopes(from, to, a, b);
    const lowest = Math.min(board.columns[from]!, board.columns[to]!);
    const highest = Math.max(board.columns[from]!, board.columns[to]!);
    for (let h = 0; h < board.size; h++) {
      if (board.columns[h]! < lowest - 1 || this.open[h] === 1 || h === from || h === to) continue;
      if (board.columns[h]! > highest + 1) break;
      if (this.blocks(h, slopes.includes(h), a, b)) return false;
    }
    return true;
  }

  /** Slope hexes beside an end on a height: direct fire sees over what stands there. Rule: SOS 9.38 */
  private openSlopes(from: number, to: number, a: Point, b: Point): number[] {
    const found: number[] = [];
    for (const end of [from, to])
      for (const d of this.board.hexes[end]!.down ?? "") {
        const n = this.board.neighbours[end * 6 + Number(d)]!;
        if (n >= 0 && n !== from && n !== to && runsThrough(a, b, this.shifted(n, CORNERS))) found.push(n);
      }
    return found;
  }

  private blocks(h: number, isOpenSlope: boolean, a: Point, b: Point): boolean {
    const hex = this.board.hexes[h]!;
    const outline = this.shifted(h, CORNERS);
    if (!touches(a, b, outline)) return false;
    if (hex.f?.includes("hilltop") === true && (runsThrough(a, b, outline) || runsAlong(a, b, outline))) return true;
    if (isOpenSlope) return false;
    const los = hex.los ?? "";
    for (const cell of los === "all" ? "C012345" : los)
      if (touches(a, b, this.shifted(h, this.losCells[cell]!))) return true;
    for (const line of [...(hex.wall === undefined ? [] : [hex.wall]), ...(hex.cliff ?? [])]) {
      const drawn = this.shifted(h, line);
      for (let i = 0; i + 1 < drawn.length; i++) if (meet(a, b, drawn[i]!, drawn[i + 1]!)) return true;
    }
    return false;
  }

  private centre(h: number): Point {
    const c = this.board.columns[h]!;
    return [-6 * c, 8 * this.board.rows[h]! + (c % 2 === 0 ? 4 : 0)];
  }
  private shifted(h: number, shape: Polygon): Polygon {
    const [x, y] = this.centre(h);
    return shape.map(([dx, dy]) => [x + dx, y + dy]);
  }
}

const cross = (o: Point, a: Point, b: Point): number => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
const inBox = (a: Point, b: Point, p: Point): boolean =>
  Math.min(a[0], b[0]) <= p[0] &&
  p[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= p[1] &&
  p[1] <= Math.max(a[1], b[1]);
const next = (shape: Polygon, i: number): Point => shape[(i + 1) % shape.length]!;

/** Have two closed segments a point in common? */
function meet(a: Point, b: Point, c: Point, d: Point): boolean {
  const [p, q, r, s] = [
    Math.sign(cross(a, b, c)),
    Math.sign(cross(a, b, d)),
    Math.sign(cross(c, d, a)),
    Math.sign(cross(c, d, b)),
  ];
  if (p * q < 0 && r * s < 0) return true;
  return (
    (p === 0 && inBox(a, b, c)) ||
    (q === 0 && inBox(a, b, d)) ||
    (r === 0 && inBox(c, d, a)) ||
    (s === 0 && inBox(c, d, b))
  );
}

function contains(shape: Polygon, p: Point): boolean {
  let [left, right] = [true, true];
  for (let i = 0; i < shape.length; i++) {
    const side = cross(shape[i]!, next(shape, i), p);
    if (side > 0) right = false;
    if (side < 0) left = false;
  }
  return left || right;
}

/** Has the closed segment a point in common with the closed convex shape? */
function touches(a: Point, b: Point, shape: Polygon): boolean {
  if (contains(shape, a) || contains(shape, b)) return true;
  for (let i = 0; i < shape.length; i++) if (meet(a, b, shape[i]!, next(shape, i))) return true;
  return false;
}

/** Does the segment lie on a whole edge of the shape? */
function runsAlong(a: Point, b: Point, shape: Polygon): boolean {
  for (let i = 0; i < shape.length; i++) {
    const [c, d] = [shape[i]!, next(shape, i)];
    if (cross(a, b, c) === 0 && cross(a, b, d) === 0 && inBox(a, b, c) && inBox(a, b, d)) return true;
  }
  return false;
}

/** Does the segment run through the inside of the convex shape? It is cut at every edge; the coordinates are small whole numbers. */
function runsThrough(a: Point, b: Point, shape: Polygon): boolean {
  let area = 0;
  for (let i = 0; i < shape.length; i++) area += shape[i]![0] * next(shape, i)[1] - next(shape, i)[0] * shape[i]![1];
  const turn = Math.sign(area);
  let [enters, leaves] = [0, 1];
  for (let i = 0; i < shape.length; i++) {
    const f = turn * cross(shape[i]!, next(shape, i), a);
    const g = turn * cross(shape[i]!, next(shape, i), b);
    if (f <= 0 && g <= 0) return false;
    if (f < 0) enters = Math.max(enters, f / (f - g));
    if (g < 0) leaves = Math.min(leaves, f / (f - g));
  }
  return leaves - enters > 1e-9;
}
