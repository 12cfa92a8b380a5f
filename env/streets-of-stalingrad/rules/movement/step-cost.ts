import type { StateView } from "../../../core/layout.js";
import { boxOf, isBox, MARK_BREAKTHRU, MOVE_BREAKTHROUGH } from "../../layout.js";
import { EAST_BOXES } from "../../map/river.js";
import { SOVIET } from "../../roster.js";
import { enemyOf, markOf, type Tables } from "../../state.js";
import { BRIDGE_COST, isBridged } from "../units/bridges.js";
import { MINE_COST, PASSES } from "../units/mines.js";
import { inKnownZoc } from "../units/zoc.js";
import { crossingCost, wayAt } from "./crossing.js";
import type { Movers } from "./movers.js";
import { railCost } from "./trains.js";

/**
 * Half MP to step from a hex over a side, 0 where a class can't. Rule: SOS 8.11, SOS 8.12, SOS 8.56, SOS 10.7,
 * SOS 14.84
 *
 * @param bank of vehicles in that hex
 */
export function stepCost(
  tables: Tables,
  s: StateView,
  m: Movers,
  from: number,
  bank: number,
  d: number,
  vehicle: boolean,
): number {
  const to = tables.board.neighbours[from * 6 + d]!;
  const breaks = m.move === MOVE_BREAKTHROUGH && to >= 0;
  const leaves = breaks && inKnownZoc(tables, s, m.side, from);
  return costOfStep(tables, s, m, from, bank, d, vehicle, leaves, breaks && inKnownZoc(tables, s, m.side, to));
}

/** The same where it is known which of the two hexes are in a zone of control that the side knows of. */
export function costOfStep(
  tables: Tables,
  s: StateView,
  m: Movers,
  from: number,
  bank: number,
  d: number,
  vehicle: boolean,
  fromZoc: boolean,
  toZoc: boolean,
): number {
  const { board, layout } = tables;
  if (m.rail) return railCost(tables, from, d);
  const to = board.neighbours[from * 6 + d]!;
  let cost = (vehicle ? board.vehicleCost : board.footCost)[from * 6 + d]!;
  if (cost === 0) return 0;
  if (m.chiefs) cost = CHIEF_COST; // Rule: SOS 14.92, SOS 18.16
  const leavesZoc = m.move === MOVE_BREAKTHROUGH && fromZoc;
  // no roads there. Rule: SOS 8.54
  if (m.move === MOVE_BREAKTHROUGH && vehicle && (fromZoc || toZoc)) cost = board.roughCost[from * 6 + d]!;
  if (tables.mines + tables.bridges > 0) cost = costWithWorks(tables, s, to, toZoc, cost);
  if (markOf(tables, s, to) === MARK_BREAKTHRU) cost = breakthruCost(tables, m, to);
  if (leavesZoc) cost += ZOC_COST;
  // nor a road or bridge over a ravine. Rule: SOS 8.55
  if (vehicle && !board.banks.mayLeave(from, bank, d, m.side === SOVIET, !leavesZoc))
    if (leavesZoc || tables.bridges === 0 || !isBridged(tables, s, from)) return 0;
  const bomb = s[layout.bombs + enemyOf(m.side) * tables.hexes + to]!;
  return bomb === 0 ? cost : cost + interdictionOf(bomb);
}

/** What a hex costs over a bridge or through a minefield. Rule: SOS 17.11, SOS 17.22 */
function costWithWorks(tables: Tables, s: StateView, to: number, toZoc: boolean, cost: number): number {
  const bridged = tables.bridges > 0 && !toZoc && isBridged(tables, s, to) ? Math.min(cost, BRIDGE_COST) : cost;
  return bridged + mineCost(tables, to);
}

const mineCost = (tables: Tables, to: number): number =>
  tables.mines > 0 && tables.mined[to] === PASSES ? MINE_COST : 0;

/** Through a breakthru marker: a quarter of the MP, and a minefield's. Rule: SOS 8.56 */
const breakthruCost = (tables: Tables, m: Movers, to: number): number =>
  2 * Math.ceil(m.allowance / 4) + mineCost(tables, to);
/** Half MP that leaders and OPs pay for a hex. */
export const CHIEF_COST = 2;

/** Half MP for a zone of control left in a breakthrough. Rule: SOS 8.56 */
const ZOC_COST = 4;

/**
 * Half MP to come to an entry hex from a box off the map, or to go from it to the box; 0: it can't be. Rule: SOS 21.2,
 * ruling R133
 */
export function entryCostOf(tables: Tables, s: StateView, m: Movers, hex: number, vehicle: boolean): number {
  const { entryCost } = tables.river;
  const cost = (vehicle ? entryCost.vehicle : entryCost.foot)[hex]!;
  if (cost === 0) return 0;
  return (m.chiefs ? CHIEF_COST : cost) + interdictionCost(tables, s, m.side, hex);
}

/** Half MP more to enter a hex on which shells of the enemy interdict movement. */
export const interdictionCost = ({ hexes, layout }: Tables, s: StateView, side: number, hex: number): number =>
  interdictionOf(s[layout.bombs + enemyOf(side) * hexes + hex]!);
/** Half MP that a word of `bombs` costs. Rule: SOS 14.84 */
const interdictionOf = (bomb: number): number => (((bomb >> 12) & 15) === 1 ? 2 * Math.floor((bomb & 0xfff) / 5) : 0);

/**
 * Half MP of a step of a way, which may lead over the river.
 *
 * @param from a hex, or the place of a box
 * @param to a hex, or beyond the hexes a box
 * @param next the hex that comes then, -1 none
 */
export function legCost(
  tables: Tables,
  s: StateView,
  m: Movers,
  from: number,
  to: number,
  next: number,
  vehicle: boolean,
): number {
  const { board, hexes } = tables;
  if (to >= hexes) return to - hexes < EAST_BOXES ? 0 : entryCostOf(tables, s, m, from, vehicle);
  if (isBox(from) && boxOf(from) >= EAST_BOXES) return entryCostOf(tables, s, m, to, vehicle);
  if (board.volga[to] === 1) {
    const back = next >= hexes;
    const box = back ? next - hexes : boxOf(from);
    const way = wayAt(tables, s, m.side, box, to, back ? from : next);
    const allowance = vehicle === m.vehicle ? m.allowance : m.other;
    return crossingCost(tables, s, allowance, way.arrow) + interdictionCost(tables, s, m.side, to);
  }
  if (board.volga[from] === 1) return interdictionCost(tables, s, m.side, to);
  return stepCost(tables, s, m, from, m.bank, board.sideTo(from, to), vehicle);
}
