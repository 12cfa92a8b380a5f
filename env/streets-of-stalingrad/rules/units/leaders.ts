import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { HEX } from "../../actions.js";
import { SURVIVES, WOUNDED } from "../../charts.js";
import { KINDS } from "../../schema.js";
import {
  ASK_LEADER,
  ATTACKED,
  ATTACKER,
  AWAY,
  BARRAGED,
  BEREFT,
  DEAD,
  F_FLAG,
  F_LEADER,
  F_UNIT,
  KNOWN,
  MARK_ATTACK,
  PICKS,
  ROLL_LEADER,
  ROLL_WOUND,
  R_DRMS,
  type HexId,
} from "../../layout.js";
import * as events from "../../events/guns.js";
import { GERMAN } from "../../roster.js";
import {
  enemyOf,
  firstIn,
  frameUnit,
  has,
  markOf,
  nextIn,
  placeOf,
  pop,
  push,
  put,
  take,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { isArmyLeader, isLeaderless, noteLeader } from "./army.js";
import { chiefIn, commands, hasCommandIn, leads } from "./command.js";
import { record } from "./fire.js";
import { moveUnit, reveal, tellMixed } from "./hidden.js";
import { canBeHit, dropHelpless, dropTransports, eliminate, hasLossUnit } from "./losses.js";
import { sniperIn } from "./snipers.js";
import { fits } from "./stacking.js";
import { stopTasks } from "./tasks.js";
import { announce } from "./zoc.js";

const COMMISSAR = KINDS.indexOf("commissar");
const OP = KINDS.indexOf("op");

/**
 * True when a leader beside a hex leads a defender there and is not attacked, except by guns or Stukas alone. Pavlov,
 * Herman and commissars help only in their own hex. Rule: SOS 9.71, SOS 18.21, ruling R30
 */
export function hasLeaderBeside(tables: Tables, s: StateView, defender: number, hex: number, seen: boolean): boolean {
  const { board, layout, roster } = tables;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h < 0 || markOf(tables, s, h) === MARK_ATTACK) continue;
    if ((s[layout.hexState + h]! & (ATTACKED | BARRAGED)) === ATTACKED) continue;
    const chief = chiefIn(tables, s, defender, h, seen);
    if (chief < 0 || roster.kind[chief] === COMMISSAR || roster.counters[chief]!.type.hero !== undefined) continue;
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
      if (leads(tables, chief, u) && (!seen || has(tables, s, u, KNOWN)) && canBeHit(tables, s, u, hex, seen))
        return true;
  }
  return false;
}

/** Leaders of the attackers who have nobody to lead stay out of it. Spec 4.8. */
export function dropIdleLeaders(tables: Tables, s: State): void {
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, ATTACKER) && tables.roster.leader[u] === 1 && !hasFollower(tables, s, u))
      take(tables, s, u, ATTACKER);
}

function hasFollower(tables: Tables, s: StateView, leader: number): boolean {
  for (let u = firstIn(tables, s, placeOf(tables, s, leader)); u >= 0; u = nextIn(tables, s, u))
    if (has(tables, s, u, ATTACKER) && tables.roster.leader[u] === 0) return true;
  return false;
}

/**
 * Rolls whether a leader survives losses in his hex. A leader left alone goes to any unit of his command. The losses
 * are in `tables.losses`. Rule: SOS 9.59, SOS 9.83, SOS 14.82, SOS 18.33, SOS 18.34
 */
export function checkLeader(tables: Tables, s: State, owner: number, play: Play): void {
  const { hex } = tables.losses;
  const leader = survives(tables, s, owner, play);
  if (leader >= 0 && !hasLossUnit(tables, s, owner, hex)) displace(tables, s, leader, true, play);
}

/**
 * The leader's die for the units in `tables.losses`. Rule: SOS 16.14, SOS 18.33
 *
 * @returns a leader who threw and lives, -1 none
 */
export function survives(tables: Tables, s: State, owner: number, play: Play): number {
  const { charts, losses, roster } = tables;
  if (losses.units === 0) return -1;
  const { hex } = losses;
  const leader = chiefIn(tables, s, owner, hex);
  const units = losses.units;
  losses.units = 0;
  if (leader < 0) return -1;
  if (!has(tables, s, leader, KNOWN)) reveal(tables, s, leader, play);
  const sniper = roster.side[leader] === GERMAN ? losses.sniper : 0;
  const drm = -Math.min(charts.leaderMostPenalty, units + sniper);
  const result = throwFor(tables, s, leader, drm, "SOS 18.33", play);
  if (result === SURVIVES) return leader;
  if (result === WOUNDED) wound(tables, s, leader, play);
  else eliminate(tables, s, leader, "leader", play);
  return -1;
}

