import type { Play } from "../../../core/play.js";
import type { State } from "../../../core/layout.js";
import * as events from "../../events/river.js";
import { boxPlace, LIES_OPEN, PICKS, PIN_HELD, SHOWN, SILENCED, SPENT, UNREADY, USED } from "../../layout.js";
import { EAST_BOXES } from "../../map/river.js";
import { firstIn, give, nextIn, originOf, take } from "../../state.js";
import type { Tables } from "../../state.js";
import { moveUnit, tellMixed } from "./hidden.js";

/**
 * A unit comes into a box: of what it did on the map only pins and its fire of the turn stay. Rule: SOS 8.70, SOS
 * 14.11, ruling R130
 */
export function enterBox(tables: Tables, s: State, unit: number, box: number, play: Play): void {
  take(tables, s, unit, PICKS | SHOWN | LIES_OPEN | PIN_HELD);
  moveUnit(tables, s, unit, boxPlace(box), play);
  s[tables.layout.extra + unit] = 0;
  if (box >= EAST_BOXES) s[tables.layout.work + unit]! &= ~SILENCED; // Rule: SOS 9.17
  if (tables.roster.towed[unit] === 1) give(tables, s, unit, UNREADY);
  if (tables.roster.boat[unit] === 0) return;
  take(tables, s, unit, SPENT);
  s[tables.layout.work + unit]! |= USED; // Rule: SOS 16.52, ruling R106
}

/** The box that units on a Volga hex go back to where nobody says from which they came: with no bank, any in play. */
export function nearestBox({ river }: Tables, volga: number): number {
  for (let box = 0; box < EAST_BOXES; box++)
    for (const way of river.crossings[box]!) if (way.volga === volga) return box;
  const box = river.inPlay.indexOf(true);
  return box < 0 || box >= EAST_BOXES ? 0 : box;
}

/** Whoever is on a Volga hex goes back to his box, with his pin. Rule: SOS 8.70, ruling R17 */
export function goBack(tables: Tables, s: State, hex: number, play: Play): void {
  let box = -1;
  for (let u = firstIn(tables, s, hex); u >= 0 && box < 0; u = nextIn(tables, s, u)) box = originOf(tables, s, u);
  if (box < 0) box = nearestBox(tables, hex);
  if (play.narrator !== null) events.goesBack(tables, s, hex, box, play);
  for (let u = firstIn(tables, s, hex); u >= 0;) {
    const next = nextIn(tables, s, u);
    const own = originOf(tables, s, u);
    enterBox(tables, s, u, own < 0 ? box : own, play);
    u = next;
  }
  tellMixed(tables, play);
}

/** All who attacked from the Volga go back when the attacks are over. Rule: SOS 8.70 */
export function clearVolga(tables: Tables, s: State, play: Play): void {
  const { board, layout } = tables;
  for (let h = 0; h < tables.hexes; h++)
    if (board.volga[h] === 1 && s[layout.top + h] !== 0) goBack(tables, s, h, play);
}
