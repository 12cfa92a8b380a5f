import type { State, StateView } from "../../core/layout.js";
import * as told from "../events/action.js";
import { ARTY, ARTY_OFF, DONE, mayUseArtillery, PIONEER, pioneerUseful, RAZE } from "../actions.js";
import { CITY_FIRST, Z } from "../data.js";
import type { Tables } from "../data.js";
import {
  AFTER_PIONEER,
  ask,
  AT_END,
  ATTRITION,
  BEFORE,
  cmdOf,
  GERMAN,
  hasFort,
  hasRight,
  isCaptured,
  DECISION,
  L,
  markerOn,
  NO_SIDE,
  PIONEERS,
  removeUnits,
  SOVIET,
  spend,
  unitsIn,
} from "../state.js";
import { ATTRITION_STEP, END_WINDOW, FIGHT_STEP, NEXT_AREA, PIONEER_STEP, VICTORY, WAIT } from "../steps.js";

/** Both player turns are over; nobody is active. Rule: PS 5, PS Turn sequence */
export function beginCombat(tables: Tables, s: State): number {
  s[L.active] = NO_SIDE;
  if (tables.narrator !== null) told.tellCombat(tables);
  return openAreaFrom(tables, s, 0);
}

/** Can combat or artillery change anything in this area? Ruling R45 */
function isLive(s: StateView, area: number): boolean {
  if (isCaptured(s, area) || unitsIn(s, GERMAN, area) === 0) return false;
  return unitsIn(s, SOVIET, area) > 0 || (hasRight(s, GERMAN, PIONEERS) && hasFort(s, area));
}

/** Starts the first area with something to resolve at or after place `from` of the combat order. */
function openAreaFrom(tables: Tables, s: State, from: number): number {
  for (let i = from; i < tables.combatOrder.length; i++) {
    const area = tables.combatOrder[i]!;
    if (isLive(s, area)) return openWindow(tables, s, BEFORE, area, GERMAN, 0);
  }
  return END_WINDOW;
}

/** Goes on behind the area in `L.area`. */
export function nextArea(tables: Tables, s: State): number {
  return openAreaFrom(tables, s, tables.combatOrder.indexOf(s[L.area]! - 1) + 1);
}

export const openEndWindow = (tables: Tables, s: State): number => openWindow(tables, s, AT_END, -1, GERMAN, 0);

/**
 * An artillery window: sides able to act do so in turn until all have passed since the last spending.
 * Rule: PS Artillery, ruling R34
 *
 * @param area index, -1 in the last window of the phase
 * @param next side to be asked first
 * @param passed bit per side that has passed
 */
function openWindow(tables: Tables, s: State, window: number, area: number, next: number, passed: number): number {
  for (let i = 0; i < 2; i++) {
    const side = i === 0 ? next : 1 - next;
    if ((passed >> side) & 1 || !mayUseArtillery(tables, s, side)) continue;
    ask(s, DECISION.artillery, side);
    s[L.area] = area + 1;
    s[L.window] = window;
    s[L.passed] = passed;
    return WAIT;
  }
  ask(s, DECISION.artillery, GERMAN);
  s[L.area] = area + 1;
  if (window === AT_END) return VICTORY;
  if (window === AFTER_PIONEER) return ATTRITION_STEP;
  return area === Z ? FIGHT_STEP : PIONEER_STEP;
}

/**
 * A decision of kind `artillery`: place, move or remove the one marker, or pass. Rule: PS Artillery, rulings R34, R35
 */
export function chooseArtillery(tables: Tables, s: State, action: number): number {
  const side = s[L.actor]!;
  const window = s[L.window]!;
  const area = s[L.area]! - 1;
  let passed = s[L.passed]!;
  if (action === DONE) passed |= 1 << side;
  else {
    const before = s[L.artillery]!;
    s[L.artillery] = action === ARTY_OFF ? 0 : action - ARTY + CITY_FIRST;
    spend(s, side, tables.costs.artillery);
    if (tables.narrator !== null) told.tellArtillery(tables, side, before, s[L.artillery]!);
    passed = 0;
  }
  return openWindow(tables, s, window, area, 1 - side, passed);
}

/** Combat in Z: the German side is asked first. Ruling R47 */
export function openFight(tables: Tables, s: State): number {
  return askFight(tables, s, GERMAN);
}

