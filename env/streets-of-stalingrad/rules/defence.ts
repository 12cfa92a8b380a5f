import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as actions from "../actions.js";
import * as words from "../layout.js";
import * as told from "../events/combat.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { LOSSES } from "../tables.js";
import { addFirerDrms, clearDrms, pins, reaches, rollCrt } from "./fire.js";
import { hides, reveal } from "./hidden.js";
import { pinHex, takeLosses } from "./losses.js";

// own constants, for speed: see core/layout.ts
const { ALL, DONE, HEX, unitBase } = actions;
const {
  ASK_ATTACK_UNIT,
  ASK_FIRE_TARGET,
  ASK_FIRE_UNIT,
  ATTACKER,
  CAUSE_DEFENSE,
  DEF_FIRED,
  EXPOSED,
  F_ACTOR,
  F_ASK,
  F_FLAG,
  FIRE_DONE,
  FIRE_SHIFT,
  MARK_ATTACK,
  PINNED,
  ROLL_DEFENSE,
  SPENT,
} = words;
const {
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
} = state;

/** Asks the defender of a hex at which attackers he fires. Rule: SOS 9.51, ruling R36 */
export function openDefensiveFire(world: World, s: State, side: number, hex: number): void {
  push(world, s, ASK_FIRE_TARGET, side, hex);
}

/** May a unit fire at the attackers in a hex? Rule: SOS 9.22, 9.53, 9.54, 9.55, 9.601, ruling R43 */
function mayFire(world: World, s: StateView, unit: number, at: number): boolean {
  const { board, roster } = world;
  const from = placeOf(world, s, unit);
  if (from < 0 || roster.df[unit] === 0 || extraOf(world, s, unit, FIRE_SHIFT) !== 0) return false;
  const distance = board.distance(from, at);
  if (distance > 1 && has(world, s, unit, PINNED | SPENT)) return false;
  if (from === frameHex(s, topFrame(world, s)))
    return roster.directFire[unit] === 1 ? reaches(world, s, unit, at) : distance === 1;
  return (
    roster.directFire[unit] === 1 &&
    !has(world, s, unit, PINNED | DEF_FIRED) &&
    markOf(world, s, from) !== MARK_ATTACK &&
    reaches(world, s, unit, at) &&
    areInTheOpen(world, s, at)
  );
}

/** Do attackers stand in the open in this hex? */
function areInTheOpen(world: World, s: StateView, hex: number): boolean {
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (has(world, s, u, ATTACKER) && !hides(world, u, hex)) return true;
  return false;
}

const isDeclared = (world: World, s: StateView, hex: number): boolean => {
  const { fires, fireCount } = world.layout;
  for (let i = 0; i < s[fireCount]!; i++) if ((s[fires + i]! & ~FIRE_DONE) === hex + 1) return true;
  return false;
};

/** Decision `df.target`: attacking hexes that nobody fires at yet; `all` when there is one. */
export function fillFireTargets(world: World, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = world;
  const frame = topFrame(world, s);
  const side = s[frame + F_ACTOR]!;
  let n = 0;
  let last = -1;
  for (let a = roster.first(enemyOf(side)); a < roster.end(enemyOf(side)); a++) {
    if (!has(world, s, a, ATTACKER)) continue;
    const hex = placeOf(world, s, a);
    if (mask[at + HEX + hex] === 1 || isDeclared(world, s, hex)) continue;
    for (let u = roster.first(side); u < roster.end(side); u++)
      if (mayFire(world, s, u, hex)) {
        mask[at + HEX + hex] = 1;
        last = hex;
        n++;
        break;
      }
  }
  if (n === 0) return 0;
  if (attackingHexes(world, s) === 1 && countIn(world, s, frameHex(s, frame), last) > 0) n += set(mask, at + ALL);
  return n + set(mask, at + DONE);
}

function set(mask: Uint8Array, i: number): 1 {
  mask[i] = 1;
  return 1;
}

function attackingHexes(world: World, s: StateView): number {
  let n = 0;
  let last = -1;
  for (let u = 0; u < world.units && n < 2; u++)
    if (has(world, s, u, ATTACKER) && placeOf(world, s, u) !== last) {
      last = placeOf(world, s, u);
      n++;
    }
  return n;
}

/** How many units in the attacked hex may fire at attackers in another. */
function countIn(world: World, s: StateView, hex: number, at: number): number {
  let n = 0;
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u)) if (mayFire(world, s, u, at)) n++;
  return n;
}

