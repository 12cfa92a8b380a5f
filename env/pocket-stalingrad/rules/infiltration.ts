import type { Play } from "../../core/play.js";
import type { State } from "../../core/layout.js";
import * as events from "../events/action.js";
import { CROSS, IN, OUT, type PairId, RATZEL, ratzelFrom, ratzelTo } from "../actions.js";
import { markCities } from "./cities.js";
import { CITY_FIRST, VOLGA, Z, type SideId, type AreaId, CITY_LAST } from "../data.js";
import type { Tables } from "../data.js";
import {
  DEPLOY,
  GUARDS,
  hasRight,
  DECISION,
  L,
  moveUnit,
  SOVIET,
  spend,
  activeOf,
  actorOf,
  enemyOf,
  unitsIn,
  cmdOf,
  room,
} from "../state.js";
import { DEPLOY_IN_STEP, DEPLOY_STEP, PLAYER_TURN_END, hasChoice, offer, RATZEL_STEP, WAIT } from "../steps.js";
import { addToZ, takeBreach } from "./resolve.js";
import type { StateView } from "../../core/layout.js";

/** Where a unit may cross to. Rule: PS 4.2 */
export function markCrossings(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (cmdOf(s, SOVIET) < tables.costs.volgaCrossing || unitsIn(s, SOVIET, VOLGA) === 0) return 0;
  return markCities(tables, s, SOVIET, at + CROSS, mask);
}

/** Volga crossings, in both player turns. Rule: PS 4.2, PS Area 6 Soviet, ruling R43 */
export function openCross(tables: Tables, s: State): number {
  return offer(tables, s, DECISION.cross, SOVIET, markCrossings) ? WAIT : RATZEL_STEP;
}

/** One unit leaves the Volga, for a CMD. Rule: PS 4.2, PS Area 6 Soviet */
export function crossVolga(tables: Tables, s: State, to: AreaId, play: Play): number {
  moveUnit(s, SOVIET, VOLGA, to);
  spend(s, SOVIET, tables.costs.volgaCrossing);
  if (play.narrator !== null) events.tellCrossing(tables, s, to, play);
  return hasChoice(tables, s, markCrossings) ? WAIT : RATZEL_STEP;
}

/** Ratzel: one enemy unit among Z and 1-5 to another of these. Rule: PS 3 Ratt 3, ruling R44 */
export function markRatzel(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const enemy = enemyOf(actorOf(s));
  let n = 0;
  for (let from = Z; from <= CITY_LAST; from++) {
    if (unitsIn(s, enemy, from) === 0) continue;
    for (let to = Z; to <= CITY_LAST; to++) {
      if (to === from || room(tables, s, enemy, to) === 0) continue;
      mask[at + RATZEL + from * 5 + (to < from ? to : to - 1)] = 1;
      n++;
    }
  }
  return n;
}

/** Ratzel: the active side, then the other. Rule: PS 3 Ratt 3, PS 4.3, rulings R24, R44 */
export function openRatzel(tables: Tables, s: State, play: Play): number {
  if (s[L.ratzel] === 0) return DEPLOY_STEP;
  if (offer(tables, s, DECISION.ratzel, activeOf(s), markRatzel)) return WAIT;
  return openSecondRatzel(tables, s, play);
}

function openSecondRatzel(tables: Tables, s: State, play: Play): number {
  if (offer(tables, s, DECISION.ratzel, enemyOf(activeOf(s)), markRatzel)) return WAIT;
  return endRatzel(s, play);
}

function endRatzel(s: State, play: Play): number {
  s[L.ratzel] = 0;
  if (play.narrator !== null) events.tellRatzelOver(play);
  return DEPLOY_STEP;
}

export function moveByRatzel(tables: Tables, s: State, pair: PairId, play: Play): number {
  const actor = actorOf(s);
  moveUnit(s, enemyOf(actor), ratzelFrom(pair), ratzelTo(pair));
  if (play.narrator !== null) events.tellRatzelMove(tables, actor, ratzelFrom(pair), ratzelTo(pair), play);
  return nextRatzel(tables, s, play);
}

/** The actor has moved a unit by Ratzel, or none. */
export function nextRatzel(tables: Tables, s: State, play: Play): number {
  return actorOf(s) === s[L.active] ? openSecondRatzel(tables, s, play) : endRatzel(s, play);
}

/** City areas that units may go to from Z. Rule: PS 3 Deploy */
export function markOut(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (unitsIn(s, actorOf(s), Z) === 0) return 0;
  return markCities(tables, s, actorOf(s), at + OUT, mask);
}

/** City areas that units may come from into Z. Rule: PS 3 Deploy */
export function markIn(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const actor = actorOf(s);
  if (room(tables, s, actor, Z) === 0) return 0;
  let n = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
    if (unitsIn(s, actor, a) > 0) {
      mask[at + IN + a - CITY_FIRST] = 1;
      n++;
    }
  }
  return n;
}

/**
 * Deploy: out of Z, then into it. Rule: PS 3 Deploy, PS 4.3, ruling R27; Guards bring a unit first, or by option
 * between the halves, ruling R28
 */
export function openDeploy(tables: Tables, s: State, play: Play): number {
  const side = activeOf(s);
  if (!hasRight(s, side, DEPLOY)) return PLAYER_TURN_END;
  if (!tables.guardsBetween) bringGuards(tables, s, side, play);
  return offer(tables, s, DECISION.deployOut, side, markOut) ? WAIT : DEPLOY_IN_STEP;
}

function bringGuards(tables: Tables, s: State, side: SideId, play: Play): void {
  if (side === SOVIET && hasRight(s, side, GUARDS)) addToZ(tables, s, side, "guards", play);
}

export function moveOut(tables: Tables, s: State, to: AreaId, play: Play): number {
  moveUnit(s, actorOf(s), Z, to);
  if (play.narrator !== null) events.tellDeploy(tables, actorOf(s), Z, to, play);
  return hasChoice(tables, s, markOut) ? WAIT : DEPLOY_IN_STEP;
}

export function openDeployIn(tables: Tables, s: State, play: Play): number {
  if (tables.guardsBetween) bringGuards(tables, s, activeOf(s), play);
  return offer(tables, s, DECISION.deployIn, activeOf(s), markIn) ? WAIT : endDeploy(tables, s, play);
}

export function moveIn(tables: Tables, s: State, from: AreaId, play: Play): number {
  moveUnit(s, actorOf(s), from, Z);
  if (play.narrator !== null) events.tellDeploy(tables, actorOf(s), from, Z, play);
  return hasChoice(tables, s, markIn) ? WAIT : endDeploy(tables, s, play);
}

export function endDeploy(tables: Tables, s: State, play: Play): number {
  if (play.narrator !== null) events.tellDeployOver(activeOf(s), play);
  s[L.rights + activeOf(s)]! &= ~DEPLOY;
  takeBreach(tables, s, activeOf(s), play);
  return PLAYER_TURN_END;
}
