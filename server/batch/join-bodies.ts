import type { Body } from "../slice/body.js";
import { joinRows, type PackedFrame } from "../wire/tensors.js";

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

/** Joins the frames of blocks of rows, one after the other. */
export function joinBlocks(frames: readonly PackedFrame[]): Body {
  let rows = 0;
  const places = frames.map((f) => Array.from({ length: f.tensors![0]![2][0]! }, () => rows++));
  return joinBodies(
    frames.map((packed) => ({ packed })),
    places,
    rows,
  );
}
