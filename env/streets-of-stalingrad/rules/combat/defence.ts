import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { allow, ALL, DONE, HEX, unitBase } from "../../actions.js";
import {
  ASK_ATTACK_UNIT,
  ASK_FIRE_TABLE,
  ASK_FIRE_TARGET,
  ASK_FIRE_UNIT,
  ASK_SPOT,
  ATTACKER,
  CAUSE_DEFENSE,
  DEF_FIRED,
  EXPOSED,
  F_ACTOR,
  F_ASK,
  F_COMMIT,
  F_FLAG,
  BY_CRT,
  BY_WBBT,
  FIRE_DONE,
  FIRE_TABLE_SHIFT,
  fireHex,
  FIRE_SHIFT,
  MARK_ATTACK,
  PINNED,
  ROLL_DEFENSE,
  SPENT,
  UNREADY,
  type HexId,
  type UnitId,
} from "../../layout.js";
import * as events from "../../events/combat.js";
import {
  askOf,
  enemyOf,
  extraOf,
  firstIn,
  frameHex,
  frameOf,
  give,
  has,
  markOf,
  nextIn,
  placeOf,
  pop,
  push,
  setExtra,
  takeAll,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { testRegiments } from "../units/reliability.js";
import { LOSSES } from "../../charts.js";
import { attackHasArmor, defenceOf } from "../units/armor.js";
import { nameFirstLosses } from "./commitment.js";
import { pins, reaches, rollCrt, rollWbbt } from "../units/fire.js";
import { boatReaches } from "../units/flotilla.js";
import { FLAK88, hasShelled, holdGun, isHeldByDefence, useGun } from "../artillery/guns.js";
import { makeFireDrms, mayShellBack, shellsBack } from "./defence-guns.js";
import { hides, reveal } from "../units/hidden.js";
import { settleLosses } from "../units/leaders.js";
import { findSpotter } from "../artillery/spotting.js";
import { pinHex, takeLosses } from "../units/losses.js";

/** Asks the defender of a hex for the attackers to fire at. Rule: SOS 9.51, ruling R36 */
export function openDefensiveFire(tables: Tables, s: State, side: number, hex: number): void {
  push(tables, s, ASK_FIRE_TARGET, side, hex);
}

/**
 * True when a unit may fire at the attackers in a hex. Rule: SOS 9.22, SOS 9.53, SOS 9.54, SOS 9.55, SOS 9.601, ruling
 * R43
 */
function mayFire(tables: Tables, s: StateView, unit: number, at: number): boolean {
  const { board, roster } = tables;
  const from = placeOf(tables, s, unit);
  if (roster.boat[unit] === 1)
    return (
      extraOf(tables, s, unit, FIRE_SHIFT) === 0 &&
      !has(tables, s, unit, PINNED | DEF_FIRED) &&
      tables.flotillaDefends &&
      boatReaches(tables, s, unit, at) // Rule: SOS 16.55, ruling R105
    );
  if (from >= 0 && extraOf(tables, s, unit, FIRE_SHIFT) === 0 && mayShellBack(tables, s, unit, at)) return true;
  if (from < 0 || extraOf(tables, s, unit, FIRE_SHIFT) !== 0) return false;
  if (roster.kind[unit] === FLAK88 && hasShelled(tables, s, unit)) return false; // Rule: SOS 14.03
  if (defenceOf(tables, s, unit, at, attackHasArmor(tables, s, at)) === 0) return false;
  if (has(tables, s, unit, UNREADY) && roster.directFire[unit] === 1) return false;
  const distance = board.distance(from, at);
  if (distance > 1 && has(tables, s, unit, PINNED | SPENT)) return false;
  // a spotter may be asked for on top. Ruling R23
  if (from === frameHex(s, frameOf(tables, s, ASK_FIRE_TARGET, ASK_FIRE_UNIT)))
    return roster.directFire[unit] === 1 ? reaches(tables, s, unit, at) : distance === 1;
  return (
    roster.directFire[unit] === 1 &&
    !has(tables, s, unit, PINNED | DEF_FIRED) &&
    markOf(tables, s, from) !== MARK_ATTACK &&
    reaches(tables, s, unit, at) &&
    areInTheOpen(tables, s, at)
  );
}

/** True when attackers are in the open in this hex. */
function areInTheOpen(tables: Tables, s: StateView, hex: number): boolean {
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (has(tables, s, u, ATTACKER) && !hides(tables, s, u, hex)) return true;
  return false;
}

/** Guns that shell the hex from afar are not fired at for it, nor are leaders alone. Rule: SOS 9.41, SOS 18.17 */
const firesFar = (tables: Tables, s: StateView, unit: number): boolean =>
  tables.roster.lossUnit[unit] === 0 || s[tables.layout.served + unit] !== 0;

const isDeclared = (tables: Tables, s: StateView, hex: number): boolean => {
  const { fires, fireCount } = tables.layout;
  for (let i = 0; i < s[fireCount]!; i++) if (fireHex(s[fires + i]!) === hex) return true;
  return false;
};

/** Decision `df.target`: attacking hexes without declared fire; `all` when there is one. */
export function fillFireTargets(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  let n = 0;
  let last = -1;
  for (let a = roster.first(enemyOf(side)); a < roster.end(enemyOf(side)); a++) {
    if (!has(tables, s, a, ATTACKER) || firesFar(tables, s, a)) continue;
    const hex = placeOf(tables, s, a);
    if (mask[at + HEX + hex] === 1 || isDeclared(tables, s, hex)) continue;
    for (let u = roster.first(side); u < roster.end(side); u++)
      if (mayFire(tables, s, u, hex)) {
        mask[at + HEX + hex] = 1;
        last = hex;
        n++;
        break;
      }
  }
  if (n === 0) return 0;
  if (attackingHexes(tables, s) === 1 && countIn(tables, s, frameHex(s, frame), last) > 0) n += allow(mask, at + ALL);
  return n + allow(mask, at + DONE);
}

function attackingHexes(tables: Tables, s: StateView): number {
  let n = 0;
  let last = -1;
  for (let u = 0; u < tables.units && n < 2; u++)
    if (has(tables, s, u, ATTACKER) && !firesFar(tables, s, u) && placeOf(tables, s, u) !== last) {
      last = placeOf(tables, s, u);
      n++;
    }
  return n;
}

/** How many units in the attacked hex may fire at attackers in another. */
function countIn(tables: Tables, s: StateView, hex: number, at: number): number {
  let n = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) if (mayFire(tables, s, u, at)) n++;
  return n;
}

