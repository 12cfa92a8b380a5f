import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { ANNOUNCED_NONE, ANNOUNCED_ZOC, KNOWN, MARK_BREAKTHRU, ORDERED, ZONE_SHIFT } from "../../layout.js";
import * as events from "../../events/common.js";
import {
  announcedOf,
  enemyOf,
  firstIn,
  has,
  markOf,
  nextIn,
  phasingSide,
  placeOf,
  setAnnounced,
  setExtra,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { BRIDGE } from "./bridges.js";

/** What a side knows about the zone of control of the enemy stack in a hex. */
export const NO_ENEMY = 0;
export const NO_ZOC = 1;
export const ZOC = 2;
/** Face-down counters about which nothing was announced. */
export const UNSEEN = 3;

/** True when a side's stack in a hex has a zone of control. Rule: SOS 6.1, ruling R2 */
export function exertsZoc(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && roster.zocUnit[u] === 1) return true;
  return false;
}

/** What `side` knows about the enemy stack in a hex. Rulings R7, R8 */
export function zocKnownTo(tables: Tables, s: StateView, side: number, hex: number): number {
  const { roster } = tables;
  let there = NO_ENEMY;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] === side) continue;
    if (has(tables, s, u, KNOWN)) {
      if (roster.zocUnit[u] === 1) return ZOC;
      if (there === NO_ENEMY && roster.kind[u] !== BRIDGE) there = NO_ZOC; // a bridge is of both sides. Rule: SOS 17.11
    } else there = UNSEEN;
  }
  if (there !== UNSEEN) return there;
  const said = announcedOf(tables, s, hex);
  return said === ANNOUNCED_ZOC ? ZOC : said === ANNOUNCED_NONE ? NO_ZOC : UNSEEN;
}

/** True when an enemy zone of control that `side` knows of reaches into a hex. Rule: SOS 6.2, SOS 6.3, SOS 10.7 */
export function inKnownZoc(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board } = tables;
  if (board.zocEnters[hex] === 0 || markOf(tables, s, hex) === MARK_BREAKTHRU) return false;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h >= 0 && s[tables.layout.top + h] !== 0 && zocKnownTo(tables, s, side, h) === ZOC) return true;
  }
  return false;
}

/** True when a zone of control of `by` reaches into a hex, known or not. Rule: SOS 6.2 */
export function inZocOf(tables: Tables, s: StateView, by: number, hex: number): boolean {
  const { board } = tables;
  if (board.zocEnters[hex] === 0) return false;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h >= 0 && s[tables.layout.top + h] !== 0 && exertsZoc(tables, s, by, h)) return true;
  }
  return false;
}

/** Movement phases in which units deploy. */
const deploys = (phase: number): boolean => phase === 3 || phase === 10;

/** True when a unit could still deploy in this phase, in any hex: its order is still to come. */
export const awaitsOrder = (tables: Tables, s: StateView, unit: number): boolean =>
  deploys(s[tables.layout.phase]!) &&
  tables.roster.side[unit] === phasingSide(tables, s) &&
  placeOf(tables, s, unit) >= 0 &&
  !has(tables, s, unit, ORDERED);

/** True when it is in a zone of control that its side knows of. */
export const isZoned = (tables: Tables, s: StateView, unit: number): boolean =>
  awaitsOrder(tables, s, unit) && inKnownZoc(tables, s, tables.roster.side[unit]!, placeOf(tables, s, unit));

/**
 * A movement phase begins: notes who begins it in a zone of control that its side knows of. Rule: SOS 8.24, ruling R137
 */
export function noteZones(tables: Tables, s: State): void {
  if (!deploys(s[tables.layout.phase]!)) return;
  for (let u = 0; u < tables.units; u++) if (isZoned(tables, s, u)) setExtra(tables, s, u, ZONE_SHIFT, 1);
}

/**
 * The moving side learns that a stack of the other has a zone of control: its units there began the phase in it. Ruling
 * R137.
 */
export function noteZone(tables: Tables, s: State, by: number, hex: number): void {
  const { board, roster } = tables;
  if (!deploys(s[tables.layout.phase]!) || by === phasingSide(tables, s)) return;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h < 0 || board.zocEnters[h] === 0) continue;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u))
      if (roster.side[u] !== by && !has(tables, s, u, ORDERED)) setExtra(tables, s, u, ZONE_SHIFT, 1);
  }
}

/** True when a hex is closed to `side` by enemy counters, as far as it knows. Rule: SOS 8.08, ruling R8 */
export function isBlocked(tables: Tables, s: StateView, side: number, hex: number): boolean {
  return s[tables.layout.top + hex] !== 0 && zocKnownTo(tables, s, side, hex) >= ZOC;
}

/**
 * Units of `side` have entered a hex: the enemy says truthfully whether the unseen stacks beside it have a zone of
 * control. Rule: SOS 6.5, ruling R7
 */
export function announce(tables: Tables, s: State, side: number, hex: number, play: Play): void {
  const { board } = tables;
  if (board.zocEnters[hex] === 0) return;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h < 0 || s[tables.layout.top + h] === 0 || zocKnownTo(tables, s, side, h) !== UNSEEN) continue;
    const zoc = exertsZoc(tables, s, enemyOf(side), h);
    if (zoc) noteZone(tables, s, enemyOf(side), h);
    setAnnounced(tables, s, h, zoc ? ANNOUNCED_ZOC : ANNOUNCED_NONE);
    if (play.narrator !== null) events.announces(tables, enemyOf(side), h, zoc, play);
  }
}

/**
 * A leader or OP of `side` has come to enemies that have no zone of control, and they stay together: each side says of
 * what the other has not seen that it has none. It is forgotten when one of them leaves. Rule: SOS 14.97, SOS 18.31,
 * ruling R7
 */
export function announceShared(tables: Tables, s: State, side: number, hex: number, play: Play): void {
  if (exertsZoc(tables, s, side, hex) || exertsZoc(tables, s, enemyOf(side), hex)) return;
  const theirs = zocKnownTo(tables, s, side, hex);
  const mine = zocKnownTo(tables, s, enemyOf(side), hex);
  if (theirs === NO_ENEMY || mine === NO_ENEMY || (theirs !== UNSEEN && mine !== UNSEEN)) return;
  setAnnounced(tables, s, hex, ANNOUNCED_NONE);
  if (play.narrator === null) return;
  if (theirs === UNSEEN) events.announces(tables, enemyOf(side), hex, false, play);
  if (mine === UNSEEN) events.announces(tables, side, hex, false, play);
}
