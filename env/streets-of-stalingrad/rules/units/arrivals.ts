import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { BOX } from "../../actions.js";
import * as events from "../../events/river.js";
import { ASIDE, AWAY, boxPlace, F_ACTOR, F_UNIT, POOL, UNREADY } from "../../layout.js";
import { EAST_BOXES } from "../../map/river.js";
import { SOVIET } from "../../roster.js";
import { BOXES } from "../../schema.js";
import { give, placeOf, put, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { isArmyLeader, isLeaderless, noteLeader } from "./army.js";

/** True when a box belongs to a side, and is in play. Ruling R119. */
const isOpen = ({ river }: Tables, side: number, box: number): boolean =>
  river.inPlay[box] === true && box < EAST_BOXES === (side === SOVIET);

/** True when a side has a box to arrive in. */
export const hasOpenBox = (tables: Tables, side: number): boolean => BOXES.some((_, box) => isOpen(tables, side, box));

/** The next unit that comes back in this turn to a box of its side, -1 none. Rule: SOS 18.41, SOS 18.42, ruling R85 */
export function nextToReturn(tables: Tables, s: StateView): number {
  const { layout, roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  if (!BOXES.some((_, box) => isOpen(tables, side, box))) return -1;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    const place = placeOf(tables, s, u);
    if (place < AWAY && place >= AWAY - s[layout.turn]!) return u;
  }
  return -1;
}

/**
 * True when the schedule says that a unit is still to arrive. Everybody knows that it is in no other place. Rule: SOS
 * 21.1
 */
export const isExpected = ({ layout, setting }: Tables, s: StateView, unit: number): boolean =>
  setting.arrivals.turn[unit] !== 0 && s[layout.place + unit] === POOL;

/** True when everybody knows that a leader or a headquarters is off the map. Rule: SOS 18.44, SOS 20.7 */
export const isAside = ({ layout }: Tables, s: StateView, unit: number): boolean =>
  (s[layout.work + unit]! & ASIDE) !== 0;

/** True when a unit of a side arrives by the schedule now. */
export function hasArrivals(tables: Tables, s: StateView): boolean {
  const { layout, roster, setting } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (setting.arrivals.turn[u] === s[layout.turn] && s[layout.place + u] === POOL) return true;
  return false;
}

/**
 * Units scheduled for this turn enter their boxes; guns are not ready. New snipers are in the schedule as all others.
 * Rule: SOS 14.11, SOS 16.11 snipers, SOS 21.1, SOS 21.2, rulings R50, R64, R130
 */
export function bringArrivals(tables: Tables, s: State, play: Play): void {
  const { layout, roster, setting } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  const { box, turn } = setting.arrivals;
  if (play.narrator !== null) events.reinforced(tables, s, side, play);
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (turn[u] !== s[layout.turn] || s[layout.place + u] !== POOL) continue;
    put(tables, s, u, boxPlace(box[u]!));
    if (roster.towed[u] === 1) give(tables, s, u, UNREADY);
  }
}

/** Decision `arrive.box`. */
export function fillBoxes(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const frame = topFrame(tables, s);
  if (s[frame + F_UNIT] === 0) return 0;
  let n = 0;
  for (let box = 0; box < BOXES.length; box++)
    if (isOpen(tables, s[frame + F_ACTOR]!, box)) {
      mask[at + BOX + box] = 1;
      n++;
    }
  return n;
}

/** The only box that is open to a side, -1: several are. */
export function onlyBox(tables: Tables, side: number): number {
  let only = -1;
  for (let box = 0; box < BOXES.length; box++) {
    if (!isOpen(tables, side, box)) continue;
    if (only >= 0) return -1;
    only = box;
  }
  return only;
}

/** The unit comes back to a box. */
export function returnTo(tables: Tables, s: State, box: number, play: Play): void {
  const frame = topFrame(tables, s);
  const unit = s[frame + F_UNIT]! - 1;
  s[frame + F_UNIT] = 0;
  if (play.narrator !== null) events.arrives(tables, unit, box, play);
  comeTo(tables, s, unit, box, play);
}

/** A unit comes into a box that its owner chose. */
export function comeTo(tables: Tables, s: State, unit: number, box: number, play: Play): void {
  const army = isArmyLeader(tables, unit);
  const unled = army && isLeaderless(tables, s, tables.roster.side[unit]!);
  put(tables, s, unit, boxPlace(box));
  s[tables.layout.work + unit]! &= ~ASIDE;
  if (army) noteLeader(tables, s, unit, unled, play);
}
