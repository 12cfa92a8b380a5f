import type { State, StateView } from "../../core/layout.js";
import * as actions from "../actions.js";
import { RETREATS, RETREATS_OR_LOSES, STAYS } from "../board.js";
import { KINDS } from "../schema.js";
import * as words from "../layout.js";
import * as toldCombat from "../events/combat.js";
import * as told from "../events/told.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { moveUnit } from "./hidden.js";
import { dropHelpless, eliminate, takeLosses } from "./losses.js";
import { leaderIn } from "./movement.js";
import { fits } from "./stacking.js";
import { arrive } from "./walk.js";
import { inKnownZoc, isBlocked } from "./zoc.js";

// own constants, for speed: see core/layout.ts
const { HEX, RETREAT, SACRIFICE, unitBase } = actions;
const {
  ASK_AFTER_CHOICE,
  ASK_AFTER_HEX,
  ASK_AFTER_UNIT,
  CAUSE_SACRIFICE,
  EXPOSED,
  F_ACTOR,
  F_ASK,
  F_NEED,
  F_STEPS,
  F_UNIT,
  GROUP,
  LEFT,
  MARK_ATTACK,
} = words;
const {
  anyHas,
  enemyOf,
  firstIn,
  frameHex,
  frameUnit,
  give,
  has,
  markingSide,
  markOf,
  nextIn,
  placeOf,
  pop,
  push,
  take,
  takeAll,
  topFrame,
} = state;

const kinds = (...names: (typeof KINDS)[number][]) => names.map((k) => KINDS.indexOf(k));
const FORT = KINDS.indexOf("fortification");
const MAKES_NO_CHOICE = kinds(
  "leader",
  "commissar",
  "op",
  "fortification",
  "minefield",
  "bridge",
  "tank-repair",
  "immobilized-tank",
);
const FOLLOWS = kinds("leader", "commissar", "op");

/**
 * The defenders of a hex have to leave it, or may choose to. After a P everybody on open ground goes, elsewhere the owner may
 * keep the hex for one unit, in built-up hexes only NKVD units without a leader go.
 * Rule: SOS 9.87, 9.88, 9.883, 9.884, 12.6, rulings R38, R39, R55, R92
 *
 * @param steps hexes to go: 1 after a P, 2 after a counter-attack
 */
export function openAfter(world: World, s: State, side: number, hex: number, steps: number): void {
  const { roster } = world;
  const ground = steps === 2 ? RETREATS : groundOf(world, s, hex);
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (
      roster.side[u] === side &&
      !MAKES_NO_CHOICE.includes(roster.kind[u]!) &&
      (ground !== STAYS || roster.nkvd[u] === 1)
    )
      give(world, s, u, LEFT);
  if (!anyHas(world, s, LEFT)) return;
  const chooses = ground === STAYS ? leaderIn(world, s, hex, false) : ground === RETREATS_OR_LOSES;
  const frame = push(world, s, chooses ? ASK_AFTER_CHOICE : ASK_AFTER_UNIT, side, hex);
  s[frame + F_STEPS] = steps;
  if (world.narrator !== null) toldCombat.leaves(world, side, hex, ruleOf(steps), chooses ? "may" : "must", steps);
}

const ruleOf = (steps: number): string => (steps === 2 ? "SOS 12.6" : "SOS 9.87");

/** What a P asks in a hex: a fort on open ground lets its owner choose. Rule: SOS 9.88 */
function groundOf(world: World, s: StateView, hex: number): number {
  const ground = world.board.retreatOnP[hex]!;
  if (ground !== RETREATS) return ground;
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (world.roster.kind[u] === FORT) return RETREATS_OR_LOSES;
  return ground;
}

/** Decision `after.choice`: `sacrifice` keeps the hex if another stack unit remains. Ruling R38. */
export function fillChoice(world: World, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  if (anyCanGo(world, s)) n += set(mask, at + RETREAT);
  if (maySacrifice(world, s)) n += set(mask, at + SACRIFICE);
  return n;
}

function set(mask: Uint8Array, i: number): 1 {
  mask[i] = 1;
  return 1;
}

function maySacrifice(world: World, s: StateView): boolean {
  const { roster } = world;
  let stack = 0;
  let given = 0;
  for (let u = firstIn(world, s, frameHex(s, topFrame(world, s))); u >= 0; u = nextIn(world, s, u)) {
    if (roster.stackUnit[u] === 0) continue;
    stack++;
    if (has(world, s, u, LEFT)) given++;
  }
  return given > 0 && stack > 1;
}

/** The owner keeps the hex and gives up a unit. Rule: SOS 9.88 */
export function sacrifice(world: World, s: State): void {
  const frame = topFrame(world, s);
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  takeAll(world, s, EXPOSED);
  for (let u = 0; u < world.units; u++)
    if (has(world, s, u, LEFT) && world.roster.stackUnit[u] === 1) give(world, s, u, EXPOSED);
  takeAll(world, s, LEFT);
  if (world.narrator !== null) toldCombat.leaves(world, side, hex, "SOS 9.88", "stays", 0);
  pop(world, s);
  takeLosses(world, s, side, hex, 1, CAUSE_SACRIFICE, false);
}

/** The owner retreats. */
export function chooseRetreat(world: World, s: State): void {
  const frame = topFrame(world, s);
  s[frame + F_ASK] = ASK_AFTER_UNIT;
  if (world.narrator !== null)
    toldCombat.leaves(world, s[frame + F_ACTOR]!, frameHex(s, frame), "SOS 9.88", "goes", s[frame + F_STEPS]!);
}

