import type { StateView } from "../../../core/layout.js";
import { GROUP, KNOWN } from "../../layout.js";
import { firstIn, has, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";

/** Hexes around the enemy in which no deployment ends. */
const AWAY = 2;

/** What the rules of deployment ask of a group. */
interface Deploying {
  readonly side: number;
  /** One unit, -1: all with GROUP. */
  readonly unit: number;
  readonly vehicle: boolean;
  /** Not below 0: foot and vehicles go together. */
  readonly other: number;
  /** The hex that the group leaves without a stack unit of its side, -1 none; null: not asked yet. */
  left: number | null;
}

/** Notes where everybody is for a side that deploys; it holds while nobody moves or is seen. */
export function beginDeployment({ fronts, layout, units }: Tables, s: StateView, side: number): void {
  const { words } = fronts;
  for (let u = 0; u < units; u++) {
    const at = s[layout.place + u]!;
    words[u] = at < 0 ? -1 : at * 2 + ((s[layout.flags + u]! & KNOWN) === 0 ? 0 : 1);
  }
  fronts.renew(side);
}

/**
 * True when a deploying group may enter a hex. Not in the open within range of a known enemy that fires directly, nor
 * nearer to the nearest enemy stack than every friend. Rule: SOS 8.24, ruling R14
 */
export function mayDeploy(tables: Tables, s: StateView, m: Deploying, hex: number): boolean {
  const { board, fronts } = tables;
  if (board.volga[hex] === 1 && fronts.isCovered(hex)) return false; // Ruling R95
  const openForFoot = board.clearForFoot[hex] === 1 && (!m.vehicle || m.other >= 0);
  const openForVehicles = board.clearForVehicles[hex] === 1 && (m.vehicle || m.other >= 0);
  if ((openForFoot || openForVehicles) && fronts.isCovered(hex)) return false;
  return !fronts.leads(hex, (m.left ??= hexLeft(tables, s, m)));
}

/** True when a deployment may end in a hex. Rule: SOS 8.24 */
export const mayStop = ({ fronts }: Tables, hex: number): boolean => fronts.nearest(hex) > AWAY;

/** The hex that the group leaves without a stack unit of its side, -1 none. */
function hexLeft(tables: Tables, s: StateView, { side, unit }: Deploying): number {
  const { roster } = tables;
  let at = unit;
  if (unit < 0) for (at = roster.first(side); at < roster.end(side) && !has(tables, s, at, GROUP);) at++;
  const hex = at < roster.end(side) ? placeOf(tables, s, at) : -1;
  let goes = -1;
  for (let u = hex < 0 ? -1 : firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== side || roster.stackUnit[u] === 0) continue;
    if (unit >= 0 ? u !== unit : !has(tables, s, u, GROUP)) return -1;
    goes = hex;
  }
  return goes;
}
