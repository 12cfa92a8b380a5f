import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import * as events from "../../events/administration.js";
import { boxOf, isBox, isLost, POOL, RETURNS } from "../../layout.js";
import { EAST_BOXES } from "../../map/river.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { placeOf } from "../../state.js";
import type { Tables } from "../../state.js";

// Paulus, von Seydlitz and Chuikov lead their armies, and the headquarters that come in their place.

/**
 * True when a leader leads from this place: the West Bank, or for Germans also a box off the map. Rule: SOS 18.51, SOS
 * 18.53
 */
const leadsFrom = ({ board }: Tables, side: number, place: number): boolean =>
  place >= 0 ? board.volga[place] === 0 : side === GERMAN && isBox(place);

/**
 * True when an army is without its leader and headquarters. The German one only after a leader has been on the map.
 * Rule: SOS 18.51, SOS 18.53, ruling R60
 */
export function isLeaderless(tables: Tables, s: StateView, side: number): boolean {
  const { roster } = tables;
  if (!tables.armyLeaders) return false;
  let was = false;
  for (const u of roster.armyLeaders) {
    if (roster.side[u] !== side) continue;
    const place = placeOf(tables, s, u);
    if (leadsFrom(tables, side, place)) return false;
    if (side === SOVIET || place !== POOL) was = true;
  }
  return was;
}

/**
 * True when the MP of a unit are halved because its army has no leader, or had none before one returned in this phase.
 * Who is on the East Bank is spared. Rule: SOS 18.51, SOS 18.53, ruling R96
 */
export function isUnled(tables: Tables, s: StateView, unit: number): boolean {
  if (!tables.armyLeaders) return false;
  const side = tables.roster.side[unit]!;
  const place = placeOf(tables, s, unit);
  if (isBox(place) && boxOf(place) < EAST_BOXES) return false;
  return (s[tables.layout.commandSince + side]! & RETURNS) !== 0 || isLeaderless(tables, s, side);
}

/**
 * True when a side may attack: it has a leader, and had one when the turn began. Rule: SOS 18.52, SOS 18.54, ruling R97
 */
export const armyMayAttack = (tables: Tables, s: StateView, side: number): boolean =>
  !tables.armyLeaders || (s[tables.layout.commandSince + side] === 0 && !isLeaderless(tables, s, side));

/**
 * Notes whether the army of a unit that changed its place has lost its leader, or has one again.
 * Rule: SOS 18.51 to SOS 18.54, ruling R97
 *
 * @param was true when the army had no leader before
 */
export function noteLeader(tables: Tables, s: State, unit: number, was: boolean, play: Play): void {
  const side = tables.roster.side[unit]!;
  const is = isLeaderless(tables, s, side);
  if (is === was) return;
  if (!is) s[tables.layout.commandSince + side] = s[tables.layout.turn]! | RETURNS;
  if (play.narrator !== null) events.armyLeader(side, is, play);
}

/** True when a unit is a headquarters, which comes in place of a leader. Rule: SOS 18.44, SOS 18.46 */
export const isHeadquarters = ({ roster }: Tables, unit: number): boolean =>
  roster.army[unit] === 1 && roster.headquarters.includes(unit);

/** True when the loss and return of a unit affects its army. */
export const isArmyLeader = (tables: Tables, unit: number): boolean =>
  tables.armyLeaders && tables.roster.army[unit] === 1;

/** The phase is over in which a leader came back. */
export function endReturns({ layout }: Tables, s: State): void {
  for (let side = GERMAN; side <= SOVIET; side++) s[layout.commandSince + side]! &= ~RETURNS;
}

/** A new turn: who came back before leads again. Rule: SOS 18.52, SOS 18.54 */
export const resumeCommand = ({ layout }: Tables, s: State): void => {
  s.fill(0, layout.commandSince, layout.commandSince + 2);
};

/**
 * The headquarters that comes because a leader of the side's army is eliminated, not only wounded; -1 none. Rule: SOS
 * 18.43, SOS 18.44, SOS 18.45, SOS 18.46, SOS 18.47
 */
export function nextHeadquarters(tables: Tables, s: StateView, side: number): number {
  const { roster } = tables;
  if (!tables.armyLeaders) return -1;
  for (const u of roster.armyLeaders) {
    const hq = roster.headquarters[u]!;
    if (roster.side[u] !== side || hq < 0 || !isLost(placeOf(tables, s, u))) continue;
    if (placeOf(tables, s, hq) === POOL) return hq;
  }
  return -1;
}
