import type { State, StateView } from "../../core/layout.js";
import { CHIT, TYPE } from "../data.js";
import type { Tables } from "../data.js";
import {
  type AreaId,
  type ChitKind,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  L,
  NO_UNIT,
  placeOf,
  unitHas,
  type UnitId,
  UNITS,
} from "../state.js";
import { currentCv } from "./counters.js";

/**
 * The unit a Soviet shot goes at in the solitaire game: least aimed at in this batch, unsuppressed, strongest, lowest
 * slot. Ruling R33.
 *
 * @param kind chit kind, or `NO_CHIT_KIND` for the guns of SS 9.3
 * @param aimed targets of this batch so far (unit + 1), `n` words from `at`
 */
export function chooseTarget(
  tables: Tables,
  s: StateView,
  a: AreaId,
  kind: ChitKind,
  aimed: State,
  at: number,
  n: number,
): UnitId {
  let best = NO_UNIT;
  let bestScore = -1;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (placeOf(s, u) !== a) continue;
    const type = tables.data.type[u]!;
    if (kind === CHIT.sniper ? type !== TYPE.hq : kind === CHIT.ambush ? type === TYPE.hq : type !== TYPE.armor)
      continue;
    let shots = 0;
    for (let i = 0; i < n; i++) if (aimed[at + i] === u + 1) shots++;
    const score = (31 - shots) * 100 + (unitHas(s, u, FLAG.suppressed) ? 0 : 50) + currentCv(tables, s, u);
    if (score <= bestScore) continue;
    bestScore = score;
    best = u;
  }
  return best;
}

/** The Soviet unit that takes a loss: least combat value, lowest slot; an Engineer if one must. Ruling R33. */
export function chooseLoss(tables: Tables, s: StateView, a: AreaId, engineer: boolean): UnitId {
  let best = NO_UNIT;
  for (let u = GERMANS; u < UNITS; u++) {
    if (placeOf(s, u) !== a || (engineer && tables.data.type[u] !== TYPE.engineer)) continue;
    if (best < 0 || tables.data.full[u]! < tables.data.full[best]!) best = u;
  }
  return best;
}

/** The die Engineers raise: the highest below 6, the first of them; any 6 if all are. Ruling R33. */
export function chooseEngineerDie(s: StateView): number {
  let best = 0;
  for (let i = 0; i < s[L.sovietDiceCount]!; i++) {
    const d = s[L.sovietDice + i]!;
    const b = s[L.sovietDice + best]!;
    if (d < 6 && (b === 6 || d > b)) best = i;
  }
  return best;
}
