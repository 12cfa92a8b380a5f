import type { HexRow } from "../schema.js";
import { Lines } from "./lines.js";

type Point = readonly [number, number];
type Polygon = readonly Point[];

/** What a line of sight needs of the board. */
export interface SightBoard {
  readonly size: number;
  readonly ids: readonly string[];
  readonly hexes: readonly HexRow[];
  readonly columns: ArrayLike<number>;
  readonly rows: ArrayLike<number>;
  index(id: string): number;
  distance(a: number, b: number): number;
}

/**
 * Hexes that OPs on one height see whatever their distance, and those they and OPs there see of each other.
 * Rule: SOS 14.25, SOS 14.27
 */
export interface SpecialSight {
  readonly from: string;
  readonly volga: readonly string[];
  readonly mutual: readonly string[];
}

/** Farthest that any unit sees. Ruling R91. */
export const SIGHT_RANGE = 16;
/** How far a spotter sees from ordinary ground, and from a hilltop or over nothing but the Volga. Rule: SOS 14.25 */
const SPOTTING_RANGE = 4;
const FAR_SPOTTING_RANGE = 9;
const UNKNOWN = 0;
const FREE = 1;
const BLOCKED = 2;
/** How much of a hex blocks. A hilltop blocks by its outline. */
const NOTHING = 0;
const ALL = 1;
const PARTS = 2;
/** Hex numbers are smaller. */
const NUMBERS = 10_000;

/** Corners of a hex relative to its centre, clockwise from the eastern end of side 0. */
const CORNERS: Polygon = [
  [2, 4],
  [4, 0],
  [2, -4],
  [-2, -4],
  [-4, 0],
  [-2, 4],
];

/** A hex in absolute coordinates. */
interface Plot {
  readonly column: number;
  readonly row: number;
  readonly hex: HexRow;
  readonly outline: Polygon;
  readonly cells: readonly Polygon[];
  /** The cells cover the hex: what touches it touches one of them. */
  readonly isFull: boolean;
  readonly lines: readonly Polygon[];
  readonly isHilltop: boolean;
}

/** Rows of answers, one a hex, each made when it is first asked for. */
type Rows = (Uint8Array | undefined)[];

/**
 * Lines of sight, exact in whole numbers: a segment between two centres is blocked by what it touches, also by what
 * is just outside the bounds. A line is computed when first asked for and kept, since nothing on the map changes.
 * Rule: SOS 9.31, SOS 9.32, SOS 9.33, SOS 9.34, SOS 9.35, SOS 9.36, SOS 9.37, SOS 9.38, SOS 9.40
 */
export class Sight {
  private readonly fire: Rows;
  private readonly spot: Rows;
  /** Who sees a counter in a hex, and which units and OPs could spot a target there. */
  readonly seen: Lines;
  readonly byUnits: Lines;
  readonly byOps: Lines;
  /** All hexes by number; those of the board by index. */
  private readonly plots: ReadonlyMap<number, Plot>;
  private readonly own: readonly Plot[];
  /** `NOTHING`, `ALL` or `PARTS`, by number: how much of the hex blocks. */
  private readonly blocks = new Uint8Array(NUMBERS);
  /** True when a hex has a Volga hex, or an unknown one, beside it. */
  private readonly shore: Uint8Array;
  /** True when the Tartar Wall is anywhere on the board. */
  readonly hasWalls: boolean;
  private readonly special: { readonly from: number; readonly volga: Set<number>; readonly mutual: Set<number> } | null;

