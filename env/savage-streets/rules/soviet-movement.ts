import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { CHIT_AT, UNIT } from "../actions.js";
import type { Tables } from "../data.js";
import { CLASS, ENTRY, markExcess, record, SMG_MOVE } from "../public-log.js";
import * as events from "../events/soviet.js";
import { UNTHROWN } from "../events/throws.js";
import {
  type AreaId,
  AREAS,
  ask,
  chitHas,
  type ChitId,
  chitOfCounter,
  chitPlaceOf,
  CHITS,
  chitsIn,
  clearUnit,
  type CounterId,
  counterOfChit,
  DECISION,
  FIRST_AREA,
  FIRST_CHIT,
  FLAG,
  GERMANS,
  germansIn,
  isUnit,
  L,
  NO_CHIT_KIND,
  NO_UNIT,
  placeOf,
  sovietsIn,
  turnOf,
  unitHas,
  type UnitId,
  UNITS,
} from "../state.js";
import { chitLimit, germanAreas, killUnit, putChit, putUnit, returnChit, sovietStackFits } from "./counters.js";

/**
 * Mask of areas a Soviet counter in `from` may move to. Rule: SS 4.1; ruling R6: from beside Germans it may not move to
 * other Germans, units and chits alike; SS 9.5, SS 9.51: SMG companies may.
 */
export function sovietDestinations(tables: Tables, s: StateView, from: AreaId, smg: boolean): number {
  const near = tables.data.adjacent[from]! & tables.data.numbered;
  if (germansIn(s, from) === 0 || (smg && tables.infiltration)) return near;
  return near & ~germanAreas(s);
}

export const isSmg = (tables: Tables, u: UnitId): boolean => tables.data.smg[u] === 1;

export const unitMayMove = (tables: Tables, s: StateView, u: UnitId): boolean =>
  placeOf(s, u) < AREAS &&
  !unitHas(s, u, FLAG.moved) &&
  sovietDestinations(tables, s, placeOf(s, u), isSmg(tables, u)) !== 0;

export const chitMayMove = (tables: Tables, s: StateView, c: ChitId): boolean =>
  chitPlaceOf(s, c) < AREAS &&
  (s[L.chitFlags + c]! & (FLAG.moved | FLAG.faceUp)) === 0 &&
  sovietDestinations(tables, s, chitPlaceOf(s, c), false) !== 0;

/** Destinations of a unit or a chit. */
export function destinations(tables: Tables, s: StateView, counter: CounterId): number {
  return isUnit(counter)
    ? sovietDestinations(tables, s, placeOf(s, counter), isSmg(tables, counter))
    : sovietDestinations(tables, s, chitPlaceOf(s, chitOfCounter(counter)), false);
}

export const counterMayMove = (tables: Tables, s: StateView, counter: CounterId): boolean =>
  isUnit(counter) ? unitMayMove(tables, s, counter) : chitMayMove(tables, s, chitOfCounter(counter));

