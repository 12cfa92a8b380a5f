import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import * as events from "../events/action.js";
import { ARTY, ARTY_OFF, FIGHT, PIONEER } from "../actions.js";
import { CITY_FIRST, Z, type AreaId, type SideId, NO_AREA, CITY_LAST } from "../data.js";
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
  actorOf,
  enemyOf,
  areaOf,
  markerOf,
  ARTILLERY,
} from "../state.js";
import { ATTRITION_STEP, END_WINDOW, FIGHT_STEP, NEXT_AREA, PIONEER_STEP, VICTORY, WAIT } from "../steps.js";

/** Both player turns are over; nobody is active. Rule: PS 5, PS Turn sequence */
export function beginCombat(tables: Tables, s: State, play: Play): number {
  s[L.active] = NO_SIDE;
  if (play.narrator !== null) events.tellCombat(play);
  return openAreaFrom(tables, s, 0);
}

/** True when combat or artillery can change anything in this area. Ruling R45 */
function isLive(s: StateView, area: AreaId): boolean {
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
  return openAreaFrom(tables, s, tables.combatOrder.indexOf(areaOf(s)) + 1);
}

export const openEndWindow = (tables: Tables, s: State): number => openWindow(tables, s, AT_END, NO_AREA, GERMAN, 0);

/** True when a side holding Artillery may act in an artillery window. Ruling R34 */
function mayUseArtillery(tables: Tables, s: StateView, side: SideId): boolean {
  return hasRight(s, side, ARTILLERY) && cmdOf(s, side) >= tables.costs.artillery;
}

/** Where the marker may be laid, and that it may be taken off. Rule: PS Artillery, ruling R35 */
export function markArtillery(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (cmdOf(s, actorOf(s)) < tables.costs.artillery) return 0;
  let n = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
    if (!isCaptured(s, a) && s[L.artillery] !== a) {
      mask[at + ARTY + a - CITY_FIRST] = 1;
      n++;
    }
  }
  if (s[L.artillery] !== 0) {
    mask[at + ARTY_OFF] = 1;
    n++;
  }
  return n;
}

/**
 * An artillery window: sides able to act do so in turn until all have passed since the last spending.
 * Rule: PS Artillery, ruling R34
 *
 * @param area index, -1 in the last window of the phase
 * @param next side to be asked first
 * @param passed bit per side that has passed
 */
