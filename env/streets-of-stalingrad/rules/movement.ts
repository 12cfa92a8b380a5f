import type { State, StateView } from "../../core/layout.js";
import * as actions from "../actions.js";
import { KINDS } from "../schema.js";
import { GERMAN, SOVIET } from "../roster.js";
import * as words from "../layout.js";
import * as told from "../events/told.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { allowanceOf, type Movers, moversOf, reach, stepCost, stops } from "./reach.js";
import { fits, isOverfull } from "./stacking.js";
import { addWay, firstOfGroup, groupHex, groupMovers, startWalk } from "./walk.js";
import { inKnownZoc, isBlocked } from "./zoc.js";

// own constants, for speed: see core/layout.ts
const { ALL, DONE, HEX, STAY, unitBase, VIA } = actions;
const {
  ASK_MOVE_GROUP,
  F_ACTOR,
  F_HOLD,
  F_MOVE,
  F_MP,
  GROUP,
  MARK_ATTACK,
  MOVE_NORMAL,
  MOVE_RESERVES,
  OP_PHASE_SHIFT,
  ORDERED,
  PINNED,
  RESERVE,
  STAGE_RESERVES,
} = words;
const { extraOf, firstIn, give, has, markOf, nextIn, placeOf, pop, push, takeAll, topFrame } = state;

const RESERVES_DISTANCE = 3;
const NO_WAYPOINTS = ["leader", "commissar", "op", "armored-train"].map((k) =>
  KINDS.indexOf(k as (typeof KINDS)[number]),
);

const moveOf = (world: World, s: StateView): number =>
  s[world.layout.stage] === STAGE_RESERVES ? MOVE_RESERVES : MOVE_NORMAL;

/** May a unit of the side be ordered in this stage, wherever it may then go? Rule: SOS 8.02, 8.03, 9.112 */
function isOrderable(world: World, s: StateView, unit: number): boolean {
  if (placeOf(world, s, unit) < 0 || world.roster.mp[unit] === 0) return false;
  if (has(world, s, unit, PINNED | ORDERED)) return false;
  return s[world.layout.stage] !== STAGE_RESERVES || has(world, s, unit, RESERVE);
}

/** Can a unit that may be ordered go anywhere? Spec 4.1. */
function hasOrder(world: World, s: StateView, unit: number): boolean {
  const { board, roster } = world;
  const side = roster.side[unit]!;
  const from = placeOf(world, s, unit);
  const move = moveOf(world, s);
  const allowance = allowanceOf(world, s, unit, move);
  const zoc = inKnownZoc(world, s, side, from);
  for (let d = 0; d < 6; d++) {
    const to = board.neighbours[from * 6 + d]!;
    if (to < 0) continue;
    const cost = stepCost(world, s, side, from, d, roster.vehicle[unit] === 1);
    if (cost === 0 || cost > allowance || isBlocked(world, s, side, to)) continue;
    if (fits(world, s, side, to, unit) && !(zoc && inKnownZoc(world, s, side, to))) return true;
  }
  const n = reach(world, s, moversOf(world, s, unit, move), from, 0);
  for (let i = 1; i < n; i++) if (fits(world, s, side, world.reached[i]!, unit)) return true;
  return false;
}

/** A hex with more units than it may hold, one of which can move, -1 none: it is thinned out first. Rule: SOS 5.8, ruling R6 */
function overfullHex(world: World, s: StateView, side: number): number {
  const { roster } = world;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    const hex = placeOf(world, s, u);
    if (hex >= 0 && isOrderable(world, s, u) && isOverfull(world, s, side, hex) && hasOrder(world, s, u)) return hex;
  }
  return -1;
}

/** Decision `move.select`: the units that may be ordered. @returns how many actions, 0: nobody can move */
export function fillSelect(world: World, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = world;
  const side = s[topFrame(world, s) + F_ACTOR]!;
  const full = overfullHex(world, s, side);
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!isOrderable(world, s, u) || (full >= 0 && placeOf(world, s, u) !== full) || !hasOrder(world, s, u)) continue;
    mask[at + unitBase(world.hexes) + u] = 1;
    n++;
  }
  if (n === 0 || full >= 0) return n;
  mask[at + DONE] = 1;
  return n + 1;
}

