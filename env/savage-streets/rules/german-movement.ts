import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { UNIT } from "../actions.js";
import { TYPE } from "../data.js";
import type { Tables } from "../data.js";
import { ENTRY, record } from "../public-log.js";
import * as events from "../events/german.js";
import { marksRemoved, revealed } from "../events/soviet.js";
import {
  type AreaId,
  AREAS,
  ask,
  chitHas,
  chitPlaceOf,
  CHITS,
  clearUnit,
  commandAreaOf,
  type CounterId,
  counterOfChit,
  DECISION,
  FIRST_AREA,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  germansIn,
  L,
  markUnit,
  NO_AREA,
  placeOf,
  sovietCounterIn,
  unitHas,
  type UnitId,
  UNITS,
} from "../state.js";
import { putUnit } from "./counters.js";

/**
 * Asks which unit to move, or (solo) which area or unit to command. Always asks: `pass` ends the phase. Rule: SS 5.1.
 */
export function askGermanMove(tables: Tables, s: State): void {
  if (!tables.solo) ask(s, DECISION.gerPick);
  else if (s[L.commandArea] !== 0) ask(s, DECISION.cmdUnit, commandAreaOf(s));
  else ask(s, DECISION.cmdArea);
}

export function startMove(tables: Tables, s: State, u: UnitId): void {
  ask(s, DECISION.gerStep, NO_AREA, u);
  s[L.decisionMp] = tables.data.mp[u]!;
  s[L.decisionIsFirstStep] = 1;
}

/**
 * One area on, with `mp` left before. Rule: SS 5.1: a Soviet counter of any kind stops the unit; SS 5.2: an empty
 * area changes hands.
 */
export function stepTo(tables: Tables, s: State, u: UnitId, a: AreaId, mp: number, play: Play): void {
  if (play.narrator !== null)
    events.germanMove(
      tables,
      u,
      placeOf(s, u),
      a,
      sovietCounterIn(s, a) ? "counters" : mp === 1 ? "points" : null,
      play,
    );
  putUnit(tables, s, u, a, play);
  if (mp === 1 || sovietCounterIn(s, a)) {
    markUnit(s, u, FLAG.moved);
    return;
  }
  ask(s, DECISION.gerStep, NO_AREA, u);
  s[L.decisionMp] = mp - 1;
}

/** Rule: SS 5.1. */
export function stopUnit(tables: Tables, s: State, u: UnitId, play: Play): void {
  markUnit(s, u, FLAG.moved);
  if (play.narrator !== null) events.germanStops(tables, u, placeOf(s, u), play);
}

/** Marks unmoved German units, of one area or (`NO_AREA`) of the whole map. @returns how many */
export function markUnmoved(s: StateView, area: AreaId, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    const a = placeOf(s, u);
    if (a >= AREAS || (area >= 0 && a !== area) || unitHas(s, u, FLAG.moved)) continue;
    mask[at + UNIT + u] = 1;
    n++;
  }
  return n;
}

/** Mask of areas that may be opened for command. Rule: SS 10.51. */
export function commandAreas(s: StateView): number {
  let m = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if (placeOf(s, u) < AREAS && !unitHas(s, u, FLAG.moved)) m |= 1 << placeOf(s, u);
  return m & ~s[L.areaQueue]!;
}

/** Opens an area for command; an HQ there helps. Rule: SS 10.51; ruling R37: the modifier is fixed now. */
export function openCommand(tables: Tables, s: State, a: AreaId, play: Play): void {
  let drm = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if (placeOf(s, u) === a && tables.data.type[u] === TYPE.hq) drm = tables.data.commandDrm;
  s[L.commandArea] = a + 1;
  s[L.commandModifier] = drm;
  if (play.narrator !== null) events.commandOpens(tables, a, drm, play);
}

export function closeCommand(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null) events.commandCloses(tables, commandAreaOf(s), play);
  s[L.areaQueue]! |= 1 << commandAreaOf(s);
  s[L.commandArea] = 0;
  s[L.commandModifier] = 0;
}

/** The command roll of one unit. Rule: SS 10.51; ruling R37: a success moves, or with `commanded=may` it may stay. */
export function command(tables: Tables, s: State, u: UnitId, play: Play): void {
  const die = play.dice.d6();
  const modifier = s[L.commandModifier]!;
  if (play.narrator !== null) events.commandRoll(tables, u, placeOf(s, u), die, modifier, play);
  if (die + modifier <= tables.data.commandMax) startMove(tables, s, u);
  else markUnit(s, u, FLAG.moved | FLAG.commandFailed);
}

/** Movement marks go, and all that shares an area with Germans turns face-up. Rule: SS 5.3. */
export function endGermanMovement(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null)
    marksRemoved(tables, s, FLAG.moved | FLAG.commandFailed, "German movement is over: its marks are removed.", play);
  for (let u = FIRST_UNIT; u < GERMANS; u++) clearUnit(s, u, FLAG.moved | FLAG.commandFailed);
  s[L.areaQueue] = 0;
  s[L.commandArea] = 0;
  s[L.commandModifier] = 0;
  for (let a = FIRST_AREA; a < AREAS; a++)
    if (germansIn(s, a) > 0 && sovietCounterIn(s, a)) reveal(tables, s, a, "SS 5.3", play);
}

/** Turns everything in `a` face-up. @param rule what asks for it, for the narrator */
export function reveal(tables: Tables, s: State, a: AreaId, rule: string, play: Play): void {
  const shown: CounterId[] | null = play.narrator === null ? null : [];
  for (let u = GERMANS; u < UNITS; u++) {
    if (placeOf(s, u) !== a || unitHas(s, u, FLAG.faceUp)) continue;
    markUnit(s, u, FLAG.faceUp | FLAG.revealedThisTurn);
    if (shown !== null) shown.push(u);
    s[L.lastSeenArea + u - GERMANS] = 0;
    s[L.lastSeenTurn + u - GERMANS] = 0;
    record(s, ENTRY.revealUnit, a, 0, u);
  }
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    if (chitPlaceOf(s, c) !== a || chitHas(s, c, FLAG.faceUp)) continue;
    s[L.chitFlags + c]! |= FLAG.faceUp;
    if (shown !== null) shown.push(counterOfChit(c));
    record(s, ENTRY.revealChit, a, 0, tables.data.chitKind[c]!);
  }
  if (shown !== null) revealed(tables, shown, a, rule, play);
}
