import type { Row } from "./brand.js";

/** Which columns are half a hex towards higher row numbers than the others. */
export type HexShift = "odd" | "even";

/** Added to the cube coordinates of a line, so that one that runs along a hexside picks the same hexes both ways. */
export const LINE_NUDGE = [1e-6, 2e-6, -3e-6] as const;

/**
 * A hex map by printed numbers `ccrr`. A hex is identified by its index in `ids`; the map may have holes.
 *
 * Neighbours in a column that is not shifted: (c, r-1) (c+1, r-1) (c+1, r) (c, r+1) (c-1, r) (c-1, r-1); in one
 * that is: (c, r-1) (c+1, r) (c+1, r+1) (c, r+1) (c-1, r+1) (c-1, r).
 *
 * `H` is what a game calls the number of a hex.
 */
export class HexGrid<H extends number = number> {
  readonly size: number;
  /** Printed column and row of each hex. */
  readonly columns: Int16Array;
  readonly rows: Int16Array;
  /**
   * Six entries a hex clockwise from N (N, NE, SE, S, SW, NW; N is one row number lower): the index of the neighbour,
   * -1 off the map.
   */
  readonly neighbours: Row<H>;
  /** Cube coordinates: x is the column, x + y + z = 0. */
  private readonly x: Int16Array;
  private readonly z: Int16Array;
  private readonly byNumber = new Int16Array(10_000).fill(-1) as Row<H>;

  /**
   * @param ids printed numbers, four digits, none twice
   * @param shift which columns are half a hex towards higher rows
   * @throws RangeError an id that is not a hex number, or is listed twice
   */
  constructor(
    readonly ids: readonly string[],
    readonly shift: HexShift,
  ) {
    const n = ids.length;
    this.size = n;
    this.columns = new Int16Array(n);
    this.rows = new Int16Array(n);
    this.neighbours = new Int16Array(n * 6) as Row<H>;
    this.x = new Int16Array(n);
    this.z = new Int16Array(n);
    ids.forEach((id, h) => {
      if (!/^\d{4}$/.test(id)) throw new RangeError(`"${id}" is not a hex number of four digits`);
      if (this.byNumber[Number(id)] !== -1) throw new RangeError(`hex ${id} is listed twice`);
      this.byNumber[Number(id)] = h as H;
      const column = Number(id.slice(0, 2));
      const row = Number(id.slice(2));
      this.columns[h] = column;
      this.rows[h] = row;
      this.x[h] = column;
      this.z[h] = row - this.lift(column);
    });
    for (let h = 0; h < n; h++) {
      const c = this.columns[h]!;
      const r = this.rows[h]!;
      const low = this.isLow(c);
      this.neighbours.set(
        [
          this.at(c, r - 1),
          this.at(c + 1, r - 1 + low),
          this.at(c + 1, r + low),
          this.at(c, r + 1),
          this.at(c - 1, r + low),
          this.at(c - 1, r - 1 + low),
        ],
        h * 6,
      );
    }
  }

  /** Index of a printed number, -1 when the map lacks it. */
  index(id: string): H {
    return /^\d{4}$/.test(id) ? this.byNumber[Number(id)]! : (-1 as H);
  }

  /** Index of the hex in a printed column and row, -1 off the map. */
  at(column: number, row: number): H {
    return column < 0 || row < 0 || column > 99 || row > 99 ? (-1 as H) : this.byNumber[column * 100 + row]!;
  }

  /** The neighbour of `h` in direction 0..5, -1 off the map. */
  neighbour(h: H, direction: number): H {
    return this.neighbours[h * 6 + direction]!;
  }

  adjacent(a: H, b: H): boolean {
    const at = a * 6;
    for (let d = 0; d < 6; d++) if (this.neighbours[at + d] === b) return true;
    return false;
  }

  /** Hexes from `a` to `b`, counted as moves; the map's edge and holes don't matter. */
  distance(a: H, b: H): number {
    const dx = this.x[a]! - this.x[b]!;
    const dz = this.z[a]! - this.z[b]!;
    return Math.max(Math.abs(dx), Math.abs(dz), Math.abs(dx + dz));
  }

  /**
   * The hexes that a straight line from centre to centre crosses, both ends included, by cube interpolation with
   * `LINE_NUDGE`. The same hexes in either direction.
   *
   * @param out gets hex indices in order from `a`, -1 where the line leaves the map
   * @returns how many: `distance(a, b) + 1`
   */
  line(a: H, b: H, out: Int16Array | Int32Array): number {
    const n = this.distance(a, b);
    const x0 = this.x[a]! + LINE_NUDGE[0];
    const z0 = this.z[a]! + LINE_NUDGE[2];
    const y0 = -this.x[a]! - this.z[a]! + LINE_NUDGE[1];
    const dx = this.x[b]! - this.x[a]!;
    const dz = this.z[b]! - this.z[a]!;
    for (let i = 0; i <= n; i++) {
      const t = n === 0 ? 0 : i / n;
      const x = x0 + dx * t;
      const z = z0 + dz * t;
      const y = y0 - (dx + dz) * t;
      let rx = Math.round(x);
      let rz = Math.round(z);
      const ry = Math.round(y);
      const ex = Math.abs(rx - x);
      const ey = Math.abs(ry - y);
      const ez = Math.abs(rz - z);
      if (ex > ey && ex > ez) rx = -ry - rz;
      else if (ez >= ey) rz = -rx - ry;
      out[i] = this.at(rx, rz + this.lift(rx));
    }
    return n + 1;
  }

  /** Where to draw a hex: x to the east, y to the south, neighbours one unit apart. */
  point(h: H): [number, number] {
    const c = this.columns[h]!;
    return [(c * Math.sqrt(3)) / 2, this.rows[h]! + this.isLow(c) / 2];
  }

  /** 1 for a column that is half a hex lower. */
  private isLow(column: number): 0 | 1 {
    return ((column & 1) === 1) === (this.shift === "odd") ? 1 : 0;
  }

  /** Rows that a column's numbers run ahead of the cube coordinate z. */
  private lift(column: number): number {
    return this.shift === "odd" ? column >> 1 : (column + 1) >> 1;
  }
}