function openWindow(tables: Tables, s: State, window: number, area: AreaId, next: SideId, passed: number): number {
  for (let i = 0; i < 2; i++) {
    const side = i === 0 ? next : enemyOf(next);
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

/** Lays, moves or removes the one marker. Rule: PS Artillery, rulings R34, R35 @param to 0 removes it */
export function useArtillery(tables: Tables, s: State, to: AreaId, play: Play): number {
  const side = actorOf(s);
  const before = markerOf(s);
  s[L.artillery] = to;
  spend(s, side, tables.costs.artillery);
  if (play.narrator !== null) events.tellArtillery(tables, side, before, to, play);
  return openWindow(tables, s, s[L.window]!, areaOf(s), enemyOf(side), 0);
}

/** Ruling R34 */
export function passArtillery(tables: Tables, s: State): number {
  const side = actorOf(s);
  return openWindow(tables, s, s[L.window]!, areaOf(s), enemyOf(side), s[L.passed]! | (1 << side));
}

/** Combat in Z: the German side is asked first. Ruling R47 */
export function openFight(tables: Tables, s: State, play: Play): number {
  return askFight(tables, s, GERMAN, play);
}

/**
 * Combat in Z must be paid for: asks the sides that can, from `first` on. Rule: PS 5 Area Z, PS Area Z, rulings R12,
 * R47
 */
function askFight(tables: Tables, s: State, first: SideId, play: Play): number {
  for (let side = first; side >= SOVIET; side--) {
    if (cmdOf(s, side) >= tables.costs.zCombat) {
      ask(s, DECISION.fight, side);
      return WAIT;
    }
  }
  s[L.area] = Z + 1;
  if (play.narrator !== null) events.tellZCombat(tables, null, play);
  return NEXT_AREA;
}

export function markFight(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (cmdOf(s, actorOf(s)) < tables.costs.zCombat) return 0;
  mask[at + FIGHT] = 1;
  return 1;
}

/** The actor does not pay for combat in Z. Ruling R47 */
export function declineFight(tables: Tables, s: State, play: Play): number {
  return askFight(tables, s, (actorOf(s) - 1) as SideId, play);
}

/** The actor pays for combat in Z. Ruling R47 */
export function payForFight(tables: Tables, s: State, play: Play): number {
  const side = actorOf(s);
  spend(s, side, tables.costs.zCombat);
  if (play.narrator !== null) events.tellZCombat(tables, side, play);
  s[L.area] = Z + 1;
  return PIONEER_STEP;
}

/** True when there is anything for Pioneers to do in this area. Rulings R36, R41 */
function pioneerUseful(s: StateView, area: AreaId): boolean {
  return unitsIn(s, GERMAN, area) > 0 && (hasFort(s, area) || (unitsIn(s, SOVIET, area) > 0 && !markerOn(s, area)));
}

export function markPioneer(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (cmdOf(s, GERMAN) < tables.costs.pioneer || !hasRight(s, GERMAN, PIONEERS) || !pioneerUseful(s, areaOf(s)))
    return 0;
  mask[at + PIONEER] = 1;
  return 1;
}

/** Pioneers, once in an area, before attrition. Rule: PS Pioneers, rulings R36, R41 */
export function openPioneer(tables: Tables, s: State): number {
  const area = areaOf(s);
  if (!hasRight(s, GERMAN, PIONEERS) || cmdOf(s, GERMAN) < tables.costs.pioneer || !pioneerUseful(s, area))
    return ATTRITION_STEP;
  ask(s, DECISION.pioneer, GERMAN);
  s[L.area] = area + 1;
  return WAIT;
}

/** Ruling R34 */
export function declinePioneer(tables: Tables, s: State): number {
  return tables.windowAfterAsking ? openWindow(tables, s, AFTER_PIONEER, areaOf(s), GERMAN, 0) : ATTRITION_STEP;
}

/** Pioneers remove a Fortification, or kill a unit. Rule: PS Pioneers, rulings R36, R41 */
export function sendPioneers(tables: Tables, s: State, play: Play): number {
  const area = areaOf(s);
  spend(s, GERMAN, tables.costs.pioneer);
  if (play.narrator !== null) events.tellPioneers(tables, area, hasFort(s, area), play);
  if (hasFort(s, area)) {
    s[L.fort + area] = 0;
    s[L.shieldUsed + area] = 0;
  } else removeUnits(s, SOVIET, area, 1);
  return openWindow(tables, s, AFTER_PIONEER, area, GERMAN, 0);
}

/** Each unit kills one enemy unit, at the same time. Rule: PS 5, rulings R31, R46 */
export function attrition(tables: Tables, s: State, play: Play): number {
  const area = areaOf(s);
  const soviet = unitsIn(s, SOVIET, area);
  const german = unitsIn(s, GERMAN, area);
  if (soviet === 0 || german === 0) return NEXT_AREA;
  if (markerOn(s, area)) {
    if (play.narrator !== null) events.tellNoAttrition(tables, area, play);
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
      if (play.narrator !== null) events.tellShield(tables, area, kills, play);
      return WAIT;
    }
  }
  takeLosses(tables, s, area, kills, play);
  return NEXT_AREA;
}

function takeLosses(tables: Tables, s: State, area: AreaId, kills: number, play: Play): void {
  const soviet = unitsIn(s, SOVIET, area);
  const german = Math.min(unitsIn(s, GERMAN, area), soviet);
  removeUnits(s, SOVIET, area, Math.min(soviet, kills));
  removeUnits(s, GERMAN, area, german);
  if (play.narrator !== null) events.tellAttrition(tables, s, area, Math.min(soviet, kills), german, play);
}

/** In attrition the Fortification is given up to save a unit, or not. Ruling R32 */
export function razeInAttrition(tables: Tables, s: State, razed: boolean, play: Play): number {
  const area = areaOf(s);
  let kills = s[L.kills]!;
  if (razed) {
    kills--;
    s[L.fort + area] = 0;
    s[L.shieldUsed + area] = 0;
  }
  if (play.narrator !== null) events.tellRaze(tables, area, razed, 0, play);
  takeLosses(tables, s, area, kills, play);
  return NEXT_AREA;
}
