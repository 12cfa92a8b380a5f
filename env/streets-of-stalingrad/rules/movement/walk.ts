import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { KINDS } from "../../schema.js";
import * as words from "../../layout.js";
import {
  boxOf,
  F_COMMIT,
  F_FLAG,
  F_MOVE,
  F_MP,
  F_STEP,
  FRESH,
  GROUP,
  isBox,
  MARK_BREAKTHRU,
  MOVE_BREAKTHROUGH,
  NEW_PIN,
  NO_SPOT,
  PINNED,
  UNREADY,
  PATH_HEX,
  UNLOADING,
  WALK,
  WALK_SLIPS,
  WALK_WOUNDED,
  WAYPOINT,
} from "../../layout.js";
import * as events from "../../events/common.js";
import {
  enemyOf,
  firstIn,
  give,
  has,
  markOf,
  nextIn,
  order,
  placeOf,
  pop,
  setOrigin,
  push,
  takeAll,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { lookRound, moveUnit, reveal, tellMixed } from "../units/hidden.js";
import { displace, throwOnWay, wound } from "../units/leaders.js";
import { eliminate } from "../units/losses.js";
import { openWindow } from "./opportunity.js";
import { NO_BANK } from "../../map/banks.js";
import * as toldRiver from "../../events/river.js";
import { EAST_BOXES } from "../../map/river.js";
import { GERMAN } from "../../roster.js";
import { enterBox } from "../units/boxes.js";
import { mined } from "../../events/works.js";
import { showMines, stopsInMines } from "../units/mines.js";
import { stopTasks } from "../units/tasks.js";
import { testRegiments } from "../units/reliability.js";
import { noteCrossing, wayAt } from "./crossing.js";
import { ELIMINATED, WOUNDED } from "../../charts.js";
import { isOutOfSupply } from "../units/supply.js";
import { pinsNewcomers, slips } from "./reach.js";
import { legCost } from "./step-cost.js";
import { firstOfGroup, type Movers, moversOf, nextOfGroup } from "./movers.js";
import { alightAll, putDown, takeAboard } from "./transports.js";
import { isArmored } from "../units/units.js";
import { announce, announceShared, inKnownZoc, inZocOf } from "../units/zoc.js";

const OP = KINDS.indexOf("op");
const FORT = KINDS.indexOf("fortification");
const DOG = KINDS.indexOf("mine-dog");
const LONE = ["op", "transport", "tank-repair", "fortification"].map((k) => KINDS.indexOf(k as (typeof KINDS)[number]));

/** The group is in one place: in a hex it is found in its stack. @returns the lowest slot of it there, -1 none */
function firstOfGroupIn(tables: Tables, s: StateView, hex: number): number {
  if (hex < 0) return firstOfGroup(tables, s);
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) if (has(tables, s, u, GROUP)) return u;
  return -1;
}

/** Hex from which the group goes on: its last waypoint, or its own hex. */
export function groupHex(tables: Tables, s: StateView): number {
  const { path, pathLength } = tables.layout;
  const n = s[pathLength]!;
  return n > 0 ? s[path + n - 1]! & PATH_HEX : placeOf(tables, s, firstOfGroup(tables, s));
}

/** The group with GROUP as `reach` needs it, what its waypoints cost the members of the other class taken off. */
export function groupMovers(tables: Tables, s: StateView, move: number): Movers {
  const movers = moversOf(tables, s, -1, move);
  followPath(tables, s, movers);
  return movers;
}

/**
 * Takes the movers along the hexes named so far: to the bank they come to, less what members of the other class pay.
 */
function followPath(tables: Tables, s: StateView, movers: Movers): void {
  const { board, layout } = tables;
  let at: number = placeOf(tables, s, firstOfGroup(tables, s));
  let paid = 0;
  const n = s[layout.pathLength]!;
  for (let i = 0; i < n; i++) {
    const to = s[layout.path + i]! & PATH_HEX;
    const next = i + 1 < n ? s[layout.path + i + 1]! & PATH_HEX : -1;
    if (movers.other >= 0) paid += legCost(tables, s, movers, at, to, next, !movers.vehicle);
    movers.bank = isBox(at) ? NO_BANK : board.banks.enter(at, movers.bank, board.sideTo(at, to), to);
    at = to;
  }
  if (movers.other >= 0) movers.other -= paid;
}