/** A unit is named to move; its group may grow. */
export function selectMover(world: World, s: State, unit: number): void {
  const side = world.roster.side[unit]!;
  give(world, s, unit, GROUP);
  const frame = push(world, s, ASK_MOVE_GROUP, side);
  s[frame + F_MOVE] = moveOf(world, s);
}

/** May a unit be added to the group? Higher slots only, unless `all` takes them. */
function mayJoin(world: World, s: StateView, unit: number, first: number): boolean {
  return (
    !has(world, s, unit, GROUP) &&
    placeOf(world, s, unit) === placeOf(world, s, first) &&
    world.roster.side[unit] === world.roster.side[first] &&
    isOrderable(world, s, unit)
  );
}

const mobility = ({ roster }: World, unit: number): number => (roster.armored[unit] === 1 ? 2 : roster.vehicle[unit]!);

/** Decision `move.group`: more members, or where to go. Spec 4.5. */
export function fillGroup(world: World, s: StateView, mask: Uint8Array, at: number): number {
  const { layout, reached } = world;
  const frame = topFrame(world, s);
  const first = firstOfGroup(world, s);
  const spent = s[frame + F_MP]!;
  const pending = s[frame + F_HOLD] === 1;
  const forming = s[layout.pathLength] === 0 && !pending;
  let n = 0;
  if (forming) {
    let last = first;
    let joiners = 0;
    for (let u = first; u < world.units; u++) if (has(world, s, u, GROUP)) last = u;
    for (let u = firstIn(world, s, placeOf(world, s, first)); u >= 0; u = nextIn(world, s, u)) {
      if (!mayJoin(world, s, u, first)) continue;
      if (mobility(world, u) === mobility(world, first)) joiners++;
      if (u < last) continue;
      mask[at + unitBase(world.hexes) + u] = 1;
      n++;
    }
    if (joiners > 1) n += set(mask, at + ALL);
    n += set(mask, at + STAY);
  }
  const movers = groupMovers(world, s, s[frame + F_MOVE]!);
  const count = reach(world, s, movers, groupHex(world, s), spent);
  let waypoints = 0;
  for (let i = 1; i < count; i++) {
    const h = reached[i]!;
    const opens = (pending || waypoints === 0) && isWaypoint(world, s, movers, h, spent);
    if (opens) waypoints++;
    if (pending ? opens : fits(world, s, movers.side, h, -1)) n += set(mask, at + HEX + h);
  }
  if (!pending && waypoints > 0 && mayName(world, s)) n += set(mask, at + VIA);
  return n;
}

function set(mask: Uint8Array, i: number): 1 {
  mask[i] = 1;
  return 1;
}

/** Groups of trains, leaders and OPs name no waypoints. Ruling R53. */
function mayName(world: World, s: StateView): boolean {
  for (let u = 0; u < world.units; u++)
    if (has(world, s, u, GROUP) && NO_WAYPOINTS.includes(world.roster.kind[u]!)) return false;
  return true;
}

/** Could the group go one hex on from here and stay there? Then the hex may be named as a waypoint. */
function isWaypoint(world: World, s: StateView, movers: Movers, hex: number, spent: number): boolean {
  const { board, cost, otherCost } = world;
  if (stops(world, s, movers, hex)) return false;
  for (let d = 0; d < 6; d++) {
    const to = board.neighbours[hex * 6 + d]!;
    if (to < 0) continue;
    const step = stepCost(world, s, movers.side, hex, d, movers.vehicle);
    if (step === 0 || spent + cost[hex]! + step > movers.allowance) continue;
    if (movers.other >= 0) {
      const theirs = stepCost(world, s, movers.side, hex, d, !movers.vehicle);
      if (theirs === 0 || otherCost[hex]! + theirs > movers.other) continue;
    }
    if (!isBlocked(world, s, movers.side, to) && fits(world, s, movers.side, to, -1)) return true;
  }
  return false;
}

