import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { allow, DONE, HEX, unitBase } from "../../actions.js";
import {
  ATTACKED,
  ATTACKER,
  BANK_SHIFT,
  COMMIT_GAVE_WAY,
  F_ACTOR,
  F_COMMIT,
  FRESH,
  MARK_BREAKTHRU,
  ORDERED,
  PINNED,
  SPENT,
  STAGE_BREAKTHROUGH,
  UNREADY,
} from "../../layout.js";
import { TERRAINS } from "../../schema.js";
import * as events from "../../events/armor.js";
import {
  enemyOf,
  extraOf,
  firstIn,
  give,
  has,
  isFirstOf,
  markOf,
  nextIn,
  order,
  placeOf,
  setMark,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { isIn } from "../units/bridges.js";
import { isLeaderAlone } from "../units/command.js";
import { reaches } from "../units/fire.js";
import { armyMayAttack } from "../units/army.js";
import { hasLossUnit } from "../units/losses.js";
import { mayOrder, moveOf } from "./orderable.js";
import { beginOrders } from "./reach.js";
import { firesAt } from "../artillery/spotting.js";
import { isVehicle } from "../units/units.js";

const OPEN = ["clear", "forest", "suburb", "balka"].map((t) => TERRAINS.indexOf(t as (typeof TERRAINS)[number]));
const INTERDICTED = 1;

/** True when it is the stage of breakthroughs. Rule: SOS 10.1 */
export const isBreakthrough = (tables: Tables, s: StateView): boolean => s[tables.layout.stage] === STAGE_BREAKTHROUGH;

/**
 * True when a unit may take part in a breakthrough attack. Units without an order, and the group that moved last from
 * where it is now. The flotilla attacks in attack phases alone. Rule: SOS 8.52, SOS 10.1, SOS 10.2, SOS 10.3, SOS
 * 16.55, rulings R15, R105
 */
export function mayBreakThrough(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, roster } = tables;
  if (roster.directFire[unit] === 0 || roster.af[unit] === 0 || roster.boat[unit] === 1) return false;
  if (has(tables, s, unit, PINNED | SPENT | UNREADY)) return false;
  if (has(tables, s, unit, ORDERED) && !has(tables, s, unit, FRESH)) return false;
  if (!reaches(tables, s, unit, hex)) return false;
  const d = board.sideTo(placeOf(tables, s, unit), hex);
  return d < 0 || !crosses(tables, s, unit, d);
}

/** True when a vehicle would have to cross the ravine or wall next to it. Rule: SOS 10.2 */
const crosses = (tables: Tables, s: StateView, unit: number, d: number): boolean =>
  isVehicle(tables, s, unit) &&
  !tables.board.banks.mayLeave(
    placeOf(tables, s, unit),
    extraOf(tables, s, unit, BANK_SHIFT),
    d,
    tables.roster.side[unit] === 1,
    true,
  );

/**
 * True when a hex can be broken through: it is open ground, not interdicted, not tried yet, has a unit beside it, and
 * holds more than a leader. Rule: SOS 10.2, SOS 10.4, SOS 14.85, SOS 18.17, ruling R138
 */
function isTarget(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board, layout } = tables;
  if ((s[layout.hexState + hex]! & ATTACKED) !== 0 || !OPEN.includes(board.terrain[hex]!)) return false;
  if (isLeaderAlone(tables, s, side, hex)) return false;
  for (let i = hex; i < 2 * tables.hexes; i += tables.hexes)
    if (((s[layout.bombs + i]! >> 12) & 15) === INTERDICTED) return false;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h >= 0 && holdsBreaker(tables, s, side, h, hex)) return true;
  }
  return false;
}

function holdsBreaker(tables: Tables, s: StateView, side: number, from: number, hex: number): boolean {
  for (let u = firstIn(tables, s, from); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side && mayBreakThrough(tables, s, u, hex)) return true;
  return false;
}

