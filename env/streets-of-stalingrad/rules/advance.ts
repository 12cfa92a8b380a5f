import type { State, StateView } from "../../core/layout.js";
import * as actions from "../actions.js";
import * as words from "../layout.js";
import * as told from "../events/told.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { moveUnit } from "./hidden.js";
import { hasLossUnit } from "./losses.js";
import { fits } from "./stacking.js";
import { arrive } from "./walk.js";

// own constants, for speed: see core/layout.ts
const { DONE, unitBase } = actions;
const { ASK_ADVANCE, ASK_ICA, ATTACKER, COUNTER, ENTERED, F_ACTOR, F_FLAG, GROUP, PINNED, SPENT } = words;
const { enemyOf, frameHex, frameOf, give, has, placeOf, pop, push, take, takeAll, topFrame } = state;

/** Asks who goes into a hex that was cleared, if it was. Rule: SOS 9.85, 12.6, ruling R37 @param bit ATTACKER or COUNTER */
export function openAdvance(world: World, s: State, side: number, hex: number, bit: number): void {
  if (hasLossUnit(world, s, enemyOf(side), hex)) return;
  const frame = push(world, s, ASK_ADVANCE, side, hex);
  s[frame + F_FLAG] = bit === COUNTER ? 1 : 0;
}

/** Decision `advance.unit`: adjacent attackers that are neither pinned nor spent, up to the stacking limit. Rule: SOS 9.85, 9.86 */
export function fillAdvance(world: World, s: StateView, mask: Uint8Array, at: number): number {
  const { board, roster } = world;
  const frame = topFrame(world, s);
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  const bit = s[frame + F_FLAG] === 1 ? COUNTER : ATTACKER;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    if (!has(world, s, u, bit) || has(world, s, u, ENTERED | PINNED | SPENT)) continue;
    const d = board.sideTo(placeOf(world, s, u), hex);
    if (d < 0) continue;
    const edge = placeOf(world, s, u) * 6 + d;
    if ((roster.vehicle[u] === 1 ? board.vehicleCost : board.footCost)[edge] === 0) continue;
    if (!fits(world, s, side, hex, u)) continue;
    mask[at + unitBase(world.hexes) + u] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + DONE] = 1;
  return n + 1;
}

/** A unit advances, free of opportunity fire. Rule: SOS 9.85 */
export function advance(world: World, s: State, unit: number): void {
  const hex = frameHex(s, topFrame(world, s));
  give(world, s, unit, GROUP | ENTERED);
  const from = placeOf(world, s, unit);
  moveUnit(world, s, unit, hex);
  if (world.narrator !== null) told.goes(world, s, unit, from, "advances");
  arrive(world, s, world.roster.side[unit]!, hex);
  take(world, s, unit, GROUP);
}

/** Nobody else advances. What entered after a counter-attack is not countered again. Rule: SOS 12.3 */
export function closeAdvance(world: World, s: State): void {
  pop(world, s);
  if (frameOf(world, s, ASK_ICA) >= 0) takeAll(world, s, ENTERED);
}
