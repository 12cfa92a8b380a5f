import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { ALL, BOX, DISMOUNT, DONE, HEX, REMOUNT, STAY, unitBase, UNLOAD, VIA } from "../../actions.js";
import { BOXES, KINDS } from "../../schema.js";
import { EAST_BOXES } from "../../map/river.js";
import { GERMAN, SOVIET } from "../../roster.js";
import {
  ASK_MOVE_GROUP,
  BANK_SHIFT,
  boxOf,
  CARRIED,
  F_ACTOR,
  F_HOLD,
  F_MOVE,
  F_MP,
  FRESH,
  GROUP,
  isBox,
  MARK_ATTACK,
  MOVE_BREAKTHROUGH,
  MOVE_DEPLOY,
  MOVE_NORMAL,
  MOVE_RESERVES,
  OP_PHASE_SHIFT,
  NO_MOVE,
  NO_SPOT,
  ORDERED,
  PINNED,
  RESERVE,
  RESTS,
  STAGE_BREAKTHROUGH,
  STAGE_DEPLOY,
  STAGE_NORMAL,
  STAGE_RESERVES,
  TASK_BITS,
  ZONE_SHIFT,
  type HexId,
  type UnitId,
} from "../../layout.js";
import { reports } from "../../events/guns.js";
import { changesBox } from "../../events/river.js";
import * as events from "../../events/common.js";
import {
  extraOf,
  firstIn,
  give,
  has,
  markOf,
  nextIn,
  order,
  placeOf,
  pop,
  push,
  takeAll,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { crossingCost, isRiverOpen, wayBack } from "./crossing.js";
import { mayDeploy, mayStop } from "./deployment.js";
import { fillTasks, hasTask } from "./engineering.js";
import { canChangeMode, mayDismount, mayRemount } from "./mounting.js";
import {
  interdictionCost,
  bankReached,
  beginOrders,
  canStep,
  COSTS_ALONE,
  entryCostOf,
  type Movers,
  moversOf,
  newMovers,
  reach,
  reachesAny,
  stepCost,
  stops,
} from "./reach.js";
import { enterBox } from "../units/boxes.js";
import { leads } from "../units/command.js";
import { moveUnit, tellMixed } from "../units/hidden.js";
import { fits, fitsStack, isOverfull } from "../units/stacking.js";
import { alightAll, hasTransport, join, mayPickUp, mayUnload, seat } from "./transports.js";
import { runsNow } from "./trains.js";
import { addWay, arrive, firstOfGroup, groupHex, groupMovers, startWalk } from "./walk.js";
import { isArmored, isVehicle } from "../units/units.js";
import { inKnownZoc, isBlocked } from "../units/zoc.js";

const OP = KINDS.indexOf("op");
const RESERVES_DISTANCE = 3;
const NO_WAYPOINTS = ["leader", "commissar", "op", "armored-train"].map((k) =>
  KINDS.indexOf(k as (typeof KINDS)[number]),
);

/** How units move in the stage. */
export function moveOf(tables: Tables, s: StateView): number {
  switch (s[tables.layout.stage]) {
    case STAGE_RESERVES:
      return MOVE_RESERVES;
    case STAGE_BREAKTHROUGH:
      return MOVE_BREAKTHROUGH;
    case STAGE_DEPLOY:
      return MOVE_DEPLOY;
    default:
      return MOVE_NORMAL;
  }
}

/**
 * True when units may leave a box in this stage. Rule: SOS 8.35, SOS 8.41, SOS 8.44, SOS 8.46, SOS 21.3, ruling R127
 */
const mayLeaveBox = (tables: Tables, s: StateView, place: number): boolean =>
  boxOf(place) < EAST_BOXES ? isRiverOpen(tables, s, SOVIET) : isEdgeOpen(tables, s);

/** True when Germans may come onto the map and leave it now. Rule: SOS 8.46, ruling R133 */
const isEdgeOpen = ({ layout }: Tables, s: StateView): boolean =>
  s[layout.phase] === 3 && (s[layout.stage] === STAGE_NORMAL || s[layout.stage] === STAGE_DEPLOY);

/**
 * True when a unit of the side may be ordered in this stage, wherever it may then go. Rule: SOS 8.02, SOS 8.03, SOS
 * 8.24, SOS 8.51, SOS 9.112, SOS 16.43
 */
function isOrderable(tables: Tables, s: StateView, unit: number): boolean {
  const hex = placeOf(tables, s, unit);
  // who came over the river to attack stays for it. Rule: SOS 8.70
  if (hex < 0 ? !(isBox(hex) && mayLeaveBox(tables, s, hex)) : tables.river.any && tables.board.volga[hex] === 1)
    return false;
  if (has(tables, s, unit, PINNED | ORDERED)) return false;
  if (tables.roster.train[unit] === 1) return runsNow(tables, s) && s[tables.layout.stage] === STAGE_NORMAL;
  if (tables.roster.mp[unit] === 0) return false;
  if (has(tables, s, unit, NO_MOVE) && isMainMove(tables, s, unit)) return false;
  // who has built something goes on in the next phase. Rule: SOS 17.18, SOS 17.27, SOS 17.37
  if ((s[tables.layout.work + unit]! & TASK_BITS) === RESTS) return false;
  switch (s[tables.layout.stage]) {
    case STAGE_RESERVES:
      return has(tables, s, unit, RESERVE);
    case STAGE_BREAKTHROUGH:
      return isArmored(tables, s, unit);
    case STAGE_DEPLOY:
      return extraOf(tables, s, unit, ZONE_SHIFT) === 0; // where it began the phase. Ruling R137
    default:
      return true;
  }
}

/** Guns that fired miss their main movement phase, OPs that spotted whatever comes next. Rule: SOS 14.12, SOS 14.95 */
const isMainMove = (tables: Tables, s: StateView, unit: number): boolean =>
  tables.roster.kind[unit] === OP || s[tables.layout.phase] === 3 || s[tables.layout.phase] === 10;

/** True when a unit may be ordered, and has somewhere to go. Orders have been begun. */
export const mayOrder = (tables: Tables, s: StateView, unit: number): boolean =>
  isOrderable(tables, s, unit) && hasOrder(tables, s, unit);

/** One unit that is asked about after another. */
const alone = newMovers();

/** True when a unit that may be ordered can go anywhere, leave its vehicles or mount. Spec 4.1. */
function hasOrder(tables: Tables, s: StateView, unit: number): boolean {
  const from = placeOf(tables, s, unit);
  const move = moveOf(tables, s);
  if (isBox(from)) {
    if (mayChangeBox(tables, s) && tables.river.beside[boxOf(from)]!.length > 0) return true;
    const movers = moversOf(tables, s, unit, move, alone);
    if (reachesAny(tables, s, movers, from, mayEnd)) return true;
    return movers.chiefs && fillReports(tables, s, unit, move, null, 0) > 0;
  }
  if (move !== MOVE_BREAKTHROUGH && (mayDismount(tables, s, unit) || mayRemount(tables, s, unit))) return true;
  const movers = moversOf(tables, s, unit, move, alone);
  let steps = false;
  for (let d = 0; d < 6; d++) {
    if (!canStep(tables, s, movers, from, d)) continue;
    if (mayEnd(tables, s, movers, tables.board.neighbours[from * 6 + d]!)) return true; // seldom is more to be found out
    steps = true;
  }
  if (steps && reachesAny(tables, s, movers, from, mayEnd)) return true;
  if (fillWaysBack(tables, s, movers, from, 0, null, 0) > 0) return true;
  if (mayBuild(move) && hasTask(tables, s, unit)) return true;
  return movers.chiefs && fillReports(tables, s, unit, move, null, 0) > 0;
}

/** True when engineers begin tasks in this stage. Rule: SOS 17.15, SOS 17.24, SOS 17.34 */
const mayBuild = (move: number): boolean => move === MOVE_NORMAL || move === MOVE_RESERVES;

/** True when the movers may end their order in a hex that they reach. */
function mayEnd(tables: Tables, s: StateView, movers: Movers, hex: number): boolean {
  if (movers.move === MOVE_DEPLOY && !mayStop(tables, hex)) return false;
  if (s[tables.layout.top + hex] === 0) return (movers.fitAlone ??= fits(tables, s, movers.side, hex, movers.only));
  if (movers.unit >= 0 || movers.stack < 0) return fits(tables, s, movers.side, hex, movers.only);
  return fitsStack(tables, s, movers.side, hex, movers.stack, movers.lifts);
}

/**
 * A hex with more units than it may hold, one of which can move, -1 none: it is thinned out first. Rule: SOS 5.8,
 * ruling R6
 */
function overfullHex(tables: Tables, s: StateView, side: number): number {
  const { roster } = tables;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    const hex = placeOf(tables, s, u);
    if (hex >= 0 && isOrderable(tables, s, u) && isOverfull(tables, s, side, hex) && hasOrder(tables, s, u)) return hex;
  }
  return -1;
}

