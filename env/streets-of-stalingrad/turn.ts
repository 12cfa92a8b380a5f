import type { Dice } from "../core/dice.js";
import { InvariantError } from "../core/errors.js";
import type { State, StateView } from "../core/layout.js";
import * as actions from "./actions.js";
import * as words from "./layout.js";
import * as told from "./events/told.js";
import * as advance from "./rules/advance.js";
import * as afterCombat from "./rules/after.js";
import * as attack from "./rules/attack.js";
import * as defence from "./rules/defence.js";
import { clearRecords } from "./rules/fire.js";
import { lookRound } from "./rules/hidden.js";
import * as ica from "./rules/ica.js";
import * as losses from "./rules/losses.js";
import * as mark from "./rules/mark.js";
import * as movement from "./rules/movement.js";
import * as opportunity from "./rules/opportunity.js";
import * as retreat from "./rules/retreat.js";
import { continueWalk } from "./rules/walk.js";
import { closeStage } from "./sequence.js";
import * as state from "./state.js";
import type { World } from "./state.js";

// own constants, for speed: see core/layout.ts
const { ACCELERATE, ALL, CONTINUE, DECLARE_END, DONE, HEX, HOLD, PASS, SACRIFICE, unitBase } = actions;
const {
  ASK_ADMIN_END,
  ASK_ADVANCE,
  ASK_AFTER_CHOICE,
  ASK_AFTER_HEX,
  ASK_AFTER_UNIT,
  ASK_ATTACK_MODE,
  ASK_ATTACK_TARGET,
  ASK_ATTACK_UNIT,
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
  CAUSE_ATTACK,
  CAUSE_DEFENSE,
  CAUSE_OPPORTUNITY,
  COUNTER,
  F_ACTOR,
  F_CAUSE,
  F_FLAG,
  F_STEP,
  WALK,
} = words;
const { anyHas, askOf, finish, frameHex, give, pop, topFrame } = state;

/** Writes 1 for each legal action of the top decision; the mask is zero before. @returns how many, 0: it closes by itself */
export function fill(world: World, s: StateView, mask: Uint8Array, at: number): number {
  switch (askOf(world, s)) {
    case ASK_ADMIN_END: // nothing has been played on the first turn. Rule: SOS 3.1, ruling R4
      if (s[world.layout.turn]! <= world.firstTurn) return 0;
      mask[at + DECLARE_END] = 1;
      mask[at + CONTINUE] = 1;
      return 2;
    case ASK_MOVE_SELECT:
      return movement.fillSelect(world, s, mask, at);
    case ASK_MOVE_GROUP:
      return movement.fillGroup(world, s, mask, at);
    case ASK_OP_FIRE:
    case ASK_OP_GROUP:
      return opportunity.fillFirers(world, s, mask, at);
    case ASK_MARK:
      return mark.fillMarks(world, s, mask, at);
    case ASK_ATTACK_TARGET:
      return attack.fillTargets(world, s, mask, at);
    case ASK_ATTACK_UNIT:
      return attack.fillAttackers(world, s, mask, at);
    case ASK_ATTACK_MODE:
      return attack.fillMode(world, s, mask, at);
    case ASK_RETREAT_UNIT:
      return retreat.fillRetreaters(world, s, mask, at);
    case ASK_RETREAT_HEX:
      return retreat.fillRetreatHexes(world, s, mask, at);
    case ASK_FIRE_TARGET:
      return defence.fillFireTargets(world, s, mask, at);
    case ASK_FIRE_UNIT:
      return defence.fillFirers(world, s, mask, at);
    case ASK_LOSS:
      return losses.fillLosses(world, s, mask, at);
    case ASK_AFTER_CHOICE:
      return afterCombat.fillChoice(world, s, mask, at);
    case ASK_AFTER_UNIT:
      return afterCombat.fillUnits(world, s, mask, at);
    case ASK_AFTER_HEX:
      return afterCombat.fillHexes(world, s, mask, at);
    case ASK_ADVANCE:
      return advance.fillAdvance(world, s, mask, at);
    case ASK_ICA:
      return ica.fillIca(world, s, mask, at);
    default:
      return 0;
  }
}

