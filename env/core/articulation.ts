import { bits, lowest } from "./bits.js";
import type { HexGrid } from "./hex.js";
import type { StateView } from "./layout.js";

/** Rows that a column has room for: one bit each. */
const ROWS = 32;

/**
 * Which hexes are connected to the roots through open hexes, and which are articulation points: how many others lose
 * every path if this one closed. A column of the map is one word, a hex a bit of it, so that one operation works on a
 * whole column. Scratch arrays are reused; nothing is allocated.
 *
 * Open hexes are given as one number a hex: 1 open, 0 closed. They may be part of a state, from word `at` on.
 */
export class ArticulationPoints {
  private readonly size: number;
  /** Columns of the map; all arrays over columns have an empty one before the first and one after the last. */
  private readonly width: number;
  private readonly column: Uint8Array;
  private readonly row: Uint8Array;
  /** Runs of hexes whose numbers and rows both rise by one: first hex, column, row of the first, how many. */
  private readonly columnRuns: Int16Array;
  /** 1: the column is half a hex towards higher rows. */
  private readonly low: Uint8Array;
  /** All hexes, and the roots. */
  private readonly whole: Int32Array;
  private readonly roots: Int32Array;
  private readonly open: Int32Array;
  /** Hexes connected to a root: through all open hexes, and without one of them. */
  private readonly linked: Int32Array;
  private readonly left: Int32Array;
  private readonly hexAt: Int16Array;

  /**
   * @param roots hexes that the others have to be connected to
   * @throws RangeError a map of more than 32 rows
   */
  constructor(grid: HexGrid, roots: Int16Array) {
    const { size, columns, rows } = grid;
    const [first, top] = [Math.min(...columns), Math.min(...rows)];
    const last = Math.max(...columns);
    if (Math.max(...rows) - top >= ROWS) throw new RangeError(`articulation points need a map of at most ${ROWS} rows`);
    this.size = size;
    this.width = last - first + 1;
    this.column = Uint8Array.from(columns, (c) => c - first + 1);
    this.row = Uint8Array.from(rows, (r) => r - top);
    const columnRuns: number[] = [];
    for (let h = 0; h < size; h++) {
      if (h > 0 && columns[h] === columns[h - 1] && rows[h] === rows[h - 1]! + 1) columnRuns[columnRuns.length - 1]!++;
      else columnRuns.push(h, this.column[h]!, this.row[h]!, 1);
    }
    this.columnRuns = Int16Array.from(columnRuns);
    this.low = Uint8Array.from({ length: this.width + 2 }, (_, i) =>
      (((first + i - 1) & 1) === 1) === (grid.shift === "odd") ? 1 : 0,
    );
    this.roots = new Int32Array(this.width + 2);
    for (const r of roots) this.roots[this.column[r]!]! |= 1 << this.row[r]!;
    this.open = new Int32Array(this.width + 2);
    this.linked = new Int32Array(this.width + 2);
    this.left = new Int32Array(this.width + 2);
    this.hexAt = new Int16Array((this.width + 2) * ROWS);
    this.whole = new Int32Array(this.width + 2);
    for (let h = 0; h < size; h++) this.whole[this.column[h]!]! |= 1 << this.row[h]!;
    for (let h = 0; h < size; h++) this.hexAt[this.column[h]! * ROWS + rows[h]! - top] = h;
  }

  /**
   * @param out gets from `outAt` on: hexes cut off if this one closed, or -1 for a hex that is closed or not connected
   *   itself
   */
  measure(open: StateView, at: number, out: Int32Array, outAt: number): void {
    const { width, size, whole, linked, left, hexAt } = this;
    this.load(open, at);
    this.fill(linked);
    out.fill(0, outAt, outAt + size);
    for (let c = 1; c <= width; c++)
      for (let rest = whole[c]! & ~linked[c]!; rest !== 0; rest &= rest - 1)
        out[outAt + hexAt[c * ROWS + lowest(rest)]!] = -1;
    for (let c = 1; c <= width; c++)
      for (let rest = this.suspects(c); rest !== 0; rest &= rest - 1) {
        const row = lowest(rest);
        this.fillWithout(c, 1 << row);
        let lost = -1;
        for (let k = 1; k <= width; k++) if (linked[k] !== left[k]) lost += bits(linked[k]! & ~left[k]!);
        out[outAt + hexAt[c * ROWS + row]!] = lost;
      }
  }

