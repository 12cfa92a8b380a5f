import type { State, StateView } from "../../core/layout.js";
import { KINDS } from "../schema.js";
import * as words from "../layout.js";
import * as told from "../events/told.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { lookRound, moveUnit } from "./hidden.js";
import { eliminate } from "./losses.js";
import { openWindow } from "./opportunity.js";
import { type Movers, moversOf, pinsNewcomers, stepCost } from "./reach.js";
import { announce, inKnownZoc } from "./zoc.js";

// own constants, for speed: see core/layout.ts
const { F_MOVE, F_MP, GROUP, ORDERED, PINNED, WALK, WAYPOINT } = words;
const { enemyOf, firstIn, give, has, nextIn, placeOf, pop, push, takeAll, topFrame } = state;

const LONE = ["leader", "commissar", "op", "transport", "tank-repair", "fortification"].map((k) =>
  KINDS.indexOf(k as (typeof KINDS)[number]),
);

/** The lowest slot of the group, -1: nobody is left of it. */
export function firstOfGroup(world: World, s: StateView): number {
  for (let u = 0; u < world.units; u++) if (has(world, s, u, GROUP)) return u;
  return -1;
}

/** Hex from which the group goes on: its last waypoint, else where it stands. */
export function groupHex(world: World, s: StateView): number {
  const { path, pathLength } = world.layout;
  const n = s[pathLength]!;
  return n > 0 ? s[path + n - 1]! & ~WAYPOINT : placeOf(world, s, firstOfGroup(world, s));
}

/** The group with GROUP as `reach` needs it, what its waypoints cost the members of the other class taken off. */
export function groupMovers(world: World, s: StateView, move: number): Movers {
  const movers = moversOf(world, s, -1, move);
  if (movers.other >= 0) movers.other -= pathCost(world, s, movers.side, !movers.vehicle);
  return movers;
}

/** Half MP that a class pays for the hexes named so far. */
function pathCost(world: World, s: StateView, side: number, vehicle: boolean): number {
  const { board, layout } = world;
  let at = placeOf(world, s, firstOfGroup(world, s));
  let sum = 0;
  for (let i = 0; i < s[layout.pathLength]!; i++) {
    const to = s[layout.path + i]! & ~WAYPOINT;
    sum += stepCost(world, s, side, at, board.sideTo(at, to), vehicle);
    at = to;
  }
  return sum;
}

/** Adds the way of the last reach to a hex to the path. */
export function addWay(world: World, s: State, hex: number, waypoint: boolean): void {
  const { from, steps, layout } = world;
  const start = layout.path + s[layout.pathLength]!;
  for (let h = hex, i = steps[hex]! - 1; i >= 0; h = from[h]!, i--) s[start + i] = h;
  s[layout.pathLength]! += steps[hex]!;
  if (waypoint) s[layout.path + s[layout.pathLength]! - 1]! |= WAYPOINT;
}

/**
 * The group with GROUP sets out on the path named. Under fire in the hex it starts from, but for a retreat.
 * Rule: SOS 11.4, rulings R16, R35
 */
export function startWalk(world: World, s: State, side: number, move: number, halfMp: number): void {
  const { layout } = world;
  const { path } = layout;
  const n = s[layout.pathLength]!;
  for (let i = 0; i < n; i++) s[path + i]! &= ~WAYPOINT;
  s.subarray(path, path + n).reverse();
  for (let u = 0; u < world.units; u++) if (has(world, s, u, GROUP)) give(world, s, u, ORDERED);
  const from = placeOf(world, s, firstOfGroup(world, s));
  const frame = push(world, s, WALK, side, from);
  s[frame + F_MP] = halfMp;
  s[frame + F_MOVE] = move;
  if (move === words.MOVE_RETREAT) return;
  openWindow(world, s, from);
  if (world.narrator !== null && topFrame(world, s) !== frame) told.setsOut(world, s, from);
}

/** The walk on top of the stack goes one hex on, or ends. */
export function continueWalk(world: World, s: State): void {
  const { layout } = world;
  const first = firstOfGroup(world, s);
  if (first < 0 || s[layout.pathLength] === 0 || isHeld(world, s)) endWalk(world, s);
  else stepOn(world, s, first);
}

/** A pin of anybody in the group ends its move. Rule: SOS 9.112 */
function isHeld(world: World, s: StateView): boolean {
  for (let u = 0; u < world.units; u++) if (has(world, s, u, GROUP) && has(world, s, u, PINNED)) return true;
  return false;
}

function stepOn(world: World, s: State, first: number): void {
  const { board, layout, roster } = world;
  const side = roster.side[first]!;
  const from = placeOf(world, s, first);
  const n = s[layout.pathLength]! - 1;
  const to = s[layout.path + n]!;
  s[layout.path + n] = 0;
  s[layout.pathLength] = n;
  const frame = topFrame(world, s);
  const movers = moversOf(world, s, -1, s[frame + F_MOVE]!);
  const paid = stepCost(world, s, side, from, board.sideTo(from, to), movers.vehicle);
  s[frame + F_MP] = Math.max(0, s[frame + F_MP]! - paid);
  s[frame + words.F_HEX] = to + 1;
  for (let u = first; u < world.units; u++) if (has(world, s, u, GROUP)) moveUnit(world, s, u, to);
  if (world.narrator !== null)
    told.steps(world, s, from, to, s[frame + F_MOVE] === words.MOVE_RETREAT, paid, s[frame + F_MP]!);
  arrive(world, s, side, to);
  if (inKnownZoc(world, s, side, to)) {
    if (world.narrator !== null) told.stops(world, side, to);
    dropPath(world, s);
  }
  openWindow(world, s, to);
}

/** What happens to whoever of a side comes into a hex, in whatever way. Rule: SOS 6.5, 9.111 */
export function arrive(world: World, s: State, side: number, hex: number): void {
  overrun(world, s, side, hex);
  announce(world, s, side, hex);
  lookRound(world, s);
  if (!pinsNewcomers(world, s, side, hex)) return;
  if (world.narrator !== null) told.pinned(world, s, told.membersIn(world, s, side, hex), hex, "SOS 9.111");
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (world.roster.side[u] === side && has(world, s, u, GROUP)) give(world, s, u, PINNED);
}

/** Counters that can't hold a hex are gone when the enemy enters it. Rule: SOS 8.08, 9.881 */
function overrun(world: World, s: State, side: number, hex: number): void {
  const { roster } = world;
  for (let u = firstIn(world, s, hex); u >= 0;) {
    const next = nextIn(world, s, u);
    if (roster.side[u] === enemyOf(side) && LONE.includes(roster.kind[u]!)) eliminate(world, s, u, "overrun");
    u = next;
  }
}

function dropPath(world: World, s: State): void {
  const { path, pathLength } = world.layout;
  s.fill(0, path, path + s[pathLength]!);
  s[pathLength] = 0;
}

function endWalk(world: World, s: State): void {
  dropPath(world, s);
  takeAll(world, s, GROUP);
  pop(world, s);
}
