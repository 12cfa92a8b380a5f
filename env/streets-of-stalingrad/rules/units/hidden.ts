import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import {
  BANK_SHIFT,
  DEAD,
  GUN_PHASE_SHIFT,
  isBox,
  KNOWN,
  LIES_OPEN,
  SHOWN,
  STAGE_SETUP,
  TASK_BITS,
} from "../../layout.js";
import { SOVIET } from "../../roster.js";
import * as events from "../../events/common.js";
import {
  announcedOf,
  extraOf,
  firstIn,
  give,
  has,
  nextIn,
  placeOf,
  put,
  setAnnounced,
  setExtra,
  take,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { quitTask } from "./tasks.js";
import { isVehicle } from "./units.js";
import { isAtWall, isBehindWall } from "./wall.js";
import { isArmyLeader, isLeaderless, noteLeader } from "./army.js";
import { noteZone } from "./zoc.js";

/**
 * True when the ground of a hex hides this unit, as a Volga hex does. Rule: SOS 7.1, SOS 7.2, SOS 8.13, SOS 8.64, SOS
 * 11.6
 */
export const hides = (tables: Tables, s: StateView, unit: number, hex: number): boolean => {
  const { clearForFoot, clearForVehicles } = tables.board;
  return (isVehicle(tables, s, unit) ? clearForVehicles : clearForFoot)[hex] === 0;
};

/**
 * True when the enemy sees the face of a unit on the map now. Soviets in the open always, Germans there if a Soviet
 * unit has a line of sight; in bad weather Germans see no farther than four hexes. Rule: SOS 7.1, SOS 7.2, SOS 7.4, SOS
 * 7.5, ruling R91
 */
export function isVisible(tables: Tables, s: StateView, unit: number): boolean {
  if (!tables.hidden || has(tables, s, unit, SHOWN)) return true;
  const hex = placeOf(tables, s, unit);
  if (tables.roster.open[unit] === 1 && hex >= 0) return true; // nobody else gets there as it does
  if (isBox(hex) || hides(tables, s, unit, hex)) return false;
  if (tables.roster.side[unit] !== SOVIET) return isWatched(tables, s, unit, hex);
  return s[tables.layout.weather] === 0 || isNear(tables, s, unit, hex);
}

/** How far Germans see Soviets in the open in bad weather. Rule: SOS 7.4 */
const BAD_SIGHT = 4;

/** In bad weather, true when a German unit within four hexes of a Soviet one has a line of sight. Rule: SOS 7.4 */
function isNear(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, roster } = tables;
  for (let u = 0; u < roster.germans; u++) {
    const from = placeOf(tables, s, u);
    if (from < 0 || roster.blind[u] === 1 || board.distance(from, hex) > BAD_SIGHT) continue;
    if (!board.sight.sees(hex, from)) continue;
    if (!isBehindWall(tables, s, u, hex) && !isBehindWall(tables, s, unit, from)) return true;
  }
  return false;
}

/**
 * True when a Soviet unit sees a German one.
 *
 * @param among those that are asked, the first `count` of them; null: all
 */
function isWatched(
  tables: Tables,
  s: StateView,
  unit: number,
  hex: number,
  among: Int16Array | null = null,
  count = tables.units - tables.roster.germans,
): boolean {
  const { board, roster } = tables;
  for (let i = 0; i < count; i++) {
    const u = among === null ? roster.germans + i : among[i]!;
    const from = placeOf(tables, s, u);
    if (from < 0 || roster.blind[u] === 1 || !board.sight.sees(hex, from)) continue;
    if (!isBehindWall(tables, s, u, hex) && !isBehindWall(tables, s, unit, from)) return true;
  }
  return false;
}

/**
 * True for a unit in the open whose face the enemy doesn't know: none who looks out has seen it. Rule: SOS 7.1, SOS 7.4
 */
export function isUnmet(tables: Tables, s: StateView, unit: number): boolean {
  const hex = placeOf(tables, s, unit);
  if (!tables.hidden || hex < 0 || tables.roster.open[unit] === 1 || has(tables, s, unit, KNOWN | SHOWN)) return false;
  if (tables.roster.side[unit] === SOVIET && s[tables.layout.weather] === 0) return false;
  return !hides(tables, s, unit, hex);
}

/** True when an enemy in a hex, unless behind a wall there, would see the face of a unit in the open. Rule: SOS 7.4 */
export function mayBeSeenFrom(tables: Tables, s: StateView, unit: number, from: number): boolean {
  const { board, roster } = tables;
  const hex = placeOf(tables, s, unit);
  if (roster.side[unit] === SOVIET && board.distance(from, hex) > BAD_SIGHT) return false;
  return board.sight.sees(hex, from) && !isBehindWall(tables, s, unit, from);
}

/**
 * Notes what each side sees now: a face once seen is known while its place is certain. Where few have stirred, only
 * they come into sight, or see others. Ruling R10.
 *
 * @returns true when somebody has learnt something
 */
