import type { State } from "../../core/layout.js";
import * as told from "../events/action.js";
import { CROSS, DONE, IN, OUT, ratzelFrom, ratzelTo } from "../actions.js";
import { CITY_FIRST, VOLGA, Z } from "../data.js";
import type { Tables } from "../data.js";
import { DEPLOY, GUARDS, hasRight, DECISION, L, moveUnit, SOVIET, spend } from "../state.js";
import { DEPLOY_IN_STEP, DEPLOY_STEP, PLAYER_TURN_END, hasChoice, offer, RATZEL_STEP, WAIT } from "../steps.js";
import { addToZ, takeBreach } from "./resolve.js";

/** Volga crossings, in both player turns. Rule: PS 4.2, PS Area 6 Soviet, ruling R43 */
export function openCross(tables: Tables, s: State): number {
  return offer(tables, s, DECISION.cross, SOVIET) ? WAIT : RATZEL_STEP;
}

/** One unit leaves the Volga, for a CMD. Rule: PS 4.2, PS Area 6 Soviet */
export function chooseCross(tables: Tables, s: State, action: number): number {
  if (action === DONE) return RATZEL_STEP;
  moveUnit(s, SOVIET, VOLGA, action - CROSS + CITY_FIRST);
  spend(s, SOVIET, tables.costs.volgaCrossing);
  if (tables.narrator !== null) told.tellCrossing(tables, s, action - CROSS + CITY_FIRST);
  return hasChoice(tables, s) ? WAIT : RATZEL_STEP;
}

/** Ratzel: the active side, then the other. Rule: PS 3 Ratt 3, PS 4.3, rulings R24, R44 */
export function openRatzel(tables: Tables, s: State): number {
  if (s[L.ratzel] === 0) return DEPLOY_STEP;
  if (offer(tables, s, DECISION.ratzel, s[L.active]!)) return WAIT;
  return openSecondRatzel(tables, s);
}

function openSecondRatzel(tables: Tables, s: State): number {
  if (offer(tables, s, DECISION.ratzel, 1 - s[L.active]!)) return WAIT;
  return endRatzel(tables, s);
}

function endRatzel(tables: Tables, s: State): number {
  s[L.ratzel] = 0;
  if (tables.narrator !== null) told.tellRatzelOver(tables);
  return DEPLOY_STEP;
}

export function chooseRatzel(tables: Tables, s: State, action: number): number {
  const actor = s[L.actor]!;
  if (action !== DONE) {
    moveUnit(s, 1 - actor, ratzelFrom(action), ratzelTo(action));
    if (tables.narrator !== null) told.tellRatzelMove(tables, actor, ratzelFrom(action), ratzelTo(action));
  }
  return actor === s[L.active] ? openSecondRatzel(tables, s) : endRatzel(tables, s);
}

/**
 * Deploy: out of Z, then into it. Rule: PS 3 Deploy, PS 4.3, ruling R27; Guards bring a unit first, or by option between the
 * halves, ruling R28
 */
export function openDeploy(tables: Tables, s: State): number {
  const side = s[L.active]!;
  if (!hasRight(s, side, DEPLOY)) return PLAYER_TURN_END;
  if (!tables.guardsBetween) bringGuards(tables, s, side);
  return offer(tables, s, DECISION.deployOut, side) ? WAIT : DEPLOY_IN_STEP;
}

function bringGuards(tables: Tables, s: State, side: number): void {
  if (side === SOVIET && hasRight(s, side, GUARDS)) addToZ(tables, s, side, "guards");
}

export function chooseDeployOut(tables: Tables, s: State, action: number): number {
  if (action === DONE) return DEPLOY_IN_STEP;
  moveUnit(s, s[L.actor]!, Z, action - OUT + CITY_FIRST);
  if (tables.narrator !== null) told.tellDeploy(tables, s[L.actor]!, Z, action - OUT + CITY_FIRST);
  return hasChoice(tables, s) ? WAIT : DEPLOY_IN_STEP;
}

export function openDeployIn(tables: Tables, s: State): number {
  if (tables.guardsBetween) bringGuards(tables, s, s[L.active]!);
  return offer(tables, s, DECISION.deployIn, s[L.active]!) ? WAIT : endDeploy(tables, s);
}

export function chooseDeployIn(tables: Tables, s: State, action: number): number {
  if (action === DONE) return endDeploy(tables, s);
  moveUnit(s, s[L.actor]!, action - IN + CITY_FIRST, Z);
  if (tables.narrator !== null) told.tellDeploy(tables, s[L.actor]!, action - IN + CITY_FIRST, Z);
  return hasChoice(tables, s) ? WAIT : endDeploy(tables, s);
}

function endDeploy(tables: Tables, s: State): number {
  if (tables.narrator !== null) told.tellDeployOver(tables, s[L.active]!);
  s[L.rights + s[L.active]!]! &= ~DEPLOY;
  takeBreach(tables, s, s[L.active]!);
  return PLAYER_TURN_END;
}
