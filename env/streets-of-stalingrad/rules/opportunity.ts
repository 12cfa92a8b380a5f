import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as actions from "../actions.js";
import * as words from "../layout.js";
import * as toldCombat from "../events/combat.js";
import * as told from "../events/told.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { LOSSES } from "../tables.js";
import { addFirerDrms, clearDrms, pins, reaches, rollCrt } from "./fire.js";
import { hides, reveal } from "./hidden.js";
import { pinHex, takeLosses } from "./losses.js";

// own constants, for speed: see core/layout.ts
const { ALL, DONE, HOLD, PASS, unitBase } = actions;
const {
  ASK_OP_FIRE,
  ASK_OP_GROUP,
  CAUSE_OPPORTUNITY,
  EXPOSED,
  F_ASK,
  F_HOLD,
  F_UNIT,
  FIRING,
  GROUP,
  OP_FIRED,
  OP_PHASE_SHIFT,
  PINNED,
  ROLL_OPPORTUNITY,
  WALK,
} = words;
const { enemyOf, frameHex, frameOf, frameUnit, give, has, placeOf, pop, push, setExtra, take, takeAll, topFrame } =
  state;

/** Is a unit of the moving group in the open here, so that it may be fired at? Rule: SOS 11.4, 11.6, 18.17 */
function isTarget(world: World, s: StateView, unit: number, hex: number): boolean {
  return has(world, s, unit, GROUP) && world.roster.lossUnit[unit] === 1 && !hides(world, unit, hex);
}

function hasTarget(world: World, s: StateView, hex: number): boolean {
  for (let u = 0; u < world.units; u++) if (isTarget(world, s, u, hex)) return true;
  return false;
}

/** May a unit fire at the movers in this hex? Mortars are not built. Rule: SOS 11.2, 11.3, 11.4 */
export function mayOpportunityFire(world: World, s: StateView, unit: number, hex: number): boolean {
  const { roster } = world;
  return (
    roster.directFire[unit] === 1 &&
    roster.df[unit]! > 0 &&
    !has(world, s, unit, PINNED | OP_FIRED) &&
    reaches(world, s, unit, hex)
  );
}

/** Asks the enemy of the movers for opportunity fire at a hex, if anybody can fire. Rule: SOS 11.0, 11.1, ruling R16 */
export function openWindow(world: World, s: State, hex: number): void {
  const walk = topFrame(world, s);
  if (!world.opportunityFire || s[walk + F_HOLD] === 1 || !hasTarget(world, s, hex)) return;
  const side = enemyOf(s[walk + words.F_ACTOR]!);
  for (let u = world.roster.first(side); u < world.roster.end(side); u++)
    if (mayOpportunityFire(world, s, u, hex)) {
      push(world, s, ASK_OP_FIRE, side, hex);
      return;
    }
}

/** Decisions `op.fire` and `op.group`: the first firer, then others of its hex. Rule: SOS 11.7, 11.8 */
export function fillFirers(world: World, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = world;
  const window = topFrame(world, s);
  const hex = frameHex(s, window);
  const side = s[window + words.F_ACTOR]!;
  const first = frameUnit(s, window);
  if (first < 0 && !hasTarget(world, s, hex)) return 0;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++)
    if (mayJoin(world, s, u, first, hex)) n += set(mask, at + unitBase(world.hexes) + u);
  if (n === 0) return 0;
  if (first < 0) return n + set(mask, at + PASS) + set(mask, at + HOLD);
  if (n > 1) n += set(mask, at + ALL);
  return n + set(mask, at + DONE);
}

function set(mask: Uint8Array, i: number): 1 {
  mask[i] = 1;
  return 1;
}

/** May a unit fire first (`first` -1), or join the one that does? */
function mayJoin(world: World, s: StateView, unit: number, first: number, hex: number): boolean {
  if (has(world, s, unit, FIRING) || !mayOpportunityFire(world, s, unit, hex)) return false;
  return first < 0 || placeOf(world, s, unit) === placeOf(world, s, first);
}

/** Everybody in the first one's hex fires with it. */
export function nameAllFirers(world: World, s: State): void {
  const window = topFrame(world, s);
  const first = frameUnit(s, window);
  for (let u = 0; u < world.units; u++)
    if (world.roster.side[u] === world.roster.side[first] && mayJoin(world, s, u, first, frameHex(s, window)))
      give(world, s, u, FIRING);
}

/** A unit is named to fire. */
export function nameFirer(world: World, s: State, unit: number): void {
  const window = topFrame(world, s);
  give(world, s, unit, FIRING);
  if (s[window + F_UNIT] === 0) s[window + F_UNIT] = unit + 1;
  s[window + F_ASK] = ASK_OP_GROUP;
}

/** The window closes: the movers go on, and the next hex opens another. Rule: SOS 11.1 */
export function passFire(world: World, s: State): void {
  const window = topFrame(world, s);
  const hex = frameHex(s, window);
  if (world.narrator !== null)
    told.declines(
      world,
      s[window + words.F_ACTOR]!,
      "SOS 11.1",
      `No more opportunity fire at the movers in ${told.id(world, hex)}.`,
      hex,
    );
  pop(world, s);
}

/** The enemy holds its fire for the rest of this order. Ruling R16. */
export function holdFire(world: World, s: State): void {
  passFire(world, s);
  s[frameOf(world, s, WALK) + F_HOLD] = 1;
}

/** The units named fire; the window stays open. Rule: SOS 9.19, 11.9, 11.10, ruling R93 */
export function shoot(world: World, s: State, dice: Dice): void {
  const { layout, roster } = world;
  const window = topFrame(world, s);
  const hex = frameHex(s, window);
  const side = s[window + words.F_ACTOR]!;
  clearDrms(world);
  let points = 0;
  const firers: number[] | null = world.narrator === null ? null : [];
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!has(world, s, u, FIRING)) continue;
    firers?.push(u);
    points += roster.df[u]!;
    addFirerDrms(world, s, u, true);
    reveal(world, s, u);
    take(world, s, u, FIRING);
    give(world, s, u, OP_FIRED);
    setExtra(world, s, u, OP_PHASE_SHIFT, s[layout.phase]!);
  }
  s[window + F_ASK] = ASK_OP_FIRE;
  s[window + F_UNIT] = 0;
  const result = rollCrt(world, s, ROLL_OPPORTUNITY, hex, points, 0, dice);
  if (firers !== null) toldCombat.roll(world, s, side, firers);
  takeAll(world, s, EXPOSED);
  for (let u = 0; u < world.units; u++) if (isTarget(world, s, u, hex)) give(world, s, u, EXPOSED);
  if (takeLosses(world, s, enemyOf(side), hex, LOSSES[result]!, CAUSE_OPPORTUNITY, pins(result))) return;
  if (pins(result)) pinMovers(world, s, enemyOf(side), hex);
}

/** The movers are pinned, and with them whoever of their side stands there. Rule: SOS 11.11 */
export function pinMovers(world: World, s: State, side: number, hex: number): void {
  if (hasTarget(world, s, hex)) pinHex(world, s, side, hex);
}