export function lookRound(tables: Tables, s: State, play: Play): boolean {
  const { layout, stirred, units } = tables;
  const { germans } = tables.roster;
  if (!stirred.all && stirred.count === 0) return false;
  const watchers = stirred.all ? noteWatchers(tables, s) : noteLookouts(tables, s, germans, units);
  let learnt = false;
  let every = stirred.all || watchers > 0;
  for (let i = 0; i < (every ? germans : stirred.count); i++) {
    const u = every ? i : stirred.units[i]!;
    if (u < germans && comesIntoSight(tables, s, u, watchers)) learnt = meet(tables, s, u, play);
  }
  every = stirred.all || (s[layout.weather] === 1 && noteLookouts(tables, s, 0, germans) > 0);
  for (let i = 0; i < (every ? units - germans : stirred.count); i++) {
    const u = every ? germans + i : stirred.units[i]!;
    if (u >= germans && comesIntoSight(tables, s, u, 0)) learnt = meet(tables, s, u, play);
  }
  stirred.clear();
  return learnt;
}

/**
 * True when the enemy may see the face of a unit on the map now, and did not know it.
 *
 * @param watchers how many Soviet units may see a German one: if everybody has stirred, those behind a wall; otherwise
 *   those who have
 */
function comesIntoSight(tables: Tables, s: StateView, unit: number, watchers: number): boolean {
  const { board, layout, roster, stirred } = tables;
  const flags = s[layout.flags + unit]!;
  const hex = s[layout.place + unit]!;
  if ((flags & KNOWN) !== 0 || hex < 0) return false;
  if (!tables.hidden || (flags & SHOWN) !== 0 || roster.open[unit] === 1) return true;
  const [foot, vehicles] = [board.clearForFoot[hex]!, board.clearForVehicles[hex]!];
  if ((foot | vehicles) === 0 || (foot !== vehicles && hides(tables, s, unit, hex))) return false;
  if (unit >= roster.germans) return s[layout.weather] === 0 || isNear(tables, s, unit, hex);
  if (stirred.all) return isInSight(tables, s, unit, hex, watchers);
  return stirred.has(unit)
    ? isWatched(tables, s, unit, hex)
    : isWatched(tables, s, unit, hex, stirred.lookouts, watchers);
}

/** The enemy sees a face. @returns true */
function meet(tables: Tables, s: State, unit: number, play: Play): true {
  const { layout, roster } = tables;
  give(tables, s, unit, KNOWN);
  if (roster.zocUnit[unit] === 1) noteZone(tables, s, roster.side[unit]!, placeOf(tables, s, unit));
  // what is set up is shown when its side has done so
  if (play.narrator !== null && s[layout.stage] !== STAGE_SETUP) events.reveals(tables, s, unit, play);
  return true;
}

/** Notes who among the units that have stirred looks out, from one slot to before another. @returns how many */
function noteLookouts({ layout, roster, stirred }: Tables, s: StateView, from: number, to: number): number {
  let n = 0;
  for (let i = 0; i < stirred.count; i++) {
    const u = stirred.units[i]!;
    if (u >= from && u < to && roster.blind[u] === 0 && s[layout.place + u]! >= 0) stirred.lookouts[n++] = u;
  }
  return n;
}

/**
 * Notes the hexes of Soviet units that look out freely. Which hexes they see is kept while they are there.
 *
 * @returns how many others look out from behind a wall
 */
function noteWatchers(tables: Tables, s: StateView): number {
  const { roster, watch } = tables;
  let walled = 0;
  watch.begin();
  for (let u = roster.germans; u < tables.units; u++) {
    const from = placeOf(tables, s, u);
    if (from < 0 || roster.blind[u] === 1) continue;
    if (isAtWall(tables, s, u)) watch.walled[walled++] = u;
    else watch.add(from);
  }
  watch.close();
  return walled;
}

/** The same as `isWatched`, after `noteWatchers`. */
function isInSight(tables: Tables, s: StateView, unit: number, hex: number, walled: number): boolean {
  if (isAtWall(tables, s, unit)) return isWatched(tables, s, unit, hex);
  return tables.watch.sees(hex) || (walled > 0 && isWatched(tables, s, unit, hex, tables.watch.walled, walled));
}

/** Turns a unit face up until the end of the phase. Rule: SOS 7.5, SOS 7.6 */
export function reveal(tables: Tables, s: State, unit: number, play: Play): void {
  const wasKnown = has(tables, s, unit, KNOWN);
  give(tables, s, unit, SHOWN | KNOWN);
  if (!wasKnown && tables.roster.zocUnit[unit] === 1)
    noteZone(tables, s, tables.roster.side[unit]!, placeOf(tables, s, unit));
  if (play.narrator !== null && !wasKnown) events.reveals(tables, s, unit, play);
}

/**
 * Moves a unit to a hex and keeps both sides' knowledge: whoever goes face down is no longer known, nor is any other
 * face-down counter with the same back where it left or arrived. Ruling R10.
 */
