import type { State, StateView } from "../../../core/layout.js";
import { allow, ALL, DONE, HEX, unitBase } from "../../actions.js";
import { KINDS } from "../../schema.js";
import {
  ASK_ATTACK_UNIT,
  ASK_BOMB_TABLE,
  ATTACKED,
  ATTACKER,
  F_ACTOR,
  F_ASK,
  F_STEP,
  F_STUKAS,
  MARK_ATTACK,
  PINNED,
  SPENT,
  UNREADY,
  type HexId,
  type UnitId,
} from "../../layout.js";
import { GERMAN } from "../../roster.js";
import {
  enemyOf,
  firstIn,
  frameHex,
  give,
  has,
  isFirstOf,
  markOf,
  nextIn,
  placeOf,
  push,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { fillStukas, isSeenFromAir, mayFly } from "../artillery/air.js";
import { hasAdjacent, isBreakthrough, mayBreakThrough } from "../movement/breakthrough.js";
import { armyMayAttack } from "../units/army.js";
import { isIn } from "../units/bridges.js";
import { commands, isLeaderAlone } from "../units/command.js";
import { askCommitment } from "./commitment.js";
import { reaches } from "../units/fire.js";
import { boatReaches } from "../units/flotilla.js";
import { hasShelled, isGunReady, isInReach, mayShell } from "../artillery/guns.js";
import { dropIdleLeaders } from "../units/leaders.js";
import { findSpotter, noteSpotters } from "../artillery/spotting.js";
import { firesDirectly, hasAdjacentInfantry, isBarrage, stukasIn } from "./participants.js";

const MORTAR = KINDS.indexOf("mortar");

/**
 * True when a unit may attack a hex. A breakthrough has rules of its own; otherwise beside a hex without marker only
 * units of other types than infantry. Rule: SOS 9.13, SOS 9.18, SOS 9.62, SOS 9.64, SOS 9.101, SOS 9.102, ruling R19
 */
function mayAttack(tables: Tables, s: StateView, unit: number, hex: number, marked: boolean): boolean {
  if (isBreakthrough(tables, s)) return mayBreakThrough(tables, s, unit, hex) || maySupport(tables, s, unit, hex);
  return attacksDirectly(tables, s, unit, hex, marked) || mayShell(tables, s, unit, hex);
}

/** True when a mortar may support a breakthrough: it is in the command of an attacker. Rule: SOS 10.3 */
function maySupport(tables: Tables, s: StateView, gun: number, hex: number): boolean {
  if (tables.roster.kind[gun] !== MORTAR || !mayShell(tables, s, gun, hex)) return false;
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, ATTACKER) && commands(tables, s, u, gun)) return true;
  return false;
}

/** True when a unit may attack a hex with direct fire. Transports never do. Rule: SOS 9.62, SOS 16.47 */
function attacksDirectly(tables: Tables, s: StateView, unit: number, hex: number, marked: boolean): boolean {
  return isReadyToAttack(tables, s, unit) && attacksIfReady(tables, s, unit, hex, marked);
}

/** True when a unit can attack directly now, wherever a target is. */
function isReadyToAttack(tables: Tables, s: StateView, unit: number): boolean {
  const { roster } = tables;
  if (roster.boat[unit] === 1) return !has(tables, s, unit, PINNED | SPENT);
  if (roster.directFire[unit] === 0 || roster.af[unit] === 0) return false;
  return !has(tables, s, unit, PINNED | SPENT | UNREADY) && !hasShelled(tables, s, unit);
}

function attacksIfReady(tables: Tables, s: StateView, unit: number, hex: number, marked: boolean): boolean {
  const { board, roster } = tables;
  if (roster.boat[unit] === 1) return boatReaches(tables, s, unit, hex);
  if (!reaches(tables, s, unit, hex)) return false;
  return marked || roster.infantryType[unit] === 0 || board.distance(placeOf(tables, s, unit), hex) > 1;
}

/** Notes the units of a side that can attack a hex without marker directly now, for `isAttackable`. */
function noteFirers(tables: Tables, s: StateView, side: number): void {
  const { roster, spots } = tables;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (roster.infantryType[u] === 1 && roster.range[u]! <= 1) continue; // beside it, only at a marker
    if (placeOf(tables, s, u) >= 0 && isReadyToAttack(tables, s, u)) spots.firers[spots.firerCount++] = u;
  }
}

/**
 * True when an attack on a hex is legal, not in a breakthrough. A marked one needs an infantry-type unit beside it.
 * After `noteSpotters` and `noteFirers`. Rule: SOS 18.17, rulings R19, R138
 */
