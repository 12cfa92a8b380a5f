import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { allow, ALL, DONE, HOLD, PASS, unitBase } from "../../actions.js";
import { KINDS } from "../../schema.js";
import * as words from "../../layout.js";
import {
  ASK_OP_FIRE,
  ASK_OP_GROUP,
  ASK_OP_TABLE,
  BY_CRT,
  BY_WBBT,
  CAUSE_OPPORTUNITY,
  DRM_VOLGA_TARGET,
  EXPOSED,
  F_ASK,
  F_HOLD,
  F_TABLE,
  F_UNIT,
  FIRING,
  FIRST_LOSS,
  GROUP,
  LIES_OPEN,
  OP_FIRED,
  OP_PHASE_SHIFT,
  PINNED,
  ROLL_OPPORTUNITY,
  UNREADY,
  WALK,
  type UnitId,
} from "../../layout.js";
import * as toldCombat from "../../events/combat.js";
import * as toldRiver from "../../events/river.js";
import * as events from "../../events/common.js";
import * as state from "../../state.js";
import type { Tables } from "../../state.js";
import { testRegiments } from "../units/reliability.js";
import { GERMAN } from "../../roster.js";
import { LOSSES } from "../../charts.js";
import { defenceOf, groupHasArmor, groupHasVehicle } from "../units/armor.js";
import { pins, reaches, rollCrt, rollWbbt } from "../units/fire.js";
import { hasShelled, holdGun, mayShell, useGun } from "../artillery/guns.js";
import { makeReplyDrms } from "../artillery/reply-modifiers.js";
import { hides, reveal } from "../units/hidden.js";
import { settleLosses } from "../units/leaders.js";
import { canBeHit, pinHex, takeLosses } from "../units/losses.js";
import { findSpotter } from "../artillery/spotting.js";
import { isVehicle } from "../units/units.js";

const {
  enemyOf,
  firstIn,
  frameHex,
  frameOf,
  frameUnit,
  give,
  has,
  nextIn,
  placeOf,
  pop,
  push,
  setExtra,
  take,
  takeAll,
  topFrame,
} = state;

const MORTAR = KINDS.indexOf("mortar");
const ROCKET = KINDS.indexOf("rocket");

/** True when a unit would be in the open in a hex, or on the river. Rule: SOS 11.4, SOS 11.5, SOS 11.6 */
export const isOpen = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  tables.board.volga[hex] === 1 || !hides(tables, s, unit, hex);

/**
 * True when a unit of the moving group is in the open here, so that it may be fired at. An OP is where no unit that
 * fights is with it, a leader never. Rule: SOS 11.1, SOS 11.4, SOS 11.6, SOS 14.97, SOS 18.17, ruling R136
 */
export function isTarget(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  return has(tables, s, unit, GROUP) && isOpen(tables, s, unit, hex) && canBeHit(tables, s, unit, hex);
}

/** The group is in this hex. */
function hasTarget(tables: Tables, s: StateView, hex: number): boolean {
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) if (isTarget(tables, s, u, hex)) return true;
  return false;
}

/**
 * True when a unit may fire as a gun at movers: it is a mortar, or a German gun that fires at units crossing the river.
 * Rule: SOS 11.2, SOS 14.02
 */
export const shellsMovers = ({ board, roster }: Tables, unit: number, hex: number): boolean =>
  roster.kind[unit] === MORTAR ||
  (board.volga[hex] === 1 &&
    roster.side[unit] === GERMAN &&
    roster.indirect[unit] === 1 &&
    roster.kind[unit] !== ROCKET);

/**
 * True when a unit may fire at the movers in this hex: directly, or a mortar with a spotter. Rule: SOS 11.2, SOS 11.3,
 * SOS 11.4, SOS 11.5, SOS 14.03
 */
export function mayOpportunityFire(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, roster } = tables;
  const from = placeOf(tables, s, unit);
  // no gun in a box. Rule: SOS 9.17, SOS 16.55
  if (from < 0 || roster.boat[unit] === 1) return false;
  if (shellsMovers(tables, unit, hex)) return !has(tables, s, unit, OP_FIRED) && mayShell(tables, s, unit, hex);
  return (
    roster.directFire[unit] === 1 &&
    board.distance(from, hex) <= roster.range[unit]! &&
    !has(tables, s, unit, PINNED | OP_FIRED | UNREADY) &&
    !hasShelled(tables, s, unit) &&
    // over the river nothing is in the way
    (board.volga[hex] === 1 || reaches(tables, s, unit, hex)) &&
    defenceOf(tables, s, unit, hex, roster.antiTank[unit] === 1 && groupHasVehicle(tables, s)) > 0
  );
}

