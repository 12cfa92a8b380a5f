import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { RESULT } from "../layout.js";
import { withdrewFromKLine } from "../events/front.js";
import { checkPassed } from "../events/turn.js";
import { finish } from "../state.js";
import { FIRST_ARMY, FIRST_HEX, type Tables } from "../data.js";
import { capture, dislodge, redrawFront, settleControl } from "./front.js";

/** Turns that end with a check. Rule: SC 4.2, SC 4.3, SC 4.5 */
export const FIRST_CHECK = 1;
export const K_CHECK = 3;
export const LAST_TURN = 6;

/** The result of a check, or 0 when the game goes on. Rule: SC 4.2, SC 4.3, SC 4.5, SC 4.6, SC 4.7 */
export function resultOfCheck(tables: Tables, s: StateView, turn: number): number {
  const { L, win, draw } = tables;
  switch (turn) {
    case FIRST_CHECK:
      return s[L.beside]! > 0 ? RESULT.turn1 : 0;
    case K_CHECK:
      return s[L.kHeld]! < tables.kRequired ? RESULT.turn3 : 0;
    case LAST_TURN:
      if (s[L.forts]! >= win.fortified && s[L.westHeld]! >= win.west) return RESULT.territory;
      return s[L.forts]! >= draw.fortified && s[L.westHeld]! >= draw.west ? RESULT.draw : RESULT.turn6;
    default:
      return 0;
  }
}

/**
 * The check at the end of a turn, and the withdrawal that follows the second. Rule: SC 4.1
 *
 * @returns whether the game goes on
 */
export function checkVictory(tables: Tables, s: State, play: Play): boolean {
  const { L } = tables;
  const turn = s[L.turn]!;
  const result = resultOfCheck(tables, s, turn);
  if (result !== 0) finish(tables, s, result);
  else if (play.narrator !== null && (turn === FIRST_CHECK || turn === K_CHECK)) checkPassed(tables, s, play);
  if (result === 0 && turn === K_CHECK) withdrawToKLine(tables, s, play);
  return s[L.result] === 0;
}

/** The Germans give up everything before the K-Line. Rule: SC 4.4, ruling R22 */
function withdrawToKLine(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null) withdrewFromKLine(tables, s, play);
  for (let h = FIRST_HEX; h < tables.hexCount; h++) if (tables.kLine[h] === 1) capture(tables, s, h);
  settleControl(tables, s, play);
  for (let h = FIRST_HEX; h < tables.hexCount; h++) if (tables.kLine[h] === 1) dislodge(tables, s, h, "SC 4.4", play);
  redrawFront(tables, s, play);
}

/** +1, 0 or -1 for the player; 0 while the game goes on. Rule: SC 4.1 to SC 4.8 */
export const returnOf = (tables: Tables, s: StateView): number => returnOfResult(s[tables.L.result]!);

export function returnOfResult(result: number): number {
  switch (result) {
    case RESULT.territory:
    case RESULT["sudden-death"]:
      return 1;
    case RESULT.turn1:
    case RESULT.turn3:
    case RESULT.turn6:
    case RESULT.concede:
      return -1;
    default:
      return 0;
  }
}

/** Steps of all armies on the map. */
export function armySteps(tables: Tables, s: StateView): number {
  let n = 0;
  for (let a = FIRST_ARMY; a < tables.armyCount; a++)
    if (s[tables.L.armyHex + a]! >= 0) n += s[tables.L.armySteps + a]!;
  return n;
}

/**
 * What a victory by territory needs, from nothing of it at -1 to all at 1; an empty pool is worth as much. Rule: SC
 * 4.5, SC 4.8
 */
export function victoryMargin(tables: Tables, s: StateView): number {
  return s[tables.L.result] === RESULT["sudden-death"] ? 1 : territory(tables, s) - 1;
}

/** What is held of what a victory by territory needs, 0..2. Rule: SC 4.5 */
const territory = ({ L, win }: Tables, s: StateView): number =>
  Math.min(win.fortified, s[L.forts]!) / win.fortified + Math.min(win.west, s[L.westHeld]!) / win.west;

/** Potential for reward shaping: progress towards the next check. Not a rule. */
export function checkPotential(tables: Tables, s: StateView): number {
  const { L } = tables;
  if (s[L.result] !== 0) return 0;
  if (s[L.turn]! <= FIRST_CHECK) return -s[L.beside]!;
  if (s[L.turn]! <= K_CHECK) return Math.min(tables.kRequired, s[L.kHeld]!) / tables.kRequired;
  return territory(tables, s) + 0.02 * armySteps(tables, s);
}
