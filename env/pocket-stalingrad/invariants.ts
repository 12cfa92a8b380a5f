import type { StateView } from "../core/layout.js";
import { AREA_IDS, AREAS, CITY_FIRST, CITY_LAST, GUMRAK, type Tables, VOLGA, Z } from "./data.js";
import { GERMAN, DECISION, L, SIDES, SOVIET, unitsIn } from "./state.js";

/** Invariants: 20 markers a side, six to an area, nothing on captured areas. @returns the first violation, or null */
export function invariantViolation(tables: Tables, s: StateView): string | null {
  for (let side = SOVIET; side <= GERMAN; side++) {
    let all = s[L.reserve + side]!;
    for (let a = Z; a < AREAS; a++) {
      const n = unitsIn(s, side, a);
      const cap = a < VOLGA ? tables.cap[a]! : a === VOLGA + side ? s[L.max6 + side]! : 0;
      if (n < 0 || n > cap) return `${n} ${SIDES[side]} units in ${AREA_IDS[a]}, at most ${cap} may be there`;
      all += n;
    }
    if (all !== tables.unitsPerSide || s[L.reserve + side]! < 0)
      return `${all} ${SIDES[side]} units in all, there are ${tables.unitsPerSide}`;
    if (s[L.cmd + side]! < 0) return `${SIDES[side]} CMD is ${s[L.cmd + side]}`;
  }
  for (let a = Z; a <= GUMRAK; a++) {
    const city = a >= CITY_FIRST && a <= CITY_LAST;
    if (!city && (s[L.fort + a] !== 0 || s[L.captured + a] !== 0)) return `${AREA_IDS[a]} is no city area`;
    if (s[L.shieldUsed + a] === 1 && s[L.fort + a] === 0)
      return `shield used without a Fortification in ${AREA_IDS[a]}`;
    if (
      s[L.captured + a] !== 0 &&
      (unitsIn(s, SOVIET, a) + unitsIn(s, GERMAN, a) > 0 || s[L.fort + a] === 1 || s[L.artillery] === a)
    )
      return `something is left in captured area ${AREA_IDS[a]}`;
  }
  if ((s[L.kind] === DECISION.over) !== (s[L.reason] !== 0))
    return "a result without an end, or an end without a result";
  return null;
}
