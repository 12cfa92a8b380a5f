import type { StateView } from "../core/layout.js";
import {
  COLUMNS,
  GERMAN_TYPES,
  GERMANS,
  RESTORABLE,
  UNITS,
  type UnitId,
  FIRST_UNIT,
  FIRST_COLUMN,
  FIRST_TYPE,
  FIRST_GUN,
} from "./data.js";
import type { Tables } from "./data.js";
import { costToEnter, countCrowd, mayExit, mayMove } from "./rules/movement.js";
import { mayBuy, mayReinstate } from "./rules/purchase.js";
import { hasTarget, maySpotColumn, mayTarget } from "./rules/spotting.js";
import {
  activeOf,
  BUY,
  columnOf,
  FIRE,
  FIRED,
  FOLLOW,
  has,
  MOVE,
  mpOf,
  onMap,
  phaseOf,
  placeOf,
  REINSTATE,
  STEP,
  SUPPRESSED,
  TARGET,
} from "./state.js";

/** First index of each range of the action space (`data/actions.json`). */
export const DONE = 0;
export const STOP = 1;
export const EXIT = 2;
export const FIRE_AGAIN = 3;
export const REINSTATE_GUN = 4;
export const BUY_TYPE = REINSTATE_GUN + RESTORABLE.length;
export const UNIT = BUY_TYPE + GERMAN_TYPES.length;
export const HEX = UNIT + GERMANS;

export function actionNames(tables: Tables): string[] {
  return [
    "done", "stop", "exit", "fire",
    ...RESTORABLE.map((r) => `reinstate ${r}`),
    ...GERMAN_TYPES.map((type) => `buy ${type}`),
    ...tables.unitNames.slice(0, GERMANS).map((name) => `unit ${name}`),
    ...tables.ids.map((id) => `hex ${id}`),
  ]; // prettier-ignore
}

/** Sets a byte per legal action in `mask[at ..]`, which is all zero, and counts them. */
export function markLegal(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  switch (phaseOf(s)) {
    case BUY:
      return markBuy(tables, s, mask, at);
    case REINSTATE:
      return markReinstate(tables, s, mask, at);
    case MOVE:
      return markMovers(s, mask, at);
    case STEP:
      mask[at + STOP] = 1;
      if (mayExit(tables, s, activeOf(s))) {
        mask[at + EXIT] = 1;
        return 2 + markSteps(tables, s, mask, at + HEX);
      }
      return 1 + markSteps(tables, s, mask, at + HEX);
    case FIRE:
      return markFirers(tables, s, mask, at);
    case TARGET:
      mask[at + STOP] = 1;
      return 1 + markTargets(tables, s, activeOf(s), mask, at + HEX);
    case FOLLOW:
      mask[at + FIRE_AGAIN] = 1;
      mask[at + STOP] = 1;
      return 2;
    default:
      return 0;
  }
}

function markBuy(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 1;
  mask[at + DONE] = 1;
  for (let type = FIRST_TYPE; type < GERMAN_TYPES.length; type++) {
    if (!mayBuy(tables, s, type)) continue;
    mask[at + BUY_TYPE + type] = 1;
    n++;
  }
  return n;
}

function markReinstate(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 1;
  mask[at + DONE] = 1;
  for (let r = FIRST_GUN; r < RESTORABLE.length; r++) {
    if (!mayReinstate(tables, s, r)) continue;
    mask[at + REINSTATE_GUN + r] = 1;
    n++;
  }
  return n;
}

function markMovers(s: StateView, mask: Uint8Array, at: number): number {
  let n = 1;
  mask[at + DONE] = 1;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!mayMove(s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

function markFirers(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 1;
  mask[at + DONE] = 1;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!mayFire(tables, s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

export function mayFire(tables: Tables, s: StateView, u: UnitId): boolean {
  return onMap(s, u) && !has(s, u, FIRED | SUPPRESSED) && hasTarget(tables, s, u);
}

/** Hexes that the active unit may enter, as bytes from `at` on: the neighbours, or the entry edge while it waits. */
export function markSteps(
  tables: Tables,
  s: StateView,
  mask: Uint8Array | Float32Array,
  at: number,
  stride = 1,
): number {
  const u = activeOf(s);
  const mp = mpOf(s);
  const from = placeOf(s, u);
  const list = from >= 0 ? tables.grid.neighbours : tables.entry;
  const first = from >= 0 ? from * 6 : 0;
  const end = from >= 0 ? first + 6 : list.length;
  let n = 0;
  countCrowd(tables, s);
  for (let i = first; i < end; i++) {
    const h = list[i]!;
    if (h < 0) continue;
    const cost = costToEnter(tables, s, u, h);
    if (cost === 0 || cost > mp) continue;
    mask[at + h * stride] = 1;
    n++;
  }
  return n;
}

/** Hexes that German `u`, on the map, may fire or look at, as bytes from `at` on. */
export function markTargets(
  tables: Tables,
  s: StateView,
  u: UnitId,
  mask: Uint8Array | Float32Array,
  at: number,
  stride = 1,
): number {
  let n = 0;
  for (let k = GERMANS; k < UNITS; k++) if (mayTarget(tables, s, u, k)) n += mark(mask, at + placeOf(s, k) * stride);
  for (let c = FIRST_COLUMN; c < COLUMNS; c++)
    if (maySpotColumn(tables, s, u, c)) n += mark(mask, at + columnOf(s, c) * stride);
  return n;
}

/** @returns 1 when the byte was not set before */
function mark(mask: Uint8Array | Float32Array, at: number): number {
  if (mask[at] === 1) return 0;
  mask[at] = 1;
  return 1;
}
