import type { Play } from "../../core/play.js";
import type { State } from "../../core/layout.js";
import * as events from "../events/action.js";
import { AIR_TARGET, ANNOUNCE, REDUCE, STURM_TO } from "../actions.js";
import { markCities } from "./cities.js";
import { CITY_FIRST, GUMRAK, type AreaId, type SideId, VOLGA, NO_AREA } from "../data.js";
import type { Tables } from "../data.js";
import {
  AIR,
  ask,
  cmdOf,
  GERMAN,
  hasFort,
  hasRight,
  DECISION,
  L,
  moveUnit,
  removeUnits,
  SOVIET,
  spend,
  STURM,
  areaOf,
  unitsIn,
  isCaptured,
  markerOn,
} from "../state.js";
import { AIR_STEP, ANNOUNCE_STEP, CROSS_STEP, hasChoice, STURM_STEP, WAIT } from "../steps.js";
import type { StateView } from "../../core/layout.js";

/** True when this area may be attacked from the air now. Rule: PS 4.1, PS Artillery, ruling R39 */
export function isAirTarget(tables: Tables, s: StateView, area: AreaId): boolean {
  return tables.airTarget[area] === 1 && unitsIn(s, SOVIET, area) > 0 && !isCaptured(s, area) && !markerOn(s, area);
}

function anyAirTarget(tables: Tables, s: StateView): boolean {
  for (let a = CITY_FIRST; a <= VOLGA; a++) if (isAirTarget(tables, s, a)) return true;
  return false;
}

/** How many attacks may be paid for. Rule: PS 4.1, ruling R39 */
export function markAnnounced(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (tables.airNeedsTarget && !anyAirTarget(tables, s)) return 0;
  const n = Math.max(0, Math.min(unitsIn(s, GERMAN, GUMRAK) - s[L.paid]!, cmdOf(s, GERMAN)));
  for (let k = 0; k < n; k++) mask[at + ANNOUNCE + k] = 1;
  return n;
}

/** How many attacks may be cancelled together. Ruling R38 */
export function markReduced(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const n = Math.min(s[L.attacks]!, Math.floor(cmdOf(s, SOVIET) / tables.costs.nightCancel));
  for (let k = 0; k < n; k++) mask[at + REDUCE + k] = 1;
  return n;
}

export function markAirTargets(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let a = CITY_FIRST; a <= VOLGA; a++) {
    if (isAirTarget(tables, s, a)) {
      mask[at + AIR_TARGET + a - 1] = 1;
      n++;
    }
  }
  return n;
}

/** Where units may go by Sturm. Rule: PS Sturm, ruling R40 */
export function markSturm(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (s[L.left] === 0 || (s[L.surchargePaid] === 0 && cmdOf(s, GERMAN) < tables.sturmSurcharge)) return 0;
  return markCities(tables, s, GERMAN, at + STURM_TO, mask);
}

/** Opens `announce`; `L.paid` units were already used in this air step. Rule: PS 4.1, PS Area 6 German, ruling R39 */
export function openAnnounce(tables: Tables, s: State): number {
  const paid = s[L.paid]!;
  ask(s, DECISION.announce, GERMAN);
  s[L.paid] = paid;
  if (hasChoice(tables, s, markAnnounced)) return WAIT;
  return endAnnouncing(s, paid);
}

/** No attack, no Sturm. */
export function endAnnouncing(s: State, paid: number): number {
  if (paid === 0) return CROSS_STEP;
  s[L.paid] = paid;
  return STURM_STEP;
}

/** CMD for k attacks is spent at once; Night cancels the first. Rule: PS 4.1, PS Night */
export function payForAttacks(tables: Tables, s: State, k: number, play: Play): number {
  const paid = s[L.paid]! + k;
  const night = s[L.night] === 1;
  const attacks = Math.max(0, k - (night ? tables.nightWaste : 0));
  spend(s, GERMAN, k);
  if (play.narrator !== null) events.tellAnnounced(k, attacks, play);
  // ruling R38: the Soviet answer to the total is an option
  if (tables.nightTotal && night && attacks > 0) {
    setAir(s, DECISION.reduce, SOVIET, attacks, paid, NO_AREA);
    if (hasChoice(tables, s, markReduced)) return WAIT;
  }
  setAir(s, DECISION.air, GERMAN, attacks, paid, NO_AREA);
  return AIR_STEP;
}

function setAir(s: State, kind: number, actor: SideId, attacks: number, paid: number, area: AreaId): void {
  ask(s, kind, actor);
  s[L.attacks] = attacks;
  s[L.paid] = paid;
  s[L.area] = area + 1;
}

