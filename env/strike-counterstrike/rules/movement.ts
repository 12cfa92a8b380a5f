import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { PHASE } from "../layout.js";
import * as events from "../events/turn.js";
import { activeArmy, armyIn, endActivation, hexOfArmy, isGerman } from "../state.js";
import { type ArmyId, FIRST_ARMY, type HexId, type Tables } from "../data.js";
import { beginBattle } from "./combat.js";

/** A force on the map may move once a turn. Rule: SC 9.1 */
export const mayActivate = (tables: Tables, s: StateView, army: ArmyId): boolean =>
  s[tables.L.armyHex + army]! >= 0 && s[tables.L.armyStopped + army] === 0;

/** Armies that may move, as bytes from `at` on. @returns how many */
export function markReady(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
    if (!mayActivate(tables, s, a)) continue;
    mask[at + a] = 1;
    n++;
  }
  return n;
}

/** Rule: SC 9.1, SC 2.10 */
export function activate(tables: Tables, s: State, army: ArmyId, play: Play): void {
  const { L } = tables;
  s[L.active] = army + 1;
  s[L.mp] = tables.movement[s[L.turn]!]!;
  s[L.phase] = PHASE.move;
  if (play.narrator !== null) events.activated(tables, s, army, play);
}

/** MP to enter a hex. Rule: SC 9.10 */
export const costOf = (tables: Tables, hex: HexId): number => tables.moveCost[tables.forest[hex]!]!;

/**
 * True when the moving force may enter a neighbour, however often it was attacked. Rule: SC 6.2, SC 9.7, SC 9.9, SC
 * 9.10, SC 10.13
 */
export function mayEnter(tables: Tables, s: StateView, hex: HexId): boolean {
  return (
    costOf(tables, hex) <= s[tables.L.mp]! &&
    !(tables.fort[hex] === 1 && isGerman(tables, s, hex)) &&
    armyIn(tables, s, hex) < 0
  );
}

/** Neighbours that the moving force may enter. */
export function markSteps(
  tables: Tables,
  s: StateView,
  out: Uint8Array | Float32Array,
  at: number,
  stride: number,
): number {
  const { neighbours } = tables.grid;
  const from = hexOfArmy(tables, s, activeArmy(tables, s)) * 6;
  let n = 0;
  for (let d = from; d < from + 6; d++) {
    const h = neighbours[d]!;
    if (h < 0 || !mayEnter(tables, s, h)) continue;
    out[at + h * stride] = 1;
    n++;
  }
  return n;
}

/** The force is done; its remaining MP lapse. Rule: SC 9.7, SC 9.8 */
export function stop(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null) events.stopped(tables, s, play);
  endActivation(tables, s);
}

/** The force enters a hex, which is a battle when it is German. Rule: SC 9.2, SC 9.7, ruling R19 */
export function moveTo(tables: Tables, s: State, hex: HexId, play: Play): void {
  const { L } = tables;
  const army = activeArmy(tables, s);
  const from = hexOfArmy(tables, s, army);
  s[L.mp]! -= costOf(tables, hex);
  s[L.armyHex + army] = hex;
  if (isGerman(tables, s, hex)) beginBattle(tables, s, hex, from, play);
  else {
    if (play.narrator !== null) events.marched(tables, s, from, hex, play);
    if (s[L.mp] === 0) stop(tables, s, play);
  }
}
