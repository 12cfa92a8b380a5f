import type { Play } from "../../core/play.js";
import type { State } from "../../core/layout.js";
import * as events from "../events/dice.js";
import { tellInfiltration } from "../events/action.js";
import { FORT, LOSE, PLACE } from "../actions.js";
import { CITY_FIRST, CITY_LAST, Z, type AreaId, type SideId } from "../data.js";
import type { CmdEffect, Effect, Tables } from "../data.js";
import {
  addUnit,
  area6,
  areaOfDie,
  ask,
  BREACH,
  clearDice,
  COMMAND,
  controller,
  GERMAN,
  hasRight,
  DECISION,
  L,
  RATT,
  removeUnits,
  reserveOf,
  RIGHT_NAMES,
  room,
  SOVIET,
  spend,
  TACTICS,
  unitsIn,
  activeOf,
  actorOf,
  isCaptured,
  cmdOf,
  hasFort,
  NOBODY,
} from "../state.js";
import {
  ANNOUNCE_STEP,
  COMMAND_DIE,
  CROSS_STEP,
  hasChoice,
  INFILTRATION,
  offer,
  RATT_DIE,
  TACTICS_DIE,
  WAIT,
} from "../steps.js";
import type { StateView } from "../../core/layout.js";

/** Unit dice become units; with a short reserve the player says which. Rule: PS 3 Unit dice, rulings R18-R20 */
export function resolveUnitDice(tables: Tables, s: State, play: Play): number {
  const side = activeOf(s);
  let wanted = 0;
  for (let f = 0; f < 6; f++) wanted += Math.min(s[L.kept + f]!, room(tables, s, side, areaOfDie(side, f + 1)));
  const reserve = reserveOf(s, side);
  if (reserve === 0 || wanted === 0) {
    if (play.narrator !== null) tellWastedDice(tables, s, side, play);
    return COMMAND_DIE;
  }
  if (wanted > reserve) {
    if (play.narrator !== null) tellWastedDice(tables, s, side, play);
    ask(s, DECISION.place, side);
    for (let f = 0; f < 6; f++)
      s[L.pending + f] = Math.min(s[L.kept + f]!, room(tables, s, side, areaOfDie(side, f + 1)));
    return WAIT;
  }
  for (let f = 0; f < 6; f++) {
    const area = areaOfDie(side, f + 1);
    const n = Math.min(s[L.kept + f]!, room(tables, s, side, area));
    for (let i = 0; i < n; i++) addUnit(s, side, area);
    if (play.narrator !== null && s[L.kept + f]! > 0)
      events.tellUnitDice(tables, side, f + 1, area, n, s[L.kept + f]!, play);
  }
  return COMMAND_DIE;
}

/** Tells of unit dice that bring nothing: those without room, and all of them while the reserve is empty. */
function tellWastedDice(tables: Tables, s: State, side: SideId, play: Play): void {
  for (let f = 0; f < 6; f++) {
    const area = areaOfDie(side, f + 1);
    const wasted = reserveOf(s, side) === 0 ? s[L.kept + f]! : s[L.kept + f]! - room(tables, s, side, area);
    if (wasted > 0) events.tellUnitDice(tables, side, f + 1, area, 0, wasted, play);
  }
}

/** Dice that wait for a place. Ruling R18 */
export function markPlaces(_tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let f = 0; f < 6; f++) {
    if (s[L.pending + f]! > 0) {
      mask[at + PLACE + f] = 1;
      n++;
    }
  }
  return n;
}

/** A unit die of number `face` is served. Ruling R18 */
export function place(tables: Tables, s: State, face: number, play: Play): number {
  const f = face - 1;
  const side = actorOf(s);
  addUnit(s, side, areaOfDie(side, f + 1));
  if (play.narrator !== null) events.tellUnitDice(tables, side, f + 1, areaOfDie(side, f + 1), 1, 1, play);
  s[L.pending + f]!--;
  if (reserveOf(s, side) > 0) return WAIT;
  if (play.narrator !== null)
    for (let g = 0; g < 6; g++)
      if (s[L.pending + g]! > 0)
        events.tellUnitDice(tables, side, g + 1, areaOfDie(side, g + 1), 0, s[L.pending + g]!, play);
  return COMMAND_DIE;
}

