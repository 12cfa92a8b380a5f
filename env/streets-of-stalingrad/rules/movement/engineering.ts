import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { ABANDON, BUILD, HEX } from "../../actions.js";
import * as events from "../../events/works.js";
import {
  ASK_TASK_HEX,
  ATTACKED,
  BY_NOTHING,
  DEAD,
  DEF_FIRED,
  DRM_INTERDICT_OWN,
  F_STEP,
  F_UNIT,
  FRIENDLY_MINE,
  GROUP,
  KNOWN,
  M_DRMS,
  M_HEX,
  MISSION_DONE,
  OP_FIRED,
  PINNED,
  POOL,
  RESTS,
  SPENT,
  TASK_BITS,
  TASK_BRIDGE,
  TASK_FORT,
  TASK_SIDE_BITS,
  TASK_SIDE_SHIFT,
  TASKS,
  type HexId,
} from "../../layout.js";
import { KINDS } from "../../schema.js";
import {
  enemyOf,
  firstIn,
  frameUnit,
  give,
  has,
  nextIn,
  order as giveOrder,
  phasesLeft,
  placeOf,
  pop,
  push,
  put,
  setSite,
  siteOf,
  takeAll,
  taskHex,
  taskOf,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { missionAt, missionHex, missionTable } from "../artillery/missions.js";
import { reaches } from "../units/fire.js";
import { BRIDGE, isIn } from "../units/bridges.js";
import { MINE } from "../units/mines.js";
import { fits } from "../units/stacking.js";
import { isBeside, isRemoval, isZoned, ONE_TURN, phasesOf, quitTask, workersAt, spansBalka } from "../units/tasks.js";
import { announce, inKnownZoc, isBlocked, noteZone } from "../units/zoc.js";
import { reachesRoad } from "./mounting.js";

const FORT = KINDS.indexOf("fortification");
/** Kind of counter that a task builds or removes, by its number. */
const BUILDS = [-1, BRIDGE, MINE, FORT, BRIDGE, MINE, FORT];

/**
 * True when there is something to build or to remove in a hex, with room for it, and no unit of the side works there
 * but one that a second may join. Rule: SOS 17.11, SOS 17.16, SOS 17.21, SOS 17.33, SOS 17.35, ruling R109
 */
export function hasWork(tables: Tables, s: StateView, side: number, hex: number, task: number): boolean {
  const { board, roster } = tables;
  if (board.volga[hex] === 1) return false;
  const site = siteOf(tables, s, side, hex);
  if (site !== 0 && (site !== task || phasesOf(task, side) === ONE_TURN || phasesLeft(tables, s, side, hex) === 0))
    return false;
  if (site !== 0 && workersAt(tables, s, side, hex) > 1) return false;
  const kind = BUILDS[task];
  let found = -1;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) if (roster.kind[u] === kind) found = u;
  if (isRemoval(task))
    return found >= 0 && (kind !== FORT || roster.side[found] === side) && isSeenWork(tables, s, side, found);
  if (found >= 0 && isSeenWork(tables, s, side, found)) return false;
  if (task === TASK_BRIDGE) return spansBalka(tables, hex);
  return task === TASK_FORT || (!isIn(tables, s, enemyOf(side), hex) && takesMine(tables, s, side, hex));
}

/** True when the side may know of this counter. */
const isSeenWork = (tables: Tables, s: StateView, side: number, unit: number): boolean =>
  tables.roster.side[unit] === side || has(tables, s, unit, KNOWN);

/** True when a minefield would leave the side with no more in the hex than may be with it. Rule: SOS 5.6 */
function takesMine(tables: Tables, s: StateView, side: number, hex: number): boolean {
  for (const mine of tables.roster.mines)
    if (tables.roster.side[mine] === side) return fits(tables, s, side, hex, mine);
  return false;
}

/**
 * True when a unit could fire directly at a unit that works in a hex, if it wanted to. Rule: SOS 17.15, SOS 17.24, SOS
 * 17.34
 */
const coversHex = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  tables.roster.directFire[unit] === 1 && tables.roster.boat[unit] === 0 && reaches(tables, s, unit, hex);

/**
 * True when a hex is in range and sight of an enemy that fires directly and is known. Rule: SOS 17.15, SOS 17.24, SOS
 * 17.34
 */
export function isCovered(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  const enemy = enemyOf(side);
  for (let u = roster.first(enemy); u < roster.end(enemy); u++)
    if (has(tables, s, u, KNOWN) && coversHex(tables, s, u, hex)) return true;
  return false;
}

