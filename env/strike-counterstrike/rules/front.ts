import type { Play } from "../../core/play.js";
import { lowest } from "../../core/bits.js";
import type { State } from "../../core/layout.js";
import { FACE_DOWN, PARTISAN_GONE, PARTISAN_HEX, PHASE } from "../layout.js";
import * as events from "../events/front.js";
import { battleHex, isGerman, partisanHex, setFront, setGerman, setMarker, setPlace } from "../state.js";
import { type CounterId, FIRST_HEX, type HexId, type Tables } from "../data.js";
import { drawCounter, goesOnWithPool, toPool } from "./pool.js";

/**
 * A hex changes to Soviet control, once and for all: the front moves, the counts of the victory checks follow. What it
 * cuts off has to be measured when all hexes have changed (`settleControl`). Rule: SC 3.7, SC 3.8, ruling R2
 *
 * @param touch what its German neighbours become: 1 front, 2 beside the unlinked partisan hex only
 */
export function capture(tables: Tables, s: State, hex: HexId, touch: 1 | 2 = 1): void {
  const { L } = tables;
  if (s[L.german + hex] === 0) return;
  setGerman(tables, s, hex, 0);
  setFront(tables, s, hex, -1);
  s[L.forts]! += tables.fort[hex]!;
  s[L.westHeld]! += tables.western[hex]!;
  s[L.kHeld]! += tables.kLine[hex]!;
  s[L.beside]! -= tables.guarded[hex]!;
  touchNeighbours(tables, s, hex, touch);
}

function touchNeighbours(tables: Tables, s: State, hex: HexId, touch: 1 | 2): void {
  const { neighbours } = tables.grid;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const k = neighbours[d]!;
    if (k >= 0 && s[tables.L.front + k]! !== -1 && s[tables.L.front + k]! !== 1) setFront(tables, s, k, touch);
  }
}

/** Computes from scratch all that follows from control: for set-ups and checks. */
export function surveyFront(tables: Tables, s: State): void {
  const { L } = tables;
  s[L.forts] = s[L.westHeld] = s[L.kHeld] = s[L.beside] = 0;
  for (let h = FIRST_HEX; h < tables.hexCount; h++) {
    if (s[L.german + h] === 1) s[L.beside]! += tables.guarded[h]!;
    else {
      s[L.forts]! += tables.fort[h]!;
      s[L.westHeld]! += tables.western[h]!;
      s[L.kHeld]! += tables.kLine[h]!;
    }
    setFront(tables, s, h, s[L.german + h]! - 1);
  }
  for (let h = FIRST_HEX; h < tables.hexCount; h++)
    if (s[L.german + h] === 0) touchNeighbours(tables, s, h, h === partisanHex(tables, s) ? 2 : 1);
  tables.articulation.measure(s, L.german, s, L.cut);
}

/** The partisan marker leaves as soon as a neighbour of its hex is Soviet. Rule: SC 7.3, ruling R17 */
export function linkPartisans(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  const hex = partisanHex(tables, s);
  if (hex < 0) return;
  for (let d = 0; d < 6; d++) {
    const n = tables.grid.neighbour(hex, d);
    if (n >= 0 && !isGerman(tables, s, n)) {
      s[L.partisan] = PARTISAN_GONE;
      if (play.narrator !== null) events.partisansLinked(tables, hex, play);
      touchNeighbours(tables, s, hex, 1);
      return;
    }
  }
}

/** The partisan marker takes a hex. Rule: SC 7.3 */
export function placePartisans(tables: Tables, s: State, hex: HexId, play: Play): void {
  capture(tables, s, hex, 2);
  if (play.narrator !== null) events.partisansPlaced(tables, hex, play);
  dislodge(tables, s, hex, "SC 7.3", play);
  s[tables.L.partisan] = PARTISAN_HEX + hex;
  settleControl(tables, s, play);
}

/**
 * After hexes changed hands: links the partisans, then measures what each German hex holds open. Rule: SC 7.3, SC 8.4,
 * rulings R3, R7
 */
export function settleControl(tables: Tables, s: State, play: Play): void {
  linkPartisans(tables, s, play);
  tables.articulation.measure(s, tables.L.german, s, tables.L.cut);
}

/** Takes the marker of a hex off the map, without saying where the counter goes. @returns its slot */
export function liftMarker(tables: Tables, s: State, hex: HexId): CounterId {
  const { L } = tables;
  const slot = (s[L.marker + hex]! - 1) as CounterId;
  setMarker(tables, s, hex, 0);
  s[L.placed + hex] = 0;
  s[L.faceDown]!--;
  return slot;
}

/**
 * A marker that lost its hex without a battle is shown and put in the pool. Rule: SC 7.3, SC 4.4, ruling R14
 *
 * @param rule that took the hex
 */
export function dislodge(tables: Tables, s: State, hex: HexId, rule: string, play: Play): void {
  if (s[tables.L.marker + hex]! <= 0) return;
  const slot = liftMarker(tables, s, hex);
  if (play.narrator !== null) events.markerDislodged(tables, hex, slot, rule, play);
  toPool(tables, s, slot, play);
}

/** Lays a counter face down in a front hex. */
export function layMarker(tables: Tables, s: State, hex: HexId, slot: CounterId, clock: number): void {
  const { L } = tables;
  setMarker(tables, s, hex, slot + 1);
  s[L.placed + hex] = clock;
  setPlace(tables, s, slot, FACE_DOWN);
  s[L.faceDown]!++;
}

/**
 * Draws a marker for each German hex that touches the main Soviet area and is bare, by ascending hex number.
 * Rule: SC 3.7, ruling R2
 *
 * @returns false when the pool ran out and the game is over
 */
export function redrawFront(tables: Tables, s: State, play: Play): boolean {
  const hexes: HexId[] | null = play.narrator === null ? null : [];
  const goesOn = drawMarkers(tables, s, play, hexes);
  if (hexes !== null) events.markersPlaced(tables, hexes, s[tables.L.phase] === PHASE.setup, play);
  return goesOn;
}

/** @param hexes gets those with a new marker */
function drawMarkers(tables: Tables, s: State, play: Play, hexes: HexId[] | null): boolean {
  const { L, hexWords } = tables;
  const { frontBits, marker } = L;
  const battle = battleHex(tables, s);
  for (let i = 0; i < hexWords; i++)
    for (let rest = s[frontBits + i]!; rest !== 0; rest &= rest - 1) {
      const h = (i * 32 + lowest(rest)) as HexId;
      if (s[marker + h] !== 0 || h === battle) continue;
      const slot = drawCounter(tables, s, play);
      if (slot < 0) return false;
      layMarker(tables, s, h, slot, s[L.clock]!);
      hexes?.push(h);
      if (!goesOnWithPool(tables, s)) return false;
    }
  return true;
}

/**
 * Marks the hexes that would lose their way west if `hex` fell. Several separate groups count together.
 * Rule: SC 8.4, ruling R3
 */
export function markPocket(tables: Tables, s: State, hex: HexId): void {
  const { L } = tables;
  const size = s[L.cut + hex]!;
  s[L.pocketSize] = Math.max(0, size);
  if (size > 0) tables.articulation.mark(s, L.german, hex, s, L.pocket);
}
