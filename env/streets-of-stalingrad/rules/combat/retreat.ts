import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { DONE, HEX, unitBase } from "../../actions.js";
import { GERMAN } from "../../roster.js";
import {
  ASK_RETREAT_HEX,
  ASK_RETREAT_UNIT,
  ATTACKER,
  F_ACTOR,
  F_ASK,
  F_UNIT,
  GROUP,
  MOVE_RETREAT,
  OP_PHASE_SHIFT,
  PINNED,
  RETREATED,
  type HexId,
  type UnitId,
} from "../../layout.js";
import { extraOf, firstIn, frameHex, frameUnit, give, has, nextIn, placeOf, push, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { isLed } from "../movement/reserves.js";
import { COSTS_ALONE, reach } from "../movement/reach.js";
import { moversOf } from "../movement/movers.js";
import { fits } from "../units/stacking.js";
import { isArmored } from "../units/units.js";
import { carrierFor, seat } from "../movement/transports.js";
import { addWay, startWalk } from "../movement/walk.js";
import { KINDS } from "../../schema.js";

const FIXED = ["minefield", "bridge", "fortification", "immobilized-tank"].map((k) =>
  KINDS.indexOf(k as (typeof KINDS)[number]),
);

/** Asks the defender of a marked hex who retreats before the combat, if anybody may. Rule: SOS 9.41, SOS 9.42 */
export function openRetreat(tables: Tables, s: State, side: number, hex: number): void {
  push(tables, s, ASK_RETREAT_UNIT, side, hex);
}

/** True when a unit may leave the attacked hex. Rule: SOS 9.43, SOS 9.44, SOS 9.45, SOS 9.46, rulings R35, R68 */
function mayRetreat(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { roster } = tables;
  if (has(tables, s, unit, PINNED | RETREATED) || FIXED.includes(roster.kind[unit]!) || roster.mp[unit] === 0)
    return false;
  if (extraOf(tables, s, unit, OP_PHASE_SHIFT) !== 0) return false;
  if (roster.side[unit] !== GERMAN && roster.guards[unit] === 0 && !isLed(tables, s, hex)) return false;
  return roster.holder[unit] === 0 || hasOtherHolder(tables, s, unit, hex) || armorMayLeave(tables, s, unit, hex);
}

function hasOtherHolder(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (u !== unit && tables.roster.holder[u] === 1) return true;
  return false;
}

/** A hex of German armor alone may be given up if no Soviet armor attacks. Rule: SOS 9.45, ruling R68 */
function armorMayLeave(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { roster } = tables;
  if (roster.side[unit] !== GERMAN) return false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.holder[u] === 1 && !isArmored(tables, s, u)) return false;
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, ATTACKER) && isArmored(tables, s, u)) return false;
  return true;
}

/** Decision `retreat.unit`. */
export function fillRetreaters(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  let n = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (tables.roster.side[u] !== s[frame + F_ACTOR]) continue; // a leader of the attackers may be with them
    if (!mayRetreat(tables, s, u, hex) || !hasWayOut(tables, s, u, hex)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + DONE] = 1;
  return n + 1;
}

function hasWayOut(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const movers = moversOf(tables, s, unit, MOVE_RETREAT);
  const n = reach(tables, s, movers, hex, 0, COSTS_ALONE);
  for (let i = 1; i < n; i++) if (fits(tables, s, movers.side, tables.reached[i]!, unit)) return true;
  return false;
}

/** The transport that would carry a unit farther than it walks, -1 none. Rule: SOS 16.42 */
const carrierOf = (tables: Tables, s: StateView, unit: number, hex: number): number =>
  carrierFor(tables, s, unit, (t) => placeOf(tables, s, t) === hex && !has(tables, s, t, PINNED | RETREATED));

/** A unit is named to retreat; where to is asked next. */
export function nameRetreater(tables: Tables, s: State, unit: UnitId): void {
  const frame = topFrame(tables, s);
  s[frame + F_ASK] = ASK_RETREAT_HEX;
  s[frame + F_UNIT] = unit + 1;
}

/** Decision `retreat.hex`. Rule: SOS 9.47, SOS 9.48 */
export function fillRetreatHexes(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const frame = topFrame(tables, s);
  const unit = frameUnit(s, frame);
  const movers = moversOf(tables, s, unit, MOVE_RETREAT);
  const count = reach(tables, s, movers, frameHex(s, frame), 0, COSTS_ALONE);
  let n = 0;
  for (let i = 1; i < count; i++) {
    const h = tables.reached[i]!;
    if (!fits(tables, s, movers.side, h, unit)) continue;
    mask[at + HEX + h] = 1;
    n++;
  }
  const carrier = carrierOf(tables, s, unit, frameHex(s, frame));
  if (carrier < 0) return n;
  const rides = moversOf(tables, s, carrier, MOVE_RETREAT);
  const far = reach(tables, s, rides, frameHex(s, frame), 0, COSTS_ALONE);
  for (let i = 1; i < far; i++) {
    const h = tables.reached[i]!;
    if (mask[at + HEX + h] === 1 || !fits(tables, s, rides.side, h, unit) || !fits(tables, s, rides.side, h, carrier))
      continue;
    mask[at + HEX + h] = 1;
    n++;
  }
  return n;
}

/** The unit named sets out. Rule: SOS 9.47, ruling R35 */
export function retreatTo(tables: Tables, s: State, hex: HexId, play: Play): void {
  const frame = topFrame(tables, s);
  const unit = frameUnit(s, frame);
  let movers = moversOf(tables, s, unit, MOVE_RETREAT);
  reach(tables, s, movers, placeOf(tables, s, unit), 0, hex);
  s[frame + F_ASK] = ASK_RETREAT_UNIT;
  s[frame + F_UNIT] = 0;
  give(tables, s, unit, GROUP | RETREATED);
  if (tables.cost[hex]! < 0) {
    // too far for it: a transport carries it
    const carrier = carrierOf(tables, s, unit, frameHex(s, frame));
    movers = moversOf(tables, s, carrier, MOVE_RETREAT);
    reach(tables, s, movers, placeOf(tables, s, carrier), 0, hex);
    give(tables, s, carrier, GROUP | RETREATED);
    seat(tables, s);
  }
  addWay(tables, s, hex, false);
  startWalk(tables, s, movers.side, MOVE_RETREAT, movers.allowance, play);
}
