import type { StateView } from "../../core/layout.js";
import type { Reach } from "../../core/narration.js";
import { CHIT, type Tables } from "../data.js";
import { areaId } from "../events/words.js";
import { germanTotal } from "../rules/odds.js";
import { chitOf } from "../rules/counters.js";
import {
  type AreaId,
  chitHas,
  chitPlaceOf,
  CHITS,
  CONTROL,
  controlOf,
  FIRST_CHIT,
  FLAG,
  GERMANS,
  lowestArea,
  placeOf,
  sovietCounterIn,
  unitHas,
  type UnitId,
  UNITS,
} from "../state.js";

/** Areas that a German unit can get to with `mp`, with what the way there costs. Rule: SS 5.1 */
export function reachOf(tables: Tables, s: StateView, unit: UnitId, mp: number): Reach[] {
  const costs = new Map([[placeOf(s, unit), 0]]);
  for (const [from, cost] of costs) {
    if (cost === mp || (cost > 0 && sovietCounterIn(s, from))) continue;
    for (let m = tables.data.adjacent[from]!; m !== 0; m &= m - 1) {
      const to = lowestArea(m);
      if (!costs.has(to)) costs.set(to, cost + 1);
    }
  }
  return [...costs].slice(1).map(([a, cost]) => ({ place: areaId(tables, a), cost }));
}

/** The combat that a German unit would bring to an area, as far as the German side can reckon it. Rule: SS 7.1 */
export function combatAhead(tables: Tables, s: StateView, unit: UnitId, a: AreaId): string {
  const german = germanTotal(tables, s, a, unit, true);
  let soviet = tables.data.stars[a]! - (controlOf(s, a) === CONTROL.german ? 1 : 0);
  if (chitOf(tables, s, a, CHIT.strongpoint, FLAG.faceUp) >= 0) soviet++;
  let down = 0;
  for (let u = GERMANS; u < UNITS; u++) {
    if (placeOf(s, u) !== a) continue;
    if (unitHas(s, u, FLAG.faceUp)) soviet += tables.data.full[u]!;
    else down++;
  }
  for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) === a && !chitHas(s, c, FLAG.faceUp)) down++;
  return `German value ${german} against ${soviet}${down === 0 ? "" : ` and ${down} face-down`}`;
}
