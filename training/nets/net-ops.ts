import type { TensorName } from "../../env/index.js";
import type { Auxiliary } from "./auxiliary.js";

/**
 * The operations of a net. A net is one function over them: an engine runs it while training (tfjs-engine.ts,
 * onnx-engine.ts), and export.ts writes it as an ONNX graph for playing, so that both compute the same. Only operations
 * whose gradient is correct on every engine are here. Where rows or columns are gathered, the gradient is another
 * gathering, which the operation's table holds: what libraries do is slow or missing on some engine.
 */
export interface NetOps<X> {
  /** An observation tensor, flattened: `[B, size]`. */
  input(name: TensorName): X;
  /** The rows of `map` or `units`, each followed by its static features: `[B * rows, rowFeatures]`. */
  rows(name: "map" | "units"): X;
  /** `[B, n1], [B, n2], ...` to `[B, n1 + n2 + ...]`. */
  concat(parts: readonly X[]): X;
  /** `[B, in]` to `[B, out]`: `x W + b` with the parameters `layer/w [in, out]` and `layer/b [out]`. */
  dense(x: X, layer: string): X;
  relu(x: X): X;
  tanh(x: X): X;
  exp(x: X): X;
  /** Along the last axis. */
  logSoftmax(x: X): X;
  /** Both of one shape. */
  add(a: X, b: X): X;
  /** `[B * rows, n]` to `[B, rows * n]`. */
  flattenRows(x: X, rows: number): X;
  /** `[B, n]` to `[B * rows, n]`: each row repeated `rows` times. */
  repeatRows(x: X, rows: number): X;
  /** `[B * rows, n]`: a constant matrix `[rows, rows]`, such as the mean over neighbours, times each group of rows. */
  neighbourMatMul(x: X, matrix: Matrix): X;
  /** `[B, in]` times a constant matrix `[in, out]`. */
  matMul(x: X, matrix: Matrix): X;
  /**
   * Scaled dot-product attention (Vaswani et al. 2017) within each group of rows: `[B * queries, n]`, `[B * keys, n]`,
   * `[B * keys, n]` to `[B * queries, n]`. Each of the heads takes `n / heads` columns.
   */
  attention(query: X, key: X, value: X, shape: AttentionShape): X;
  /** `[B * rows, n]`: each row becomes the mean of its neighbours in its group of rows, 0 without any. */
  neighbourMean(x: X, lists: NeighbourLists): X;
  /** `[B * rows, n]` to `[B, n]`: mean or maximum of each group of rows. */
  poolRows(x: X, rows: number, how: "mean" | "max"): X;
  /** `[B, in]` to `[B, columns.length]`: these columns, none of them twice. */
  pickColumns(x: X, columns: Int32Array): X;
  /**
   * From the places to the units, `[B * places, n]` to `[B * units, n]`: each unit gets the row of its place. From the
   * units to the places: each place gets the sum of the units that are there. Nothing is 0.
   */
  atPlaces(x: X, from: "map" | "units", keys: PlaceKeys): X;
}

/** Rows and their neighbours. Of each list of lists, entry k has the k-th of each row; `rows` where there is none. */
export interface NeighbourLists {
  readonly rows: number;
  readonly neighbours: readonly Int32Array[];
  /** Whose neighbours rows are. */
  readonly neighbourOf: readonly Int32Array[];
  /** 1 / number of neighbours, 0 where there is none. */
  readonly share: Float32Array;
}

/** A unit is at the place whose `values` its `features` equal. */
export interface PlaceKeys {
  readonly units: number;
  readonly places: number;
  /** Numbers of features of `units`. */
  readonly features: readonly number[];
  /** By feature: the value of each place. */
  readonly values: readonly Float32Array[];
}

/** Where column j of `0 .. width - 1` went in `columns`; `columns.length` for one that was not picked. */
export function placesOfColumns(columns: Int32Array, width: number): Int32Array {
  const places = new Int32Array(width).fill(columns.length);
  columns.forEach((j, i) => (places[j] = i));
  return places;
}

export interface AttentionShape {
  /** Rows that ask, of each group. */
  readonly queries: number;
  /** Rows that are asked, of each group. */
  readonly keys: number;
  readonly heads: number;
}

/** A constant matrix, row-major. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

/** Outputs of a net: logits `[B, A]`, and the expected return of the actor `[B, 1]`. */
export interface Heads<X> {
  readonly logits: X;
  readonly value: X;
  /** Where the value is the mean of a distribution: its log-probabilities `[B, atoms]`, see `atomAt`. */
  readonly distribution?: { readonly logps: X; readonly atoms: number };
  /** An auxiliary prediction `[B, auxiliaryWidth]`, built on request: training uses it, playing does not. */
  auxiliary?(name: Auxiliary): X;
}

/** The return that atom `i` of a distribution stands for. */
export const atomAt = (i: number, atoms: number): number => (2 * i) / (atoms - 1) - 1;

/** Further operations for losses. Both operands of an operation have the same shape. */
export interface LossOps<X> extends NetOps<X> {
  /** A column of the objective, `[B, width]`. */
  column(name: string): X;
  /** A number that may differ from step to step, `[]`. */
  scalar(name: string): X;
  /** Logits with illegal actions at `ILLEGAL`. */
  masked(logits: X): X;
  sub(a: X, b: X): X;
  mul(a: X, b: X): X;
  scale(x: X, by: number): X;
  /** `x + by`. */
  addScalar(x: X, by: number): X;
  min(a: X, b: X): X;
  clip(x: X, low: number, high: number): X;
  /** `[B, n]` to `[B, 1]`. */
  sumRows(x: X): X;
  /** The mean of all entries, `[]`. */
  mean(x: X): X;
}

/** Logit of an illegal action: its probability is exactly 0 in float32. */
export const ILLEGAL_LOGIT = -1e9;
