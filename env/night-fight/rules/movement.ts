import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { GERMANS, HEXES, UNITS, type UnitId, type HexId, FIRST_UNIT } from "../data.js";
import type { Tables } from "../data.js";
import * as events from "../events/index.js";
import {
  activeOf,
  clearFlags,
  columnIn,
  contactIn,
  endActivity,
  EXITED,
  has,
  L,
  MOVE,
  MOVED,
  mpOf,
  placeOf,
  SEEN,
  setFlag,
  setPlace,
  STEP,
  WAITING,
  wrecksIn,
} from "../state.js";
import { eliminate } from "./combat.js";
import { turnUp } from "./spotting.js";
import { endIfNoneLeft } from "./victory.js";

const SPOTTED_SOVIET = 0x80;

/** Fills `tables.hexCounts` for `costToEnter`: Germans in each hex, and a mark where spotted Soviets are. */
export function countCrowd(tables: Tables, s: StateView): void {
  const { hexCounts } = tables;
  hexCounts.fill(0);
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (s[L.place + u]! >= 0) hexCounts[s[L.place + u]!]!++;
  for (let k = GERMANS; k < UNITS; k++)
    if (s[L.place + k]! >= 0 && has(s, k, SEEN)) hexCounts[s[L.place + k]!] = SPOTTED_SOVIET;
}

/**
 * Movement points for unit `u` to enter hex `h`, by `tables.hexCounts`; 0 when it may not: no room, or Soviets that
 * have been spotted. Rule: NF 11.1 (4.0), NF reconstructed 8, NF 11.1 (22.3), NF 11.3 G
 */
export function costToEnter(tables: Tables, s: StateView, u: UnitId, h: HexId): number {
  const there = tables.hexCounts[h]!;
  if (there >= tables.rules.stacking) return 0; // includes SPOTTED_SOVIET; the ace is not a unit: NF 11.1 (4.0)
  return (
    tables.enterCost[tables.vehicle[u]! * HEXES + h]! +
    tables.rules.moveCost.perFriendlyUnitOrWreck * (there + wrecksIn(s, h))
  );
}

export function mayExit(tables: Tables, s: StateView, u: UnitId): boolean {
  const h = placeOf(s, u);
  return h >= 0 && tables.grid.columns[h] === tables.exitColumn && mpOf(s) >= tables.rules.moveCost.exit;
}

export function beginMove(tables: Tables, s: State, u: UnitId): void {
  s[L.phase] = STEP;
  s[L.active] = u;
  s[L.mp] = tables.mp[u]!;
}

export function endMove(tables: Tables, s: State, play: Play): void {
  setFlag(s, activeOf(s), MOVED);
  if (play.narrator !== null) events.tellStop(tables, activeOf(s), play);
  endActivity(s, MOVE);
}

/** Moves the active unit one hex, or into an ambush. Rule: NF reconstructed 8, NF 11.3 F; rulings N4, N8 */
export function enterHex(tables: Tables, s: State, h: HexId, play: Play): void {
  const u = activeOf(s);
  countCrowd(tables, s);
  const cost = costToEnter(tables, s, u, h);
  s[L.mp]! -= cost;
  if ((contactIn(s, h) || columnIn(s, h)) && turnUp(tables, s, h, play)) {
    endMove(tables, s, play);
    return;
  }
  const from = placeOf(s, u);
  setPlace(s, u, h);
  if (play.narrator !== null) {
    if (tables.ablaze[h] === 0) events.tellMove(tables, s, u, from, h, cost, play);
    else events.tellBurnt(tables, u, h, play);
  }
  if (tables.ablaze[h] === 0) return;
  eliminate(tables, s, u);
  endActivity(s, MOVE);
  endIfNoneLeft(tables, s, play);
}

/** Leaves the map for good. Rule: NF 11.3, ruling N3 */
export function exitMap(tables: Tables, s: State, play: Play): void {
  const u = activeOf(s);
  const from = placeOf(s, u);
  setPlace(s, u, EXITED);
  if (play.narrator !== null) events.tellExit(tables, s, u, from, play);
  clearFlags(s, u, ~0);
  endActivity(s, MOVE);
  endIfNoneLeft(tables, s, play);
}

/** True when this unit may be moved now. */
export function mayMove(s: StateView, u: UnitId): boolean {
  const place = placeOf(s, u);
  return (place >= 0 || place === WAITING) && s[L.flags + u] === 0;
}

/** Units that may be moved, as bytes from `at` on. */
export function markMovers(s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!mayMove(s, u)) continue;
    mask[at + u] = 1;
    n++;
  }
  return n;
}

/** Hexes that the active unit may enter, as bytes from `at` on: the neighbours, or the entry edge while it waits. */
export function markSteps(
  tables: Tables,
  s: StateView,
  mask: Uint8Array | Float32Array,
  at: number,
  stride = 1,
): number {
  const u = activeOf(s);
  const mp = mpOf(s);
  const from = placeOf(s, u);
  const list = from >= 0 ? tables.grid.neighbours : tables.entry;
  const first = from >= 0 ? from * 6 : 0;
  const end = from >= 0 ? first + 6 : list.length;
  let n = 0;
  countCrowd(tables, s);
  for (let i = first; i < end; i++) {
    const h = list[i]!;
    if (h < 0) continue;
    const cost = costToEnter(tables, s, u, h);
    if (cost === 0 || cost > mp) continue;
    mask[at + h * stride] = 1;
    n++;
  }
  return n;
}
