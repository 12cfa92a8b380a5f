import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { DONE, unitBase } from "../../actions.js";
import * as events from "../../events/administration.js";
import {
  ASIDE,
  ASK_EXCHANGE,
  ASK_EXCHANGE_WITH,
  F_ACTOR,
  F_ASK,
  F_UNIT,
  GUN_PHASE_SHIFT,
  isLost,
  OOS_SHIFT,
  POOL,
  type UnitId,
} from "../../layout.js";
import { extraOf, firstIn, nextIn, placeOf, push, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { leads } from "../units/command.js";
import { leaveMap, replaceUnit, tellMixed } from "../units/hidden.js";

/** A side may exchange units. Rule: SOS 20.1 */
export const offerExchange = (tables: Tables, s: State, side: number): void => {
  push(tables, s, ASK_EXCHANGE, side);
};

/** True when a unit was lost in a turn before. Rule: SOS 20.1, ruling R125 */
const isGone = (tables: Tables, s: StateView, unit: number): boolean =>
  isLost(placeOf(tables, s, unit)) && extraOf(tables, s, unit, GUN_PHASE_SHIFT) !== ADMINISTRATION;
const ADMINISTRATION = 1;

/**
 * True when an eliminated unit may take the place of one on the map: it has the same kind and abilities, and the same
 * AF or the same DF. A leader of the same kind may whose command has a unit there. Rule: SOS 20.4, SOS 20.6, rulings
 * R61, R110
 */
export function isPartner(tables: Tables, s: StateView, unit: number, other: number): boolean {
  const { roster } = tables;
  if (roster.exchange[unit]! < 0 || roster.exchange[unit] !== roster.exchange[other] || !isGone(tables, s, other))
    return false;
  if (roster.leader[unit] === 0) return roster.af[unit] === roster.af[other] || roster.df[unit] === roster.df[other];
  for (let u = firstIn(tables, s, placeOf(tables, s, unit)); u >= 0; u = nextIn(tables, s, u))
    if (roster.stackUnit[u] === 1 && leads(tables, other, u)) return true;
  return false;
}

/**
 * True when a unit can be exchanged: it is on the map, without the marker of those that are cut off, and has a partner.
 * Its side's losses have been listed. Markers were placed earlier in the phase; a new trace would show which of the
 * unseen counters around it have zones of control. Rule: SOS 20.3, ruling R210
 */
function mayExchange(tables: Tables, s: StateView, unit: number): boolean {
  const { roster } = tables;
  if (roster.exchange[unit]! < 0 || placeOf(tables, s, unit) < 0) return false;
  if (extraOf(tables, s, unit, OOS_SHIFT) > 0) return false;
  const { list, count } = tables.lost;
  for (let i = 0; i < count; i++) if (isPartner(tables, s, unit, list[i]!)) return true;
  return false;
}

/** Decision `admin.exchange`. Rule: SOS 20.1 */
export function fillExchange(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  const { lost } = tables;
  let n = 0;
  lost.count = 0;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (roster.exchange[u]! >= 0 && isGone(tables, s, u)) lost.list[lost.count++] = u;
  if (lost.count === 0) return 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!mayExchange(tables, s, u)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + DONE] = 1;
  return n + 1;
}

/** Decision `admin.exchange-with`. */
export function fillPartners(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const frame = topFrame(tables, s);
  const unit = s[frame + F_UNIT]! - 1;
  let n = 0;
  for (let u = roster.first(s[frame + F_ACTOR]!); u < roster.end(s[frame + F_ACTOR]!); u++) {
    if (!isPartner(tables, s, unit, u)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  return n;
}

/** The only eliminated unit that can take the place of one, -1: several can. */
export function onlyPartner(tables: Tables, s: StateView, unit: number): number {
  const { roster } = tables;
  const side = roster.side[unit]!;
  let only = -1;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!isPartner(tables, s, unit, u)) continue;
    if (only >= 0) return -1;
    only = u;
  }
  return only;
}

/** Names the unit that leaves; the next question is which unit comes. */
export function nameExchange(tables: Tables, s: State, unit: UnitId): void {
  const frame = topFrame(tables, s);
  s[frame + F_ASK] = ASK_EXCHANGE_WITH;
  s[frame + F_UNIT] = unit + 1;
}

/** Clears the name of the unit that leaves. */
export function closePartners(tables: Tables, s: State): void {
  const frame = topFrame(tables, s);
  s[frame + F_ASK] = ASK_EXCHANGE;
  s[frame + F_UNIT] = 0;
}

/**
 * A unit takes the other's place, markers and face; that one counts as lost now, so that it is no partner in this
 * phase. A leader without any unit of his command leaves. Rule: SOS 20.2, SOS 20.5, SOS 20.7, rulings R110, R111
 */
export function exchangeUnits(tables: Tables, s: State, by: UnitId, play: Play): void {
  const unit = s[topFrame(tables, s) + F_UNIT]! - 1;
  closePartners(tables, s);
  if (play.narrator !== null) events.exchanges(tables, s, unit, by, play);
  replaceUnit(tables, s, unit, by);
  dismissLeaders(tables, s, unit, play);
}

function dismissLeaders(tables: Tables, s: State, unit: number, play: Play): void {
  const { roster } = tables;
  const side = roster.side[unit]!;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (roster.leader[u] === 0 || roster.army[u] === 1 || !leads(tables, u, unit)) continue;
    if (placeOf(tables, s, u) < 0 || hasCommand(tables, s, u)) continue;
    if (play.narrator !== null) events.dismissed(tables, s, u, play);
    leaveMap(tables, s, u, POOL, play);
    s[tables.layout.work + u]! |= ASIDE;
    tellMixed(tables, play);
  }
}

/** True when there is a unit of a leader's command that is not lost. Rule: SOS 20.7, ruling R111 */
export function hasCommand(tables: Tables, s: StateView, leader: number): boolean {
  const { roster } = tables;
  const side = roster.side[leader]!;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (roster.stackUnit[u] === 1 && roster.spare[u] === 0 && leads(tables, leader, u)) {
      const place = placeOf(tables, s, u);
      if (!isLost(place) && (place !== POOL || tables.setting.arrivals.turn[u] !== 0)) return true;
    }
  return false;
}
