import type { State, StateView } from "../../core/layout.js";
import type { Rules } from "../data.js";
import { CLASS, ENTRY, note, SMG_MOVE } from "../ledger.js";
import * as state from "../state.js";
import { chitLimit, germanAreas, putChit, putUnit, sovietStackFits } from "./counters.js";

// own constants, for speed: see core/layout.ts
const {
  AREAS,
  ask,
  chitPlaceOf,
  CHITS,
  chitsIn,
  clearUnit,
  F,
  GERMANS,
  germansIn,
  KIND,
  L,
  placeOf,
  sovietsIn,
  turnOf,
  UNITS,
  unitHas,
} = state;

/**
 * Mask of areas a Soviet counter in `from` may move to. Rule: SS 4.1; ruling R6: beside Germans it may not go among other
 * Germans, chits as little as units; SS 9.5, 9.51: SMG companies may.
 */
export function sovietDestinations(r: Rules, s: StateView, from: number, smg: boolean): number {
  const near = r.data.adjacent[from]! & r.data.numbered;
  if (germansIn(s, from) === 0 || (smg && r.infiltration)) return near;
  return near & ~germanAreas(s);
}

export const isSmg = (r: Rules, u: number): boolean => r.data.smg[u] === 1;

export const unitMayMove = (r: Rules, s: StateView, u: number): boolean =>
  placeOf(s, u) < AREAS && !unitHas(s, u, F.moved) && sovietDestinations(r, s, placeOf(s, u), isSmg(r, u)) !== 0;

export const chitMayMove = (r: Rules, s: StateView, c: number): boolean =>
  chitPlaceOf(s, c) < AREAS &&
  (s[L.chitFlags + c]! & (F.moved | F.faceUp)) === 0 &&
  sovietDestinations(r, s, chitPlaceOf(s, c), false) !== 0;

/** Could only an SMG company go from `from` to `to`? */
const smgOnly = (s: StateView, from: number, to: number): boolean => germansIn(s, from) > 0 && germansIn(s, to) > 0;

export function moveSovietUnit(r: Rules, s: State, u: number, to: number): void {
  const from = placeOf(s, u);
  const open = unitHas(s, u, F.faceUp);
  const flags = (r.solo ? CLASS.unit : CLASS.any) | (!open && smgOnly(s, from, to) ? SMG_MOVE : 0);
  note(s, ENTRY.move, from, to, open ? u + 1 : 0, flags);
  putUnit(r, s, u, to);
  s[L.unitFlags + u]! |= F.moved;
}

export function moveChit(r: Rules, s: State, c: number, to: number): void {
  note(s, ENTRY.move, chitPlaceOf(s, c), to, 0, r.solo ? CLASS.chit : CLASS.any);
  putChit(r, s, c, to);
  s[L.chitFlags + c]! |= F.moved;
}

/** Does the limit for chits or units fail in `a`? */
export const sovietOverfull = (r: Rules, s: StateView, a: number): boolean =>
  !sovietStackFits(r, s, a, -1) || chitsIn(s, a) > chitLimit(r);

/** Asks what to remove from the first overfull area; false when there is none. Rule: SS 1.21; ruling R11. */
export function askSovietExcess(r: Rules, s: State): boolean {
  for (let a = 0; a < AREAS; a++) {
    if (!sovietOverfull(r, s, a)) continue;
    ask(s, KIND.sovExcess, a);
    return true;
  }
  return false;
}

/** Face-up units without Germans beside them turn face-down; movement marks go. Rule: SS 4.2; ruling R13 for strongpoints. */
export function endSovietMovement(s: State): void {
  for (let u = GERMANS; u < UNITS; u++) clearUnit(s, u, F.moved);
  for (let c = 0; c < CHITS; c++) s[L.chitFlags + c]! &= ~F.moved;
  for (let a = 0; a < AREAS; a++) {
    if (sovietsIn(s, a) === 0 || germansIn(s, a) > 0) continue;
    for (let u = GERMANS; u < UNITS; u++) {
      if (placeOf(s, u) !== a || !unitHas(s, u, F.faceUp)) continue;
      clearUnit(s, u, F.faceUp | F.fresh);
      note(s, ENTRY.reflip, a, 0, u);
      s[L.seenArea + u - GERMANS] = a + 1;
      s[L.seenTurn + u - GERMANS] = turnOf(s);
    }
  }
}
