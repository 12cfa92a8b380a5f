import type { StateView } from "../core/layout.js";
import type { Tables } from "./data.js";
import { joinedToEntry } from "./rules/counters.js";
import { CONTROL, controlOf, DEAD, FIRST_UNIT, FLAG, FUTURE, GERMANS, L, placeOf, unitHas, UNITS } from "./state.js";

/** Soviet combat value that counts as all of it. */
const SOVIET_CV = 50;

/** Potential for shaping, from the German's side: `margin`, and 0 in finished games. */
export const position = (tables: Tables, s: StateView): number => (s[L.result] === 0 ? margin(tables, s) : 0);

/**
 * How far the German is ahead: 0.4 for the two landings (1 German and joined, 0.5 German, 0.25 Contested, averaged),
 * 0.3 for German steps, less 0.3 for Soviet combat value on the map and due. All of it is public: who is due or dead
 * is.
 */
export function margin(tables: Tables, s: StateView): number {
  const joined = joinedToEntry(tables, s);
  let landings = 0;
  for (const a of tables.data.goals) {
    const control = controlOf(s, a);
    if (control === CONTROL.german) landings += (joined >> a) & 1 ? 1 : 0.5;
    else if (control === CONTROL.contested) landings += 0.25;
  }
  let steps = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (placeOf(s, u) !== DEAD) steps += unitHas(s, u, FLAG.depleted) ? 1 : 2;
  let cv = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    const place = placeOf(s, u);
    if (place !== DEAD && (place !== FUTURE || tables.data.entryTurn[u] === 0)) cv += tables.data.full[u]!;
  }
  return 0.4 * (landings / 2) + 0.3 * (steps / (2 * GERMANS)) - 0.3 * Math.min(1, cv / SOVIET_CV);
}
