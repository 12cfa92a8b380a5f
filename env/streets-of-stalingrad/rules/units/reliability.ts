import type { Play } from "../../../core/play.js";
import { hasBit, setBit } from "../../../core/bits.js";
import type { State, StateView } from "../../../core/layout.js";
import * as events from "../../events/river.js";
import { ROLL_NKVD, type UnitId } from "../../layout.js";
import { SOVIET } from "../../roster.js";
import { firstIn, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { record } from "./fire.js";
import { eliminate } from "./losses.js";

/** True when a Soviet leader or commissar is in a hex. */
export function isLed(tables: Tables, s: StateView, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === SOVIET && roster.leader[u] === 1) return true;
  return false;
}

/** A unit throws whether it holds; with a leader it does. @param from the least die that removes it */
function roll(tables: Tables, s: State, unit: number, from: number, play: Play): void {
  if (isLed(tables, s, placeOf(tables, s, unit))) return;
  const die = play.dice.d10();
  const removed = die >= from;
  record(tables, s, ROLL_NKVD, -1, 0, 0, die, 0, removed ? 1 : 0);
  if (play.narrator !== null) events.reliability(tables, s, unit, die, from, removed, play);
  if (removed) eliminate(tables, s, unit, "unreliable", play);
}

/** An NKVD unit with an out-of-supply marker throws. Rule: SOS 16.85, ruling R98 */
export const rollIsolated = (tables: Tables, s: State, unit: number, play: Play): void =>
  roll(tables, s, unit, tables.charts.nkvd.whenIsolated, play);

/** Hex by hex: the order of slots would reveal which of two counters with one back is where. */
function testRegiment(tables: Tables, s: State, regiment: number, play: Play): void {
  for (let h = 0; h < tables.hexes; h++)
    for (let u = firstIn(tables, s, h), next = -1; u >= 0; u = next as UnitId) {
      next = nextIn(tables, s, u);
      if (tables.roster.regiment[u] === regiment) roll(tables, s, u, tables.charts.nkvd.onFire, play);
    }
}

/**
 * The regiments that the set-up leaves beside a German stack unit throw before the game begins. Rule: SOS 16.84, ruling
 * R45
 *
 * @param play null only asks, and rolls no die
 * @returns true when there is one
 */
export function testStart(tables: Tables, s: State, play: Play | null): boolean {
  const { layout, river, roster } = tables;
  let any = false;
  if (!river.supplies) return any;
  for (let regiment = 0; regiment < roster.regiments.length; regiment++) {
    if (hasBit(s, layout.nkvdChecked, regiment) || !meetsGermans(tables, s, regiment)) continue;
    any = true;
    if (play === null) continue;
    setBit(s, layout.nkvdChecked, regiment, true);
    testRegiment(tables, s, regiment, play);
  }
  return any;
}

/** True when a unit of a regiment is beside Germans. */
function meetsGermans(tables: Tables, s: StateView, regiment: number): boolean {
  const { board, roster } = tables;
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++) {
    const hex = placeOf(tables, s, u);
    if (roster.regiment[u] !== regiment || hex < 0) continue;
    for (let d = hex * 6; d < hex * 6 + 6; d++)
      for (
        let g = board.neighbours[d]! < 0 ? -1 : firstIn(tables, s, board.neighbours[d]!);
        g >= 0;
        g = nextIn(tables, s, g)
      )
        if (roster.side[g] !== SOVIET && roster.stackUnit[g] === 1) return true;
  }
  return false;
}

/**
 * The regiments of units in a hex throw, once in the game: its first unit is about to be fired at. Rule: SOS 16.83,
 * rulings R45, R108
 */
export function testRegiments(tables: Tables, s: State, hex: number, play: Play): void {
  const { layout, river, roster } = tables;
  if (!river.supplies || roster.regiments.length === 0) return;
  for (let u = firstIn(tables, s, hex), next = -1; u >= 0; u = next as UnitId) {
    next = nextIn(tables, s, u);
    const regiment = roster.regiment[u]!;
    if (regiment < 0 || hasBit(s, layout.nkvdChecked, regiment)) continue;
    setBit(s, layout.nkvdChecked, regiment, true);
    testRegiment(tables, s, regiment, play);
    next = firstIn(tables, s, hex); // some of the hex may be gone
  }
}