/** A target is named; its firers are named next. */
export function nameFireTarget(world: World, s: State, hex: number): void {
  const { fires, fireCount } = world.layout;
  s[fires + s[fireCount]!] = hex + 1;
  s[fireCount]!++;
  s[topFrame(world, s) + F_ASK] = ASK_FIRE_UNIT;
}

/** The hex that firers are being named for. */
export const currentTarget = (world: World, s: StateView): number =>
  s[world.layout.fires + s[world.layout.fireCount]! - 1]! - 1;

/** Decision `df.unit`: nobody has to fire. Rule: SOS 9.56, 9.60 */
export function fillFirers(world: World, s: StateView, mask: Uint8Array, at: number): number {
  const { roster, layout } = world;
  const frame = topFrame(world, s);
  const side = s[frame + F_ACTOR]!;
  const target = currentTarget(world, s);
  let n = 0;
  let named = false;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (extraOf(world, s, u, FIRE_SHIFT) === s[layout.fireCount]!) named = true;
    if (!mayFire(world, s, u, target)) continue;
    mask[at + unitBase(world.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  if (countIn(world, s, frameHex(s, frame), target) > 1) n += set(mask, at + ALL);
  if (named) n += set(mask, at + DONE);
  return n;
}

/** A unit is named to fire at the current target. */
export function nameDefender(world: World, s: State, unit: number): void {
  setExtra(world, s, unit, FIRE_SHIFT, s[world.layout.fireCount]!);
}

/** Everybody in the attacked hex fires at the current target. */
export function nameAllDefenders(world: World, s: State): void {
  const hex = frameHex(s, topFrame(world, s));
  const target = currentTarget(world, s);
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (mayFire(world, s, u, target)) nameDefender(world, s, u);
}

/** `all`: the one attacking hex, by everybody in the attacked one. */
export function fireAll(world: World, s: State): void {
  const { roster } = world;
  const side = s[topFrame(world, s) + F_ACTOR]!;
  for (let u = roster.first(enemyOf(side)); u < roster.end(enemyOf(side)); u++)
    if (has(world, s, u, ATTACKER)) {
      nameFireTarget(world, s, placeOf(world, s, u));
      break;
    }
  nameAllDefenders(world, s);
  closeTarget(world, s);
}

/** The firers of a target are complete. */
export function closeTarget(world: World, s: State): void {
  s[topFrame(world, s) + F_ASK] = ASK_FIRE_TARGET;
}

/** Have dice been rolled, so that nothing more can be declared? */
export const isFiring = (world: World, s: StateView): boolean => (s[world.layout.fires]! & FIRE_DONE) !== 0;

/** Rolls the fires declared, in their order, until a loss has to be chosen or all are done. Rule: SOS 9.57 */
export function rollFires(world: World, s: State, dice: Dice): void {
  const { fires, fireCount } = world.layout;
  const frame = topFrame(world, s);
  const side = s[frame + F_ACTOR]!;
  for (let i = 0; i < s[fireCount]!; i++) {
    if ((s[fires + i]! & FIRE_DONE) !== 0) continue;
    s[fires + i]! |= FIRE_DONE;
    if (fire(world, s, side, (s[fires + i]! & ~FIRE_DONE) - 1, i + 1, dice)) return;
  }
  for (let i = 0; i < s[fireCount]!; i++) s[fires + i] = 0;
  s[fireCount] = 0;
  for (let u = world.roster.first(side); u < world.roster.end(side); u++) setExtra(world, s, u, FIRE_SHIFT, 0);
  pop(world, s);
}

/** One defensive fire. @returns true when a loss has to be chosen */
function fire(world: World, s: State, side: number, hex: number, number: number, dice: Dice): boolean {
  const { roster } = world;
  clearDrms(world);
  let points = 0;
  const firers: number[] | null = world.narrator === null ? null : [];
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (extraOf(world, s, u, FIRE_SHIFT) !== number) continue;
    firers?.push(u);
    points += roster.df[u]!;
    addFirerDrms(world, s, u, true);
    reveal(world, s, u);
    give(world, s, u, DEF_FIRED);
  }
  const accelerated = s[frameOf(world, s, ASK_ATTACK_UNIT) + F_FLAG]!;
  const result = rollCrt(world, s, ROLL_DEFENSE, hex, points, accelerated, dice);
  if (firers !== null) told.roll(world, s, side, firers);
  takeAll(world, s, EXPOSED);
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (has(world, s, u, ATTACKER)) give(world, s, u, EXPOSED);
  if (takeLosses(world, s, enemyOf(side), hex, LOSSES[result]!, CAUSE_DEFENSE, pins(result))) return true;
  if (pins(result)) pinHex(world, s, enemyOf(side), hex);
  return false;
}
