import * as bitwise from "../../core/bits.js";
import type { Dice } from "../../core/dice.js";
import type { State } from "../../core/layout.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { drawCounter, poolHolds, toPool } from "./pool.js";

// own constants, for speed: see core/layout.ts
const { lowest } = bitwise;
const { battleHex, FACE_DOWN, isGerman, P_GONE, P_HEX, partisanHex, setFront, setGerman, setMarker, setPlace } = state;

/**
 * A hex changes to Soviet control, once and for all: the front moves, the counts of the victory checks follow. What it
 * cuts off has to be measured when all hexes have changed (`settleControl`). Rule: SC 3.7, SC 3.8, ruling R2
 *
 * @param touch what its German neighbours become: 1 front, 2 beside the unlinked partisan hex only
 */
export function capture(w: World, s: State, hex: number, touch: 1 | 2 = 1): void {
  const { L, t } = w;
  if (s[L.german + hex] === 0) return;
  setGerman(w, s, hex, 0);
  setFront(w, s, hex, -1);
  s[L.forts]! += t.fort[hex]!;
  s[L.westHeld]! += t.western[hex]!;
  s[L.kHeld]! += t.kLine[hex]!;
  s[L.beside]! -= t.guarded[hex]!;
  touchNeighbours(w, s, hex, touch);
}

function touchNeighbours(w: World, s: State, hex: number, touch: 1 | 2): void {
  const { neighbours } = w.t.grid;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const k = neighbours[d]!;
    if (k >= 0 && s[w.L.front + k]! !== -1 && s[w.L.front + k]! !== 1) setFront(w, s, k, touch);
  }
}

/** All that follows from who controls which hex, from nothing: for set-ups and checks. */
export function surveyFront(w: World, s: State): void {
  const { L, t } = w;
  s[L.forts] = s[L.westHeld] = s[L.kHeld] = s[L.beside] = 0;
  for (let h = 0; h < w.hexes; h++) {
    if (s[L.german + h] === 1) s[L.beside]! += t.guarded[h]!;
    else {
      s[L.forts]! += t.fort[h]!;
      s[L.westHeld]! += t.western[h]!;
      s[L.kHeld]! += t.kLine[h]!;
    }
    setFront(w, s, h, s[L.german + h]! - 1);
  }
  for (let h = 0; h < w.hexes; h++)
    if (s[L.german + h] === 0) touchNeighbours(w, s, h, h === partisanHex(w, s) ? 2 : 1);
  w.cuts.measure(s, L.german, s, L.cut);
}

/** The partisan marker leaves as soon as a neighbour of its hex is Soviet. Rule: SC 7.3, ruling R17 */
export function linkPartisans(w: World, s: State): void {
  const { L } = w;
  const hex = partisanHex(w, s);
  if (hex < 0) return;
  for (let d = 0; d < 6; d++) {
    const n = w.t.grid.neighbour(hex, d);
    if (n >= 0 && !isGerman(w, s, n)) {
      s[L.partisan] = P_GONE;
      touchNeighbours(w, s, hex, 1);
      return;
    }
  }
}

/** The partisan marker takes a hex. Rule: SC 7.3 */
export function placePartisans(w: World, s: State, hex: number): void {
  capture(w, s, hex, 2);
  dislodge(w, s, hex);
  s[w.L.partisan] = P_HEX + hex;
  settleControl(w, s);
}

/** After hexes changed hands: links the partisans, then measures what each German hex holds open. Rule: SC 7.3, SC 8.4, rulings R3, R7 */
export function settleControl(w: World, s: State): void {
  linkPartisans(w, s);
  w.cuts.measure(s, w.L.german, s, w.L.cut);
}

/** Takes the marker of a hex off the map, without saying where the counter goes. @returns its slot */
export function liftMarker(w: World, s: State, hex: number): number {
  const { L } = w;
  const slot = s[L.marker + hex]! - 1;
  setMarker(w, s, hex, 0);
  s[L.placed + hex] = 0;
  s[L.faceDown]!--;
  return slot;
}

/** A marker that lost its hex without a battle is shown and put in the pool. Rule: SC 7.3, SC 4.4, ruling R14 */
export function dislodge(w: World, s: State, hex: number): void {
  if (s[w.L.marker + hex]! > 0) toPool(w, s, liftMarker(w, s, hex));
}

/** Lays a counter face down in a front hex. */
export function layMarker(w: World, s: State, hex: number, slot: number, clock: number): void {
  const { L } = w;
  setMarker(w, s, hex, slot + 1);
  s[L.placed + hex] = clock;
  setPlace(w, s, slot, FACE_DOWN);
  s[L.site + slot] = 0;
  s[L.faceDown]!++;
}

/**
 * Draws a marker for each German hex that touches the main Soviet area and is bare, by ascending hex number.
 * Rule: SC 3.7, ruling R2
 *
 * @returns false when the pool ran out and the game is over
 */
export function redrawFront(w: World, s: State, dice: Dice): boolean {
  const { L, hexWords } = w;
  const { frontBits, marker } = L;
  const battle = battleHex(w, s);
  for (let i = 0; i < hexWords; i++)
    for (let rest = s[frontBits + i]!; rest !== 0; rest &= rest - 1) {
      const h = i * 32 + lowest(rest);
      if (s[marker + h] !== 0 || h === battle) continue;
      const slot = drawCounter(w, s, dice);
      if (slot < 0) return false;
      layMarker(w, s, h, slot, s[L.clock]!);
      if (!poolHolds(w, s)) return false;
    }
  return true;
}

/**
 * Marks the hexes that would lose their way west if `hex` fell. Several separate groups count together.
 * Rule: SC 8.4, ruling R3
 */
export function markPocket(w: World, s: State, hex: number): void {
  const { L } = w;
  const size = s[L.cut + hex]!;
  s[L.pocketSize] = Math.max(0, size);
  if (size > 0) w.cuts.mark(s, L.german, hex, s, L.pocket);
}
