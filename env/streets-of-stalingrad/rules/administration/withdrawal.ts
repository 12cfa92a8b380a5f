import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { NO, unitBase, YES } from "../../actions.js";
import type { Withdrawal } from "../../schedule.js";
import * as events from "../../events/administration.js";
import {
  ASK_WITHDRAW,
  F_NEED,
  F_STEP,
  isBox,
  isLost,
  OUT,
  POINTS_GERMAN,
  POINTS_PZ,
  TASK_BITS,
  type UnitId,
} from "../../layout.js";
import { GERMAN } from "../../roster.js";
import { placeOf, pop, push, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { forgetBox, leaveMap, tellMixed } from "../units/hidden.js";
import { bereave } from "../units/losses.js";
import { quitTask } from "../units/tasks.js";

/** True when a unit is on the map or in a box. */
function isHere(tables: Tables, s: StateView, unit: number): boolean {
  const place = placeOf(tables, s, unit);
  return place >= 0 || isBox(place);
}

/** The row that is asked about. */
export const rowOf = ({ layout, setting }: Tables, s: StateView): Withdrawal =>
  setting.withdrawals[s[topFrame({ layout } as Tables, s) + F_STEP]!]!;

const hasUnits = (tables: Tables, s: StateView, row: Withdrawal): boolean =>
  row.units.some((u) => isHere(tables, s, u));

/** True when all units of a row, and of those that count with it, have left. */
function haveLeft(tables: Tables, s: StateView, counts: number): boolean {
  const { withdrawals } = tables.setting;
  return withdrawals.every((row) => row.counts !== counts || !hasUnits(tables, s, row));
}

/** Points of a row, or of the one that it counts with, fall once. */
function count(tables: Tables, s: State, row: Withdrawal, points: number, play: Play): void {
  const { layout, setting } = tables;
  if (((s[layout.penalties]! >> row.counts) & 1) === 1) return;
  s[layout.penalties]! |= 1 << row.counts;
  s[layout.adjust]! += points;
  if (play.narrator !== null) events.withdrawalCounted(setting.withdrawals[row.counts]!.formation, points, play);
}

/**
 * A row of units to withdraw is gone through. Rule: SOS 21.51, SOS 21.52, SOS 21.54, rulings R63, R113
 *
 * @returns true when the German side is asked now
 */
export function withdraw(tables: Tables, s: State, i: number, play: Play): boolean {
  const row = tables.setting.withdrawals[i]!;
  const turn = s[tables.layout.turn]!;
  if (row.minimum > 0) return turn === row.turn && ask(tables, s, i, row.minimum, play);
  if (turn === row.forced) {
    for (const u of row.units) if (isHere(tables, s, u)) leave(tables, s, u, false, play);
    return false;
  }
  const first = tables.setting.withdrawals[row.counts]!;
  const early = turn === first.bonusBy;
  // the guns are asked for only after the division has left. Ruling R113
  const asks = turn === row.turn || (early && (row === first || !hasUnits(tables, s, first)));
  return asks && hasUnits(tables, s, row) && ask(tables, s, i, 0, play);
}

function ask(tables: Tables, s: State, i: number, need: number, play: Play): boolean {
  const frame = push(tables, s, ASK_WITHDRAW, GERMAN);
  s[frame + F_STEP] = i;
  s[frame + F_NEED] = need;
  return need === 0 || !settleRest(tables, s, play);
}

/** Decision `admin.withdraw`: units until there are enough, or whether a division leaves. Rule: SOS 21.52, SOS 21.54 */
export function fillWithdrawals(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (s[topFrame(tables, s) + F_NEED] === 0) {
    mask[at + YES] = 1;
    mask[at + NO] = 1;
    return 2;
  }
  const row = rowOf(tables, s);
  const own = hasUnits(tables, s, row);
  let n = 0;
  for (let u = tables.roster.first(GERMAN); u < tables.roster.end(GERMAN); u++) {
    if (own ? !row.units.includes(u) || !isHere(tables, s, u) : !replaces(tables, s, row, u)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  return n;
}

/**
 * True when a unit may go in place of a lost one of a row: it has the same kind, and no less AF. Rule: SOS 21.52,
 * ruling R63
 */
function replaces(tables: Tables, s: StateView, row: Withdrawal, unit: number): boolean {
  const { roster } = tables;
  return (
    isHere(tables, s, unit) &&
    roster.spare[unit] === 0 &&
    row.units.some(
      (u) => isLost(placeOf(tables, s, u)) && roster.kind[u] === roster.kind[unit] && roster.af[u]! <= roster.af[unit]!,
    )
  );
}

/**
 * Where nobody can go, points are paid for the rest of the duty, or it lapses. Ruling R63
 *
 * @returns true when the row is done
 */
function settleRest(tables: Tables, s: State, play: Play): boolean {
  const { layout, roster } = tables;
  const frame = topFrame(tables, s);
  const row = rowOf(tables, s);
  for (; s[frame + F_NEED]! > 0; s[frame + F_NEED]!--) {
    if (hasUnits(tables, s, row)) return false;
    for (let u = roster.first(GERMAN); u < roster.end(GERMAN); u++) if (replaces(tables, s, row, u)) return false;
    let cheapest = -1;
    for (const u of row.units)
      if (isLost(placeOf(tables, s, u)) && (cheapest < 0 || roster.af[u]! < roster.af[cheapest]!)) cheapest = u;
    const purse = layout.replacements + (cheapest >= 0 && roster.armored[cheapest] === 1 ? POINTS_PZ : POINTS_GERMAN);
    const paid = cheapest >= 0 && s[purse]! >= roster.af[cheapest]! ? roster.af[cheapest]! : 0;
    s[purse]! -= paid;
    if (play.narrator !== null) events.withdrawalPaid(row.formation, paid, play);
  }
  pop(tables, s);
  return true;
}

/** A unit goes; the German side is asked until there are enough. */
export function withdrawOne(tables: Tables, s: State, unit: UnitId, play: Play): void {
  leave(tables, s, unit, true, play);
  s[topFrame(tables, s) + F_NEED]!--;
  settleRest(tables, s, play);
}

/** A division leaves, or stays. Rule: SOS 3.5, SOS 3.7, ruling R113 */
export function decideDivision(tables: Tables, s: State, goes: boolean, play: Play): void {
  const row = rowOf(tables, s);
  const first = tables.setting.withdrawals[row.counts]!;
  const turn = s[tables.layout.turn]!;
  pop(tables, s);
  if (goes) for (const u of row.units) if (isHere(tables, s, u)) leave(tables, s, u, false, play);
  if (goes && turn <= first.bonusBy && haveLeft(tables, s, row.counts)) count(tables, s, row, first.bonus, play);
  if (!goes && turn >= row.turn) count(tables, s, row, first.penalty, play);
}

/** A unit leaves for good. Rule: SOS 21.53 @param alone no other goes with it */
function leave(tables: Tables, s: State, unit: number, alone: boolean, play: Play): void {
  const place = placeOf(tables, s, unit);
  if (play.narrator !== null) events.withdrawn(tables, s, unit, alone, play);
  if (place >= 0) bereave(tables, s, unit);
  if ((s[tables.layout.work + unit]! & TASK_BITS) !== 0) quitTask(tables, s, unit, play);
  leaveMap(tables, s, unit, OUT, play);
  if (isBox(place)) forgetBox(tables, s, place, play);
  tellMixed(tables, play);
}
