import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { ENTRY, record } from "../public-log.js";
import * as events from "../events/chits.js";
import { UNTHROWN } from "../events/throws.js";
import {
  type AreaId,
  AREAS,
  ask,
  type ChitId,
  chitPlaceOf,
  CHITS,
  chitsIn,
  CONTROL,
  DECISION,
  FIRST_AREA,
  FIRST_CHIT,
  HAND,
  L,
  NO_AREA,
  NO_CHIT,
  NO_UNIT,
  PILE,
} from "../state.js";
import { chitLimit, controlled, putChit, returnChit } from "./counters.js";

/** The `i`-th chit of the pile, in slot order. */
export function pileChit(s: StateView, i: number): ChitId {
  let k = i;
  for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) === PILE && k-- === 0) return c;
  return NO_CHIT;
}

export function pileSize(s: StateView): number {
  let n = 0;
  for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) === PILE) n++;
  return n;
}

/** Draws up to `n` chits into the hand. Rule: SS 3.0; ruling R12: fewer when the pile is short. */
export function drawChits(
  tables: Tables,
  s: State,
  n: number,
  play: Play,
  nameOf: (s: StateView, i: number) => string,
): void {
  for (let k = 0; k < n; k++) {
    const left = pileSize(s);
    if (left === 0) break;
    const c = pileChit(s, play.dice.draw(left, nameOf));
    s[L.chitPlace + c] = HAND;
    s[L.chitRank + c] = handSize(s) - 1;
  }
  if (play.narrator !== null) events.chitsDrawn(tables, s, hand(s), play);
}

export function handSize(s: StateView): number {
  let n = 0;
  for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) === HAND) n++;
  return n;
}

/** The chits of the hand in the order drawn. */
function hand(s: StateView): ChitId[] {
  const held: ChitId[] = [];
  for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) === HAND) held[s[L.chitRank + c]!] = c;
  return held;
}

/** The chit of the hand that was drawn first, or -1. */
export function firstInHand(s: StateView): ChitId {
  for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) === HAND && s[L.chitRank + c] === 0) return c;
  return NO_CHIT;
}

/** Mask of areas that take one more chit. Rule: SS 3.0, SS 1.21. */
export function chitAreas(tables: Tables, s: StateView): number {
  let m = controlled(s, CONTROL.soviet) | controlled(s, CONTROL.contested);
  for (let a = FIRST_AREA; a < AREAS; a++) if (chitsIn(s, a) >= chitLimit(tables)) m &= ~(1 << a);
  return m;
}

/** Asks where the first chit of the hand goes; false when the hand is empty. */
export function askChit(tables: Tables, s: State, play: Play): boolean {
  for (let c = firstInHand(s); c >= 0; c = firstInHand(s)) {
    if (chitAreas(tables, s) !== 0) {
      ask(s, DECISION.chitPlace, NO_AREA, NO_UNIT, c);
      return true;
    }
    returnChit(tables, s, c, play); // ruling R12: no area takes it
  }
  return false;
}

/** @param thrown for the narrator: the dice that named the area (solitaire) */
export function placeChit(
  tables: Tables,
  s: State,
  c: ChitId,
  a: AreaId,
  play: Play,
  thrown: readonly number[] = UNTHROWN,
): void {
  if (play.narrator !== null) events.chitPlaced(tables, c, a, thrown, play);
  putChit(tables, s, c, a, play);
  record(s, ENTRY.chit, a);
}