/** The Command die sets CMD, Mamayev Kurgan adds one. Rule: PS 3 Command, PS Area 3, rulings R9, R21 */
export function resolveCommandDie(tables: Tables, s: State, play: Play): number {
  const side = activeOf(s);
  const bonus = tables.mamayev > 0 && controller(s, tables.mamayev) === side ? tables.mamayevCmd : 0;
  s[L.cmd + side] = s[L.keptSpecialDice + COMMAND]! + bonus;
  if (play.narrator !== null) events.tellCommand(side, s[L.cmd + side]!, bonus, play);
  const pavlov = tables.pavlov > 0 ? controller(s, tables.pavlov) : NOBODY;
  if (pavlov < 0) return RATT_DIE;
  ask(s, DECISION.reroll, pavlov);
  return WAIT;
}

/** The Rattenkrieg die. Rule: PS 3 Ratt 1, PS 3 Ratt 2, PS 3 Ratt 3, PS 3 Ratt 4, PS 3 Ratt 5, PS 3 Ratt 6 */
export function resolveRattDie(tables: Tables, s: State, play: Play): number {
  if (play.narrator !== null) events.tellRatt(tables, activeOf(s), s[L.keptSpecialDice + RATT]!, play);
  return runEffects(tables, s, tables.ratt[s[L.keptSpecialDice + RATT]! - 1]!, 0, play) ? TACTICS_DIE : WAIT;
}

/**
 * The Tactics die of the active side. Rule: PS 3 Soviet 1, PS 3 Soviet 2, PS 3 Soviet 3, PS 3 Soviet 4, PS 3 Soviet 5,
 * PS 3 Soviet 6, PS 3 German 1, PS 3 German 2, PS 3 German 3, PS 3 German 4, PS 3 German 5, PS 3 German 6
 */
export function resolveTacticsDie(tables: Tables, s: State, play: Play): number {
  if (play.narrator !== null) events.tellTactics(tables, activeOf(s), s[L.keptSpecialDice + TACTICS]!, play);
  return runEffects(tables, s, tacticsEffects(tables, s), 0, play) ? INFILTRATION : WAIT;
}

function tacticsEffects(tables: Tables, s: State): readonly Effect[] {
  return tables.tactics[activeOf(s)]![s[L.keptSpecialDice + TACTICS]! - 1]!;
}

/** Carries effects out from index `from` on; false when one of them waits for a decision. */
function runEffects(tables: Tables, s: State, effects: readonly Effect[], from: number, play: Play): boolean {
  const side = activeOf(s);
  const tactics = effects === tacticsEffects(tables, s);
  for (let i = from; i < effects.length; i++) {
    const e = effects[i]!;
    switch (e.op) {
      case "loseUnit": // ruling R23: with no unit on the map nothing is lost
        if (reserveOf(s, side) < tables.unitsPerSide) {
          ask(s, DECISION.lose, side);
          return false;
        }
        if (play.narrator !== null) events.tellSniperMissed(side, play);
        break;
      case "cmd": // ruling R22: the loss of Breach is taken at once, or by option after the Deploy
        if (tables.breachLate && e === tables.breach) {
          s[L.rights + side]! |= BREACH;
          if (play.narrator !== null) events.tellBreachDue(side, play);
        } else changeCmd(s, side, e, tactics, play);
        break;
      case "grant":
        s[L.rights + side]! |= RIGHT_NAMES[e.right];
        if (play.narrator !== null) events.tellRight(s, side, e.right, tactics, play);
        break;
      case "scheduleRatzel": // ruling R24
        s[L.ratzel] = 1;
        if (play.narrator !== null) events.tellRatzel(side, play);
        break;
      case "damageArea6":
        damage(tables, s, e.amount, play);
        break;
      case "addUnit":
        addToZ(
          tables,
          s,
          e.who === "roller" ? side : e.who === "soviet" ? SOVIET : GERMAN,
          tactics ? "tactics" : "ratt",
          play,
        );
        break;
      case "fortify":
        if (offer(tables, s, DECISION.fortify, SOVIET, markForts)) return false;
        break;
      case "placeNight": // ruling R37
        if (play.narrator !== null) events.tellNight(s, play);
        s[L.night] = 1;
        break;
    }
  }
  return true;
}

function changeCmd(s: State, side: SideId, e: CmdEffect, tactics: boolean, play: Play): void {
  const change = cmdChange(s, side, e);
  if (play.narrator !== null) events.tellCmd(s, side, change, events.faceRule(s, side, tactics), play);
}

