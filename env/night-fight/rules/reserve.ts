import type { Dice, NameOf } from "../../core/dice/dice.js";
import type { State, StateView } from "../../core/layout.js";
import { GERMANS, UNITS, type UnitId, NO_UNIT } from "../data.js";
import type { Tables } from "../data.js";
import { L, POOL } from "../state.js";

/** The counter with `i` others before it among those in the reserve; -1 when there are no more. */
function reserveCounter(tables: Tables, s: StateView, i: number, dummies: boolean): UnitId {
  for (let u = GERMANS; u < UNITS; u++)
    if (s[L.place + u] === POOL && (dummies || tables.dummy[u] === 0) && i-- === 0) return u;
  return NO_UNIT;
}

/** Names of the counters in a draw, for scripts and records; two functions per loaded game. */
const drawNames = new WeakMap<Tables, { readonly any: NameOf; readonly real: NameOf }>();

function drawNamesOf(tables: Tables): { readonly any: NameOf; readonly real: NameOf } {
  let pair = drawNames.get(tables);
  if (pair === undefined) {
    const name =
      (dummies: boolean): NameOf =>
      (s, i) =>
        tables.unitNames[reserveCounter(tables, s, i, dummies)]!;
    pair = { any: name(true), real: name(false) };
    drawNames.set(tables, pair);
  }
  return pair;
}

/**
 * Draws a counter blind; it stays where it is. Rule: NF reconstructed 8, NF reconstructed columns
 *
 * @param dummies true when a dummy may be drawn
 * @returns its number, -1 when there is nothing to draw
 */
export function drawReserve(tables: Tables, s: State, dice: Dice, dummies: boolean): UnitId {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) if (s[L.place + u] === POOL && (dummies || tables.dummy[u] === 0)) n++;
  if (n === 0) return NO_UNIT;
  const names = drawNamesOf(tables);
  return reserveCounter(tables, s, dice.draw(n, dummies ? names.any : names.real), dummies);
}
