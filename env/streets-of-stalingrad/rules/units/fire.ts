import type { Dice } from "../../../core/dice/dice.js";
import type { State, StateView } from "../../../core/layout.js";
import * as words from "../../layout.js";
import {
  DRM_DISRUPTED,
  DRM_LEADER,
  DRM_NKVD,
  DRM_OOS,
  DRM_SNIPER,
  OOS_SHIFT,
  PINNED,
  R_COLUMN,
  R_DIE,
  R_DRMS,
  R_HEX,
  R_KIND,
  R_MDR,
  R_POINTS,
  R_RESULT,
  RECORD_WORDS,
  RECORDS,
  SPENT,
} from "../../layout.js";
import { SOVIET } from "../../roster.js";
import { extraOf, has, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import type * as printed from "../../charts.js";
import { D1P, P } from "../../charts.js";
import { chiefIn, worth } from "./command.js";
import { sniperIn } from "./snipers.js";
import { isWalledOff } from "./wall.js";

/**
 * True when the unit has a clear line for direct fire at a hex inside its range, even one that it could not enter.
 * Rule: SOS 9.21, SOS 9.23, SOS 9.24, SOS 9.25, SOS 9.31, SOS 9.37, SOS 9.40
 */
export function reaches(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, roster } = tables;
  const from = placeOf(tables, s, unit);
  if (from < 0) return false;
  if (board.distance(from, hex) > roster.range[unit]! || !board.sight.clear(from, hex)) return false;
  return !isWalledOff(tables, s, unit, hex);
}

/** Clears the modifiers of the next roll. */
export function clearDrms({ drms }: Tables): void {
  drms.fill(0);
}

/**
 * Modifiers that a firing unit brings. Rule: SOS 9.54, SOS 9.113, SOS 16.13, SOS 19.5
 *
 * @param fires defensive or opportunity fire
 */
export function addFirerDrms(tables: Tables, s: StateView, unit: number, fires: boolean): void {
  const { drms, roster } = tables;
  drms[DRM_OOS] = Math.max(drms[DRM_OOS]!, extraOf(tables, s, unit, OOS_SHIFT));
  if (roster.nkvd[unit] === 1) drms[DRM_NKVD] = 1; // Rule: SOS 16.82
  if (!fires) return;
  if (has(tables, s, unit, PINNED | SPENT)) drms[DRM_DISRUPTED] = 1;
  const chief = chiefIn(tables, s, roster.side[unit]!, placeOf(tables, s, unit));
  if (chief >= 0) drms[DRM_LEADER] = Math.min(drms[DRM_LEADER]!, -worth(tables, s, chief));
  if (roster.side[unit] === SOVIET)
    drms[DRM_SNIPER] = Math.min(drms[DRM_SNIPER]!, -sniperIn(tables, s, placeOf(tables, s, unit)));
}

/** Sum of the modifiers made up. */
export function drmSum({ drms }: Tables): number {
  let sum = 0;
  for (let i = 0; i < drms.length; i++) sum += drms[i]!;
  return sum;
}

/**
 * Rolls on the combat results table with the modifiers made up. Rule: SOS 9.19, SOS 9.67, SOS 9.72
 *
 * @param points sum of the firers, above 0
 * @param shift columns up
 * @returns result code
 */
export function rollCrt(
  tables: Tables,
  s: State,
  kind: number,
  hex: number,
  points: number,
  shift: number,
  dice: Dice,
): number {
  const column = Math.min(tables.charts.column(points) + shift, tables.charts.crt.columns.length - 1);
  return rollOn(tables, s, tables.charts.crt, column, kind, hex, points, dice);
}

/** Rolls on the table for bombardments. Rule: SOS 14.45 @returns result code */
export function rollWbbt(tables: Tables, s: State, kind: number, hex: number, points: number, dice: Dice): number {
  const { wbbt } = tables.charts;
  return rollOn(tables, s, wbbt, tables.charts.column(points, wbbt), kind, hex, points, dice);
}

/** Rule: SOS 2.42 */
function rollOn(
  tables: Tables,
  s: State,
  table: printed.Crt,
  column: number,
  kind: number,
  hex: number,
  points: number,
  dice: Dice,
): number {
  const { charts, drms } = tables;
  const die = dice.d10();
  const mdr = charts.clamp(die + drmSum(tables), table);
  const result = charts.result(column, mdr, table);
  const shown = table === charts.wbbt ? column + words.WBBT_COLUMN : column;
  const at = record(tables, s, kind, hex, points, shown, die, mdr, result);
  for (let i = 0; i < drms.length; i++) s[at + R_DRMS + (i >> 3)]! |= (drms[i]! & 15) << (4 * (i & 7));
  return result;
}

/** True when a result pins. */
export const pins = (result: number): boolean => result === P || result === D1P;

/**
 * Notes a die of this action; only the last 16 are kept. Spec 9.4.
 *
 * @returns offset of the record, whose modifiers are 0
 */
export function record(
  tables: Tables,
  s: State,
  kind: number,
  hex: number,
  points: number,
  column: number,
  die: number,
  mdr: number,
  result: number,
): number {
  const { records, recordCount } = tables.layout;
  if (s[recordCount] === RECORDS) s.copyWithin(records, records + RECORD_WORDS, records + RECORDS * RECORD_WORDS);
  else s[recordCount]!++;
  const at = records + (s[recordCount]! - 1) * RECORD_WORDS;
  s[at + R_KIND] = kind;
  s[at + R_HEX] = hex + 1;
  s[at + R_POINTS] = points;
  s[at + R_COLUMN] = column;
  s[at + R_DIE] = die;
  s[at + R_MDR] = mdr;
  s[at + R_RESULT] = result;
  s.fill(0, at + R_DRMS, at + RECORD_WORDS);
  return at;
}

/** Forgets the dice of the action before. */
export function clearRecords(tables: Tables, s: State): void {
  const { records, recordCount } = tables.layout;
  if (s[recordCount] === 0) return;
  s.fill(0, records, records + s[recordCount]! * RECORD_WORDS);
  s[recordCount] = 0;
}
