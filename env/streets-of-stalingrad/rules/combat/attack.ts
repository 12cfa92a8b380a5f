import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { allow, ACCELERATE, NORMAL } from "../../actions.js";
import {
  ASK_ATTACK_UNIT,
  ATTACKED,
  ATTACKER,
  BARRAGED,
  BY_WBBT,
  CAUSE_ATTACK,
  COMMIT_CLEARED,
  COMMIT_FLAK,
  DRM_LWOP,
  DRM_SPOT,
  ENTERED,
  F_ACTOR,
  F_ASK,
  F_COMMIT,
  F_FLAG,
  F_STEP,
  F_STUKAS,
  F_TABLE,
  MARK_ATTACK,
  MARK_DONE,
  PINNED,
  RETREATED,
  ROLL_ATTACK,
  SPENT,
} from "../../layout.js";
import * as toldAir from "../../events/air.js";
import * as events from "../../events/combat.js";
import {
  anyHas,
  enemyOf,
  frameHex,
  frameOf,
  give,
  has,
  markOf,
  pop,
  setMark,
  take,
  takeAll,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { LOSSES } from "../../charts.js";
import { openAfter } from "./after.js";
import { openFlak, useStukas } from "../artillery/air.js";
import { openAdvance } from "./advance.js";
import { hasArmor } from "../units/armor.js";
import { isBreakthrough, settle, succeeds } from "../movement/breakthrough.js";
import { openDefensiveFire } from "./defence.js";
import { openDogs } from "./dogs.js";
import { FIRED, lay } from "../artillery/missions.js";
import { pins, rollCrt, rollWbbt } from "../units/fire.js";
import { useGun } from "../artillery/guns.js";
import { isIn } from "../units/bridges.js";
import { isLeaderAlone } from "../units/command.js";
import { reveal } from "../units/hidden.js";
import { openIca } from "./ica.js";
import { checkLeader, displaceShelled, dropIdleLeaders } from "../units/leaders.js";
import { dropHelpless, expose, hasLossUnit, pinHex, takeLosses } from "../units/losses.js";
import { testRegiments } from "../units/reliability.js";
import { openRetreat } from "./retreat.js";
import { unitsWith } from "../../events/words.js";
import { makeAttackDrms, makeBarrageDrms } from "./attack-modifiers.js";
import {} from "./attackers.js";
import {
  attackPoints,
  firesDirectly,
  hasAdjacentInfantry,
  isBarrage,
  isShelling,
  mayAccelerate,
} from "./participants.js";

/** Anti-aircraft fire turns some of them back. Rule: SOS 15.45 */
export function turnBack(tables: Tables, s: State, n: number): void {
  const frame = frameOf(tables, s, ASK_ATTACK_UNIT);
  s[frame + F_STUKAS] = Math.max(0, s[frame + F_STUKAS]! - n);
}

/** Guns alone attack by this table. */
export function chooseTable(tables: Tables, s: State, table: number, play: Play): void {
  s[topFrame(tables, s) + F_TABLE] = table;
  announceAttack(tables, s, false, play);
}

/** Decision `attack.mode`. Rule: SOS 9.67, ruling R36 */
export function fillMode(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const { charts } = tables;
  mask[at + NORMAL] = 1;
  const points = attackPoints(tables, s, hex, knownArmor(tables, s, frame));
  if (!mayAccelerate(tables, s, hex) || charts.column(points) === charts.crt.columns.length - 1) return 1;
  return 1 + allow(mask, at + ACCELERATE);
}

/** True when the attacked hex has armor, as far as the attacker knows. Ruling R76. */
const knownArmor = (tables: Tables, s: StateView, frame: number): boolean =>
  hasArmor(tables, s, enemyOf(s[frame + F_ACTOR]!), frameHex(s, frame), true);

/** The attack is announced: attackers turn face up. Rule: SOS 7.5, SOS 9.42 */
export function announceAttack(tables: Tables, s: State, accelerated: boolean, play: Play): void {
  const frame = topFrame(tables, s);
  s[frame + F_ASK] = ASK_ATTACK_UNIT;
  s[frame + F_STEP] = 5;
  s[frame + F_FLAG] = accelerated ? 1 : 0;
  const hex = frameHex(s, frame);
  s[tables.layout.hexState + hex]! |= isBarrage(tables, s, hex) ? ATTACKED | BARRAGED : ATTACKED;
  const stukas = s[frame + F_STUKAS]!;
  if (stukas > 0) {
    useStukas(tables, s, stukas);
    if (play.narrator !== null) toldAir.stukas(tables, stukas, hex, play);
  }
  let shells = stukas * tables.stukaAf;
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, ATTACKER)) continue;
    reveal(tables, s, u, play);
    if (!isShelling(tables, s, u, hex)) continue;
    useGun(tables, s, u);
    shells += tables.roster.af[u]!;
  }
  if (shells > 0) lay(tables, s, s[frame + F_ACTOR]!, hex, shells, FIRED, s[tables.layout.phase]!);
  if (play.narrator !== null)
    events.attacks(
      tables,
      s[frame + F_ACTOR]!,
      unitsWith(tables, s, ATTACKER),
      attackPoints(tables, s, hex, knownArmor(tables, s, frame)),
      hex,
      accelerated,
      stukas,
      play,
    );
}

