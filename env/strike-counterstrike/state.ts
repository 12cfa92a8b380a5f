import { nthBit, setBit } from "../core/bits.js";
import type { State, StateView } from "../core/layout.js";
import { type ArmyId, type CounterId, FIRST_ARMY, type HexId, NO_ARMY, type Tables } from "./data.js";
import { FACE_DOWN, PARTISAN_HEX, PHASE, POOL } from "./layout.js";
import type { StateLayout } from "./layout.js";

/** The `i`-th counter of the pool in slot order, which nobody sees: draws are uniform whatever the order. */
export const poolSlot = (L: StateLayout, s: StateView, i: number): CounterId => nthBit(s, L.poolBits, i) as CounterId;

/** The decision that is open: index into `PHASES`. */
export const phaseOf = (tables: Tables, s: StateView): number => s[tables.L.phase]!;
export const isGerman = (tables: Tables, s: StateView, hex: HexId): boolean => s[tables.L.german + hex] === 1;
export const markerAt = (tables: Tables, s: StateView, hex: HexId): number => s[tables.L.marker + hex]!;
/** The hex of an army, below 0 off the map. */
export const hexOfArmy = (tables: Tables, s: StateView, army: ArmyId): HexId => s[tables.L.armyHex + army]! as HexId;
/** The moving force, -1 none. */
export const activeArmy = (tables: Tables, s: StateView): ArmyId => (s[tables.L.active]! - 1) as ArmyId;
/** The army that 1E rides with, -1 none. */
export const hostOf = (tables: Tables, s: StateView): ArmyId => (s[tables.L.host]! - 1) as ArmyId;
export const battleHex = (tables: Tables, s: StateView): HexId => (s[tables.L.battleHex]! - 1) as HexId;
/** The hex that the force in battle came from. */
export const originHex = (tables: Tables, s: StateView): HexId => (s[tables.L.from]! - 1) as HexId;
/** The hex that the partisan marker holds alone, below 0 none. */
export const partisanHex = (tables: Tables, s: StateView): HexId => (s[tables.L.partisan]! - PARTISAN_HEX) as HexId;

/** Sets the place of a counter. */
export function setPlace(tables: Tables, s: State, slot: CounterId, place: number): void {
  const { L } = tables;
  s[L.place + slot] = place;
  setBit(s, L.poolBits, slot, place === POOL);
  setBit(s, L.openBits, slot, place > FACE_DOWN);
}

/** Sets the marker of a hex: 0, slot + 1 of a counter face down, GARRISONED. */
export function setMarker(tables: Tables, s: State, hex: HexId, marker: number): void {
  const { L } = tables;
  s[L.marker + hex] = marker;
  setBit(s, L.markerBits, hex, marker > 0);
}

/** Sets control of a hex: 1 the Germans, 0 the Soviets. */
export function setGerman(tables: Tables, s: State, hex: HexId, german: number): void {
  const { L } = tables;
  s[L.german + hex] = german;
  setBit(s, L.germanBits, hex, german === 1);
}

/** Sets which Soviet area a hex touches: -1, 0, 1, 2 as in `front`. */
export function setFront(tables: Tables, s: State, hex: HexId, touch: number): void {
  const { L } = tables;
  s[L.front + hex] = touch;
  setBit(s, L.frontBits, hex, touch === 1);
}

/** The army in a hex, -1 none. Rule: SC 2.2, SC 6.1, SC 6.2 */
export function armyIn(tables: Tables, s: StateView, hex: HexId): ArmyId {
  const { armyHex } = tables.L;
  for (let a = FIRST_ARMY; a < tables.armyCount; a++) if (s[armyHex + a] === hex) return a;
  return NO_ARMY;
}

/** Clears the fields of the battle. */
export function clearBattle(tables: Tables, s: State): void {
  const { L } = tables;
  if (s[L.pocketSize] !== 0) for (let h = 0; h < tables.hexCount; h++) s[L.pocket + h] = 0;
  for (let i = L.battleHex; i <= L.pocketSize; i++) s[i] = 0;
}

/** The force is done for the turn. Rule: SC 9.8 */
export function endActivation(tables: Tables, s: State): void {
  const { L } = tables;
  s[L.armyStopped + activeArmy(tables, s)] = 1;
  s[L.active] = 0;
  s[L.mp] = 0;
  s[L.phase] = PHASE.activate;
}

/** Ends the game. */
export function finish(tables: Tables, s: State, result: number): void {
  s[tables.L.result] = result;
  s[tables.L.phase] = PHASE.over;
}

export const isOver = (tables: Tables, s: StateView): boolean => s[tables.L.result] !== 0;
