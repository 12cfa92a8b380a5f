import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { UNIT } from "../actions.js";
import { LANDING } from "../data.js";
import type { Tables } from "../data.js";
import { ENTRY, record, recordRiver, ONLY } from "../public-log.js";
import { enters, germanExcess } from "../events/german.js";
import * as events from "../events/soviet.js";
import {
  type AreaId,
  AREAS,
  ask,
  chitsIn,
  CONTROL,
  DECISION,
  FIRST_AREA,
  FIRST_UNIT,
  FLAG,
  FUTURE,
  GERMANS,
  L,
  markUnit,
  NO_AREA,
  NO_UNIT,
  placeOf,
  sovietsIn,
  turnOf,
  unitHas,
  type UnitId,
  UNITS,
  WAITING,
} from "../state.js";
import { controlled, flood, germanStackFits, killUnit, putUnit, sovietStackFits } from "./counters.js";

/**
 * Asks for the next German unit that is due, or for an excess one; false when the step is over. Rule: SS 2.0, SS 2.1.
 */
export function askGermanReinforcement(tables: Tables, s: State): boolean {
  const turn = turnOf(s);
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (placeOf(s, u) === FUTURE && tables.data.entryTurn[u]! <= turn) {
      ask(s, DECISION.gerPlace, NO_AREA, u);
      return true;
    }
  }
  return askGermanExcess(tables, s);
}

/** Asks for a German unit to remove from the first overfull area; false when there is none. Rule: SS 1.21. */
export function askGermanExcess(tables: Tables, s: State): boolean {
  for (let a = FIRST_AREA; a < AREAS; a++) {
    if (germanStackFits(tables, s, a, NO_UNIT)) continue;
    ask(s, DECISION.gerExcess, a);
    return true;
  }
  return false;
}

/** Mask of areas where a German unit may be placed. Rule: SS 2.1; ruling R10: where it fits, if it fits anywhere. */
export function germanEntryAreas(tables: Tables, s: StateView, u: UnitId): number {
  const allowed = tables.data.entry[u]!;
  let fits = 0;
  for (let a = FIRST_AREA; a < AREAS; a++) if ((allowed >> a) & 1 && germanStackFits(tables, s, a, u)) fits |= 1 << a;
  return fits === 0 ? allowed : fits;
}

/** Soviet units due this turn start to wait at the river. Rule: SS 2.0, SS 2.2. */
export function beginSovietReinforcement(tables: Tables, s: State, play: Play): void {
  const due: UnitId[] | null = play.narrator === null ? null : [];
  const turn = turnOf(s);
  for (let u = GERMANS; u < UNITS; u++) {
    if (placeOf(s, u) !== FUTURE || tables.data.entryTurn[u]! > turn) continue;
    s[L.unitPlace + u] = WAITING;
    if (due !== null) due.push(u);
  }
  if (due !== null && due.length > 0) events.reinforcementsDue(tables, due, play);
}

/** Bit 16 and up of `landingAreas`: areas that need the die of SS 2.2. */
export const UNDER_FIRE = 16;

/**
 * Where a waiting unit may try to land, room aside: mask of areas without a roll, and from bit `UNDER_FIRE` on of those
 * under fire. Rule: SS 2.2; rulings R8 and R9 for mixed landings and the red circle.
 */
export function landingAreas(tables: Tables, s: StateView, red: boolean): number {
  const { landings, redLanding } = tables.data;
  const soviet = controlled(s, CONTROL.soviet);
  const contested = controlled(s, CONTROL.contested);
  const open = (red ? landings | redLanding : landings) & soviet;
  if (open !== 0) return flood(tables, open, soviet | contested) | (red ? redLanding & contested : 0);
  const fire = landings & contested;
  if (!red) return fire << UNDER_FIRE;
  const free = redLanding & contested;
  return free === 0 && fire === 0 ? redLanding << UNDER_FIRE : free | (fire << UNDER_FIRE);
}

/** Mask of areas that a waiting unit may choose: legal landings with room. */
export function landingChoices(tables: Tables, s: StateView, u: UnitId): number {
  const access = landingAreas(tables, s, tables.data.red[u] === 1);
  return withRoom(tables, s, u, (access | (access >> UNDER_FIRE)) & ((1 << AREAS) - 1));
}

export function withRoom(tables: Tables, s: StateView, u: UnitId, areas: number): number {
  let room = 0;
  for (let a = FIRST_AREA; a < AREAS; a++) if ((areas >> a) & 1 && sovietStackFits(tables, s, a, u)) room |= 1 << a;
  return room;
}

