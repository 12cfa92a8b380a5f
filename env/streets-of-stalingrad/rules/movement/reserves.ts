import type { State, StateView } from "../../../core/layout.js";
import { MARK_ATTACK, OP_PHASE_SHIFT, PINNED, RESERVE } from "../../layout.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { KINDS } from "../../schema.js";
import { extraOf, firstIn, give, has, markOf, nextIn, placeOf, type Tables, takeAll } from "../../state.js";
import { inKnownZoc } from "../units/zoc.js";

const RESERVES_DISTANCE = 3;

/**
 * Names the units that may move in a reserves phase, into zones of control and attacked hexes too. Rule: SOS 8.31,
 * SOS 8.32, SOS 8.34, SOS 18.22, rulings R16, R82
 */
export function nameReserves(tables: Tables, s: State, side: number): void {
  const { roster } = tables;
  takeAll(tables, s, RESERVE);
  for (let u = roster.first(side); u < roster.end(side); u++) if (isReserve(tables, s, u)) give(tables, s, u, RESERVE);
}

/** True when a unit would be free to move if the reserves phase began now. */
export function isReserve(tables: Tables, s: StateView, unit: number): boolean {
  const { board, roster } = tables;
  const hex = placeOf(tables, s, unit);
  // leaders and OPs may always move. Rule: SOS 8.33, SOS 14.92, SOS 18.15
  if (hex >= 0 && roster.chief[unit] === 1) return !has(tables, s, unit, PINNED);
  if (hex < 0 || has(tables, s, unit, PINNED) || markOf(tables, s, hex) === MARK_ATTACK) return false;
  const before = s[tables.layout.phase]! - 1;
  if (extraOf(tables, s, unit, OP_PHASE_SHIFT) === before) return false;
  let near = false;
  for (let h = 0; h < tables.hexes && !near; h++)
    near = markOf(tables, s, h) !== 0 && board.distance(hex, h) <= RESERVES_DISTANCE;
  if (!near) return false;
  if (roster.side[unit] === GERMAN) return true;
  if (!isLed(tables, s, hex)) return false;
  return leaderIn(tables, s, hex, false) || !inKnownZoc(tables, s, SOVIET, hex);
}

/**
 * True when Soviet units in a hex are with a leader of any kind, or beside one that is no commissar, Pavlov or Herman.
 * Rule: SOS 8.32, SOS 9.44, SOS 18.21
 */
export function isLed(tables: Tables, s: StateView, hex: number): boolean {
  if (leaderIn(tables, s, hex, false)) return true;
  const { board } = tables;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h >= 0 && leaderIn(tables, s, h, true)) return true;
  }
  return false;
}

const COMMISSAR = KINDS.indexOf("commissar");

/**
 * True when there is a Soviet leader or commissar in a hex.
 *
 * @param wide only one whose help reaches into adjacent hexes
 */
export function leaderIn(tables: Tables, s: StateView, hex: number, wide: boolean): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== SOVIET || roster.leader[u] === 0) continue;
    if (!wide || (roster.kind[u] !== COMMISSAR && roster.counters[u]!.type.hero === undefined)) return true;
  }
  return false;
}
