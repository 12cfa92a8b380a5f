import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as data from "../data.js";
import type { Tables } from "../data.js";
import { makeKnown } from "../silence.js";
import * as state from "../state.js";
import { deploy } from "./columns.js";
import { inReach } from "./combat.js";

// own constants, for speed: see core/layout.ts
const { COLUMNS, GERMANS, HEXES, sees, UNITS } = data;
const { columnOf, flareNear, has, isBright, onMap, placeOf, SEEN } = state;

/** Night equipment counts unless the target's hex is bright. Rule: NF 11.2, ruling N6 */
export function nightBonus(t: Tables, s: StateView, u: number, h: number): number {
  return isBright(t, s, h) ? 0 : t.night[u]!;
}

/** What German `u` adds to its die when it looks for something in hex `h`. Rule: NF reconstructed spotting, NF 11.2 */
export function spotBonus(t: Tables, s: StateView, u: number, h: number, distance: number): number {
  const m = t.rules.spotting;
  let bonus = nightBonus(t, s, u, h);
  if (flareNear(t, s, h)) bonus += m.flareInOrAdjacent;
  if (t.cover[h] === 1) bonus += m.targetInWoodsOrTown;
  if (distance === 1) bonus += m.adjacent;
  return bonus;
}

/** Rolls for spotting and turns up what is found. Rule: NF reconstructed spotting @returns whether it succeeded */
export function spot(t: Tables, s: State, u: number, h: number, dice: Dice): boolean {
  const distance = t.distance[placeOf(s, u) * HEXES + h]!;
  if (dice.d6() + spotBonus(t, s, u, h, distance) < distance + t.rules.spotting.needBeyondDistance) return false;
  turnUp(t, s, h, dice);
  return true;
}

/**
 * Turns up all counters of a hex: dummies go, real units stay spotted, a column is replaced by units.
 * Rule: NF reconstructed spotting, NF 11.1 (8.5)
 *
 * @returns whether anything real was there
 */
export function turnUp(t: Tables, s: State, h: number, dice: Dice): boolean {
  let real = false;
  for (let k = GERMANS; k < UNITS; k++) {
    if (placeOf(s, k) !== h || has(s, k, SEEN)) continue;
    makeKnown(t, s, k);
    if (t.dummy[k] === 0) real = true;
  }
  for (let c = 0; c < COLUMNS; c++) {
    if (columnOf(s, c) !== h) continue;
    deploy(t, s, c, dice);
    real = true;
  }
  return real;
}

/** May German `u`, on the map, name the hex of Soviet counter `k` as its target: to attack or to spot? */
export function mayTarget(t: Tables, s: StateView, u: number, k: number): boolean {
  if (!onMap(s, k)) return false;
  const from = placeOf(s, u);
  const to = placeOf(s, k);
  const distance = t.distance[from * HEXES + to]!;
  return (has(s, k, SEEN) ? inReach(t, s, u, k, distance) : distance <= t.rules.spotting.maxRange) && sees(t, from, to);
}

/** The same for the marker of a column, which is only ever spotted. Rule: NF 11.1 (8.5) */
export function maySpotColumn(t: Tables, s: StateView, u: number, c: number): boolean {
  const to = columnOf(s, c);
  if (to < 0) return false;
  const from = placeOf(s, u);
  return t.distance[from * HEXES + to]! <= t.rules.spotting.maxRange && sees(t, from, to);
}

/** Is there any hex that German `u` may name? */
export function hasTarget(t: Tables, s: StateView, u: number): boolean {
  for (let k = GERMANS; k < UNITS; k++) if (mayTarget(t, s, u, k)) return true;
  for (let c = 0; c < COLUMNS; c++) if (maySpotColumn(t, s, u, c)) return true;
  return false;
}