export function moveUnit(tables: Tables, s: State, unit: number, to: number, play: Play): void {
  const from = placeOf(tables, s, unit);
  if ((s[tables.layout.work + unit]! & TASK_BITS) !== 0) quitTask(tables, s, unit, play);
  const seenBefore = isVisible(tables, s, unit);
  const { banks } = tables.board;
  if (banks.any && from >= 0 && to >= 0 && isVehicle(tables, s, unit)) {
    const d = tables.board.sideTo(from, to);
    setExtra(tables, s, unit, BANK_SHIFT, d < 0 ? 0 : banks.enter(from, extraOf(tables, s, unit, BANK_SHIFT), d, to));
  }
  const army = isArmyLeader(tables, unit);
  const unled = army && isLeaderless(tables, s, tables.roster.side[unit]!);
  put(tables, s, unit, to);
  if (army) noteLeader(tables, s, unit, unled, play);
  const seenNow = isVisible(tables, s, unit);
  if (!seenBefore) {
    if (!seenNow) forget(tables, s, unit, play);
    if (from >= 0) forgetAlike(tables, s, unit, from, play);
  }
  if (isBox(from)) forgetBox(tables, s, from, play);
  if (isBox(to)) forget(tables, s, unit, play);
  else if (!seenNow) forgetAlike(tables, s, unit, to, play);
}

/**
 * An eliminated unit takes the place of one on the map, with its markers and its face: what was known of the hex, and
 * announced of it, stays. Rule: SOS 20.2
 */
export function replaceUnit(tables: Tables, s: State, unit: number, by: number): void {
  const { layout } = tables;
  const hex = placeOf(tables, s, unit);
  const said = announcedOf(tables, s, hex);
  const [flags, extra, work] = [s[layout.flags + unit]!, s[layout.extra + unit]!, s[layout.work + unit]!];
  put(tables, s, unit, DEAD);
  setExtra(tables, s, unit, GUN_PHASE_SHIFT, s[layout.phase]!);
  put(tables, s, by, hex);
  setAnnounced(tables, s, hex, said);
  s[layout.flags + by] = flags;
  s[layout.extra + by] = extra;
  s[layout.work + by] = work;
}

/** A unit leaves the map, and keeps no marker. */
export function leaveMap(tables: Tables, s: State, unit: number, place: number, play: Play): void {
  const hex = placeOf(tables, s, unit);
  const seen = isVisible(tables, s, unit);
  put(tables, s, unit, DEAD); // takes its markers
  put(tables, s, unit, place);
  if (!seen) forgetAlike(tables, s, unit, hex, play);
}

/** A unit has left a box, or was lost there: who of those seen is still there is not certain. Ruling R10 */
export function forgetBox(tables: Tables, s: State, place: number, play: Play): void {
  for (let u = 0; u < tables.units; u++)
    if (placeOf(tables, s, u) === place && !has(tables, s, u, SHOWN)) forget(tables, s, u, play);
}

function forgetAlike(tables: Tables, s: State, unit: number, hex: number, play: Play): void {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (
      u !== unit &&
      roster.side[u] === roster.side[unit] &&
      roster.tag[u] === roster.tag[unit] &&
      has(tables, s, u, KNOWN) &&
      !isVisible(tables, s, u)
    )
      forget(tables, s, u, play);
}

/**
 * Reports the units that are now like others, after the step that made them so. Their order doesn't reveal who moved.
 */
export function tellMixed(tables: Tables, play: Play): void {
  if (tables.mixed.length === 0) return;
  for (const unit of tables.mixed.sort((a, b) => a - b)) events.mixesIn(tables, unit, play);
  tables.mixed.length = 0;
}

/** Its face was seen, if only in passing: that stays noted for one action. */
function forget(tables: Tables, s: State, unit: number, play: Play): void {
  if (!has(tables, s, unit, KNOWN)) return;
  if (play.narrator !== null) tables.mixed.push(unit);
  take(tables, s, unit, KNOWN);
  s[tables.layout.outOfSight + (unit >> 5)]! |= 1 << (unit & 31);
}

/** Counters that fired or attacked turn face down again, but those that fired at movers. Rule: SOS 7.6 */
export function turnDown(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null) events.turnedDown(tables, s, play);
  for (let u = 0; u < tables.units; u++) if (!has(tables, s, u, LIES_OPEN)) take(tables, s, u, SHOWN);
}

const NOBODY: readonly number[] = [];

/**
 * Units of a side in a hex that `picks` names, in an order that reveals nothing: those whose face the enemy knows, then
 * the others by their backs.
 */
export function inPublicOrder(
  tables: Tables,
  s: StateView,
  hex: number,
  side: number,
  picks: (tables: Tables, s: StateView, unit: number) => boolean,
): readonly number[] {
  const { counters, side: sides } = tables.roster;
  let list: number[] | null = null;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (sides[u] === side && picks(tables, s, u)) (list ??= []).push(u);
  const key = (u: number): string => (has(tables, s, u, KNOWN) ? "" : counters[u]!.tag);
  return list?.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)) ?? NOBODY;
}
