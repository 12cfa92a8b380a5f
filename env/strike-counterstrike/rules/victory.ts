import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { capture, dislodge, redrawFront, settleControl } from "./front.js";

// own constants, for speed: see core/layout.ts
const { finish, R } = state;

/** Turns at whose end a check stands. Rule: SC 4.2, SC 4.3, SC 4.5 */
const FIRST_CHECK = 1;
export const K_CHECK = 3;
const LAST_TURN = 6;

/**
 * The check at the end of a turn, and the withdrawal that follows the second. Rule: SC 4.1, 4.2, 4.3, 4.5, 4.6, 4.7
 *
 * @returns whether the game goes on
 */
export function checkVictory(w: World, s: State, dice: Dice): boolean {
  const { L, t } = w;
  switch (s[L.turn]) {
    case FIRST_CHECK:
      if (s[L.beside]! > 0) finish(w, s, R.turn1);
      break;
    case K_CHECK:
      if (s[L.kHeld]! < t.kRequired) finish(w, s, R.turn3);
      else withdrawToKLine(w, s, dice);
      break;
    case LAST_TURN:
      if (s[L.forts]! >= t.win.fortified && s[L.westHeld]! >= t.win.west) finish(w, s, R.territory);
      else if (s[L.forts]! >= t.draw.fortified && s[L.westHeld]! >= t.draw.west) finish(w, s, R.draw);
      else finish(w, s, R.turn6);
  }
  return s[L.result] === 0;
}

/** The Germans give up everything before the K-Line. Rule: SC 4.4, ruling R22 */
function withdrawToKLine(w: World, s: State, dice: Dice): void {
  for (let h = 0; h < w.hexes; h++) if (w.t.kLine[h] === 1) capture(w, s, h);
  settleControl(w, s);
  for (let h = 0; h < w.hexes; h++) if (w.t.kLine[h] === 1) dislodge(w, s, h);
  redrawFront(w, s, dice);
}

/** +1, 0 or -1 for the player; 0 while the game goes on. Rule: SC 4.1 to SC 4.8 */
export function returnOf(w: World, s: StateView): number {
  switch (s[w.L.result]) {
    case R.territory:
    case R["sudden-death"]:
      return 1;
    case R.turn1:
    case R.turn3:
    case R.turn6:
    case R.concede:
      return -1;
    default:
      return 0;
  }
}

/** Steps of all armies on the map. */
export function armySteps(w: World, s: StateView): number {
  let n = 0;
  for (let a = 0; a < w.armies; a++) if (s[w.L.armyHex + a]! >= 0) n += s[w.L.armySteps + a]!;
  return n;
}

/** How near the next check is. For shaping rewards, not a rule. */
export function checkPotential(w: World, s: StateView): number {
  const { L, t } = w;
  if (s[L.result] !== 0) return 0;
  if (s[L.turn]! <= FIRST_CHECK) return -s[L.beside]!;
  if (s[L.turn]! <= K_CHECK) return Math.min(t.kRequired, s[L.kHeld]!) / t.kRequired;
  return (
    Math.min(t.win.fortified, s[L.forts]!) / t.win.fortified +
    Math.min(t.win.west, s[L.westHeld]!) / t.win.west +
    0.02 * armySteps(w, s)
  );
}
