import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as data from "../data.js";
import type { Tables } from "../data.js";
import { addContact } from "../silence.js";
import * as state from "../state.js";
import { drawReserve } from "./reserve.js";

// own constants, for speed: see core/layout.ts
const { GERMANS, RESTORABLE, TRUCK } = data;
const { clearBoard, DEAD, L, POOL, WAITING } = state;

/** The first counter of a type at `place`, -1 when there is none. */
export function firstAt(t: Tables, s: StateView, type: number, place: number): number {
  const from = t.first[type]!;
  for (let u = from; u < from + t.count[type]!; u++) if (s[L.place + u] === place) return u;
  return -1;
}

/** Deals the contacts face down, in the order of the map's list. Rule: NF reconstructed 8 */
export function setUp(t: Tables, s: State, dice: Dice): void {
  clearBoard(t, s);
  for (let i = 0; i < t.contacts.length; i++) addContact(s, drawReserve(t, s, dice, true), t.contacts[i]!);
}

/** Rule: NF 11.3 A, NF 11.4; artillery and captured tanks aren't on the list: NF 11.3 I, J */
export function mayBuy(t: Tables, s: StateView, type: number): boolean {
  return t.cost[type]! <= s[L.budget]! && firstAt(t, s, type, POOL) >= 0;
}

export function buy(t: Tables, s: State, type: number): void {
  s[L.budget]! -= t.cost[type]!;
  s[L.place + firstAt(t, s, type, POOL)] = WAITING;
}

/** A truck's load gives a bought JagdPanther or StuG its gun back, once. Rule: NF 11.3 C */
export function mayReinstate(t: Tables, s: StateView, r: number): boolean {
  return (
    s[L.reinstated + r] === 0 && firstAt(t, s, restoredType(t, r), WAITING) >= 0 && firstAt(t, s, TRUCK, WAITING) >= 0
  );
}

export function reinstate(t: Tables, s: State, r: number): void {
  s[L.reinstated + r] = 1;
  s[L.place + firstAt(t, s, TRUCK, WAITING)] = DEAD;
}

function restoredType(t: Tables, r: number): number {
  return t.types.findIndex((x) => x.type === RESTORABLE[r]);
}

/** With the option, the ace rides in the first bought vehicle that has a weight. Rule: NF 11.1 (4.0), NF N9 */
export function placeAce(t: Tables, s: State): void {
  if (!t.panzerAce) return;
  for (let u = 0; u < GERMANS; u++) {
    if (s[L.place + u] === WAITING && t.weight[u]! > 0) {
      s[L.ace] = u;
      return;
    }
  }
}
