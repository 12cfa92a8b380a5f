import { hasBit } from "../../../core/bits.js";
import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import * as events from "../../events/river.js";
import { ISOLATED, KNOWN, MARK_BREAKTHRU, OOS_SHIFT, type UnitId } from "../../layout.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { KINDS } from "../../schema.js";
import { enemyOf, extraOf, firstIn, has, markOf, nextIn, placeOf, setExtra } from "../../state.js";
import type { Tables } from "../../state.js";
import { inPublicOrder } from "./hidden.js";
import { dropHelpless, eliminate } from "./losses.js";
import { MINE } from "./mines.js";
import { isLed, rollIsolated } from "./reliability.js";

/** Counters that need no supply. Ruling R99. */
export const NEEDS_NOTHING = ["minefield", "fortification", "bridge"].map((k) =>
  KINDS.indexOf(k as (typeof KINDS)[number]),
);

/** From 26 September all hold out as long. Rule: SOS 19.1 */
const LATE = 14;
const LIMIT = 2;
const LONG_LIMIT = 4;

/** Parts of `tables.supply` of a hex. */
const HELD = 1;
const ZONE = 2;
const REACHED = 4;

/**
 * Finds the hexes from which a side's ways lead out: the Soviet ones to the Volga, the German ones off the map. They go
 * by hexes without units and mines of the other side, and without its zones of control except where a unit of the side
 * is. Rule: SOS 19.2, SOS 19.6, SOS 20.3, rulings R46, R72, R99, R100
 *
 * @param known as far as the side knows: any counter that is face down may be a combat unit
 */
export function traceSupply(tables: Tables, s: StateView, side = SOVIET, known = false): void {
  const { board, river, roster, supply, supplyQueue } = tables;
  const enemy = enemyOf(side);
  supply.fill(0);
  for (let u = roster.first(enemy); u < roster.end(enemy); u++) {
    const hex = placeOf(tables, s, u);
    if (hex < 0) continue;
    const unseen = known && !has(tables, s, u, KNOWN);
    if (unseen || roster.stackUnit[u] === 1 || roster.kind[u] === MINE) supply[hex]! |= HELD;
    if (!unseen && roster.zocUnit[u] === 0) continue;
    for (let d = hex * 6; d < hex * 6 + 6; d++) {
      const to = board.neighbours[d]!;
      if (to >= 0 && board.zocEnters[to] === 1 && markOf(tables, s, to) !== MARK_BREAKTHRU) supply[to]! |= ZONE;
    }
  }
  for (let u = roster.first(side); u < roster.end(side); u++) {
    const hex = placeOf(tables, s, u);
    if (hex >= 0) supply[hex]! &= ~ZONE;
  }
  let n = 0;
  for (let h = 0; h < tables.hexes; h++)
    if (supply[h] === 0 && (side === SOVIET ? board.volga[h] === 1 : hasBit(river.exits, 0, h))) {
      supply[h] = REACHED;
      supplyQueue[n++] = h;
    }
  for (let i = 0; i < n; i++)
    for (let d = supplyQueue[i]! * 6; d < supplyQueue[i]! * 6 + 6; d++) {
      const to = board.neighbours[d]!;
      if (to < 0 || supply[to] !== 0 || (side === GERMAN && board.volga[to] === 1)) continue;
      supply[to] = REACHED;
      supplyQueue[n++] = to;
    }
}

/** True when no way leads out from a unit's hex, after `traceSupply`. Its own hex is no hindrance. Rule: SOS 19.2 */
function isEnclosed({ board, roster, supply }: Tables, unit: number, hex: number): boolean {
  if (NEEDS_NOTHING.includes(roster.kind[unit]!) || supply[hex] === REACHED) return false;
  for (let d = hex * 6; d < hex * 6 + 6; d++)
    if (board.neighbours[d]! >= 0 && supply[board.neighbours[d]!] === REACHED) return false;
  return true;
}

/** True when a Soviet unit is cut off, after `traceSupply`. Rule: SOS 19.2 */
export function isCutOff(tables: Tables, s: StateView, unit: number): boolean {
  const { board, river, roster } = tables;
  const hex = placeOf(tables, s, unit);
  if (!river.supplies || hex < 0 || roster.side[unit] !== SOVIET || board.volga[hex] === 1) return false;
  return isEnclosed(tables, unit, hex);
}

/**
 * True when a German unit is cut off from the boxes off the map, after `traceSupply` for its side. Rule: SOS 19.6,
 * ruling R72
 */
export function isSurrounded(tables: Tables, s: StateView, unit: number): boolean {
  const hex = placeOf(tables, s, unit);
  if (!tables.administers || hex < 0 || tables.roster.side[unit] !== GERMAN) return false;
  return isEnclosed(tables, unit, hex);
}

/** True when a unit of either side is cut off now. */
export function isOutOfSupply(tables: Tables, s: StateView, unit: number): boolean {
  const side = tables.roster.side[unit]!;
  traceSupply(tables, s, side);
  return side === SOVIET ? isCutOff(tables, s, unit) : isSurrounded(tables, s, unit);
}

