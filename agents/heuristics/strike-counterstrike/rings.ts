import { type World } from "../../../env/strike-counterstrike/state.js";
import type { StateView } from "../../../env/index.js";

const FAR = 1_000_000;

/**
 * The cheapest ring around a place: hexes to take so that it loses its way to the west edge. A ring runs from Soviet hexes
 * (or the north or south edge) to Soviet hexes (or those edges) and crosses the line from the place to the west an odd
 * number of times; so it is a shortest path over (hex, parity of crossings). The Soviet area itself may reach around the
 * place: each of its hexes has the parity of the way to it from the east edge.
 */
export class Rings {
  /** Hexes of the ring found last that are still German, and how many. */
  readonly hexes = new Int16Array(64);
  size = 0;
  private readonly n: number;
  private readonly cost: Int32Array;
  private readonly from: Int32Array;
  private readonly buckets: Int32Array[];
  private readonly fill: Int32Array;
  private readonly depth: Int32Array;
  private readonly column: Int16Array;
  private readonly outer: Uint8Array;
  /** Parity of Soviet hexes joined to the east edge, -1 for all others. */
  private readonly gauge: Int8Array;
  private readonly queue: Int16Array;
  private readonly east: Int16Array;

  constructor(private readonly w: World) {
    const { grid, rows } = w.t;
    this.n = w.hexes;
    this.cost = new Int32Array(2 * this.n);
    this.from = new Int32Array(2 * this.n);
    this.buckets = Array.from({ length: 256 }, () => new Int32Array(2 * this.n * 6));
    this.fill = new Int32Array(256);
    this.depth = Int32Array.from(grid.ids, (_, h) => Math.round(grid.point(h)[1] * 2));
    this.column = grid.columns;
    this.gauge = new Int8Array(this.n);
    this.queue = new Int16Array(this.n);
    this.east = Int16Array.from(grid.ids.map((_, h) => h).filter((h) => grid.neighbour(h, 1) < 0 && grid.neighbour(h, 2) < 0));
    this.outer = Uint8Array.from(grid.ids, (_, h) => (grid.rows[h] === rows[0] || grid.neighbour(h, 3) < 0 ? 1 : 0));
  }

  /**
   * @param weight tenths of effort to take each German hex; 0 or less forbids it. Soviet hexes cost nothing.
   * @param limit rings dearer than this do not interest
   * @returns tenths of effort of the ring, `Infinity` when there is none within the limit
   */
  around(s: StateView, place: number, weight: Int32Array, limit: number): number {
    const { n, cost, from, buckets, fill, w, gauge } = this;
    const { german } = w.L;
    const { neighbours } = w.t.grid;
    const most = Math.min(limit, 255);
    cost.fill(FAR);
    fill.fill(0);
    this.size = 0;
    this.measureSoviets(s, place);
    for (let h = 0; h < n; h++) {
      const soviet = s[german + h] === 0;
      if (soviet ? gauge[h]! < 0 : this.outer[h] === 0) continue;
      const c = soviet ? 0 : weight[h]!;
      if ((!soviet && c <= 0) || c > most || h === place) continue;
      const node = soviet && gauge[h] === 1 ? h + n : h;
      cost[node] = c;
      from[node] = -1;
      buckets[c]![fill[c]!++] = node;
    }
    for (let c = 0; c <= most; c++) {
      const bucket = buckets[c]!;
      for (let i = 0; i < fill[c]!; i++) {
        const node = bucket[i]!;
        if (cost[node] !== c) continue;
        const h = node % n;
        const odd = node >= n;
        if (s[german + h] === 0 ? gauge[h]! >= 0 && (gauge[h] === 1) !== odd : odd && this.outer[h] === 1) return this.trace(s, node, c);
        for (let d = h * 6; d < h * 6 + 6; d++) {
          const k = neighbours[d]!;
          if (k < 0 || k === place) continue;
          const soviet = s[german + k] === 0;
          const step = soviet ? 0 : weight[k]!;
          if (!soviet && step <= 0) continue;
          const crosses = this.crosses(h, k, place);
          const to = k + (crosses !== odd ? n : 0);
          const total = c + step;
          if (total > most || total >= cost[to]!) continue;
          cost[to] = total;
          from[to] = node;
          const b = buckets[total]!;
          if (fill[total]! < b.length) b[fill[total]!++] = to;
        }
      }
    }
    return Infinity;
  }

  /** Does the step between two neighbours cross the line from `place` to the west? */
  private crosses(a: number, b: number, place: number): boolean {
    const { column, depth } = this;
    return Math.min(column[a]!, column[b]!) < column[place]! && depth[a]! <= depth[place]! !== depth[b]! <= depth[place]!;
  }

  private measureSoviets(s: StateView, place: number): void {
    const { gauge, queue, w } = this;
    const { german } = w.L;
    const { neighbours } = w.t.grid;
    gauge.fill(-1);
    let tail = 0;
    for (let i = 0; i < this.east.length; i++)
      if (s[german + this.east[i]!] === 0) {
        gauge[this.east[i]!] = 0;
        queue[tail++] = this.east[i]!;
      }
    for (let head = 0; head < tail; head++) {
      const h = queue[head]!;
      for (let d = h * 6; d < h * 6 + 6; d++) {
        const k = neighbours[d]!;
        if (k < 0 || s[german + k] === 1 || gauge[k]! >= 0) continue;
        gauge[k] = gauge[h]! ^ (this.crosses(h, k, place) ? 1 : 0);
        queue[tail++] = k;
      }
    }
  }

  private trace(s: StateView, end: number, cost: number): number {
    for (let node = end; node >= 0; node = this.from[node]!) {
      const h = node % this.n;
      if (s[this.w.L.german + h] === 1 && this.size < this.hexes.length) this.hexes[this.size++] = h;
    }
    return cost;
  }
}