/**
 * True when units may go from box to box now. It takes all of their side's main movement phase. Rule: SOS 8.42, SOS
 * 8.47
 */
const mayChangeBox = ({ layout }: Tables, s: StateView): boolean =>
  (s[layout.phase] === 3 || s[layout.phase] === 10) && s[layout.stage] === STAGE_NORMAL;

/**
 * Marks the boxes that the movers can go to from a hex, which they have come to or begin in: back over the river, or
 * off the map. Rule: SOS 8.46, SOS 8.70, rulings R126, R132, R133
 *
 * @param spent half MP paid before
 * @param mask null: the first box is enough /
 */
function fillWaysBack(
  tables: Tables,
  s: StateView,
  m: Movers,
  hex: number,
  spent: number,
  mask: Uint8Array | null,
  at: number,
): number {
  if (m.rail) return 0;
  if (m.side === GERMAN) return fillExits(tables, s, m, hex, spent, mask, at);
  if (!isRiverOpen(tables, s, m.side)) return 0;
  let n = 0;
  for (let box = 0; box < EAST_BOXES; box++) {
    const way = wayBack(tables, s, box, hex, m.unit);
    if (way === null) continue;
    const cost = crossingCost(tables, s, m.allowance, way.arrow) + interdictionCost(tables, s, m.side, way.volga);
    if (spent + cost > m.allowance) continue;
    if (m.move === MOVE_DEPLOY && !mayDeploy(tables, s, m, way.volga)) continue;
    if (mask === null) return 1;
    n += set(mask, at + box);
  }
  return n;
}