const isMarked = (tables: Tables, s: StateView, unit: number): boolean => extraOf(tables, s, unit, OOS_SHIFT) > 0;

/** Notes who is cut off for a phase that begins; markers of those in supply go at once. Rule: SOS 19.4 */
export function noteSupply(tables: Tables, s: State, play: Play): void {
  const { layout, roster } = tables;
  if (tables.administers) noteGermans(tables, s, play);
  if (tables.administers) noteGermanLeaders(tables, s);
  if (!tables.river.supplies) return;
  traceSupply(tables, s);
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++)
    if (isCutOff(tables, s, u)) s[layout.work + u]! |= ISOLATED;
    else s[layout.work + u]! &= ~ISOLATED;
  // hex by hex, because the order of slots would reveal which of two counters with one back is where
  for (let h = 0; h < tables.hexes; h++)
    for (const u of inPublicOrder(tables, s, h, SOVIET, isMarked)) {
      if ((s[layout.work + u]! & ISOLATED) !== 0) continue;
      if (play.narrator !== null) events.supply(tables, s, u, 0, play);
      setExtra(tables, s, u, OOS_SHIFT, 0);
    }
}

/** German leaders who are cut off may slip through zones of control in this phase. Rule: SOS 18.32, ruling R59 */
export function noteGermanLeaders(tables: Tables, s: State): void {
  const { layout, roster } = tables;
  traceSupply(tables, s, GERMAN, true);
  for (let u = roster.first(GERMAN); u < roster.end(GERMAN); u++)
    if (roster.leader[u] === 1 && isSurrounded(tables, s, u)) s[layout.work + u]! |= ISOLATED;
    else s[layout.work + u]! &= ~ISOLATED;
}

/** Markers of Germans who are cut off no more go. Rule: SOS 19.6 */
function noteGermans(tables: Tables, s: State, play: Play): void {
  const { roster } = tables;
  let marked = false;
  for (let u = roster.first(GERMAN); u < roster.end(GERMAN) && !marked; u++)
    marked = extraOf(tables, s, u, OOS_SHIFT) > 0;
  if (!marked) return;
  traceSupply(tables, s, GERMAN);
  for (let h = 0; h < tables.hexes; h++)
    for (const u of inPublicOrder(tables, s, h, GERMAN, isMarked)) {
      if (isSurrounded(tables, s, u)) continue;
      if (play.narrator !== null) events.supply(tables, s, u, 0, play);
      setExtra(tables, s, u, OOS_SHIFT, 0);
    }
}

/** Germans who are cut off get the marker 1, never more, and are not lost. Rule: SOS 19.6, ruling R72 */
export function countGermans(tables: Tables, s: State, play: Play): void {
  traceSupply(tables, s, GERMAN);
  for (let h = 0; h < tables.hexes; h++)
    for (const u of inPublicOrder(tables, s, h, GERMAN, isSurrounded)) {
      if (isMarked(tables, s, u)) continue;
      setExtra(tables, s, u, OOS_SHIFT, 1);
      if (play.narrator !== null) events.supply(tables, s, u, 1, play);
    }
}

/**
 * The Administrative Phase: who is cut off gets the next marker, or is lost. Rule: SOS 19.1, SOS 19.3, rulings R5, R46
 */
export function countIsolation(tables: Tables, s: State, play: Play): void {
  if (!tables.river.supplies) return;
  traceSupply(tables, s);
  for (let h = 0; h < tables.hexes; h++) {
    const led = isLed(tables, s, h);
    let lost = false;
    for (const u of inPublicOrder(tables, s, h, SOVIET, isCutOff)) {
      const turns = extraOf(tables, s, u, OOS_SHIFT) + 1;
      if (turns < limitOf(tables, s, u, led)) {
        setExtra(tables, s, u, OOS_SHIFT, turns);
        if (play.narrator !== null) events.supply(tables, s, u, turns, play);
      } else {
        eliminate(tables, s, u, "cut-off", play);
        lost = true;
      }
    }
    if (lost) dropHelpless(tables, s, SOVIET, h, play); // Rule: SOS 14.97, SOS 16.49, SOS 17.32
  }
}

/** After that NKVD units with a marker throw. Rule: SOS 16.85, rulings R5, R98 */
export function rollAllIsolated(tables: Tables, s: State, play: Play): void {
  const { roster } = tables;
  if (!tables.river.supplies || !roster.nkvd.includes(1)) return;
  traceSupply(tables, s);
  for (let h = 0; h < tables.hexes; h++) {
    for (let u = firstIn(tables, s, h), next = -1; u >= 0; u = next as UnitId) {
      next = nextIn(tables, s, u);
      if (roster.nkvd[u] === 1 && extraOf(tables, s, u, OOS_SHIFT) > 0 && isCutOff(tables, s, u))
        rollIsolated(tables, s, u, play);
    }
  }
}

/** Administrative Phases after which a unit that is cut off is lost. Rule: SOS 19.1 @param led with a leader */
const limitOf = ({ layout, roster }: Tables, s: StateView, unit: number, led: boolean): number =>
  led || s[layout.turn]! >= LATE || roster.guards[unit] === 1 ? LONG_LIMIT : LIMIT;
