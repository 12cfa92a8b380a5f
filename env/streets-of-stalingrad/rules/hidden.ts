import type { State, StateView } from "../../core/layout.js";
import { KINDS } from "../schema.js";
import * as words from "../layout.js";
import { SOVIET } from "../roster.js";
import * as told from "../events/told.js";
import * as state from "../state.js";
import type { World } from "../state.js";

// own constants, for speed: see core/layout.ts
const { KNOWN, SHOWN } = words;
const { firstIn, give, has, nextIn, placeOf, put, take } = state;

const BLIND = ["fortification", "minefield", "bridge"].map((k) => KINDS.indexOf(k as (typeof KINDS)[number]));

/** Does nobody look out from this counter? */
export const isBlind = ({ roster }: World, unit: number): boolean => BLIND.includes(roster.kind[unit]!);

/** Does the ground of a hex hide this unit? Rule: SOS 7.1, 7.2, 8.13 */
export const hides = ({ board, roster }: World, unit: number, hex: number): boolean =>
  (roster.vehicle[unit] === 1 ? board.clearForVehicles[hex] : board.clearForFoot[hex]) === 0;

/**
 * Does the enemy see the face of a unit on the map now? Soviets in the open always, Germans there if a Soviet unit has a line
 * of sight. Rule: SOS 7.1, 7.2, 7.4, 7.5, ruling R91
 */
export function isVisible(world: World, s: StateView, unit: number): boolean {
  if (!world.hidden || has(world, s, unit, SHOWN)) return true;
  const hex = placeOf(world, s, unit);
  if (hides(world, unit, hex)) return false;
  return world.roster.side[unit] === SOVIET || isWatched(world, s, hex);
}

function isWatched(world: World, s: StateView, hex: number): boolean {
  const { board, roster } = world;
  for (let u = roster.germans; u < world.units; u++) {
    const from = placeOf(world, s, u);
    if (from >= 0 && !isBlind(world, u) && board.sight.sees(from, hex)) return true;
  }
  return false;
}

/** Notes what each side sees now: a face once seen is known while its place is certain. Ruling R10. */
export function lookRound(world: World, s: State): void {
  for (let u = 0; u < world.units; u++)
    if (placeOf(world, s, u) >= 0 && !has(world, s, u, KNOWN) && isVisible(world, s, u)) {
      give(world, s, u, KNOWN);
      if (world.narrator !== null) told.reveals(world, s, u);
    }
}

/** Turns a unit face up until the end of the attack phase. Rule: SOS 7.5, 7.6 */
export function reveal(world: World, s: State, unit: number): void {
  const wasKnown = has(world, s, unit, KNOWN);
  give(world, s, unit, SHOWN | KNOWN);
  if (world.narrator !== null && !wasKnown) told.reveals(world, s, unit);
}

/**
 * Moves a unit to a hex and keeps both sides' knowledge: whoever goes face down is no longer known, nor is any other face-down
 * counter with the same back where it left or arrived. Ruling R10.
 */
export function moveUnit(world: World, s: State, unit: number, to: number): void {
  const from = placeOf(world, s, unit);
  const seenBefore = isVisible(world, s, unit);
  put(world, s, unit, to);
  const seenNow = isVisible(world, s, unit);
  if (!seenBefore) {
    if (!seenNow) forget(world, s, unit);
    forgetAlike(world, s, unit, from);
  }
  if (!seenNow) forgetAlike(world, s, unit, to);
}

function forgetAlike(world: World, s: State, unit: number, hex: number): void {
  const { roster } = world;
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (
      u !== unit &&
      roster.side[u] === roster.side[unit] &&
      roster.tag[u] === roster.tag[unit] &&
      has(world, s, u, KNOWN) &&
      !isVisible(world, s, u)
    )
      forget(world, s, u);
}

function forget(world: World, s: State, unit: number): void {
  if (world.narrator !== null && has(world, s, unit, KNOWN)) told.mixesIn(world, unit);
  take(world, s, unit, KNOWN);
}

/** Counters that fired or attacked lie face down again. Rule: SOS 7.6 */
export function turnDown(world: World, s: State): void {
  if (world.narrator !== null) told.turnedDown(world, s);
  for (let u = 0; u < world.units; u++) take(world, s, u, SHOWN);
}
