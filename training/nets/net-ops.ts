import type { TensorName } from "../../env/index.js";
import type { Auxiliary } from "./architecture.js";

/**
 * The operations a net is written in. A net is one function over these, run by an engine while training
 * (training/tfjs-engine.ts, training/onnx-engine.ts) and written down as an ONNX graph for playing (training/export.ts),
 * so that all are the same net. Only operations whose gradient is right on every engine are here (no gather, no
 * convolution, no max pooling).
 */
export interface Ops<X> {
  /** An observation tensor, its rows laid end to end: `[B, size]`. */
  input(name: TensorName): X;
  /** The rows of `map` or `units` one below the other, what is static about them behind: `[B * rows, rowFeatures]`. */
  rows(name: "map" | "units"): X;
  /** `[B, n1], [B, n2], ...` to `[B, n1 + n2 + ...]`. */
  concat(parts: readonly X[]): X;
  /** `[B, in]` to `[B, out]`: `x W + b` with the parameters `layer/w [in, out]` and `layer/b [out]`. */
  dense(x: X, layer: string): X;
  relu(x: X): X;
  tanh(x: X): X;
  /** Both of one shape. */
  add(a: X, b: X): X;
  /** `[B * rows, n]` to `[B, rows * n]`. */
  flat(x: X, rows: number): X;
  /** `[B, n]` to `[B * rows, n]`: each row as often as there are rows below it. */
  spread(x: X, rows: number): X;
  /** `[B * rows, n]`, each group of rows multiplied from the left by a constant matrix `[rows, rows]`. */
  mix(x: X, matrix: Matrix): X;
  /** `[B, in]` times a constant matrix `[in, out]`. */
  times(x: X, matrix: Matrix): X;
}

/** A constant, row-major. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

/** What a net gives: logits `[B, A]`, and the expected return of the actor `[B, 1]`. */
export interface Heads<X> {
  readonly logits: X;
  readonly value: X;
  /** What it foretells besides, `[B, rows * features]`; for training only, so written down when asked for. */
  auxiliary?(name: Auxiliary): X;
}

/** What losses are written in besides: both operands of an operation have one shape. */
export interface LossOps<X> extends Ops<X> {
  /** A column of the objective, `[B, width]`. */
  column(name: string): X;
  /** A number that may change from step to step, `[]`. */
  scalar(name: string): X;
  /** Logits with illegal actions at `ILLEGAL`. */
  masked(logits: X): X;
  sub(a: X, b: X): X;
  mul(a: X, b: X): X;
  scale(x: X, by: number): X;
  /** `x + by`. */
  shift(x: X, by: number): X;
  exp(x: X): X;
  min(a: X, b: X): X;
  clip(x: X, low: number, high: number): X;
  /** Along the last axis. */
  logSoftmax(x: X): X;
  /** `[B, n]` to `[B, 1]`. */
  sumRow(x: X): X;
  /** The mean of all entries, `[]`. */
  mean(x: X): X;
}

/** Logit of an illegal action: its probability is exactly 0 in float32. */
export const ILLEGAL = -1e9;
