import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import * as events from "../../events/works.js";
import {
  ABOARD,
  BANK_SHIFT,
  CARRIED,
  GROUP,
  PINNED,
  RIDES,
  TOOK_CHIEF,
  TOOK_TROOP,
  UNLOADING,
  UNLOADS,
  type UnitId,
  PATH_HEX,
} from "../../layout.js";
import { CHIEF, TROOP } from "../../roster.js";
import { give, has, order, placeOf, setExtra, take } from "../../state.js";
import type { Tables } from "../../state.js";
import { fits, RIDERS } from "../units/stacking.js";

/** What a transport has carried in this phase, by the sort of the passenger. Rule: SOS 16.44 */
const took = (sort: number): number => (sort === TROOP ? TOOK_TROOP : TOOK_CHIEF);

const isSet = (tables: Tables, s: StateView, unit: number, bits: number): boolean =>
  (s[tables.layout.work + unit]! & bits) !== 0;

/** Transports of the group that could still take a passenger of a sort. */
function roomFor(tables: Tables, s: StateView, sort: number): number {
  let n = 0;
  for (const t of tables.roster.transports) if (has(tables, s, t, GROUP) && !isSet(tables, s, t, took(sort))) n++;
  return n;
}

/** Passengers of a sort that are named, but for those who get off before. */
function named(tables: Tables, s: StateView, sort: number, bits: number): number {
  let n = 0;
  for (let u = tables.roster.germans; u < tables.units; u++)
    if (tables.roster.rider[u] === sort && isSet(tables, s, u, CARRIED) && (bits === 0 || has(tables, s, u, bits))) n++;
  return n;
}

/**
 * The group has grown: each of its transports takes an infantry, engineer or mortar unit of it and a leader, OP, dog or
 * sniper, in slot order. Rule: SOS 16.41, SOS 16.44, ruling R104
 */
export function seat(tables: Tables, s: State): void {
  const { roster, layout } = tables;
  if (roster.transports.length === 0) return;
  let troops = roomFor(tables, s, TROOP);
  let chiefs = roomFor(tables, s, CHIEF);
  for (let u = roster.germans; u < tables.units; u++) {
    if (!has(tables, s, u, GROUP)) continue;
    s[layout.work + u]! &= ~CARRIED;
    if (roster.rider[u] === TROOP && troops > 0) troops--;
    else if (roster.rider[u] === CHIEF && chiefs > 0) chiefs--;
    else continue;
    s[layout.work + u]! |= CARRIED;
  }
}

/** The order is over or taken back: nobody rides. */
export function alightAll(tables: Tables, s: State): void {
  const { roster, units } = tables;
  if (roster.transports.length === 0) return;
  const { work } = tables.layout;
  for (let u = roster.germans; u < units; u++) if ((s[work + u]! & RIDES) !== 0) alight(tables, s, u);
}

/** A unit no longer rides, and is on no bank as its transport is. Ruling R18. */
function alight(tables: Tables, s: State, unit: number): void {
  if (isSet(tables, s, unit, ABOARD)) {
    setExtra(tables, s, unit, BANK_SHIFT, 0);
    tables.stirred.note(unit);
  }
  s[tables.layout.work + unit]! &= ~RIDES;
}

/** A new phase: every transport may carry again. Rule: SOS 16.44 */
export function restTransports({ layout, roster }: Tables, s: State): void {
  for (const t of roster.transports) s[layout.work + t]! &= ~(TOOK_TROOP | TOOK_CHIEF);
}

/** True when the group has a transport. */
export function hasTransport(tables: Tables, s: StateView): boolean {
  for (const t of tables.roster.transports) if (has(tables, s, t, GROUP)) return true;
  return false;
}

/**
 * True when a unit at the waypoint may be picked up there: one that may be ordered, and for which a transport has room.
 * Rule: SOS 16.43, SOS 16.45, rulings R70, R104
 */
export function mayPickUp(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const sort = tables.roster.rider[unit]!;
  if (sort === 0 || has(tables, s, unit, GROUP) || isSet(tables, s, unit, CARRIED)) return false;
  if (placeOf(tables, s, unit) !== hex) return false;
  return named(tables, s, sort, 0) < roomFor(tables, s, sort);
}

/** A unit joins the group where it sets out, or at a waypoint where transports pick it up. */
export function join(tables: Tables, s: State, unit: UnitId, atWaypoint: boolean): void {
  if (atWaypoint) s[tables.layout.work + unit]! |= CARRIED;
  else {
    give(tables, s, unit, GROUP);
    seat(tables, s);
  }
}

/** True when a passenger is aboard at the waypoint, and there is room for all of them. Rule: SOS 16.46, ruling R70 */
export function mayUnload(tables: Tables, s: StateView, side: number, hex: number): boolean {
  if (!hasTransport(tables, s)) return false;
  let any = false;
  for (let u = tables.roster.germans; u < tables.units; u++) {
    const riding = isSet(tables, s, u, CARRIED) && !isSet(tables, s, u, UNLOADS);
    if (riding && placeOf(tables, s, u) !== hex) any = true;
    if (has(tables, s, u, GROUP) && !riding && tables.roster.transport[u] === 0) return false; // who walks stays with them
  }
  return any && fits(tables, s, side, hex, RIDERS);
}

