import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as actions from "../actions.js";
import { KINDS } from "../schema.js";
import * as words from "../layout.js";
import * as toldAir from "../events/air.js";
import * as told from "../events/combat.js";
import { GERMAN } from "../roster.js";
import * as state from "../state.js";
import type { Tables } from "../state.js";
import { LOSSES } from "../charts.js";
import { openAfter } from "./after.js";
import { fillStukas, isSeenFromAir, mayFly, openFlak, useStukas } from "./air.js";
import { openAdvance } from "./advance.js";
import { attackOf, hasArmor, hasPanzerIntegrity, PANZERS_ATTACK, shiesArmor } from "./armor.js";
import { hasAdjacent, isBreakthrough, mayBreakThrough, settle, succeeds } from "./breakthrough.js";
import { chiefIn, commands, worth } from "./command.js";
import { askCommitment, hasCombinedArms, hasEngineers } from "./commitment.js";
import { openDefensiveFire } from "./defence.js";
import { FIRED, lay, makeDrms } from "./bombardment.js";
import { addFirerDrms, clearDrms, pins, reaches, rollCrt, rollWbbt } from "./fire.js";
import { addGunDrms, hasShelled, mayShell, useGun } from "./guns.js";
import { reveal } from "./hidden.js";
import { openIca } from "./ica.js";
import { addIntegrity } from "./integrity.js";
import { checkLeader, dropIdleLeaders, hasLeaderBeside } from "./leaders.js";
import { dropHelpless, hasLossUnit, pinHex, takeLosses } from "./losses.js";
import { openRetreat } from "./retreat.js";
import { findSpotter, firesAt } from "./spotting.js";
import { isArmored, isVehicle } from "./units.js";
import { inZocOf } from "./zoc.js";
import { unitsWith } from "../events/words.js";

// own constants, for speed: see core/layout.ts
const { ALL, ACCELERATE, DONE, HEX, NORMAL, unitBase } = actions;
const {
  ASK_ATTACK_MODE,
  ASK_ATTACK_UNIT,
  ASK_BOMB_TABLE,
  ATTACKED,
  ATTACKER,
  BY_CRT,
  BY_WBBT,
  CAUSE_ATTACK,
  COMMIT_ARMOR,
  COMMIT_ENGINEERS,
  COMMIT_FLAK,
  DRM_ADJACENT_LEADER,
  DRM_ARMOR_TARGET,
  DRM_ASSAULT,
  DRM_COMBINED_ARMS,
  DRM_ENEMY_LEADER,
  DRM_ENGINEER,
  DRM_FORT,
  DRM_IF_SUPPORT,
  DRM_INTEG_ARMOR,
  DRM_LEADER,
  DRM_SPOT,
  DRM_LWOP,
  DRM_TERRAIN,
  DRM_VOLGA,
  ENTERED,
  EXPOSED,
  F_ACTOR,
  F_ASK,
  F_COMMIT,
  F_FLAG,
  F_STEP,
  F_STUKAS,
  F_TABLE,
  KNOWN,
  MARK_ATTACK,
  MARK_DONE,
  PINNED,
  RETREATED,
  ROLL_ATTACK,
  SPENT,
  UNREADY,
} = words;
const {
  anyHas,
  enemyOf,
  firstIn,
  frameHex,
  frameOf,
  give,
  has,
  markOf,
  nextIn,
  placeOf,
  pop,
  push,
  setMark,
  take,
  takeAll,
  topFrame,
} = state;

const MORTAR = KINDS.indexOf("mortar");
const FORT = KINDS.indexOf("fortification");
const ACCELERATORS = ["infantry", "armored-infantry", "engineer"].map((k) =>
  KINDS.indexOf(k as (typeof KINDS)[number]),
);

/**
 * May a unit attack a hex? In a breakthrough by rules of its own; else beside a hex without marker only units of other
 * types than infantry. Rule: SOS 9.13, SOS 9.18, SOS 9.62, SOS 9.64, SOS 9.101, SOS 9.102, ruling R19
 */
function mayAttack(tables: Tables, s: StateView, unit: number, hex: number, marked: boolean): boolean {
  if (isBreakthrough(tables, s)) return mayBreakThrough(tables, s, unit, hex) || maySupport(tables, s, unit, hex);
  return attacksDirectly(tables, s, unit, hex, marked) || mayShell(tables, s, unit, hex);
}

