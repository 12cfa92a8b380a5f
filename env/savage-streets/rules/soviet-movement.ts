import type { State, StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { CLASS, ENTRY, record, SMG_MOVE } from "../public-log.js";
import * as told from "../events/soviet.js";
import { UNTHROWN } from "../events/throws.js";
import {
  AREAS,
  ask,
  chitPlaceOf,
  CHITS,
  chitsIn,
  clearUnit,
  FLAG,
  GERMANS,
  germansIn,
  DECISION,
  L,
  placeOf,
  sovietsIn,
  turnOf,
  UNITS,
  unitHas,
} from "../state.js";
import { chitLimit, germanAreas, putChit, putUnit, sovietStackFits } from "./counters.js";

/**
 * Mask of areas a Soviet counter in `from` may move to. Rule: SS 4.1; ruling R6: from beside Germans it may not move to
 * other Germans, units and chits alike; SS 9.5, SS 9.51: SMG companies may.
 */
export function sovietDestinations(tables: Tables, s: StateView, from: number, smg: boolean): number {
  const near = tables.data.adjacent[from]! & tables.data.numbered;
  if (germansIn(s, from) === 0 || (smg && tables.infiltration)) return near;
  return near & ~germanAreas(s);
}

export const isSmg = (tables: Tables, u: number): boolean => tables.data.smg[u] === 1;

export const unitMayMove = (tables: Tables, s: StateView, u: number): boolean =>
  placeOf(s, u) < AREAS &&
  !unitHas(s, u, FLAG.moved) &&
  sovietDestinations(tables, s, placeOf(s, u), isSmg(tables, u)) !== 0;

export const chitMayMove = (tables: Tables, s: StateView, c: number): boolean =>
  chitPlaceOf(s, c) < AREAS &&
  (s[L.chitFlags + c]! & (FLAG.moved | FLAG.faceUp)) === 0 &&
  sovietDestinations(tables, s, chitPlaceOf(s, c), false) !== 0;

/** Could only an SMG company go from `from` to `to`? */
const smgOnly = (s: StateView, from: number, to: number): boolean => germansIn(s, from) > 0 && germansIn(s, to) > 0;

/** @param thrown for the narrator: the unit's dice (solitaire) */
export function moveSovietUnit(
  tables: Tables,
  s: State,
  u: number,
  to: number,
  thrown: readonly number[] = UNTHROWN,
): void {
  const from = placeOf(s, u);
  const open = unitHas(s, u, FLAG.faceUp);
  const flags = (tables.solo ? CLASS.unit : CLASS.any) | (!open && smgOnly(s, from, to) ? SMG_MOVE : 0);
  if (tables.narrator !== null) told.sovietMove(tables, s, u, from, to, (flags & SMG_MOVE) !== 0, thrown);
  record(s, ENTRY.move, from, to, open ? u + 1 : 0, flags);
  putUnit(tables, s, u, to);
  s[L.unitFlags + u]! |= FLAG.moved;
}

export function moveChit(tables: Tables, s: State, c: number, to: number, thrown: readonly number[] = UNTHROWN): void {
  if (tables.narrator !== null) told.sovietMove(tables, s, UNITS + c, chitPlaceOf(s, c), to, false, thrown);
  record(s, ENTRY.move, chitPlaceOf(s, c), to, 0, tables.solo ? CLASS.chit : CLASS.any);
  putChit(tables, s, c, to);
  s[L.chitFlags + c]! |= FLAG.moved;
}

/** Does the limit for chits or units fail in `a`? */
export const sovietOverfull = (tables: Tables, s: StateView, a: number): boolean =>
  !sovietStackFits(tables, s, a, -1) || chitsIn(s, a) > chitLimit(tables);

/** Asks what to remove from the first overfull area; false when there is none. Rule: SS 1.21; ruling R11. */
export function askSovietExcess(tables: Tables, s: State): boolean {
  for (let a = 0; a < AREAS; a++) {
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
export function endSovietMovement(tables: Tables, s: State): void {
  if (tables.narrator !== null)
    told.marksRemoved(tables, s, FLAG.moved, "Soviet movement is over: its marks are removed.");
  for (let u = GERMANS; u < UNITS; u++) clearUnit(s, u, FLAG.moved);
  for (let c = 0; c < CHITS; c++) s[L.chitFlags + c]! &= ~FLAG.moved;
  for (let a = 0; a < AREAS; a++) {
    if (sovietsIn(s, a) === 0 || germansIn(s, a) > 0) continue;
    const turned: number[] | null = tables.narrator === null ? null : [];
    for (let u = GERMANS; u < UNITS; u++) {
      if (placeOf(s, u) !== a || !unitHas(s, u, FLAG.faceUp)) continue;
      if (turned !== null) turned.push(u);
      clearUnit(s, u, FLAG.faceUp | FLAG.revealedThisTurn);
      record(s, ENTRY.reflip, a, 0, u);
      s[L.lastSeenArea + u - GERMANS] = a + 1;
      s[L.lastSeenTurn + u - GERMANS] = turnOf(s);
    }
    if (turned !== null && turned.length > 0) told.turnedDown(tables, turned, a);
  }
}
