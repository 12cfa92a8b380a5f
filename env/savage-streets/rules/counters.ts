import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { UNIT } from "../actions.js";
import { isArmed, TYPE } from "../data.js";
import type { Tables } from "../data.js";
import {
  type AreaId,
  AREAS,
  type ChitId,
  type ChitKind,
  chitPlaceOf,
  CHITS,
  CONTROL,
  controlOf,
  DEAD,
  FIRST_AREA,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  germansIn,
  HAND,
  L,
  lowestArea,
  NO_CHIT,
  PILE,
  placeOf,
  sovietCounterIn,
  sovietsIn,
  unitHas,
  type UnitId,
  UNITS,
} from "../state.js";
import { chitReturns } from "../events/chits.js";
import { controlChanges } from "../events/turn.js";
import { DOWN, ENTRY, record } from "../public-log.js";

/**
 * Control after a counter came or went. Rule: SS 1.31, SS 4.3, SS 5.2; rulings R2, R4: chits count, and only the end of
 * a combat contests.
 */
export function settleControl(tables: Tables, s: State, a: AreaId, play: Play): void {
  if ((tables.data.numbered >> a) & 1) {
    const german = germansIn(s, a) > 0;
    if (german === sovietCounterIn(s, a)) return;
    const control = german ? CONTROL.german : CONTROL.soviet;
    if (s[L.control + a] === control) return;
    s[L.control + a] = control;
    if (play.narrator !== null) controlChanges(tables, s, a, play);
  }
}

/** Takes a unit off its area, if it is in one. */
function lift(tables: Tables, s: State, u: UnitId): void {
  const a = placeOf(s, u);
  if (a >= AREAS) return;
  if (u < GERMANS) s[L.germans + a]!--;
  else {
    s[L.soviets + a]!--;
    if (tables.solo) closeRank(s, L.unitPlace + GERMANS, L.unitRank + GERMANS, UNITS - GERMANS, u - GERMANS, a);
  }
}

/** Those above the counter that leaves move down one place in the stack. */
function closeRank(s: State, places: number, ranks: number, n: number, i: number, a: AreaId): void {
  const rank = s[ranks + i]!;
  for (let k = 0; k < n; k++) if (s[places + k] === a && s[ranks + k]! > rank) s[ranks + k]!--;
  s[ranks + i] = 0;
}

/** Moves a unit from wherever it is to an area; control of both is settled. */
export function putUnit(tables: Tables, s: State, u: UnitId, a: AreaId, play: Play): void {
  const from = placeOf(s, u);
  lift(tables, s, u);
  s[L.unitPlace + u] = a;
  if (u < GERMANS) s[L.germans + a]!++;
  else {
    if (tables.solo) s[L.unitRank + u] = s[L.soviets + a]!;
    s[L.soviets + a]!++;
  }
  if (from < AREAS) settleControl(tables, s, from, play);
  settleControl(tables, s, a, play);
}

/** Eliminates a unit; a Soviet one is named to both sides. */
export function killUnit(tables: Tables, s: State, u: UnitId, play: Play): void {
  const a = placeOf(s, u);
  const down = u >= GERMANS && !unitHas(s, u, FLAG.faceUp);
  lift(tables, s, u);
  s[L.unitPlace + u] = DEAD;
  s[L.unitFlags + u] = 0;
  if (u >= GERMANS) {
    s[L.lastSeenArea + u - GERMANS] = 0;
    s[L.lastSeenTurn + u - GERMANS] = 0;
    if (a < AREAS) record(s, ENTRY.dead, a, 0, u, down ? DOWN : 0);
  }
  if (a < AREAS) settleControl(tables, s, a, play);
}

/** One step off a German unit: depleted, or gone if it was. Rule: SS 7.32. */
export function loseStep(tables: Tables, s: State, u: UnitId, play: Play): void {
  if (unitHas(s, u, FLAG.depleted)) killUnit(tables, s, u, play);
  else s[L.unitFlags + u]! |= FLAG.depleted;
}

function liftChit(tables: Tables, s: State, c: ChitId): void {
  const a = chitPlaceOf(s, c);
  if (a === HAND) closeRank(s, L.chitPlace, L.chitRank, CHITS, c, HAND);
  if (a >= AREAS) return;
  s[L.chits + a]!--;
  if (tables.solo) closeRank(s, L.chitPlace, L.chitRank, CHITS, c, a);
}

/** Moves a chit from the hand or another area to an area; control of both is settled. */
export function putChit(tables: Tables, s: State, c: ChitId, a: AreaId, play: Play): void {
  const from = chitPlaceOf(s, c);
  liftChit(tables, s, c);
  s[L.chitPlace + c] = a;
  s[L.chitRank + c] = tables.solo ? s[L.chits + a]! : 0;
  s[L.chits + a]!++;
  if (from < AREAS) settleControl(tables, s, from, play);
  settleControl(tables, s, a, play);
}

