import type { TensorName } from "../env/index.js";

/**
 * The operations a net is written in. A net is one function over these, run by TensorFlow.js while training
 * (training/net.ts) and written down as an ONNX graph for playing (training/export.ts), so that both are the same net.
 * Only operations whose gradient is right on every backend are here (no gather, no convolution, no max pooling).
 */
export interface Ops<X> {
  /** An observation tensor, its rows laid end to end: `[B, size]`. */
  input(name: TensorName): X;
  /** `[B, n1], [B, n2], ...` to `[B, n1 + n2 + ...]`. */
  concat(parts: readonly X[]): X;
  /** `[B, in]` to `[B, out]`: `x W + b` with the parameters `layer/w [in, out]` and `layer/b [out]`. */
  dense(x: X, layer: string): X;
  relu(x: X): X;
  tanh(x: X): X;
}

/** What a net gives: unmasked logits `[B, A]` and the expected return of the actor `[B, 1]`. */
export interface Heads<X> {
  readonly logits: X;
  readonly value: X;
}
