import type { StateView } from "../core/layout.js";
import { CITY_FIRST, CITY_LAST, type Tables } from "./data.js";
import { areasOf, captor, GERMAN, DECISION, L, reserveOf, SOVIET, vpOf } from "./state.js";

function allVpOf(tables: Tables): number {
  let sum = 0;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) sum += tables.vp[a]!;
  return sum;
}

/**
 * How far the Soviet side is ahead in captured areas, in parts of those that win at once, and a little for their
 * victory points. In finished games too.
 */
export function capturedLead(tables: Tables): (s: StateView) => number {
  const allVp = allVpOf(tables);
  return (s) =>
    (areasOf(s, SOVIET) - areasOf(s, GERMAN)) / tables.areasToWin +
    (0.01 * (vpOf(tables, s, SOVIET) - vpOf(tables, s, GERMAN))) / allVp;
}

/** Potentials for shaping, Soviet view. */
export function potentials(tables: Tables): Readonly<Record<string, (s: StateView) => number>> {
  const allVp = allVpOf(tables);
  const unlessOver = (f: (s: StateView) => number) => (s: StateView) => (s[L.kind] === DECISION.over ? 0 : f(s));
  return {
    captured: unlessOver(capturedLead(tables)),
    standing: unlessOver((s) => {
      let sum = 0;
      for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
        const side = captor(tables, s, a);
        if (side >= 0) sum += side === SOVIET ? tables.vp[a]! : -tables.vp[a]!;
      }
      return sum / allVp;
    }),
    material: unlessOver((s) => (reserveOf(s, GERMAN) - reserveOf(s, SOVIET)) / tables.unitsPerSide),
  };
}
