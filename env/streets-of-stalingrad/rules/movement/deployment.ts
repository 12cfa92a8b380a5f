import type { StateView } from "../../../core/layout.js";
import { GROUP, KNOWN } from "../../layout.js";
import { enemyOf, has, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";

/** Hexes around the enemy in which no deployment ends. */
const AWAY = 2;
const NO = 1;
const YES = 2;
/** Farther than any two hexes. */
const FAR = 1000;

/** What the rules of deployment ask of a group. */
interface Deploying {
  readonly side: number;
  /** One unit, -1: all with GROUP. */
  readonly unit: number;
  readonly vehicle: boolean;
  /** Not below 0: foot and vehicles go together. */
  readonly other: number;
}

/** Forgets what was found out for another group or position. */
export function beginDeployment({ deploySeen, friendNear }: Tables): void {
  deploySeen.fill(0);
  friendNear.fill(0);
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
  const end = roster.end(enemyOf(side));
  for (let u = roster.first(enemyOf(side)); u < end; u++) {
    const at = placeOf(tables, s, u);
    if (at >= 0 && board.distance(hex, at) <= AWAY) return false;
  }
  return true;
}

function isInRange(tables: Tables, s: StateView, m: Deploying, hex: number): boolean {
  const { board, roster } = tables;
  const openForFoot = board.clearForFoot[hex] === 1 && (!m.vehicle || m.other >= 0);
  const openForVehicles = board.clearForVehicles[hex] === 1 && (m.vehicle || m.other >= 0);
  if (!openForFoot && !openForVehicles) return false;
  const enemy = enemyOf(m.side);
  const end = roster.end(enemy);
  for (let u = roster.first(enemy); u < end; u++) {
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
  const first = roster.first(enemy);
  const end = roster.end(enemy);
  let nearest = FAR;
  let ahead = false;
  for (let e = first; e < end; e++) {
    const at = placeOf(tables, s, e);
    if (at < 0) continue;
    const distance = board.distance(hex, at);
    if (distance > nearest || (distance === nearest && ahead)) continue;
    nearest = distance;
    ahead = nearestFriend(tables, s, m, at) > distance;
  }
  return ahead;
}

/** Hexes from an enemy to the nearest stack unit outside the group. Kept for one reach. */
function nearestFriend(tables: Tables, s: StateView, m: Deploying, enemy: number): number {
  const { board, friendNear, roster } = tables;
  if (friendNear[enemy] !== 0) return friendNear[enemy]! - 1;
  let nearest = FAR;
  const end = roster.end(m.side);
  for (let u = roster.first(m.side); u < end; u++) {
    const at = placeOf(tables, s, u);
    if (at < 0 || roster.stackUnit[u] === 0 || (m.unit >= 0 ? u === m.unit : has(tables, s, u, GROUP))) continue;
    nearest = Math.min(nearest, board.distance(at, enemy));
  }
  friendNear[enemy] = nearest + 1;
  return nearest;
}
