/**
 * Adam (Kingma and Ba 2015) with gradients clipped by their global norm, on flat arrays, identical on every backend.
 */
export class Adam {
  steps = 0;

  /** @param m running mean of the gradient @param v running mean of its squares; both as long as the weights */
  constructor(
    readonly m: Float32Array,
    readonly v: Float32Array,
    /** Largest norm of the gradient; a longer one is scaled down. */
    private readonly clip: number,
    private readonly beta1 = 0.9,
    private readonly beta2 = 0.999,
    private readonly epsilon = 1e-5,
  ) {}

  /**
   * Moves `weights[from .. to - 1]` one step down the gradient.
   *
   * @param norm L2 norm of the whole gradient
   */
  step(weights: Float32Array, gradient: Float32Array, norm: number, rate: number, from = 0, to = weights.length): void {
    const scale = norm > this.clip ? this.clip / norm : 1;
    this.steps++;
    const { m, v, beta1, beta2, epsilon } = this;
    const unbias1 = 1 / (1 - beta1 ** this.steps);
    const unbias2 = 1 / (1 - beta2 ** this.steps);
    for (let i = from; i < to; i++) {
      const g = gradient[i]! * scale;
      const a = beta1 * m[i]! + (1 - beta1) * g;
      const b = beta2 * v[i]! + (1 - beta2) * g * g;
      m[i] = a;
      v[i] = b;
      weights[i] = weights[i]! - (rate * a * unbias1) / (Math.sqrt(b * unbias2) + epsilon);
    }
  }
}
