import { hasBit, setBit } from "../../../core/bits.js";
import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { allow, CRT, DONE, HEX, INTERDICT, unitBase, WBBT } from "../../actions.js";
import { LOSSES } from "../../charts.js";
import { KINDS } from "../../schema.js";
import * as words from "../../layout.js";
import {
  ASK_BOMB_TABLE,
  ASK_BOMB_UNIT,
  ASK_LEADER,
  BY_NOTHING,
  BY_WBBT,
  CAUSE_BOMBARDMENT,
  DEAD,
  DRM_INTERDICT_OWN,
  F_ACTOR,
  F_ASK,
  F_STUKAS,
  F_UNIT,
  FIRING,
  GUN_PHASE_SHIFT,
  M_DRMS,
  M_HEX,
  M_POINTS,
  MISSION_DONE,
  MISSION_FLAK,
  MISSION_FROZEN,
  MISSION_SIDE_SHIFT,
  MISSION_STUKAS_SHIFT,
  MISSION_TABLE_SHIFT,
  ROLL_BOMBARDMENT,
  STAGE_RESOLVE,
  type HexId,
  type UnitId,
} from "../../layout.js";
import * as toldCombat from "../../events/combat.js";
import * as toldAir from "../../events/air.js";
import * as events from "../../events/guns.js";
import { findNobody } from "../../events/river.js";
import { GERMAN } from "../../roster.js";
import { boxAt, enemyOf, extraOf, frameHex, give, has, placeOf, pop, push, takeAll, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { bridgeIn, isIn } from "../units/bridges.js";
import { testRegiments } from "../units/reliability.js";
import { fillStukas, mayFly, openFlak, useStukas } from "./air.js";
import { clearDrms, pins, rollCrt, rollWbbt } from "../units/fire.js";
import { isGunReady, isInReach, mayShell, useGun } from "./guns.js";
import { checkLeader, displaceShelled, mayReturn } from "../units/leaders.js";
import { dropHelpless, expose, pinHex, takeLosses } from "../units/losses.js";
import { makeDrms } from "./bombardment-modifiers.js";
import {
  INTERDICTION,
  FIRED,
  lay,
  missionAt,
  missionHex,
  missionSide,
  missionStukas,
  missionTable,
  storeDrms,
} from "./missions.js";
import { markBoxes, mayBombBox, mayShellBox } from "./east-bank.js";
import { findSpotter, firesAt, noteSpotters } from "./spotting.js";

const OP = KINDS.indexOf("op");

/** Last bombardment in which Stukas fly. */
const LAST_FLIGHT = 6;
/** Last phase of an interdiction, by the phase of its bombardment. Rule: SOS 14.84, SOS 15.22 */
const INTERDICTED_UNTIL: Readonly<Record<number, number>> = { 2: 5, 6: 8, 9: 12, 13: 15 };
/**
 * Decision `bomb.target`: hexes that a gun may fire at, one mission each. Rule: SOS 14.41, SOS 14.42, SOS 14.46, ruling
 * R24
 */
export function fillMissionHexes(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  const flies = stukasLeft(tables, s, side) > 0;
  noteSpotters(tables, s, side, isGunReady);
  const { missions } = tables.spots;
  for (let i = 0; i < s[tables.layout.missionCount]!; i++) {
    const mission = missionAt(tables, i);
    if (missionSide(s, mission) === side && boxAt(tables, missionHex(s, mission)) < 0)
      setBit(missions, 0, missionHex(s, mission), true);
  }
  let n = 0;
  for (let h = 0; h < tables.hexes; h++) {
    if (hasBit(missions, 0, h)) continue;
    if (!(flies && mayFly(tables, s, h)) && !canBeShelled(tables, s, h)) continue;
    mask[at + HEX + h] = 1;
    n++;
  }
  if (tables.river.any && side === GERMAN) n += markBoxes(tables, s, flies, mask, at);
  return n === 0 ? 0 : n + allow(mask, at + DONE);
}

/** Stukas that a side can still send in this phase. Rule: SOS 15.11 */
export const stukasLeft = ({ layout }: Tables, s: StateView, side: number): number =>
  side === GERMAN && s[layout.phase]! <= LAST_FLIGHT ? s[layout.stukasAvailable]! : 0;

/** True when Stukas can come to a hex: by day only, in the first two bombardments. Rule: SOS 15.11 */
const canBeBombed = (tables: Tables, s: StateView, side: number, hex: number): boolean =>
  side === GERMAN &&
  s[tables.layout.phase]! <= LAST_FLIGHT &&
  (boxAt(tables, hex) < 0 ? mayFly(tables, s, hex) : mayBombBox(tables, s, hex));

/** True when one of the guns noted may fire at a hex. */
const canBeShelled = (tables: Tables, s: StateView, hex: number): boolean =>
  hasBit(tables.spots.byAnybody, 0, hex) && isInReach(tables, s, hex);

/** A target is named; its guns are named next. */
export function openMission(tables: Tables, s: State, hex: HexId): void {
  push(tables, s, ASK_BOMB_UNIT, s[topFrame(tables, s) + F_ACTOR]!, hex);
}

/** Decision `bomb.unit`. */
export function fillMissionGuns(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  const target = frameHex(s, frame);
  const boxed = boxAt(tables, target) >= 0;
  const bombed = s[frame + F_STUKAS]! > 0;
  let n = 0;
  let named = bombed;
  for (const gun of roster.guns) {
    if (roster.side[gun] !== side) continue;
    if (has(tables, s, gun, FIRING)) named = true;
    // guns and Stukas bombard a box separately. Rule: SOS 15.32
    else if (boxed ? !bombed && mayShellBox(tables, s, gun, target) : mayShell(tables, s, gun, target))
      n += allow(mask, at + unitBase(tables.hexes) + gun);
  }
  if (!bombed && !(boxed && named) && canBeBombed(tables, s, side, target)) n += fillStukas(tables, s, mask, at);
  return n > 0 && named ? n + allow(mask, at + DONE) : n;
}

/** So many Stukas join the mission. */
export function nameStukas(tables: Tables, s: State, n: number): void {
  s[topFrame(tables, s) + F_STUKAS] = n;
}

/** A gun joins the mission. */
export function nameGun(tables: Tables, s: State, gun: UnitId): void {
  const hex = frameHex(s, topFrame(tables, s));
  give(tables, s, gun, FIRING);
  findSpotter(tables, s, gun, hex);
}

/** The guns of a mission are named. For a box there is but one table. Rule: SOS 14.29 */
export function closeGuns(tables: Tables, s: State, play: Play): void {
  const frame = topFrame(tables, s);
  if (boxAt(tables, frameHex(s, frame)) < 0) s[frame + F_ASK] = ASK_BOMB_TABLE;
  else plot(tables, s, 0, play);
}

/**
 * Decision `bomb.table`: a table only where the enemy is; an attack by guns alone needs one. Rule: SOS 14.41, SOS
 * 14.45, SOS 14.85
 */
export function fillTables(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  const hex = frameHex(s, frame);
  const enemies = isIn(tables, s, enemyOf(side), hex) || (bridgeIn(tables, s, hex) >= 0 && !isIn(tables, s, side, hex));
  let n = 0;
  if (enemies) n += allow(mask, at + CRT) + allow(mask, at + WBBT);
  return isMission(tables, s) ? n + allow(mask, at + INTERDICT) : n;
}

/** True when the table is asked for a bombardment, not for an attack. */
const isMission = (tables: Tables, s: StateView): boolean =>
  s[tables.layout.stage] === words.STAGE_PLOT_FIRST || s[tables.layout.stage] === words.STAGE_PLOT_SECOND;

/** The mission is complete: its markers are laid. Rule: SOS 14.48, ruling R24 */
export function plot(tables: Tables, s: State, table: number, play: Play): void {
  const { layout, roster } = tables;
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  const stukas = s[frame + F_STUKAS]!;
  const mission = missionAt(tables, s[layout.missionCount]!);
  s[layout.missionCount]!++;
  s[mission + M_HEX] =
    (hex + 1) | (side << MISSION_SIDE_SHIFT) | (stukas << MISSION_STUKAS_SHIFT) | (table << MISSION_TABLE_SHIFT);
  s[mission + M_POINTS] = stukas * tables.stukaAf;
  if (stukas > 0) {
    useStukas(tables, s, stukas);
    if (play.narrator !== null) toldAir.stukas(tables, stukas, hex, play);
  }
  for (const gun of roster.guns) if (has(tables, s, gun, FIRING)) s[mission + M_POINTS]! += roster.af[gun]!;
  takeAll(tables, s, FIRING);
  pop(tables, s);
  if (play.narrator !== null) events.plotted(tables, side, hex, s[mission + M_POINTS]!, play);
}

/** The stage in which all missions are resolved. */
export const isResolving = (tables: Tables, s: StateView): boolean => s[tables.layout.stage] === STAGE_RESOLVE;

/**
 * The missions are frozen, then resolved in plot order, the first side's before the other's; then lost OPs come back.
 * Rule: SOS 14.48, SOS 14.49, SOS 14.98, rulings R24, R65
 *
 * @returns true when all is done
 */
export function resolveMissions(tables: Tables, s: State, play: Play): boolean {
  const { layout } = tables;
  const first = s[topFrame(tables, s) + F_ACTOR]!;
  const n = s[layout.missionCount]!;
  for (let i = 0; i < n; i++) if (meetsFlak(tables, s, i)) return false;
  for (let i = 0; i < n; i++) if (!isFrozen(s, missionAt(tables, i))) freeze(tables, s, missionAt(tables, i));
  for (const side of [first, enemyOf(first)])
    for (let i = 0; i < n; i++) {
      const mission = missionAt(tables, i);
      if (missionSide(s, mission) !== side || (s[mission + M_HEX]! & MISSION_DONE) !== 0) continue;
      s[mission + M_HEX]! |= MISSION_DONE;
      if (resolveMission(tables, s, mission, play)) return false;
    }
  return !bringBack(tables, s);
}

const isFrozen = (s: StateView, mission: number): boolean => (s[mission + M_HEX]! & MISSION_FROZEN) !== 0;

/**
 * Flak is asked once about each mission with Stukas, in plot order. Rule: SOS 15.42, ruling R24
 *
 * @returns true when it is asked now
 */
function meetsFlak(tables: Tables, s: State, i: number): boolean {
  const mission = missionAt(tables, i);
  if (missionStukas(s, mission) === 0 || isFrozen(s, mission) || (s[mission + M_HEX]! & MISSION_FLAK) !== 0)
    return false;
  s[mission + M_HEX]! |= MISSION_FLAK;
  return openFlak(tables, s, missionHex(s, mission), i + 1);
}

/** Points, modifiers and spotters stay as they are now, whatever is hit. Ruling R24. */
function freeze(tables: Tables, s: State, mission: number): void {
  const { drms, roster } = tables;
  const side = missionSide(s, mission);
  const hex = missionHex(s, mission);
  const table = missionTable(s, mission);
  clearDrms(tables);
  if (table === BY_NOTHING) drms[DRM_INTERDICT_OWN] = isIn(tables, s, side, hex) ? -2 : 0;
  else {
    const fires = (gun: number) => roster.side[gun] === side && firesAt(tables, s, gun, hex);
    makeDrms(tables, s, side, hex, table, fires, missionStukas(s, mission));
  }
  storeDrms(tables, s, mission);
  s[mission + M_HEX]! |= MISSION_FROZEN;
  s[mission + M_HEX]! &= ~MISSION_FLAK;
  for (const gun of roster.guns) if (roster.side[gun] === side && firesAt(tables, s, gun, hex)) useGun(tables, s, gun);
}

/** @returns true when a decision is open now */
function resolveMission(tables: Tables, s: State, mission: number, play: Play): boolean {
  const { layout } = tables;
  const side = missionSide(s, mission);
  const hex = missionHex(s, mission);
  const table = missionTable(s, mission);
  const points = s[mission + M_POINTS]!;
  const phase = s[layout.phase]!;
  if (points === 0 || table === 0) return false;
  const interdicts = table === BY_NOTHING;
  lay(tables, s, side, hex, points, interdicts ? INTERDICTION : FIRED, interdicts ? INTERDICTED_UNTIL[phase]! : phase);
  for (let i = 0; i < tables.drms.length; i++)
    tables.drms[i] = (s[mission + M_DRMS + (i >> 3)]! << (28 - 4 * (i & 7))) >> 28;
  const own = tables.drms[DRM_INTERDICT_OWN] !== 0;
  if (interdicts && !own) {
    if (play.narrator !== null) events.interdicts(tables, side, hex, points, play);
    return false;
  }
  const target = own ? side : enemyOf(side);
  const stood = isIn(tables, s, target, hex);
  testRegiments(tables, s, hex, play); // Ruling R108
  // whom they were laid for has run away: no die falls. Ruling R45
  if (stood && !isIn(tables, s, target, hex) && bridgeIn(tables, s, hex) < 0) {
    if (play.narrator !== null) findNobody(tables, side, hex, play);
    return false;
  }
  const result =
    table === BY_WBBT
      ? rollWbbt(tables, s, ROLL_BOMBARDMENT, hex, points, play.dice)
      : rollCrt(tables, s, ROLL_BOMBARDMENT, hex, points, 0, play.dice);
  if (play.narrator !== null) toldCombat.roll(tables, s, side, [], play);
  expose(tables, s, target, hex, true);
  if (takeLosses(tables, s, target, hex, LOSSES[result]!, CAUSE_BOMBARDMENT, pins(result), play)) return true;
  return afterBombs(tables, s, target, hex, LOSSES[result]! > 0, pins(result), play);
}

/**
 * What follows the losses of a bombardment. Rule: SOS 14.81, SOS 14.82, SOS 18.31
 *
 * @returns true when a decision is open now
 */
export function afterBombs(
  tables: Tables,
  s: State,
  owner: number,
  hex: number,
  lost: boolean,
  pinned: boolean,
  play: Play,
): boolean {
  const depth = s[tables.layout.depth]!;
  checkLeader(tables, s, owner, play);
  if (lost) dropHelpless(tables, s, owner, hex, play);
  if (pinned) pinHex(tables, s, owner, hex, play);
  if (s[tables.layout.depth] === depth) displaceShelled(tables, s, owner, hex, play);
  return s[tables.layout.depth]! > depth;
}

/**
 * OPs that were lost before this phase come back one by one. Rule: SOS 14.98, SOS 14.99
 *
 * @returns true when one is placed now
 */
function bringBack(tables: Tables, s: State): boolean {
  const { layout, roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  for (const owner of [side, enemyOf(side)])
    for (let u = roster.first(owner); u < roster.end(owner); u++) {
      if (roster.kind[u] !== OP || placeOf(tables, s, u) !== DEAD) continue;
      if (extraOf(tables, s, u, GUN_PHASE_SHIFT) === s[layout.phase] || !mayReturn(tables, s, u)) continue;
      s[push(tables, s, ASK_LEADER, owner) + F_UNIT] = u + 1;
      return true;
    }
  return false;
}