/** May a mortar support a breakthrough: is it in the command of somebody who attacks? Rule: SOS 10.3 */
function maySupport(tables: Tables, s: StateView, gun: number, hex: number): boolean {
  if (tables.roster.kind[gun] !== MORTAR || !mayShell(tables, s, gun, hex)) return false;
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, ATTACKER) && commands(tables, s, u, gun)) return true;
  return false;
}

function attacksDirectly(tables: Tables, s: StateView, unit: number, hex: number, marked: boolean): boolean {
  const { board, roster } = tables;
  if (roster.directFire[unit] === 0 || roster.af[unit] === 0) return false;
  if (has(tables, s, unit, PINNED | SPENT | UNREADY) || hasShelled(tables, s, unit)) return false;
  if (!reaches(tables, s, unit, hex)) return false;
  return marked || roster.infantryType[unit] === 0 || board.distance(placeOf(tables, s, unit), hex) > 1;
}

/** Is an attack on a hex legal? A marked one needs an infantry-type unit beside it. Ruling R19. */
function isAttackable(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board, layout, roster } = tables;
  if ((s[layout.hexState + hex]! & ATTACKED) !== 0) return false;
  const marked = markOf(tables, s, hex) === MARK_ATTACK;
  if (!marked && side === GERMAN && mayFly(tables, s, hex)) return true; // Stukas alone. Ruling R48
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!mayAttack(tables, s, u, hex, marked)) continue;
    if (!marked || (roster.infantryType[u] === 1 && board.distance(placeOf(tables, s, u), hex) === 1)) return true;
  }
  return false;
}

/**
 * Decision `attack.target`: `done` only when no marked hex can be attacked any more. Rule: SOS 9.14, SOS 9.61,
 * rulings R19, R20
 */
export function fillTargets(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  let n = 0;
  let duty = false;
  for (let u = roster.first(enemyOf(side)); u < roster.end(enemyOf(side)); u++) {
    const hex = placeOf(tables, s, u);
    if (hex < 0 || mask[at + HEX + hex] === 1 || !isAttackable(tables, s, side, hex)) continue;
    mask[at + HEX + hex] = 1;
    n++;
    if (markOf(tables, s, hex) === MARK_ATTACK) duty = true;
  }
  if (n === 0 || duty) return n;
  mask[at + DONE] = 1;
  return n + 1;
}

/** A hex is named; its attackers are picked next. */
export function openAttack(tables: Tables, s: State, hex: number): void {
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  const frame = push(tables, s, ASK_ATTACK_UNIT, side, hex);
  s[frame + F_STEP] = 2;
}

/**
 * Decision `attack.unit`: each unit gives all its AF to one hex or none. Rule: SOS 9.12, SOS 9.15, SOS 9.16, SOS 9.63,
 * SOS 9.64
 */
export function fillAttackers(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { board, roster } = tables;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  const hex = frameHex(s, frame);
  const marked = markOf(tables, s, hex) === MARK_ATTACK;
  const bombed = s[frame + F_STUKAS]! > 0 && !isSeenFromAir(tables, s, hex);
  let n = 0;
  let adjacent = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (has(tables, s, u, ATTACKER) || !mayAttack(tables, s, u, hex, marked)) continue;
    if (bombed && attacksDirectly(tables, s, u, hex, marked)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
    if (roster.directFire[u] === 1 && board.distance(placeOf(tables, s, u), hex) === 1) adjacent++;
  }
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (!bombed && mayLead(tables, s, u, hex, marked)) n += set(mask, at + unitBase(tables.hexes) + u);
  if (mayJoinFromAir(tables, s, frame)) n += fillStukas(tables, s, mask, at);
  if (n === 0) return 0;
  if (adjacent > 1) n += set(mask, at + ALL);
  if (isEnough(tables, s, hex, marked)) n += set(mask, at + DONE);
  return n;
}

/**
 * May Stukas join: if their observer sees the hex, or if nobody fires directly? In a breakthrough he has to see it.
 * Rule: SOS 10.3, SOS 15.14, ruling R48
 */
function mayJoinFromAir(tables: Tables, s: StateView, frame: number): boolean {
  const hex = frameHex(s, frame);
  if (s[frame + F_ACTOR] !== GERMAN || s[frame + F_STUKAS] !== 0 || !mayFly(tables, s, hex)) return false;
  if (isSeenFromAir(tables, s, hex)) return true;
  if (isBreakthrough(tables, s) || markOf(tables, s, hex) === MARK_ATTACK) return false;
  for (let u = 0; u < tables.units; u++) if (firesDirectly(tables, s, u, hex)) return false;
  return true;
}

