import type { StateView } from "../core/layout.js";
import type { Division } from "./schedule.js";
import { OUT, POOL } from "./layout.js";
import { placeOf } from "./state.js";
import type { Tables } from "./state.js";

/** True when no unit of a division has entered. Rule: SOS 3.5 */
export function isAbsent(tables: Tables, s: StateView, { units }: Division): boolean {
  for (const u of units) if (placeOf(tables, s, u) !== POOL && placeOf(tables, s, u) !== OUT) return false;
  return true;
}

/** True when the first units of a division arrive in this turn. Rule: SOS 3.6 */
export const isDue = (tables: Tables, s: StateView, { turn, units }: Division): boolean =>
  turn === s[tables.layout.turn] && units.every((u) => placeOf(tables, s, u) === POOL);