/** Decision `after.unit`: who goes next. */
export function fillUnits(world: World, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = 0; u < world.units; u++)
    if (has(world, s, u, LEFT) && hasWayOut(world, s, u)) n += set(mask, at + unitBase(world.hexes) + u);
  return n;
}

function anyCanGo(world: World, s: StateView): boolean {
  for (let u = 0; u < world.units; u++) if (has(world, s, u, LEFT) && hasWayOut(world, s, u)) return true;
  return false;
}

/** A unit is named; its hex is asked next. */
export function nameUnit(world: World, s: State, unit: number): void {
  const frame = topFrame(world, s);
  s[frame + F_ASK] = ASK_AFTER_HEX;
  s[frame + F_UNIT] = unit + 1;
}

/** Decision `after.hex`. */
export function fillHexes(world: World, s: StateView, mask: Uint8Array, at: number): number {
  const { board } = world;
  const unit = frameUnit(s, topFrame(world, s));
  const from = placeOf(world, s, unit) * 6;
  let n = 0;
  for (let d = from; d < from + 6; d++) if (mayGo(world, s, unit, d)) n += set(mask, at + HEX + board.neighbours[d]!);
  return n;
}

function hasWayOut(world: World, s: StateView, unit: number): boolean {
  const from = placeOf(world, s, unit) * 6;
  for (let d = from; d < from + 6; d++) if (mayGo(world, s, unit, d)) return true;
  return false;
}

/** May a retreating unit go over a side of its hex? The first of two steps must leave a second. Rule: SOS 9.87, rulings R38, R39 */
function mayGo(world: World, s: StateView, unit: number, edge: number): boolean {
  const { board } = world;
  const frame = topFrame(world, s);
  const hex = frameHex(s, frame);
  if (!isOpen(world, s, unit, edge)) return false;
  const to = board.neighbours[edge]!;
  if (s[frame + F_STEPS] === 1)
    return isQuiet(world, s, unit, to) && fits(world, s, world.roster.side[unit]!, to, unit);
  const distance = board.distance(hex, placeOf(world, s, unit));
  if (board.distance(hex, to) <= distance) return false;
  if (distance === 1) return fits(world, s, world.roster.side[unit]!, to, unit);
  for (let e = to * 6; e < to * 6 + 6; e++) {
    const second = board.neighbours[e]!;
    if (second < 0 || board.distance(hex, second) !== 2 || !isOpen(world, s, unit, e)) continue;
    if (fits(world, s, world.roster.side[unit]!, second, unit)) return true;
  }
  return false;
}

/** Can a unit enter the hex over a side, free of enemies and their zones of control? */
function isOpen(world: World, s: StateView, unit: number, edge: number): boolean {
  const { board, roster } = world;
  const to = board.neighbours[edge]!;
  if (to < 0 || (roster.vehicle[unit] === 1 ? board.vehicleCost : board.footCost)[edge] === 0) return false;
  return !isBlocked(world, s, roster.side[unit]!, to) && !inKnownZoc(world, s, roster.side[unit]!, to);
}

/** Is a hex neither going to be attacked nor under bombardment by the enemy? Rule: SOS 9.87 */
function isQuiet(world: World, s: StateView, unit: number, hex: number): boolean {
  const enemy = enemyOf(world.roster.side[unit]!);
  if (s[world.layout.bombs + enemy * world.hexes + hex] !== 0) return false;
  return markOf(world, s, hex) !== MARK_ATTACK || markingSide(world, s) !== enemy;
}

/** The unit named goes one hex. */
export function goTo(world: World, s: State, hex: number): void {
  const { board } = world;
  const frame = topFrame(world, s);
  const unit = frameUnit(s, frame);
  const from = frameHex(s, frame);
  give(world, s, unit, GROUP);
  const at = placeOf(world, s, unit);
  moveUnit(world, s, unit, hex);
  if (world.narrator !== null) told.goes(world, s, unit, at, "retreats");
  arrive(world, s, world.roster.side[unit]!, hex);
  take(world, s, unit, GROUP);
  const steps = s[frame + F_STEPS]!;
  if (steps === 2 && board.distance(from, hex) < 2) {
    if (!hasWayOut(world, s, unit)) lose(world, s, frame, unit); // a zone of control was announced
    return;
  }
  take(world, s, unit, LEFT);
  if (s[frame + F_NEED] === 0) s[frame + F_NEED] = unit + 1;
  s[frame + F_ASK] = ASK_AFTER_UNIT;
  s[frame + F_UNIT] = 0;
}

function lose(world: World, s: State, frame: number, unit: number): void {
  eliminate(world, s, unit, "no-way");
  s[frame + F_ASK] = ASK_AFTER_UNIT;
  s[frame + F_UNIT] = 0;
}

/** Nobody can go any more: who is left is eliminated, leaders follow, forts are given up. Rule: SOS 9.87, 9.881, ruling R38 */
export function closeAfter(world: World, s: State): void {
  const { roster } = world;
  const frame = topFrame(world, s);
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  const first = s[frame + F_NEED]! - 1;
  for (let u = 0; u < world.units; u++) if (has(world, s, u, LEFT)) eliminate(world, s, u, "no-way");
  pop(world, s);
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (roster.side[u] === side && roster.holder[u] === 1) return;
  const to = first >= 0 ? placeOf(world, s, first) : -1;
  for (let u = firstIn(world, s, hex); u >= 0;) {
    const next = nextIn(world, s, u);
    if (to >= 0 && roster.side[u] === side && FOLLOWS.includes(roster.kind[u]!) && fits(world, s, side, to, u)) {
      moveUnit(world, s, u, to);
      if (world.narrator !== null) told.goes(world, s, u, hex, "retreats", true);
    }
    u = next;
  }
  dropHelpless(world, s, side, hex);
}