/** All units that come to the last waypoint aboard get off there; units that are picked up there ride on. */
export function unload(tables: Tables, s: State, hex: number): void {
  const { layout, roster, units } = tables;
  for (let u = roster.germans; u < units; u++) {
    if (!isSet(tables, s, u, CARRIED)) continue;
    if (!has(tables, s, u, GROUP) && placeOf(tables, s, u) === hex) continue;
    s[layout.work + u]! |= UNLOADS;
    take(tables, s, u, GROUP);
  }
  s[layout.path + s[layout.pathLength]! - 1]! |= UNLOADING;
}

/**
 * Transports of the group are in a hex: who is to ride from there gets on, if he can still move. Rule: SOS 16.43,
 * SOS 16.45
 *
 * @param underway not where they set out
 */
export function takeAboard(tables: Tables, s: State, hex: number, underway: boolean, play: Play): void {
  const { layout, roster } = tables;
  if (roster.transports.length === 0 || !hasTransport(tables, s)) return;
  const on: number[] | null = play.narrator === null ? null : [];
  for (let u = roster.germans; u < tables.units; u++) {
    if (!isSet(tables, s, u, CARRIED) || isSet(tables, s, u, ABOARD) || placeOf(tables, s, u) !== hex) continue;
    if (has(tables, s, u, PINNED) || (underway && !isSet(tables, s, u, UNLOADS) && comesAgain(tables, s, hex)))
      continue;
    const sort = roster.rider[u]!;
    const by = roster.transports.find((t) => has(tables, s, t, GROUP) && !isSet(tables, s, t, took(sort)));
    if (by === undefined) continue;
    s[layout.work + by]! |= took(sort);
    s[layout.work + u]! |= ABOARD;
    tables.stirred.note(u);
    give(tables, s, u, GROUP);
    order(tables, s, u);
    on?.push(u);
  }
  if (on !== null && on.length > 0) events.rides(tables, on, hex, true, play);
}

/** True when the way leads through a hex once more. A unit to be picked up there waits until then. */
function comesAgain({ layout }: Tables, s: StateView, hex: number): boolean {
  for (let i = layout.path; i < layout.path + s[layout.pathLength]!; i++) if ((s[i]! & PATH_HEX) === hex) return true;
  return false;
}

/** Whoever was to get off by here does, and the transports go on with the others. Rule: SOS 16.45, SOS 16.46 */
export function putDown(tables: Tables, s: State, hex: number, play: Play): void {
  const { roster } = tables;
  const off: number[] | null = play.narrator === null ? null : [];
  for (let u = roster.germans; u < tables.units; u++) {
    if (!isSet(tables, s, u, ABOARD) || !isSet(tables, s, u, UNLOADS)) continue;
    alight(tables, s, u);
    take(tables, s, u, GROUP);
    off?.push(u);
  }
  if (off !== null && off.length > 0) events.rides(tables, off, hex, false, play);
}

/**
 * A transport with room that could carry a unit out of its hex in a retreat, or -1. Rule: SOS 16.42
 *
 * @param may it may retreat
 */
export function carrierFor(tables: Tables, s: StateView, unit: number, may: (transport: number) => boolean): number {
  const { roster } = tables;
  const sort = roster.rider[unit]!;
  if (sort === 0) return -1;
  for (const t of roster.transports)
    if (placeOf(tables, s, t) === placeOf(tables, s, unit) && !isSet(tables, s, t, took(sort)) && may(t)) return t;
  return -1;
}

/** True when a unit that joins the group in its hex would ride. */
export const wouldRide = (tables: Tables, s: StateView, unit: number): boolean => {
  const sort = tables.roster.rider[unit]!;
  return sort !== 0 && named(tables, s, sort, GROUP) < roomFor(tables, s, sort);
};

/** The group on its way rides as far as its transports have room: for samples, where it is not known who does. */
export function seatAll(tables: Tables, s: State): void {
  const { layout, roster } = tables;
  if (roster.transports.length === 0) return;
  seat(tables, s);
  for (const sort of [TROOP, CHIEF])
    for (let u = roster.germans; u < tables.units; u++) {
      if (roster.rider[u] !== sort || !has(tables, s, u, GROUP) || !isSet(tables, s, u, CARRIED)) continue;
      s[layout.work + u]! |= ABOARD;
      tables.stirred.note(u);
      const by = roster.transports.find((t) => has(tables, s, t, GROUP) && !isSet(tables, s, t, took(sort)));
      if (by !== undefined) s[layout.work + by]! |= took(sort);
    }
}

/** The same if the position does not say who rides. */
export function seatUnlessSeated(tables: Tables, s: State): void {
  for (let u = tables.roster.germans; u < tables.units; u++) if (isSet(tables, s, u, CARRIED)) return;
  seat(tables, s);
}
