import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { DONE, unitBase } from "../../actions.js";
import * as events from "../../events/administration.js";
import {
  ASK_ARRIVE_BOX,
  F_ACTOR,
  F_STEP,
  F_UNIT,
  FRAME_WORDS,
  isLost,
  POINTS_GERMAN,
  POINTS_PZ,
  POINTS_SOVIET,
  type UnitId,
} from "../../layout.js";
import { GERMAN, SIDES, SOVIET } from "../../roster.js";
import { placeOf, push, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { nextHeadquarters } from "../units/army.js";
import { bringArrivals, hasArrivals, hasOpenBox, isAside, nextToReturn } from "../units/arrivals.js";
import { offerDivision } from "./commitment.js";
import { hasCommand } from "./exchange.js";

// Steps of the stage `arrive`. Ruling R103.
export const ARRIVED = 1;
/** A unit has been replaced, so leaders of its command may come back. */
export const BOUGHT = 2;

/** True when something is to be done before, or between, replacements. */
export const isArriving = (tables: Tables, s: StateView): boolean =>
  s[topFrame(tables, s) + F_STEP] === 0 || nextComing(tables, s) >= 0;

/**
 * Who comes back now: those away, headquarters, leaders whose command is replaced; -1 nobody. Rule: SOS 18.42, SOS
 * 18.44, SOS 18.46, SOS 20.7
 */
function nextComing(tables: Tables, s: StateView, frame = topFrame(tables, s)): number {
  const side = s[frame + F_ACTOR]!;
  const step = s[frame + F_STEP]!;
  if (!hasOpenBox(tables, side)) return -1;
  if (step === BOUGHT) return nextRestored(tables, s, side);
  if (step !== 0) return -1;
  const back = nextToReturn(tables, s);
  return back >= 0 ? back : nextHeadquarters(tables, s, side);
}

/** A leader who was dismissed, and has a command again. Ruling R111. */
function nextRestored(tables: Tables, s: StateView, side: number): number {
  const { roster } = tables;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (isDismissed(tables, s, u) && hasCommand(tables, s, u)) return u;
  return -1;
}

const isDismissed = (tables: Tables, s: StateView, unit: number): boolean =>
  isAside(tables, s, unit) && tables.roster.army[unit] === 0;

/**
 * Those who come back, then divisions that may be refused, then those of the schedule, then points. Rule: SOS 21.1, SOS
 * 21.2, SOS 21.41, ruling R103
 */
export function bringAll(tables: Tables, s: State, play: Play): void {
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  const unit = nextComing(tables, s);
  if (unit >= 0) {
    s[push(tables, s, ASK_ARRIVE_BOX, side) + F_UNIT] = unit + 1;
    return;
  }
  if (offerDivision(tables, s)) return;
  if (hasArrivals(tables, s)) bringArrivals(tables, s, play);
  addPoints(tables, s, side, play);
  s[frame + F_STEP] = ARRIVED;
}

/** Points of the rows that fall into this turn. Rule: SOS 21.41 */
function addPoints(tables: Tables, s: State, side: number, play: Play): void {
  const { layout, setting } = tables;
  const turn = s[layout.turn]!;
  for (const row of setting.replacements) {
    if (row.side !== SIDES[side] || turn < row.fromTurn || turn > row.toTurn) continue;
    if ((turn - row.fromTurn) % row.every !== 0) continue;
    const pz = row.pz ?? 0;
    s[layout.replacements + POINTS_PZ]! += pz;
    s[layout.replacements + (side === GERMAN ? POINTS_GERMAN : POINTS_SOVIET)]! += row.af;
    if (play.narrator !== null) events.pointsCome(tables, s, side, pz, row.af, play);
  }
}

/**
 * The word of the points that replace a unit: armor has its own, and Soviet armor none. Rule: SOS 21.42, ruling R112
 */
function purseOf({ layout, roster }: Tables, unit: number): number {
  if (roster.side[unit] === SOVIET) return roster.armored[unit] === 1 ? -1 : layout.replacements + POINTS_SOVIET;
  return layout.replacements + (roster.armored[unit] === 1 ? POINTS_PZ : POINTS_GERMAN);
}

/**
 * True when its side has the points for an eliminated unit. Rule: SOS 21.41, SOS 21.42, SOS 21.43, SOS 21.44, SOS
 * 21.46, rulings R62, R112
 */
export function mayReplace(tables: Tables, s: StateView, unit: number): boolean {
  const { roster } = tables;
  if (roster.replaceable[unit] === 0 || !isLost(placeOf(tables, s, unit))) return false;
  const purse = purseOf(tables, unit);
  return purse >= 0 && s[purse]! >= roster.af[unit]!;
}

/** Decision `arrive.replace`. */
export function fillReplacements(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  if (!hasOpenBox(tables, side)) return 0;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!mayReplace(tables, s, u)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + DONE] = 1;
  return n + 1;
}

/** True when a unit is one for which a box is asked above the stage's frame. */
export function isDueBack(tables: Tables, s: StateView, unit: number, frame: number): boolean {
  const root = frame - FRAME_WORDS;
  if (isLost(placeOf(tables, s, unit))) return s[root + F_STEP] !== 0 && mayReplace(tables, s, unit);
  return nextComing(tables, s, root) === unit;
}

/** The unit is named, its box comes next. */
export function nameReplacement(tables: Tables, s: State, unit: UnitId): void {
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  s[push(tables, s, ASK_ARRIVE_BOX, side) + F_UNIT] = unit + 1;
}

/** A unit costs its AF. Ruling R62. */
export function payFor(tables: Tables, s: State, unit: number): void {
  s[purseOf(tables, unit)]! -= tables.roster.af[unit]!;
}