/** The attack on top of the stack goes on to its next step. Rule: SOS 9.02 */
export function continueAttack(tables: Tables, s: State, play: Play): void {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  switch (s[frame + F_STEP]) {
    case 5:
      if (s[frame + F_STUKAS]! > 0 && (s[frame + F_COMMIT]! & COMMIT_FLAK) === 0) {
        s[frame + F_COMMIT]! |= COMMIT_FLAK;
        if (openFlak(tables, s, hex, 0)) return;
      }
      if (openDogs(tables, s, frame, side)) return;
      s[frame + F_STEP] = 6;
      testRegiments(tables, s, hex, play);
      // no retreat before a breakthrough: its hexes have no attack marker. Rule: SOS 10.5
      if (markOf(tables, s, hex) === MARK_ATTACK) openRetreat(tables, s, enemyOf(side), hex);
      return;
    case 6:
      takeAll(tables, s, RETREATED);
      s[frame + F_STEP] = 7;
      if (isBarrage(tables, s, hex)) return; // nobody to fire back at. Rule: SOS 9.51
      if (hasLossUnit(tables, s, enemyOf(side), hex)) openDefensiveFire(tables, s, enemyOf(side), hex);
      // who can't fight doesn't answer, but is attacked; where all are gone, or a leader is seen to be alone, there is
      // nothing to roll for. Rule: SOS 9.45, SOS 14.97, SOS 18.17, rulings R76, R138
      else if (!isIn(tables, s, enemyOf(side), hex) || isLeaderAlone(tables, s, side, hex)) s[frame + F_STEP] = 9;
      return;
    case 7:
      s[frame + F_STEP] = 9;
      rollAttack(tables, s, frame, play);
      return;
    case 9:
      s[frame + F_STEP] = 10;
      // a miss opens no hex, nor does a retreat before the combat. Rule: SOS 9.85, ruling R37
      if ((s[frame + F_COMMIT]! & COMMIT_CLEARED) === 0) return;
      if (isBreakthrough(tables, s) && !succeeds(tables, s, frame, hex)) return;
      openAdvance(tables, s, side, hex, ATTACKER);
      return;
    case 10:
      s[frame + F_STEP] = 11;
      if (anyHas(tables, s, ENTERED)) {
        takeAll(tables, s, ENTERED);
        openIca(tables, s, enemyOf(side), hex);
      }
      return;
    default:
      if (isBreakthrough(tables, s)) settle(tables, s, hex);
      else for (let u = 0; u < tables.units; u++) if (firesDirectly(tables, s, u, hex)) give(tables, s, u, SPENT);
      if (play.narrator !== null) {
        const spent = unitsWith(tables, s, ATTACKER).filter((u) => has(tables, s, u, SPENT));
        events.attackEnds(tables, side, spent, hex, play);
      }
      takeAll(tables, s, ATTACKER);
      if (markOf(tables, s, hex) === MARK_ATTACK) setMark(tables, s, hex, MARK_DONE);
      pop(tables, s);
  }
}

/**
 * The attackers that are neither pinned nor spent attack the hex with all its units. Rule: SOS 9.11, SOS 9.66,
 * SOS 9.67, SOS 9.71, ruling R74
 */
function rollAttack(tables: Tables, s: State, frame: number, play: Play): void {
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  const defender = enemyOf(side);
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, ATTACKER) && has(tables, s, u, PINNED | SPENT)) take(tables, s, u, ATTACKER);
  dropIdleLeaders(tables, s);
  const points = attackPoints(tables, s, hex, hasArmor(tables, s, defender, hex, false));
  if (points === 0) {
    if (play.narrator !== null) events.attackFails(tables, side, hex, play);
    return;
  }
  const byTable = s[frame + F_TABLE] === BY_WBBT;
  if (s[frame + F_TABLE] !== 0) makeBarrageDrms(tables, s, side, hex, s[frame + F_TABLE]!, false);
  else {
    makeAttackDrms(tables, s, side, hex, s[frame + F_COMMIT]!, false);
    // guns and Stukas that are left alone keep the penalties of spotting, not its bonus. Rule: SOS 9.66, ruling R135
    if (isBarrage(tables, s, hex)) {
      tables.drms[DRM_SPOT] = Math.max(0, tables.drms[DRM_SPOT]!);
      tables.drms[DRM_LWOP] = 0;
    }
  }
  const shift = s[frame + F_FLAG] === 1 && mayAccelerate(tables, s, hex) ? 1 : 0;
  const result = byTable
    ? rollWbbt(tables, s, ROLL_ATTACK, hex, points, play.dice)
    : rollCrt(tables, s, ROLL_ATTACK, hex, points, shift, play.dice);
  if (play.narrator !== null) events.roll(tables, s, side, unitsWith(tables, s, ATTACKER), play);
  expose(tables, s, defender, hex, s[frame + F_TABLE] !== 0);
  if (takeLosses(tables, s, defender, hex, LOSSES[result]!, CAUSE_ATTACK, pins(result), play)) return;
  afterLosses(tables, s, LOSSES[result]! > 0, pins(result), play);
}

/**
 * What follows the losses of the attacked hex: helpless counters go, a P pins and drives back, a leader alone under
 * shells makes way. Rule: SOS 9.82, SOS 9.87, SOS 9.883, SOS 18.31
 */
export function afterLosses(tables: Tables, s: State, lost: boolean, pinned: boolean, play: Play): void {
  const frame = frameOf(tables, s, ASK_ATTACK_UNIT);
  const hex = frameHex(s, frame);
  const defender = enemyOf(s[frame + F_ACTOR]!);
  const depth = s[tables.layout.depth]!;
  let gone = tables.losses.units;
  checkLeader(tables, s, defender, play);
  if (lost) gone += dropHelpless(tables, s, defender, hex, play);
  if (gone > 0) s[frame + F_COMMIT]! |= COMMIT_CLEARED;
  if (s[frame + F_TABLE] !== 0 && s[tables.layout.depth] === depth) displaceShelled(tables, s, defender, hex, play);
  if (!pinned) return;
  pinHex(tables, s, defender, hex, play);
  if (hasAdjacentInfantry(tables, s, hex)) openAfter(tables, s, defender, hex, 1, play);
}
