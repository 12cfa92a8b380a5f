import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import * as events from "../../events/river.js";
import { DEAD, KNOWN, PINNED, POOL, ROLL_TANK, SPENT, type UnitId } from "../../layout.js";
import { SOVIET } from "../../roster.js";
import { KINDS, TERRAINS } from "../../schema.js";
import { give, placeOf, put } from "../../state.js";
import type { Tables } from "../../state.js";
import { record } from "./fire.js";

export const TANK = KINDS.indexOf("tank");
export const WRECK = KINDS.indexOf("immobilized-tank");
const BUILT_UP = ["city", "industrial"].map((t) => TERRAINS.indexOf(t as (typeof TERRAINS)[number]));

/** True when a unit that is lost in a hex may stay there as an immobilised tank. Rule: SOS 16.31 */
export const mayStay = ({ board, river, roster }: Tables, unit: number, hex: number): boolean =>
  river.open &&
  roster.side[unit] === SOVIET &&
  roster.kind[unit] === TANK &&
  hex >= 0 &&
  BUILT_UP.includes(board.terrain[hex]!);

/** A counter that is not in play, -1 none. Ruling R88. */
export function freeCounter(tables: Tables, s: StateView): UnitId {
  const { roster } = tables;
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++) {
    const place = placeOf(tables, s, u);
    if (roster.kind[u] === WRECK && (place === POOL || place === DEAD)) return u;
  }
  return -1 as UnitId;
}

/**
 * A tank was lost: its die says whether it holds on without moving, under the markers that it had. Rule: SOS 16.32,
 * ruling R51
 */
export function leaveWreck(tables: Tables, s: State, unit: number, hex: number, markers: number, play: Play): void {
  const die = play.dice.d10();
  const stays = die <= tables.charts.wreckUpTo;
  record(tables, s, ROLL_TANK, -1, 0, 0, die, 0, stays ? 1 : 0);
  const counter = stays ? freeCounter(tables, s) : -1;
  if (play.narrator !== null) events.wreck(tables, unit, counter, hex, die, play);
  if (counter < 0) return;
  standStill(tables, s, counter as UnitId, hex, markers);
}

/** An immobilised tank is placed under the markers of the tank that it was. Rule: SOS 16.32, ruling R51 */
export function standStill(tables: Tables, s: State, counter: UnitId, hex: number, markers: number): void {
  put(tables, s, counter, hex);
  give(tables, s, counter, KNOWN | (markers & (PINNED | SPENT)));
}
