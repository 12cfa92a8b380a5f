import type { AllReduce } from "./allreduce.js";
import type { RolloutBuffer } from "./rollout-buffer.js";

/**
 * Generalised advantage estimation (Schulman et al. 2016) over one player's decisions in one finished game, without
 * discount. Rewards are the return at the end and, with shaping, the changes of the potential. The potential is 0 at
 * the end, so shaping keeps the optimal policy (Ng et al. 1999). The luck of the rolls, where it was measured, is taken
 * out. Writes `advantage` and `target`.
 *
 * @param own indices of the decisions, in order
 */
export function writeAdvantages(samples: RolloutBuffer, own: readonly number[], result: number, lambda: number): void {
  let advantage = 0;
  let next = result;
  let after = 0;
  for (let i = own.length - 1; i >= 0; i--) {
    const k = own[i]!;
    const value = samples.value[k]!;
    const potential = samples.potential[k]!;
    const reward = after - potential;
    after = potential;
    advantage = reward + next - samples.luck[k]! - value + lambda * advantage;
    samples.advantage[k] = advantage;
    samples.target[k] = advantage + value;
    next = value;
  }
}

/** Explained variance of the targets by the values before the update, over the samples of all learners. */
export function explainedVariance(samples: RolloutBuffer, allReduce: AllReduce): number {
  const sums = new Float64Array(4); // count, targets, their squares, squares of residuals
  sums[0] = samples.size;
  for (let i = 0; i < samples.size; i++) {
    const target = samples.target[i]!;
    sums[1]! += target;
    sums[2]! += target * target;
    sums[3]! += (target - samples.value[i]!) ** 2;
  }
  allReduce.sum(sums);
  const [n, sum, squares, left] = sums as unknown as [number, number, number, number];
  const all = squares - (sum * sum) / n;
  return all <= 0 ? 0 : 1 - left / all;
}

/** Normalises the first `n` numbers: mean 0 and standard deviation 1 over all learners. */
export function normalise(x: Float32Array, n: number, allReduce: AllReduce): void {
  const sums = new Float64Array(3); // count, numbers, their squares
  sums[0] = n;
  for (let i = 0; i < n; i++) {
    sums[1]! += x[i]!;
    sums[2]! += x[i]! * x[i]!;
  }
  allReduce.sum(sums);
  const [count, sum, squares] = sums as unknown as [number, number, number];
  const mean = sum / count;
  const scale = 1 / (Math.sqrt(Math.max(0, squares / count - mean * mean)) + 1e-8);
  for (let i = 0; i < n; i++) x[i] = (x[i]! - mean) * scale;
}