/** So many Stukas join the attack. */
export function pickStukas(tables: Tables, s: State, n: number): void {
  s[topFrame(tables, s) + F_STUKAS] = n;
}

/** Anti-aircraft fire turns some of them back. Rule: SOS 15.45 */
export function turnBack(tables: Tables, s: State, n: number): void {
  const frame = frameOf(tables, s, ASK_ATTACK_UNIT);
  s[frame + F_STUKAS] = Math.max(0, s[frame + F_STUKAS]! - n);
}

/** May a leader join: stands one with him who attacks or could? Rule: SOS 9.71, SOS 18.12, ruling R29 */
function mayLead(tables: Tables, s: StateView, leader: number, hex: number, marked: boolean): boolean {
  const { roster } = tables;
  const at = placeOf(tables, s, leader);
  if (roster.leader[leader] === 0 || at < 0 || has(tables, s, leader, ATTACKER)) return false;
  for (let u = firstIn(tables, s, at); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== roster.side[leader] || roster.directFire[u] === 0) continue;
    if (has(tables, s, u, ATTACKER) || mayAttack(tables, s, u, hex, marked)) return true;
  }
  return false;
}

function set(mask: Uint8Array, i: number): 1 {
  mask[i] = 1;
  return 1;
}

/** Are the attackers picked so far a legal attack? Ruling R19. */
function isEnough(tables: Tables, s: StateView, hex: number, marked: boolean): boolean {
  if (isBreakthrough(tables, s)) return hasAdjacent(tables, s, hex);
  return marked ? hasAdjacentInfantry(tables, s, hex) : hasFirer(tables, s) || stukasIn(tables, s) > 0;
}

/** Is anybody picked who can fire? */
function hasFirer(tables: Tables, s: StateView): boolean {
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, ATTACKER) && tables.roster.af[u]! > 0) return true;
  return false;
}

/** Does a unit take part by direct fire, or by indirect fire? */
const firesDirectly = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  has(tables, s, unit, ATTACKER) && tables.roster.af[unit]! > 0 && !firesAt(tables, s, unit, hex);
const isShelling = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  has(tables, s, unit, ATTACKER) && firesAt(tables, s, unit, hex);

/** Stukas in the attack that is made. */
function stukasIn(tables: Tables, s: StateView): number {
  const frame = frameOf(tables, s, ASK_ATTACK_UNIT, ASK_ATTACK_MODE);
  return frame < 0 ? 0 : s[frame + F_STUKAS]!;
}

/** Do guns and Stukas alone attack? Rule: SOS 14.41 */
export function isBarrage(tables: Tables, s: StateView, hex: number): boolean {
  let guns = stukasIn(tables, s) > 0;
  for (let u = 0; u < tables.units; u++) {
    if (firesDirectly(tables, s, u, hex)) return false;
    if (isShelling(tables, s, u, hex)) guns = true;
  }
  return guns;
}

/** A unit joins the attack; a gun that does not see its target needs a spotter. */
export function pickAttacker(tables: Tables, s: State, unit: number): void {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const marked = markOf(tables, s, hex) === MARK_ATTACK;
  const gun = tables.roster.gunRange[unit]! > 0 && !attacksDirectly(tables, s, unit, hex, marked);
  give(tables, s, unit, ATTACKER);
  if (gun) findSpotter(tables, s, unit, hex);
}

/** The attackers are named; guns alone choose a table. Rule: SOS 14.45, spec 4.8 */
export function closeAttackers(tables: Tables, s: State): void {
  const frame = topFrame(tables, s);
  dropIdleLeaders(tables, s);
  if (!isBarrage(tables, s, frameHex(s, frame))) return askCommitment(tables, s);
  s[frame + F_ASK] = ASK_BOMB_TABLE;
  s[frame + F_STEP] = 4;
}

/** Guns alone attack by this table. */
export function chooseTable(tables: Tables, s: State, table: number): void {
  s[topFrame(tables, s) + F_TABLE] = table;
  announceAttack(tables, s, false);
}

