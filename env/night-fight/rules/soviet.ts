import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as data from "../data.js";
import type { Tables } from "../data.js";
import { addSilence, isOpen, makeKnown } from "../silence.js";
import * as state from "../state.js";
import { attack, mayAttack } from "./combat.js";
import { endIfNoneLeft } from "./victory.js";

// own constants, for speed: see core/layout.ts
const { GERMANS, HEXES, sees, UNITS } = data;
const { clearFlags, douseFlares, FIRED, has, isBright, L, lightFlare, MOVED, onMap, placeOf, SEEN, SUPPRESSED } = state;

/** The Soviet step: a flare perhaps, then every unit looks for a target and fires. Rule: NF reconstructed soviet fire */
export function sovietStep(t: Tables, s: State, dice: Dice): void {
  if (t.flareOn[dice.d6()] === 1) fireFlare(s);
  markWary(t, s);
  for (let k = GERMANS; k < UNITS; k++) {
    if (t.dummy[k] === 1) continue;
    if (isOpen(s, k)) noteSilence(t, s, k);
    if (!onMap(s, k) || has(s, k, SUPPRESSED)) continue;
    const h = placeOf(s, k);
    const target = findTarget(t, s, k, h, has(s, k, SEEN));
    if (target < 0) continue;
    if (dice.d6() <= missingFaces(t, s, h, target)) continue;
    if (!has(s, k, SEEN)) makeKnown(t, s, k);
    if (attack(t, s, k, target, dice) && endIfNoneLeft(t, s, dice)) return;
  }
}

/** Lights the hex of the first German on the map. */
function fireFlare(s: State): void {
  for (let u = 0; u < GERMANS; u++) {
    if (!onMap(s, u)) continue;
    lightFlare(s, placeOf(s, u));
    return;
  }
}

/**
 * The nearest German in sight and range that Soviet unit `k`, if it is in hex `h`, may attack, then the lowest slot; -1 for
 * none. Face down it only cares for what is close.
 */
function findTarget(t: Tables, s: StateView, k: number, h: number, seen: boolean): number {
  let nearest = seen ? t.range[k]! : Math.min(t.range[k]!, t.rules.sovietSpotting.unspottedReach);
  let best = -1;
  for (let u = 0; u < GERMANS; u++) {
    const to = s[L.place + u]!;
    if (to < 0) continue;
    const distance = t.distance[h * HEXES + to]!;
    if (distance > nearest || (distance === nearest && best >= 0)) continue;
    if (!mayAttack(t, s, k, u, distance) || !sees(t, h, to)) continue;
    best = u;
    nearest = distance;
  }
  return best;
}

/** Faces of the die with which a Soviet unit in `h` fails to make out German `target`; at most 0 when it can't fail. */
function missingFaces(t: Tables, s: StateView, h: number, target: number): number {
  const m = t.rules.sovietSpotting;
  const to = placeOf(s, target);
  return t.distance[h * HEXES + to]! + m.needBeyondDistance - (isBright(t, s, to) ? m.lit : 0) - 1;
}

/** Marks in `t.crowd` the contacts that have a German close enough to care for; later in the step there are only fewer. */
function markWary(t: Tables, s: StateView): void {
  const reach = t.rules.sovietSpotting.unspottedReach;
  for (let j = 0; j < s[L.contacts]!; j++) {
    const h = s[L.spots + j]!;
    t.crowd[h] = 0;
    for (let u = 0; u < GERMANS; u++)
      if (onMap(s, u) && t.distance[h * HEXES + placeOf(s, u)]! <= reach) t.crowd[h] = 1;
  }
}

/** Writes down for each contact what die counter `k` would roll there now. Reads nothing that the player doesn't know. */
function noteSilence(t: Tables, s: State, k: number): void {
  for (let j = 0; j < s[L.contacts]!; j++) {
    const h = s[L.spots + j]!;
    if (t.crowd[h] === 0) continue;
    const target = findTarget(t, s, k, h, false);
    if (target >= 0) addSilence(s, j, k, missingFaces(t, s, h, target));
  }
}

/** Soviet units shake off suppression, flares burn out, Germans may act again. Rule: NF 11.1 (17.0), NF reconstructed results */
export function endTurn(s: State): void {
  for (let k = GERMANS; k < UNITS; k++) clearFlags(s, k, SUPPRESSED);
  for (let u = 0; u < GERMANS; u++) clearFlags(s, u, MOVED | FIRED);
  douseFlares(s);
}
