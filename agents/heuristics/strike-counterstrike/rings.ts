import type { Tables } from "../../../env/strike-counterstrike/data.js";
import type { StateView } from "../../../env/index.js";

const FAR = 1_000_000;

/** What the search for rings around a place needs, for one control of the map. */
interface Surroundings {
  /** By neighbour, as in `grid.neighbours`: 1 when the step crosses the line from the place to the west. */
  readonly crossing: Uint8Array;
  /** Control of the map that the rest was computed for, as in the state. */
  readonly bits: Int32Array;
  /** Parity of Soviet hexes joined to the east edge, -1 for all others. */
  readonly parityOf: Int8Array;
  /** Of these the ones with a German neighbour, as nodes: + hexes for odd parity. */
  readonly seeds: Int32Array;
  seedCount: number;
  /** The Soviets hold all hexes around the place. */
  closed: boolean;
}

/**
 * The cheapest ring around a place: hexes to take so that it loses its way to the west edge. A ring runs from Soviet
 * hexes (or the north or south edge) to Soviet hexes (or those edges) and crosses the line from the place to the west
 * an odd number of times; so it is a shortest path over (hex, parity of crossings). The Soviet area itself may reach
 * around the place: each of its hexes has the parity of the way to it from the east edge.
 */
export class Rings {
  /** Hexes of the ring found last that are still German, and how many. */
  readonly hexes = new Int16Array(64);
  size = 0;
  private readonly hexCount: number;
  private readonly cost: Int32Array;
  private readonly from: Int32Array;
  private readonly buckets: Int32Array[];
  private readonly fill: Int32Array;
  private readonly depth: Int32Array;
  private readonly column: Int16Array;
  private readonly outer: Uint8Array;
  /** The hexes with a 1 in `outer`. */
  private readonly border: Int16Array;
  private readonly queue: Int16Array;
  private readonly east: Int16Array;
  /** By place, kept while control stays the same. */
  private readonly bySite: (Surroundings | undefined)[] = [];

  constructor(private readonly tables: Tables) {
    const { grid, ids, rows } = tables;
    this.hexCount = tables.hexCount;
    this.cost = new Int32Array(2 * this.hexCount);
    this.from = new Int32Array(2 * this.hexCount);
    this.buckets = Array.from({ length: 256 }, () => new Int32Array(2 * this.hexCount * 6));
    this.fill = new Int32Array(256);
    this.depth = Int32Array.from(ids.map((_, h) => Math.round(grid.point(h)[1] * 2)));
    this.column = grid.columns;
    this.queue = new Int16Array(this.hexCount);
    this.east = Int16Array.from(
      ids.map((_, h) => h).filter((h) => grid.neighbour(h, 1) < 0 && grid.neighbour(h, 2) < 0),
    );
    this.outer = Uint8Array.from(ids.map((_, h) => (grid.rows[h] === rows[0] || grid.neighbour(h, 3) < 0 ? 1 : 0)));
    this.border = Int16Array.from(ids.map((_, h) => h).filter((h) => this.outer[h] === 1));
  }

