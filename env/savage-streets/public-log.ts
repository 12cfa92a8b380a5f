import { InvariantError } from "../core/errors.js";
import type { State, StateView } from "../core/layout.js";
import type { Tables } from "./data.js";
import { type AreaId, AREAS, FIRST_AREA, GERMANS, L, PUBLIC_LOG_WORDS } from "./state.js";

/**
 * The public history of the Soviet side: what the German player could have recorded, one word an entry.
 *
 * bits 0..3 type, 4..7 turn, 8..11 area, 12..15 second area or die, 16..23 id, 24..27 flags
 */
export const ENTRY = {
  init: 1, // area, id = counters, flags CLASS: a count at the start
  land: 2, // area, second = die or 0, id = unit + 1 if it was lost, flags = result of LANDING + 4 * ONLY
  hold: 3, // the Soviet player passed with units waiting; `reachIn`, or nothing where that tells nothing
  chit: 4, // area: a chit was placed
  move: 5, // area, second = to, id = unit + 1 if face-up, flags = CLASS (solo) + 4 if only an SMG company can
  revealUnit: 6, // area, id = unit slot
  revealChit: 7, // area, id = chit kind
  reflip: 8, // area, id = unit slot
  dead: 9, // area, id = unit slot, flags DOWN if it was face-down, EXCESS
  back: 10, // area, id = chit kind + 1, or 0 if the chit was face-down, flags EXCESS
  stranded: 11, // nobody who waited had an area to land in; `reachIn`
} as const;

/** The known class of a face-down counter. */
export const CLASS = { any: 0, unit: 1, chit: 2 } as const;
/** Circle of a landing unit as far as public facts settle it. */
export const ONLY = { open: 0, red: 1, black: 2 } as const;
export const SMG_MOVE = 4;
export const DOWN = 1;
/** A face-up counter was one too many in its area; where a face-down one goes, it always was. Rule: SS 1.21 */
export const EXCESS = 2;

export function record(s: State, type: number, area = 0, second = 0, id = 0, flags = 0): void {
  const n = s[L.publicLogLength]!;
  if (n >= PUBLIC_LOG_WORDS) throw new InvariantError(`the public log holds ${PUBLIC_LOG_WORDS} entries`);
  s[L.publicLog + n] = type | (s[L.turn]! << 4) | (area << 8) | (second << 12) | (id << 16) | (flags << 24);
  s[L.publicLogLength] = n + 1;
}

/** Lettered areas, which come first, take no part in landings. */
const LETTERED = 3;
const REACH = (1 << (AREAS - LETTERED)) - 1;

/**
 * The end of a landing step: units that could land were held back, or none could.
 *
 * @param black where units without a red circle could have gone, room aside, as a mask of areas; `red` those with one
 */
export function recordRiver(s: State, type: number, black: number, red: number): void {
  record(s, type);
  s[L.publicLog + s[L.publicLogLength]! - 1]! |= ((black >> LETTERED) << 8) | ((red >> LETTERED) << 19);
}

/** These areas, for units without (0) or with (1) a red circle. */
export const reachIn = (w: number, red: number): number => ((w >> (red === 1 ? 19 : 8)) & REACH) << LETTERED;

/** Marks the latest entry as one of an excess counter. */
export function markExcess(s: State): void {
  const at = L.publicLog + s[L.publicLogLength]! - 1;
  if (!isExcess(s[at]!)) s[at]! |= EXCESS << 24;
}

/** True when it is the loss of a counter that was one too many. */
export function isExcess(w: number): boolean {
  if (typeIn(w) === ENTRY.dead) return (flagsIn(w) & (DOWN | EXCESS)) !== 0;
  return typeIn(w) === ENTRY.back && (idIn(w) === 0 || (flagsIn(w) & EXCESS) !== 0);
}

export const entryAt = (s: StateView, i: number): number => s[L.publicLog + i]!;
export const typeIn = (w: number): number => w & 15;
export const turnIn = (w: number): number => (w >> 4) & 15;
export const areaIn = (w: number): AreaId => ((w >> 8) & 15) as AreaId;
export const secondIn = (w: number): number => (w >> 12) & 15;
/** The second area of an entry that has one. */
export const toIn = (w: number): AreaId => secondIn(w) as AreaId;
export const idIn = (w: number): number => (w >> 16) & 255;
export const flagsIn = (w: number): number => (w >> 24) & 15;

/** Fills the public memory from the public log: where each unit last turned face-down. */
export function rememberReflips(s: State): void {
  for (let i = 0; i < s[L.publicLogLength]!; i++) {
    const w = entryAt(s, i);
    const type = typeIn(w);
    const u = idIn(w) - GERMANS;
    if (type === ENTRY.reflip) {
      s[L.lastSeenArea + u] = areaIn(w) + 1;
      s[L.lastSeenTurn + u] = turnIn(w);
    } else if (type === ENTRY.revealUnit || type === ENTRY.dead) {
      s[L.lastSeenArea + u] = 0;
      s[L.lastSeenTurn + u] = 0;
    }
  }
}

/** How many face-down counters the public log puts into each area; -1 where it takes away what is not there. */
export function hiddenByPublicLog(s: StateView): Int32Array {
  const n = new Int32Array(AREAS);
  for (let i = 0; i < s[L.publicLogLength]!; i++) {
    const w = entryAt(s, i);
    const a = areaIn(w);
    if (n.some((k) => k < 0)) break;
    const type = typeIn(w);
    const id = idIn(w);
    if (type === ENTRY.init) n[a]! += id;
    else if ((type === ENTRY.land && (flagsIn(w) & 3) === 0) || type === ENTRY.chit || type === ENTRY.reflip) n[a]!++;
    else if (
      type === ENTRY.revealUnit ||
      type === ENTRY.revealChit ||
      (type === ENTRY.back && id === 0) ||
      (type === ENTRY.dead && (flagsIn(w) & DOWN) !== 0)
    )
      n[a]!--;
    else if (type === ENTRY.move && id === 0) {
      n[a]!--;
      if (n[a]! >= 0) n[secondIn(w)]!++;
    }
  }
  return n;
}

/**
 * The initial public history of a position without one: the face-down counters, of unknown class except in solitaire
 * play.
 */
export function beginPublicLog(
  tables: Tables,
  s: State,
  hiddenUnits: (a: AreaId) => number,
  hiddenChits: (a: AreaId) => number,
): void {
  for (let a = FIRST_AREA; a < AREAS; a++) {
    const units = hiddenUnits(a);
    const chits = hiddenChits(a);
    if (!tables.solo && units + chits > 0) record(s, ENTRY.init, a, 0, units + chits, CLASS.any);
    if (tables.solo && units > 0) record(s, ENTRY.init, a, 0, units, CLASS.unit);
    if (tables.solo && chits > 0) record(s, ENTRY.init, a, 0, chits, CLASS.chit);
  }
}