function fillExits(
  tables: Tables,
  s: StateView,
  m: Movers,
  hex: number,
  spent: number,
  mask: Uint8Array | null,
  at: number,
): number {
  if (!isEdgeOpen(tables, s)) return 0;
  let n = 0;
  for (let box = EAST_BOXES; box < BOXES.length; box++) {
    if (!tables.river.entries[box]!.includes(hex)) continue;
    const cost = entryCostOf(tables, s, m, hex, m.vehicle);
    if (cost === 0 || spent + cost > m.allowance) continue;
    const other = m.other < 0 ? 0 : entryCostOf(tables, s, m, hex, !m.vehicle);
    if (m.other >= 0 && (other === 0 || other > m.other)) continue;
    if (mask === null) return 1;
    n += set(mask, at + box);
  }
  return n;
}

/** Decision `move.select`: the units that may be ordered. @returns how many actions, 0: nobody can move */
export function fillSelect(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  beginOrders(tables, s, side, moveOf(tables, s));
  const full = overfullHex(tables, s, side);
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!isOrderable(tables, s, u) || (full >= 0 && placeOf(tables, s, u) !== full) || !hasOrder(tables, s, u))
      continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0 || full >= 0) return n;
  mask[at + DONE] = 1;
  return n + 1;
}

/** A unit is named to move; its group may grow. */
export function selectMover(tables: Tables, s: State, unit: UnitId): void {
  const side = tables.roster.side[unit]!;
  give(tables, s, unit, GROUP);
  seat(tables, s);
  const frame = push(tables, s, ASK_MOVE_GROUP, side);
  s[frame + F_MOVE] = moveOf(tables, s);
}

