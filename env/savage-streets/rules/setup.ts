import type { State } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { AREAS, CHITS, CONTROL, FUTURE, L, PHASE, PILE, UNITS } from "../state.js";

/** Everything as it lies before the Soviet set-up. Rule: SS 1.51, SS 1.53, SS 1.54. */
export function startGame(tables: Tables, s: State): void {
  for (let u = 0; u < UNITS; u++) s[L.unitPlace + u] = FUTURE;
  for (let c = 0; c < CHITS; c++) s[L.chitPlace + c] = PILE;
  for (let a = 0; a < AREAS; a++) s[L.control + a] = (tables.data.numbered >> a) & 1 ? CONTROL.soviet : CONTROL.none;
  s[L.turn] = 1;
  s[L.phase] = PHASE.setup;
  s[L.stuka] = 1;
  s[L.schwere] = 1;
}
