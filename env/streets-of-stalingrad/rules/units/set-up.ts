import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { AUTO, HEX } from "../../actions.js";
import { AREA, FRONT } from "../../data.js";
import * as events from "../../events/set-up.js";
import { F_ACTOR, type HexId, POOL, type UnitId } from "../../layout.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { KINDS } from "../../schema.js";
import { actorOf, enemyOf, firstIn, nextIn, placeOf, put, topFrame, type Tables } from "../../state.js";
import { lookRound } from "./hidden.js";
import { isWorkshop, REPAIR } from "./workshop.js";
import { WRECK } from "./wrecks.js";
import { fits } from "./stacking.js";

const RIFLES = [KINDS.indexOf("infantry"), KINDS.indexOf("armored-infantry")];

/** The next unit of a side to set up, in slot order, -1 none. Rule: SOS 2.33, ruling R3 */
export function nextToPlace(tables: Tables, s: StateView, side: number): UnitId {
  const { roster, zones } = tables;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (zones!.group[u]! >= 0 && placeOf(tables, s, u) === POOL) return u;
  return -1 as UnitId;
}

/** How many units of a side are still to be set up. */
export function leftToPlace(tables: Tables, s: StateView, side: number): number {
  const { roster, zones } = tables;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (zones!.group[u]! >= 0 && placeOf(tables, s, u) === POOL) n++;
  return n;
}

/**
 * True when a unit may be set up in a hex. Infantry is on the front of its formation while that has room, otherwise in
 * its area like all other units; wrecks are anywhere, a repair unit in the Tractor Factory. Rule: SOS 2.33, SOS 16.34,
 * SOS 16.71
 */
function mayStand(tables: Tables, s: StateView, unit: number, hex: number, behind: boolean): boolean {
  const { board, roster, zones } = tables;
  const { group, hexes, ready, side } = zones!;
  const own = hexes[group[unit]!]!;
  const zone =
    roster.kind[unit] === WRECK
      ? hexes.some((zone, g) => side[g] === roster.side[unit] && zone[hex] !== 0)
      : own[hex] === FRONT || (own[hex] === AREA && (behind || !RIFLES.includes(roster.kind[unit]!)));
  if (!(zone || ready[unit] === hex) || board.volga[hex] === 1) return false;
  if (roster.kind[unit] === REPAIR && !isWorkshop(tables, hex)) return false;
  if (roster.train[unit] === 1 && !board.hasFeature(hex, "railroad")) return false; // Rule: SOS 16.61
  if (roster.vehicle[unit] === 1 && ready[unit] !== hex && board.banks.stops(hex)) return false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] !== roster.side[unit]) return false;
  return fits(tables, s, roster.side[unit]!, hex, unit);
}

/** True when the front of its formation has room for a unit. */
function hasFront(tables: Tables, s: StateView, unit: number): boolean {
  for (let h = 0; h < tables.hexes; h++)
    if (tables.zones!.hexes[tables.zones!.group[unit]!]![h] === FRONT && mayStand(tables, s, unit, h, false))
      return true;
  return false;
}

/** Decision `setup.place`. */
export function fillPlaces(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const unit = nextToPlace(tables, s, actorOf(tables, s));
  if (unit < 0) return 0;
  const behind = !hasFront(tables, s, unit);
  let n = 1;
  mask[at + AUTO] = 1;
  for (let h = 0; h < tables.hexes; h++)
    if (mayStand(tables, s, unit, h, behind)) {
      mask[at + HEX + h] = 1;
      n++;
    }
  return n;
}

export function placeUnit(tables: Tables, s: State, hex: HexId, play: Play): void {
  const unit = nextToPlace(tables, s, actorOf(tables, s));
  put(tables, s, unit, hex);
  if (play.narrator !== null) events.placed(tables, [unit], play);
}

/** All that are left go to their ready places, or where there is room next to them. Ruling R3 */
export function placeRest(tables: Tables, s: State, play: Play): void {
  const side = actorOf(tables, s);
  const placed: number[] = [];
  for (let unit = nextToPlace(tables, s, side); unit >= 0; unit = nextToPlace(tables, s, side)) {
    put(tables, s, unit, readyPlace(tables, s, unit));
    placed.push(unit);
  }
  if (play.narrator !== null) events.placed(tables, placed, play);
}

function readyPlace(tables: Tables, s: StateView, unit: number): number {
  const ready = tables.zones!.ready[unit]!;
  if (mayStand(tables, s, unit, ready, true)) return ready;
  const behind = !hasFront(tables, s, unit);
  let best = -1;
  for (let h = 0; h < tables.hexes; h++)
    if (
      mayStand(tables, s, unit, h, behind) &&
      (best < 0 || tables.board.distance(h, ready) < tables.board.distance(best, ready))
    )
      best = h;
  return best < 0 ? ready : best; // nowhere is room: the ready place takes one too many
}

/** A side has set up: the other one is next, or the turn begins. Rule: SOS 2.31 @returns false when both have */
export function nextSide(tables: Tables, s: State, play: Play): boolean {
  const side = actorOf(tables, s);
  lookRound(tables, s, play);
  if (play.narrator !== null) events.stands(tables, s, side, play);
  if (side === SOVIET) s[topFrame(tables, s) + F_ACTOR] = enemyOf(side);
  return side !== GERMAN;
}
