import type { Dice } from "../../core/dice.js";
import { InvariantError } from "../../core/errors.js";
import type { State } from "../../core/layout.js";
import * as actions from "../actions.js";
import type { Tables } from "../data.js";
import { ENTRY, record } from "../public-log.js";
import { anyUnitMayJoin, breakThrough, declineBreakthrough, offerBreakthrough } from "../rules/breakthrough.js";
import { placeChit } from "../rules/chits.js";
import { raiseDie, startCombat, takeGermanHit, takeSovietLoss } from "../rules/combat.js";
import { killUnit, putUnit, returnChit } from "../rules/counters.js";
import { aim } from "../rules/events.js";
import { closeCommand, command, openCommand, startMove, stepTo } from "../rules/german-movement.js";
import { land } from "../rules/reinforcement.js";
import { moveChit, moveSovietUnit } from "../rules/soviet-movement.js";
import * as state from "../state.js";
import { type DrawNames, run } from "./run.js";

// own constants, for speed: see core/layout.ts
const { AREA, CHIT_AT, DIE, PASS, UNIT } = actions;
const { clearDecision, ANSWER, ask, FLAG, GERMANS, DECISION, decisionOf, L, markUnit, PHASE, phaseOf, UNITS } = state;

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
    case DECISION.gerPlace:
      putUnit(tables, s, unit, action - AREA);
      break;
    case DECISION.gerExcess:
      killUnit(tables, s, action - UNIT);
      ending = phaseOf(s) === PHASE.gerMove;
      break;
    case DECISION.reinfPick:
      ending = action === PASS;
      if (ending) record(s, ENTRY.hold);
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
      else killUnit(tables, s, action - UNIT);
      ending = true;
      break;
    case DECISION.gerPick:
      ending = action === PASS;
      if (!ending) startMove(tables, s, action - UNIT);
      break;
    case DECISION.gerStep:
      if (action === PASS) markUnit(s, unit, FLAG.moved);
      else stepTo(tables, s, unit, action - AREA, mp);
      break;
    case DECISION.cmdArea:
      ending = action === PASS;
      if (!ending) openCommand(tables, s, action - AREA);
      break;
    case DECISION.cmdUnit:
      if (action === PASS) closeCommand(s);
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
      s[L.combatStuka] = action === PASS ? ANSWER.no : ANSWER.yes;
      if (action !== PASS) s[L.stuka] = 0;
      break;
    case DECISION.schwere:
      s[L.combatSchwere] = action === PASS ? ANSWER.no : ANSWER.yes;
      if (action !== PASS) s[L.schwere] = 0;
      break;
    case DECISION.pionier:
      s[L.combatPionier] = action === PASS ? ANSWER.no : ANSWER.yes;
      break;
    case DECISION.engineer:
      s[L.combatEngineer] = action === PASS ? ANSWER.no : ANSWER.yes;
      break;
    case DECISION.atTarget:
      s[L.gunTarget + unit - GERMANS] = action - UNIT + 1;
      break;
    case DECISION.diePionier:
    case DECISION.dieArmor:
    case DECISION.dieEngineer:
      raiseDie(s, kind, action === PASS ? -1 : action - DIE);
      break;
    case DECISION.sovHit:
      takeSovietLoss(tables, s, action - UNIT);
      break;
    case DECISION.gerHit:
      takeGermanHit(tables, s, action - UNIT);
      break;
    case DECISION.btDest:
      if (action === PASS) declineBreakthrough(s);
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
    s[L.freeBreakthroughs] = 0;
    return;
  }
  const a = action - AREA;
  if ((s[L.freeBreakthroughs]! >> a) & 1) {
    s[L.freeBreakthroughs]! &= ~(1 << a);
    offerBreakthrough(tables, s, a);
  } else startCombat(s, a);
}