/** A leader throws for survival. @returns his fate */
function throwFor(tables: Tables, s: State, leader: number, drm: number, rule: string, play: Play): number {
  const die = play.dice.d10();
  const result = tables.charts.leaderFate(die + drm);
  s[record(tables, s, ROLL_LEADER, -1, 0, 0, die, die + drm, result) + R_DRMS] = drm;
  if (play.narrator !== null) events.survival(tables, s, leader, die, drm, result, rule, play);
  return result;
}

/**
 * A leader goes by himself through a zone of control: the greatest penalty, and for Germans what a sniper beside the
 * hex adds. Rule: SOS 18.32, ruling R116
 *
 * @returns his fate
 */
export function throwOnWay(tables: Tables, s: State, leader: number, hex: number, play: Play): number {
  const { board, charts, roster } = tables;
  if (!has(tables, s, leader, KNOWN)) reveal(tables, s, leader, play);
  let sniper = 0;
  for (let d = hex * 6; d < hex * 6 + 6 && roster.side[leader] === GERMAN; d++)
    if (board.neighbours[d]! >= 0) sniper = Math.max(sniper, sniperIn(tables, s, board.neighbours[d]!));
  return throwFor(tables, s, leader, -charts.leaderMostPenalty - sniper, "SOS 18.32", play);
}

/**
 * Units of a side were lost in a hex: its leader throws, and what can't stay alone goes with the last. Rule: SOS 9.82,
 * SOS 14.97
 */
export function settleLosses(tables: Tables, s: State, owner: number, play: Play): void {
  const { units, hex } = tables.losses;
  if (units > 0) dropTransports(tables, s, owner, hex, play);
  checkLeader(tables, s, owner, play);
  if (units > 0) dropHelpless(tables, s, owner, hex, play);
}

/** A wounded leader misses as many whole turns as the die says. Rule: SOS 18.41, SOS 18.42, ruling R85 */
export function wound(tables: Tables, s: State, leader: number, play: Play): void {
  const turns = play.dice.d10();
  record(tables, s, ROLL_WOUND, -1, 0, 0, turns, 0, 0);
  const until = s[tables.layout.turn]! + turns + 1;
  if (play.narrator !== null) events.wounded(tables, s, leader, turns, play);
  leave(tables, s, leader, AWAY - until, play);
}

function leave(tables: Tables, s: State, unit: number, place: number, play: Play): void {
  const army = isArmyLeader(tables, unit);
  const unled = army && isLeaderless(tables, s, tables.roster.side[unit]!);
  put(tables, s, unit, DEAD); // takes its markers
  put(tables, s, unit, place);
  if (army) noteLeader(tables, s, unit, unled, play);
}

/** A leader has to go to a unit of his command, where his owner chooses. Rule: SOS 18.31, SOS 18.34, ruling R58 */
export function displace(tables: Tables, s: State, leader: number, anywhere: boolean, play: Play): void {
  take(tables, s, leader, PICKS);
  if (!has(tables, s, leader, KNOWN)) reveal(tables, s, leader, play);
  const frame = push(tables, s, ASK_LEADER, tables.roster.side[leader]!, placeOf(tables, s, leader));
  s[frame + F_UNIT] = leader + 1;
  s[frame + F_LEADER] = anywhere ? 1 : 0;
}

/**
 * Guns and Stukas have fallen on a hex: a leader there without combat units goes to the nearest of his command. Rule:
 * SOS 18.31
 */
export function displaceShelled(tables: Tables, s: State, side: number, hex: number, play: Play): void {
  if (hasLossUnit(tables, s, side, hex)) return;
  const chief = chiefIn(tables, s, side, hex);
  if (chief >= 0) displace(tables, s, chief, false, play);
}

/**
 * A phase ends: leaders who lost their command in their hex go to the nearest of it, one after another. The frame
 * says that others may be due when he has gone. Rule: SOS 18.1, ruling R58
 */
export function displaceBereft(tables: Tables, s: State, play: Play): void {
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, BEREFT)) continue;
    take(tables, s, u, BEREFT);
    if (placeOf(tables, s, u) < 0 || hasCommandIn(tables, s, u)) continue;
    displace(tables, s, u, false, play);
    s[topFrame(tables, s) + F_FLAG] = 1;
    return;
  }
}

