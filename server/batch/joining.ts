import type { Body } from "../slice/body.js";
import { joinRows } from "../wire/tensors.js";

/**
 * Joins answers that each hold rows of a request.
 *
 * @param places row in the result of each row of each answer
 * @param count rows of the result
 */
export function joinBodies(answers: readonly Body[], places: readonly (readonly number[])[], count: number): Body {
  if (answers.length === 1) return answers[0]!;
  const joined: Body = { ...answers[0]! };
  for (const [key, value] of Object.entries(joined)) {
    if (!Array.isArray(value)) continue;
    const all = new Array<unknown>(count);
    places.forEach((rows, a) => rows.forEach((place, k) => (all[place] = (answers[a]![key] as unknown[])[k])));
    joined[key] = all;
  }
  if (joined.packed !== undefined)
    joined.packed = joinRows(
      answers.map((a) => a.packed!),
      places,
      count,
    );
  return joined;
}