/**
 * Asks the enemy of the movers for opportunity fire at a hex, if anybody can fire. Rule: SOS 8.53, SOS 11.0, SOS 11.1,
 * ruling R16
 */
export function openWindow(tables: Tables, s: State, hex: number): void {
  const walk = topFrame(tables, s);
  if (hex < 0 || !tables.opportunityFire || s[walk + F_HOLD] === 1 || !hasTarget(tables, s, hex)) return;
  const side = enemyOf(s[walk + words.F_ACTOR]!);
  for (let u = tables.roster.first(side); u < tables.roster.end(side); u++)
    if (mayOpportunityFire(tables, s, u, hex)) {
      push(tables, s, ASK_OP_FIRE, side, hex);
      return;
    }
}

/** Decisions `op.fire` and `op.group`: the first firer, then others of its hex. Rule: SOS 11.7, SOS 11.8 */
export function fillFirers(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const window = topFrame(tables, s);
  const hex = frameHex(s, window);
  const side = s[window + words.F_ACTOR]!;
  const first = frameUnit(s, window);
  if (first < 0 && !hasTarget(tables, s, hex)) return 0;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (mayJoin(tables, s, u, first, hex)) n += allow(mask, at + unitBase(tables.hexes) + u);
  if (n === 0) return 0;
  if (first < 0) return n + allow(mask, at + PASS) + allow(mask, at + HOLD);
  if (n > 1) n += allow(mask, at + ALL);
  return n + allow(mask, at + DONE);
}

/** True when a unit may fire first (`first` -1), or join the one that does. */
function mayJoin(tables: Tables, s: StateView, unit: number, first: number, hex: number): boolean {
  if (has(tables, s, unit, FIRING) || !mayOpportunityFire(tables, s, unit, hex)) return false;
  return first < 0 || placeOf(tables, s, unit) === placeOf(tables, s, first);
}

/** All units in the first one's hex fire with it. */
export function nameAllFirers(tables: Tables, s: State): void {
  const window = topFrame(tables, s);
  const first = frameUnit(s, window);
  for (let u = 0; u < tables.units; u++)
    if (tables.roster.side[u] === tables.roster.side[first] && mayJoin(tables, s, u, first, frameHex(s, window)))
      joinFire(tables, s, u, frameHex(s, window));
}

function joinFire(tables: Tables, s: State, unit: number, hex: number): void {
  give(tables, s, unit, FIRING);
  if (shellsMovers(tables, unit, hex)) findSpotter(tables, s, unit, hex);
}

/** A unit is named to fire. */
export function nameFirer(tables: Tables, s: State, unit: UnitId): void {
  const window = topFrame(tables, s);
  if (s[window + F_UNIT] === 0) s[window + F_UNIT] = unit + 1;
  s[window + F_ASK] = ASK_OP_GROUP;
  joinFire(tables, s, unit, frameHex(s, window));
}

/** The window closes: the movers go on, and the next hex opens another. Rule: SOS 11.1 */
export function passFire(tables: Tables, s: State, play: Play): void {
  const window = topFrame(tables, s);
  const hex = frameHex(s, window);
  if (play.narrator !== null)
    events.declines(
      tables,
      s[window + words.F_ACTOR]!,
      "SOS 11.1",
      `No more opportunity fire at the movers in ${events.id(tables, hex)}.`,
      hex,
      play,
    );
  pop(tables, s);
}

/** The enemy holds its fire for the rest of this order. Ruling R16. */
export function holdFire(tables: Tables, s: State, play: Play): void {
  passFire(tables, s, play);
  s[frameOf(tables, s, WALK) + F_HOLD] = 1;
}

