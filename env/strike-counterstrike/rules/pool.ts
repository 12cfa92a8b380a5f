import type { Play } from "../../core/play.js";
import type { State } from "../../core/layout.js";
import { type CounterId, FIRST_COUNTER, GUDERIAN_ROW, type HexId, JANUARY, NO_COUNTER, type Tables } from "../data.js";
import { BATTLE, BOX, FACE_DOWN, POOL, RESULT, REMOVED, DRAWN } from "../layout.js";
import * as events from "../events/front.js";
import { finish, setPlace, poolSlot } from "../state.js";

/**
 * Takes one counter out of the pool blind and turns it up; it is nowhere until the caller places it. An empty pool
 * ends the game. Rule: SC 3.3, SC 4.8, ruling R4
 *
 * @returns its slot, -1 when the game has ended
 */
export function drawCounter(tables: Tables, s: State, play: Play): CounterId {
  const { L } = tables;
  const size = s[L.poolSize]!;
  if (size === 0) {
    finish(tables, s, RESULT["sudden-death"]);
    return NO_COUNTER;
  }
  const slot = poolSlot(L, s, play.dice.draw(size, tables.nameOf));
  setPlace(tables, s, slot, DRAWN);
  s[L.poolSize] = size - 1;
  s[L.clock]!++;
  if (play.narrator !== null) tables.drawn.push(slot);
  return slot;
}

/** Ends the game when a completed draw has left the pool empty. Rule: SC 4.8, ruling R4 @returns whether it goes on */
export function goesOnWithPool(tables: Tables, s: State): boolean {
  if (s[tables.L.poolSize] !== 0) return true;
  finish(tables, s, RESULT["sudden-death"]);
  return false;
}

/** Puts a counter that all have seen down at `place`. */
export function layOpen(tables: Tables, s: State, slot: CounterId, place: number, site = 0): void {
  const { L } = tables;
  setPlace(tables, s, slot, place);
  s[L.site + slot] = site;
  s[L.entered + slot] = 0;
}

/** A relieved Guderian leaves the game when he is revealed. Rule: SC 10.7, ruling R15 */
function retireGuderian(tables: Tables, s: State, slot: CounterId, play: Play): boolean {
  const { L } = tables;
  if (slot !== tables.guderian || s[L.turn]! < JANUARY) return false;
  layOpen(tables, s, slot, REMOVED);
  s[L.purge] = -1;
  if (play.narrator !== null) events.guderianRetired(tables, play);
  return true;
}

/** A counter arrives in the pool, seen by all. Rule: SC 3.3, SC 7.6, ruling R14 */
export function toPool(tables: Tables, s: State, slot: CounterId, play: Play): void {
  if (retireGuderian(tables, s, slot, play)) return;
  const { L } = tables;
  layOpen(tables, s, slot, POOL);
  s[L.entered + slot] = ++s[L.clock]!;
  s[L.poolSize]!++;
}

/** A counter waits for the next turn. Rule: SC 2.6, SC 7.6, SC 10.12 */
export function toNextBox(tables: Tables, s: State, slot: CounterId, play: Play): void {
  if (!retireGuderian(tables, s, slot, play)) toBox(tables, s, slot, s[tables.L.turn]! + 1);
}

export function toBox(tables: Tables, s: State, slot: CounterId, turn: number): void {
  layOpen(tables, s, slot, BOX + turn, s[tables.L.boxed + turn]!++);
}

/** The box of this turn joins the pool, in the order in which it filled. Rule: SC 7.5, SC 7.6 */
export function emptyBox(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  const turn = s[L.turn]!;
  const n = s[L.boxed + turn]!;
  const joined: CounterId[] | null = play.narrator === null ? null : [];
  for (let i = 0; i < n; i++)
    for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
      if (s[L.place + c] === BOX + turn && s[L.site + c] === i) {
        toPool(tables, s, c, play);
        joined?.push(c);
        break;
      }
  s[L.boxed + turn] = 0;
  if (joined !== null) events.boxEmptied(tables, s, joined, play);
}

/** Phase I of turn 3: Guderian leaves the pool; under a marker he stays until revealed. Rule: SC 10.7, ruling R15 */
export function relieveGuderian(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  const place = s[L.place + tables.guderian]!;
  if (place === POOL) {
    s[L.poolSize]!--;
    layOpen(tables, s, tables.guderian, REMOVED);
    if (play.narrator !== null) events.guderianRetired(tables, play);
  } else if (place === FACE_DOWN) {
    s[L.purge] = s[L.clock]!;
    if (play.narrator !== null) events.guderianRelieved(tables, play);
  }
}

/**
 * True when a counter that turned up for a battle in `hex` stays, or another is drawn in its place: Guderian out of his
 * area goes back to the pool, and leaves the game from turn 3 on. Rule: SC 10.7, rulings R15, R16
 *
 * @returns the slot that fights: itself, the one drawn instead, or -1 when the pool ran out
 */
export function substituteFor(tables: Tables, s: State, slot: CounterId, hex: HexId, play: Play): CounterId {
  if (slot !== tables.guderian) return slot;
  const relieved = retireGuderian(tables, s, slot, play);
  if (!relieved && tables.grid.rows[hex]! >= GUDERIAN_ROW) return slot;
  if (!relieved) layOpen(tables, s, slot, BATTLE);
  const other = drawCounter(tables, s, play);
  if (!relieved && other >= 0) toPool(tables, s, slot, play);
  if (play.narrator !== null && other >= 0) events.guderianReplaced(tables, hex, !relieved, play);
  return other;
}
