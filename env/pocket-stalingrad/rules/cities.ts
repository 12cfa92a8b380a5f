import type { StateView } from "../../core/layout.js";
import { CITY_FIRST, CITY_LAST, type SideId, type Tables } from "../data.js";
import { room } from "../state.js";

/** Sets one mask byte per city area in which `side` has room. */
export function markCities(tables: Tables, s: StateView, side: SideId, base: number, mask: Uint8Array): number {
  let n = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
    if (room(tables, s, side, a) > 0) {
      mask[base + a - CITY_FIRST] = 1;
      n++;
    }
  }
  return n;
}
