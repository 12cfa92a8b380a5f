import type { Dice } from "../../core/dice/dice.js";
import { EnumeratingDice } from "../../core/dice/enumerating-dice.js";
import type { Throw } from "../../core/narration.js";
import type { Tables } from "../data.js";
import { areaId } from "./words.js";
import type { AreaId } from "../state.js";

/** What rules hand on where no dice were thrown, or nobody listens. */
export const UNTHROWN: readonly number[] = Object.freeze([]);

/**
 * Two dice added, thrown again until bit `sum` of `accept` is set, like `Dice.sum6`, for a listener: every face is put
 * into `out`. Where all ways are enumerated, throws that don't count leave no trace, and one pair of that sum stands
 * for all.
 */
export function sum6Aloud(dice: Dice, accept: number, out: number[]): number {
  if (dice instanceof EnumeratingDice) {
    const sum = dice.sum6(accept);
    out.push(Math.max(1, sum - 6), sum - Math.max(1, sum - 6));
    return sum;
  }
  for (;;) {
    const [x, y] = [dice.d6(), dice.d6()];
    out.push(x, y);
    if ((accept >> (x + y)) & 1) return x + y;
  }
}

/** A unit drawn at random. */
export const drawingThrow = (id: string): Throw => ({
  by: null,
  purpose: "drawing the unit",
  sides: 0,
  faces: [id],
  needed: null,
  result: id,
});

/** Two dice that name an area, those thrown again included. @param purpose `where the chit goes` */
export const placingThrow = (tables: Tables, a: AreaId, dice: readonly number[], purpose: string): Throw => ({
  by: null,
  purpose,
  sides: 6,
  faces: dice,
  needed: "an area that takes it",
  result: areaId(tables, a),
});
