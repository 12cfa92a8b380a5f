import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as data from "../data.js";
import type { Tables } from "../data.js";
import * as state from "../state.js";
import { eliminate } from "./combat.js";
import { turnUp } from "./spotting.js";
import { endIfNoneLeft } from "./victory.js";

// own constants, for speed: see core/layout.ts
const { GERMANS, HEXES, UNITS } = data;
const {
  activeOf,
  clearFlags,
  columnIn,
  contactIn,
  endActivity,
  EXITED,
  has,
  L,
  MOVE,
  MOVED,
  mpOf,
  placeOf,
  SEEN,
  setFlag,
  setPlace,
  STEP,
  WAITING,
  wrecksIn,
} = state;

const SPOTTED_SOVIET = 0x80;

/** Fills `t.crowd` for `canEnter`: Germans in each hex, and a mark where spotted Soviets are. */
export function countCrowd(t: Tables, s: StateView): void {
  const { crowd } = t;
  crowd.fill(0);
  for (let u = 0; u < GERMANS; u++) if (s[L.place + u]! >= 0) crowd[s[L.place + u]!]!++;
  for (let k = GERMANS; k < UNITS; k++)
    if (s[L.place + k]! >= 0 && has(s, k, SEEN)) crowd[s[L.place + k]!] = SPOTTED_SOVIET;
}

/**
 * Movement points for unit `u` to enter hex `h`, by `t.crowd`; 0 when it may not: no room, or Soviets that have been
 * spotted. Rule: NF reconstructed 8, NF 11.1 (22.3), NF 11.3 G
 */
export function costToEnter(t: Tables, s: StateView, u: number, h: number): number {
  const there = t.crowd[h]!;
  if (there >= t.rules.stacking) return 0; // takes in SPOTTED_SOVIET; the ace isn't a unit: NF 11.1 (4.0)
  return t.enterCost[t.vehicle[u]! * HEXES + h]! + t.rules.moveCost.perFriendlyUnitOrWreck * (there + wrecksIn(s, h));
}

export function mayExit(t: Tables, s: StateView, u: number): boolean {
  const h = placeOf(s, u);
  return h >= 0 && t.grid.columns[h] === t.exitColumn && mpOf(s) >= t.rules.moveCost.exit;
}

export function beginMove(t: Tables, s: State, u: number): void {
  s[L.phase] = STEP;
  s[L.active] = u;
  s[L.mp] = t.mp[u]!;
}

export function endMove(s: State): void {
  setFlag(s, activeOf(s), MOVED);
  endActivity(s, MOVE);
}

/** Moves the active unit one hex, or into an ambush. Rule: NF reconstructed 8, NF 11.3 F; rulings N4, N8 */
export function enterHex(t: Tables, s: State, h: number, dice: Dice): void {
  const u = activeOf(s);
  countCrowd(t, s);
  s[L.mp]! -= costToEnter(t, s, u, h);
  if ((contactIn(s, h) || columnIn(s, h)) && turnUp(t, s, h, dice)) {
    endMove(s);
    return;
  }
  setPlace(s, u, h);
  if (t.ablaze[h] === 0) return;
  eliminate(t, s, u);
  endActivity(s, MOVE);
  endIfNoneLeft(t, s, dice);
}

/** Leaves the map for good. Rule: NF 11.3, ruling N3 */
export function exitMap(t: Tables, s: State, dice: Dice): void {
  const u = activeOf(s);
  setPlace(s, u, EXITED);
  clearFlags(s, u, ~0);
  endActivity(s, MOVE);
  endIfNoneLeft(t, s, dice);
}

/** May this unit be moved now? */
export function mayMove(s: StateView, u: number): boolean {
  const place = placeOf(s, u);
  return (place >= 0 || place === WAITING) && s[L.flags + u] === 0;
}
