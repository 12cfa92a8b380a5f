import type { StateView } from "../../../core/layout.js";
import { allow } from "../../actions.js";
import {
  boxOf,
  isBox,
  MOVE_BREAKTHROUGH,
  MOVE_DEPLOY,
  MOVE_NORMAL,
  MOVE_RESERVES,
  NO_MOVE,
  ORDERED,
  PINNED,
  RESERVE,
  RESTS,
  STAGE_BREAKTHROUGH,
  STAGE_DEPLOY,
  STAGE_NORMAL,
  STAGE_RESERVES,
  TASK_BITS,
  ZONE_SHIFT,
} from "../../layout.js";
import { EAST_BOXES } from "../../map/river.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { BOXES, KINDS } from "../../schema.js";
import { extraOf, has, placeOf, type Tables } from "../../state.js";
import { leads } from "../units/command.js";
import { fits, fitsStack, isOverfull } from "../units/stacking.js";
import { isArmored } from "../units/units.js";
import { crossingCost, isRiverOpen, wayBack } from "./crossing.js";
import { mayDeploy, mayStop } from "./deployment.js";
import { hasTask } from "./engineering.js";
import { mayDismount, mayRemount } from "./mounting.js";
import { type Movers, moversOf, newMovers } from "./movers.js";
import { canStep, reachesAny } from "./reach.js";
import { entryCostOf, interdictionCost } from "./step-cost.js";
import { runsNow } from "./trains.js";

const OP = KINDS.indexOf("op");

/** How units move in the stage. */
export function moveOf(tables: Tables, s: StateView): number {
  switch (s[tables.layout.stage]) {
    case STAGE_RESERVES:
      return MOVE_RESERVES;
    case STAGE_BREAKTHROUGH:
      return MOVE_BREAKTHROUGH;
    case STAGE_DEPLOY:
      return MOVE_DEPLOY;
    default:
      return MOVE_NORMAL;
  }
}

/**
 * True when units may leave a box in this stage. Rule: SOS 8.35, SOS 8.41, SOS 8.44, SOS 8.46, SOS 21.3, ruling R127
 */
const mayLeaveBox = (tables: Tables, s: StateView, place: number): boolean =>
  boxOf(place) < EAST_BOXES ? isRiverOpen(tables, s, SOVIET) : isEdgeOpen(tables, s);

/** True when Germans may come onto the map and leave it now. Rule: SOS 8.46, ruling R133 */
const isEdgeOpen = ({ layout }: Tables, s: StateView): boolean =>
  s[layout.phase] === 3 && (s[layout.stage] === STAGE_NORMAL || s[layout.stage] === STAGE_DEPLOY);

/**
 * True when a unit of the side may be ordered in this stage, wherever it may then go. Rule: SOS 8.02, SOS 8.03, SOS
 * 8.24, SOS 8.51, SOS 9.112, SOS 16.43
 */
export function isOrderable(tables: Tables, s: StateView, unit: number): boolean {
  const hex = placeOf(tables, s, unit);
  // who came over the river to attack stays for it. Rule: SOS 8.70
  if (hex < 0 ? !(isBox(hex) && mayLeaveBox(tables, s, hex)) : tables.river.any && tables.board.volga[hex] === 1)
    return false;
  if (has(tables, s, unit, PINNED | ORDERED)) return false;
  if (tables.roster.train[unit] === 1) return runsNow(tables, s) && s[tables.layout.stage] === STAGE_NORMAL;
  if (tables.roster.mp[unit] === 0) return false;
  if (has(tables, s, unit, NO_MOVE) && isMainMove(tables, s, unit)) return false;
  // who has built something goes on in the next phase. Rule: SOS 17.18, SOS 17.27, SOS 17.37
  if ((s[tables.layout.work + unit]! & TASK_BITS) === RESTS) return false;
  switch (s[tables.layout.stage]) {
    case STAGE_RESERVES:
      return has(tables, s, unit, RESERVE);
    case STAGE_BREAKTHROUGH:
      return isArmored(tables, s, unit);
    case STAGE_DEPLOY:
      return extraOf(tables, s, unit, ZONE_SHIFT) === 0; // where it began the phase. Ruling R137
    default:
      return true;
  }
}

/** Guns that fired miss their main movement phase, OPs that spotted whatever comes next. Rule: SOS 14.12, SOS 14.95 */
const isMainMove = (tables: Tables, s: StateView, unit: number): boolean =>
  tables.roster.kind[unit] === OP || s[tables.layout.phase] === 3 || s[tables.layout.phase] === 10;

/** True when a unit may be ordered, and has somewhere to go. Orders have been begun. */
export const mayOrder = (tables: Tables, s: StateView, unit: number): boolean =>
  isOrderable(tables, s, unit) && hasOrder(tables, s, unit);

/** One unit that is asked about after another. */
const alone = newMovers();