/** Is there an infantry-type attacker beside the hex? */
function hasAdjacentInfantry(tables: Tables, s: StateView, hex: number): boolean {
  const { board, roster } = tables;
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, ATTACKER) && roster.infantryType[u] === 1 && board.distance(placeOf(tables, s, u), hex) === 1)
      return true;
  return false;
}

/** `all` takes every unit beside the hex. */
export function pickAllAttackers(tables: Tables, s: State): void {
  const { board, roster } = tables;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  const hex = frameHex(s, frame);
  const marked = markOf(tables, s, hex) === MARK_ATTACK;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (
      roster.directFire[u] === 1 &&
      mayAttack(tables, s, u, hex, marked) &&
      board.distance(placeOf(tables, s, u), hex) === 1
    )
      give(tables, s, u, ATTACKER);
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (mayLead(tables, s, u, hex, marked) && board.distance(placeOf(tables, s, u), hex) === 1)
      give(tables, s, u, ATTACKER);
}

/** Decision `attack.mode`. Rule: SOS 9.67, ruling R36 */
export function fillMode(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const { charts } = tables;
  mask[at + NORMAL] = 1;
  const points = attackPoints(tables, s, hex, knownArmor(tables, s, frame));
  if (!mayAccelerate(tables, s, hex) || charts.column(points) === charts.crt.columns.length - 1) return 1;
  return 1 + set(mask, at + ACCELERATE);
}

/** Has the hex of an attack armor, as far as the attacker can tell? Ruling R76. */
const knownArmor = (tables: Tables, s: StateView, frame: number): boolean =>
  hasArmor(tables, s, enemyOf(s[frame + F_ACTOR]!), frameHex(s, frame), true);

/** Sum of the attackers' AF against a hex. @param armor it has armor */
export function attackPoints(tables: Tables, s: StateView, hex: number, armor: boolean): number {
  let sum = stukasIn(tables, s) * tables.stukaAf;
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, ATTACKER)) sum += attackOf(tables, s, u, hex, armor);
  return sum;
}

/** Stands infantry or a combat engineer among the attackers beside the hex? Rule: SOS 9.67 */
function mayAccelerate(tables: Tables, s: StateView, hex: number): boolean {
  const { board, roster } = tables;
  for (let u = 0; u < tables.units; u++)
    if (
      has(tables, s, u, ATTACKER) &&
      ACCELERATORS.includes(roster.kind[u]!) &&
      board.distance(placeOf(tables, s, u), hex) === 1
    )
      return true;
  return false;
}

/** The attack is announced: attackers turn face up. Rule: SOS 7.5, SOS 9.42 */
export function announceAttack(tables: Tables, s: State, accelerated: boolean): void {
  const frame = topFrame(tables, s);
  s[frame + F_ASK] = ASK_ATTACK_UNIT;
  s[frame + F_STEP] = 5;
  s[frame + F_FLAG] = accelerated ? 1 : 0;
  s[tables.layout.hexState + frameHex(s, frame)]! |= ATTACKED;
  const hex = frameHex(s, frame);
  const stukas = s[frame + F_STUKAS]!;
  if (stukas > 0) {
    useStukas(tables, s, stukas);
    if (tables.narrator !== null) toldAir.stukas(tables, stukas, hex);
  }
  let shells = stukas * tables.stukaAf;
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, ATTACKER)) continue;
    reveal(tables, s, u);
    if (!isShelling(tables, s, u, hex)) continue;
    useGun(tables, s, u);
    shells += tables.roster.af[u]!;
  }
  if (shells > 0) lay(tables, s, s[frame + F_ACTOR]!, hex, shells, FIRED, s[tables.layout.phase]!);
  if (tables.narrator !== null)
    told.attacks(
      tables,
      s[frame + F_ACTOR]!,
      unitsWith(tables, s, ATTACKER),
      attackPoints(tables, s, frameHex(s, frame), knownArmor(tables, s, frame)),
      frameHex(s, frame),
      accelerated,
    );
}

