import type { Dice } from "../../core/dice.js";
import type { State } from "../../core/layout.js";
import * as data from "../data.js";
import * as state from "../state.js";
import type { World } from "../state.js";

// own constants, for speed: see core/layout.ts
const { GUDERIAN_ROW, JANUARY } = data;
const { BATTLE, BOX, FACE_DOWN, finish, HAND, POOL, R, REMOVED, setPlace } = state;

/**
 * Takes one counter out of the pool blind and turns it up; it lies nowhere until the caller places it. An empty pool ends
 * the game. Rule: SC 3.3, SC 4.8, ruling R4
 *
 * @returns its slot, -1 when the game has ended
 */
export function drawCounter(w: World, s: State, dice: Dice): number {
  const { L } = w;
  const size = s[L.poolSize]!;
  if (size === 0) {
    finish(w, s, R["sudden-death"]);
    return -1;
  }
  const slot = w.poolSlot(s, dice.draw(size, w.nameOf));
  setPlace(w, s, slot, HAND);
  s[L.poolSize] = size - 1;
  s[L.clock]!++;
  return slot;
}

/** Ends the game when a completed draw has left the pool empty. Rule: SC 4.8, ruling R4 @returns whether it goes on */
export function poolHolds(w: World, s: State): boolean {
  if (s[w.L.poolSize] !== 0) return true;
  finish(w, s, R["sudden-death"]);
  return false;
}

/** Puts a counter that all have seen down at `place`. */
export function layOpen(w: World, s: State, slot: number, place: number, site = 0): void {
  const { L } = w;
  setPlace(w, s, slot, place);
  s[L.site + slot] = site;
  s[L.entered + slot] = 0;
}

/** Guderian has been relieved: he leaves the game when he shows himself. Rule: SC 10.7, ruling R15 */
function leaves(w: World, s: State, slot: number): boolean {
  const { L } = w;
  if (slot !== w.t.guderian || s[L.turn]! < JANUARY) return false;
  layOpen(w, s, slot, REMOVED);
  s[L.purge] = -1;
  return true;
}

/** A counter arrives in the pool, seen by all. Rule: SC 3.3, SC 7.6, ruling R14 */
export function toPool(w: World, s: State, slot: number): void {
  if (leaves(w, s, slot)) return;
  const { L } = w;
  layOpen(w, s, slot, POOL);
  s[L.entered + slot] = ++s[L.clock]!;
  s[L.poolSize]!++;
}

/** A counter waits for the next turn. Rule: SC 2.6, SC 7.6, SC 10.12 */
export function toNextBox(w: World, s: State, slot: number): void {
  if (!leaves(w, s, slot)) toBox(w, s, slot, s[w.L.turn]! + 1);
}

export function toBox(w: World, s: State, slot: number, turn: number): void {
  layOpen(w, s, slot, BOX + turn, s[w.L.boxed + turn]!++);
}

/** The box of this turn joins the pool, in the order in which it filled. Rule: SC 7.5, SC 7.6 */
export function emptyBox(w: World, s: State): void {
  const { L } = w;
  const turn = s[L.turn]!;
  const n = s[L.boxed + turn]!;
  for (let i = 0; i < n; i++)
    for (let c = 0; c < w.counters; c++)
      if (s[L.place + c] === BOX + turn && s[L.site + c] === i) {
        toPool(w, s, c);
        break;
      }
  s[L.boxed + turn] = 0;
}

/** Phase I of turn 3: Guderian leaves the pool; under a marker nobody knows him. Rule: SC 10.7, ruling R15 */
export function relieveGuderian(w: World, s: State): void {
  const { L } = w;
  const place = s[L.place + w.t.guderian]!;
  if (place === POOL) {
    s[L.poolSize]!--;
    layOpen(w, s, w.t.guderian, REMOVED);
  } else if (place === FACE_DOWN) s[L.purge] = s[L.clock]!;
}

/**
 * Whether a counter that turned up for a battle in `hex` stays, or another is drawn in its place: Guderian out of his area
 * goes back to the pool, and leaves the game from turn 3 on. Rule: SC 10.7, rulings R15, R16
 *
 * @returns the slot that fights: itself, the one drawn instead, or -1 when the pool ran out
 */
export function standIn(w: World, s: State, slot: number, hex: number, dice: Dice): number {
  if (slot !== w.t.guderian) return slot;
  const relieved = leaves(w, s, slot);
  if (!relieved && w.t.grid.rows[hex]! >= GUDERIAN_ROW) return slot;
  if (!relieved) layOpen(w, s, slot, BATTLE);
  const other = drawCounter(w, s, dice);
  if (!relieved && other >= 0) toPool(w, s, slot);
  return other;
}
