/** How strongly values change a policy. */
export interface Improvement {
  /** A unit of value adds `(visitOffset + visits of the action visited most) * valueScale` to a logit. */
  readonly visitOffset: number;
  readonly valueScale: number;
}

/** What simulations found of a node's actions, by action. */
export interface Statistics {
  readonly visits: Int32Array;
  /** Simulations under way. */
  readonly pending: Int32Array;
  /** Sums of the returns of the player who acts. */
  readonly sums: Float64Array;
}

export const newStatistics = (actions: number): Statistics => ({
  visits: new Int32Array(actions),
  pending: new Int32Array(actions),
  sums: new Float64Array(actions),
});

/**
 * The policy improved by a search (Danihelka et al. 2022): softmax of logits plus scaled values, where actions not
 * visited have the value mix, a mean of the node's own estimate and of what was found, weighed by the policy.
 *
 * @param logits logarithms of the policy; only those of legal actions are read
 * @param found what the search found of each action, in returns of the player who acts
 * @param mask uint8, 1 for each legal action
 * @param expected that player's return as the net expects it
 * @param out gets the probabilities, 0 for actions that are not legal
 * @param doubt draws what few visits found towards the value mix, as so many visits that found the mix
 * @returns the return that the improved policy expects
 */
export function improvePolicy(
  logits: Float64Array,
  { visits, sums }: Statistics,
  mask: Uint8Array,
  expected: number,
  improvement: Improvement,
  out: Float64Array,
  doubt = 0,
): number {
  const A = out.length;
  const mix = mixedValue(logits, visits, sums, mask, expected);
  const scale = scaleOf(visits, improvement);
  let top = -Infinity;
  for (let a = 0; a < A; a++) {
    if (mask[a] === 0) continue;
    const n = visits[a]! + doubt;
    const score = logits[a]! + scale * (n > 0 ? (sums[a]! + doubt * mix) / n : mix);
    out[a] = score;
    if (score > top) top = score;
  }
  let sum = 0;
  for (let a = 0; a < A; a++) {
    out[a] = mask[a] === 0 ? 0 : Math.exp(out[a]! - top);
    sum += out[a]!;
  }
  let value = 0;
  for (let a = 0; a < A; a++) {
    out[a]! /= sum;
    if (mask[a] === 1) value += out[a]! * (visits[a]! > 0 ? sums[a]! / visits[a]! : mix);
  }
  return value;
}

/** What a unit of value adds to a logit. */
export function scaleOf(visits: Int32Array, { visitOffset, valueScale }: Improvement): number {
  let most = 0;
  for (let a = 0; a < visits.length; a++) if (visits[a]! > most) most = visits[a]!;
  return (visitOffset + most) * valueScale;
}

/** The value of actions that were not visited, see `improvePolicy`. */
export function mixedValue(
  logits: Float64Array,
  visits: Int32Array,
  sums: Float64Array,
  mask: Uint8Array,
  expected: number,
): number {
  let n = 0;
  let weight = 0;
  let weighed = 0;
  for (let a = 0; a < visits.length; a++) {
    if (mask[a] === 0 || visits[a] === 0) continue;
    // the least keeps the mean defined where all that was visited has a probability of almost 0
    const p = Math.max(Math.exp(logits[a]!), 1e-30);
    n += visits[a]!;
    weight += p;
    weighed += (p * sums[a]!) / visits[a]!;
  }
  return n === 0 ? expected : (expected + (n * weighed) / weight) / (1 + n);
}
