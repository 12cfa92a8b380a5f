import { hasBit } from "../../../core/bits.js";
import type { State, StateView } from "../../../core/layout.js";
import type { Play } from "../../../core/play.js";
import { DONE, HEX, unitBase } from "../../actions.js";
import * as events from "../../events/river.js";
import {
  AWAY,
  boxOf,
  DEAD,
  F_UNIT,
  isBox,
  PINNED,
  ROLL_FLOTILLA,
  USED,
  type HexId,
  type UnitId,
} from "../../layout.js";
import { EAST_BOXES } from "../../map/river.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { has, originOf, placeOf, put, setOrigin, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { enterBox, nearestBox } from "./boxes.js";
import { record } from "./fire.js";
import { moveUnit, tellMixed } from "./hidden.js";
import { fits } from "./stacking.js";

/** True when a flotilla unit was on the river in this turn. Ruling R106. */
export const isAtRest = ({ layout, roster }: Tables, s: StateView, unit: number): boolean =>
  roster.boat[unit] === 1 && (s[layout.work + unit]! & USED) !== 0;

/** A new turn: all may be used again. Rule: SOS 16.52 */
export function restBoats(tables: Tables, s: State): void {
  const { layout, roster } = tables;
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++) s[layout.work + u]! &= ~USED;
}

/** True when a flotilla unit may be placed: it is in a box, and neither used nor pinned. Rule: SOS 16.52 */
function mayPlace(tables: Tables, s: StateView, unit: number): boolean {
  const place = placeOf(tables, s, unit);
  if (tables.roster.boat[unit] === 0 || !isBox(place) || boxOf(place) >= EAST_BOXES) return false;
  return !isAtRest(tables, s, unit) && !has(tables, s, unit, PINNED);
}

/** True when it may go to a hex: a solid Volga hex with fewer than two. Rule: SOS 5.5, SOS 16.53 */
const mayBeAt = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  tables.board.volga[hex] === 1 && fits(tables, s, SOVIET, hex, unit);

/** Decision `rf.place`: a flotilla unit, then a Volga hex for it. Rule: SOS 16.52, SOS 16.53, ruling R52 */
export function fillBoats(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const unit = s[topFrame(tables, s) + F_UNIT]! - 1;
  let n = 0;
  if (!tables.flotillaDefends && sideOf(s[tables.layout.phase]!) === GERMAN) return 0;
  if (unit >= 0) {
    for (let h = 0; h < tables.hexes; h++) {
      if (!mayBeAt(tables, s, unit, h)) continue;
      mask[at + HEX + h] = 1;
      n++;
    }
    return n;
  }
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++) {
    if (!mayPlace(tables, s, u)) continue;
    let room = false;
    for (let h = 0; h < tables.hexes && !room; h++) room = mayBeAt(tables, s, u, h);
    if (!room) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + DONE] = 1;
  return n + 1;
}

/** The attack phases in which the flotilla may come are 5 and 8, then the Soviet ones. */
const sideOf = (phase: number): number => (phase < FIRST_SOVIET ? GERMAN : SOVIET);
const FIRST_SOVIET = 10;

/** The unit is named, its hex comes next. */
export function nameBoat(tables: Tables, s: State, unit: UnitId): void {
  s[topFrame(tables, s) + F_UNIT] = unit + 1;
}

/** It comes on the river, and is face up there. Rule: SOS 16.53 */
export function placeBoat(tables: Tables, s: State, hex: HexId, play: Play): void {
  const frame = topFrame(tables, s);
  const unit = s[frame + F_UNIT]! - 1;
  const box = boxOf(placeOf(tables, s, unit));
  s[frame + F_UNIT] = 0;
  if (play.narrator !== null) events.boatComes(tables, unit, box, hex, play);
  moveUnit(tables, s, unit, hex, play);
  setOrigin(tables, s, unit, box);
  tellMixed(tables, play);
}

/** Flotilla units go back when the phase ends in which they came. Rule: SOS 16.56, ruling R106 */
export function returnBoats(tables: Tables, s: State, play: Play): void {
  const { roster } = tables;
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++) {
    const hex = placeOf(tables, s, u);
    if (roster.boat[u] === 0 || hex < 0) continue;
    const from = originOf(tables, s, u);
    const box = from < 0 ? nearestBox(tables, hex) : from;
    if (play.narrator !== null) events.boatReturns(tables, u, hex, box, play);
    enterBox(tables, s, u, box, play);
    tellMixed(tables, play);
  }
}

/**
 * True when a flotilla unit can fire at a hex: a cliff in its range, regardless of what is between. Rule: SOS 16.55,
 * ruling R105
 */
export function boatReaches(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, river, roster } = tables;
  const from = placeOf(tables, s, unit);
  return from >= 0 && hasBit(river.cliffs, 0, hex) && board.distance(from, hex) <= roster.range[unit]!;
}

/** A flotilla unit is lost: it comes back in half as many turns as the die shows. Rule: SOS 16.57, ruling R85 */
export function sink(tables: Tables, s: State, unit: number, play: Play): void {
  const die = play.dice.d10();
  const turns = Math.ceil(die / 2);
  const hex = placeOf(tables, s, unit);
  record(tables, s, ROLL_FLOTILLA, -1, 0, 0, die, 0, turns);
  put(tables, s, unit, DEAD); // takes its markers
  put(tables, s, unit, AWAY - (s[tables.layout.turn]! + turns));
  if (play.narrator !== null) events.sinks(tables, unit, hex, die, turns, play);
}
