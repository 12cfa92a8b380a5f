import type { Dice } from "../core/dice/dice.js";
import { bitWords } from "../core/bits.js";
import { InvariantError } from "../core/errors.js";
import type { State, StateView } from "../core/layout.js";
import { ACCELERATE, ALL, DECLARE_END, DONE, HEX, HOLD, NUMBER, PASS, SACRIFICE, unitBase, YES } from "./actions.js";
import * as words from "./layout.js";
import {
  ASK_AA,
  ASK_ADMIN_END,
  ASK_ADVANCE,
  ASK_AFTER_CHOICE,
  ASK_AFTER_HEX,
  ASK_AFTER_UNIT,
  ASK_ATTACK_DRM,
  ASK_ATTACK_MODE,
  ASK_ATTACK_TARGET,
  ASK_ATTACK_UNIT,
  ASK_BREAKTHROUGH,
  ASK_FIRE_TARGET,
  ASK_FIRE_UNIT,
  ASK_ICA,
  ASK_LOSS,
  ASK_MARK,
  ASK_MOVE_GROUP,
  ASK_MOVE_SELECT,
  ASK_OP_FIRE,
  ASK_OP_GROUP,
  ASK_RETREAT_HEX,
  ASK_RETREAT_UNIT,
  ATTACKER,
  ASK_BOMB_TABLE,
  ASK_BOMB_TARGET,
  ASK_BOMB_UNIT,
  ASK_FIRE_TABLE,
  ASK_LEADER,
  ASK_OP_TABLE,
  ASK_SPOT,
  STAGE_ATTACK,
  CAUSE_ATTACK,
  CAUSE_BOMBARDMENT,
  CAUSE_DEFENSE,
  CAUSE_OPPORTUNITY,
  COUNTER,
  F_ACTOR,
  F_CAUSE,
  F_FLAG,
  F_STEP,
  F_STUKAS,
  FIRING,
  UNPINNED,
  WALK,
} from "./layout.js";
import * as told from "./events/told.js";
import * as air from "./rules/artillery/air.js";
import * as advance from "./rules/combat/advance.js";
import * as afterCombat from "./rules/combat/after.js";
import * as attack from "./rules/combat/attack.js";
import * as attackers from "./rules/combat/attackers.js";
import * as bombardment from "./rules/artillery/bombardment.js";
import * as commitment from "./rules/combat/commitment.js";
import * as defence from "./rules/combat/defence.js";
import { clearRecords } from "./rules/units/fire.js";
import { lookRound } from "./rules/units/hidden.js";
import * as ica from "./rules/combat/ica.js";
import * as leaders from "./rules/units/leaders.js";
import * as losses from "./rules/units/losses.js";
import * as mark from "./rules/combat/mark.js";
import * as movement from "./rules/movement/movement.js";
import * as opportunity from "./rules/movement/opportunity.js";
import * as retreat from "./rules/combat/retreat.js";
import * as spotting from "./rules/artillery/spotting.js";
import { continueWalk } from "./rules/movement/walk.js";
import { closeStage } from "./sequence.js";
import { anyHas, askOf, finish, frameHex, give, pop, takeAll, topFrame } from "./state.js";
import type { Tables } from "./state.js";
import { fill } from "./legal.js";

/** Carries out a legal action and runs on to the next decision. Spec 4.1. */
export function play(tables: Tables, s: State, action: number, dice: Dice): void {
  clearRecords(tables, s);
  takeAll(tables, s, UNPINNED);
  s.fill(0, tables.layout.outOfSight, tables.layout.outOfSight + bitWords(tables.units));
  act(tables, s, action, dice);
  proceed(tables, s, dice);
}

/** Runs on to a decision with something to choose, or to the end. */
export function proceed(tables: Tables, s: State, dice: Dice): void {
  const { offer } = tables;
  const { mask } = offer;
  let n = 0;
  offer.forget();
  while (s[tables.layout.over] === 0) {
    if (isEngineFrame(tables, s)) {
      goOn(tables, s, dice);
      continue;
    }
    mask.fill(0);
    n = fill(tables, s, mask, 0);
    if (n === 0) close(tables, s, dice);
    else if (n === 1 && (tables.autoSingle || askOf(tables, s) === ASK_ATTACK_MODE))
      act(tables, s, mask.indexOf(1), dice);
    else break;
  }
  // a face that is seen now may change what is legal
  if (!lookRound(tables, s) && s[tables.layout.over] === 0) offer.keep(s, n);
}

/** Is the top frame work of the engine: a walk, an attack under way, dice being rolled? */
export function isEngineFrame(tables: Tables, s: StateView): boolean {
  const frame = topFrame(tables, s);
  switch (askOf(tables, s)) {
    case WALK:
      return true;
    case ASK_ATTACK_UNIT:
      return s[frame + F_STEP]! >= 5;
    case ASK_FIRE_TARGET:
      return defence.isFiring(tables, s);
    case ASK_BOMB_TARGET:
      return bombardment.isResolving(tables, s);
    case ASK_ADVANCE:
      return advance.isEntering(tables, s);
    case ASK_ICA:
      return s[frame + F_STEP] !== ica.ICA_ASKS;
    default:
      return false;
  }
}