/** True when a unit may be added to the group. Higher slots only, unless `all` takes them. Vehicles are on one bank. */
function mayJoin(tables: Tables, s: StateView, unit: number, first: number): boolean {
  const { roster } = tables;
  if (has(tables, s, unit, GROUP) || placeOf(tables, s, unit) !== placeOf(tables, s, first)) return false;
  if (roster.side[unit] !== roster.side[first]) return false;
  if (roster.train[unit] === 1 || roster.train[first] === 1) return false; // nobody goes by rail with a train
  if (!isOrderable(tables, s, unit) && !mayRide(tables, s, unit)) return false;
  if (!isVehicle(tables, s, unit) || !tables.board.banks.any) return true;
  const bank = extraOf(tables, s, unit, BANK_SHIFT);
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, GROUP) && isVehicle(tables, s, u) && extraOf(tables, s, u, BANK_SHIFT) !== bank) return false;
  return true;
}

/**
 * True when a leader or OP may ride along with armor that breaks through: one only, and of its command. Rule: SOS 8.57
 */
function mayRide(tables: Tables, s: StateView, unit: number): boolean {
  const { roster } = tables;
  if (s[tables.layout.stage] !== STAGE_BREAKTHROUGH || has(tables, s, unit, PINNED | ORDERED)) return false;
  if (roster.leader[unit] === 0 && roster.kind[unit] !== OP) return false;
  let commands = false;
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, GROUP)) continue;
    if (!isArmored(tables, s, u)) return false; // a unit is mounted already
    if (isAbove(roster.path[unit]!, roster.path[u]!)) commands = true;
  }
  return commands;
}

/** True when a formation is the other or one above it. */
const isAbove = (path: readonly string[], other: readonly string[]): boolean =>
  path.length > 0 && path.every((part, i) => part === other[i]);

const mobility = (tables: Tables, s: StateView, unit: number): number =>
  isArmored(tables, s, unit) ? 2 : isVehicle(tables, s, unit) ? 1 : 0;

