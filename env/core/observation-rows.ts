import { type Game, type Observation, type TensorName, tensorSizes } from "./game.js";

/** A tensor of B rows and the view of each row. */
export interface Rows {
  readonly all: Observation;
  readonly rows: readonly Observation[];
}

/**
 * Observation buffers for `n` environments: whole tensors, and the same memory row by row. Only `observe` may write them: rows
 * keep notes of what stands in them.
 */
export function observationRows(game: Game, n: number): Rows {
  const size = tensorSizes(game.observation);
  const { noteWords = 0 } = game;
  const all = {
    globals: new Float32Array(n * size.globals),
    map: new Float32Array(n * size.map),
    units: new Float32Array(n * size.units),
    decision: new Float32Array(n * size.decision),
  };
  const notes = new Int32Array(n * noteWords);
  const rows = Array.from({ length: n }, (_, i) => {
    const part = (t: TensorName): Float32Array => all[t].subarray(i * size[t], (i + 1) * size[t]);
    return {
      globals: part("globals"),
      map: part("map"),
      units: part("units"),
      decision: part("decision"),
      notes: notes.subarray(i * noteWords, (i + 1) * noteWords),
    };
  });
  return { all, rows };
}