/** The attack on top of the stack goes on to its next step. Rule: SOS 9.02, spec 4.8 */
export function continueAttack(tables: Tables, s: State, dice: Dice): void {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  switch (s[frame + F_STEP]) {
    case 5:
      if (s[frame + F_STUKAS]! > 0 && (s[frame + F_COMMIT]! & COMMIT_FLAK) === 0) {
        s[frame + F_COMMIT]! |= COMMIT_FLAK;
        if (openFlak(tables, s, hex, 0)) return;
      }
      s[frame + F_STEP] = 6;
      // no retreat before a breakthrough: its hexes have no attack marker. Rule: SOS 10.5
      if (markOf(tables, s, hex) === MARK_ATTACK) openRetreat(tables, s, enemyOf(side), hex);
      return;
    case 6:
      takeAll(tables, s, RETREATED);
      s[frame + F_STEP] = 7;
      if (isBarrage(tables, s, hex)) return; // nobody to fire back at. Rule: SOS 9.51
      if (hasLossUnit(tables, s, enemyOf(side), hex)) openDefensiveFire(tables, s, enemyOf(side), hex);
      else s[frame + F_STEP] = 9; // all attackers are gone. Rule: SOS 9.45
      return;
    case 7:
      s[frame + F_STEP] = 9;
      rollAttack(tables, s, frame, dice);
      return;
    case 9:
      s[frame + F_STEP] = 10;
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
      if (tables.narrator !== null) {
        const spent = unitsWith(tables, s, ATTACKER).filter((u) => has(tables, s, u, SPENT));
        told.attackEnds(tables, side, spent, hex);
      }
      takeAll(tables, s, ATTACKER);
      if (markOf(tables, s, hex) === MARK_ATTACK) setMark(tables, s, hex, MARK_DONE);
      pop(tables, s);
  }
}

/**
 * The attackers that are neither pinned nor spent attack the hex with all its units. Rule: SOS 9.11, SOS 9.23,
 * SOS 9.24, SOS 9.66, SOS 9.67, SOS 9.71, ruling R74
 */
function rollAttack(tables: Tables, s: State, frame: number, dice: Dice): void {
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  const defender = enemyOf(side);
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, ATTACKER) && has(tables, s, u, PINNED | SPENT)) take(tables, s, u, ATTACKER);
  dropIdleLeaders(tables, s);
  const points = attackPoints(tables, s, hex, hasArmor(tables, s, defender, hex, false));
  if (points === 0) {
    if (tables.narrator !== null) told.attackFails(tables, side, hex);
    return;
  }
  const byTable = s[frame + F_TABLE] === BY_WBBT;
  if (s[frame + F_TABLE] !== 0) makeBarrageDrms(tables, s, side, hex, s[frame + F_TABLE]!, false);
  else {
    makeAttackDrms(tables, s, side, hex, s[frame + F_COMMIT]!, false);
    // guns that are left alone keep the penalties of spotting, not its bonus. Rule: SOS 9.66
    if (isBarrage(tables, s, hex)) tables.drms[DRM_SPOT] = Math.max(0, tables.drms[DRM_SPOT]!);
  }
  const shift = s[frame + F_FLAG] === 1 && mayAccelerate(tables, s, hex) ? 1 : 0;
  const result = byTable
    ? rollWbbt(tables, s, ROLL_ATTACK, hex, points, dice)
    : rollCrt(tables, s, ROLL_ATTACK, hex, points, shift, dice);
  if (tables.narrator !== null) told.roll(tables, s, side, unitsWith(tables, s, ATTACKER));
  takeAll(tables, s, EXPOSED);
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.lossUnit[u] === 1) give(tables, s, u, EXPOSED);
  if (takeLosses(tables, s, defender, hex, LOSSES[result]!, CAUSE_ATTACK, pins(result))) return;
  afterLosses(tables, s, LOSSES[result]! > 0, pins(result), dice);
}

/**
 * What follows the losses of the attacked hex: helpless counters go, a P pins and drives back. Rule: SOS 9.82,
 * SOS 9.87, SOS 9.883
 */
export function afterLosses(tables: Tables, s: State, lost: boolean, pinned: boolean, dice: Dice): void {
  const frame = frameOf(tables, s, ASK_ATTACK_UNIT);
  const hex = frameHex(s, frame);
  const defender = enemyOf(s[frame + F_ACTOR]!);
  checkLeader(tables, s, defender, dice);
  if (lost) dropHelpless(tables, s, defender, hex);
  if (!pinned) return;
  pinHex(tables, s, defender, hex);
  if (hasAdjacentInfantry(tables, s, hex)) openAfter(tables, s, defender, hex, 1);
}

