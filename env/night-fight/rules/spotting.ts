import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import {
  COLUMNS,
  GERMANS,
  HEXES,
  UNITS,
  type UnitId,
  type HexId,
  type ColumnId,
  FIRST_COLUMN,
  FIRST_UNIT,
} from "../data.js";
import type { Tables } from "../data.js";
import { makeKnown } from "../contacts.js";
import { sees } from "./sight.js";
import * as events from "../events/index.js";
import { columnOf, FIRED, flareNear, has, isBright, onMap, placeOf, SEEN, SUPPRESSED } from "../state.js";
import { deploy } from "./columns.js";
import { inReach } from "./combat.js";

/** Night equipment counts unless the target's hex is bright. Rule: NF 11.2, ruling N6 */
export function nightBonus(tables: Tables, s: StateView, u: UnitId, h: HexId): number {
  return isBright(tables, s, h) ? 0 : tables.night[u]!;
}

/** What German `u` adds to its die when it looks for something in hex `h`. Rule: NF reconstructed spotting, NF 11.2 */
export function spotBonus(tables: Tables, s: StateView, u: UnitId, h: HexId, distance: number): number {
  const m = tables.rules.spotting;
  let bonus = nightBonus(tables, s, u, h);
  if (flareNear(tables, s, h)) bonus += m.flareInOrAdjacent;
  if (tables.cover[h] === 1) bonus += m.targetInWoodsOrTown;
  if (distance === 1) bonus += m.adjacent;
  return bonus;
}

/** Rolls for spotting and turns up what is found. Rule: NF reconstructed spotting @returns whether it succeeded */
export function spot(tables: Tables, s: State, u: UnitId, h: HexId, play: Play): boolean {
  const distance = tables.distance[placeOf(s, u) * HEXES + h]!;
  const need = distance + tables.rules.spotting.needBeyondDistance - spotBonus(tables, s, u, h, distance);
  const die = play.dice.d6();
  if (play.narrator !== null) events.tellSpot(tables, u, h, die, need, play);
  if (die < need) return false;
  turnUp(tables, s, h, play);
  return true;
}

/**
 * Turns up all counters of a hex: dummies go, real units stay spotted, a column is replaced by units.
 * Rule: NF reconstructed spotting, NF 11.1 (8.5)
 *
 * @returns whether anything real was there
 */
export function turnUp(tables: Tables, s: State, h: HexId, play: Play): boolean {
  let real = false;
  const found: UnitId[] | null = play.narrator === null ? null : [];
  for (let k = GERMANS; k < UNITS; k++) {
    if (placeOf(s, k) !== h || has(s, k, SEEN)) continue;
    makeKnown(tables, s, k);
    if (tables.dummy[k] === 0) real = true;
    found?.push(k);
  }
  if (found !== null && found.length > 0) events.tellTurnedUp(tables, h, found, play);
  for (let c = FIRST_COLUMN; c < COLUMNS; c++) {
    if (columnOf(s, c) !== h) continue;
    deploy(tables, s, c, play);
    real = true;
  }
  return real;
}

/** True when German `u`, on the map, may name the hex of Soviet counter `k` as its target, to attack or to spot. */
export function mayTarget(tables: Tables, s: StateView, u: UnitId, k: UnitId): boolean {
  if (!onMap(s, k)) return false;
  const from = placeOf(s, u);
  const to = placeOf(s, k);
  const distance = tables.distance[from * HEXES + to]!;
  return (
    (has(s, k, SEEN) ? inReach(tables, s, u, k, distance) : distance <= tables.rules.spotting.maxRange) &&
    sees(tables, from, to)
  );
}

/** The same for the marker of a column, which is only ever spotted. Rule: NF 11.1 (8.5) */
export function maySpotColumn(tables: Tables, s: StateView, u: UnitId, c: ColumnId): boolean {
  const to = columnOf(s, c);
  if (to < 0) return false;
  const from = placeOf(s, u);
  return tables.distance[from * HEXES + to]! <= tables.rules.spotting.maxRange && sees(tables, from, to);
}

/** True when there is a hex that German `u` may name. */
export function hasTarget(tables: Tables, s: StateView, u: UnitId): boolean {
  for (let k = GERMANS; k < UNITS; k++) if (mayTarget(tables, s, u, k)) return true;
  for (let c = FIRST_COLUMN; c < COLUMNS; c++) if (maySpotColumn(tables, s, u, c)) return true;
  return false;
}

/** True when this unit may fire or look now. */
export function mayFire(tables: Tables, s: StateView, u: UnitId): boolean {
  return onMap(s, u) && !has(s, u, FIRED | SUPPRESSED) && hasTarget(tables, s, u);
}

/** Units that may fire or look, as bytes from `at` on. */
export function markFirers(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!mayFire(tables, s, u)) continue;
    mask[at + u] = 1;
    n++;
  }
  return n;
}

/** Hexes that German `u`, on the map, may fire or look at, as bytes from `at` on. */
export function markTargets(
  tables: Tables,
  s: StateView,
  u: UnitId,
  mask: Uint8Array | Float32Array,
  at: number,
  stride = 1,
): number {
  let n = 0;
  for (let k = GERMANS; k < UNITS; k++) if (mayTarget(tables, s, u, k)) n += mark(mask, at + placeOf(s, k) * stride);
  for (let c = FIRST_COLUMN; c < COLUMNS; c++)
    if (maySpotColumn(tables, s, u, c)) n += mark(mask, at + columnOf(s, c) * stride);
  return n;
}

/** @returns 1 when the byte was not set before */
function mark(mask: Uint8Array | Float32Array, at: number): number {
  if (mask[at] === 1) return 0;
  mask[at] = 1;
  return 1;
}
