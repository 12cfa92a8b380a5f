import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import * as events from "../events/action.js";
import { GUARDS_VOLGA, GUARDS_Z } from "../actions.js";
import { markCities } from "./cities.js";
import { CITY_FIRST, CITY_LAST, VOLGA, Z, type AreaId } from "../data.js";
import type { Tables } from "../data.js";
import {
  areasOf,
  ask,
  captor,
  clearDice,
  GERMAN,
  DECISION,
  L,
  moveUnit,
  NO_SIDE,
  removeUnits,
  REASONS,
  SOVIET,
  spend,
  unitsIn,
  vpOf,
  cmdOf,
  hasRight,
  GUARDS,
} from "../state.js";
import { CAPTURE, offer, WAIT } from "../steps.js";
import { beginPlayerTurn } from "./roll.js";

/** Where a Guards unit may go. Rule: PS Guards, ruling R29 */
export function markGuards(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const cmd = cmdOf(s, SOVIET);
  if (!hasRight(s, SOVIET, GUARDS)) return 0;
  let n = 0;
  if (unitsIn(s, SOVIET, Z) > 0 && cmd >= tables.costs.guardsFromZ)
    n += markCities(tables, s, SOVIET, at + GUARDS_Z, mask);
  if (unitsIn(s, SOVIET, VOLGA) > 0 && cmd >= tables.costs.guardsFromVolga)
    n += markCities(tables, s, SOVIET, at + GUARDS_VOLGA, mask);
  return n;
}

/** The Guards' move comes before the capture test. Rule: PS 6, PS Guards, rulings R29, R49 */
export function openVictory(tables: Tables, s: State): number {
  return offer(tables, s, DECISION.guards, SOVIET, markGuards) ? WAIT : CAPTURE;
}

/** Rule: PS Guards, ruling R29 */
export function moveGuards(tables: Tables, s: State, from: AreaId, to: AreaId, play: Play): number {
  moveUnit(s, SOVIET, from, to);
  spend(s, SOVIET, from === VOLGA ? tables.costs.guardsFromVolga : tables.costs.guardsFromZ);
  if (play.narrator !== null) events.tellGuards(tables, from, to, play);
  return CAPTURE;
}

/**
 * Night and CMD go, areas are captured all at once, victory is tested. Rule: PS 6, PS 3, PS Victory, rulings R2,
 * R48-R50
 */
export function capture(tables: Tables, s: State, play: Play): number {
  if (play.narrator !== null) events.tellCleared(s, play);
  s[L.night] = 0;
  s[L.ratzel] = 0;
  for (let side = SOVIET; side <= GERMAN; side++) {
    s[L.cmd + side] = 0;
    s[L.rights + side] = 0;
  }
  for (let area = CITY_FIRST; area <= CITY_LAST; area++) {
    s[L.shieldUsed + area] = 0;
    const side = captor(tables, s, area);
    if (side < 0) continue;
    if (play.narrator !== null) events.tellCapture(tables, s, side, area, play);
    // no test looks at another area, so one after the other is all at once
    for (let e = SOVIET; e <= GERMAN; e++) removeUnits(s, e, area, unitsIn(s, e, area));
    s[L.fort + area] = 0;
    if (s[L.artillery] === area) s[L.artillery] = 0;
    s[L.captured + area] = side + 1;
  }
  const verdict = judge(tables, s);
  if (verdict === 0) {
    s[L.turn]!++;
    beginPlayerTurn(tables, s, SOVIET, play);
    return WAIT;
  }
  ask(s, DECISION.over, NO_SIDE);
  clearDice(s);
  s[L.winner] = verdict & 3;
  s[L.reason] = verdict >> 2;
  if (play.narrator !== null) events.tellEnd(tables, s, play);
  return WAIT;
}

/**
 * How the game has ended. Rule: PS Victory, rulings R1-R3
 *
 * @returns 0, or winner (1 Soviet, 2 German, 0 draw) + 4 * index into REASONS
 */
export function judge(tables: Tables, s: StateView): number {
  const soviet = areasOf(s, SOVIET);
  const german = areasOf(s, GERMAN);
  if (soviet >= tables.areasToWin) return 1 + 4 * REASONS.indexOf("sudden");
  if (german >= tables.areasToWin) return 2 + 4 * REASONS.indexOf("sudden");
  return s[L.turn]! < tables.turns ? 0 : lastVerdict(tables, s);
}

/** The result by areas and VP, as after the last turn; coded as `judge` does. Rule: PS Victory */
export function lastVerdict(tables: Tables, s: StateView): number {
  const soviet = areasOf(s, SOVIET);
  const german = areasOf(s, GERMAN);
  if (soviet !== german) return (soviet > german ? 1 : 2) + 4 * REASONS.indexOf("areas");
  const vp = vpOf(tables, s, SOVIET) - vpOf(tables, s, GERMAN);
  if (vp !== 0) return (vp > 0 ? 1 : 2) + 4 * REASONS.indexOf("vp");
  return 4 * REASONS.indexOf("draw");
}