/** Makes up the modifiers of guns and Stukas that attack alone: they bombard. Rule: SOS 14.41 @param seen as below */
export function makeBarrageDrms(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  table: number,
  seen: boolean,
): void {
  makeDrms(tables, s, side, hex, table, (gun) => isShelling(tables, s, gun, hex), stukasIn(tables, s), seen);
}

/**
 * Makes up the modifiers of an attack by the units with ATTACKER. Rule: SOS 8.13, SOS 9.71, SOS 9.92, SOS 9.93
 *
 * @param committed `F_COMMIT` of the attack
 * @param seen what the attacker doesn't know of counts as foot, not as armor, fort or leader
 */
export function makeAttackDrms(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  committed: number,
  seen: boolean,
): void {
  const { board, drms, roster } = tables;
  clearDrms(tables);
  let foot = false;
  let fort = false;
  let soft = false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    const unseen = seen && !has(tables, s, u, KNOWN);
    if (roster.kind[u] === FORT && !unseen) fort = true;
    if (roster.stackUnit[u] === 0 && !unseen) continue;
    if (unseen || !isVehicle(tables, s, u)) foot = true;
    if (unseen || !isArmored(tables, s, u)) soft = true;
  }
  drms[DRM_TERRAIN] = foot ? board.footDrm[hex]! : board.drm[hex]!;
  if (fort && soft) drms[DRM_FORT] = 1; // Rule: SOS 17.31
  if (hasAssaultAdvantage(tables, s, side, hex)) drms[DRM_ASSAULT] = -1;
  if ((committed & COMMIT_ENGINEERS) !== 0 && hasEngineers(tables, s)) drms[DRM_ENGINEER] = -1;
  if ((committed & COMMIT_ARMOR) !== 0 && hasCombinedArms(tables, s)) drms[DRM_COMBINED_ARMS] = -1;
  const armor = hasArmor(tables, s, enemyOf(side), hex, seen);
  let guns = false;
  let shies = false;
  let shells = false;
  let direct = false;
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, ATTACKER)) continue;
    if (roster.leader[u] === 1) {
      drms[DRM_LEADER]! -= worth(tables, s, u);
      continue;
    }
    if (isShelling(tables, s, u, hex)) shells = true;
    else direct = true;
    addFirerDrms(tables, s, u, false);
    if (roster.antiTank[u] === 1) guns = true;
    if (armor && shiesArmor(tables, s, u, hex)) shies = true;
    if (board.volga[placeOf(tables, s, u)] === 1) drms[DRM_VOLGA] = 1;
  }
  const stukas = stukasIn(tables, s) > 0;
  if ((shies || (stukas && armor)) && !guns) drms[DRM_ARMOR_TARGET] = 1;
  if (stukas && isSeenFromAir(tables, s, hex)) drms[DRM_LWOP] = -1;
  if (shells) addGunDrms(tables, s, hex, (gun) => isShelling(tables, s, gun, hex), BY_CRT);
  if (shells && direct) drms[DRM_IF_SUPPORT] = -1;
  const chief = chiefIn(tables, s, enemyOf(side), hex, seen);
  if (chief >= 0) drms[DRM_ENEMY_LEADER] = worth(tables, s, chief);
  if (hasLeaderBeside(tables, s, enemyOf(side), hex, seen)) drms[DRM_ADJACENT_LEADER] = 1;
  addIntegrity(tables, s, side, hex, seen);
  const clear = board.clearForFoot[hex] === 1;
  if (clear && hasPanzerIntegrity(tables, s, PANZERS_ATTACK, (u) => has(tables, s, u, ATTACKER)))
    drms[DRM_INTEG_ARMOR] = -1;
}

/** Attacked from three hexes beside it, two of them opposite, and no way out. Rule: SOS 9.71, ruling R31 */
function hasAssaultAdvantage(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board, roster } = tables;
  let from = 0;
  for (let d = 0; d < 6; d++) {
    const h = board.neighbours[hex * 6 + d]!;
    if (h < 0) continue;
    let held = false;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.side[u] === side && roster.zocUnit[u] === 1) held = true;
      if (firesDirectly(tables, s, u, hex)) from |= 1 << d;
    }
    if (!held && !inZocOf(tables, s, side, h)) return false;
  }
  const sides = COUNT[from]!;
  return sides >= 3 && (from & (from >> 3) & 7) !== 0;
}

/** Set bits of six. */
const COUNT = Uint8Array.from({ length: 64 }, (_, i) => i.toString(2).replaceAll("0", "").length);