  /**
   * @param weight tenths of effort to take each German hex; 0 or less forbids it. Soviet hexes cost nothing.
   * @param limit rings that cost more are not searched
   * @returns tenths of effort of the ring, `Infinity` when there is none within the limit
   */
  around(s: StateView, place: number, weight: Int32Array, limit: number): number {
    const { hexCount: n, cost, from, buckets, fill, tables, outer, border } = this;
    const { german } = tables.L;
    const { neighbours } = tables.grid;
    const most = Math.min(limit, 255);
    this.size = 0;
    const { crossing, parityOf, seeds, seedCount, closed } = this.surroundings(s, place);
    if (closed) return 0;
    cost.fill(FAR);
    fill.fill(0);
    for (let i = 0; i < seedCount; i++) {
      const node = seeds[i]!;
      cost[node] = 0;
      from[node] = -1;
      buckets[0]![i] = node;
    }
    fill[0] = seedCount;
    for (let i = 0; i < border.length; i++) {
      const h = border[i]!;
      const c = weight[h]!;
      if (s[german + h] === 0 || c <= 0 || c > most || h === place) continue;
      cost[h] = c;
      from[h] = -1;
      buckets[c]![fill[c]!++] = h;
    }
    for (let c = 0; c <= most; c++) {
      const bucket = buckets[c]!;
      for (let i = 0; i < fill[c]!; i++) {
        const node = bucket[i]!;
        if (cost[node] !== c) continue;
        const odd = node >= n ? 1 : 0;
        const h = node - odd * n;
        if (s[german + h] === 0 ? parityOf[h]! >= 0 && parityOf[h] !== odd : odd === 1 && outer[h] === 1)
          return this.trace(s, node, c);
        for (let d = h * 6; d < h * 6 + 6; d++) {
          const k = neighbours[d]!;
          if (k < 0 || k === place) continue;
          let total = c;
          if (s[german + k] !== 0) {
            const step = weight[k]!;
            if (step <= 0) continue;
            total += step;
            if (total > most) continue;
          }
          const to = crossing[d] === odd ? k : k + n;
          if (total >= cost[to]!) continue;
          cost[to] = total;
          from[to] = node;
          const b = buckets[total]!;
          if (fill[total]! < b.length) b[fill[total]!++] = to;
        }
      }
    }
    return Infinity;
  }

  /** True when the step between two neighbours crosses the line from `place` to the west. */
  private crosses(a: number, b: number, place: number): boolean {
    const { column, depth } = this;
    return (
      Math.min(column[a]!, column[b]!) < column[place]! && depth[a]! <= depth[place]! !== depth[b]! <= depth[place]!
    );
  }

  private surroundings(s: StateView, place: number): Surroundings {
    const { hexCount: n, tables } = this;
    const { neighbours } = tables.grid;
    const { germanBits } = tables.L;
    const crossing = (): Uint8Array =>
      Uint8Array.from(neighbours, (k, d) => (k >= 0 && this.crosses(Math.floor(d / 6), k, place) ? 1 : 0));
    const found = (this.bySite[place] ??= {
      crossing: crossing(),
      bits: new Int32Array(tables.hexWords),
      parityOf: new Int8Array(n),
      seeds: new Int32Array(n),
      seedCount: 0,
      closed: false,
    });
    let same = true; // all bits are 0 at first, as they never are in a game
    for (let i = 0; i < tables.hexWords; i++) if (found.bits[i] !== s[germanBits + i]) same = false;
    if (same) return found;
    for (let i = 0; i < tables.hexWords; i++) found.bits[i] = s[germanBits + i]!;
    this.measureSoviets(s, found);
    return found;
  }

  private measureSoviets(s: StateView, found: Surroundings): void {
    const { hexCount: n, queue, east, tables } = this;
    const { german } = tables.L;
    const { neighbours } = tables.grid;
    const { parityOf, crossing, seeds } = found;
    parityOf.fill(-1);
    found.closed = false;
    let tail = 0;
    for (let i = 0; i < east.length; i++)
      if (s[german + east[i]!] === 0) {
        parityOf[east[i]!] = 0;
        queue[tail++] = east[i]!;
      }
    for (let head = 0; head < tail; head++) {
      const h = queue[head]!;
      for (let d = h * 6; d < h * 6 + 6; d++) {
        const k = neighbours[d]!;
        if (k < 0 || s[german + k] === 1) continue;
        const parity = parityOf[h]! ^ crossing[d]!;
        if (parityOf[k]! < 0) {
          parityOf[k] = parity;
          queue[tail++] = k;
        } else if (parityOf[k] !== parity) found.closed = true;
      }
    }
    found.seedCount = 0;
    for (let h = 0; h < n; h++) {
      if (parityOf[h]! < 0) continue;
      let front = false;
      for (let d = h * 6; d < h * 6 + 6; d++) if (neighbours[d]! >= 0 && s[german + neighbours[d]!] === 1) front = true;
      if (front) seeds[found.seedCount++] = parityOf[h] === 1 ? h + n : h;
    }
  }

  private trace(s: StateView, end: number, cost: number): number {
    for (let node = end; node >= 0; node = this.from[node]!) {
      const h = node % this.hexCount;
      if (s[this.tables.L.german + h] === 1 && this.size < this.hexes.length) this.hexes[this.size++] = h;
    }
    return cost;
  }
}
