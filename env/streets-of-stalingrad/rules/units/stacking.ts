import type { StateView } from "../../../core/layout.js";
import { GERMAN } from "../../roster.js";
import { CARRIED, GROUP, UNLOADS } from "../../layout.js";
import { firstIn, has, nextIn } from "../../state.js";
import type { Tables } from "../../state.js";
import { MINE } from "./mines.js";

/**
 * True when a hex would hold its counters if the group went there, or one unit did, or none. Counts the units there
 * now. Rule: SOS 5.1 to SOS 5.6, rulings R6, R12
 *
 * @param unit a unit that goes there, -1: all units with GROUP, and those that they pick up; `RIDERS`: all who ride
 */
export function fits(tables: Tables, s: StateView, side: number, hex: number, unit: number): boolean {
  const { charts, roster } = tables;
  let stack = 0;
  let lifted = false;
  let mined = false;
  let besides = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== side || joins(tables, s, u, unit)) continue;
    if (roster.stackUnit[u] === 1) stack++;
    else if (roster.kind[u] === MINE) mined = true;
    else besides += charts.besideMine[roster.kind[u]!]!;
    if (roster.liftsLimit[u] === 1) lifted = true;
  }
  const first = unit >= 0 ? unit : roster.first(side);
  const end = unit >= 0 ? unit + 1 : roster.end(side);
  for (let u = first; u < end; u++) {
    if (!joins(tables, s, u, unit)) continue;
    if (roster.stackUnit[u] === 1) {
      stack++;
      if (roster.liftsLimit[u] === 1) lifted = true;
      continue;
    }
    const most = charts.extraLimit[roster.kind[u]!]!;
    let sharing = 1;
    for (let v = firstIn(tables, s, hex); v >= 0; v = nextIn(tables, s, v))
      if (roster.side[v] === side && v !== u && sameLimit(tables, u, v) && !joins(tables, s, v, unit)) sharing++;
    for (let v = first; v < u; v++) if (joins(tables, s, v, unit) && sameLimit(tables, u, v)) sharing++;
    if (sharing > most) return false;
    if (roster.kind[u] === MINE) mined = true;
    besides += charts.besideMine[roster.kind[u]!]!;
  }
  // Rule: SOS 5.6, SOS 17.21
  if (mined) return stack <= 1 && besides <= 1;
  return stack <= limit(tables, side, lifted);
}

/**
 * As `fits` for a group of this many stack units and no one else.
 *
 * @param lifts one of them lifts the limit
 */
export function fitsStack(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  units: number,
  lifts: boolean,
): boolean {
  const { roster } = tables;
  let stack = units;
  let lifted = lifts;
  let mined = false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== side || has(tables, s, u, GROUP)) continue;
    if (roster.stackUnit[u] === 1) stack++;
    else if (roster.kind[u] === MINE) mined = true;
    if (roster.liftsLimit[u] === 1) lifted = true;
  }
  return mined ? stack <= 1 : stack <= limit(tables, side, lifted);
}

/** True when a hex holds more stack units of a side than it may. Rule: SOS 5.6, SOS 5.8 */
export function isOverfull(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  let stack = 0;
  let lifted = false;
  let mined = false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== side) continue;
    if (roster.kind[u] === MINE) mined = true;
    if (roster.stackUnit[u] === 0) continue;
    stack++;
    if (roster.liftsLimit[u] === 1) lifted = true;
  }
  return stack > (mined ? 1 : limit(tables, side, lifted));
}

/** Stack units of a side that a hex takes, with armor or without. Rule: SOS 5.3, SOS 5.4 */
export const limit = (tables: Tables, side: number, lifted: boolean): number =>
  side === GERMAN && lifted ? tables.charts.germanLimitWithArmor : tables.charts.stackLimit[side]!;

/** In place of a unit: those who ride and get off. */
export const RIDERS = -2;

function joins(tables: Tables, s: StateView, u: number, unit: number): boolean {
  if (unit >= 0) return u === unit;
  if (tables.roster.rider[u] === 0) return unit !== RIDERS && has(tables, s, u, GROUP);
  const riding = (s[tables.layout.work + u]! & (CARRIED | UNLOADS)) === CARRIED;
  return riding || (unit !== RIDERS && has(tables, s, u, GROUP));
}

/** Leaders and commissars share one limit, every other kind has its own. */
export const sameLimit = ({ roster }: Tables, u: number, v: number): boolean =>
  roster.stackUnit[v] === 0 && (roster.leader[u] === 1 ? roster.leader[v] === 1 : roster.kind[u] === roster.kind[v]);