/** Carries out a legal action and runs on to the next decision. Spec 4.1. */
export function play(world: World, s: State, action: number, dice: Dice): void {
  clearRecords(world, s);
  act(world, s, action, dice);
  proceed(world, s, dice);
}

/** Runs on to a decision with something to choose, or to the end. */
export function proceed(world: World, s: State, dice: Dice): void {
  const { mask } = world;
  while (s[world.layout.over] === 0) {
    if (isEngineFrame(world, s)) {
      goOn(world, s, dice);
      continue;
    }
    mask.fill(0);
    const n = fill(world, s, mask, 0);
    if (n === 0) close(world, s, dice);
    else if (n === 1 && (world.autoSingle || askOf(world, s) === ASK_ATTACK_MODE)) act(world, s, mask.indexOf(1), dice);
    else break;
  }
  lookRound(world, s);
}

/** Is the top frame work of the engine: a walk, an attack under way, dice being rolled? */
export function isEngineFrame(world: World, s: StateView): boolean {
  const frame = topFrame(world, s);
  switch (askOf(world, s)) {
    case WALK:
      return true;
    case ASK_ATTACK_UNIT:
      return s[frame + F_STEP]! >= 5;
    case ASK_FIRE_TARGET:
      return defence.isFiring(world, s);
    case ASK_ICA:
      return s[frame + F_STEP] !== ica.ICA_ASKS;
    default:
      return false;
  }
}

function goOn(world: World, s: State, dice: Dice): void {
  switch (askOf(world, s)) {
    case WALK:
      return continueWalk(world, s);
    case ASK_ATTACK_UNIT:
      return attack.continueAttack(world, s, dice);
    case ASK_FIRE_TARGET:
      return defence.rollFires(world, s, dice);
    default:
      return ica.continueIca(world, s);
  }
}

/** A decision in which nothing but refusing is left closes by itself. Spec 4.1. */
function close(world: World, s: State, dice: Dice): void {
  switch (askOf(world, s)) {
    case ASK_ADMIN_END:
    case ASK_MOVE_SELECT:
    case ASK_MARK:
    case ASK_ATTACK_TARGET:
      return closeStage(world, s);
    case ASK_OP_GROUP:
      return opportunity.shoot(world, s, dice);
    case ASK_ATTACK_UNIT:
      if (!anyHas(world, s, ATTACKER)) return pop(world, s);
      return attack.closeAttackers(world, s);
    case ASK_FIRE_TARGET:
      return defence.rollFires(world, s, dice);
    case ASK_FIRE_UNIT:
      return defence.closeTarget(world, s);
    case ASK_AFTER_CHOICE:
      return afterCombat.chooseRetreat(world, s);
    case ASK_AFTER_UNIT:
      return afterCombat.closeAfter(world, s);
    case ASK_ADVANCE:
      return advance.closeAdvance(world, s);
    case ASK_ICA:
      if (anyHas(world, s, COUNTER)) return ica.rollIca(world, s, dice);
      return pop(world, s);
    case ASK_OP_FIRE:
    case ASK_RETREAT_UNIT:
      return pop(world, s);
    default:
      throw new InvariantError(`streets-of-stalingrad: ${words.ASKS[askOf(world, s)]} has no legal action`);
  }
}

