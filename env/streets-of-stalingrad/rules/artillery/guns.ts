import type { State, StateView } from "../../../core/layout.js";
import { KINDS } from "../../schema.js";
import * as words from "../../layout.js";
import {
  DEF_FIRED,
  DRM_LEADER_SPOT,
  DRM_SPOT,
  FIRED_AF,
  boxOf,
  GUN_PHASE_SHIFT,
  isBox,
  NO_MOVE,
  NO_MOVE_NEXT,
  OP_FIRED,
  PINNED,
  SERVED_LEADER,
  SILENCED,
  SPENT,
  spotterIn,
  STAGE_BREAKTHROUGH,
  UNREADY,
} from "../../layout.js";
import { SOVIET } from "../../roster.js";
import { EAST_BOXES, FAR } from "../../map/river.js";
import { boxAt, firstIn, give, has, nextIn, phasingSide, placeOf, setExtra } from "../../state.js";
import type { Tables } from "../../state.js";
import { hasSpotter, isSpottable, spotModifier } from "./spotting.js";

const kinds = (...names: (typeof KINDS)[number][]) => names.map((k) => KINDS.indexOf(k));
const OP = KINDS.indexOf("op");
export const FLAK88 = KINDS.indexOf("flak88");
const LIFELESS = kinds("bridge", "minefield", "fortification");

/** True when a gun is where it can fire from: on the map, or in a box of the East Bank. Rule: SOS 9.17, SOS 14.51 */
function isInPlace(tables: Tables, s: StateView, gun: number): boolean {
  const place = placeOf(tables, s, gun);
  return place >= 0 || (isBox(place) && boxOf(place) < EAST_BOXES);
}

/** Hexes from a gun to its target, where either may be a box. Rule: SOS 2.16, SOS 14.53 */
export function gunDistance(tables: Tables, s: StateView, gun: number, target: number): number {
  const { board, river } = tables;
  const from = placeOf(tables, s, gun);
  const box = boxAt(tables, target);
  if (from < 0) return box >= 0 ? FAR : river.ranges[boxOf(from)]![target]!;
  return box < 0 ? board.distance(from, target) : river.ranges[box]![from]!;
}

/**
 * True when a unit still has indirect fire that it can use now. Rule: SOS 14.02, SOS 14.03, SOS 14.07, SOS 14.11, SOS
 * 14.43, rulings R41, R42
 */
export function isGunReady(tables: Tables, s: StateView, gun: number): boolean {
  const { layout, roster } = tables;
  if (roster.gunRange[gun] === 0 || roster.af[gun] === 0 || !isInPlace(tables, s, gun)) return false;
  if (s[layout.served + gun] !== 0 || has(tables, s, gun, FIRED_AF | PINNED | SPENT | UNREADY)) return false;
  if ((s[layout.work + gun]! & SILENCED) !== 0) return false; // Rule: SOS 14.72
  return roster.kind[gun] !== FLAK88 || !has(tables, s, gun, OP_FIRED | DEF_FIRED); // directly or indirectly in a phase
}

/** True when a unit has fired indirectly in this phase. An 88 does not fire directly then. Rule: SOS 14.03 */
export const hasShelled = ({ layout }: Tables, s: StateView, unit: number): boolean => s[layout.served + unit] !== 0;

/** True when a gun may fire at a hex: it is ready, in range, and has a spotter. Rule: SOS 9.39, SOS 14.01, SOS 14.46 */
export function mayShell(tables: Tables, s: StateView, gun: number, hex: number): boolean {
  if (!isGunReady(tables, s, gun)) return false;
  if (gunDistance(tables, s, gun, hex) > tables.roster.gunRange[gun]!) return false;
  return mayHitBeside(tables, s, gun, hex) && hasSpotter(tables, s, gun, hex);
}

