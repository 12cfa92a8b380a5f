import { InvariantError } from "./errors.js";
import { type Feature, type Game, type Observation, TENSORS, type TensorName, tensorSizes } from "./game.js";

/** A tensor of B rows and the view of each row. */
export interface ObservationRows {
  readonly all: Observation;
  readonly rows: readonly Observation[];
}

/**
 * Whole rows of observations one after another, each its globals, map, units and decision; and the views of each row.
 */
export interface JoinedRows {
  /** float32 [n, G + N*Fm + U*Fu + D] */
  readonly joined: Float32Array;
  readonly rows: readonly Observation[];
}

/**
 * Observation buffers for `n` environments: whole tensors, and the same memory row by row. Only `observe` may write
 * them, because the rows cache their contents.
 */
export function observationRows(game: Game, n: number): ObservationRows {
  const size = tensorSizes(game.observation);
  const all = {
    globals: new Float32Array(n * size.globals),
    map: new Float32Array(n * size.map),
    units: new Float32Array(n * size.units),
    decision: new Float32Array(n * size.decision),
  };
  return { all, rows: viewsOf(game, n, (i, t) => all[t].subarray(i * size[t], (i + 1) * size[t])) };
}

/** As `observationRows`, but the values of one environment are together, as nets without structure read them. */
export function joinedRows(game: Game, n: number): JoinedRows {
  const size = tensorSizes(game.observation);
  const width = joinedWidth(game);
  const joined = new Float32Array(n * width);
  const at = { globals: 0, map: 0, units: 0, decision: 0 };
  let end = 0;
  for (const t of TENSORS) {
    at[t] = end;
    end += size[t];
  }
  return { joined, rows: viewsOf(game, n, (i, t) => joined.subarray(i * width + at[t], i * width + at[t] + size[t])) };
}

/** Numbers in a row of `joinedRows`. */
export function joinedWidth(game: Game): number {
  const size = tensorSizes(game.observation);
  return TENSORS.reduce((sum, t) => sum + size[t], 0);
}

function viewsOf(game: Game, n: number, part: (row: number, t: TensorName) => Float32Array): Observation[] {
  const { cacheWords: cacheWords = 0 } = game;
  const cache = new Int32Array(n * cacheWords);
  return Array.from({ length: n }, (_, i) => ({
    globals: part(i, "globals"),
    map: part(i, "map"),
    units: part(i, "units"),
    decision: part(i, "decision"),
    cache: cache.subarray(i * cacheWords, (i + 1) * cacheWords),
  }));
}

/** The column of a feature by its name. @throws InvariantError where no feature has that name */
export function columnOf(features: readonly Pick<Feature, "name">[], name: string): number {
  const i = features.findIndex((f) => f.name === name);
  if (i < 0) throw new InvariantError(`no feature is named ${JSON.stringify(name)}`);
  return i;
}