function isAttackable(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board, layout, roster } = tables;
  if ((s[layout.hexState + hex]! & ATTACKED) !== 0 || isLeaderAlone(tables, s, side, hex)) return false;
  const marked = markOf(tables, s, hex) === MARK_ATTACK;
  if (!marked && side === GERMAN && mayFly(tables, s, hex)) return true; // Stukas alone. Ruling R48
  if (marked) {
    for (let d = hex * 6; d < hex * 6 + 6; d++)
      for (
        let u = board.neighbours[d]! < 0 ? -1 : firstIn(tables, s, board.neighbours[d]!);
        u >= 0;
        u = nextIn(tables, s, u)
      )
        if (roster.side[u] === side && roster.infantryType[u] === 1 && mayAttack(tables, s, u, hex, true)) return true;
    return false;
  }
  const { firers, firerCount } = tables.spots;
  for (let i = 0; i < firerCount; i++) if (attacksIfReady(tables, s, firers[i]!, hex, false)) return true;
  return isInReach(tables, s, hex);
}

/**
 * Decision `attack.target`: `done` only when no marked hex can be attacked any more. Rule: SOS 9.14, SOS 9.61,
 * rulings R19, R20
 */
export function fillTargets(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  if (!armyMayAttack(tables, s, side)) return 0; // Rule: SOS 18.52, SOS 18.54
  let n = 0;
  let duty = false;
  noteSpotters(tables, s, side, isGunReady);
  noteFirers(tables, s, side);
  for (let u = roster.first(enemyOf(side)); u < roster.end(enemyOf(side)); u++) {
    const hex = placeOf(tables, s, u);
    if (hex < 0 || !isFirstOf(tables, s, u, hex) || !isIn(tables, s, enemyOf(side), hex)) continue;
    if (!isAttackable(tables, s, side, hex)) continue;
    mask[at + HEX + hex] = 1;
    n++;
    if (markOf(tables, s, hex) === MARK_ATTACK) duty = true;
  }
  if (n === 0 || duty) return n;
  mask[at + DONE] = 1;
  return n + 1;
}

/** A hex is named; its attackers are picked next. */
export function openAttack(tables: Tables, s: State, hex: HexId): void {
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
    if (!bombed && mayLead(tables, s, u, hex, marked)) n += allow(mask, at + unitBase(tables.hexes) + u);
  if (mayJoinFromAir(tables, s, frame)) n += fillStukas(tables, s, mask, at);
  if (n === 0) return 0;
  if (adjacent > 1) n += allow(mask, at + ALL);
  if (isEnough(tables, s, hex, marked)) n += allow(mask, at + DONE);
  return n;
}

/**
 * True when Stukas may join: their observer sees the hex, or no unit fires directly. In a breakthrough he has to see
 * it. Rule: SOS 10.3, SOS 15.14, ruling R48
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

/**
 * True when a leader may join: a unit with him, or a gun, attacks or could attack. Rule: SOS 9.71, SOS 18.12, ruling
 * R29
 */
function mayLead(tables: Tables, s: StateView, leader: number, hex: number, marked: boolean): boolean {
  const { roster } = tables;
  const at = placeOf(tables, s, leader);
  if (roster.leader[leader] === 0 || at < 0 || has(tables, s, leader, ATTACKER)) return false;
  for (let u = firstIn(tables, s, at); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== roster.side[leader]) continue;
    if (has(tables, s, u, ATTACKER) || mayAttack(tables, s, u, hex, marked)) return true;
  }
  return false;
}

/** True when the attackers picked so far are a legal attack. Ruling R19. */
function isEnough(tables: Tables, s: StateView, hex: number, marked: boolean): boolean {
  if (isBreakthrough(tables, s)) return hasAdjacent(tables, s, hex);
  return marked ? hasAdjacentInfantry(tables, s, hex) : hasFirer(tables, s) || stukasIn(tables, s) > 0;
}

/** True when some picked unit can fire. */
function hasFirer(tables: Tables, s: StateView): boolean {
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, ATTACKER) && tables.roster.af[u]! > 0) return true;
  return false;
}

/** A unit joins the attack; a gun that does not see its target needs a spotter. */
export function pickAttacker(tables: Tables, s: State, unit: UnitId): void {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const marked = markOf(tables, s, hex) === MARK_ATTACK;
  const gun = tables.roster.gunRange[unit]! > 0 && !attacksDirectly(tables, s, unit, hex, marked);
  give(tables, s, unit, ATTACKER);
  if (gun) findSpotter(tables, s, unit, hex);
}

/** The attackers are named; guns alone choose a table. Rule: SOS 14.45 */
export function closeAttackers(tables: Tables, s: State): void {
  const frame = topFrame(tables, s);
  dropIdleLeaders(tables, s);
  if (!isBarrage(tables, s, frameHex(s, frame))) return askCommitment(tables, s);
  s[frame + F_ASK] = ASK_BOMB_TABLE;
  s[frame + F_STEP] = 4;
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
