import type { Dice } from "../../core/dice.js";
import type { State, StateView } from "../../core/layout.js";
import * as state from "../state.js";
import type { World } from "../state.js";
import { beginBattle } from "./combat.js";

// own constants, for speed: see core/layout.ts
const { activeArmy, armyIn, endActivation, hexOfArmy, isGerman, P } = state;

/** A force on the map may move once a turn. Rule: SC 9.1 */
export const mayActivate = (w: World, s: StateView, army: number): boolean =>
  s[w.L.armyHex + army]! >= 0 && s[w.L.armyStopped + army] === 0;

/** Rule: SC 9.1, SC 2.10 */
export function activate(w: World, s: State, army: number): void {
  const { L } = w;
  s[L.active] = army + 1;
  s[L.mp] = w.t.movement[s[L.turn]!]!;
  s[L.phase] = P.move;
}

/** MP to enter a hex. Rule: SC 9.10 */
export const costOf = (w: World, hex: number): number => w.t.moveCost[w.t.forest[hex]!]!;

/** Whether the moving force may enter a neighbour, however often it was attacked. Rule: SC 6.2, SC 9.7, SC 9.9, SC 10.13 */
export function mayEnter(w: World, s: StateView, hex: number): boolean {
  return costOf(w, hex) <= s[w.L.mp]! && !(w.t.fort[hex] === 1 && isGerman(w, s, hex)) && armyIn(w, s, hex) < 0;
}

/** The force enters a hex, which is a battle when it is German. Rule: SC 9.2, SC 9.7, ruling R19 */
export function moveTo(w: World, s: State, hex: number, dice: Dice): void {
  const { L } = w;
  const army = activeArmy(w, s);
  const from = hexOfArmy(w, s, army);
  s[L.mp]! -= costOf(w, hex);
  s[L.armyHex + army] = hex;
  if (isGerman(w, s, hex)) beginBattle(w, s, hex, from, dice);
  else if (s[L.mp] === 0) endActivation(w, s);
}