/** Adds the way of the last reach to a hex to the path. */
export function addWay(tables: Tables, s: State, hex: number, waypoint: boolean): void {
  const { board, from, steps, layout } = tables;
  const start = layout.path + s[layout.pathLength]!;
  for (let n = hex, i = steps[hex]! - 1; i >= 0; n = from[n]!, i--) s[start + i] = board.banks.hexOf[n]!;
  s[layout.pathLength]! += steps[hex]!;
  if (waypoint) s[layout.path + s[layout.pathLength]! - 1]! |= WAYPOINT;
}

/**
 * The group with GROUP sets out on the path named. Under fire in the hex it starts from, but for a retreat.
 * Rule: SOS 11.4, rulings R16, R35
 */
export function startWalk(tables: Tables, s: State, side: number, move: number, halfMp: number, play: Play): void {
  const { layout } = tables;
  const { path } = layout;
  const n = s[layout.pathLength]!;
  for (let i = 0; i < n; i++) s[path + i]! &= ~WAYPOINT;
  s.subarray(path, path + n).reverse();
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, GROUP)) order(tables, s, u);
  if (move === MOVE_BREAKTHROUGH) refresh(tables, s);
  const from = placeOf(tables, s, firstOfGroup(tables, s));
  takeAboard(tables, s, from, false, play);
  const frame = push(tables, s, WALK, side, from);
  s[frame + F_MP] = halfMp;
  s[frame + F_MOVE] = move;
  if (slips(tables, s, moversOf(tables, s, -1, move))) s[frame + F_COMMIT] = WALK_SLIPS;
  if (move === words.MOVE_RETREAT) return;
  openWindow(tables, s, from);
  if (play.narrator !== null && topFrame(tables, s) !== frame) events.setsOut(tables, s, from, play);
}

/**
 * The group that sets out may attack after it has moved; the group before it may not any longer. Rule: SOS 8.52, ruling
 * R15
 */
export function refresh(tables: Tables, s: State): void {
  takeAll(tables, s, FRESH);
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, GROUP) && isArmored(tables, s, u)) give(tables, s, u, FRESH);
}

/** The walk on top of the stack goes one hex on, or ends. */
export function continueWalk(tables: Tables, s: State, play: Play): void {
  const { layout } = tables;
  const frame = topFrame(tables, s);
  const first = firstOfGroupIn(tables, s, s[frame + words.F_HEX]! - 1);
  if (s[frame + F_STEP] === 1) {
    // a leader had to make way first
    s[frame + F_STEP] = 0;
    if (first >= 0) openWindow(tables, s, s[frame + words.F_HEX]! - 1);
    if (topFrame(tables, s) !== frame) return;
  }
  if (first < 0 || s[layout.pathLength] === 0 || isHeld(tables, s, first)) {
    const wounded = first >= 0 && (s[frame + F_COMMIT]! & WALK_WOUNDED) !== 0;
    endWalk(tables, s);
    if (wounded) settleWounded(tables, s, first, play);
  } else stepOn(tables, s, first, play);
}

/** A pin of anybody in the group ends its move. Rule: SOS 9.112 */
function isHeld(tables: Tables, s: StateView, first: number): boolean {
  for (let u = first; u >= 0; u = nextOfGroup(tables, s, u)) if (has(tables, s, u, PINNED)) return true;
  return false;
}