/** Decision `bt.select`: armor to move, a hex to attack. */
export function fillBreakthrough(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  beginOrders(tables, s, side, moveOf(tables, s));
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (mayOrder(tables, s, u)) n += allow(mask, at + unitBase(tables.hexes) + u);
  // Rule: SOS 18.52, SOS 18.54
  const enemies = armyMayAttack(tables, s, side) ? roster.end(enemyOf(side)) : 0;
  for (let u = roster.first(enemyOf(side)); u < enemies; u++) {
    const hex = placeOf(tables, s, u);
    if (hex < 0 || !isFirstOf(tables, s, u, hex) || !isIn(tables, s, enemyOf(side), hex)) continue;
    if (isTarget(tables, s, side, hex)) n += allow(mask, at + HEX + hex);
  }
  return n === 0 ? 0 : n + allow(mask, at + DONE);
}

/** True when an attacker that fights is beside the hex. Rule: SOS 10.2 */
export function hasAdjacent(tables: Tables, s: StateView, hex: number): boolean {
  for (let u = 0; u < tables.units; u++)
    if (
      has(tables, s, u, ATTACKER) &&
      fights(tables, s, u, hex) &&
      tables.board.sideTo(placeOf(tables, s, u), hex) >= 0
    )
      return true;
  return false;
}

/**
 * True when a breakthrough attack has eliminated all units in the hex. Those that retreated were not. Rule: SOS 10.6
 */
export function succeeds(tables: Tables, s: StateView, frame: number, hex: number): boolean {
  if ((s[frame + F_COMMIT]! & COMMIT_GAVE_WAY) !== 0) return false;
  return !hasLossUnit(tables, s, enemyOf(s[frame + F_ACTOR]!), hex);
}

/** A unit enters the hex broken through. Rule: SOS 10.6, SOS 10.7 */
export function placeMarker(tables: Tables, s: State, side: number, hex: number, play: Play): void {
  if (markOf(tables, s, hex) === MARK_BREAKTHRU) return;
  setMark(tables, s, hex, MARK_BREAKTHRU);
  if (play.narrator !== null) events.breaksThrough(tables, side, hex, play);
}

/** A counter-attack takes the hex back. Rule: SOS 10.8, SOS 12.9 */
export function removeMarker(tables: Tables, s: State, hex: number, play: Play): void {
  if (markOf(tables, s, hex) !== MARK_BREAKTHRU) return;
  setMark(tables, s, hex, 0);
  if (play.narrator !== null) events.markerLost(tables, hex, play);
}

/** True when the fight spends an attacker: it is no leader and no gun that shelled. Rule: SOS 9.18, SOS 18.14 */
const fights = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  tables.roster.leader[unit] === 0 && !firesAt(tables, s, unit, hex);

/** The attack is over: units under the marker move no farther, all others are spent. Rule: SOS 10.6 */
export function settle(tables: Tables, s: State, hex: number): void {
  const marked = markOf(tables, s, hex) === MARK_BREAKTHRU;
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, ATTACKER)) {
      order(tables, s, u);
      if (!(marked && placeOf(tables, s, u) === hex) && fights(tables, s, u, hex)) give(tables, s, u, SPENT);
    }
}

/** Markers become spent markers when the movement is over. Rule: SOS 10.9 */
export function endBreakthroughs(tables: Tables, s: State, side: number, play: Play): void {
  const { roster } = tables;
  for (let hex = 0; hex < tables.hexes; hex++) {
    if (markOf(tables, s, hex) !== MARK_BREAKTHRU) continue;
    const spent: number[] | null = play.narrator === null ? null : [];
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.side[u] !== side || roster.zocUnit[u] === 0) continue;
      give(tables, s, u, SPENT);
      spent?.push(u);
    }
    setMark(tables, s, hex, 0);
    if (spent !== null) events.markerSpends(tables, s, side, hex, spent, play);
  }
}