function act(world: World, s: State, action: number, dice: Dice): void {
  const frame = topFrame(world, s);
  const unit = action - unitBase(world.hexes);
  const hex = action - HEX;
  switch (askOf(world, s)) {
    case ASK_ADMIN_END:
      if (action === DECLARE_END) declareEnd(world, s);
      else closeStage(world, s);
      return;
    case ASK_MOVE_SELECT:
      if (action === DONE) closeStage(world, s);
      else movement.selectMover(world, s, unit);
      return;
    case ASK_MOVE_GROUP:
      return movement.formGroup(world, s, action);
    case ASK_OP_FIRE:
    case ASK_OP_GROUP:
      if (action === PASS) opportunity.passFire(world, s);
      else if (action === HOLD) opportunity.holdFire(world, s);
      else if (action === DONE) opportunity.shoot(world, s, dice);
      else if (action === ALL) opportunity.nameAllFirers(world, s);
      else opportunity.nameFirer(world, s, unit);
      return;
    case ASK_MARK:
      if (action === DONE) closeStage(world, s);
      else mark.markHex(world, s, hex);
      return;
    case ASK_ATTACK_TARGET:
      if (action === DONE) closeStage(world, s);
      else attack.openAttack(world, s, hex);
      return;
    case ASK_ATTACK_UNIT:
      if (action === DONE) attack.closeAttackers(world, s);
      else if (action === ALL) attack.pickAllAttackers(world, s);
      else give(world, s, unit, ATTACKER);
      return;
    case ASK_ATTACK_MODE:
      return attack.announceAttack(world, s, action === ACCELERATE);
    case ASK_RETREAT_UNIT:
      if (action === DONE) {
        decline(world, s, "SOS 9.41", "Nobody else retreats from");
        pop(world, s);
      } else retreat.nameRetreater(world, s, unit);
      return;
    case ASK_RETREAT_HEX:
      return retreat.retreatTo(world, s, hex);
    case ASK_FIRE_TARGET:
      if (action === DONE) {
        decline(world, s, "SOS 9.56", "No further defensive fire is declared for");
        defence.rollFires(world, s, dice);
      } else if (action === ALL) defence.fireAll(world, s);
      else defence.nameFireTarget(world, s, hex);
      return;
    case ASK_FIRE_UNIT:
      if (action === DONE) defence.closeTarget(world, s);
      else if (action === ALL) defence.nameAllDefenders(world, s);
      else defence.nameDefender(world, s, unit);
      return;
    case ASK_LOSS:
      return lose(world, s, frame, unit);
    case ASK_AFTER_CHOICE:
      if (action === SACRIFICE) afterCombat.sacrifice(world, s);
      else afterCombat.chooseRetreat(world, s);
      return;
    case ASK_AFTER_UNIT:
      return afterCombat.nameUnit(world, s, unit);
    case ASK_AFTER_HEX:
      return afterCombat.goTo(world, s, hex);
    case ASK_ADVANCE:
      if (action === DONE) {
        decline(world, s, "SOS 9.85", "Nobody else advances into");
        advance.closeAdvance(world, s);
      } else advance.advance(world, s, unit);
      return;
    case ASK_ICA:
      if (action === PASS) {
        decline(world, s, "SOS 12.1", "There is no counter-attack at");
        pop(world, s);
      } else if (action === DONE) ica.rollIca(world, s, dice);
      else if (action === ALL) ica.counterWithAll(world, s);
      else give(world, s, unit, COUNTER);
      return;
    default:
      throw new InvariantError("streets-of-stalingrad: an action came after the end");
  }
}

function declareEnd(world: World, s: State): void {
  finish(world, s);
  if (world.narrator !== null) told.ends(world, s, true);
}

/** A side lets the chance of the top frame go by. */
function decline(world: World, s: State, rule: string, text: string): void {
  const frame = topFrame(world, s);
  const hex = frameHex(s, frame);
  if (world.narrator !== null) told.declines(world, s[frame + F_ACTOR]!, rule, `${text} ${told.id(world, hex)}.`, hex);
}

/** A loss is named; when the losses of the result are complete, a P that came with them is carried out. Rule: SOS 9.81 */
function lose(world: World, s: State, frame: number, unit: number): void {
  const hex = frameHex(s, frame);
  const owner = s[frame + F_ACTOR]!;
  const cause = s[frame + F_CAUSE]!;
  const pins = s[frame + F_FLAG] === 1;
  if (!losses.loseOne(world, s, unit)) return;
  if (cause === CAUSE_ATTACK) attack.afterLosses(world, s, true, pins);
  else if (cause === CAUSE_DEFENSE && pins) losses.pinHex(world, s, owner, hex);
  else if (cause === CAUSE_OPPORTUNITY && pins) opportunity.pinMovers(world, s, owner, hex);
}
