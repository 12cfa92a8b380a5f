import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import { ELIMINATE, GERMANS, HEXES, MEDIUM, SUPPRESS, UNITS, type UnitId, type HexId, NO_UNIT } from "../data.js";
import type { Tables } from "../data.js";
import * as events from "../events/index.js";
import {
  addWrecks,
  clearFlags,
  DEAD,
  has,
  hasGun,
  L,
  placeOf,
  rangeOf,
  SEEN,
  setFlag,
  setPlace,
  SUPPRESSED,
} from "../state.js";

/** Types with a Panzerfaust, which is never used up (13.2 case 3 and NF 11.3 B). */
const hasPanzerfaust = (tables: Tables, a: UnitId): boolean => tables.panzerfaust[a] === 1;

/**
 * True when `a` may attack `b` at this distance, range and sight apart. Medium and heavy vehicles only by anti-tank
 * units; a Panzerfaust reaches them in the next hex only. Rule: NF reconstructed attack, NF 11.3 B, NF 11.3 C
 */
export function mayAttack(tables: Tables, s: StateView, a: UnitId, b: UnitId, distance: number): boolean {
  if (tables.weight[b]! < MEDIUM) return true;
  return hasGun(tables, s, a) && (!hasPanzerfaust(tables, a) || distance === 1);
}

/**
 * Attack value of `a` against `b` in hex `h`: the line of the results table. Rule: NF reconstructed attack, NF 11.1
 * (19.1), NF 11.1 (22.4)
 */
export function attackValue(tables: Tables, s: StateView, a: UnitId, b: UnitId, h: HexId, distance: number): number {
  const m = tables.rules.attackModifiers;
  const vehicle = tables.vehicle[b] === 1;
  const adjacent = distance === 1;
  let value = tables.strength[a]! - tables.strength[b]!;
  if (tables.cover[h] === 1) {
    value += m.coverTarget; // case 1
    if (vehicle && adjacent && tables.vehicle[a] === 0) value += m.infantryCloseVehicleInCover; // case 2
  }
  if (hasPanzerfaust(tables, a)) {
    if (vehicle && adjacent) value += m.panzerfaust; // case 3, NF 11.3 B
  } else if (hasGun(tables, s, a)) value += tables.antitankBonus[tables.weight[b]!]!; // case 4, NF 11.3 C
  if (tables.engineer[a] === 1 && vehicle && adjacent) value += m.engineerAdjacentVehicle; // NF 11.1 (19.1)
  if (s[L.ace] === a) value += m.ace;
  return value;
}

/** NOTHING, SUPPRESS or ELIMINATE. Rule: NF 11.1 (22.4) */
export function resultOf(tables: Tables, value: number, die: number): number {
  const last = tables.crtUpTo.length - 1;
  let row = 0;
  while (row < last && value > tables.crtUpTo[row]!) row++;
  return tables.crt[row * 6 + die - 1]!;
}

/** Least die by which `a` at least suppresses `b`, 7 when none does. */
export function attackNeed(tables: Tables, s: StateView, a: UnitId, b: UnitId, h: HexId, distance: number): number {
  return leastDie(tables, attackValue(tables, s, a, b, h, distance), SUPPRESS);
}

/** Least die with which an attack of this value comes to `result` or more, 7 when none does. */
export function leastDie(tables: Tables, value: number, result: number): number {
  for (let die = 1; die <= 6; die++) if (resultOf(tables, value, die) >= result) return die;
  return 7;
}

/** One die of fire. @returns whether the target was eliminated */
export function attack(tables: Tables, s: State, a: UnitId, b: UnitId, play: Play): boolean {
  const h = placeOf(s, b);
  const distance = tables.distance[placeOf(s, a) * HEXES + h]!;
  const value = attackValue(tables, s, a, b, h, distance);
  const die = play.dice.d6();
  const result = resultOf(tables, value, die);
  const eliminated = result === ELIMINATE || (result === SUPPRESS && has(s, b, SUPPRESSED));
  if (play.narrator !== null) {
    const effect = eliminated ? "eliminated" : result === SUPPRESS ? "suppressed" : "no effect";
    const needs = [leastDie(tables, value, SUPPRESS), leastDie(tables, value, ELIMINATE)] as const;
    events.tellAttack(tables, s, a, b, die, needs, effect, play);
  }
  if (eliminated) {
    eliminate(tables, s, b);
    return true;
  }
  if (result === SUPPRESS) setFlag(s, b, SUPPRESSED);
  return false;
}

/** Takes a counter off the map; a vehicle leaves a wreck. Rule: NF reconstructed results */
export function eliminate(tables: Tables, s: State, u: UnitId): void {
  if (tables.vehicle[u] === 1) addWrecks(s, placeOf(s, u), 1);
  setPlace(s, u, DEAD);
  clearFlags(s, u, ~0);
}

/** True when `k` is a turned-up Soviet unit that German `u` may attack from where it is, sight apart. */
export function inReach(tables: Tables, s: StateView, u: UnitId, k: UnitId, distance: number): boolean {
  return has(s, k, SEEN) && distance <= rangeOf(tables, s, u) && mayAttack(tables, s, u, k, distance);
}

/**
 * What fire of `u` into hex `h` hits: the strongest it may attack, then the lowest number; -1 for none.
 * Rule: NF reconstructed target
 */
export function targetIn(tables: Tables, s: StateView, u: UnitId, h: HexId): UnitId {
  const distance = tables.distance[placeOf(s, u) * HEXES + h]!;
  let best = NO_UNIT;
  for (let k = GERMANS; k < UNITS; k++) {
    if (placeOf(s, k) !== h || !inReach(tables, s, u, k, distance)) continue;
    if (best < 0 || tables.strength[k]! > tables.strength[best]!) best = k;
  }
  return best;
}