function stepOn(tables: Tables, s: State, first: number, play: Play): void {
  const { board, layout, roster } = tables;
  const side = roster.side[first]!;
  const from = placeOf(tables, s, first);
  const n = s[layout.pathLength]! - 1;
  const unloads = (s[layout.path + n]! & UNLOADING) !== 0;
  const to = s[layout.path + n]! & PATH_HEX;
  const frame = topFrame(tables, s);
  const move = s[frame + F_MOVE]!;
  const movers = moversOf(tables, s, -1, move);
  const next = n > 0 ? s[layout.path + n - 1]! & PATH_HEX : -1;
  const paid = legCost(tables, s, movers, from, to, next, movers.vehicle);
  // a zone of control announced on the way may make the next hex too dear. Rule: SOS 8.56
  if (move === MOVE_BREAKTHROUGH && (paid === 0 || paid > s[frame + F_MP]!)) return dropPath(tables, s);
  s[layout.path + n] = 0;
  s[layout.pathLength] = n;
  s[frame + F_MP] = Math.max(0, s[frame + F_MP]! - paid);
  if (to >= tables.hexes) return landInBox(tables, s, from, to - tables.hexes, play);
  s[frame + words.F_HEX] = to + 1;
  const box = board.volga[to] === 0 ? -1 : next >= tables.hexes ? next - tables.hexes : boxOf(from);
  if (box >= 0) noteCrossing(tables, s, wayAt(tables, s, side, box, to, next >= tables.hexes ? from : next));
  if (markOf(tables, s, to) === MARK_BREAKTHRU) {
    s[frame + F_FLAG] = 1;
    takeAll(tables, s, FRESH); // who goes past the marker may not attack. Rule: SOS 10.7, ruling R15
  }
  for (let u = first, rest = -1; u >= 0; u = rest) {
    rest = nextOfGroup(tables, s, u);
    moveUnit(tables, s, u, to, play);
    if (box >= 0) setOrigin(tables, s, u, box);
    if (box >= 0 && roster.transport[u] === 1) reveal(tables, s, u, play); // Rule: SOS 7.3, ruling R129
    if (move !== words.MOVE_RETREAT && roster.towed[u] === 1) give(tables, s, u, UNREADY);
    if (roster.kind[u] === OP) give(tables, s, u, NO_SPOT); // Rule: SOS 14.96
  }
  if (play.narrator !== null)
    events.steps(tables, s, from, to, move === words.MOVE_RETREAT, paid, s[frame + F_MP]!, play);
  tellMixed(tables, play);
  arrive(tables, s, side, to, play);
  if (unloads) putDown(tables, s, to, play); // before others get on, who ride farther
  takeAboard(tables, s, to, true, play);
  const passes = (movers.rides && move !== words.MOVE_RETREAT) || (!tables.riverZones && board.volga[to] === 1);
  if (s[frame + F_COMMIT] !== 0) throwForWay(tables, s, frame, first, to, play);
  else if (move !== MOVE_BREAKTHROUGH && !passes && inKnownZoc(tables, s, side, to)) {
    if (play.narrator !== null) events.stops(tables, side, to, play);
    dropPath(tables, s);
  } else if (s[layout.pathLength]! > 0 && stopsInMines(tables, s, side, to)) {
    if (play.narrator !== null) mined(tables, side, to, play);
    dropPath(tables, s);
  }
  if (side === GERMAN) meetRegiments(tables, s, to, play);
  if (topFrame(tables, s) === frame) openWindow(tables, s, to);
  else s[frame + F_STEP] = 1;
}

/**
 * A leader goes through a zone of control by himself: he throws in each of its hexes. Wounded once he goes on, the
 * second wound is the end. Rule: SOS 18.32, ruling R116
 */
function throwForWay(tables: Tables, s: State, frame: number, leader: number, hex: number, play: Play): void {
  const { roster } = tables;
  if (!inKnownZoc(tables, s, roster.side[leader]!, hex) || hasFighter(tables, s, leader, hex)) return;
  const fate = throwOnWay(tables, s, leader, hex, play);
  if (fate === ELIMINATED || (fate === WOUNDED && (s[frame + F_COMMIT]! & WALK_WOUNDED) !== 0))
    eliminate(tables, s, leader, "way", play);
  else if (fate === WOUNDED) s[frame + F_COMMIT]! |= WALK_WOUNDED;
}

/** True when a leader is with a unit of the same side that fights. */
function hasFighter(tables: Tables, s: StateView, leader: number, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === roster.side[leader] && roster.zocUnit[u] === 1) return true;
  return false;
}

/**
 * A leader who was wounded on his way is with friends or in supply, and leaves for some turns, or is captured. Ruling
 * R116.
 */
