import type { Dice } from "../../core/dice/dice.js";
import { InvariantError } from "../../core/errors.js";
import type { State } from "../../core/layout.js";
import { AREA, CHIT_AT, DIE, PASS, UNIT } from "../actions.js";
import type { Tables } from "../data.js";
import { markExcess } from "../public-log.js";
import { anyUnitMayJoin, breakThrough, declineBreakthrough, takeFreeBreakthrough } from "../rules/breakthrough.js";
import { placeChit } from "../rules/chits.js";
import { aimGun, raiseDie, startCombat, takeGermanHit, takeSovietLoss } from "../rules/combat.js";
import { killUnit, putUnit, returnChit } from "../rules/counters.js";
import { aim } from "../rules/events.js";
import { closeCommand, command, openCommand, startMove, stepTo } from "../rules/german-movement.js";
import { land, recordHeld } from "../rules/reinforcement.js";
import { moveChit, moveSovietUnit } from "../rules/soviet-movement.js";
import { declared } from "../events/combat.js";
import * as german from "../events/german.js";
import * as soviet from "../events/soviet.js";
import {
  clearDecision,
  placeOf,
  ANSWER,
  ask,
  FLAG,
  DECISION,
  decisionOf,
  L,
  markUnit,
  PHASE,
  phaseOf,
  UNITS,
} from "../state.js";
import { type DrawNames, run } from "./run.js";

/** Carries out a legal action and runs on to the next decision. */
export function apply(tables: Tables, s: State, action: number, dice: Dice, names: DrawNames): void {
  const kind = decisionOf(s);
  const area = s[L.decisionArea]! - 1;
  const unit = s[L.decisionUnit]! - 1;
  const chit = s[L.decisionChit]! - 1;
  const mp = s[L.decisionMp]!;
  clearDecision(s);
  let ending = false; // the picks of this phase are over
  switch (kind) {
    case DECISION.setupPlace:
      if (tables.narrator !== null) soviet.setUp(tables, unit, action - AREA);
      putUnit(tables, s, unit, action - AREA);
      break;
    case DECISION.gerPlace:
      if (tables.narrator !== null) german.enters(tables, unit, action - AREA);
      putUnit(tables, s, unit, action - AREA);
      break;
    case DECISION.gerExcess:
      if (tables.narrator !== null) german.germanExcess(tables, action - UNIT, area);
      killUnit(tables, s, action - UNIT);
      ending = phaseOf(s) === PHASE.gerMove;
      break;
    case DECISION.reinfPick:
      ending = action === PASS;
      if (ending) holdBack(tables, s);
      else ask(s, DECISION.reinfArea, -1, action - UNIT);
      break;
    case DECISION.reinfArea:
      land(tables, s, unit, action - AREA, dice);
      break;
    case DECISION.chitPlace:
      placeChit(tables, s, chit, action - AREA);
      break;
    case DECISION.sovPick:
      ending = action === PASS;
      if (!ending) ask(s, DECISION.sovDest, -1, action >= CHIT_AT ? UNITS + action - CHIT_AT : action - UNIT);
      break;
    case DECISION.sovDest:
      if (unit < UNITS) moveSovietUnit(tables, s, unit, action - AREA);
      else moveChit(tables, s, unit - UNITS, action - AREA);
      break;
    case DECISION.sovExcess:
      if (action >= CHIT_AT) returnChit(tables, s, action - CHIT_AT);
      else removeExcess(tables, s, action - UNIT, area);
      markExcess(s);
      ending = true;
      break;
    case DECISION.gerPick:
      ending = action === PASS;
      if (!ending) startMove(tables, s, action - UNIT);
      break;
    case DECISION.gerStep:
      if (action === PASS) stopUnit(tables, s, unit);
      else stepTo(tables, s, unit, action - AREA, mp);
      break;
    case DECISION.cmdArea:
      ending = action === PASS;
      if (!ending) openCommand(tables, s, action - AREA);
      break;
    case DECISION.cmdUnit:
      if (action === PASS) closeCommand(tables, s);
      else command(tables, s, action - UNIT, dice);
      break;
    case DECISION.sniperTarget:
    case DECISION.molotovTarget:
    case DECISION.ambushTarget:
      aim(tables, s, chit, action - UNIT, dice);
      break;
    case DECISION.combatArea:
      pickCombat(tables, s, action);
      break;
    case DECISION.stuka:
    case DECISION.schwere:
    case DECISION.pionier:
    case DECISION.engineer:
      declare(tables, s, kind, action !== PASS);
      break;
    case DECISION.atTarget:
      aimGun(tables, s, unit, action - UNIT);
      break;
    case DECISION.diePionier:
    case DECISION.dieArmor:
    case DECISION.dieEngineer:
      raiseDie(tables, s, kind, action === PASS ? -1 : action - DIE);
      break;
    case DECISION.sovHit:
      takeSovietLoss(tables, s, action - UNIT);
      break;
    case DECISION.gerHit:
      takeGermanHit(tables, s, action - UNIT);
      break;
    case DECISION.btDest:
      if (action === PASS) declineBreakthrough(tables, s);
      else s[L.breakthroughTo] = action - AREA + 1;
      break;
    case DECISION.btUnit:
      if (action !== PASS) s[L.breakthroughUnits]! |= 1 << (action - UNIT);
      if (action === PASS || !anyUnitMayJoin(s)) breakThrough(tables, s);
      break;
    default:
      throw new InvariantError(`savage-streets has no decision ${kind} (area ${area})`);
  }
  run(tables, s, dice, names, ending);
}

/** Rule: SS 7.0; ruling R18: in an area on both lists the breakthrough comes first. */
function pickCombat(tables: Tables, s: State, action: number): void {
  if (action === PASS) {
    if (tables.narrator !== null && s[L.freeBreakthroughs] !== 0) german.breakthroughsDropped(tables, s);
    s[L.freeBreakthroughs] = 0;
    return;
  }
  const a = action - AREA;
  if ((s[L.freeBreakthroughs]! >> a) & 1) takeFreeBreakthrough(tables, s, a);
  else startCombat(tables, s, a);
}

/** Rule: SS 2.2; ruling R7. */
function holdBack(tables: Tables, s: State): void {
  recordHeld(tables, s);
  if (tables.narrator !== null) soviet.heldBack(tables, s);
}

/** Rule: SS 1.21; ruling R11. */
function removeExcess(tables: Tables, s: State, u: number, a: number): void {
  if (tables.narrator !== null) soviet.sovietExcess(tables, u, a);
  killUnit(tables, s, u);
}

function stopUnit(tables: Tables, s: State, u: number): void {
  markUnit(s, u, FLAG.moved);
  if (tables.narrator !== null) german.germanStops(tables, u, placeOf(s, u));
}

/** Answers one of the questions before the dice of a combat. */
function declare(tables: Tables, s: State, kind: number, yes: boolean): void {
  const answer = yes ? ANSWER.yes : ANSWER.no;
  if (kind === DECISION.stuka) {
    s[L.combatStuka] = answer;
    if (yes) s[L.stuka] = 0;
  } else if (kind === DECISION.schwere) {
    s[L.combatSchwere] = answer;
    if (yes) s[L.schwere] = 0;
  } else if (kind === DECISION.pionier) s[L.combatPionier] = answer;
  else s[L.combatEngineer] = answer;
  if (tables.narrator !== null) declared(tables, kind, yes, s[L.combatArea]! - 1);
}
