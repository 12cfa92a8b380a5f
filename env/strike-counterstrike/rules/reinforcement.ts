import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { type ArmyId, FIRST_ARMY, FIRST_HEX, type HexId, JANUARY, type Tables } from "../data.js";
import { DEAD, PHASE, TRACK, PARTISAN_GONE, PARTISAN_ON_TRACK } from "../layout.js";
import { partisansLost } from "../events/front.js";
import * as events from "../events/turn.js";
import { armyIn, isGerman } from "../state.js";
import { placePartisans, redrawFront } from "./front.js";
import { emptyBox, relieveGuderian } from "./pool.js";

/** Phase I: Germans regroup and arrive; no German counter moves on the map. Rule: SC 5.2, SC 7.5, SC 7.6 */
export function germanPhase(tables: Tables, s: State, play: Play): void {
  emptyBox(tables, s, play);
  if (s[tables.L.turn] === JANUARY) relieveGuderian(tables, s, play);
}

/** Phase II begins: VI IC is ready again, replacement steps arrive. Rule: SC 7.4, SC 10.11 */
export function sovietPhase(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  s[L.interceptor] = 1;
  s[L.replacements] = tables.replacements;
  s[L.phase] = PHASE.replace;
  if (play.narrator !== null) events.replacementsBegun(tables, s, play);
  if (tables.replacements === 0) afterReplacements(tables, s, play);
}

/** Reduced armies on the map may get steps; 1E never. Rule: SC 7.4, SC 6.3 */
export function mayReplace(tables: Tables, s: StateView, army: ArmyId): boolean {
  return s[tables.L.armyHex + army]! >= 0 && s[tables.L.armySteps + army]! < tables.armies[army]!.strength;
}

/** Armies that may get a step, as bytes from `at` on. @returns how many */
export function markReduced(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
    if (!mayReplace(tables, s, a)) continue;
    mask[at + a] = 1;
    n++;
  }
  return n;
}

/** Rule: SC 7.4 */
export function replaceStep(tables: Tables, s: State, army: ArmyId, play: Play): void {
  const { L } = tables;
  s[L.armySteps + army]!++;
  s[L.replacements]!--;
  if (play.narrator !== null) events.stepReplaced(tables, s, army, play);
  if (s[L.replacements] === 0) afterReplacements(tables, s, play);
}

/** The phase goes on with the turn 3 arrivals. Rule: SC 7.2, SC 7.3, ruling R20 */
export function afterReplacements(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  if (play.narrator !== null) events.replacementsEnded(tables, s, play);
  s[L.replacements] = 0;
  if (waiting(tables, s) >= 0 && s[L.turn] === JANUARY) s[L.phase] = PHASE.enter;
  else afterEntry(tables, s);
}

function afterEntry(tables: Tables, s: State): void {
  const { L } = tables;
  s[L.phase] = s[L.turn] === JANUARY && s[L.partisan] === PARTISAN_ON_TRACK ? PHASE.partisan : PHASE.activate;
}

/** An army that waits on the turn track, -1 none. */
export function waiting(tables: Tables, s: StateView): ArmyId {
  return armyIn(tables, s, TRACK);
}

/** Rule: SC 7.2 */
export function mayEnterMap(tables: Tables, s: StateView, hex: HexId): boolean {
  return tables.entry[hex] === 1 && !isGerman(tables, s, hex) && armyIn(tables, s, hex) < 0;
}

/** Hexes that the waiting army may enter. */
export function markEntries(
  tables: Tables,
  s: StateView,
  out: Uint8Array | Float32Array,
  at: number,
  stride: number,
): number {
  let n = 0;
  for (let h = FIRST_HEX; h < tables.hexCount; h++) {
    if (!mayEnterMap(tables, s, h)) continue;
    out[at + h * stride] = 1;
    n++;
  }
  return n;
}

/** @param hex where it enters, or `NO_HEX`: there is no place and the army is lost. Rule: SC 7.2, ruling R20 */
export function enterArmy(tables: Tables, s: State, hex: HexId, play: Play): void {
  const { L } = tables;
  const army = waiting(tables, s);
  s[L.armyHex + army] = hex < 0 ? DEAD : hex;
  s[L.armySteps + army] = hex < 0 ? 0 : tables.armies[army]!.strength;
  if (play.narrator !== null) {
    if (hex < 0) events.armyNeverCame(tables, army, play);
    else events.armyEntered(tables, army, hex, play);
  }
  if (waiting(tables, s) < 0) afterEntry(tables, s);
}

/** German, not fortified, cutting nothing off. Rule: SC 7.3 */
export function mayConvert(tables: Tables, s: StateView, hex: HexId): boolean {
  return isGerman(tables, s, hex) && tables.fort[hex] === 0 && s[tables.L.cut + hex]! <= 0;
}

/** Hexes that the partisan marker may take. */
export function markPartisanHexes(
  tables: Tables,
  s: StateView,
  out: Uint8Array | Float32Array,
  at: number,
  stride: number,
): number {
  let n = 0;
  for (let h = FIRST_HEX; h < tables.hexCount; h++) {
    if (!mayConvert(tables, s, h)) continue;
    out[at + h * stride] = 1;
    n++;
  }
  return n;
}

/** @param hex where the marker goes, or `NO_HEX`: there is no place and it is lost. Rule: SC 7.3, ruling R20 */
export function convert(tables: Tables, s: State, hex: HexId, play: Play): void {
  const { L } = tables;
  if (hex < 0) losePartisans(tables, s, play);
  else {
    placePartisans(tables, s, hex, play);
    if (!redrawFront(tables, s, play)) return;
  }
  s[L.phase] = PHASE.activate;
}

/** An army that has not entered in its turn is lost. Ruling R20 */
export function closeEntries(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  for (let a = FIRST_ARMY; a < tables.armyCount; a++)
    if (s[L.armyHex + a] === TRACK) {
      s[L.armyHex + a] = DEAD;
      if (play.narrator !== null) events.armyNeverCame(tables, a, play);
    }
  if (s[L.partisan] === PARTISAN_ON_TRACK) losePartisans(tables, s, play);
}

function losePartisans(tables: Tables, s: State, play: Play): void {
  s[tables.L.partisan] = PARTISAN_GONE;
  if (play.narrator !== null) partisansLost(tables, play);
}