/**
 * Of the unseen enemies who cover a hex the one that its owner shows, the weakest; -1 none. Rule: SOS 17.0, ruling R56
 */
function hiddenFirer(tables: Tables, s: StateView, side: number, hex: number): number {
  const { roster } = tables;
  const enemy = enemyOf(side);
  let weakest = -1;
  for (let u = roster.first(enemy); u < roster.end(enemy); u++) {
    if (has(tables, s, u, KNOWN) || !coversHex(tables, s, u, hex)) continue;
    if (weakest < 0 || roster.af[u]! < roster.af[weakest]!) weakest = u;
  }
  return weakest;
}

/** The owner shows a counter that keeps a task from going on. Rule: SOS 17.0, ruling R56 */
function showFirer(tables: Tables, s: State, unit: number, hex: number, play: Play): void {
  give(tables, s, unit, KNOWN);
  if (tables.roster.zocUnit[unit] === 1) noteZone(tables, s, tables.roster.side[unit]!, placeOf(tables, s, unit));
  if (play.narrator !== null) events.covers(tables, s, unit, hex, play);
}

/**
 * An engineer begins a task at a hex, or joins the one there. What its side does not see may forbid it: then the enemy
 * says so. Rule: SOS 17.0, SOS 17.16, SOS 17.35, rulings R56, R109
 */
export function beginTask(tables: Tables, s: State, unit: number, task: number, hex: HexId, play: Play): void {
  const { board, layout, roster } = tables;
  const side = roster.side[unit]!;
  announce(tables, s, side, hex, play);
  if (isZoned(tables, s, side, hex)) {
    if (play.narrator !== null) events.forbidden(tables, side, hex, play);
    return;
  }
  const firer = hiddenFirer(tables, s, side, hex);
  if (firer >= 0) return showFirer(tables, s, firer, hex, play);
  const joins = siteOf(tables, s, side, hex) !== 0;
  const left = joins ? Math.ceil(phasesLeft(tables, s, side, hex) / 2) : phasesOf(task, side);
  const d = isBeside(task) ? board.sideTo(placeOf(tables, s, unit), hex) : -1;
  s[layout.work + unit]! |= task | ((d + 1) << TASK_SIDE_SHIFT);
  setSite(tables, s, side, hex, task, left);
  if (play.narrator !== null) events.begins(tables, unit, task, hex, left, joins, play);
}

/**
 * A phase ends: tasks of engineers who were left in peace are a phase nearer to their end. Rule: SOS 17.16, SOS 17.26,
 * SOS 17.36, ruling R56
 */
export function goOnWithTasks(tables: Tables, s: State, play: Play): void {
  const { work } = tables.layout;
  for (let side = 0; side < tables.engineers.length; side++)
    for (const u of tables.engineers[side]!) {
      if ((s[work + u]! & TASK_BITS) === RESTS) s[work + u]! &= ~TASK_BITS;
      if (taskOf(tables, s, u) === 0) continue;
      const hex = taskHex(tables, s, u);
      const left = phasesLeft(tables, s, side, hex);
      if (left === 0 || !isFirstAt(tables, s, u, hex) || isHindered(tables, s, side, hex, play)) continue;
      setSite(tables, s, side, hex, siteOf(tables, s, side, hex), left - 1);
    }
}

/** True when an engineer is the first of those that work at a hex. */
function isFirstAt(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  for (const u of tables.engineers[tables.roster.side[unit]!]!)
    if (taskOf(tables, s, u) !== 0 && taskHex(tables, s, u) === hex) return u === unit;
  return false;
}

/**
 * True when an engineer that works at a hex was disturbed in this phase, or an enemy covers one. An unseen one is
 * shown. Rule: SOS 17.0, SOS 17.15
 */
function isHindered(tables: Tables, s: State, side: number, hex: HexId, play: Play): boolean {
  for (const u of tables.engineers[side]!)
    if (taskOf(tables, s, u) !== 0 && taskHex(tables, s, u) === hex && isDisturbed(tables, s, u)) return true;
  if (isCovered(tables, s, side, hex)) return true;
  const firer = hiddenFirer(tables, s, side, hex);
  if (firer < 0) return false;
  showFirer(tables, s, firer, hex, play);
  return true;
}

/**
 * True when an engineer is pinned or spent, or has attacked, fired, or been attacked or bombarded in this phase. Rule:
 * SOS 17.15, SOS 17.26
 */
