import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { type ArmyId, FIRST_ARMY, type Tables } from "../data.js";
import { engineerJoined } from "../events/turn.js";
import { hexOfArmy } from "../state.js";

/** Armies on the map, which 1E may ride with, as bytes from `at` on. Rule: SC 3.5, SC 6.3 @returns how many */
export function markHosts(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
    if (hexOfArmy(tables, s, a) < 0) continue;
    mask[at + a] = 1;
    n++;
  }
  return n;
}

/** 1E rides with an army from now on. Rule: SC 3.5, SC 6.3 */
export function joinArmy(tables: Tables, s: State, army: ArmyId, atSetUp: boolean, play: Play): void {
  s[tables.L.host] = army + 1;
  if (play.narrator !== null) engineerJoined(tables, s, army, atSetUp, play);
}