/**
 * Decision `leader.move`: the nearest units of the command, or all; for an OP that comes back its guns and the army
 * leader. Rule: SOS 14.98, SOS 14.99, SOS 18.31
 */
export function fillLeaderHexes(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { board } = tables;
  const frame = topFrame(tables, s);
  const unit = frameUnit(s, frame);
  const from = placeOf(tables, s, unit);
  const anywhere = s[frame + F_LEADER] === 1 || from < 0;
  let nearest = Infinity;
  for (let h = 0; h < tables.hexes; h++)
    if (!anywhere && mayJoin(tables, s, unit, h)) nearest = Math.min(nearest, board.distance(from, h));
  let n = 0;
  for (let h = 0; h < tables.hexes; h++) {
    if (!mayJoin(tables, s, unit, h) || (!anywhere && board.distance(from, h) > nearest)) continue;
    mask[at + HEX + h] = 1;
    n++;
  }
  return n;
}

/** True when a hex has a unit that a leader or OP may go to. */
function mayJoin(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { roster } = tables;
  const side = roster.side[unit]!;
  if (s[tables.layout.top + hex] === 0 || tables.board.volga[hex] === 1 || hex === placeOf(tables, s, unit))
    return false;
  const comesBack = placeOf(tables, s, unit) < 0;
  if (comesBack && roster.kind[unit] !== OP) return false; // lost, or wounded, before it could make way. Rule: SOS 18.33
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== side) continue;
    const friends = roster.chief[unit] === 0 || leads(tables, unit, u); // a sniper goes to any unit. Rule: SOS 16.15
    if (comesBack ? receives(tables, s, unit, u) : roster.stackUnit[u] === 1 && friends)
      return fits(tables, s, side, hex, unit);
  }
  return false;
}

/**
 * True when an OP comes back beside this unit: a gun of its command, the army's leader, or for the airmen any leader.
 */
function receives(tables: Tables, s: StateView, op: number, unit: number): boolean {
  const { roster } = tables;
  if (roster.counters[op]!.type.opLevel === "LW") return roster.leader[unit] === 1;
  if (roster.counters[unit]!.type.army === true) return true;
  return roster.gunRange[unit]! > 0 && commands(tables, s, op, unit);
}

/** The leader or OP goes there. Rule: SOS 6.5 */
export function goToCommand(tables: Tables, s: State, hex: HexId, play: Play): void {
  const unit = frameUnit(s, topFrame(tables, s));
  const from = placeOf(tables, s, unit);
  const others = s[topFrame(tables, s) + F_FLAG] === 1;
  const rule = others ? "SOS 18.1" : s[topFrame(tables, s) + F_LEADER] === 1 ? "SOS 18.34" : "SOS 18.31";
  pop(tables, s);
  if (from >= 0) moveUnit(tables, s, unit, hex, play);
  else put(tables, s, unit, hex);
  if (play.narrator !== null) events.displaced(tables, s, unit, from, rule, play);
  tellMixed(tables, play);
  if (from >= 0) announce(tables, s, tables.roster.side[unit]!, hex, play);
  stopTasks(tables, s, enemyOf(tables.roster.side[unit]!), play); // a sniper has a zone of control
  if (others) displaceBereft(tables, s, play);
}

/**
 * Nobody of the command is left to go to. A sniper who is lost so counts for a leader in his hex. Rule: SOS 18.33,
 * ruling R58
 */
export function closeLeader(tables: Tables, s: State, play: Play): void {
  const unit = frameUnit(s, topFrame(tables, s));
  const others = s[topFrame(tables, s) + F_FLAG] === 1;
  const { losses, roster } = tables;
  pop(tables, s);
  if (placeOf(tables, s, unit) >= 0) {
    losses.units = roster.lossUnit[unit]!;
    losses.sniper = 0;
    losses.hex = placeOf(tables, s, unit);
    eliminate(tables, s, unit, roster.chief[unit] === 1 ? "no-command" : "no-friends", play);
    checkLeader(tables, s, roster.side[unit]!, play);
  }
  if (others) displaceBereft(tables, s, play);
}

/** True when a lost OP could come back. */
export function mayReturn(tables: Tables, s: StateView, op: number): boolean {
  for (let h = 0; h < tables.hexes; h++) if (mayJoin(tables, s, op, h)) return true;
  return false;
}
