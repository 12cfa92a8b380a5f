import { Banks } from "./banks.js";
import { HexGrid } from "../../core/hex.js";
import type { HexId } from "../layout.js";
import type { FEATURES } from "../schema.js";
import { type HexRow, type Terrain, TERRAINS } from "../schema.js";
import { Sight, type SpecialSight } from "./sight.js";
import type { Ground } from "../charts.js";

/** What P means in a hex. Rule: SOS 9.87, SOS 9.88, SOS 9.883 */
export const STAYS = 0;
export const RETREATS = 1;
/** Retreats, or stays and loses a unit. */
export const RETREATS_OR_LOSES = 2;

const STEEP: readonly string[] = ["balka", "cliff"];

/**
 * The hexes inside a scenario's bounds, in ascending order of column, then row: arrays over hexes follow that order.
 * Columns grow west, rows north; even columns are half a hex further north. Ruling R1.
 */
export class Board {
  readonly size: number;
  readonly ids: readonly string[];
  readonly columns: Int16Array;
  readonly rows: Int16Array;
  /** Six entries a hex clockwise from N (N, NE, SE, S, SW, NW), -1 outside the bounds. */
  readonly neighbours: Int16Array;
  /** Index into `TERRAINS`. */
  readonly terrain: Uint8Array;
  /**
   * Cost in half MP to enter the neighbour on that side of a hex (index hex * 6 + side), 0 where it can't be entered.
   */
  readonly footCost: Uint8Array;
  readonly vehicleCost: Uint8Array;
  /** The same without roads. */
  readonly roughCost: Uint8Array;
  /** What stops vehicles. */
  readonly banks: Banks;
  /**
   * Highest die modifier of the hex and its features that holds for every target, and if a foot unit is among them.
   * Rulings R21, 8.13.
   */
  readonly drm: Int8Array;
  readonly footDrm: Int8Array;
  /** Counts as clear for foot units, for vehicles: does not hide, may be fired at. Rule: SOS 7.1, SOS 11.4, SOS 11.6 */
  readonly clearForFoot: Uint8Array;
  readonly clearForVehicles: Uint8Array;
  /** Enemy zones of control reach into it. */
  readonly zocEnters: Uint8Array;
  /** P spends instead of pinning. Rule: SOS 9.84 */
  readonly pinSpends: Uint8Array;
  /** `STAYS`, `RETREATS` or `RETREATS_OR_LOSES`. */
  readonly retreatOnP: Uint8Array;
  readonly volga: Uint8Array;
  /** Cliffs and ravines, up which vehicles come from the river at a landing alone. Rule: SOS 8.67 */
  readonly steep: Uint8Array;
  readonly bridge: Uint8Array;
  readonly sight: Sight;
  /** The hexes as the map or the position gives them. */
  readonly hexes: readonly HexRow[];

  private readonly grid: HexGrid;

  /**
   * @param rows hexes by id; their order does not matter
   * @param around hexes just outside, which only block lines of sight
   */
  constructor(
    rows: ReadonlyMap<string, HexRow>,
    ground: Ground,
    around: ReadonlyMap<string, HexRow> = new Map(),
    special: SpecialSight | null = null,
  ) {
    this.ids = [...rows.keys()].sort();
    this.hexes = this.ids.map((id) => rows.get(id)!);
    this.grid = new HexGrid(this.ids, "even");
    this.size = this.ids.length;
    this.columns = this.grid.columns;
    this.rows = this.grid.rows;
    this.neighbours = new Int16Array(this.size * 6);
    // the grid's direction 0 points to lower rows, which is side 3 here
    for (let h = 0; h < this.size; h++)
      for (let d = 0; d < 6; d++) this.neighbours[h * 6 + d] = this.grid.neighbour(h, (d + 3) % 6);
    const bytes = (of: (x: HexRow) => number) => Uint8Array.from(this.hexes, of);
    this.terrain = bytes((x) => TERRAINS.indexOf(x.t));
    this.volga = bytes((x) => (x.t === "volga" ? 1 : 0));
    this.steep = bytes((x) => (STEEP.includes(x.t) || (x.f ?? []).some((f) => STEEP.includes(f)) ? 1 : 0));
    this.bridge = bytes((x) => (x.f?.includes("bridge") === true ? 1 : 0));
    this.drm = Int8Array.from(this.hexes, (x) => ground.drm(x, false));
    this.footDrm = Int8Array.from(this.hexes, (x) => ground.drm(x, true));
    this.clearForFoot = bytes((x) => (ground.isClear(x, false) ? 1 : 0));
    this.clearForVehicles = bytes((x) => (ground.isClear(x, true) ? 1 : 0));
    // Rule: SOS 6.2
    this.zocEnters = bytes((x) => (ground.kinds[x.t].zocEnters ? 1 : 0));
    this.pinSpends = bytes((x) => (ground.kinds[x.t].pin === "spent" ? 1 : 0));
    this.retreatOnP = bytes(
      (x) =>
        ({ must: RETREATS, "retreat-or-lose-one": RETREATS_OR_LOSES, no: STAYS, "back to box": STAYS })[
          ground.kinds[x.t].retreatOnP
        ],
    );
    this.footCost = this.costs(ground, false);
    this.vehicleCost = this.costs(ground, true);
    this.roughCost = this.costs(ground, true, false);
    this.banks = new Banks(
      this.hexes,
      bytes((x) => (x.landing === undefined ? 0 : 1)),
    );
    this.sight = new Sight(this, ground.losCells, around, special);
  }

  private costs(ground: Ground, vehicle: boolean, roads = true): Uint8Array {
    const costs = new Uint8Array(this.size * 6);
    for (let i = 0; i < costs.length; i++) {
      const to = this.neighbours[i]!;
      if (to < 0) continue;
      const mp = ground.cost(this.hexes[to]!, vehicle, roads && this.joined((i / 6) | 0, i % 6, "road"));
      costs[i] = mp === null ? 0 : mp * 2;
    }
    return costs;
  }

  /** Index of a hex, -1 outside the bounds. */
  index(id: string): HexId {
    return this.grid.index(id) as HexId;
  }
  /** Hexes from `a` to `b`, counted as moves. */
  distance(a: number, b: number): number {
    return this.grid.distance(a, b);
  }
  /** The side of `a` that touches `b`, -1 when they don't touch. */
  sideTo(a: number, b: number): number {
    for (let d = 0; d < 6; d++) if (this.neighbours[a * 6 + d] === b) return d;
    return -1;
  }
  terrainOf(h: number): Terrain {
    return TERRAINS[this.terrain[h]!]!;
  }
  hasFeature(h: number, feature: (typeof FEATURES)[number]): boolean {
    return this.hexes[h]!.f?.includes(feature) ?? false;
  }

  /**
   * True when a road or railroad leaves `h` by this side and goes on in the next hex. A hex that a position patches
   * with the feature but without sides joins every neighbour that has it. Rule: SOS 8.14
   */
  joined(h: number, side: number, key: "road" | "rail"): boolean {
    const to = this.neighbours[h * 6 + side]!;
    if (to < 0) return false;
    const leaves = (x: number, d: number) =>
      this.hexes[x]![key]?.includes(String(d)) ?? this.hasFeature(x, key === "road" ? "road" : "railroad");
    return leaves(h, side) && leaves(to, (side + 3) % 6);
  }

  /** Where to draw a hex: x to the east, y to the south, neighbours one unit apart. The map shows the north on top. */
  point(h: number): [number, number] {
    const [x, y] = this.grid.point(h);
    return [-x, -y];
  }
}