  /** Writes 1 into `out` from `outAt` on for each hex that would lose every path if the open hex `closed` closed. */
  mark(open: StateView, at: number, closed: number, out: Int32Array, outAt: number): void {
    const { width, column, row, linked, left, hexAt } = this;
    this.load(open, at);
    this.fill(linked);
    this.fillWithout(column[closed]!, 1 << row[closed]!);
    for (let c = 1; c <= width; c++)
      for (let lost = linked[c]! & ~left[c]!; lost !== 0; lost &= lost - 1) {
        const h = hexAt[c * ROWS + lowest(lost)]!;
        if (h !== closed) out[outAt + h] = 1;
      }
  }

  private load(open: StateView, at: number): void {
    const { columnRuns, open: words } = this;
    words.fill(0);
    for (let i = 0; i < columnRuns.length; i += 4) {
      const h = at + columnRuns[i]!;
      const n = columnRuns[i + 3]!;
      let word = 0;
      for (let k = 0; k < n; k++) word |= open[h + k]! << k;
      words[columnRuns[i + 1]!]! |= word << columnRuns[i + 2]!;
    }
  }

  private fillWithout(c: number, hex: number): void {
    this.open[c]! &= ~hex;
    this.fill(this.left);
    this.open[c]! |= hex;
  }

  /**
   * Flood fill: writes into `reach` what the roots reach, column by column in both directions until nothing is added.
   */
  private fill(reach: Int32Array): void {
    const { width, open, roots } = this;
    reach.fill(0);
    for (let c = 1; c <= width; c++) reach[c] = runs(open[c]!, open[c]! & roots[c]!);
    for (;;) {
      let more = 0;
      for (let c = 1; c <= width; c++) more |= this.extend(reach, c);
      if (more === 0) return;
      more = 0;
      for (let c = width; c > 0; c--) more |= this.extend(reach, c);
      if (more === 0) return;
    }
  }

  /** Adds to a column what its neighbours reach. @returns the hexes added */
  private extend(reach: Int32Array, c: number): number {
    const rest = this.open[c]! & ~reach[c]!;
    if (rest === 0) return 0;
    const beside = reach[c - 1]! | reach[c + 1]!;
    const from = rest & (this.low[c] === 1 ? beside | (beside >>> 1) : beside | (beside << 1));
    if (from === 0) return 0;
    const more = runs(rest, from);
    reach[c]! |= more;
    return more;
  }

  /**
   * The hexes of a column that may be articulation points. Connected neighbours in one row around a hex reach each
   * other without it; so it takes two such rows, or a root that has no other root beside it.
   */
  private suspects(c: number): number {
    const { linked, roots } = this;
    const low = this.low[c] === 1;
    const x = linked[c]!;
    if (x === 0) return 0;
    const n = x << 1;
    const s = x >>> 1;
    const east = linked[c + 1]!;
    const west = linked[c - 1]!;
    const ne = low ? east : east << 1;
    const se = low ? east >>> 1 : east;
    const sw = low ? west >>> 1 : west;
    const nw = low ? west : west << 1;
    let one = n & ~ne;
    let two = 0;
    let end = ne & ~se;
    two |= one & end;
    one |= end;
    end = se & ~s;
    two |= one & end;
    one |= end;
    end = s & ~sw;
    two |= one & end;
    one |= end;
    end = sw & ~nw;
    two |= one & end;
    one |= end;
    two |= one & (nw & ~n);
    const root = x & roots[c]!;
    if (root === 0) return x & two;
    const beside = (east & roots[c + 1]!) | (west & roots[c - 1]!);
    return x & (two | (root & ~((root << 1) | (root >>> 1) | beside | (low ? beside >>> 1 : beside << 1))));
  }
}

/** The runs of neighbouring bits in `open` that have a bit in `from`. */
function runs(open: number, from: number): number {
  let found = 0;
  for (let rest = open; (rest & from) !== 0;) {
    const above = rest & (rest + (rest & -rest));
    const run = rest & ~above;
    if ((run & from) !== 0) found |= run;
    rest = above;
  }
  return found;
}
