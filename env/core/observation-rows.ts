import { type Game, type Observation, type TensorName, tensorSizes } from "./game.js";

/** A tensor of B rows and the view of each row. */
export interface ObservationRows {
  readonly all: Observation;
  readonly rows: readonly Observation[];
}

/**
 * Observation buffers for `n` environments: whole tensors, and the same memory row by row. Only `observe` may write
 * them, because the rows cache their contents.
 */
export function observationRows(game: Game, n: number): ObservationRows {
  const size = tensorSizes(game.observation);
  const { cacheWords: cacheWords = 0 } = game;
  const all = {
    globals: new Float32Array(n * size.globals),
    map: new Float32Array(n * size.map),
    units: new Float32Array(n * size.units),
    decision: new Float32Array(n * size.decision),
  };
  const cache = new Int32Array(n * cacheWords);
  const rows = Array.from({ length: n }, (_, i) => {
    const part = (t: TensorName): Float32Array => all[t].subarray(i * size[t], (i + 1) * size[t]);
    return {
      globals: part("globals"),
      map: part("map"),
      units: part("units"),
      decision: part("decision"),
      cache: cache.subarray(i * cacheWords, (i + 1) * cacheWords),
    };
  });
  return { all, rows };
}