function isDisturbed(tables: Tables, s: StateView, unit: number): boolean {
  const { layout } = tables;
  if (has(tables, s, unit, PINNED | SPENT | OP_FIRED | DEF_FIRED)) return true;
  const hex = placeOf(tables, s, unit);
  return (s[layout.hexState + hex]! & ATTACKED) !== 0 || isBombarded(tables, s, hex);
}

/** True when a die of a bombardment has been thrown for a hex in this phase. */
function isBombarded(tables: Tables, s: StateView, hex: number): boolean {
  for (let i = 0; i < s[tables.layout.missionCount]!; i++) {
    const mission = missionAt(tables, i);
    if (missionHex(s, mission) !== hex || (s[mission + M_HEX]! & MISSION_DONE) === 0) continue;
    if (missionTable(s, mission) !== BY_NOTHING || isOwnInterdiction(s, mission)) return true;
  }
  return false;
}

/** Own units under an interdiction are rolled for. Rule: SOS 14.85 */
const isOwnInterdiction = (s: StateView, mission: number): boolean =>
  ((s[mission + M_DRMS + (DRM_INTERDICT_OWN >> 3)]! >> (4 * (DRM_INTERDICT_OWN & 7))) & 15) !== 0;

/** A counter of a kind that is not in play, spare ones and lost ones, -1 none. Ruling R88. */
function freeCounter(tables: Tables, s: StateView, side: number, kind: number): number {
  const { roster } = tables;
  for (let u = 0; u < tables.units; u++) {
    // bridges belong to nobody. Rule: SOS 17.11
    if (roster.kind[u] !== kind || (roster.side[u] !== side && kind !== BRIDGE)) continue;
    const place = placeOf(tables, s, u);
    if (place === DEAD || (place === POOL && roster.spare[u] === 1)) return u;
  }
  return -1;
}

/**
 * A movement phase of a side begins: what its engineers have finished is built or gone, and they rest in this phase.
 * Rule: SOS 17.16, SOS 17.17, SOS 17.18, SOS 17.27, SOS 17.37, ruling R56
 */
export function finishTasks(tables: Tables, s: State, side: number, play: Play): void {
  const { layout } = tables;
  for (const u of tables.engineers[side]!) {
    const task = taskOf(tables, s, u);
    const hex = taskHex(tables, s, u);
    if (task === 0 || phasesLeft(tables, s, side, hex) > 0) continue;
    if (siteOf(tables, s, side, hex) !== 0 && !finish(tables, s, side, hex, task, play)) continue;
    s[layout.work + u] = (s[layout.work + u]! & ~(TASK_BITS | TASK_SIDE_BITS)) | RESTS;
  }
}

/** @returns false when no counter is free, or no room for it: the task waits. Ruling R88. */
function finish(tables: Tables, s: State, side: number, hex: HexId, task: number, play: Play): boolean {
  const { layout, roster } = tables;
  const kind = BUILDS[task]!;
  let there = -1;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) if (roster.kind[u] === kind) there = u;
  if (isRemoval(task)) {
    setSite(tables, s, side, hex, 0, 0);
    if (there < 0) return true;
    if (play.narrator !== null) events.removed(tables, side, there, hex, task, play);
    if (kind === MINE) s[layout.hexState + hex]! &= ~FRIENDLY_MINE;
    put(tables, s, there, DEAD);
    return true;
  }
  const counter = there >= 0 ? -1 : freeCounter(tables, s, side, kind);
  if (counter < 0 || (kind === MINE && !takesMine(tables, s, side, hex))) return false;
  setSite(tables, s, side, hex, 0, 0);
  put(tables, s, counter, hex);
  give(tables, s, counter, KNOWN);
  if (play.narrator !== null) events.built(tables, side, counter, hex, task, play);
  return true;
}

/**
 * True when an engineer could work at a hex, by what its side knows. Rule: SOS 17.15, SOS 17.24, SOS 17.34, ruling R109
 */
export function mayWorkAt(tables: Tables, s: StateView, unit: number, task: number, hex: number): boolean {
  const side = tables.roster.side[unit]!;
  if (!hasWork(tables, s, side, hex, task)) return false;
  return !inKnownZoc(tables, s, side, hex) && !isCovered(tables, s, side, hex);
}

/** The same of a hex beside it for a minefield. Rule: SOS 17.24 */
export function fillTaskHexes(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const frame = topFrame(tables, s);
  const unit = frameUnit(s, frame);
  const from = placeOf(tables, s, unit) * 6;
  let n = 0;
  for (let d = from; d < from + 6; d++) {
    const hex = tables.board.neighbours[d]!;
    if (hex < 0 || !mayWorkAt(tables, s, unit, s[frame + F_STEP]!, hex)) continue;
    mask[at + HEX + hex] = 1;
    n++;
  }
  return n;
}

