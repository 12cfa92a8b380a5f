import type { StateView } from "../../../core/layout.js";
import { ABOARD, BANK_SHIFT, DISMOUNTED } from "../../layout.js";
import { extraOf, has, type Tables } from "../../state.js";
import { isBridged } from "./bridges.js";

const FOOT_MP = 8;

/**
 * True when a unit is a vehicle now: MP of 12 or more and not dismounted, or on a transport. Rule: SOS 8.12, SOS 8.72,
 * SOS 9.96, SOS 16.44
 */
export const isVehicle = (tables: Tables, s: StateView, unit: number): boolean =>
  tables.roster.vehicle[unit] === 1
    ? !has(tables, s, unit, DISMOUNTED)
    : tables.roster.rider[unit] !== 0 && (s[tables.layout.work + unit]! & ABOARD) !== 0;

/** True when a unit is armor now. Rule: SOS 8.75, SOS 9.91, SOS 9.96, SOS 16.63 */
export const isArmored = (tables: Tables, s: StateView, unit: number): boolean =>
  tables.roster.armored[unit] === 1 && !has(tables, s, unit, DISMOUNTED);

/** MP that a unit has before any halving: as printed, on foot 8. Rule: SOS 8.01, SOS 8.71 */
export const printedMp = (tables: Tables, s: StateView, unit: number): number =>
  has(tables, s, unit, DISMOUNTED) ? FOOT_MP : tables.roster.mp[unit]!;

/**
 * True when a unit can go from a hex over a side, whatever it costs. Rule: SOS 8.12, SOS 9.86, SOS 17.12
 *
 * @param from its hex, or another that it would be in
 * @param bank on which bank of that hex a vehicle is; by default its own in its hex, and any in another
 */
export function mayCross(
  tables: Tables,
  s: StateView,
  unit: number,
  from: number,
  d: number,
  bank = s[tables.layout.place + unit] === from ? extraOf(tables, s, unit, BANK_SHIFT) : 0,
): boolean {
  const { board, roster } = tables;
  if (roster.train[unit] === 1) return tables.rails[from * 6 + d] === 1; // Rule: SOS 16.61
  if (!isVehicle(tables, s, unit)) return board.footCost[from * 6 + d] !== 0;
  if (board.vehicleCost[from * 6 + d] === 0) return false;
  return board.banks.mayLeave(from, bank, d, roster.side[unit] === 1, true) || isBridged(tables, s, from);
}
