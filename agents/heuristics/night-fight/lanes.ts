import type { StateView } from "../../../env/index.js";
import {
  GERMANS,
  HEXES,
  type Tables,
  UNITS,
  type UnitId,
  type HexId,
  FIRST_UNIT,
  FIRST_HEX,
  NO_HEX,
} from "../../../env/night-fight/data.js";
import { columnIn, contactIn, groundOf, has, onMap, placeOf, SEEN, wrecksIn } from "../../../env/night-fight/state.js";
import { Danger } from "./danger.js";
import type { Row } from "../../../env/core/brand.js";

const FAR = 1e9;

/** Ways to the exit edge for one unit: what they cost in movement points, and where it may be this turn. */
export class Lanes {
  /** Loss expected at the end of a turn in each hex. */
  private danger: Float64Array = new Float64Array(HEXES);
  /** Movement points from each hex to off the map, danger priced in. */
  readonly toExit = new Float64Array(HEXES);
  /** Points left on reaching each hex this turn, -1 where it can't. */
  readonly left = new Int32Array(HEXES);
  /** The hex before it on the way; -1 for the first. */
  readonly before = new Int32Array(HEXES) as Row<HexId, Int32Array>;
  private readonly shut = new Uint8Array(HEXES);
  private readonly crowd = new Uint8Array(HEXES);
  private readonly queue = new Int32Array(HEXES) as Row<HexId, Int32Array>;
  private readonly queued = new Uint8Array(HEXES);

  private readonly dangers: Danger;

  constructor(private readonly tables: Tables) {
    this.dangers = new Danger(tables);
  }

  /** @param price movement points that a certain loss is worth */
  survey(s: StateView, u: UnitId, price: number): void {
    const { tables, toExit, shut, crowd } = this;
    this.danger = this.dangers.of(s, u);
    crowd.fill(0);
    for (let g = FIRST_UNIT; g < GERMANS; g++) if (onMap(s, g)) crowd[placeOf(s, g)]!++;
    for (let h = FIRST_HEX; h < HEXES; h++) {
      shut[h] = tables.ablaze[h] === 1 || contactIn(s, h) || columnIn(s, h) ? 1 : 0;
      toExit[h] = FAR;
    }
    for (let k = GERMANS; k < UNITS; k++) if (onMap(s, k) && has(s, k, SEEN)) shut[placeOf(s, k)] = 1;
    const kind = tables.vehicle[u]! * HEXES;
    const perHex = price / tables.mp[u]!;
    let head = 0;
    let size = 0;
    for (let h = FIRST_HEX; h < HEXES; h++) {
      if (tables.grid.columns[h] !== tables.exitColumn || shut[h] === 1) continue;
      toExit[h] = tables.rules.moveCost.exit;
      this.queue[(head + size++) % HEXES] = h;
      this.queued[h] = 1;
    }
    while (size > 0) {
      const h = this.queue[head]!;
      head = (head + 1) % HEXES;
      size--;
      this.queued[h] = 0;
      // going on through `h` costs its ground, its wrecks, and a share of a turn under fire
      const through =
        toExit[h]! +
        tables.enterCost[kind + h]! +
        (groundOf(s, h) === 0 ? 0 : wrecksIn(s, h)) +
        perHex * this.danger[h]!;
      for (let d = h * 6; d < h * 6 + 6; d++) {
        const n = tables.grid.neighbours[d]!;
        if (n < 0 || shut[n] === 1 || toExit[n]! <= through) continue;
        toExit[n] = through;
        if (this.queued[n] === 1) continue;
        this.queued[n] = 1;
        this.queue[(head + size++) % HEXES] = n;
      }
    }
  }

  /** Fills `left` and `before` for the moving unit; call `survey` first. */
  reach(s: StateView, u: UnitId, mp: number): void {
    const { tables, left, before, queue } = this;
    left.fill(-1);
    before.fill(-1);
    const from = placeOf(s, u);
    let head = 0;
    let size = 0;
    const visit = (h: HexId, points: number, previous: HexId): void => {
      const rest = points - this.cost(s, u, h);
      if (this.shut[h] === 1 || this.crowd[h]! >= tables.rules.stacking || rest <= left[h]!) return;
      left[h] = rest;
      before[h] = previous;
      if (this.queued[h] === 1) return;
      this.queued[h] = 1;
      queue[(head + size++) % HEXES] = h;
    };
    if (from < 0) for (let i = 0; i < tables.entry.length; i++) visit(tables.entry[i]!, mp, NO_HEX);
    else {
      left[from] = mp;
      queue[size++] = from;
    }
    while (size > 0) {
      const h = queue[head]!;
      head = (head + 1) % HEXES;
      size--;
      this.queued[h] = 0;
      for (let d = h * 6; d < h * 6 + 6; d++)
        if (tables.grid.neighbours[d]! >= 0) visit(tables.grid.neighbours[d]!, left[h]!, h);
    }
  }

  private cost(s: StateView, u: UnitId, h: HexId): number {
    return (
      this.tables.enterCost[this.tables.vehicle[u]! * HEXES + h]! +
      this.tables.rules.moveCost.perFriendlyUnitOrWreck * (this.crowd[h]! + wrecksIn(s, h))
    );
  }

  /** The hex of this turn's best end, by points still to go and danger there; -1 is staying off the map. */
  bestEnd(s: StateView, u: UnitId, price: number): HexId {
    const from = placeOf(s, u);
    let best = from;
    let least = from >= 0 ? this.endCost(from, price) : FAR;
    for (let h = FIRST_HEX; h < HEXES; h++) {
      if (h === from || this.left[h]! < 0) continue;
      const cost = this.endCost(h, price);
      if (cost < least - 1e-9) {
        least = cost;
        best = h;
      }
    }
    return best;
  }

  private endCost(h: HexId, price: number): number {
    if (this.tables.grid.columns[h] === this.tables.exitColumn && this.left[h]! >= this.tables.rules.moveCost.exit)
      return -1 - this.left[h]! / 100;
    return this.toExit[h]! + price * this.danger[h]!;
  }

  /** First hex on the way to `end`. */
  firstStep(s: StateView, u: UnitId, end: HexId): HexId {
    const from = placeOf(s, u);
    let h = end;
    while (this.before[h] !== -1 && this.before[h] !== from) h = this.before[h]!;
    return h;
  }
}