/** The only hex beside an engineer where it could begin a task, -1: there are several. */
export function onlyTaskHex(tables: Tables, s: StateView, unit: number, task: number): HexId | -1 {
  const from = placeOf(tables, s, unit) * 6;
  let only: HexId | -1 = -1;
  for (let d = from; d < from + 6; d++) {
    const hex = tables.board.neighbours[d]! as HexId | -1;
    if (hex < 0 || !mayWorkAt(tables, s, unit, task, hex)) continue;
    if (only >= 0) return -1;
    only = hex;
  }
  return only;
}

/**
 * True when an engineer may begin a task in its hex, also where it was set up: neither pinned nor spent, and without a
 * task. Rule: SOS 17.15, SOS 17.19, SOS 17.24, SOS 17.28, SOS 17.34, SOS 17.38
 */
export function mayBegin(tables: Tables, s: StateView, unit: number, task: number): boolean {
  const { board, layout, roster } = tables;
  const hex = placeOf(tables, s, unit);
  if (hex < 0 || (s[layout.work + unit]! & TASK_BITS) !== 0 || has(tables, s, unit, PINNED | SPENT)) return false;
  if (isBeside(task)) {
    for (let d = hex * 6; d < hex * 6 + 6; d++)
      if (board.neighbours[d]! >= 0 && mayWorkAt(tables, s, unit, task, board.neighbours[d]!)) return true;
    return false;
  }
  if (!mayWorkAt(tables, s, unit, task, hex)) return false;
  return task !== TASK_BRIDGE || hasAccess(tables, s, roster.side[unit]!, hex);
}

/** True when vehicles can bring material beside a hex. Rule: SOS 17.15, ruling R57 */
function hasAccess(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board, river } = tables;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h < 0 || board.volga[h] === 1 || isBlocked(tables, s, side, h)) continue;
    if (reachesRoad(tables, s, side, h, river.gates[side]!)) return true;
  }
  return false;
}

/** True when there is something that an engineer may begin or give up. */
export function hasTask(tables: Tables, s: StateView, unit: number): boolean {
  if (!tables.engineers[tables.roster.side[unit]!]!.includes(unit)) return false;
  if (taskOf(tables, s, unit) !== 0) return true;
  for (let task = 1; task <= TASKS.length; task++) if (mayBegin(tables, s, unit, task)) return true;
  return false;
}

/** What the engineer that is ordered alone may begin or give up. @param at index of the first action */
export function fillTasks(tables: Tables, s: StateView, unit: number, mask: Uint8Array, at: number): number {
  if (!tables.engineers[tables.roster.side[unit]!]!.includes(unit)) return 0;
  if (taskOf(tables, s, unit) !== 0) {
    mask[at + ABANDON] = 1;
    return 1;
  }
  let n = 0;
  for (let task = 1; task <= TASKS.length; task++) {
    if (!mayBegin(tables, s, unit, task)) continue;
    mask[at + BUILD + task - 1] = 1;
    n++;
  }
  return n;
}

/** The engineer of the top frame begins a task, or its hex is asked for. */
export function chooseTask(tables: Tables, s: State, unit: number, task: number, play: Play): void {
  const hex = placeOf(tables, s, unit);
  if (!isBeside(task)) return order(tables, s, unit, task, hex, play);
  const frame = push(tables, s, ASK_TASK_HEX, tables.roster.side[unit]!, hex);
  s[frame + F_UNIT] = unit + 1;
  s[frame + F_STEP] = task;
}

/** The hex of a minefield is named. */
export function chooseTaskHex(tables: Tables, s: State, hex: HexId, play: Play): void {
  const frame = topFrame(tables, s);
  const unit = frameUnit(s, frame);
  const task = s[frame + F_STEP]!;
  pop(tables, s);
  order(tables, s, unit, task, hex, play);
}

/** The order is used up, whatever its result. */
function order(tables: Tables, s: State, unit: number, task: number, hex: HexId, play: Play): void {
  endOrder(tables, s, unit);
  beginTask(tables, s, unit, task, hex, play);
}

/** The engineer of the top frame gives up its task. */
export function abandonTask(tables: Tables, s: State, unit: number, play: Play): void {
  endOrder(tables, s, unit);
  quitTask(tables, s, unit, play);
}

function endOrder(tables: Tables, s: State, unit: number): void {
  giveOrder(tables, s, unit);
  takeAll(tables, s, GROUP);
  pop(tables, s);
}