/** @returns what the side gained */
function cmdChange(s: State, side: SideId, { amount, floor }: CmdEffect): number {
  const before = s[L.cmd + side]!;
  s[L.cmd + side] = Math.max(floor ?? Number.MIN_SAFE_INTEGER, before + amount);
  return s[L.cmd + side]! - before;
}

/** Breach takes its CMD when the Deploy is over, if the option says so. Rule: PS 3 Ratt 2, ruling R22 */
export function takeBreach(tables: Tables, s: State, side: SideId, play: Play): void {
  if (!hasRight(s, side, BREACH) || tables.breach === null) return;
  s[L.rights + side]! &= ~BREACH;
  const change = cmdChange(s, side, tables.breach);
  if (play.narrator !== null) events.tellCmd(s, side, change, "3 Ratt 2", play);
}

/** Unit Z: lost when Z is full or the reserve is empty. Ruling R26 */
export function addToZ(
  tables: Tables,
  s: State,
  side: SideId,
  source: "ratt" | "tactics" | "guards",
  play: Play,
): void {
  const comes = room(tables, s, side, Z) > 0 && reserveOf(s, side) > 0;
  if (comes) addUnit(s, side, Z);
  if (play.narrator !== null) events.tellUnitZ(s, side, comes, source, play);
}

/** Both maxima drop; units above them go to the reserve. Rule: PS 3 Ratt 4, ruling R25 */
function damage(tables: Tables, s: State, amount: number, play: Play): void {
  for (let side = SOVIET; side <= GERMAN; side++) {
    const max = Math.max(tables.area6Floor, s[L.max6 + side]! - amount);
    s[L.max6 + side] = max;
    const over = unitsIn(s, side, area6(side)) - max;
    if (over > 0) removeUnits(s, side, area6(side), over);
    if (play.narrator !== null) events.tellDamage(tables, area6(side), max, Math.max(0, over), play);
  }
}

/** Areas where a unit may be lost; `lose 6` is the own Area 6. Rule: PS 3 Ratt 1 */
export function markLosses(_tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const actor = actorOf(s);
  let n = 0;
  for (let a = Z; a <= CITY_LAST + 1; a++) {
    const area = a > CITY_LAST ? area6(actor) : a;
    if (unitsIn(s, actor, area) > 0) {
      mask[at + LOSE + a] = 1;
      n++;
    }
  }
  return n;
}

/** The Sniper's unit; the rest of the Ratt die follows. Rule: PS 3 Ratt 1, ruling R23 @param a 6 is the own Area 6 */
export function lose(tables: Tables, s: State, a: AreaId, play: Play): number {
  const side = actorOf(s);
  const area = a > CITY_LAST ? area6(side) : a;
  removeUnits(s, side, area, 1);
  if (play.narrator !== null) events.tellSniper(tables, side, area, play);
  const effects = tables.ratt[s[L.keptSpecialDice + RATT]! - 1]!;
  return runEffects(tables, s, effects, effects.findIndex((e) => e.op === "loseUnit") + 1, play) ? TACTICS_DIE : WAIT;
}

/** Where a Fortification may be built. Rule: PS Fortify */
export function markForts(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (cmdOf(s, SOVIET) < tables.costs.fortify) return 0;
  let n = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
    if (!isCaptured(s, a) && !hasFort(s, a)) {
      mask[at + FORT + a - CITY_FIRST] = 1;
      n++;
    }
  }
  return n;
}

/** Builds a Fortification. Rule: PS Fortify, ruling R30 */
export function fortify(tables: Tables, s: State, area: AreaId, play: Play): number {
  s[L.fort + area] = 1;
  spend(s, SOVIET, tables.costs.fortify);
  if (play.narrator !== null) events.tellFortification(tables, s, area, play);
  return hasChoice(tables, s, markForts) ? WAIT : endFortify(tables, s, play);
}

/** The rest of the Tactics die follows. */
export function endFortify(tables: Tables, s: State, play: Play): number {
  const effects = tacticsEffects(tables, s);
  return runEffects(tables, s, effects, effects.findIndex((e) => e.op === "fortify") + 1, play) ? INFILTRATION : WAIT;
}

/** The dice are put away and infiltration begins. Rule: PS 3, PS 4, ruling R42 */
export function beginInfiltration(s: State, play: Play): number {
  clearDice(s);
  if (play.narrator !== null) tellInfiltration(activeOf(s), play);
  return s[L.active] === GERMAN ? ANNOUNCE_STEP : CROSS_STEP;
}
