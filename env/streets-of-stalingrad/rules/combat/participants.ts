import type { StateView } from "../../../core/layout.js";
import { KINDS } from "../../schema.js";
import { ASK_ATTACK_MODE, ASK_ATTACK_UNIT, ATTACKER, F_STUKAS } from "../../layout.js";
import { frameOf, has, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { attackOf } from "../units/armor.js";
import { firesAt } from "../artillery/spotting.js";

const ACCELERATORS = ["infantry", "armored-infantry", "engineer"].map((k) =>
  KINDS.indexOf(k as (typeof KINDS)[number]),
);

/** True when a unit takes part by direct fire. */
export const firesDirectly = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  has(tables, s, unit, ATTACKER) && tables.roster.af[unit]! > 0 && !firesAt(tables, s, unit, hex);

/** True when it takes part by indirect fire. */
export const isShelling = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  has(tables, s, unit, ATTACKER) && firesAt(tables, s, unit, hex);

/** Stukas in the attack that is made. */
export function stukasIn(tables: Tables, s: StateView): number {
  const frame = frameOf(tables, s, ASK_ATTACK_UNIT, ASK_ATTACK_MODE);
  return frame < 0 ? 0 : s[frame + F_STUKAS]!;
}

/** True when only guns, Stukas and the flotilla attack. Rule: SOS 14.41, SOS 16.55, ruling R105 */
export function isBarrage(tables: Tables, s: StateView, hex: number): boolean {
  let guns = stukasIn(tables, s) > 0;
  for (let u = 0; u < tables.units; u++) {
    const boat = isBoat(tables, s, u);
    if (!boat && firesDirectly(tables, s, u, hex)) return false;
    if (boat || isShelling(tables, s, u, hex)) guns = true;
  }
  return guns;
}

const isBoat = (tables: Tables, s: StateView, unit: number): boolean =>
  tables.roster.boat[unit] === 1 && has(tables, s, unit, ATTACKER);

/** True when a flotilla unit attacks. */
export function hasBoat(tables: Tables, s: StateView): boolean {
  for (let u = tables.roster.germans; u < tables.units; u++) if (isBoat(tables, s, u)) return true;
  return false;
}

/** True when there is an infantry-type attacker beside the hex. */
export function hasAdjacentInfantry(tables: Tables, s: StateView, hex: number): boolean {
  const { board, roster } = tables;
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, ATTACKER) && roster.infantryType[u] === 1 && board.distance(placeOf(tables, s, u), hex) === 1)
      return true;
  return false;
}

/** Sum of the attackers' AF against a hex. @param armor it has armor */
export function attackPoints(tables: Tables, s: StateView, hex: number, armor: boolean): number {
  let sum = stukasIn(tables, s) * tables.stukaAf;
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, ATTACKER)) sum += attackOf(tables, s, u, hex, armor);
  return sum;
}

/** True when infantry or a combat engineer is among the attackers beside the hex. Rule: SOS 9.67 */
export function mayAccelerate(tables: Tables, s: StateView, hex: number): boolean {
  const { board, roster } = tables;
  for (let u = 0; u < tables.units; u++)
    if (
      has(tables, s, u, ATTACKER) &&
      ACCELERATORS.includes(roster.kind[u]!) &&
      board.distance(placeOf(tables, s, u), hex) === 1
    )
      return true;
  return false;
}
