import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as data from "../data.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { placePartisans, redrawFront } from "./front.js";
import { emptyBox, relieveGuderian } from "./pool.js";

// own constants, for speed: see core/layout.ts
const { JANUARY } = data;
const { armyIn, DEAD, isGerman, P, P_GONE, P_TRACK, TRACK } = state;

/** Phase I: Germans regroup and arrive; nothing of theirs moves on the map. Rule: SC 3.9, SC 5.2, SC 7.5, SC 7.6 */
export function germanPhase(w: World, s: State): void {
  emptyBox(w, s);
  if (s[w.L.turn] === JANUARY) relieveGuderian(w, s);
}

/** Phase II begins: VI IC is back, replacement steps are there. Rule: SC 7.4, SC 10.11 */
export function sovietPhase(w: World, s: State): void {
  const { L } = w;
  s[L.interceptor] = 1;
  s[L.replacements] = w.t.replacements;
  s[L.phase] = P.replace;
  if (w.t.replacements === 0) afterReplacements(w, s);
}

/** Reduced armies on the map may get steps; 1E never. Rule: SC 7.4, SC 6.3 */
export function mayReplace(w: World, s: StateView, army: number): boolean {
  return s[w.L.armyHex + army]! >= 0 && s[w.L.armySteps + army]! < w.t.armies[army]!.strength;
}

/** Rule: SC 7.4 */
export function replaceStep(w: World, s: State, army: number): void {
  const { L } = w;
  s[L.armySteps + army]!++;
  s[L.replacements]!--;
  if (s[L.replacements] === 0) afterReplacements(w, s);
}

/** The phase goes on with the turn 3 arrivals. Rule: SC 7.2, SC 7.3, ruling R20 */
export function afterReplacements(w: World, s: State): void {
  const { L } = w;
  s[L.replacements] = 0;
  if (waiting(w, s) >= 0 && s[L.turn] === JANUARY) s[L.phase] = P.enter;
  else afterEntry(w, s);
}

function afterEntry(w: World, s: State): void {
  const { L } = w;
  s[L.phase] = s[L.turn] === JANUARY && s[L.partisan] === P_TRACK ? P.partisan : P.activate;
}

/** An army that waits on the turn track, -1 none. */
export function waiting(w: World, s: StateView): number {
  return armyIn(w, s, TRACK);
}

/** Rule: SC 7.2 */
export function mayEnterMap(w: World, s: StateView, hex: number): boolean {
  return w.t.entry[hex] === 1 && !isGerman(w, s, hex) && armyIn(w, s, hex) < 0;
}

/** @param hex where it enters, or -1: there is no place and the army is lost. Rule: SC 7.2, ruling R20 */
export function enterArmy(w: World, s: State, hex: number): void {
  const { L } = w;
  const army = waiting(w, s);
  s[L.armyHex + army] = hex < 0 ? DEAD : hex;
  s[L.armySteps + army] = hex < 0 ? 0 : w.t.armies[army]!.strength;
  if (waiting(w, s) < 0) afterEntry(w, s);
}

/** German, not fortified, cutting nothing off. Rule: SC 7.3 */
export function mayConvert(w: World, s: StateView, hex: number): boolean {
  return isGerman(w, s, hex) && w.t.fort[hex] === 0 && s[w.L.cut + hex]! <= 0;
}

/** @param hex where the marker goes, or -1: there is no place and it is lost. Rule: SC 7.3, ruling R20 */
export function convert(w: World, s: State, hex: number, dice: Dice): void {
  const { L } = w;
  if (hex < 0) s[L.partisan] = P_GONE;
  else {
    placePartisans(w, s, hex);
    if (!redrawFront(w, s, dice)) return;
  }
  s[L.phase] = P.activate;
}

/** An army that has not entered in its turn is lost. Ruling R20 */
export function closeEntries(w: World, s: State): void {
  const { L } = w;
  for (let a = 0; a < w.armies; a++)
    if (s[L.armyHex + a] === TRACK) {
      s[L.armyHex + a] = DEAD;
      s[L.armySteps + a] = 0;
    }
  if (s[L.partisan] === P_TRACK) s[L.partisan] = P_GONE;
}
