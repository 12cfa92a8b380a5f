import { type State, type StateView } from "../core/layout.js";
import { GERMANS, type HexId, NO_HEX, SOVIETS, type UnitId, UNITS } from "./data.js";
import type { Tables } from "./data.js";
import { DEAD, isKnown, L, SEEN } from "./state.js";

/*
 * Contacts: counters face down on the map. A contact that had a German in its reach and did not fire is less likely to
 * be a counter that could have fired. For each contact and each counter it may still be, the state keeps the dice that
 * this counter would have missed there: word `contact * SOVIETS + counter`, four bits each for the number of dice that
 * miss on 1, 2, .. 5 faces of six, bit 20 when the counter could not have missed. All of it derives from what the
 * player saw.
 */

export const IMPOSSIBLE = 1 << 20;

export const missedDiceAt = (contact: number, u: UnitId): number => L.missedDice + contact * SOVIETS + u - GERMANS;

/** Counter `u` would have missed a die at this contact, with `missing` of six faces. */
export function addMissedDie(s: State, contact: number, u: UnitId, missing: number): void {
  const at = missedDiceAt(contact, u);
  if (s[at] === IMPOSSIBLE) return;
  if (missing <= 0) s[at] = IMPOSSIBLE;
  else if (missing < 6) s[at]! += 1 << (4 * (missing - 1));
}

/** Chance that counter `u` had missed all its dice at this contact, 0..1. */
export function chanceOfMissing(s: StateView, contact: number, u: UnitId): number {
  const word = s[missedDiceAt(contact, u)]!;
  if (word === 0) return 1;
  if (word === IMPOSSIBLE) return 0;
  let chance = 1;
  for (let f = 1; f <= 5; f++) for (let n = (word >> (4 * (f - 1))) & 15; n > 0; n--) chance *= f / 6;
  return chance;
}

/** Puts counter `u` face down into hex `h`; contacts are in rising order of their hexes. */
export function addContact(s: State, u: UnitId, h: HexId): void {
  s[L.place + u] = h;
  let j = s[L.contacts]!;
  s[L.contacts]!++;
  for (; j > 0 && s[L.contactHexes + j - 1]! > h; j--) s[L.contactHexes + j] = s[L.contactHexes + j - 1]!;
  s[L.contactHexes + j] = h;
}

/** Counter `u` becomes known: turned up in its hex, or removed as a dummy; its records are deleted. */
export function makeKnown(tables: Tables, s: State, u: UnitId): void {
  const h = s[L.place + u]!;
  for (let j = 0; j < s[L.contacts]!; j++) {
    if (s[L.contactHexes + j] === h) {
      dropContact(s, j);
      break;
    }
  }
  for (let j = 0; j < s[L.contacts]!; j++) s[missedDiceAt(j, u)] = 0;
  if (tables.dummy[u] === 1) s[L.place + u] = DEAD;
  else s[L.flags + u]! |= SEEN;
}

function dropContact(s: State, j: number): void {
  const last = s[L.contacts]! - 1;
  s.copyWithin(L.contactHexes + j, L.contactHexes + j + 1, L.contactHexes + last + 1);
  s[L.contactHexes + last] = NO_HEX;
  s.copyWithin(L.missedDice + j * SOVIETS, L.missedDice + (j + 1) * SOVIETS, L.missedDice + (last + 1) * SOVIETS);
  s.fill(0, L.missedDice + last * SOVIETS, L.missedDice + (last + 1) * SOVIETS);
  s[L.contacts] = last;
}

/** True when a contact may be counter `u` as far as the player knows. */
export function isOpen(s: StateView, u: UnitId): boolean {
  return u < UNITS && !isKnown(s, u);
}