/** Marks the counters that may move: of the chits of a kind in an area one, since they are alike. @returns how many */
export function markMovers(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (!unitMayMove(tables, s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  const { chitKind } = tables.data;
  let lastKind = NO_CHIT_KIND;
  let seen = 0;
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    if (chitKind[c] !== lastKind) {
      lastKind = chitKind[c]!;
      seen = 0;
    }
    if (!chitMayMove(tables, s, c)) continue;
    const bit = 1 << chitPlaceOf(s, c);
    if (seen & bit) continue;
    seen |= bit;
    mask[at + CHIT_AT + c] = 1;
    n++;
  }
  return n;
}

export function moveCounter(tables: Tables, s: State, counter: CounterId, to: AreaId, play: Play): void {
  if (isUnit(counter)) moveSovietUnit(tables, s, counter, to, play);
  else moveChit(tables, s, chitOfCounter(counter), to, play);
}

/** True when only an SMG company could go from `from` to `to`. */
const smgOnly = (s: StateView, from: AreaId, to: AreaId): boolean => germansIn(s, from) > 0 && germansIn(s, to) > 0;

/** @param thrown for the narrator: the unit's dice (solitaire) */
export function moveSovietUnit(
  tables: Tables,
  s: State,
  u: UnitId,
  to: AreaId,
  play: Play,
  thrown: readonly number[] = UNTHROWN,
): void {
  const from = placeOf(s, u);
  const open = unitHas(s, u, FLAG.faceUp);
  const flags = (tables.solo ? CLASS.unit : CLASS.any) | (!open && smgOnly(s, from, to) ? SMG_MOVE : 0);
  if (play.narrator !== null) events.sovietMove(tables, s, u, from, to, (flags & SMG_MOVE) !== 0, thrown, play);
  record(s, ENTRY.move, from, to, open ? u + 1 : 0, flags);
  putUnit(tables, s, u, to, play);
  s[L.unitFlags + u]! |= FLAG.moved;
}

export function moveChit(
  tables: Tables,
  s: State,
  c: ChitId,
  to: AreaId,
  play: Play,
  thrown: readonly number[] = UNTHROWN,
): void {
  if (play.narrator !== null)
    events.sovietMove(tables, s, counterOfChit(c), chitPlaceOf(s, c), to, false, thrown, play);
  record(s, ENTRY.move, chitPlaceOf(s, c), to, 0, tables.solo ? CLASS.chit : CLASS.any);
  putChit(tables, s, c, to, play);
  s[L.chitFlags + c]! |= FLAG.moved;
}

/** True when the limit for chits or units is exceeded in `a`. */
export const sovietOverfull = (tables: Tables, s: StateView, a: AreaId): boolean =>
  !sovietStackFits(tables, s, a, NO_UNIT) || chitsIn(s, a) > chitLimit(tables);

/** Marks units while they are too many, then chits, one of each kind and face. Ruling R11. @returns how many */
export function markSovietExcess(tables: Tables, s: StateView, a: AreaId, mask: Uint8Array, at: number): number {
  let n = 0;
  if (!sovietStackFits(tables, s, a, NO_UNIT)) {
    for (let u = GERMANS; u < UNITS; u++) {
      if (placeOf(s, u) !== a) continue;
      mask[at + UNIT + u] = 1;
      n++;
    }
    return n;
  }
  let last = -1;
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== a) continue;
    const face = faceOf(tables, s, c);
    if (face === last || seenBefore(tables, s, c, a, face)) continue;
    last = face;
    mask[at + CHIT_AT + c] = 1;
    n++;
  }
  return n;
}

/** The kind of a chit and which side is up. */
const faceOf = (tables: Tables, s: StateView, c: ChitId): number =>
  tables.data.chitKind[c]! * 2 + (chitHas(s, c, FLAG.faceUp) ? 1 : 0);

function seenBefore(tables: Tables, s: StateView, c: ChitId, a: AreaId, face: number): boolean {
  for (let i = FIRST_CHIT; i < c; i++) if (chitPlaceOf(s, i) === a && faceOf(tables, s, i) === face) return true;
  return false;
}

/** Rule: SS 1.21; ruling R11. */
export function removeUnitExcess(tables: Tables, s: State, u: UnitId, play: Play): void {
  if (play.narrator !== null) events.sovietExcess(tables, u, placeOf(s, u), play);
  killUnit(tables, s, u, play);
  markExcess(s);
}

/** Rule: SS 1.21; ruling R11. */
export function removeChitExcess(tables: Tables, s: State, c: ChitId, play: Play): void {
  returnChit(tables, s, c, play);
  markExcess(s);
}

/** Asks what to remove from the first overfull area; false when there is none. Rule: SS 1.21; ruling R11. */
export function askSovietExcess(tables: Tables, s: State): boolean {
  for (let a = FIRST_AREA; a < AREAS; a++) {
    if (!sovietOverfull(tables, s, a)) continue;
    ask(s, DECISION.sovExcess, a);
    return true;
  }
  return false;
}

/**
 * Face-up units without Germans beside them turn face-down; movement marks go. Rule: SS 4.2; ruling R13 for
 * strongpoints.
 */
export function endSovietMovement(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null)
    events.marksRemoved(tables, s, FLAG.moved, "Soviet movement is over: its marks are removed.", play);
  for (let u = GERMANS; u < UNITS; u++) clearUnit(s, u, FLAG.moved);
  for (let c = FIRST_CHIT; c < CHITS; c++) s[L.chitFlags + c]! &= ~FLAG.moved;
  for (let a = FIRST_AREA; a < AREAS; a++) {
    if (sovietsIn(s, a) === 0 || germansIn(s, a) > 0) continue;
    const turned: UnitId[] | null = play.narrator === null ? null : [];
    for (let u = GERMANS; u < UNITS; u++) {
      if (placeOf(s, u) !== a || !unitHas(s, u, FLAG.faceUp)) continue;
      if (turned !== null) turned.push(u);
      clearUnit(s, u, FLAG.faceUp | FLAG.revealedThisTurn);
      record(s, ENTRY.reflip, a, 0, u);
      s[L.lastSeenArea + u - GERMANS] = a + 1;
      s[L.lastSeenTurn + u - GERMANS] = turnOf(s);
    }
    if (turned !== null && turned.length > 0) events.turnedDown(tables, turned, a, play);
  }
}
