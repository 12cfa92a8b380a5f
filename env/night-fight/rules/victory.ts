import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { TRUCK } from "../data.js";
import type { Tables } from "../data.js";
import * as events from "../events/index.js";
import { countAt, endActivity, EXITED, germansLeft, L, OVER, phaseOf } from "../state.js";

/** Trucks that did not exit, bought or not. Rule: NF 11.3, ruling N2 */
export function trucksLost(tables: Tables, s: StateView): number {
  let n = 0;
  const from = tables.firstOfType[TRUCK]!;
  for (let u = from; u < from + tables.count[TRUCK]!; u++) if (s[L.place + u] !== EXITED) n++;
  return n;
}

/** The victory roll. Rule: NF 11.3 */
export function rollVictory(tables: Tables, s: State, play: Play): void {
  endActivity(s, OVER);
  const first = play.dice.d6();
  const second = play.dice.d6();
  const extra = tables.rules.victory.perTruckLost * trucksLost(tables, s);
  s[L.result] = first + second + extra;
  if (play.narrator !== null) events.tellVictoryRoll(s, [first, second], extra, play);
}

/**
 * After an exit or an elimination: ends the game when no German unit is left. Ruling N5
 *
 * @returns whether the game is over
 */
export function endIfNoneLeft(tables: Tables, s: State, play: Play): boolean {
  if (germansLeft(s) > 0) return false;
  rollVictory(tables, s, play);
  return true;
}

/** The roll is below the number of exited units: the player wins. Rule: NF 11.3, ruling N3 */
export function hasWon(s: StateView): boolean {
  return phaseOf(s) === OVER && s[L.result]! < countAt(s, EXITED);
}

/** Chance that the victory roll, thrown with the units that are out and the trucks that are not, wins. Rule: NF 11.3 */
export function victoryChance(tables: Tables, s: StateView): number {
  const out = countAt(s, EXITED);
  const extra = tables.rules.victory.perTruckLost * trucksLost(tables, s);
  let ways = 0;
  for (let a = 1; a <= 6; a++) for (let b = 1; b <= 6; b++) if (a + b + extra < out) ways++;
  return ways / 36;
}