function goOn(tables: Tables, s: State, dice: Dice): void {
  switch (askOf(tables, s)) {
    case WALK:
      return continueWalk(tables, s);
    case ASK_ATTACK_UNIT:
      return attack.continueAttack(tables, s, dice);
    case ASK_FIRE_TARGET:
      return defence.rollFires(tables, s, dice);
    case ASK_ADVANCE:
      return advance.continueAdvance(tables, s);
    case ASK_BOMB_TARGET:
      if (bombardment.resolveMissions(tables, s, dice)) closeStage(tables, s);
      return;
    default:
      return ica.continueIca(tables, s);
  }
}

/** A decision in which nothing but refusing is left closes by itself. Spec 4.1. */
function close(tables: Tables, s: State, dice: Dice): void {
  switch (askOf(tables, s)) {
    case ASK_BOMB_UNIT:
      return bombardment.closeGuns(tables, s);
    case ASK_SPOT:
      return spotting.dropGun(tables, s);
    case ASK_LEADER:
      return leaders.closeLeader(tables, s, dice);
    case ASK_ADMIN_END:
    case ASK_BOMB_TARGET:
    case ASK_BREAKTHROUGH:
    case ASK_MOVE_SELECT:
    case ASK_MARK:
    case ASK_ATTACK_TARGET:
      return closeStage(tables, s);
    case ASK_OP_GROUP:
      return opportunity.closeFirers(tables, s, dice);
    case ASK_AA:
      return fireFlak(tables, s, dice);
    case ASK_ATTACK_UNIT:
      if (!anyHas(tables, s, ATTACKER) && s[topFrame(tables, s) + F_STUKAS] === 0) return pop(tables, s);
      return attackers.closeAttackers(tables, s);
    case ASK_FIRE_TARGET:
      return defence.rollFires(tables, s, dice);
    case ASK_FIRE_UNIT:
      return defence.closeTarget(tables, s);
    case ASK_AFTER_CHOICE:
      return afterCombat.chooseRetreat(tables, s);
    case ASK_AFTER_UNIT:
      return afterCombat.closeAfter(tables, s, dice);
    case ASK_ADVANCE:
      return advance.closeAdvance(tables, s);
    case ASK_ICA:
      if (anyHas(tables, s, COUNTER)) return ica.rollIca(tables, s, dice);
      return pop(tables, s);
    case ASK_OP_FIRE:
    case ASK_RETREAT_UNIT:
      return pop(tables, s);
    default:
      throw new InvariantError(`streets-of-stalingrad: ${words.ASKS[askOf(tables, s)]} has no legal action`);
  }
}