/** The same as `mayShell` of a gun that is ready, after `noteSpotters`. */
export function reachesTarget(tables: Tables, s: StateView, gun: number, hex: number): boolean {
  if (gunDistance(tables, s, gun, hex) > tables.roster.gunRange[gun]!) return false;
  return isSpottable(tables, s, gun, hex) && mayHitBeside(tables, s, gun, hex);
}

/**
 * True when one of the guns that `noteSpotters` found ready may fire at a hex. The gun that reached the hex before is
 * asked first: most reach many.
 */
export function isInReach(tables: Tables, s: StateView, hex: number): boolean {
  const { spots } = tables;
  const { guns, gunCount } = spots;
  if (gunCount === 0) return false;
  if (reachesTarget(tables, s, guns[spots.latest]!, hex)) return true;
  for (let i = 0; i < gunCount; i++)
    if (i !== spots.latest && reachesTarget(tables, s, guns[i]!, hex)) {
      spots.latest = i;
      return true;
    }
  return false;
}

/** Katyushas don't fire beside themselves or friends. Rule: SOS 9.103, SOS 14.05, SOS 14.44, ruling R71 */
function mayHitBeside(tables: Tables, s: StateView, gun: number, hex: number): boolean {
  const { board, roster } = tables;
  if (roster.counters[gun]!.type.guardsMortar !== true) return true;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h < 0) continue;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u))
      if (roster.side[u] === roster.side[gun] && !LIFELESS.includes(roster.kind[u]!)) return false;
  }
  return true;
}

/**
 * A gun fires: its AF of this turn is gone, and an OP that spotted for it stays. Rule: SOS 14.02, SOS 14.95, rulings
 * R42, R65
 */
export function useGun(tables: Tables, s: State, gun: number): void {
  const { layout, roster } = tables;
  // a battery that was lost in its box after it was named fires nevertheless. Rulings R24, R25
  if (isInPlace(tables, s, gun)) give(tables, s, gun, FIRED_AF);
  if (roster.kind[gun] === FLAK88) setExtra(tables, s, gun, GUN_PHASE_SHIFT, s[layout.phase]!);
  const by = spotterIn(s[layout.served + gun]!);
  if (by < 0 || roster.kind[by] !== OP || placeOf(tables, s, by) < 0) return;
  const moves = s[layout.stage] === STAGE_BREAKTHROUGH && phasingSide(tables, s) === roster.side[by];
  give(tables, s, by, moves ? NO_MOVE | NO_MOVE_NEXT : NO_MOVE);
}

/** A gun that fired at movers or, if Soviet, in defence by day does not move next. Rule: SOS 14.12, ruling R41 */
export function holdGun(tables: Tables, s: State, gun: number): void {
  give(tables, s, gun, NO_MOVE);
}

/** True when a Soviet gun fires in defence in the German attack phases. */
export const isHeldByDefence = (tables: Tables, s: StateView, gun: number): boolean =>
  tables.roster.side[gun] === SOVIET && (s[tables.layout.phase] === 5 || s[tables.layout.phase] === 8);

/**
 * The spotting modifiers of the guns that fire at a hex: the worst counts. Rule: SOS 14.31, rulings R22
 *
 * @param table `BY_CRT` or `BY_WBBT`
 */
export function addGunDrms(
  tables: Tables,
  s: StateView,
  hex: number,
  guns: (gun: number) => boolean,
  table: number,
): void {
  const { charts, drms, layout, roster } = tables;
  let worst = -Infinity;
  let led = false;
  for (const gun of roster.guns) {
    if (!guns(gun)) continue;
    worst = Math.max(worst, spotModifier(tables, s, gun, hex));
    if ((s[layout.served + gun]! & SERVED_LEADER) !== 0) led = true;
  }
  if (worst > -Infinity) drms[DRM_SPOT] = worst;
  if (led && table === words.BY_WBBT) drms[DRM_LEADER_SPOT] = charts.spotting.namedLeaderAdjacent;
}
