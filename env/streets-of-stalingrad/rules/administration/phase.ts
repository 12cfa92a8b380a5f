import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { F_FLAG, F_STEP, STAGE_END } from "../../layout.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { countGermans, countIsolation, rollAllIsolated } from "../units/supply.js";
import { rollAmmunition } from "./ammunition.js";
import { offerExchange } from "./exchange.js";
import { rollStukas, rollWeather } from "./weather.js";
import { withdraw } from "./withdrawal.js";

// Steps of the Administrative Phase. Ruling R5.
const ISOLATION = 3;
const RELIABILITY = 4;
export const AMMUNITION = 5;
const WEATHER = 6;
const STUKAS = 7;
export const WITHDRAWALS = 8;
export const EXCHANGES = 9;
export const FIRST_STEP = ISOLATION;
/** Steps that a side takes after the other. */
const BY_SIDES: readonly number[] = [AMMUNITION, EXCHANGES];

/** The question whether the game ends is answered: what follows is done step by step. Spec 4.3. */
export function beginAdministration(tables: Tables, s: State): void {
  s[topFrame(tables, s) + F_STEP] = FIRST_STEP;
}

/** True when the work of the phase is under way. */
export const isAdministering = (tables: Tables, s: StateView): boolean =>
  s[topFrame(tables, s) + F_STEP]! >= FIRST_STEP;

/** True when the phase of a turn throws dice for ammunition or weather. Rule: SOS 14.71, SOS 15.53 */
export function throwsFirst(tables: Tables, s: StateView): boolean {
  const { charts, layout } = tables;
  const turn = s[layout.turn]!;
  if (!tables.administers || s[layout.phase] !== 1 || s[layout.stage] !== STAGE_END) return false;
  if (turn >= charts.weather.fromTurn) return true;
  return tables.ammunition && ([GERMAN, SOVIET] as const).some((side) => charts.ammunitionFactor(side, turn) > 0);
}

/**
 * Goes on with the phase in the order of its steps; a step may open a decision. Rule: SOS 4.2, ruling R5
 *
 * @returns true when all is done
 */
export function administer(tables: Tables, s: State, play: Play): boolean {
  const frame = topFrame(tables, s);
  const step = s[frame + F_STEP]!;
  if (step === ISOLATION) {
    countIsolation(tables, s, play);
    if (tables.administers) countGermans(tables, s, play);
  } else if (step === RELIABILITY) rollAllIsolated(tables, s, play);
  else if (tables.administers && step === WEATHER) rollWeather(tables, s, play);
  else if (tables.administers && step === STUKAS) rollStukas(tables, s, play);
  else if (tables.administers && step === WITHDRAWALS && s[frame + F_FLAG]! < tables.setting.withdrawals.length) {
    withdraw(tables, s, s[frame + F_FLAG]!++, play);
    return false;
  } else if (tables.administers && BY_SIDES.includes(step) && s[frame + F_FLAG]! < 2) {
    const side = s[frame + F_FLAG]!++;
    if (step === EXCHANGES) offerExchange(tables, s, side);
    else if (tables.ammunition) rollAmmunition(tables, s, side, play);
    return false;
  }
  s[frame + F_FLAG] = 0;
  s[frame + F_STEP] = step + 1;
  return step === EXCHANGES;
}
