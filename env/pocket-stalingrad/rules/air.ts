import type { State } from "../../core/layout.js";
import * as told from "../events/action.js";
import { airArea, ANNOUNCE, anyAirTarget, CANCEL, DONE, RAZE, REDUCE, STURM_TO } from "../actions.js";
import { CITY_FIRST, GUMRAK } from "../data.js";
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
} from "../state.js";
import { AIR_STEP, ANNOUNCE_STEP, CROSS_STEP, hasChoice, STURM_STEP, WAIT } from "../steps.js";

/** Opens `announce`; `L.paid` units were already used in this air step. Rule: PS 4.1, PS Area 6 German, ruling R39 */
export function openAnnounce(tables: Tables, s: State): number {
  const paid = s[L.paid]!;
  ask(s, DECISION.announce, GERMAN);
  s[L.paid] = paid;
  if (hasChoice(tables, s)) return WAIT;
  return afterAnnouncing(s, paid);
}

/** No attack, no Sturm. */
function afterAnnouncing(s: State, paid: number): number {
  if (paid === 0) return CROSS_STEP;
  s[L.paid] = paid;
  return STURM_STEP;
}

/**
 * A decision of kind `announce`: CMD for k attacks is spent at once; Night cancels the first. Rule: PS 4.1, PS Night
 */
export function chooseAnnounce(tables: Tables, s: State, action: number): number {
  const before = s[L.paid]!;
  if (action === DONE) return afterAnnouncing(s, before);
  const k = action - ANNOUNCE + 1;
  const paid = before + k;
  const night = s[L.night] === 1;
  const attacks = Math.max(0, k - (night ? tables.nightWaste : 0));
  spend(s, GERMAN, k);
  if (tables.narrator !== null) told.tellAnnounced(tables, k, attacks);
  // ruling R38: the Soviet answer to the total is an option
  if (tables.nightTotal && night && attacks > 0) {
    setAir(s, DECISION.reduce, SOVIET, attacks, paid, 0);
    if (hasChoice(tables, s)) return WAIT;
  }
  setAir(s, DECISION.air, GERMAN, attacks, paid, 0);
  return AIR_STEP;
}

function setAir(s: State, kind: number, actor: number, attacks: number, paid: number, area: number): void {
  ask(s, kind, actor);
  s[L.attacks] = attacks;
  s[L.paid] = paid;
  s[L.area] = area;
}

/** A decision of kind `reduce`. Rule: PS Night, ruling R38 */
export function chooseReduce(tables: Tables, s: State, action: number): number {
  const r = action === DONE ? 0 : action - REDUCE + 1;
  spend(s, SOVIET, r * tables.costs.nightCancel);
  if (tables.narrator !== null) told.tellReduced(tables, r, r * tables.costs.nightCancel);
  setAir(s, DECISION.air, GERMAN, s[L.attacks]! - r, s[L.paid]!, 0);
  return AIR_STEP;
}

/** Goes on with the attacks in `L.attacks`: the next one, or more announcing, or Sturm. Ruling R39 */
export function continueAir(tables: Tables, s: State): number {
  const attacks = s[L.attacks]!;
  const paid = s[L.paid]!;
  if (attacks > 0) {
    setAir(s, DECISION.air, GERMAN, attacks, paid, 0);
    if (anyAirTarget(tables, s)) return WAIT;
  }
  if (s[L.night] === 1) return STURM_STEP;
  return ANNOUNCE_STEP;
}

/** A decision of kind `air`: one attack is assigned, or the rest forgone. Rule: PS 4.1 */
export function chooseAir(tables: Tables, s: State, action: number): number {
  if (action === DONE) return STURM_STEP;
  const area = airArea(action);
  const attacks = s[L.attacks]! - 1;
  const paid = s[L.paid]!;
  if (!tables.nightTotal && s[L.night] === 1 && cmdOf(s, SOVIET) >= tables.costs.nightCancel) {
    setAir(s, DECISION.cancel, SOVIET, attacks, paid, area + 1);
    return WAIT;
  }
  setAir(s, DECISION.air, GERMAN, attacks, paid, 0);
  return strike(tables, s, area);
}

/** A decision of kind `cancel`: a cancelled attack touches no shield. Rule: PS Night, ruling R38 */
export function chooseCancel(tables: Tables, s: State, action: number): number {
  if (action === CANCEL) {
    spend(s, SOVIET, tables.costs.nightCancel);
    if (tables.narrator !== null) told.tellCancelled(tables, s[L.area]! - 1);
    return AIR_STEP;
  }
  return strike(tables, s, s[L.area]! - 1);
}

/** One air kill. Rule: PS Fortify, rulings R31, R32 */
function strike(tables: Tables, s: State, area: number): number {
  if (hasFort(s, area)) {
    if (s[L.shieldUsed + area] === 0) {
      s[L.shieldUsed + area] = 1;
      if (tables.narrator !== null) told.tellAirAttack(tables, area, "absorbed");
      return AIR_STEP;
    }
    setAir(s, DECISION.raze, SOVIET, s[L.attacks]!, s[L.paid]!, area + 1);
    s[L.source] = AIR;
    s[L.kills] = 1;
    if (tables.narrator !== null) told.tellAirAttack(tables, area, "choice");
    return WAIT;
  }
  removeUnits(s, SOVIET, area, 1);
  if (tables.narrator !== null) told.tellAirAttack(tables, area, "kill");
  return AIR_STEP;
}

/** A decision of kind `raze` against an air kill. Rule: PS Fortify, ruling R32 */
export function chooseAirRaze(tables: Tables, s: State, action: number): number {
  const area = s[L.area]! - 1;
  if (action === RAZE) {
    s[L.fort + area] = 0;
    s[L.shieldUsed + area] = 0;
  } else removeUnits(s, SOVIET, area, 1);
  if (tables.narrator !== null) told.tellRaze(tables, area, action === RAZE, action === RAZE ? 0 : 1);
  return AIR_STEP;
}

/** Units paid for in the air may go to city areas. Rule: PS Sturm, rulings R11, R40 */
export function openSturm(tables: Tables, s: State): number {
  const paid = s[L.paid]!;
  if (!hasRight(s, GERMAN, STURM)) return CROSS_STEP;
  ask(s, DECISION.sturm, GERMAN);
  s[L.left] = paid;
  return hasChoice(tables, s) ? WAIT : CROSS_STEP;
}

/** A decision of kind `sturm`; the first unit pays the surcharge, if there is one. Ruling R40 */
export function chooseSturm(tables: Tables, s: State, action: number): number {
  if (action === DONE) return CROSS_STEP;
  moveUnit(s, GERMAN, GUMRAK, action - STURM_TO + CITY_FIRST);
  s[L.left]!--;
  if (tables.narrator !== null) {
    const cost = s[L.surchargePaid] === 0 ? tables.sturmSurcharge : 0;
    told.tellSturm(tables, action - STURM_TO + CITY_FIRST, cost);
  }
  if (s[L.surchargePaid] === 0) {
    spend(s, GERMAN, tables.sturmSurcharge);
    s[L.surchargePaid] = 1;
  }
  return hasChoice(tables, s) ? WAIT : CROSS_STEP;
}
