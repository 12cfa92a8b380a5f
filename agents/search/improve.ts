/** How strongly values change a policy. */
export interface Improvement {
  /** A unit of value adds `(visitOffset + visits of the action visited most) * valueScale` to a logit. */
  readonly visitOffset: number;
  readonly valueScale: number;
}

/**
 * The legal actions of a decision, in order, with what a policy and a search say of each: entry `k` of every array is
 * about `actions[k]`, and only the first `size` count. Searches come here at every step of every simulation, and few of
 * a game's actions are legal at a time.
 */
export class Choices {
  size = 0;
  /** int32: the legal actions. */
  readonly actions: Int32Array;
  /** Logarithms of the policy. */
  readonly logits: Float64Array;
  readonly visits: Int32Array;
  /** Simulations under way. */
  readonly pending: Int32Array;
  /** Sums of the returns of the player who acts. */
  readonly sums: Float64Array;
  /** The policy that `improvePolicy` made. */
  readonly improved: Float64Array;
  /** Visits of the action visited most, of those too that aren't legal in this world. */
  most = 0;
  /** Entry of each action, which holds only where that entry names the action. */
  private readonly entries: Int32Array;

  constructor(actions: number) {
    this.actions = new Int32Array(actions);
    this.logits = new Float64Array(actions);
    this.visits = new Int32Array(actions);
    this.pending = new Int32Array(actions);
    this.sums = new Float64Array(actions);
    this.improved = new Float64Array(actions);
    this.entries = new Int32Array(actions);
  }

  /** Takes the actions of a mask (uint8, its row begins at `at`). Nothing is known of them then. */
  take(mask: Uint8Array, at = 0): void {
    const { actions, entries } = this;
    let n = 0;
    for (let a = 0; a < entries.length; a++) {
      if (mask[at + a] === 0) continue;
      entries[a] = n;
      actions[n++] = a;
    }
    this.size = n;
    this.forget();
  }

  /** Forgets what was found of the actions. */
  forget(): void {
    const { visits, pending, sums, size } = this;
    for (let k = 0; k < size; k++) visits[k] = pending[k] = sums[k] = 0;
    this.most = 0;
  }

  /** Notes what was found of an action, legal or not. */
  note(action: number, visits: number, pending: number, sum: number): void {
    if (visits > this.most) this.most = visits;
    const k = this.entries[action]!;
    if (k >= this.size || this.actions[k] !== action) return;
    this.visits[k] = visits;
    this.pending[k] = pending;
    this.sums[k] = sum;
  }

  /** The mean return of an action; of one not visited `otherwise`. */
  meanOf(k: number, otherwise: number): number {
    return this.visits[k]! > 0 ? this.sums[k]! / this.visits[k]! : otherwise;
  }
}

/**
 * Writes the policy improved by a search (Danihelka et al. 2022) to `improved`: softmax of logits plus scaled values,
 * where actions not visited have the value mix, a mean of the node's own estimate and of what was found, weighed by the
 * policy.
 *
 * @param expected the return of the player who acts as the net expects it
 * @param doubt moves what few visits found towards the value mix, as if this many visits had found the mix
 * @returns the value mix
 */
export function improvePolicy(choices: Choices, expected: number, improvement: Improvement, doubt = 0): number {
  const { size, logits, visits, sums, improved } = choices;
  const mix = mixedValue(choices, expected);
  const scale = scaleOf(choices, improvement);
  let top = -Infinity;
  for (let k = 0; k < size; k++) {
    const n = visits[k]! + doubt;
    const score = logits[k]! + scale * (n > 0 ? (sums[k]! + doubt * mix) / n : mix);
    improved[k] = score;
    if (score > top) top = score;
  }
  let sum = 0;
  for (let k = 0; k < size; k++) {
    const p = Math.exp(improved[k]! - top);
    improved[k] = p;
    sum += p;
  }
  for (let k = 0; k < size; k++) improved[k]! /= sum;
  return mix;
}

/** The return that the improved policy expects. */
export function improvedReturn(choices: Choices, mix: number): number {
  let value = 0;
  for (let k = 0; k < choices.size; k++) value += choices.improved[k]! * choices.meanOf(k, mix);
  return value;
}

/** What a unit of value adds to a logit. */
export const scaleOf = ({ most }: Choices, { visitOffset, valueScale }: Improvement): number =>
  (visitOffset + most) * valueScale;

/** The value of actions that were not visited, see `improvePolicy`. */
export function mixedValue({ size, logits, visits, sums }: Choices, expected: number): number {
  let n = 0;
  let weight = 0;
  let weighed = 0;
  for (let k = 0; k < size; k++) {
    if (visits[k] === 0) continue;
    // the least keeps the mean defined where all that was visited has a probability of almost 0
    const p = Math.max(Math.exp(logits[k]!), 1e-30);
    n += visits[k]!;
    weight += p;
    weighed += (p * sums[k]!) / visits[k]!;
  }
  return n === 0 ? expected : (expected + (n * weighed) / weight) / (1 + n);
}
