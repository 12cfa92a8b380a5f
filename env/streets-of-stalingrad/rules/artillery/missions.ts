import type { State, StateView } from "../../../core/layout.js";
import { KINDS } from "../../schema.js";
import {
  DEAD,
  GUN_PHASE_SHIFT,
  M_DRMS,
  M_HEX,
  M_POINTS,
  MISSION_SIDE_SHIFT,
  MISSION_STUKAS_SHIFT,
  MISSION_TABLE_SHIFT,
  MISSION_WORDS,
} from "../../layout.js";
import { placeOf, setExtra } from "../../state.js";
import type { Tables } from "../../state.js";

const OP = KINDS.indexOf("op");
/** Purpose of the gun markers on a hex. */
export const INTERDICTION = 1;
export const FIRED = 2;

/** Offset of a mission. */
export const missionAt = ({ layout }: Tables, i: number): number => layout.missions + i * MISSION_WORDS;
export const missionHex = (s: StateView, mission: number): number => (s[mission + M_HEX]! & 0xfff) - 1;
export const missionSide = (s: StateView, mission: number): number => (s[mission + M_HEX]! >> MISSION_SIDE_SHIFT) & 1;
export const missionStukas = (s: StateView, mission: number): number =>
  (s[mission + M_HEX]! >> MISSION_STUKAS_SHIFT) & 31;
/** `BY_CRT`, `BY_WBBT` or `BY_NOTHING`. */
export const missionTable = (s: StateView, mission: number): number => (s[mission + M_HEX]! >> MISSION_TABLE_SHIFT) & 3;

/** Notes the modifiers made up as those of a mission. Ruling R24. */
export function storeDrms({ drms }: Tables, s: State, mission: number): void {
  for (let i = 0; i < drms.length; i++) s[mission + M_DRMS + (i >> 3)]! |= (drms[i]! & 15) << (4 * (i & 7));
}

/** Anti-aircraft fire turns Stukas of a mission back. Rule: SOS 15.45 */
export function turnBack(tables: Tables, s: State, i: number, n: number): void {
  const mission = missionAt(tables, i);
  const back = Math.min(n, missionStukas(s, mission));
  s[mission + M_HEX]! -= back << MISSION_STUKAS_SHIFT;
  s[mission + M_POINTS]! -= back * tables.stukaAf;
}

/** Markers of guns on a hex; an interdiction there is not taken off. */
export function lay(
  tables: Tables,
  s: State,
  side: number,
  hex: number,
  points: number,
  mode: number,
  until: number,
): void {
  const at = tables.layout.bombs + side * tables.hexes + hex;
  if (s[at] === 0) s[at] = points | (mode << 12) | (until << 16);
}

/** The bombardment phase is over. */
export function clearMissions(tables: Tables, s: State): void {
  const { layout, roster } = tables;
  s.fill(0, layout.missions, layout.missions + s[layout.missionCount]! * MISSION_WORDS);
  s[layout.missionCount] = 0;
  s.fill(0, layout.served, layout.served + tables.units);
  for (let u = 0; u < tables.units; u++)
    if (roster.kind[u] === OP && placeOf(tables, s, u) === DEAD) setExtra(tables, s, u, GUN_PHASE_SHIFT, 0);
}