/** Rule: SS 2.1. */
export function enterUnit(tables: Tables, s: State, u: UnitId, a: AreaId, play: Play): void {
  if (play.narrator !== null) enters(tables, u, a, play);
  putUnit(tables, s, u, a, play);
}

/** Rule: SS 1.21. */
export function removeGermanExcess(tables: Tables, s: State, u: UnitId, play: Play): void {
  if (play.narrator !== null) germanExcess(tables, u, placeOf(s, u), play);
  killUnit(tables, s, u, play);
}

export const mayTry = (s: StateView, u: UnitId): boolean =>
  placeOf(s, u) === WAITING && !unitHas(s, u, FLAG.triedLanding);

export const mayLand = (tables: Tables, s: StateView, u: UnitId): boolean =>
  mayTry(s, u) && landingChoices(tables, s, u) !== 0;

/** Marks the waiting units that may try to land. @returns how many */
export function markLanders(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (!mayLand(tables, s, u)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

/** Asks for the next unit to land; false when none qualifies. Rule: SS 2.2; ruling R7: any may be held back. */
export function askLanding(tables: Tables, s: State): boolean {
  for (let u = GERMANS; u < UNITS; u++) {
    if (!mayLand(tables, s, u)) continue;
    ask(s, DECISION.reinfPick);
    return true;
  }
  return false;
}

/** Areas where units of a circle may try to land, room and dice aside. */
const reach = (tables: Tables, s: StateView, red: boolean): number => {
  const access = landingAreas(tables, s, red);
  return (access | (access >> UNDER_FIRE)) & ((1 << AREAS) - 1);
};

/**
 * The Soviet player holds units back: one of them at least could have landed, which is informative unless all could
 * have for sure. Rule: SS 2.2; ruling R7.
 */
function recordHeld(tables: Tables, s: State): void {
  const black = reach(tables, s, false);
  const red = reach(tables, s, true);
  let open = false;
  for (let a = FIRST_AREA; a < AREAS; a++)
    if ((black & red & (1 << a)) !== 0 && sovietsIn(s, a) + chitsIn(s, a) < tables.data.stacking.units) open = true;
  recordRiver(s, ENTRY.hold, open ? 0 : black, open ? 0 : red);
}

/** Rule: SS 2.2; ruling R7. */
export function holdBack(tables: Tables, s: State, play: Play): void {
  recordHeld(tables, s);
  if (play.narrator !== null) events.heldBack(s, play);
}

/** Nobody could land, though some wait and there were areas to try: these are full or for the other circle. */
export function recordStranded(tables: Tables, s: State): void {
  const black = reach(tables, s, false);
  const red = reach(tables, s, true);
  let waiting = false;
  for (let u = GERMANS; u < UNITS; u++) if (mayTry(s, u)) waiting = true;
  if (waiting && (black | red) !== 0) recordRiver(s, ENTRY.stranded, black, red);
}

/**
 * One unit lands in `a`, or tries to. Rule: SS 2.2.
 *
 * @param why for the narrator: the step of the fixed order (SS 10.31)
 */
export function land(tables: Tables, s: State, u: UnitId, a: AreaId, play: Play, why = ""): void {
  const red = tables.data.red[u] === 1;
  const rolls = underFire(landingAreas(tables, s, red), a);
  const only = circleShown(tables, s, red, rolls, a);
  const die = rolls ? play.dice.d6() : 0;
  const result = rolls ? tables.data.underFire[die]! : LANDING.land;
  if (play.narrator !== null) events.landing(tables, u, a, die, result, tables.solo, why, play);
  record(s, ENTRY.land, a, die, result === LANDING.eliminated ? u + 1 : 0, result + 4 * only);
  if (result === LANDING.land) putUnit(tables, s, u, a, play);
  else if (result === LANDING.away) markUnit(s, u, FLAG.triedLanding);
  else killUnit(tables, s, u, play);
}

const underFire = (access: number, a: AreaId): boolean => ((access >> a) & 1) === 0;

/** Which circle public facts prove, by where the other one could have gone and whether it would have rolled. */
function circleShown(tables: Tables, s: StateView, red: boolean, rolls: boolean, a: AreaId): number {
  const shown = red ? ONLY.red : ONLY.black;
  if (tables.solo) return shown;
  const other = landingAreas(tables, s, !red);
  const otherMay = (other >> (rolls ? a + UNDER_FIRE : a)) & 1;
  return otherMay === 1 ? ONLY.open : shown;
}
