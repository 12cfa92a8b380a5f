import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { PASS, unitBase } from "../../actions.js";
import * as events from "../../events/armor.js";
import { ASK_REPAIR, F_ACTOR, F_STEP, GUN_PHASE_SHIFT, type HexId, isLost, KNOWN, type UnitId } from "../../layout.js";
import { SOVIET } from "../../roster.js";
import { give, placeOf, push, put, setExtra, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { isWorkshop, REPAIR } from "../units/workshop.js";
import { fits } from "../units/stacking.js";
import { TANK } from "../units/wrecks.js";

/** Step of the stage `arrive` in which a tank is repaired. Ruling R103. */
export const REPAIRED = 3;

/** The hex of the repair unit, -1 without one that works. Rule: SOS 16.71 */
function workshop(tables: Tables, s: StateView): HexId {
  const { roster } = tables;
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++)
    if (roster.kind[u] === REPAIR && isWorkshop(tables, placeOf(tables, s, u))) return placeOf(tables, s, u);
  return -1 as HexId;
}

/** True when a unit is a lost tank that the repair unit has room for. Rule: SOS 5.4, SOS 16.72 */
const isRepairable = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  tables.roster.kind[unit] === TANK && isLost(placeOf(tables, s, unit)) && fits(tables, s, SOVIET, hex, unit);

/** Decision `arrive.repair`: one lost tank. Rule: SOS 16.72 */
export function fillRepairs(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { charts, layout, roster } = tables;
  const hex = charts.repairsIn(s[layout.turn]!) ? workshop(tables, s) : -1;
  if (hex < 0) return 0;
  let n = 0;
  for (let u = roster.first(SOVIET); u < roster.end(SOVIET); u++) {
    if (!isRepairable(tables, s, u, hex)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + PASS] = 1;
  return n + 1;
}

/**
 * Replacements are over: the Soviet side is asked for the tank that is repaired.
 *
 * @returns false for the German side. Ruling R103.
 */
export function offerRepair(tables: Tables, s: State): boolean {
  const frame = topFrame(tables, s);
  if (s[frame + F_ACTOR] !== SOVIET || !tables.roster.kind.includes(REPAIR)) return false;
  s[frame + F_STEP] = REPAIRED;
  push(tables, s, ASK_REPAIR, SOVIET);
  return true;
}

/**
 * A tank comes back beside the repair unit, where everybody sees a counter come; it may move at once. Rule: SOS 16.72
 */
export function repair(tables: Tables, s: State, unit: UnitId, play: Play): void {
  const hex = workshop(tables, s);
  setExtra(tables, s, unit, GUN_PHASE_SHIFT, 0);
  put(tables, s, unit, hex);
  give(tables, s, unit, KNOWN);
  if (play.narrator !== null) events.repaired(tables, unit, hex, play);
}