/** Cancels `r` attacks together. Rule: PS Night, ruling R38 */
export function cancelSome(tables: Tables, s: State, r: number, play: Play): number {
  spend(s, SOVIET, r * tables.costs.nightCancel);
  if (play.narrator !== null) events.tellReduced(r, r * tables.costs.nightCancel, play);
  setAir(s, DECISION.air, GERMAN, s[L.attacks]! - r, s[L.paid]!, NO_AREA);
  return AIR_STEP;
}

/** Goes on with the attacks in `L.attacks`: the next one, or more announcing, or Sturm. Ruling R39 */
export function continueAir(tables: Tables, s: State): number {
  const attacks = s[L.attacks]!;
  const paid = s[L.paid]!;
  if (attacks > 0) {
    setAir(s, DECISION.air, GERMAN, attacks, paid, NO_AREA);
    if (anyAirTarget(tables, s)) return WAIT;
  }
  if (s[L.night] === 1) return STURM_STEP;
  return ANNOUNCE_STEP;
}

/** One attack is assigned. Rule: PS 4.1 */
export function attackFromAir(tables: Tables, s: State, area: AreaId, play: Play): number {
  const attacks = s[L.attacks]! - 1;
  const paid = s[L.paid]!;
  if (!tables.nightTotal && s[L.night] === 1 && cmdOf(s, SOVIET) >= tables.costs.nightCancel) {
    setAir(s, DECISION.cancel, SOVIET, attacks, paid, area);
    return WAIT;
  }
  setAir(s, DECISION.air, GERMAN, attacks, paid, NO_AREA);
  return strike(tables, s, area, play);
}

/** A cancelled attack touches no shield. Rule: PS Night, ruling R38 */
export function cancelAttack(tables: Tables, s: State, play: Play): number {
  spend(s, SOVIET, tables.costs.nightCancel);
  if (play.narrator !== null) events.tellCancelled(tables, areaOf(s), play);
  return AIR_STEP;
}

/** One air kill. Rule: PS Fortify, rulings R31, R32 */
export function strike(tables: Tables, s: State, area: AreaId, play: Play): number {
  if (hasFort(s, area)) {
    if (s[L.shieldUsed + area] === 0) {
      s[L.shieldUsed + area] = 1;
      if (play.narrator !== null) events.tellAirAttack(tables, area, "absorbed", play);
      return AIR_STEP;
    }
    setAir(s, DECISION.raze, SOVIET, s[L.attacks]!, s[L.paid]!, area);
    s[L.source] = AIR;
    s[L.kills] = 1;
    if (play.narrator !== null) events.tellAirAttack(tables, area, "choice", play);
    return WAIT;
  }
  removeUnits(s, SOVIET, area, 1);
  if (play.narrator !== null) events.tellAirAttack(tables, area, "kill", play);
  return AIR_STEP;
}

/** Against an air kill the Fortification is given up, or a unit. Rule: PS Fortify, ruling R32 */
export function razeAgainstAir(tables: Tables, s: State, razed: boolean, play: Play): number {
  const area = areaOf(s);
  if (razed) {
    s[L.fort + area] = 0;
    s[L.shieldUsed + area] = 0;
  } else removeUnits(s, SOVIET, area, 1);
  if (play.narrator !== null) events.tellRaze(tables, area, razed, razed ? 0 : 1, play);
  return AIR_STEP;
}

/** Units paid for in the air may go to city areas. Rule: PS Sturm, rulings R11, R40 */
export function openSturm(tables: Tables, s: State): number {
  const paid = s[L.paid]!;
  if (!hasRight(s, GERMAN, STURM)) return CROSS_STEP;
  ask(s, DECISION.sturm, GERMAN);
  s[L.left] = paid;
  return hasChoice(tables, s, markSturm) ? WAIT : CROSS_STEP;
}

/** A unit goes by Sturm; the first one pays the surcharge, if there is one. Ruling R40 */
export function moveBySturm(tables: Tables, s: State, to: AreaId, play: Play): number {
  moveUnit(s, GERMAN, GUMRAK, to);
  s[L.left]!--;
  if (play.narrator !== null) {
    const cost = s[L.surchargePaid] === 0 ? tables.sturmSurcharge : 0;
    events.tellSturm(tables, to, cost, play);
  }
  if (s[L.surchargePaid] === 0) {
    spend(s, GERMAN, tables.sturmSurcharge);
    s[L.surchargePaid] = 1;
  }
  return hasChoice(tables, s, markSturm) ? WAIT : CROSS_STEP;
}