/** A target is named; its firers are named next. */
export function nameFireTarget(tables: Tables, s: State, hex: HexId): void {
  const { fires, fireCount } = tables.layout;
  s[fires + s[fireCount]!] = hex + 1;
  s[fireCount]!++;
  s[topFrame(tables, s) + F_ASK] = ASK_FIRE_UNIT;
}

/** The hex that firers are being named for. */
export const currentTarget = (tables: Tables, s: StateView): HexId =>
  fireHex(s[tables.layout.fires + s[tables.layout.fireCount]! - 1]!);

/** Decision `df.unit`: fire is optional. Rule: SOS 9.56, SOS 9.60 */
export function fillFirers(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster, layout } = tables;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  const target = currentTarget(tables, s);
  let n = 0;
  let named = false;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (extraOf(tables, s, u, FIRE_SHIFT) === s[layout.fireCount]!) named = true;
    if (!mayFire(tables, s, u, target)) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  if (countIn(tables, s, frameHex(s, frame), target) > 1) n += allow(mask, at + ALL);
  if (named) n += allow(mask, at + DONE);
  return n;
}

/** A unit is named to fire at the current target. */
export function nameDefender(tables: Tables, s: State, unit: UnitId): void {
  const target = currentTarget(tables, s);
  const shells = mayShellBack(tables, s, unit, target);
  setExtra(tables, s, unit, FIRE_SHIFT, s[tables.layout.fireCount]!);
  if (shells) findSpotter(tables, s, unit, target);
}

/** All units in the attacked hex fire at the current target. */
export function nameAllDefenders(tables: Tables, s: State): void {
  const hex = frameHex(s, topFrame(tables, s));
  const target = currentTarget(tables, s);
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (mayFire(tables, s, u, target)) nameDefender(tables, s, u);
}

/**
 * `all`: the one attacking hex, by all units in the attacked one. Where spotters have to be named first, the firers are
 * complete when they are. Ruling R23.
 */
