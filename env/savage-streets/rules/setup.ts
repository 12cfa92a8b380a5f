import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { setUp } from "../events/soviet.js";
import {
  type AreaId,
  AREAS,
  CHITS,
  CONTROL,
  FIRST_AREA,
  FIRST_CHIT,
  FIRST_UNIT,
  FUTURE,
  L,
  PHASE,
  PILE,
  type UnitId,
  UNITS,
} from "../state.js";
import { putUnit, sovietStackFits } from "./counters.js";

/** Everything as it is before the Soviet set-up. Rule: SS 1.51, SS 1.53, SS 1.54. */
export function startGame(tables: Tables, s: State): void {
  for (let u = FIRST_UNIT; u < UNITS; u++) s[L.unitPlace + u] = FUTURE;
  for (let c = FIRST_CHIT; c < CHITS; c++) s[L.chitPlace + c] = PILE;
  for (let a = FIRST_AREA; a < AREAS; a++)
    s[L.control + a] = (tables.data.numbered >> a) & 1 ? CONTROL.soviet : CONTROL.none;
  s[L.turn] = 1;
  s[L.phase] = PHASE.setup;
  s[L.stuka] = 1;
  s[L.schwere] = 1;
}

/** Mask of areas where a Soviet unit may be set up. Rule: SS 1.52, SS 1.21. */
export function setupAreas(tables: Tables, s: StateView, u: UnitId): number {
  let m = 0;
  for (let a = FIRST_AREA; a < AREAS; a++)
    if ((tables.data.numbered >> a) & 1 && sovietStackFits(tables, s, a, u)) m |= 1 << a;
  return m;
}

/** Rule: SS 1.52. */
export function setUpUnit(tables: Tables, s: State, u: UnitId, a: AreaId, play: Play): void {
  if (play.narrator !== null) setUp(tables, u, a, play);
  putUnit(tables, s, u, a, play);
}