function act(tables: Tables, s: State, action: number, dice: Dice): void {
  const frame = topFrame(tables, s);
  const unit = action - unitBase(tables.hexes);
  const hex = action - HEX;
  switch (askOf(tables, s)) {
    case ASK_ADMIN_END:
      if (action === DECLARE_END) declareEnd(tables, s);
      else closeStage(tables, s);
      return;
    case ASK_BOMB_TARGET:
      if (action === DONE) closeStage(tables, s);
      else bombardment.openMission(tables, s, hex);
      return;
    case ASK_BOMB_UNIT:
      if (action === DONE) bombardment.closeGuns(tables, s);
      else if (action < HEX) bombardment.nameStukas(tables, s, action - NUMBER);
      else bombardment.nameGun(tables, s, unit);
      return;
    case ASK_BOMB_TABLE:
      if (s[tables.layout.stage] === STAGE_ATTACK) attack.chooseTable(tables, s, bombardment.tableOf(action));
      else bombardment.plot(tables, s, bombardment.tableOf(action));
      return;
    case ASK_SPOT:
      return spotting.nameSpotter(tables, s, unit);
    case ASK_OP_TABLE:
      return opportunity.chooseTable(tables, s, bombardment.tableOf(action), dice);
    case ASK_FIRE_TABLE:
      return defence.chooseFireTable(tables, s, bombardment.tableOf(action));
    case ASK_LEADER:
      return leaders.goToCommand(tables, s, hex);
    case ASK_MOVE_SELECT:
      if (action === DONE) closeStage(tables, s);
      else movement.selectMover(tables, s, unit);
      return;
    case ASK_AA:
      if (action === DONE) fireFlak(tables, s, dice);
      else if (action === ALL) air.nameAllFlak(tables, s);
      else give(tables, s, unit, FIRING);
      return;
    case ASK_BREAKTHROUGH:
      if (action === DONE) closeStage(tables, s);
      else if (action >= unitBase(tables.hexes)) movement.selectMover(tables, s, unit);
      else attackers.openAttack(tables, s, hex);
      return;
    case ASK_MOVE_GROUP:
      return movement.formGroup(tables, s, action);
    case ASK_OP_FIRE:
    case ASK_OP_GROUP:
      if (action === PASS) opportunity.passFire(tables, s);
      else if (action === HOLD) opportunity.holdFire(tables, s);
      else if (action === DONE) opportunity.closeFirers(tables, s, dice);
      else if (action === ALL) opportunity.nameAllFirers(tables, s);
      else opportunity.nameFirer(tables, s, unit);
      return;
    case ASK_MARK:
      if (action === DONE) closeStage(tables, s);
      else mark.markHex(tables, s, hex);
      return;
    case ASK_ATTACK_TARGET:
      if (action === DONE) closeStage(tables, s);
      else attackers.openAttack(tables, s, hex);
      return;
    case ASK_ATTACK_UNIT:
      if (action === DONE) attackers.closeAttackers(tables, s);
      else if (action === ALL) attackers.pickAllAttackers(tables, s);
      else if (action < HEX) attackers.pickStukas(tables, s, action - NUMBER);
      else attackers.pickAttacker(tables, s, unit);
      return;
    case ASK_ATTACK_DRM:
      return commitment.commit(tables, s, action === YES);
    case ASK_ATTACK_MODE:
      return attack.announceAttack(tables, s, action === ACCELERATE);
    case ASK_RETREAT_UNIT:
      if (action === DONE) {
        decline(tables, s, "SOS 9.41", "Nobody else retreats from");
        pop(tables, s);
      } else retreat.nameRetreater(tables, s, unit);
      return;
    case ASK_RETREAT_HEX:
      return retreat.retreatTo(tables, s, hex);
    case ASK_FIRE_TARGET:
      if (action === DONE) {
        decline(tables, s, "SOS 9.56", "No further defensive fire is declared for");
        defence.rollFires(tables, s, dice);
      } else if (action === ALL) defence.fireAll(tables, s);
      else defence.nameFireTarget(tables, s, hex);
      return;
    case ASK_FIRE_UNIT:
      if (action === DONE) defence.closeTarget(tables, s);
      else if (action === ALL) defence.nameAllDefenders(tables, s);
      else defence.nameDefender(tables, s, unit);
      return;
    case ASK_LOSS:
      return lose(tables, s, frame, unit, dice);
    case ASK_AFTER_CHOICE:
      if (action === SACRIFICE) afterCombat.sacrifice(tables, s, dice);
      else afterCombat.chooseRetreat(tables, s);
      return;
    case ASK_AFTER_UNIT:
      return afterCombat.nameUnit(tables, s, unit);
    case ASK_AFTER_HEX:
      return afterCombat.goTo(tables, s, hex, dice);
    case ASK_ADVANCE:
      if (action === DONE) {
        decline(tables, s, "SOS 9.85", "Nobody else advances into");
        advance.closeAdvance(tables, s);
      } else advance.advance(tables, s, unit);
      return;
    case ASK_ICA:
      if (action === PASS) {
        decline(tables, s, "SOS 12.1", "There is no counter-attack at");
        pop(tables, s);
      } else if (action === DONE) ica.rollIca(tables, s, dice);
      else if (action === ALL) ica.counterWithAll(tables, s);
      else give(tables, s, unit, COUNTER);
      return;
    default:
      throw new InvariantError("streets-of-stalingrad: an action came after the end");
  }
}

/** Anti-aircraft fire turns Stukas back. Rule: SOS 15.45 */
function fireFlak(tables: Tables, s: State, dice: Dice): void {
  const { mission, aborted } = air.fireFlak(tables, s, dice);
  if (mission === 0) attack.turnBack(tables, s, aborted);
  else bombardment.turnBack(tables, s, mission - 1, aborted);
}

function declareEnd(tables: Tables, s: State): void {
  finish(tables, s);
  if (tables.narrator !== null) told.ends(tables, s, true);
}

/** A side lets the chance of the top frame go by. */
function decline(tables: Tables, s: State, rule: string, text: string): void {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  if (tables.narrator !== null)
    told.declines(tables, s[frame + F_ACTOR]!, rule, `${text} ${told.id(tables, hex)}.`, hex);
}

/**
 * A loss is named; when the losses of the result are complete, a P that came with them is carried out. Rule: SOS 9.81
 */
function lose(tables: Tables, s: State, frame: number, unit: number, dice: Dice): void {
  const hex = frameHex(s, frame);
  const owner = s[frame + F_ACTOR]!;
  const cause = s[frame + F_CAUSE]!;
  const pins = s[frame + F_FLAG] === 1;
  if (!losses.loseOne(tables, s, unit)) return;
  if (cause === CAUSE_ATTACK) return attack.afterLosses(tables, s, true, pins, dice);
  if (cause === CAUSE_BOMBARDMENT) {
    bombardment.afterBombs(tables, s, owner, hex, true, pins, dice);
    return;
  }
  leaders.settleLosses(tables, s, owner, dice);
  if (cause === CAUSE_DEFENSE && pins) losses.pinHex(tables, s, owner, hex);
  else if (cause === CAUSE_OPPORTUNITY && pins) opportunity.pinMovers(tables, s, owner, hex);
}