  /** @param around hexes outside the bounds that lines between hexes inside may touch, by id */
  constructor(
    private readonly board: SightBoard,
    losCells: Readonly<Record<string, Polygon>>,
    around: ReadonlyMap<string, HexRow>,
    special: SpecialSight | null,
  ) {
    const rows = (): Rows => new Array<Uint8Array | undefined>(board.size).fill(undefined);
    this.fire = rows();
    this.spot = rows();
    const all = [...board.ids.map((id, h) => [id, board.hexes[h]!] as const), ...around];
    const areaOfCells = Object.values(losCells).reduce((sum, cell) => sum + areaOf(cell), 0);
    const tiled = areaOfCells === areaOf(CORNERS) ? Object.keys(losCells).length : -1;
    const plots = all.map(([id, hex]) => plotOf(Number(id.slice(0, 2)), Number(id.slice(2)), hex, losCells, tiled));
    this.plots = new Map(plots.map((p) => [key(p.column, p.row), p]));
    this.own = plots.slice(0, board.size);
    this.hasWalls = this.own.some((p) => p.hex.wall !== undefined);
    for (const p of plots)
      if (p.isHilltop || p.cells.length + p.lines.length > 0)
        this.blocks[key(p.column, p.row)] = p.isFull && !p.isHilltop ? ALL : PARTS;
    const found = (ids: readonly string[]) => new Set(ids.map((id) => board.index(id)).filter((h) => h >= 0));
    this.special =
      special === null
        ? null
        : { from: board.index(special.from), volga: found(special.volga), mutual: found(special.mutual) };
    const distance = (a: number, b: number) => board.distance(a, b);
    this.shore = Uint8Array.from(this.own, (p) => (this.touchesVolga(p) ? 1 : 0));
    const far = (a: number) => (this.own[a]!.isHilltop || this.shore[a] === 1 ? FAR_SPOTTING_RANGE : SPOTTING_RANGE);
    const isSpecial = (a: number) => this.special?.from === a || this.special?.mutual.has(a) === true;
    this.seen = new Lines(
      board.size,
      distance,
      () => SIGHT_RANGE,
      (a, b) => this.clear(a, b),
    );
    this.byUnits = new Lines(board.size, distance, far, (a, b) => this.inSpottingSight(a, b));
    this.byOps = new Lines(
      board.size,
      distance,
      (a) => (isSpecial(a) ? Infinity : far(a)),
      (a, b) => this.inSpecialSight(a, b) || this.inSpottingSight(a, b),
    );
  }

  /** True when the line between two hexes is clear for direct fire. The same in both directions. */
  clear(a: number, b: number): boolean {
    if (a > b) return this.clear(b, a);
    const row = (this.fire[a] ??= new Uint8Array(this.board.size));
    if (row[b] === UNKNOWN) row[b] = this.trace(a, b, false) ? FREE : BLOCKED;
    return row[b] === FREE;
  }

  /**
   * True when the line is clear for a spotter. From a height he sees over suburbs below. The same in both directions.
   * Rule: SOS 14.26
   */
  clearToSpot(a: number, b: number): boolean {
    if (a > b) return this.clearToSpot(b, a);
    const row = (this.spot[a] ??= new Uint8Array(this.board.size));
    if (row[b] === UNKNOWN) row[b] = this.trace(a, b, true) ? FREE : BLOCKED;
    return row[b] === FREE;
  }

  /** True when the Tartar Wall is in a hex. */
  isWall(h: number): boolean {
    return this.at(h).hex.wall !== undefined;
  }

  /**
   * True when the Tartar Wall of a hex is between a vehicle there and another hex, which may be adjacent. The wall of
   * one's own hex blocks nobody else. Rule: SOS 9.40, ruling R18
   *
   * @param rim feature side that the vehicle's sector starts with: it looks from the middle of the next side
   */
  wallHides(a: number, rim: number, b: number): boolean {
    const { column, row, hex, lines } = this.at(a);
    if (hex.wall === undefined) return false;
    const [x, y] = centre(column, row);
    const [p, q] = [CORNERS[rim]!, CORNERS[(rim + 1) % 6]!];
    const eye: Point = [x + (p[0] + q[0]) / 2, y + (p[1] + q[1]) / 2];
    const other = this.at(b);
    const aim = centre(other.column, other.row);
    const wall = lines[0]!;
    for (let i = 0; i + 1 < wall.length; i++) if (meet(eye, aim, wall[i]!, wall[i + 1]!)) return true;
    return false;
  }

  /** A hex that blocks the line, by id, because it may be outside the bounds; null when the line is clear. */
  blockedBy(a: number, b: number, spotting: boolean): string | null {
    const found = this.blocker(a, b, spotting);
    return found === null ? null : idOf(found);
  }

  /** The hill from which observers see the East Bank; below 0 where the board has none. Rule: SOS 14.29 */
  get hill(): number {
    return this.special === null ? -1 : this.special.from;
  }

  /** True when a unit in `a` would see a counter in `b`, if terrain there hides nothing. Ruling R91. */
  sees(a: number, b: number): boolean {
    return this.seen.has(a, b);
  }

  /**
   * True when a unit or an OP in `a` could spot a target in `b`, by range and ground. Rule: SOS 14.25, SOS 14.26, SOS
   * 14.27
   */
  spots(a: number, b: number, op: boolean): boolean {
    return (op ? this.byOps : this.byUnits).has(a, b);
  }

  private inSpecialSight(a: number, b: number): boolean {
    const { special } = this;
    if (special === null) return false;
    if (a === special.from && (special.volga.has(b) || special.mutual.has(b))) return true;
    return b === special.from && special.mutual.has(a);
  }

  private inSpottingSight(a: number, b: number): boolean {
    const distance = this.board.distance(a, b);
    if (distance > FAR_SPOTTING_RANGE) return false;
    if (distance > SPOTTING_RANGE && !this.at(a).isHilltop && !this.isOverVolga(a, b)) return false;
    return this.clearToSpot(a, b);
  }

