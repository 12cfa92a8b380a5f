import type { StateView } from "../../../core/layout.js";
import { KNOWN } from "../../layout.js";
import { KINDS } from "../../schema.js";
import { firstIn, has, nextIn } from "../../state.js";
import type { Tables } from "../../state.js";
import { canBeHit } from "./losses.js";
import { isArmored, isVehicle } from "./units.js";

const FORT = KINDS.indexOf("fortification");

/** What a hex that is fired at holds. */
export const FOOT = 1;
export const SOFT = 2;
export const FORTIFIED = 4;

/**
 * Kinds of targets that a side has in a hex: on foot (ravines and cliffs cover them), others than armor (a fort shields
 * them), and a fort. Rule: SOS 8.13, SOS 17.31, ruling R21
 *
 * @param seen for a side that may not see all counters: face-down counters count as on foot
 * @returns bits FOOT, SOFT and FORTIFIED
 */
export function targetsIn(tables: Tables, s: StateView, side: number, hex: number, seen: boolean): number {
  const { roster } = tables;
  let bits = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.side[u] !== side) continue;
    if (seen && !has(tables, s, u, KNOWN)) bits |= FOOT | SOFT;
    else if (roster.kind[u] === FORT) bits |= FORTIFIED;
    else if (canBeHit(tables, s, u, hex, seen)) {
      if (!isVehicle(tables, s, u)) bits |= FOOT;
      if (!isArmored(tables, s, u)) bits |= SOFT;
    }
  }
  return bits;
}
