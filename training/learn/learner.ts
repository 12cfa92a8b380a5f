import { InvariantError, type JsonObject } from "../../env/index.js";
import { Adam } from "./adam.js";
import type { Checkpoint } from "./checkpoint.js";
import type { Feed, Objective } from "../nets/engine.js";
import { SINGLE_LEARNER, type AllReduce, type SharedStep } from "./allreduce.js";
import type { Net } from "../nets/net.js";
import type { Minibatch } from "./rollout-buffer.js";

/** A net and its optimiser. Takes gradient steps, in common with the other learners if there are any. */
export class Learner {
  readonly adam: Adam;
  private readonly gradient: Float32Array;

  /**
   * @param clip largest norm of a gradient
   * @param twin the learner of a net that shares its weights: the two have one optimiser
   */
  constructor(
    readonly net: Net,
    clip: number,
    private readonly allReduce: AllReduce = SINGLE_LEARNER,
    twin?: Learner,
  ) {
    const n = net.params.all.length;
    const { m, v } = allReduce.shared ?? { m: new Float32Array(n), v: new Float32Array(n) };
    this.adam = twin?.adam ?? new Adam(m, v, clip);
    this.gradient = new Float32Array(n);
  }

  /** State of weights and optimiser, with further facts of the caller. */
  save(facts: JsonObject): Checkpoint {
    const { steps, m, v } = this.adam;
    return { facts: { ...facts, steps }, arrays: { weights: this.net.params.all, m, v } };
  }

  restore({ facts, arrays }: Checkpoint): void {
    this.net.params.all.set(arrays["weights"]!);
    this.net.upload();
    this.adam.steps = facts["steps"] as number;
    this.adam.m.set(arrays["m"]!);
    this.adam.v.set(arrays["v"]!);
  }

  /**
   * Takes one gradient step.
   *
   * @returns the losses before it, and the gradient's norm as `norm`
   * @throws InvariantError when the gradient is not finite; weights and optimiser are as before
   */
  async step(objective: Objective, feed: Feed, rate: number): Promise<Record<string, number>> {
    const { gradient, allReduce, adam, net } = this;
    let losses = await this.computeGradient(objective, feed);
    // a run has been seen to fail here once in thousands of updates, and not when it was repeated from its checkpoint;
    // learners agree on the norm, so all of them compute again
    if (!Number.isFinite(losses.norm)) losses = await this.computeGradient(objective, feed);
    if (!Number.isFinite(losses.norm))
      throw new InvariantError(
        "the gradient is not finite, computed twice; --resume goes on after the last checkpoint",
      );
    const [from, to] = this.shardOf(allReduce.rank);
    adam.step(net.params.all, gradient, losses.norm, rate, from, to);
    if (allReduce.shared !== null) this.gatherWeights(allReduce.shared);
    net.upload();
    return losses;
  }

  /** Computes this learner's shard of `gradient`. @returns the losses, and the norm of the whole gradient */
  private async computeGradient(objective: Objective, feed: Feed): Promise<Record<string, number> & { norm: number }> {
    const { gradient, allReduce, net } = this;
    const { shared } = allReduce;
    const losses = await net.program.gradient(objective, feed, shared?.gradients[allReduce.rank] ?? gradient);
    allReduce.advance();
    const norm =
      shared === null
        ? Math.sqrt(squares(gradient, 0, gradient.length))
        : this.reduceGradient(shared, losses, feed.rows);
    return { ...losses, norm };
  }

  /** The range of weights that the learner of a rank updates. */
  private shardOf(rank: number): [from: number, to: number] {
    const n = this.gradient.length;
    const { size } = this.allReduce;
    return [Math.floor((n * rank) / size), Math.floor((n * (rank + 1)) / size)];
  }

  /**
   * Averages the losses, and this learner's shard of `gradient`, over the rows of all learners (reduce-scatter).
   *
   * @returns norm of the whole gradient
   */
  private reduceGradient({ gradients }: SharedStep, losses: Record<string, number>, rows: number): number {
    const { gradient, allReduce } = this;
    const names = Object.keys(losses);
    const sums = new Float64Array(names.length + allReduce.size);
    names.forEach((name, i) => (sums[i] = losses[name]! * rows));
    const counts = sums.subarray(names.length); // rows by rank
    counts[allReduce.rank] = rows;
    allReduce.sum(sums); // also a barrier: all gradients are written
    const all = counts.reduce((n, k) => n + k);
    names.forEach((name, i) => (losses[name] = sums[i]! / all));
    const [from, to] = this.shardOf(allReduce.rank);
    gradient.fill(0, from, to);
    gradients.forEach((one, rank) => add(gradient, one, counts[rank]! / all, from, to));
    const length = Float64Array.of(squares(gradient, from, to));
    allReduce.sum(length);
    return Math.sqrt(length[0]!);
  }

  /** Exchanges the updated shards of the weights (all-gather). */
  private gatherWeights({ weights }: SharedStep): void {
    const { net, allReduce } = this;
    const [from, to] = this.shardOf(allReduce.rank);
    weights.set(net.params.all.subarray(from, to), from);
    allReduce.sum(new Float64Array(0)); // a barrier: all shards are written, and stay until the next step's sums
    net.params.all.set(weights);
  }
}

function add(to: Float32Array, x: Float32Array, factor: number, first: number, end: number): void {
  for (let i = first; i < end; i++) to[i]! += x[i]! * factor;
}

function squares(x: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += x[i]! * x[i]!;
  return sum;
}

/** The first `n` rows of a loaded minibatch. */
export function feedOf(
  { observation, mask, columns }: Minibatch,
  n: number,
  scalars: Readonly<Record<string, number>> = {},
): Feed {
  return { rows: n, observation, mask, columns, scalars };
}

/** Accumulates means over the minibatches of an epoch or update. */
export class MeanAccumulator {
  private readonly sums: Record<string, number> = {};
  private count = 0;

  add(numbers: Readonly<Record<string, number>>): void {
    this.count++;
    for (const [name, x] of Object.entries(numbers)) this.sums[name] = (this.sums[name] ?? 0) + x;
  }

  means(): Record<string, number> {
    return Object.fromEntries(Object.entries(this.sums).map(([name, sum]) => [name, sum / this.count]));
  }
}

/** Shuffles `order[0 .. n - 1]` (Fisher and Yates). @param below returns a random integer in 0 .. argument - 1 */
export function shuffle(order: Int32Array, n: number, below: (n: number) => number): void {
  for (let i = n - 1; i > 0; i--) {
    const j = below(i + 1);
    const t = order[i]!;
    order[i] = order[j]!;
    order[j] = t;
  }
}