/** True when a unit that may be ordered can go anywhere, leave its vehicles or mount. Spec 4.1. */
export function hasOrder(tables: Tables, s: StateView, unit: number): boolean {
  const from = placeOf(tables, s, unit);
  const move = moveOf(tables, s);
  if (isBox(from)) {
    if (mayChangeBox(tables, s) && tables.river.beside[boxOf(from)]!.length > 0) return true;
    const movers = moversOf(tables, s, unit, move, alone);
    if (reachesAny(tables, s, movers, from, mayEnd)) return true;
    return movers.chiefs && fillReports(tables, s, unit, move, null, 0) > 0;
  }
  if (move !== MOVE_BREAKTHROUGH && (mayDismount(tables, s, unit) || mayRemount(tables, s, unit))) return true;
  const movers = moversOf(tables, s, unit, move, alone);
  let steps = false;
  for (let d = 0; d < 6; d++) {
    if (!canStep(tables, s, movers, from, d)) continue;
    if (mayEnd(tables, s, movers, tables.board.neighbours[from * 6 + d]!)) return true; // seldom is more to be found out
    steps = true;
  }
  if (steps && reachesAny(tables, s, movers, from, mayEnd)) return true;
  if (fillWaysBack(tables, s, movers, from, 0, null, 0) > 0) return true;
  if (mayBuild(move) && hasTask(tables, s, unit)) return true;
  return movers.chiefs && fillReports(tables, s, unit, move, null, 0) > 0;
}

/** True when engineers begin tasks in this stage. Rule: SOS 17.15, SOS 17.24, SOS 17.34 */
export const mayBuild = (move: number): boolean => move === MOVE_NORMAL || move === MOVE_RESERVES;

/** True when the movers may end their order in a hex that they reach. */
export function mayEnd(tables: Tables, s: StateView, movers: Movers, hex: number): boolean {
  if (movers.move === MOVE_DEPLOY && !mayStop(tables, hex)) return false;
  if (s[tables.layout.top + hex] === 0) return (movers.fitAlone ??= fits(tables, s, movers.side, hex, movers.only));
  if (movers.unit >= 0 || movers.stack < 0) return fits(tables, s, movers.side, hex, movers.only);
  return fitsStack(tables, s, movers.side, hex, movers.stack, movers.lifts);
}

/**
 * A hex with more units than it may hold, one of which can move, -1 none: it is thinned out first. Rule: SOS 5.8,
 * ruling R6
 */
export function overfullHex(tables: Tables, s: StateView, side: number): number {
  const { roster } = tables;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    const hex = placeOf(tables, s, u);
    if (hex >= 0 && isOrderable(tables, s, u) && isOverfull(tables, s, side, hex) && hasOrder(tables, s, u)) return hex;
  }
  return -1;
}

/**
 * True when units may go from box to box now. It takes all of their side's main movement phase. Rule: SOS 8.42, SOS
 * 8.47
 */
export const mayChangeBox = ({ layout }: Tables, s: StateView): boolean =>
  (s[layout.phase] === 3 || s[layout.phase] === 10) && s[layout.stage] === STAGE_NORMAL;

/**
 * Marks the boxes that the movers can go to from a hex, which they have come to or begin in: back over the river, or
 * off the map. Rule: SOS 8.46, SOS 8.70, rulings R126, R132, R133
 *
 * @param spent half MP paid before
 * @param mask null: the first box is enough
 */
export function fillWaysBack(
  tables: Tables,
  s: StateView,
  m: Movers,
  hex: number,
  spent: number,
  mask: Uint8Array | null,
  at: number,
): number {
  if (m.rail) return 0;
  if (m.side === GERMAN) return fillExits(tables, s, m, hex, spent, mask, at);
  if (!isRiverOpen(tables, s, m.side)) return 0;
  let n = 0;
  for (let box = 0; box < EAST_BOXES; box++) {
    const way = wayBack(tables, s, box, hex, m.unit);
    if (way === null) continue;
    const cost = crossingCost(tables, s, m.allowance, way.arrow) + interdictionCost(tables, s, m.side, way.volga);
    if (spent + cost > m.allowance) continue;
    if (m.move === MOVE_DEPLOY && !mayDeploy(tables, s, m, way.volga)) continue;
    if (mask === null) return 1;
    n += allow(mask, at + box);
  }
  return n;
}

function fillExits(
  tables: Tables,
  s: StateView,
  m: Movers,
  hex: number,
  spent: number,
  mask: Uint8Array | null,
  at: number,
): number {
  if (!isEdgeOpen(tables, s)) return 0;
  let n = 0;
  for (let box = EAST_BOXES; box < BOXES.length; box++) {
    if (!tables.river.entries[box]!.includes(hex)) continue;
    const cost = entryCostOf(tables, s, m, hex, m.vehicle);
    if (cost === 0 || spent + cost > m.allowance) continue;
    const other = m.other < 0 ? 0 : entryCostOf(tables, s, m, hex, !m.vehicle);
    if (m.other >= 0 && (other === 0 || other > m.other)) continue;
    if (mask === null) return 1;
    n += allow(mask, at + box);
  }
  return n;
}

/**
 * Marks the hexes of units of its command that a leader or OP may go to, however far. Rule: SOS 14.92, SOS 18.15
 *
 * @param mask null: the first hex is enough
 * @returns how many were not marked before
 */
export function fillReports(
  tables: Tables,
  s: StateView,
  chief: number,
  move: number,
  mask: Uint8Array | null,
  at: number,
): number {
  if (move !== MOVE_NORMAL && move !== MOVE_RESERVES) return 0;
  const { roster } = tables;
  const side = roster.side[chief]!;
  let n = 0;
  for (let u = roster.first(side); u < roster.end(side); u++) {
    const hex = placeOf(tables, s, u);
    if (hex < 0 || hex === placeOf(tables, s, chief) || roster.stackUnit[u] === 0 || !leads(tables, chief, u)) continue;
    if (tables.board.volga[hex] === 1) continue; // who is there goes back
    if ((mask !== null && mask[at + hex] === 1) || !fits(tables, s, side, hex, chief)) continue;
    if (mask === null) return 1;
    n += allow(mask, at + hex);
  }
  return n;
}