function settleWounded(tables: Tables, s: State, leader: number, play: Play): void {
  const { roster } = tables;
  const hex = placeOf(tables, s, leader);
  const safe =
    hasFighter(tables, s, leader, hex) ||
    (!inZocOf(tables, s, enemyOf(roster.side[leader]!), hex) && !isOutOfSupply(tables, s, leader));
  if (safe) wound(tables, s, leader, play);
  else eliminate(tables, s, leader, "captured", play);
}

/** A German unit that fights ends a step beside NKVD units. Rule: SOS 16.83 */
function meetRegiments(tables: Tables, s: State, hex: number, play: Play): void {
  const { board, roster } = tables;
  let fights = false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (has(tables, s, u, GROUP) && roster.stackUnit[u] === 1) fights = true;
  for (let d = hex * 6; d < hex * 6 + 6 && fights; d++)
    if (board.neighbours[d]! >= 0) testRegiments(tables, s, board.neighbours[d]!, play);
}

/** The group has come to a box, and the walk ends. Rule: SOS 8.46, SOS 8.70 */
function landInBox(tables: Tables, s: State, from: number, box: number, play: Play): void {
  if (play.narrator !== null && box < EAST_BOXES) toldRiver.goesBack(tables, s, from, box, play);
  else if (play.narrator !== null) toldRiver.leavesMap(tables, s, events.group(tables, s), box, play);
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, GROUP)) enterBox(tables, s, u, box, play);
  tellMixed(tables, play);
}

/**
 * Effects on units of a side that enter a hex in any way. A pin does not affect leaders. Rule: SOS 6.5, SOS 9.111, SOS
 * 18.14
 */
export function arrive(tables: Tables, s: State, side: number, hex: number, play: Play): void {
  overrun(tables, s, side, hex, play);
  showMines(tables, s, side, hex, play);
  announce(tables, s, side, hex, play);
  announceShared(tables, s, side, hex, play);
  lookRound(tables, s, play);
  stopTasks(tables, s, enemyOf(side), play);
  if (!pinsNewcomers(tables, s, side, hex)) return;
  const feel = (u: number) => has(tables, s, u, GROUP) && tables.roster.leader[u] === 0;
  // also of those that were pinned before: whether a face-down counter was, under a marker of its stack, is secret
  if (play.narrator !== null)
    events.pinned(tables, s, events.membersIn(tables, s, side, hex).filter(feel), hex, "SOS 9.111", PINNED, play);
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side && feel(u) && !has(tables, s, u, PINNED))
      give(tables, s, u, tables.roster.kind[u] === OP ? PINNED | NEW_PIN : PINNED); // Rule: SOS 14.94
}

/**
 * Counters that can't hold a hex are gone when an enemy combat unit enters it, and a leader or mine dog makes way; a
 * fort falls to whoever enters. Rule: SOS 8.08, SOS 9.881, SOS 14.97, SOS 16.25, SOS 16.73, SOS 17.32, SOS 18.31
 */
function overrun(tables: Tables, s: State, side: number, hex: number, play: Play): void {
  const { roster } = tables;
  let drives = false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (has(tables, s, u, GROUP) && roster.side[u] === side && roster.lossUnit[u] === 1) drives = true;
  for (let u = firstIn(tables, s, hex); u >= 0;) {
    const next = nextIn(tables, s, u);
    if (roster.side[u] === enemyOf(side) && (drives || roster.kind[u] === FORT)) {
      if (roster.leader[u] === 1 || roster.kind[u] === DOG) displace(tables, s, u, false, play);
      else if (LONE.includes(roster.kind[u]!)) eliminate(tables, s, u, "overrun", play);
    }
    u = next;
  }
}

function dropPath(tables: Tables, s: State): void {
  const { path, pathLength } = tables.layout;
  s.fill(0, path, path + s[pathLength]!);
  s[pathLength] = 0;
}

function endWalk(tables: Tables, s: State): void {
  dropPath(tables, s);
  alightAll(tables, s);
  takeAll(tables, s, GROUP);
  pop(tables, s);
}
