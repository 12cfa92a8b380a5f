import type { StateView } from "../core/layout.js";
import { CITY_FIRST, CITY_LAST, type Tables } from "./data.js";
import { areasOf, captor, GERMAN, K, L, reserveOf, SOVIET, vpOf } from "./state.js";

/** Potentials for shaping, Soviet view (spec section 8). */
export function potentials(t: Tables): Readonly<Record<string, (s: StateView) => number>> {
  const allVp = t.vp.reduce((sum, v) => sum + v, 0);
  const unlessOver = (f: (s: StateView) => number) => (s: StateView) => (s[L.kind] === K.over ? 0 : f(s));
  return {
    captured: unlessOver(
      (s) =>
        (areasOf(s, SOVIET) - areasOf(s, GERMAN)) / t.areasToWin +
        (0.01 * (vpOf(t, s, SOVIET) - vpOf(t, s, GERMAN))) / allVp,
    ),
    standing: unlessOver((s) => {
      let sum = 0;
      for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
        const side = captor(t, s, a);
        if (side >= 0) sum += side === SOVIET ? t.vp[a]! : -t.vp[a]!;
      }
      return sum / allVp;
    }),
    material: unlessOver((s) => (reserveOf(s, GERMAN) - reserveOf(s, SOVIET)) / t.unitsPerSide),
  };
}
