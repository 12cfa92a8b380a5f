import type { Open } from "./hex.js";

const CLOSED = 0x7fffffff;

/**
 * Choke points of a map: for each open hex, how many others would lose every path to the roots if it closed. One
 * depth-first pass finds them all (articulation points, Tarjan). Scratch is kept, nothing is allocated.
 */
export class Cuts {
  private readonly size: number;
  /** As the grid's table, but off the map is one hex more, which is always closed. */
  private readonly neighbours: Int32Array;
  private readonly isRoot: Uint8Array;
  /** When a hex was reached; 0 not yet, CLOSED never. */
  private readonly seen: Int32Array;
  /** Earliest time reached from a hex or from below it, and how many hexes that is. */
  private readonly low: Int32Array;
  private readonly below: Int32Array;
  private readonly parent: Int32Array;
  private readonly edge: Int32Array;

  /**
   * @param neighbours six entries a hex, -1 for none
   * @param roots hexes that paths lead to
   */
  constructor(
    neighbours: Int16Array,
    private readonly roots: Int16Array,
  ) {
    const n = neighbours.length / 6;
    this.size = n;
    this.neighbours = Int32Array.from(neighbours, (k) => (k < 0 ? n : k));
    this.isRoot = new Uint8Array(n);
    for (const r of roots) this.isRoot[r] = 1;
    this.seen = new Int32Array(n + 1);
    this.low = new Int32Array(n);
    this.below = new Int32Array(n);
    this.parent = new Int32Array(n);
    this.edge = new Int32Array(n);
  }

  /**
   * @param open one number a hex from `openAt` on, 0 is closed
   * @param out gets from `outAt` on: hexes cut off if this one closed, or -1 for a hex that is closed or has no path itself
   */
  measure(open: Open, openAt: number, out: Int32Array, outAt: number): void {
    const { size, neighbours, roots, isRoot, seen, low, below, parent, edge } = this;
    for (let h = 0; h < size; h++) {
      seen[h] = open[openAt + h] === 0 ? CLOSED : 0;
      out[outAt + h] = -1;
    }
    seen[size] = CLOSED;
    // All roots hang on one node above them, which was reached at time 1.
    let time = 1;
    for (let r = 0; r < roots.length; r++) {
      let h = roots[r]!;
      if (seen[h] !== 0) continue;
      parent[h] = -1;
      seen[h] = ++time;
      below[h] = 1;
      out[outAt + h] = 0;
      let lowest = 1;
      let e = h * 6;
      let end = e + 6;
      for (;;) {
        if (e < end) {
          const k = neighbours[e++]!;
          const t = seen[k]!;
          if (t === 0) {
            low[h] = lowest;
            edge[h] = e;
            parent[k] = h;
            seen[k] = ++time;
            below[k] = 1;
            out[outAt + k] = 0;
            lowest = isRoot[k] === 1 ? 1 : time;
            h = k;
            e = h * 6;
            end = e + 6;
          } else if (t < lowest) lowest = t;
        } else {
          const p = parent[h]!;
          if (p < 0) break;
          const n = below[h]!;
          below[p]! += n;
          if (lowest >= seen[p]!) out[outAt + p]! += n;
          if (low[p]! < lowest) lowest = low[p]!;
          h = p;
          e = edge[h]!;
          end = h * 6 + 6;
        }
      }
    }
  }
}