/** Decision `move.group`: more members, or where to go. Spec 4.5. */
export function fillGroup(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { layout, reached } = tables;
  const frame = topFrame(tables, s);
  const first = firstOfGroup(tables, s);
  const spent = s[frame + F_MP]!;
  const pending = s[frame + F_HOLD] === 1;
  const forming = s[layout.pathLength] === 0 && !pending;
  let n = 0;
  if (forming) {
    let last = first;
    let joiners = 0;
    for (let u = first; u < tables.units; u++) if (has(tables, s, u, GROUP)) last = u;
    const side = tables.roster.side[first]!;
    for (let u = tables.roster.first(side); u < tables.roster.end(side); u++) {
      if (!mayJoin(tables, s, u, first)) continue;
      if (mobility(tables, s, u) === mobility(tables, s, first)) joiners++;
      if (u < last && !mayRide(tables, s, u)) continue;
      mask[at + unitBase(tables.hexes) + u] = 1;
      n++;
    }
    if (joiners > 1) n += set(mask, at + ALL);
    n += set(mask, at + STAY);
    if (s[frame + F_MOVE] !== MOVE_BREAKTHROUGH && !isBox(placeOf(tables, s, first))) {
      if (canChangeMode(tables, s, true)) n += set(mask, at + DISMOUNT);
      if (canChangeMode(tables, s, false)) n += set(mask, at + REMOUNT);
      if (mayBuild(s[frame + F_MOVE]!) && isAlone(tables, s, first)) n += fillTasks(tables, s, first, mask, at);
    }
  }
  const from = groupHex(tables, s);
  if (!forming && !pending && tables.roster.transports.length > 0)
    n += fillPassengers(tables, s, first, from, mask, at);
  const movers = groupMovers(tables, s, s[frame + F_MOVE]!);
  const count = reach(tables, s, movers, from, spent, COSTS_ALONE);
  if (!pending && isBox(from) && mayChangeBox(tables, s))
    for (const box of tables.river.beside[boxOf(from)]!) n += set(mask, at + BOX + box);
  if (!pending && from >= 0) n += fillWaysBack(tables, s, movers, from, spent, mask, at + BOX);
  let waypoints = 0;
  for (let i = 1; i < count; i++) {
    const h = reached[i]!;
    const opens = (pending || waypoints === 0) && isWaypoint(tables, s, movers, h, spent);
    if (opens) waypoints++;
    if (pending ? opens : mayEnd(tables, s, movers, h)) n += set(mask, at + HEX + h);
  }
  if (movers.chiefs && forming && isAlone(tables, s, first))
    n += fillReports(tables, s, first, s[frame + F_MOVE]!, mask, at + HEX);
  if (!pending && waypoints > 0 && mayName(tables, s)) n += set(mask, at + VIA);
  return n;
}

/** At a waypoint transports pick units up, and put down who rides. Rule: SOS 16.45, SOS 16.46, ruling R70 */
function fillPassengers(
  tables: Tables,
  s: StateView,
  first: number,
  hex: number,
  mask: Uint8Array,
  at: number,
): number {
  if (!hasTransport(tables, s)) return 0;
  const { roster } = tables;
  let n = 0;
  for (let u = roster.first(roster.side[first]!); u < roster.end(roster.side[first]!); u++)
    if (mayPickUp(tables, s, u, hex) && isOrderable(tables, s, u)) n += set(mask, at + unitBase(tables.hexes) + u);
  if (mayUnload(tables, s, roster.side[first]!, hex)) n += set(mask, at + UNLOAD);
  return n;
}

/** A unit is named to go along, or to be picked up where the group comes by. */
export function joinMover(tables: Tables, s: State, unit: UnitId): void {
  join(tables, s, unit, s[tables.layout.pathLength]! > 0);
}

/** True when a unit is the only member of the group. */
function isAlone(tables: Tables, s: StateView, unit: number): boolean {
  for (let u = unit + 1; u < tables.units; u++) if (has(tables, s, u, GROUP)) return false;
  return true;
}

/**
 * Marks the hexes of units of its command that a leader or OP may go to, however far. Rule: SOS 14.92, SOS 18.15
 *
 * @param mask null: the first hex is enough
 * @returns how many were not marked before
 */
function fillReports(
  tables: Tables,
  s: StateView,
  chief: number,
  move: number,
  mask: Uint8Array | null,
  at: number,
): number {
  if (move !== MOVE_NORMAL && move !== MOVE_RESERVES) return 0;
  const { roster } = tables;
  const side = roster.side[chief]!;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    const hex = placeOf(tables, s, u);
    if (hex < 0 || hex === placeOf(tables, s, chief) || roster.stackUnit[u] === 0 || !leads(tables, chief, u)) continue;
    if (tables.board.volga[hex] === 1) continue; // who is there goes back
    if ((mask !== null && mask[at + hex] === 1) || !fits(tables, s, side, hex, chief)) continue;
    if (mask === null) return 1;
    n += set(mask, at + hex);
  }
  return n;
}

