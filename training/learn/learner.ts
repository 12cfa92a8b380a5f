import type { JsonObject } from "../../env/index.js";
import { Adam } from "./adam.js";
import type { Checkpoint } from "./checkpoint.js";
import type { Feed, Objective } from "../nets/engine.js";
import { ALONE, type Group, type SharedStep } from "./allreduce.js";
import type { Net } from "../nets/net.js";
import type { Minibatch } from "./rollout-buffer.js";

/** A net and its optimiser: takes steps down the gradient of an objective, with the other learners of its group. */
export class Learner {
  readonly adam: Adam;
  private readonly gradient: Float32Array;

  /** @param clip largest length of a gradient */
  constructor(
    readonly net: Net,
    clip: number,
    private readonly group: Group = ALONE,
  ) {
    const n = net.params.all.length;
    this.adam = new Adam(group.shared?.m ?? new Float32Array(n), group.shared?.v ?? new Float32Array(n), clip);
    this.gradient = new Float32Array(n);
  }

  /** Weights and optimiser, with whatever facts the caller adds. */
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

  /** One step down the gradient. @returns the losses before it, and the gradient's length as `norm` */
  async step(objective: Objective, feed: Feed, rate: number): Promise<Record<string, number>> {
    const { gradient, group, adam, net } = this;
    const { shared } = group;
    const losses = await net.program.gradient(objective, feed, shared?.gradients[group.rank] ?? gradient);
    const norm =
      shared === null ? Math.sqrt(squares(gradient, 0, gradient.length)) : this.share(shared, losses, feed.rows);
    const [from, to] = this.part(group.rank);
    adam.step(net.params.all, gradient, norm, rate, from, to);
    if (shared !== null) this.exchange(shared);
    net.upload();
    return { ...losses, norm };
  }

  /** The weights that the learner of a rank looks after. */
  private part(rank: number): [from: number, to: number] {
    const n = this.gradient.length;
    const { size } = this.group;
    return [Math.floor((n * rank) / size), Math.floor((n * (rank + 1)) / size)];
  }

  /**
   * Makes the losses, and this learner's part of `gradient`, those of the rows of all learners together.
   *
   * @returns length of the whole gradient
   */
  private share({ gradients }: SharedStep, losses: Record<string, number>, rows: number): number {
    const { gradient, group } = this;
    const names = Object.keys(losses);
    const sums = new Float64Array(names.length + group.size);
    names.forEach((name, i) => (sums[i] = losses[name]! * rows));
    const counts = sums.subarray(names.length); // rows by rank
    counts[group.rank] = rows;
    group.sum(sums); // and all gradients are written
    const all = counts.reduce((n, k) => n + k);
    names.forEach((name, i) => (losses[name] = sums[i]! / all));
    const [from, to] = this.part(group.rank);
    gradient.fill(0, from, to);
    gradients.forEach((one, rank) => add(gradient, one, counts[rank]! / all, from, to));
    const length = Float64Array.of(squares(gradient, from, to));
    group.sum(length);
    return Math.sqrt(length[0]!);
  }

  /** Gives this learner's part of the weights to the others, and takes theirs. */
  private exchange({ weights }: SharedStep): void {
    const { net, group } = this;
    const [from, to] = this.part(group.rank);
    weights.set(net.params.all.subarray(from, to), from);
    group.sum(new Float64Array(0)); // all are written; nobody writes again before all have come to the next step's sums
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

/** Means over the minibatches of an epoch or update. */
export class Means {
  private readonly sums: Record<string, number> = {};
  private count = 0;

  add(numbers: Readonly<Record<string, number>>): void {
    this.count++;
    for (const [name, x] of Object.entries(numbers)) this.sums[name] = (this.sums[name] ?? 0) + x;
  }

  take(): Record<string, number> {
    return Object.fromEntries(Object.entries(this.sums).map(([name, sum]) => [name, sum / this.count]));
  }
}

/** Mixes `order[0 .. n - 1]` (Fisher and Yates). @param below a random whole number under its argument */
export function shuffle(order: Int32Array, n: number, below: (n: number) => number): void {
  for (let i = n - 1; i > 0; i--) {
    const j = below(i + 1);
    const t = order[i]!;
    order[i] = order[j]!;
    order[j] = t;
  }
}