/** Puts a chit back into the pile; its kind is public if it was face-up. @param why for the narrator, or nothing */
export function returnChit(tables: Tables, s: State, c: ChitId, play: Play, why = ""): void {
  if (play.narrator !== null) chitReturns(tables, s, c, why, play);
  const a = chitPlaceOf(s, c);
  const kind = s[L.chitFlags + c]! & FLAG.faceUp ? tables.data.chitKind[c]! + 1 : 0;
  liftChit(tables, s, c);
  s[L.chitPlace + c] = PILE;
  s[L.chitFlags + c] = 0;
  s[L.chitRank + c] = 0;
  if (a >= AREAS) return;
  record(s, ENTRY.back, a, 0, kind);
  settleControl(tables, s, a, play);
}

/** Combat value now: 0 when suppressed. Rule: SS 7.1. */
export function currentCv(tables: Tables, s: StateView, u: UnitId): number {
  const flags = s[L.unitFlags + u]!;
  if (flags & FLAG.suppressed) return 0;
  return flags & FLAG.depleted ? tables.data.depleted[u]! : tables.data.full[u]!;
}

/** Lowest slot of a chit of `kind` lying in `a` on the given face, or -1. */
export function chitOf(tables: Tables, s: StateView, a: AreaId, kind: ChitKind, faceUp: number): ChitId {
  for (let c = FIRST_CHIT; c < CHITS; c++)
    if (s[L.chitPlace + c] === a && tables.data.chitKind[c] === kind && (s[L.chitFlags + c]! & FLAG.faceUp) === faceUp)
      return c;
  return NO_CHIT;
}

/** True when `u` is in `a`, or is the unit about to enter. */
export const there = (s: StateView, u: UnitId, a: AreaId, entering: UnitId): boolean =>
  s[L.unitPlace + u] === a || u === entering;

/** True when the German units of `a`, with `entering` (or -1) added, are within the limit. Rule: SS 1.21. */
export function germanStackFits(tables: Tables, s: StateView, a: AreaId, entering: UnitId): boolean {
  const { units, armor, hq } = tables.data.stacking;
  const n = germansIn(s, a) + (entering >= 0 ? 1 : 0);
  if (n <= units) return true;
  let limit = units;
  let anyArmor = false;
  let anyHq = false;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!there(s, u, a, entering)) continue;
    if (isArmed(tables.data, u)) anyArmor = true;
    else if (tables.data.type[u] === TYPE.hq) anyHq = true;
  }
  if (anyArmor) limit += armor;
  if (anyHq) limit += hq;
  return n <= limit;
}

/** The same for Soviet units. Rule: SS 1.21, SS 10.11. */
export function sovietStackFits(tables: Tables, s: StateView, a: AreaId, entering: UnitId): boolean {
  const k = tables.data.stacking;
  const base = tables.solo ? k.soloUnits : k.units;
  const extra = tables.solo ? k.soloArmor : k.armor;
  const n = sovietsIn(s, a) + (entering >= 0 ? 1 : 0);
  if (n <= base) return true;
  if (n > base + extra) return false;
  for (let u = GERMANS; u < UNITS; u++) if (isArmed(tables.data, u) && there(s, u, a, entering)) return true;
  return false;
}

/** Marks the German units of an area that may be chosen. @returns how many */
export function markGermans(
  tables: Tables,
  s: StateView,
  a: AreaId,
  may: (tables: Tables, s: StateView, u: UnitId) => boolean,
  mask: Uint8Array,
  at: number,
): number {
  let n = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (placeOf(s, u) !== a || !may(tables, s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

export const chitLimit = (tables: Tables): number =>
  tables.solo ? tables.data.stacking.soloChits : tables.data.stacking.chits;

/** Mask of areas under this control. */
export function controlled(s: StateView, control: number): number {
  let m = 0;
  for (let a = FIRST_AREA; a < AREAS; a++) if (controlOf(s, a) === control) m |= 1 << a;
  return m;
}

/** Mask of areas with German units. */
export function germanAreas(s: StateView): number {
  let m = 0;
  for (let a = FIRST_AREA; a < AREAS; a++) if (germansIn(s, a) > 0) m |= 1 << a;
  return m;
}

/** Areas reachable from `from` over areas of `through`. */
export function flood(tables: Tables, from: number, through: number): number {
  let reached = from & through;
  let fresh = reached;
  while (fresh !== 0) {
    let next = 0;
    for (let m = fresh; m !== 0; m &= m - 1) next |= tables.data.adjacent[lowestArea(m)]!;
    fresh = next & through & ~reached;
    reached |= fresh;
  }
  return reached;
}

/** Entry areas and the German areas joined to them by German areas. Rule: SS 8.2. */
export function joinedToEntry(tables: Tables, s: StateView): number {
  return flood(tables, tables.data.pathTo, tables.data.pathTo | controlled(s, CONTROL.german));
}