/** The firers are named: mortars alone choose a table, others fire. Rule: SOS 11.1 */
export function closeFirers(tables: Tables, s: State, play: Play): void {
  const hex = frameHex(s, topFrame(tables, s));
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, FIRING) && !shellsMovers(tables, u, hex)) return shoot(tables, s, play);
  s[topFrame(tables, s) + F_ASK] = ASK_OP_TABLE;
}

/** The mortars fire by this table. */
export function chooseTable(tables: Tables, s: State, table: number, play: Play): void {
  s[topFrame(tables, s) + F_TABLE] = table;
  shoot(tables, s, play);
}

/**
 * The units named fire; the window stays open. Rule: SOS 9.19, SOS 9.92, SOS 9.95, SOS 11.9, SOS 11.10, rulings R67,
 * R93
 */
export function shoot(tables: Tables, s: State, play: Play): void {
  const { layout, roster } = tables;
  const window = topFrame(tables, s);
  const hex = frameHex(s, window);
  const side = s[window + words.F_ACTOR]!;
  const fires = (u: number) => has(tables, s, u, FIRING);
  testRegiments(tables, s, hex, play);
  const byTable = s[window + F_TABLE] === BY_WBBT;
  const { points, underlined } = makeShotDrms(tables, s, side, hex, fires, byTable ? BY_WBBT : BY_CRT);
  const firers: number[] | null = play.narrator === null ? null : [];
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!fires(u)) continue;
    firers?.push(u);
    reveal(tables, s, u, play);
    take(tables, s, u, FIRING);
    give(tables, s, u, OP_FIRED | LIES_OPEN);
    setExtra(tables, s, u, OP_PHASE_SHIFT, s[layout.phase]!);
    if (!shellsMovers(tables, u, hex)) continue;
    useGun(tables, s, u);
    holdGun(tables, s, u);
  }
  s[window + F_ASK] = ASK_OP_FIRE;
  s[window + F_UNIT] = 0;
  s[window + F_TABLE] = 0;
  if (!hasTarget(tables, s, hex)) {
    if (firers !== null) toldRiver.findsNobody(tables, side, firers, hex, play);
    return;
  }
  const result = byTable
    ? rollWbbt(tables, s, ROLL_OPPORTUNITY, hex, points, play.dice)
    : rollCrt(tables, s, ROLL_OPPORTUNITY, hex, points, 0, play.dice);
  if (firers !== null) toldCombat.roll(tables, s, side, firers, play);
  takeAll(tables, s, EXPOSED);
  for (let u = 0; u < tables.units; u++) if (isTarget(tables, s, u, hex)) give(tables, s, u, EXPOSED);
  // the flotilla may take the loss for those who cross. Rule: SOS 8.68, SOS 16.54
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.boat[u] === 1) give(tables, s, u, EXPOSED);
  if (underlined)
    for (let u = 0; u < tables.units; u++)
      if (has(tables, s, u, EXPOSED) && roster.boat[u] === 0 && isVehicle(tables, s, u)) give(tables, s, u, FIRST_LOSS);
  if (takeLosses(tables, s, enemyOf(side), hex, LOSSES[result]!, CAUSE_OPPORTUNITY, pins(result), play)) return;
  settleLosses(tables, s, enemyOf(side), play);
  if (pins(result)) pinMovers(tables, s, enemyOf(side), hex, play);
}

/**
 * Points and modifiers of a shot at the movers. Rule: SOS 9.72, SOS 9.73, SOS 9.92, SOS 9.95
 *
 * @param fires who takes part
 */
export function makeShotDrms(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  fires: (unit: number) => boolean,
  table: number,
  seen = false,
): { points: number; underlined: boolean } {
  const shells = (u: number) => fires(u) && shellsMovers(tables, u, hex);
  const [armor, vehicles] = [groupHasArmor(tables, s), groupHasVehicle(tables, s)];
  const shot = makeReplyDrms(tables, s, side, hex, { fires, shells, armor, vehicles }, table, seen);
  if (tables.board.volga[hex] === 1 && table === BY_CRT) tables.drms[DRM_VOLGA_TARGET] = -1; // Rule: SOS 11.5
  return shot;
}

/** The movers are pinned, and with them all units of their side there. Rule: SOS 11.11 */
export function pinMovers(tables: Tables, s: State, side: number, hex: number, play: Play): void {
  if (hasTarget(tables, s, hex)) pinHex(tables, s, side, hex, play);
}
