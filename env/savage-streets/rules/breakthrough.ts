import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import * as events from "../events/german.js";
import { bitsOf } from "../events/words.js";
import {
  type AreaId,
  ask,
  breakthroughEnd,
  breakthroughStart,
  clearCombat,
  DECISION,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  germansIn,
  L,
  markUnit,
  placeOf,
  sovietCounterIn,
  unitHas,
  type UnitId,
} from "../state.js";
import { germanAreas, putUnit } from "./counters.js";
import { openEvents, returnCombatChits } from "./events.js";
import { reveal } from "./german-movement.js";

/** Mask of areas open to a breakthrough from `a`: adjacent ones without Germans. Rule: SS 7.31; ruling R27. */
export const breakthroughTargets = (tables: Tables, s: StateView, a: AreaId): number =>
  tables.data.adjacent[a]! & ~germanAreas(s);

export const mayBreakThrough = (s: StateView, u: UnitId, a: AreaId): boolean =>
  placeOf(s, u) === a && !unitHas(s, u, FLAG.brokeThrough);

/** Offers a breakthrough from `a` if some unit has a destination. */
export function offerBreakthrough(tables: Tables, s: State, a: AreaId, play: Play): void {
  if (breakthroughTargets(tables, s, a) === 0) return;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!mayBreakThrough(s, u, a)) continue;
    s[L.breakthroughFrom] = a + 1;
    if (play.narrator !== null) events.breakthroughOpen(tables, a, "SS 7.31", play);
    return;
  }
}

/** The German turns to the breakthrough that a dummy left open. Rule: SS 6.7 */
export function takeFreeBreakthrough(tables: Tables, s: State, a: AreaId, play: Play): void {
  if (play.narrator !== null) events.breakthroughTaken(tables, a, play);
  s[L.freeBreakthroughs]! &= ~(1 << a);
  offerBreakthrough(tables, s, a, play);
}

/** The German gives up the breakthroughs that dummies left open. Rule: SS 6.7 */
export function dropBreakthroughs(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null && s[L.freeBreakthroughs] !== 0) events.breakthroughsDropped(tables, s, play);
  s[L.freeBreakthroughs] = 0;
}

/** Asks for the destination, then for the units. */
export function askBreakthrough(s: State): void {
  ask(s, s[L.breakthroughTo] === 0 ? DECISION.btDest : DECISION.btUnit, breakthroughStart(s));
}

/** Clears a breakthrough that was made or declined, and the combat before it. */
export function closeBreakthrough(s: State): void {
  s[L.breakthroughFrom] = 0;
  s[L.breakthroughTo] = 0;
  s[L.breakthroughUnits] = 0;
  clearCombat(s);
}

/** The German player declines. */
export function declineBreakthrough(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null) events.breakthroughDeclined(tables, breakthroughStart(s), play);
  closeBreakthrough(s);
}

/** True when `u` may still join the breakthrough. */
export const mayJoin = (_tables: Tables, s: StateView, u: UnitId): boolean =>
  mayBreakThrough(s, u, breakthroughStart(s)) && ((s[L.breakthroughUnits]! >> u) & 1) === 0;

/** A unit joins the breakthrough, which is made when nobody else can. */
export function join(tables: Tables, s: State, u: UnitId, play: Play): void {
  s[L.breakthroughUnits]! |= 1 << u;
  if (!anyUnitMayJoin(tables, s)) breakThrough(tables, s, play);
}

function anyUnitMayJoin(tables: Tables, s: StateView): boolean {
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (mayJoin(tables, s, u)) return true;
  return false;
}

/**
 * The chosen units move together; everything at the far end turns face-up and its events begin. Rule: SS 7.31;
 * ruling R18: an area with a combat to come that nobody stays in loses it first.
 */
export function breakThrough(tables: Tables, s: State, play: Play): void {
  const from = breakthroughStart(s);
  const to = breakthroughEnd(s);
  const units = s[L.breakthroughUnits]!;
  closeBreakthrough(s);
  if (play.narrator !== null) events.breaksThrough(tables, bitsOf<UnitId>(units), from, to, play);
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (((units >> u) & 1) === 0) continue;
    putUnit(tables, s, u, to, play);
    markUnit(s, u, FLAG.brokeThrough);
  }
  if (germansIn(s, from) === 0) {
    if ((s[L.pendingCombats]! >> from) & 1) {
      s[L.pendingCombats]! &= ~(1 << from);
      if (play.narrator !== null) events.combatCalledOff(tables, from, play);
    }
    returnCombatChits(tables, s, from, play); // among the events (option `dummy`) no combat is due yet
  }
  if (!sovietCounterIn(s, to)) return;
  reveal(tables, s, to, "SS 7.31", play);
  openEvents(tables, s, to, true, play);
}