/** An answer to `move.group`. */
export function formGroup(world: World, s: State, action: number): void {
  const frame = topFrame(world, s);
  const first = firstOfGroup(world, s);
  const move = s[frame + F_MOVE]!;
  if (action === STAY) {
    for (let u = 0; u < world.units; u++) if (has(world, s, u, GROUP)) give(world, s, u, ORDERED);
    if (world.narrator !== null) told.stays(world, s, told.group(world, s));
    takeAll(world, s, GROUP);
    pop(world, s);
  } else if (action === VIA) s[frame + F_HOLD] = 1;
  else if (action === ALL) {
    for (let u = firstIn(world, s, placeOf(world, s, first)); u >= 0; u = nextIn(world, s, u))
      if (mayJoin(world, s, u, first) && mobility(world, u) === mobility(world, first)) give(world, s, u, GROUP);
  } else if (action >= unitBase(world.hexes)) give(world, s, action - unitBase(world.hexes), GROUP);
  else {
    const hex = action - HEX;
    const spent = s[frame + F_MP]!;
    const movers = groupMovers(world, s, move);
    reach(world, s, movers, groupHex(world, s), spent);
    const pending = s[frame + F_HOLD] === 1;
    addWay(world, s, hex, pending);
    if (pending) {
      s[frame + F_HOLD] = 0;
      s[frame + F_MP] = spent + world.cost[hex]!;
      return;
    }
    pop(world, s);
    startWalk(world, s, movers.side, move, movers.allowance);
  }
}

/** Names the units that may move in a reserves phase, into zones of control and attacked hexes too. Rule: SOS 8.31, 8.32, 8.34, 18.22, rulings R16, R82 */
export function nameReserves(world: World, s: State, side: number): void {
  const { roster } = world;
  takeAll(world, s, RESERVE);
  for (let u = roster.first(side); u < roster.end(side); u++) if (isReserve(world, s, u)) give(world, s, u, RESERVE);
}

/** Would a unit be free to move if the reserves phase began now? */
export function isReserve(world: World, s: StateView, unit: number): boolean {
  const { board, roster } = world;
  const hex = placeOf(world, s, unit);
  if (hex < 0 || has(world, s, unit, PINNED) || markOf(world, s, hex) === MARK_ATTACK) return false;
  const before = s[world.layout.phase]! - 1;
  if (extraOf(world, s, unit, OP_PHASE_SHIFT) === before) return false;
  let near = false;
  for (let h = 0; h < world.hexes && !near; h++)
    near = markOf(world, s, h) !== 0 && board.distance(hex, h) <= RESERVES_DISTANCE;
  if (!near) return false;
  if (roster.side[unit] === GERMAN) return true;
  if (!isLed(world, s, hex)) return false;
  return leaderIn(world, s, hex, false) || !inKnownZoc(world, s, SOVIET, hex);
}

/** Stand Soviet units in a hex with a leader of any kind, or beside one who is no commissar, Pavlov or Herman? Rule: SOS 8.32, 9.44, 18.21 */
export function isLed(world: World, s: StateView, hex: number): boolean {
  if (leaderIn(world, s, hex, false)) return true;
  const { board } = world;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h >= 0 && leaderIn(world, s, h, true)) return true;
  }
  return false;
}

const COMMISSAR = KINDS.indexOf("commissar");

/** Is there a Soviet leader or commissar in a hex? @param wide only one whose help reaches into adjacent hexes */
export function leaderIn(world: World, s: StateView, hex: number, wide: boolean): boolean {
  const { roster } = world;
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u)) {
    if (roster.side[u] !== SOVIET || roster.leader[u] === 0) continue;
    if (!wide || (roster.kind[u] !== COMMISSAR && roster.counters[u]!.type.hero === undefined)) return true;
  }
  return false;
}
