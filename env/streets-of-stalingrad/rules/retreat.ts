import type { State, StateView } from "../../core/layout.js";
import * as actions from "../actions.js";
import { GERMAN } from "../roster.js";
import * as words from "../layout.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { isLed } from "./movement.js";
import { moversOf, reach } from "./reach.js";
import { fits } from "./stacking.js";
import { addWay, startWalk } from "./walk.js";
import { KINDS } from "../schema.js";

// own constants, for speed: see core/layout.ts
const { DONE, HEX, unitBase } = actions;
const {
  ASK_RETREAT_HEX,
  ASK_RETREAT_UNIT,
  ATTACKER,
  F_ASK,
  F_UNIT,
  GROUP,
  MOVE_RETREAT,
  OP_PHASE_SHIFT,
  PINNED,
  RETREATED,
} = words;
const { extraOf, firstIn, frameHex, frameUnit, give, has, nextIn, placeOf, push, topFrame } = state;

const FIXED = ["minefield", "bridge", "fortification", "immobilized-tank"].map((k) =>
  KINDS.indexOf(k as (typeof KINDS)[number]),
);

/** Asks the defender of a marked hex who retreats before the combat, if anybody may. Rule: SOS 9.41, 9.42 */
export function openRetreat(world: World, s: State, side: number, hex: number): void {
  push(world, s, ASK_RETREAT_UNIT, side, hex);
}

/** May a unit leave the attacked hex? Rule: SOS 9.43, 9.44, 9.45, 9.46, rulings R35, R68 */
function mayRetreat(world: World, s: StateView, unit: number, hex: number): boolean {
  const { roster } = world;
  if (has(world, s, unit, PINNED | RETREATED) || FIXED.includes(roster.kind[unit]!) || roster.mp[unit] === 0)
    return false;
  if (extraOf(world, s, unit, OP_PHASE_SHIFT) !== 0) return false;
  if (roster.side[unit] !== GERMAN && roster.guards[unit] === 0 && !isLed(world, s, hex)) return false;
  return roster.holder[unit] === 0 || hasOtherHolder(world, s, unit, hex) || armorMayLeave(world, s, unit, hex);
}

function hasOtherHolder(world: World, s: StateView, unit: number, hex: number): boolean {
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (u !== unit && world.roster.holder[u] === 1) return true;
  return false;
}

/** A hex of German armor alone may be given up if no Soviet armor attacks. Rule: SOS 9.45, ruling R68 */
function armorMayLeave(world: World, s: StateView, unit: number, hex: number): boolean {
  const { roster } = world;
  if (roster.side[unit] !== GERMAN) return false;
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (roster.holder[u] === 1 && roster.armored[u] === 0) return false;
  for (let u = 0; u < world.units; u++) if (has(world, s, u, ATTACKER) && roster.armored[u] === 1) return false;
  return true;
}

/** Decision `retreat.unit`. */
export function fillRetreaters(world: World, s: StateView, mask: Uint8Array, at: number): number {
  const hex = frameHex(s, topFrame(world, s));
  let n = 0;
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u)) {
    if (!mayRetreat(world, s, u, hex) || !hasWayOut(world, s, u, hex)) continue;
    mask[at + unitBase(world.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + DONE] = 1;
  return n + 1;
}

function hasWayOut(world: World, s: StateView, unit: number, hex: number): boolean {
  const movers = moversOf(world, s, unit, MOVE_RETREAT);
  const n = reach(world, s, movers, hex, 0);
  for (let i = 1; i < n; i++) if (fits(world, s, movers.side, world.reached[i]!, unit)) return true;
  return false;
}

/** A unit is named to retreat; where to is asked next. */
export function nameRetreater(world: World, s: State, unit: number): void {
  const frame = topFrame(world, s);
  s[frame + F_ASK] = ASK_RETREAT_HEX;
  s[frame + F_UNIT] = unit + 1;
}

/** Decision `retreat.hex`. Rule: SOS 9.47, 9.48 */
export function fillRetreatHexes(world: World, s: StateView, mask: Uint8Array, at: number): number {
  const frame = topFrame(world, s);
  const unit = frameUnit(s, frame);
  const movers = moversOf(world, s, unit, MOVE_RETREAT);
  const count = reach(world, s, movers, frameHex(s, frame), 0);
  let n = 0;
  for (let i = 1; i < count; i++) {
    const h = world.reached[i]!;
    if (!fits(world, s, movers.side, h, unit)) continue;
    mask[at + HEX + h] = 1;
    n++;
  }
  return n;
}

/** The unit named sets out. Rule: SOS 9.47, ruling R35 */
export function retreatTo(world: World, s: State, hex: number): void {
  const frame = topFrame(world, s);
  const unit = frameUnit(s, frame);
  const movers = moversOf(world, s, unit, MOVE_RETREAT);
  reach(world, s, movers, placeOf(world, s, unit), 0);
  addWay(world, s, hex, false);
  s[frame + F_ASK] = ASK_RETREAT_UNIT;
  s[frame + F_UNIT] = 0;
  give(world, s, unit, GROUP | RETREATED);
  startWalk(world, s, movers.side, MOVE_RETREAT, movers.allowance);
}