  /** True when a line from a hex could first touch the Volga only: some hex beside it is Volga, or unknown. */
  private touchesVolga(from: Plot): boolean {
    for (let d = 0; d < 6; d++) {
      const beside = this.plots.get(beyond(from, d));
      if (beside === undefined || beside.hex.t === "volga") return true;
    }
    return false;
  }

  /** True when the line touches nothing but the Volga between its ends. */
  private isOverVolga(from: number, to: number): boolean {
    if (this.shore[from] === 0 || this.shore[to] === 0) return false;
    const [f, t] = [this.at(from), this.at(to)];
    const [a, b] = [centre(f.column, f.row), centre(t.column, t.row)];
    for (let c = Math.min(f.column, t.column) - 1; c <= Math.max(f.column, t.column) + 1; c++)
      for (let r = Math.min(f.row, t.row) - 2; r <= Math.max(f.row, t.row) + 2; r++) {
        const p = this.plots.get(key(c, r));
        if (p !== undefined && p.hex.t !== "volga" && p !== f && p !== t && touches(a, b, p.outline)) return false;
      }
    return true;
  }

  private at(h: number): Plot {
    return this.own[h]!;
  }

  /** Looks, column by column, at the few hexes that the line can touch there. */
  private trace(from: number, to: number, spotting: boolean): boolean {
    return this.blocker(from, to, spotting) === null;
  }

  private blocker(from: number, to: number, spotting: boolean): Plot | null {
    if (this.board.distance(from, to) <= 1) return null;
    const [f, t] = [this.at(from), this.at(to)];
    const [a, b] = [centre(f.column, f.row), centre(t.column, t.row)];
    const dx = b[0] - a[0];
    const dy = b[1] - a[1];
    const slopes = f.hex.down === undefined && t.hex.down === undefined ? NONE : this.openSlopes(f, t, a, b);
    const length = dx * dx + dy * dy;
    // the corners of a hex are at most so far from its centre, measured across the line
    const width = Math.max(WIDTH * Math.abs(dy), HEIGHT * Math.abs(dx) + (WIDTH / 2) * Math.abs(dy));
    const slope = dx === 0 ? 0 : dy / dx;
    const reach = HEIGHT + Math.abs(slope * WIDTH);
    const first = Math.max(0, Math.min(f.column, t.column) - 1);
    const last = Math.max(f.column, t.column) + 1;
    const lowest = Math.max(0, Math.min(f.row, t.row) - 2);
    const highest = Math.max(f.row, t.row) + 2;
    for (let c = first; c <= last; c++) {
      const x = -COLUMN * c - a[0];
      const base = (c & 1) === 0 ? ROW / 2 - a[1] : -a[1];
      let low = lowest;
      let high = highest;
      if (dx !== 0) {
        // where the line runs between the western and eastern corners of the column
        const middle = a[1] + slope * x;
        low = Math.max(low, Math.floor((middle - reach) / ROW) - 1);
        high = Math.min(high, Math.ceil((middle + reach) / ROW));
      }
      for (let r = low; r <= high; r++) {
        const much = this.blocks[key(c, r)]!;
        if (much === NOTHING) continue;
        const y = ROW * r + base;
        if (Math.abs(dx * y - dy * x) > width) continue; // wholly on one side of the line
        const along = dx * x + dy * y;
        if (!isBetween(along, length)) continue;
        const p = this.plots.get(key(c, r))!;
        if (much === ALL && slopes === NONE) return p;
        if (p.isHilltop && (runsThrough(a, b, p.outline) || runsAlong(a, b, p.outline))) return p;
        if (slopes.includes(p)) continue;
        if (!(spotting && slopes.length > 0 && p.hex.t === "suburb")) {
          if (p.isFull) return p;
          for (const cell of p.cells) if (touches(a, b, cell)) return p;
        }
        for (const line of p.lines)
          for (let i = 0; i + 1 < line.length; i++) if (meet(a, b, line[i]!, line[i + 1]!)) return p;
      }
    }
    return null;
  }

  /** Slope hexes beside an end on a height: direct fire sees over the units there. Rule: SOS 9.38 */
  private openSlopes(f: Plot, t: Plot, a: Point, b: Point): readonly Plot[] {
    const found: Plot[] = [];
    for (const end of [f, t])
      for (const d of end.hex.down ?? "") {
        const n = this.plots.get(beyond(end, Number(d)));
        if (n !== undefined && n !== f && n !== t && runsThrough(a, b, n.outline)) found.push(n);
      }
    return found;
  }
}

const NONE: readonly Plot[] = [];
/** Half a hex across and half its height; from column to column and from row to row. */
const WIDTH = 4;
const HEIGHT = 4;
const COLUMN = 6;
const ROW = 8;

