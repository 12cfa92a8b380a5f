import type { Group } from "./allreduce.js";
import type { Samples } from "./rollout-buffer.js";

/**
 * Generalised advantage estimation over one player's decisions in one finished game, in their order; rewards are
 * the return at the end and, where the run shapes, changes of the potential on the way (it is 0 at the end, so that the
 * best play stays the best); nothing is discounted. Writes `advantage` and `target`.
 */
export function advantages(samples: Samples, own: readonly number[], result: number, lambda: number): void {
  let advantage = 0;
  let next = result;
  let after = 0;
  for (let i = own.length - 1; i >= 0; i--) {
    const k = own[i]!;
    const value = samples.value[k]!;
    const potential = samples.potential[k]!;
    const reward = after - potential;
    after = potential;
    advantage = reward + next - value + lambda * advantage;
    samples.advantage[k] = advantage;
    samples.target[k] = advantage + value;
    next = value;
  }
}

/** The part of the targets' variance that the value explained before learning, over the samples of the whole group. */
export function explainedVariance(samples: Samples, group: Group): number {
  const sums = new Float64Array(4); // count, targets, their squares, squares of what is left
  sums[0] = samples.size;
  for (let i = 0; i < samples.size; i++) {
    const target = samples.target[i]!;
    sums[1]! += target;
    sums[2]! += target * target;
    sums[3]! += (target - samples.value[i]!) ** 2;
  }
  group.sum(sums);
  const [n, sum, squares, left] = sums as unknown as [number, number, number, number];
  const all = squares - (sum * sum) / n;
  return all <= 0 ? 0 : 1 - left / all;
}

/** Shifts and scales the first `n` numbers so that those of the whole group have mean 0 and deviation 1. */
export function normalise(x: Float32Array, n: number, group: Group): void {
  const sums = new Float64Array(3); // count, numbers, their squares
  sums[0] = n;
  for (let i = 0; i < n; i++) {
    sums[1]! += x[i]!;
    sums[2]! += x[i]! * x[i]!;
  }
  group.sum(sums);
  const [count, sum, squares] = sums as unknown as [number, number, number];
  const mean = sum / count;
  const scale = 1 / (Math.sqrt(Math.max(0, squares / count - mean * mean)) + 1e-8);
  for (let i = 0; i < n; i++) x[i] = (x[i]! - mean) * scale;
}
