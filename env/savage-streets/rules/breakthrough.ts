import type { State, StateView } from "../../core/layout.js";
import type { Rules } from "../data.js";
import * as state from "../state.js";
import { germanAreas, putUnit } from "./counters.js";
import { openEvents, returnCombatChits } from "./events.js";
import { reveal } from "./german-movement.js";

// own constants, for speed: see core/layout.ts
const { ask, clearCombat, F, GERMANS, germansIn, KIND, L, markUnit, placeOf, sovietCounterIn, unitHas } = state;

/** Mask of areas open to a breakthrough from `a`: adjacent ones without Germans. Rule: SS 7.31; ruling R27. */
export const breakthroughTargets = (r: Rules, s: StateView, a: number): number => r.data.adjacent[a]! & ~germanAreas(s);

export const mayBreak = (s: StateView, u: number, a: number): boolean => placeOf(s, u) === a && !unitHas(s, u, F.broke);

/** Offers a breakthrough from `a` if somebody can go somewhere. */
export function offerBreakthrough(r: Rules, s: State, a: number): void {
  if (breakthroughTargets(r, s, a) === 0) return;
  for (let u = 0; u < GERMANS; u++) {
    if (!mayBreak(s, u, a)) continue;
    s[L.btArea] = a + 1;
    return;
  }
}

/** Asks where to, then who goes. */
export function askBreakthrough(s: State): void {
  ask(s, s[L.btDest] === 0 ? KIND.btDest : KIND.btUnit, s[L.btArea]! - 1);
}

export function declineBreakthrough(s: State): void {
  s[L.btArea] = 0;
  s[L.btDest] = 0;
  s[L.btUnits] = 0;
  clearCombat(s);
}

/** May `u` still join the breakthrough? */
export const mayJoin = (s: StateView, u: number): boolean =>
  mayBreak(s, u, s[L.btArea]! - 1) && ((s[L.btUnits]! >> u) & 1) === 0;

export function anyoneMayJoin(s: StateView): boolean {
  for (let u = 0; u < GERMANS; u++) if (mayJoin(s, u)) return true;
  return false;
}

/**
 * The chosen units move together; everything at the far end turns face-up and its events begin. Rule: SS 7.31; ruling R18:
 * an area with a combat to come that nobody stays in loses it first.
 */
export function breakThrough(r: Rules, s: State): void {
  const from = s[L.btArea]! - 1;
  const to = s[L.btDest]! - 1;
  const units = s[L.btUnits]!;
  declineBreakthrough(s);
  for (let u = 0; u < GERMANS; u++) {
    if (((units >> u) & 1) === 0) continue;
    putUnit(r, s, u, to);
    markUnit(s, u, F.broke);
  }
  if (germansIn(s, from) === 0 && (s[L.pending]! >> from) & 1) {
    s[L.pending]! &= ~(1 << from);
    returnCombatChits(r, s, from);
  }
  if (!sovietCounterIn(s, to)) return;
  reveal(r, s, to);
  openEvents(r, s, to, true);
}
