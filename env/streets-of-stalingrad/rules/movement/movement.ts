import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { allow, ALL, BOX, DISMOUNT, DONE, HEX, REMOUNT, STAY, unitBase, UNLOAD, VIA } from "../../actions.js";
import { KINDS } from "../../schema.js";
import { EAST_BOXES } from "../../map/river.js";
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
  MOVE_BREAKTHROUGH,
  MOVE_DEPLOY,
  NO_SPOT,
  ORDERED,
  PINNED,
  STAGE_BREAKTHROUGH,
  type HexId,
  type UnitId,
} from "../../layout.js";
import { reports } from "../../events/guns.js";
import { changesBox } from "../../events/river.js";
import * as events from "../../events/common.js";
import { extraOf, give, has, order, placeOf, pop, push, takeAll, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { wayBack } from "./crossing.js";
import { mayDeploy } from "./deployment.js";
import { fillTasks } from "./engineering.js";
import { canChangeMode } from "./mounting.js";
import { bankReached, beginOrders, COSTS_ALONE, reach, stops } from "./reach.js";
import { stepCost } from "./step-cost.js";
import { firstOfGroup, type Movers } from "./movers.js";
import { enterBox } from "../units/boxes.js";
import { moveUnit, tellMixed } from "../units/hidden.js";
import { alightAll, hasTransport, join, mayPickUp, mayUnload, seat } from "./transports.js";
import { addWay, arrive, groupHex, groupMovers, startWalk } from "./walk.js";
import { isArmored, isVehicle } from "../units/units.js";
import { isBlocked } from "../units/zoc.js";
import {
  moveOf,
  overfullHex,
  isOrderable,
  hasOrder,
  mayBuild,
  mayChangeBox,
  fillWaysBack,
  mayEnd,
  fillReports,
} from "./orderable.js";

const OP = KINDS.indexOf("op");
const NO_WAYPOINTS = ["leader", "commissar", "op", "armored-train"].map((k) =>
  KINDS.indexOf(k as (typeof KINDS)[number]),
);

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
    if (joiners > 1) n += allow(mask, at + ALL);
    n += allow(mask, at + STAY);
    if (s[frame + F_MOVE] !== MOVE_BREAKTHROUGH && !isBox(placeOf(tables, s, first))) {
      if (canChangeMode(tables, s, true)) n += allow(mask, at + DISMOUNT);
      if (canChangeMode(tables, s, false)) n += allow(mask, at + REMOUNT);
      if (mayBuild(s[frame + F_MOVE]!) && isAlone(tables, s, first)) n += fillTasks(tables, s, first, mask, at);
    }
  }
  const from = groupHex(tables, s);
  if (!forming && !pending && tables.roster.transports.length > 0)
    n += fillPassengers(tables, s, first, from, mask, at);
  const movers = groupMovers(tables, s, s[frame + F_MOVE]!);
  const count = reach(tables, s, movers, from, spent, COSTS_ALONE);
  if (!pending && isBox(from) && mayChangeBox(tables, s))
    for (const box of tables.river.beside[boxOf(from)]!) n += allow(mask, at + BOX + box);
  if (!pending && from >= 0) n += fillWaysBack(tables, s, movers, from, spent, mask, at + BOX);
  let waypoints = 0;
  for (let i = 1; i < count; i++) {
    const h = reached[i]!;
    const opens = (pending || waypoints === 0) && isWaypoint(tables, s, movers, h, spent);
    if (opens) waypoints++;
    if (pending ? opens : mayEnd(tables, s, movers, h)) n += allow(mask, at + HEX + h);
  }
  if (movers.chiefs && forming && isAlone(tables, s, first))
    n += fillReports(tables, s, first, s[frame + F_MOVE]!, mask, at + HEX);
  if (!pending && waypoints > 0 && mayName(tables, s)) n += allow(mask, at + VIA);
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
    if (mayPickUp(tables, s, u, hex) && isOrderable(tables, s, u)) n += allow(mask, at + unitBase(tables.hexes) + u);
  if (mayUnload(tables, s, roster.side[first]!, hex)) n += allow(mask, at + UNLOAD);
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
 * Rule: SOS 8.42, SOS 8.46, SOS 8.70, rulings R132, R133
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
