import type { State, StateView } from "../core/layout.js";
import {
  type ColumnId,
  COLUMNS,
  FIRST_COLUMN,
  FIRST_UNIT,
  GERMANS,
  type HexId,
  NO_HEX,
  NO_UNIT,
  SOVIETS,
  type UnitId,
  UNITS,
} from "./data.js";
import type { Tables } from "./data.js";
import { DEAD, GROUND_WORDS, L, OFF, POOL, SEEN, WAITING } from "./layout.js";

export * from "./layout.js";

/** A byte a hex, four to a word: wrecks in the low bits, a flare in the top one. */
const WRECKS = 0x7f;
const FLARE = 0x80;

export const phaseOf = (s: StateView): number => s[L.phase]!;
export const turnOf = (s: StateView): number => s[L.turn]!;
export const placeOf = (s: StateView, u: UnitId): HexId => s[L.place + u]! as HexId;
export const onMap = (s: StateView, u: UnitId): boolean => s[L.place + u]! >= 0;
export const has = (s: StateView, u: UnitId, flag: number): boolean => (s[L.flags + u]! & flag) !== 0;
export const columnOf = (s: StateView, c: ColumnId): HexId => s[L.columns + c]! as HexId;
/** Not 0 when a wreck or a flare is in the hex. */
export const groundOf = (s: StateView, h: HexId): number => (s[L.ground + (h >> 2)]! >>> ((h & 3) * 8)) & 0xff;
export const wrecksIn = (s: StateView, h: HexId): number => groundOf(s, h) & WRECKS;
export const isLit = (s: StateView, h: HexId): boolean => (groundOf(s, h) & FLARE) !== 0;
export const activeOf = (s: StateView): UnitId => s[L.active]! as UnitId;
export const mpOf = (s: StateView): number => s[L.mp]!;
export const targetOf = (s: StateView): HexId => s[L.target]! as HexId;
export const aceOf = (s: StateView): UnitId => s[L.ace]! as UnitId;
/** The hex of contact `j`. */
export const contactHex = (s: StateView, j: number): HexId => s[L.contactHexes + j]! as HexId;

/** True when the player knows which counter this is: turned up on the map, or eliminated. */
export const isKnown = (s: StateView, u: UnitId): boolean => has(s, u, SEEN) || s[L.place + u] === DEAD;
/** True when it is face down in a hex. This reads the true state, so only rules and notation may ask. */
export const isHidden = (s: StateView, u: UnitId): boolean => onMap(s, u) && !has(s, u, SEEN);

/** Germans waiting or on the map: while there are some the game goes on. */
export function germansLeft(s: StateView): number {
  let n = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (s[L.place + u]! >= 0 || s[L.place + u] === WAITING) n++;
  return n;
}

export function countAt(s: StateView, place: HexId): number {
  let n = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (s[L.place + u] === place) n++;
  return n;
}

/** Germans in a hex. */
export function germansIn(s: StateView, h: HexId): number {
  return countAt(s, h);
}

/** True when a column marker is in this hex. */
export function columnIn(s: StateView, h: HexId): boolean {
  for (let c = FIRST_COLUMN; c < COLUMNS; c++) if (s[L.columns + c] === h) return true;
  return false;
}

/** True when a counter is face down in this hex. */
export function contactIn(s: StateView, h: HexId): boolean {
  for (let j = 0; j < s[L.contacts]!; j++) if (s[L.contactHexes + j] === h) return true;
  return false;
}

/** True when this unit has a working gun: by type, or restored. Rule: NF 11.3 C */
export function hasGun(tables: Tables, s: StateView, u: UnitId): boolean {
  return tables.antitank[u] === 1 || isRestored(tables, s, u);
}

export function isRestored(tables: Tables, s: StateView, u: UnitId): boolean {
  const r = tables.restorable[u]!;
  return r > 0 && s[L.reinstated + r - 1] === 1;
}

export function rangeOf(tables: Tables, s: StateView, u: UnitId): number {
  return isRestored(tables, s, u) ? tables.restoredRange[u]! : tables.range[u]!;
}

/**
 * True when this hex is bright: near fire, in or beside a flare or a wreck. There night equipment gives nothing, and
 * the Soviets see better. Rule: NF 11.2, ruling N6
 */
export function isBright(tables: Tables, s: StateView, h: HexId): boolean {
  if (tables.nearFire[h] === 1 || groundOf(s, h) !== 0) return true;
  const { neighbours } = tables.grid;
  for (let d = h * 6; d < h * 6 + 6; d++) if (neighbours[d]! >= 0 && groundOf(s, neighbours[d]!) !== 0) return true;
  return false;
}

/** True when a flare is in this hex or beside it. */
export function flareNear(tables: Tables, s: StateView, h: HexId): boolean {
  if (isLit(s, h)) return true;
  const { neighbours } = tables.grid;
  for (let d = h * 6; d < h * 6 + 6; d++) if (neighbours[d]! >= 0 && isLit(s, neighbours[d]!)) return true;
  return false;
}

export const setPhase = (s: State, phase: number): void => {
  s[L.phase] = phase;
};
export const setPlace = (s: State, u: UnitId, place: HexId): void => {
  s[L.place + u] = place;
};
export const setFlag = (s: State, u: UnitId, flag: number): void => {
  s[L.flags + u]! |= flag;
};
export const clearFlags = (s: State, u: UnitId, flags: number): void => {
  s[L.flags + u]! &= ~flags;
};
export const setColumn = (s: State, c: ColumnId, place: HexId): void => {
  s[L.columns + c] = place;
};
export const addWrecks = (s: State, h: HexId, n: number): void => {
  const more = Math.min(n, WRECKS - wrecksIn(s, h));
  s[L.ground + (h >> 2)]! += more << ((h & 3) * 8);
};
export const lightFlare = (s: State, h: HexId): void => {
  s[L.ground + (h >> 2)]! |= FLARE << ((h & 3) * 8);
};
export const douseFlares = (s: State): void => {
  for (let w = 0; w < GROUND_WORDS; w++) s[L.ground + w]! &= 0x7f7f7f7f;
};

/** Ends the action of the active unit. */
export function endActivity(s: State, phase: number): void {
  s[L.phase] = phase;
  s[L.active] = NO_UNIT;
  s[L.mp] = 0;
  s[L.target] = NO_HEX;
}

/** An empty board: the base of `start` and of a position document. */
export function clearBoard(tables: Tables, s: State): void {
  for (let i = L.turn; i < s.length; i++) s[i] = 0;
  s[L.turn] = 1;
  s[L.budget] = tables.budget;
  for (let u = FIRST_UNIT; u < UNITS; u++) s[L.place + u] = POOL;
  for (let c = FIRST_COLUMN; c < COLUMNS; c++) s[L.columns + c] = OFF;
  for (let j = 0; j < SOVIETS; j++) s[L.contactHexes + j] = NO_HEX;
  s[L.active] = NO_UNIT;
  s[L.target] = NO_HEX;
  s[L.ace] = NO_UNIT;
}
