import type { StateView } from "../../../core/layout.js";
import { SOVIET } from "../../roster.js";
import { ATTACKER, GROUP, KNOWN } from "../../layout.js";
import { firstIn, has, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { isArmored, isVehicle } from "./units.js";

/** From 26 September Soviets beside German armor in built-up hexes have their own means. Rule: SOS 9.93 */
const MOLOTOV_TURN = 14;

/** True when armor of a side is in a hex. @param seen counts only what the enemy knows */
export function hasArmor(tables: Tables, s: StateView, side: number, hex: number, seen: boolean): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && isArmored(tables, s, u) && (!seen || has(tables, s, u, KNOWN))) return true;
  return false;
}

/** True when attackers in a hex have armor. Rule: SOS 9.92, SOS 9.94 */
export function attackHasArmor(tables: Tables, s: StateView, hex: number): boolean {
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (has(tables, s, u, ATTACKER) && isArmored(tables, s, u)) return true;
  return false;
}

/** True when armor moves in the group. Rule: SOS 9.92 */
export function groupHasArmor(tables: Tables, s: StateView): boolean {
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, GROUP) && isArmored(tables, s, u)) return true;
  return false;
}

/** True when armor or another vehicle moves in the group, so guns fire their AF. Rule: SOS 9.95 */
export function groupHasVehicle(tables: Tables, s: StateView): boolean {
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, GROUP) && isVehicle(tables, s, u)) return true;
  return false;
}

/**
 * AF of a unit against a hex; guns fire at armor by the chart. Rule: SOS 9.13, SOS 9.94, ruling R44
 *
 * @param armor the target has armor
 */
export function attackOf(tables: Tables, s: StateView, unit: number, hex: number, armor: boolean): number {
  const { board, charts, roster } = tables;
  const af = roster.af[unit]!;
  if (!armor || roster.antiTank[unit] === 0) return af;
  const from = placeOf(tables, s, unit);
  return charts.antiTank(af, from < 0 ? Infinity : board.distance(from, hex));
}

/**
 * Points of a unit that fires in defence or at movers: DF, guns at armor AF by the chart. Rule: SOS 9.13, SOS 9.94,
 * SOS 9.95
 */
export function defenceOf(tables: Tables, s: StateView, unit: number, hex: number, armor: boolean): number {
  return armor && tables.roster.antiTank[unit] === 1 ? attackOf(tables, s, unit, hex, true) : tables.roster.df[unit]!;
}

/**
 * True when armor in the target worsens a unit's die, if no other fires its underlined AF. Rule: SOS 9.92, SOS 9.93
 *
 * @param hex where the armor is
 */
export function shiesArmor(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { board, layout, roster } = tables;
  if (roster.side[unit] !== SOVIET || s[layout.turn]! < MOLOTOV_TURN || board.pinSpends[hex] === 0) return true;
  const from = placeOf(tables, s, unit);
  return from < 0 || board.distance(from, hex) > 1; // guns in boxes are beside nobody
}

/**
 * Tanks or StuGs of one regiment or independent battalion that attack from one hex, and that use defensive fire from
 * one hex. Rule: SOS 9.73
 */
export const PANZERS_ATTACK = 3;
export const PANZERS_FIRE = 2;

/**
 * True when there are enough German tanks and StuGs of one regiment or independent battalion in one hex among the units
 * that pass a test. Rule: SOS 9.73
 */
export function hasPanzerIntegrity(
  tables: Tables,
  s: StateView,
  need: number,
  takesPart: (unit: number) => boolean,
): boolean {
  const { roster } = tables;
  for (let u = 0; u < roster.germans; u++) {
    if (roster.panzerBody[u]! < 0 || !takesPart(u)) continue;
    let n = 0;
    for (let v = firstIn(tables, s, placeOf(tables, s, u)); v >= 0; v = nextIn(tables, s, v))
      if (roster.panzerBody[v] === roster.panzerBody[u] && takesPart(v)) n++;
    if (n >= need) return true;
  }
  return false;
}
