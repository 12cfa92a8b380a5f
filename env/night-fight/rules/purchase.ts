import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import {
  GERMAN_TYPES,
  GERMANS,
  RESTORABLE,
  TRUCK,
  type UnitId,
  type HexId,
  type TypeId,
  type GunId,
  FIRST_UNIT,
  NO_UNIT,
  FIRST_TYPE,
  FIRST_GUN,
} from "../data.js";
import type { Tables } from "../data.js";
import { addContact } from "../contacts.js";
import * as events from "../events/index.js";
import { clearBoard, DEAD, L, POOL, WAITING } from "../state.js";
import { drawReserve } from "./reserve.js";

/** The first counter of a type at `place`, -1 when there is none. */
export function firstAt(tables: Tables, s: StateView, type: TypeId, place: HexId): UnitId {
  const from = tables.firstOfType[type]!;
  for (let u = from; u < from + tables.count[type]!; u++) if (s[L.place + u] === place) return u;
  return NO_UNIT;
}

/** Deals the contacts face down, in the order of the map's list. Rule: NF reconstructed 8 */
export function setUp(tables: Tables, s: State, play: Play): void {
  clearBoard(tables, s);
  const dealt: UnitId[] | null = play.narrator === null ? null : [];
  for (let i = 0; i < tables.contacts.length; i++) {
    const u = drawReserve(tables, s, play.dice, true);
    addContact(s, u, tables.contacts[i]!);
    dealt?.push(u);
  }
  if (dealt !== null) events.tellDealt(tables, dealt, play);
}

/** Rule: NF 11.3 A, NF 11.4; artillery and captured tanks are not for sale: NF 11.3 I, J */
export function mayBuy(tables: Tables, s: StateView, type: TypeId): boolean {
  return tables.cost[type]! <= s[L.budget]! && firstAt(tables, s, type, POOL) >= 0;
}

/** Types that may be bought, as bytes from `at` on. */
export function markTypes(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let type = FIRST_TYPE; type < GERMAN_TYPES.length; type++) {
    if (!mayBuy(tables, s, type)) continue;
    mask[at + type] = 1;
    n++;
  }
  return n;
}

export function buyUnit(tables: Tables, s: State, type: TypeId, play: Play): void {
  s[L.budget]! -= tables.cost[type]!;
  const u = firstAt(tables, s, type, POOL);
  s[L.place + u] = WAITING;
  if (play.narrator !== null) events.tellBought(tables, s, u, type, play);
}

/** A truck's load gives a bought JagdPanther or StuG its gun back, once. Rule: NF 11.3 C */
export function mayReinstate(tables: Tables, s: StateView, r: GunId): boolean {
  return (
    s[L.reinstated + r] === 0 &&
    firstAt(tables, s, tables.gunType[r]!, WAITING) >= 0 &&
    firstAt(tables, s, TRUCK, WAITING) >= 0
  );
}

/** Guns that may be restored, as bytes from `at` on. */
export function markGuns(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let r = FIRST_GUN; r < RESTORABLE.length; r++) {
    if (!mayReinstate(tables, s, r)) continue;
    mask[at + r] = 1;
    n++;
  }
  return n;
}

export function restoreGun(tables: Tables, s: State, r: GunId, play: Play): void {
  s[L.reinstated + r] = 1;
  const truck = firstAt(tables, s, TRUCK, WAITING);
  s[L.place + truck] = DEAD;
  if (play.narrator !== null) events.tellReinstated(tables, truck, r, play);
}

/** With the option, the ace rides in the first bought vehicle that has a weight. Rule: NF 11.1 (4.0), NF N9 */
export function placeAce(tables: Tables, s: State, play: Play): void {
  if (!tables.panzerAce) return;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (s[L.place + u] === WAITING && tables.weight[u]! > 0) {
      s[L.ace] = u;
      if (play.narrator !== null) events.tellAce(tables, u, play);
      return;
    }
  }
}