/** The leader or OP of the group goes there at once. Rule: SOS 6.5, SOS 9.111 */
function report(tables: Tables, s: State, chief: number, hex: number, play: Play): void {
  const from = placeOf(tables, s, chief);
  order(tables, s, chief);
  if (tables.roster.kind[chief] === OP) give(tables, s, chief, NO_SPOT);
  pop(tables, s);
  moveUnit(tables, s, chief, hex, play);
  if (play.narrator !== null) reports(tables, s, chief, from, play);
  tellMixed(tables, play);
  arrive(tables, s, tables.roster.side[chief]!, hex, play);
  takeAll(tables, s, GROUP);
}

function set(mask: Uint8Array, i: number): 1 {
  mask[i] = 1;
  return 1;
}

/** Groups of trains, leaders and OPs name no waypoints. Ruling R53. */
function mayName(tables: Tables, s: StateView): boolean {
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, GROUP) && NO_WAYPOINTS.includes(tables.roster.kind[u]!) && !isCarried(tables, s, u))
      return false;
  return true;
}

const isCarried = (tables: Tables, s: StateView, unit: number): boolean =>
  (s[tables.layout.work + unit]! & CARRIED) !== 0;

/** True when the group could go one hex on from here and stay there. Then the hex may be named as a waypoint. */
function isWaypoint(tables: Tables, s: StateView, movers: Movers, hex: number, spent: number): boolean {
  const { board, cost, otherCost } = tables;
  if (board.volga[hex] === 1 || stops(tables, s, movers, hex)) return false;
  const bank = bankReached(tables, hex);
  for (let d = 0; d < 6; d++) {
    const to = board.neighbours[hex * 6 + d]!;
    if (to < 0) continue;
    const step = stepCost(tables, s, movers, hex, bank, d, movers.vehicle);
    if (step === 0 || spent + cost[hex]! + step > movers.allowance) continue;
    if (movers.other >= 0) {
      const theirs = stepCost(tables, s, movers, hex, bank, d, !movers.vehicle);
      if (theirs === 0 || otherCost[hex]! + theirs > movers.other) continue;
    }
    if (movers.move === MOVE_DEPLOY && !mayDeploy(tables, s, movers, to)) continue;
    if (!isBlocked(tables, s, movers.side, to) && mayEnd(tables, s, movers, to)) return true;
  }
  return false;
}

/** The group stays; its order is used up. */
export function stayHere(tables: Tables, s: State, play: Play): void {
  takeAll(tables, s, FRESH);
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, GROUP)) order(tables, s, u);
  if (play.narrator !== null) events.stays(tables, s, events.group(tables, s), play);
  alightAll(tables, s);
  takeAll(tables, s, GROUP);
  pop(tables, s);
}

/** All units of the hex that move as the first one does join. */
export function joinAll(tables: Tables, s: State): void {
  const first = firstOfGroup(tables, s);
  const side = tables.roster.side[first]!;
  for (let u = tables.roster.first(side); u < tables.roster.end(side); u++)
    if (mayJoin(tables, s, u, first) && mobility(tables, s, u) === mobility(tables, s, first))
      give(tables, s, u, GROUP);
  seat(tables, s);
}

/** The group goes to a hex, or has it as a waypoint; a chief alone may go there however far. */
export function moveTo(tables: Tables, s: State, hex: HexId, play: Play): void {
  const frame = topFrame(tables, s);
  const move = s[frame + F_MOVE]!;
  const spent = s[frame + F_MP]!;
  const movers = groupMovers(tables, s, move);
  reach(tables, s, movers, groupHex(tables, s), spent, hex);
  const pending = s[frame + F_HOLD] === 1;
  if (movers.chiefs && tables.cost[hex]! < 0) return report(tables, s, firstOfGroup(tables, s), hex, play);
  addWay(tables, s, hex, pending);
  if (pending) {
    s[frame + F_HOLD] = 0;
    s[frame + F_MP] = spent + tables.cost[hex]!;
    return;
  }
  pop(tables, s);
  startWalk(tables, s, movers.side, move, movers.allowance, play);
}

