/** Adam with gradients clipped by their global norm, on flat arrays: the same on every backend, and saved as it is. */
export class Adam {
  readonly m: Float32Array;
  readonly v: Float32Array;
  steps = 0;

  constructor(
    size: number,
    /** Largest length of the whole gradient; longer ones are scaled down to it. */
    private readonly clip: number,
    private readonly beta1 = 0.9,
    private readonly beta2 = 0.999,
    private readonly epsilon = 1e-5,
  ) {
    this.m = new Float32Array(size);
    this.v = new Float32Array(size);
  }

  /**
   * Moves `weights` one step down the gradient.
   *
   * @returns length of the gradient before clipping
   */
  step(weights: Float32Array, gradient: Float32Array, rate: number): number {
    let squares = 0;
    for (let i = 0; i < gradient.length; i++) squares += gradient[i]! * gradient[i]!;
    const norm = Math.sqrt(squares);
    const scale = norm > this.clip ? this.clip / norm : 1;
    this.steps++;
    const { m, v, beta1, beta2, epsilon } = this;
    const unbias1 = 1 / (1 - beta1 ** this.steps);
    const unbias2 = 1 / (1 - beta2 ** this.steps);
    for (let i = 0; i < weights.length; i++) {
      const g = gradient[i]! * scale;
      const a = beta1 * m[i]! + (1 - beta1) * g;
      const b = beta2 * v[i]! + (1 - beta2) * g * g;
      m[i] = a;
      v[i] = b;
      weights[i] = weights[i]! - (rate * a * unbias1) / (Math.sqrt(b * unbias2) + epsilon);
    }
    return norm;
  }
}
