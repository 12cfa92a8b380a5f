import type { StateView } from "../../../core/layout.js";
import * as words from "../../layout.js";
import * as state from "../../state.js";
import type { Tables } from "../../state.js";

// own constants, for speed: see core/layout.ts
const { GROUP, KNOWN } = words;
const { enemyOf, has, placeOf } = state;

/** Hexes around the enemy in which no deployment ends. */
const AWAY = 2;
const NO = 1;
const YES = 2;

/** What the rules of deployment ask of a group. */
interface Deploying {
  readonly side: number;
  /** One unit, -1: all with GROUP. */
  readonly unit: number;
  readonly vehicle: boolean;
  /** Not below 0: foot and vehicles go together. */
  readonly other: number;
}

/**
 * May a deploying group enter a hex? Not in the open within range of a known enemy that fires directly, nor nearer to
 * the nearest enemy stack than every friend. Kept for one reach. Rule: SOS 8.24, ruling R14
 */
export function mayDeploy(tables: Tables, s: StateView, m: Deploying, hex: number): boolean {
  const { deploySeen } = tables;
  if (deploySeen[hex] === 0) deploySeen[hex] = isInRange(tables, s, m, hex) || leads(tables, s, m, hex) ? NO : YES;
  return deploySeen[hex] === YES;
}

/** May a deployment end in a hex? Rule: SOS 8.24 */
export function mayStop(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board, roster } = tables;
  for (let u = roster.first(enemyOf(side)); u < roster.end(enemyOf(side)); u++) {
    const at = placeOf(tables, s, u);
    if (at >= 0 && board.distance(hex, at) <= AWAY) return false;
  }
  return true;
}

function isInRange(tables: Tables, s: StateView, m: Deploying, hex: number): boolean {
  const { board, roster } = tables;
  const open = (vehicle: boolean) => (vehicle ? board.clearForVehicles : board.clearForFoot)[hex] === 1;
  if (!open(m.vehicle) && (m.other < 0 || !open(!m.vehicle))) return false;
  const enemy = enemyOf(m.side);
  for (let u = roster.first(enemy); u < roster.end(enemy); u++) {
    const at = placeOf(tables, s, u);
    if (at < 0 || roster.directFire[u] === 0 || !has(tables, s, u, KNOWN)) continue;
    if (board.distance(hex, at) <= roster.range[u]!) return true;
  }
  return false;
}

/** Would the group be nearer than every friend to one of the enemies nearest to a hex? */
function leads(tables: Tables, s: StateView, m: Deploying, hex: number): boolean {
  const { board, roster } = tables;
  const enemy = enemyOf(m.side);
  let nearest = Infinity;
  for (let e = roster.first(enemy); e < roster.end(enemy); e++) {
    const at = placeOf(tables, s, e);
    if (at >= 0) nearest = Math.min(nearest, board.distance(hex, at));
  }
  for (let e = roster.first(enemy); e < roster.end(enemy); e++) {
    const at = placeOf(tables, s, e);
    if (at >= 0 && board.distance(hex, at) === nearest && !hasFriend(tables, s, m, at, nearest)) return true;
  }
  return false;
}

/** Stands a stack unit outside the group within so many hexes of an enemy? */
function hasFriend(tables: Tables, s: StateView, m: Deploying, enemy: number, distance: number): boolean {
  const { board, roster } = tables;
  for (let u = roster.first(m.side); u < roster.end(m.side); u++) {
    const at = placeOf(tables, s, u);
    if (at < 0 || roster.stackUnit[u] === 0 || (m.unit >= 0 ? u === m.unit : has(tables, s, u, GROUP))) continue;
    if (board.distance(at, enemy) <= distance) return true;
  }
  return false;
}
