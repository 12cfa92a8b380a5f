import type { Play } from "../../core/play.js";
import type { State } from "../../core/layout.js";
import { stepsLost } from "../events/fire.js";
import { type ClassId, FK8, type HexId, MECH, ROTKOPF, SEC, type Tables } from "../data.js";
import { activeArmy } from "../state.js";

/** Hits of `n` dice in a CRT column. Rule: SC 10.1, SC 1.4 */
export function fire(tables: Tables, n: number, column: number, modifier: number, play: Play): number {
  const { crt } = tables;
  const heard = play.narrator !== null;
  if (heard) tables.faces.length = 0;
  let hits = 0;
  for (let i = 0; i < n; i++) {
    const face = play.dice.d6();
    if (heard) tables.faces.push(face);
    hits += crt[column * 8 + Math.min(7, Math.max(0, face + modifier))]!;
  }
  return hits;
}

/**
 * Modifier of each German die of a class, from the support counted in `tables.force`.
 * Rule: SC 2.14, SC 8.2, SC 10.4, SC 10.6, SC 10.7, SC 10.8, SC 10.9, SC 1.4
 *
 * @param base of the kind of battle: break-in (SC 10.2), breakout (SC 8.6) or 0
 */
export function germanModifier(tables: Tables, cls: ClassId, hex: HexId, first: boolean, base: number): number {
  const { force } = tables;
  let sum = base;
  for (let kind = FK8; kind <= ROTKOPF; kind++) {
    if (force[4 + kind] === 0 || (tables.supportModifier[kind]!.firstOnly && !first)) continue;
    if (kind === ROTKOPF && cls === SEC) continue;
    sum += tables.supportModifier[kind]!.value;
  }
  if (cls === MECH) sum += tables.mechModifier[tables.forest[hex]!]!;
  return sum;
}

/**
 * 1E absorbs first, then the army counts its steps down. Rule: SC 2.4, SC 6.3, SC 10.14
 *
 * @returns whether the army lives
 */
export function takeSovietLosses(tables: Tables, s: State, hits: number, play: Play): boolean {
  const { L } = tables;
  const army = activeArmy(tables, s);
  let left = hits;
  let absorbed = 0;
  if (s[L.host] === army + 1) {
    absorbed = Math.min(left, s[L.engineer]!);
    s[L.engineer]! -= absorbed;
    left -= absorbed;
    if (s[L.engineer] === 0) s[L.host] = 0;
  }
  left = Math.min(left, s[L.armySteps + army]!);
  s[L.armySteps + army]! -= left;
  if (play.narrator !== null && absorbed + left > 0) stepsLost(tables, s, absorbed, left, play);
  return s[L.armySteps + army]! > 0;
}