export function fireAll(tables: Tables, s: State): void {
  const { roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  for (let u = roster.first(enemyOf(side)); u < roster.end(enemyOf(side)); u++)
    if (has(tables, s, u, ATTACKER) && !firesFar(tables, s, u)) {
      nameFireTarget(tables, s, placeOf(tables, s, u));
      break;
    }
  nameAllDefenders(tables, s);
  if (askOf(tables, s) !== ASK_SPOT) closeTarget(tables, s);
}

/** The firers of a target are complete. */
export function closeTarget(tables: Tables, s: State): void {
  s[frameOf(tables, s, ASK_FIRE_TARGET, ASK_FIRE_UNIT) + F_ASK] = isBarrage(tables, s)
    ? ASK_FIRE_TABLE
    : ASK_FIRE_TARGET;
}

/** True when guns alone fire at the current target. */
function isBarrage(tables: Tables, s: StateView): boolean {
  const target = currentTarget(tables, s);
  let guns = false;
  for (let u = 0; u < tables.units; u++) {
    if (extraOf(tables, s, u, FIRE_SHIFT) !== s[tables.layout.fireCount]!) continue;
    if (!shellsBack(tables, s, u, target)) return false;
    guns = true;
  }
  return guns;
}

/** The guns that fire at the current target use this table. */
export function chooseFireTable(tables: Tables, s: State, table: number): void {
  const { fires, fireCount } = tables.layout;
  s[fires + s[fireCount]! - 1]! |= table << FIRE_TABLE_SHIFT;
  s[topFrame(tables, s) + F_ASK] = ASK_FIRE_TARGET;
}

/** True when dice have been rolled, so nothing more can be declared. */
export const isFiring = (tables: Tables, s: StateView): boolean => (s[tables.layout.fires]! & FIRE_DONE) !== 0;

/** Rolls the fires declared, in their order, until a loss has to be chosen or all are done. Rule: SOS 9.57 */
export function rollFires(tables: Tables, s: State, play: Play): void {
  const { fires, fireCount } = tables.layout;
  const frame = topFrame(tables, s);
  const side = s[frame + F_ACTOR]!;
  for (let i = 0; i < s[fireCount]!; i++) {
    if ((s[fires + i]! & FIRE_DONE) !== 0) continue;
    s[fires + i]! |= FIRE_DONE;
    if (fire(tables, s, side, i, play)) return;
  }
  for (let i = 0; i < s[fireCount]!; i++) s[fires + i] = 0;
  s[fireCount] = 0;
  for (let u = tables.roster.first(side); u < tables.roster.end(side); u++) setExtra(tables, s, u, FIRE_SHIFT, 0);
  pop(tables, s);
}

/**
 * One defensive fire. Rule: SOS 9.19, SOS 9.52, SOS 9.59, SOS 9.92, SOS 9.94
 *
 * @returns true when a decision is open now
 */
function fire(tables: Tables, s: State, side: number, index: number, play: Play): boolean {
  const { layout, roster } = tables;
  const hex = fireHex(s[layout.fires + index]!);
  const fires = (u: number) => extraOf(tables, s, u, FIRE_SHIFT) === index + 1;
  const shells = (u: number) => fires(u) && shellsBack(tables, s, u, hex);
  const attack = frameOf(tables, s, ASK_ATTACK_UNIT);
  testRegiments(tables, s, hex, play);
  const byTable = s[layout.fires + index]! >> FIRE_TABLE_SHIFT === BY_WBBT;
  const { points } = makeFireDrms(tables, s, side, hex, fires, byTable ? BY_WBBT : BY_CRT);
  const firers: number[] | null = play.narrator === null ? null : [];
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!fires(u)) continue;
    firers?.push(u);
    reveal(tables, s, u, play);
    give(tables, s, u, DEF_FIRED);
    if (!shells(u)) continue;
    useGun(tables, s, u);
    if (isHeldByDefence(tables, s, u)) holdGun(tables, s, u);
  }
  const result = byTable
    ? rollWbbt(tables, s, ROLL_DEFENSE, hex, points, play.dice)
    : rollCrt(tables, s, ROLL_DEFENSE, hex, points, s[attack + F_FLAG]!, play.dice);
  if (firers !== null) events.roll(tables, s, side, firers, play);
  takeAll(tables, s, EXPOSED);
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    // the flotilla may take the loss for who attacks beside it. Rule: SOS 8.68
    if ((has(tables, s, u, ATTACKER) && roster.lossUnit[u] === 1) || roster.boat[u] === 1) give(tables, s, u, EXPOSED);
  nameFirstLosses(tables, s, s[attack + F_COMMIT]!, side, frameHex(s, attack));
  const depth = s[layout.depth]!;
  if (takeLosses(tables, s, enemyOf(side), hex, LOSSES[result]!, CAUSE_DEFENSE, pins(result), play)) return true;
  settleLosses(tables, s, enemyOf(side), play);
  if (pins(result)) pinHex(tables, s, enemyOf(side), hex, play);
  return s[layout.depth]! > depth;
}
