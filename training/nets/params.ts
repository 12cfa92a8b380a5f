import { Rng, type Seed } from "../../env/index.js";

/** One array of weights: its shape and the standard deviation of its initial values (0: zeros). */
export interface ParamSpec {
  readonly name: string;
  readonly shape: readonly number[];
  readonly deviation: number;
  /** Widths of the pieces of the layer's input, in order: what the rows of the array belong to; of a bias one row. */
  readonly pieces: readonly number[];
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);

/**
 * All weights of a net in one float32 buffer, with one named view per array. Optimiser, checkpoints and gradient
 * averaging work on this buffer on every backend.
 */
export class Params {
  readonly all: Float32Array;
  readonly views: ReadonlyMap<string, Float32Array>;

  constructor(readonly specs: readonly ParamSpec[]) {
    this.all = new Float32Array(specs.reduce((n, s) => n + sizeOf(s.shape), 0));
    const views = new Map<string, Float32Array>();
    let at = 0;
    for (const s of specs) {
      views.set(s.name, this.all.subarray(at, at + sizeOf(s.shape)));
      at += sizeOf(s.shape);
    }
    this.views = views;
  }

  /** Draws normal weights from a seed, in the order of `specs`. */
  initialise(seed: Seed): void {
    const rng = new Rng(seed);
    for (const s of this.specs) {
      const view = this.views.get(s.name)!;
      if (s.deviation === 0) view.fill(0);
      else for (let i = 0; i < view.length; i++) view[i] = s.deviation * normal(rng);
    }
  }
}

/** A standard normal number (Box and Muller). */
function normal(rng: Rng): number {
  return Math.sqrt(-2 * Math.log(1 - rng.float())) * Math.cos(2 * Math.PI * rng.float());
}
