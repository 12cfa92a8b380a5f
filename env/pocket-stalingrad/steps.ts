import type { State, StateView } from "../core/layout.js";
import type { SideId, Tables } from "./data.js";
import { ask } from "./state.js";

/**
 * Steps of the turn sequence. Rules return the next step; `turn.ts` runs steps until one waits for a decision. The
 * state holds no step: between decisions the pending decision determines it.
 */
export const WAIT = 0;
export const UNITS = 1;
export const COMMAND_DIE = 2;
export const RATT_DIE = 3;
export const TACTICS_DIE = 4;
export const INFILTRATION = 5;
export const ANNOUNCE_STEP = 6;
export const AIR_STEP = 7;
export const STURM_STEP = 8;
export const CROSS_STEP = 9;
export const RATZEL_STEP = 10;
export const DEPLOY_STEP = 11;
export const DEPLOY_IN_STEP = 12;
export const PLAYER_TURN_END = 13;
/** The steps below work on the area in `L.area`. */
export const FIGHT_STEP = 14;
export const PIONEER_STEP = 15;
export const ATTRITION_STEP = 16;
export const NEXT_AREA = 17;
export const END_WINDOW = 18;
export const VICTORY = 19;
export const CAPTURE = 20;

type Marks = (tables: Tables, s: StateView, mask: Uint8Array, at: number) => number;
const scratch = new WeakMap<Tables, Uint8Array>();

/** True when the pending optional decision offers anything besides `done`. Ruling R51 @param marks what it offers */
export function hasChoice(tables: Tables, s: State, marks: Marks): boolean {
  let mask = scratch.get(tables);
  if (mask === undefined) {
    mask = new Uint8Array(128);
    scratch.set(tables, mask);
  }
  return marks(tables, s, mask, 0) > 0;
}

/** Opens an optional decision; false when it would offer nothing but `done`. */
export function offer(tables: Tables, s: State, kind: number, actor: SideId, marks: Marks): boolean {
  ask(s, kind, actor);
  return hasChoice(tables, s, marks);
}