/** Combat in Z must be paid for: asks the sides that can, from `first` on. Rule: PS 5 Area Z, PS Area Z, rulings R12, R47 */
function askFight(tables: Tables, s: State, first: number): number {
  for (let side = first; side >= SOVIET; side--) {
    if (cmdOf(s, side) >= tables.costs.zCombat) {
      ask(s, DECISION.fight, side);
      return WAIT;
    }
  }
  s[L.area] = Z + 1;
  if (tables.narrator !== null) told.tellZCombat(tables, -1);
  return NEXT_AREA;
}

/** A decision of kind `fight`. Ruling R47 */
export function chooseFight(tables: Tables, s: State, action: number): number {
  const side = s[L.actor]!;
  if (action === DONE) return askFight(tables, s, side - 1);
  spend(s, side, tables.costs.zCombat);
  if (tables.narrator !== null) told.tellZCombat(tables, side);
  s[L.area] = Z + 1;
  return PIONEER_STEP;
}

/** Pioneers, once in an area, before attrition. Rule: PS Pioneers, rulings R36, R41 */
export function openPioneer(tables: Tables, s: State): number {
  const area = s[L.area]! - 1;
  if (!hasRight(s, GERMAN, PIONEERS) || cmdOf(s, GERMAN) < tables.costs.pioneer || !pioneerUseful(s, area))
    return ATTRITION_STEP;
  ask(s, DECISION.pioneer, GERMAN);
  s[L.area] = area + 1;
  return WAIT;
}

export function choosePioneer(tables: Tables, s: State, action: number): number {
  const area = s[L.area]! - 1;
  if (action !== PIONEER)
    return tables.windowAfterAsking ? openWindow(tables, s, AFTER_PIONEER, area, GERMAN, 0) : ATTRITION_STEP; // ruling R34
  spend(s, GERMAN, tables.costs.pioneer);
  if (tables.narrator !== null) told.tellPioneers(tables, area, hasFort(s, area));
  if (hasFort(s, area)) {
    s[L.fort + area] = 0;
    s[L.shieldUsed + area] = 0;
  } else removeUnits(s, SOVIET, area, 1);
  return openWindow(tables, s, AFTER_PIONEER, area, GERMAN, 0);
}

/** Each unit kills one enemy unit, at the same time. Rule: PS 5, rulings R31, R46 */
export function attrition(tables: Tables, s: State): number {
  const area = s[L.area]! - 1;
  const soviet = unitsIn(s, SOVIET, area);
  const german = unitsIn(s, GERMAN, area);
  if (soviet === 0 || german === 0) return NEXT_AREA;
  if (markerOn(s, area)) {
    if (tables.narrator !== null) told.tellNoAttrition(tables, area);
    return NEXT_AREA;
  }
  let kills = german;
  if (hasFort(s, area)) {
    if (s[L.shieldUsed + area] === 0) {
      s[L.shieldUsed + area] = 1;
      kills--;
    }
    // ruling R32: giving the Fortification up is offered only where it saves a unit
    if (kills >= 1 && kills <= soviet) {
      ask(s, DECISION.raze, SOVIET);
      s[L.area] = area + 1;
      s[L.source] = ATTRITION;
      s[L.kills] = kills;
      if (tables.narrator !== null) told.tellShield(tables, area, kills);
      return WAIT;
    }
  }
  takeLosses(tables, s, area, kills);
  return NEXT_AREA;
}

function takeLosses(tables: Tables, s: State, area: number, kills: number): void {
  const soviet = unitsIn(s, SOVIET, area);
  const german = Math.min(unitsIn(s, GERMAN, area), soviet);
  removeUnits(s, SOVIET, area, Math.min(soviet, kills));
  removeUnits(s, GERMAN, area, german);
  if (tables.narrator !== null) told.tellAttrition(tables, s, area, Math.min(soviet, kills), german);
}

/** A decision of kind `raze` in attrition. Ruling R32 */
export function chooseAttritionRaze(tables: Tables, s: State, action: number): number {
  const area = s[L.area]! - 1;
  let kills = s[L.kills]!;
  if (action === RAZE) {
    kills--;
    s[L.fort + area] = 0;
    s[L.shieldUsed + area] = 0;
  }
  if (tables.narrator !== null) told.tellRaze(tables, area, action === RAZE, 0);
  takeLosses(tables, s, area, kills);
  return NEXT_AREA;
}
