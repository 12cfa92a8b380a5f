import type { State, StateView } from "../../../core/layout.js";
import {
  ARROWS,
  CROSSED_LEADER,
  CROSSED_UNIT,
  CROSSED_UNITS_SHIFT,
  GROUP,
  STAGE_DEPLOY,
  STAGE_NORMAL,
} from "../../layout.js";
import { type Crossing, NO_ARROW } from "../../map/river.js";
import { SOVIET } from "../../roster.js";
import { KINDS } from "../../schema.js";
import { has } from "../../state.js";
import type { Tables } from "../../state.js";
import { zocKnownTo, ZOC } from "../units/zoc.js";

/** Stack units that pass over an arrow in a phase. Rule: SOS 8.66, ruling R94 */
export const MOST_OF_ARROW = 9;
const LONE = ["sniper", "mine-dog"].map((k) => KINDS.indexOf(k as (typeof KINDS)[number]));
const RIVER_PHASES = [10, 14];

/** True when units of a side may cross the river now. Rule: SOS 8.41, SOS 8.44, SOS 8.45, SOS 8.63 */
export const isRiverOpen = ({ layout, river }: Tables, s: StateView, side: number): boolean =>
  river.any &&
  side === SOVIET &&
  RIVER_PHASES.includes(s[layout.phase]!) &&
  (s[layout.stage] === STAGE_NORMAL || s[layout.stage] === STAGE_DEPLOY);

/** Stack units, snipers and mine dogs, leaders, and all others of those that cross. */
const boats = { bodies: 0, lone: 0, leaders: 0, others: 0 };

/** Counts who crosses. @param unit one unit, -1: all with GROUP */
export function countBoats(tables: Tables, s: StateView, unit: number): void {
  const { roster } = tables;
  boats.bodies = boats.lone = boats.leaders = boats.others = 0;
  for (let u = unit < 0 ? 0 : unit; u < (unit < 0 ? tables.units : unit + 1); u++) {
    if (unit < 0 && !has(tables, s, u, GROUP)) continue;
    if (roster.stackUnit[u] === 1) boats.bodies++;
    else if (LONE.includes(roster.kind[u]!)) boats.lone++;
    else if (roster.leader[u] === 1) boats.leaders++;
    else boats.others++;
  }
}

/** True when those counted by `countBoats` may pass. Rule: SOS 8.66, ruling R94 */
export function hasRoom({ layout }: Tables, s: StateView, way: Crossing): boolean {
  const { bodies, lone, leaders, others } = boats;
  if (way.arrow !== NO_ARROW) return (s[layout.crossed + way.arrow]! >> CROSSED_UNITS_SHIFT) + bodies <= MOST_OF_ARROW;
  const word = s[layout.hexState + way.bank]!;
  const units = bodies + lone + ((word & CROSSED_UNIT) === 0 ? 0 : 1);
  return others === 0 && units <= 1 && leaders + ((word & CROSSED_LEADER) === 0 ? 0 : 1) <= 1;
}

/**
 * Half MP to pass the river, instead of what ground costs: half of those of the phase, and one extra MP for each stack
 * that went over the arrow before. Rule: SOS 8.44, SOS 8.64, SOS 8.65, ruling R17
 */
export const crossingCost = ({ layout }: Tables, s: StateView, allowance: number, arrow: number): number =>
  allowance / 2 + (arrow === NO_ARROW ? 0 : 2 * (s[layout.crossed + arrow]! & ((1 << CROSSED_UNITS_SHIFT) - 1)));

/**
 * The way from a bank hex back to a box for the group or a unit, null: none is open. Rule: SOS 8.70, rulings R126, R132
 */
export function wayBack(tables: Tables, s: StateView, box: number, bank: number, unit: number): Crossing | null {
  if (tables.river.inPlay[box] !== true) return null;
  countBoats(tables, s, unit);
  for (const way of tables.river.crossings[box]!)
    if (way.bank === bank && (tables.zocSeen[way.volga] === 0 || !tables.riverZones) && hasRoom(tables, s, way))
      return way;
  return null;
}

/** True when an enemy on a bank bars the hex, as far as a side knows. Rulings R8, R120 */
export const isHeldBank = (tables: Tables, s: StateView, side: number, hex: number): boolean =>
  s[tables.layout.top + hex] !== 0 && zocKnownTo(tables, s, side, hex) >= ZOC;

/**
 * The arrow, or off the arrows the bank hex, that a step onto a Volga hex belongs to.
 *
 * @param bank the hex that comes next or came before, -1: the step is made to attack a bank that the enemy holds
 */
export function wayAt(tables: Tables, s: StateView, side: number, box: number, volga: number, bank: number): Crossing {
  const list = tables.river.crossings[box]!;
  let way: Crossing | null = null;
  for (let i = 0; i < list.length; i++) {
    const other = list[i]!;
    if (other.volga !== volga) continue;
    if (bank >= 0 ? other.bank === bank : other.arrow !== NO_ARROW) return other;
    if (bank < 0 && way === null && isHeldBank(tables, s, side, other.bank)) way = other;
  }
  return way ?? NO_WAY;
}
const NO_WAY: Crossing = { volga: -1, bank: -1, arrow: NO_ARROW };

/** The group passes the river: what it leaves for others. Both numbers are public. Ruling R94. */
export function noteCrossing(tables: Tables, s: State, way: Crossing): void {
  const { layout } = tables;
  countBoats(tables, s, -1);
  const { bodies, lone, leaders } = boats;
  if (way.arrow !== NO_ARROW) {
    s[layout.crossed + way.arrow]! += 1 + (bodies << CROSSED_UNITS_SHIFT);
    return;
  }
  if (way.bank < 0) return;
  if (bodies + lone > 0) s[layout.hexState + way.bank]! |= CROSSED_UNIT;
  if (leaders > 0) s[layout.hexState + way.bank]! |= CROSSED_LEADER;
}

/** A new phase: all units may cross again. */
export function clearCrossings({ hexes, layout }: Tables, s: State): void {
  s.fill(0, layout.crossed, layout.crossed + ARROWS);
  for (let h = 0; h < hexes; h++) s[layout.hexState + h]! &= ~(CROSSED_UNIT | CROSSED_LEADER);
}