/**
 * The group goes to a box: along the bank, or back over the river or off the map from the hex that it has come to.
 * Rule: SOS 8.42, SOS 8.46, SOS 8.70, rulings R132, R133 /
 */
export function moveToBox(tables: Tables, s: State, box: number, play: Play): void {
  const frame = topFrame(tables, s);
  const from = groupHex(tables, s);
  if (isBox(from)) {
    if (play.narrator !== null) changesBox(tables, s, events.group(tables, s), box, play);
    alightAll(tables, s);
    pop(tables, s);
    for (let u = 0; u < tables.units; u++) {
      if (!has(tables, s, u, GROUP)) continue;
      enterBox(tables, s, u, box, play);
      order(tables, s, u);
    }
    return;
  }
  const { layout } = tables;
  const move = s[frame + F_MOVE]!;
  const movers = groupMovers(tables, s, move);
  beginOrders(tables, s, movers.side, move);
  if (box < EAST_BOXES) s[layout.path + s[layout.pathLength]!++] = wayBack(tables, s, box, from, -1)!.volga;
  s[layout.path + s[layout.pathLength]!++] = tables.hexes + box;
  pop(tables, s);
  startWalk(tables, s, movers.side, move, movers.allowance, play);
}

/**
 * Names the units that may move in a reserves phase, into zones of control and attacked hexes too. Rule: SOS 8.31,
 * SOS 8.32, SOS 8.34, SOS 18.22, rulings R16, R82
 */
export function nameReserves(tables: Tables, s: State, side: number): void {
  const { roster } = tables;
  takeAll(tables, s, RESERVE);
  for (let u = roster.first(side); u < roster.end(side); u++) if (isReserve(tables, s, u)) give(tables, s, u, RESERVE);
}

/** True when a unit would be free to move if the reserves phase began now. */
export function isReserve(tables: Tables, s: StateView, unit: number): boolean {
  const { board, roster } = tables;
  const hex = placeOf(tables, s, unit);
  // leaders and OPs may always move. Rule: SOS 8.33, SOS 14.92, SOS 18.15
  if (hex >= 0 && roster.chief[unit] === 1) return !has(tables, s, unit, PINNED);
  if (hex < 0 || has(tables, s, unit, PINNED) || markOf(tables, s, hex) === MARK_ATTACK) return false;
  const before = s[tables.layout.phase]! - 1;
  if (extraOf(tables, s, unit, OP_PHASE_SHIFT) === before) return false;
  let near = false;
  for (let h = 0; h < tables.hexes && !near; h++)
    near = markOf(tables, s, h) !== 0 && board.distance(hex, h) <= RESERVES_DISTANCE;
  if (!near) return false;
  if (roster.side[unit] === GERMAN) return true;
  if (!isLed(tables, s, hex)) return false;
  return leaderIn(tables, s, hex, false) || !inKnownZoc(tables, s, SOVIET, hex);
}

/**
 * True when Soviet units in a hex are with a leader of any kind, or beside one that is no commissar, Pavlov or Herman.
 * Rule: SOS 8.32, SOS 9.44, SOS 18.21
 */
export function isLed(tables: Tables, s: StateView, hex: number): boolean {
  if (leaderIn(tables, s, hex, false)) return true;
  const { board } = tables;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h >= 0 && leaderIn(tables, s, h, true)) return true;
  }
  return false;
}

const COMMISSAR = KINDS.indexOf("commissar");

/**
 * True when there is a Soviet leader or commissar in a hex.
 *
 * @param wide only one whose help reaches into adjacent hexes
 */
export function leaderIn(tables: Tables, s: StateView, hex: number, wide: boolean): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== SOVIET || roster.leader[u] === 0) continue;
    if (!wide || (roster.kind[u] !== COMMISSAR && roster.counters[u]!.type.hero === undefined)) return true;
  }
  return false;
}
