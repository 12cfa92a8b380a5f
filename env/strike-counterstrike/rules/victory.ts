import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as layout from "../layout.js";
import * as state from "../state.js";
import type { Tables } from "../data.js";
import { capture, dislodge, redrawFront, settleControl } from "./front.js";

// own constants, for speed: see core/layout.ts
const { RESULT } = layout;
const { finish } = state;

/** Turns at whose end a check stands. Rule: SC 4.2, SC 4.3, SC 4.5 */
const FIRST_CHECK = 1;
export const K_CHECK = 3;
const LAST_TURN = 6;

/**
 * The check at the end of a turn, and the withdrawal that follows the second. Rule: SC 4.1, SC 4.2, SC 4.3, SC 4.5, SC 4.6, SC 4.7
 *
 * @returns whether the game goes on
 */
export function checkVictory(tables: Tables, s: State, dice: Dice): boolean {
  const { L } = tables;
  switch (s[L.turn]) {
    case FIRST_CHECK:
      if (s[L.beside]! > 0) finish(tables, s, RESULT.turn1);
      break;
    case K_CHECK:
      if (s[L.kHeld]! < tables.kRequired) finish(tables, s, RESULT.turn3);
      else withdrawToKLine(tables, s, dice);
      break;
    case LAST_TURN:
      if (s[L.forts]! >= tables.win.fortified && s[L.westHeld]! >= tables.win.west) finish(tables, s, RESULT.territory);
      else if (s[L.forts]! >= tables.draw.fortified && s[L.westHeld]! >= tables.draw.west)
        finish(tables, s, RESULT.draw);
      else finish(tables, s, RESULT.turn6);
  }
  return s[L.result] === 0;
}

/** The Germans give up everything before the K-Line. Rule: SC 4.4, ruling R22 */
function withdrawToKLine(tables: Tables, s: State, dice: Dice): void {
  for (let h = 0; h < tables.hexCount; h++) if (tables.kLine[h] === 1) capture(tables, s, h);
  settleControl(tables, s);
  for (let h = 0; h < tables.hexCount; h++) if (tables.kLine[h] === 1) dislodge(tables, s, h);
  redrawFront(tables, s, dice);
}

/** +1, 0 or -1 for the player; 0 while the game goes on. Rule: SC 4.1 to SC 4.8 */
export function returnOf(tables: Tables, s: StateView): number {
  switch (s[tables.L.result]) {
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
  for (let a = 0; a < tables.armyCount; a++) if (s[tables.L.armyHex + a]! >= 0) n += s[tables.L.armySteps + a]!;
  return n;
}

/** How near the next check is. For shaping rewards, not a rule. */
export function checkPotential(tables: Tables, s: StateView): number {
  const { L } = tables;
  if (s[L.result] !== 0) return 0;
  if (s[L.turn]! <= FIRST_CHECK) return -s[L.beside]!;
  if (s[L.turn]! <= K_CHECK) return Math.min(tables.kRequired, s[L.kHeld]!) / tables.kRequired;
  return (
    Math.min(tables.win.fortified, s[L.forts]!) / tables.win.fortified +
    Math.min(tables.win.west, s[L.westHeld]!) / tables.win.west +
    0.02 * armySteps(tables, s)
  );
}