/**
 * True when a hex that the line between two others touches is between its ends, not beyond one. Neither end is in it,
 * so all of it that the line touches is on one side of an end; it is so near to that end only sideways, never along the
 * line, that its centre decides which.
 *
 * @param along where its centre is along the line, of `length`
 */
const isBetween = (along: number, length: number): boolean => along > 0 && along < length;

const key = (column: number, row: number): number => column * 100 + row;
const idOf = ({ column, row }: Plot): string => String(key(column, row)).padStart(4, "0");

/** Key of the neighbour on a side, clockwise from N. Ruling R1. */
function beyond({ column, row }: Plot, side: number): number {
  const up = column % 2 === 0 ? 1 : 0;
  const steps = [
    [0, 1],
    [-1, up],
    [-1, up - 1],
    [0, -1],
    [1, up - 1],
    [1, up],
  ] as const;
  const [c, r] = steps[side]!;
  return key(column + c, row + r);
}

const centre = (column: number, row: number): Point => [-COLUMN * column, ROW * row + (column % 2 === 0 ? ROW / 2 : 0)];

/** @param tiled how many cells cover a hex, -1: not even all of them */
function plotOf(
  column: number,
  row: number,
  hex: HexRow,
  losCells: Readonly<Record<string, Polygon>>,
  tiled: number,
): Plot {
  const [x, y] = centre(column, row);
  const shifted = (shape: Polygon): Polygon => shape.map(([dx, dy]) => [x + dx, y + dy]);
  const los = hex.los ?? "";
  return {
    column,
    row,
    hex,
    outline: shifted(CORNERS),
    cells: [...(los === "all" ? "C012345" : los)].map((cell) => shifted(losCells[cell]!)),
    isFull: los === "all" && tiled === "C012345".length,
    lines: [...(hex.wall === undefined ? [] : [hex.wall]), ...(hex.cliff ?? [])].map(shifted),
    isHilltop: hex.f?.includes("hilltop") ?? false,
  };
}

const cross = (o: Point, a: Point, b: Point): number => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
const inBox = (a: Point, b: Point, p: Point): boolean =>
  Math.min(a[0], b[0]) <= p[0] &&
  p[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= p[1] &&
  p[1] <= Math.max(a[1], b[1]);
const next = (shape: Polygon, i: number): Point => shape[(i + 1) % shape.length]!;

/** True when two closed segments have a point in common. */
function meet(a: Point, b: Point, c: Point, d: Point): boolean {
  const p = Math.sign(cross(a, b, c));
  const q = Math.sign(cross(a, b, d));
  if (p * q > 0) return false;
  const r = Math.sign(cross(c, d, a));
  const s = Math.sign(cross(c, d, b));
  if (p * q < 0 && r * s < 0) return true;
  return (
    (p === 0 && inBox(a, b, c)) ||
    (q === 0 && inBox(a, b, d)) ||
    (r === 0 && inBox(c, d, a)) ||
    (s === 0 && inBox(c, d, b))
  );
}

function contains(shape: Polygon, p: Point): boolean {
  let left = true;
  let right = true;
  for (let i = 0; i < shape.length; i++) {
    const side = cross(shape[i]!, next(shape, i), p);
    if (side > 0) right = false;
    if (side < 0) left = false;
  }
  return left || right;
}

/** True when the closed segment has a point in common with the closed convex shape. */
function touches(a: Point, b: Point, shape: Polygon): boolean {
  if (contains(shape, a) || contains(shape, b)) return true;
  for (let i = 0; i < shape.length; i++) if (meet(a, b, shape[i]!, next(shape, i))) return true;
  return false;
}

/** True when the segment is on an edge of the shape, over its whole length. */
function runsAlong(a: Point, b: Point, shape: Polygon): boolean {
  for (let i = 0; i < shape.length; i++) {
    const [c, d] = [shape[i]!, next(shape, i)];
    if (cross(a, b, c) === 0 && cross(a, b, d) === 0 && inBox(a, b, c) && inBox(a, b, d)) return true;
  }
  return false;
}

/** Twice the area of a shape, negative when its corners go clockwise. */
function signedArea(shape: Polygon): number {
  let area = 0;
  for (let i = 0; i < shape.length; i++) area += shape[i]![0] * next(shape, i)[1] - next(shape, i)[0] * shape[i]![1];
  return area;
}
const areaOf = (shape: Polygon): number => Math.abs(signedArea(shape));

/**
 * True when the segment runs through the inside of the convex shape. It is cut at every edge; the coordinates are small
 * whole numbers.
 */
function runsThrough(a: Point, b: Point, shape: Polygon): boolean {
  const turn = Math.sign(signedArea(shape));
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
