import type { JsonObject } from "../env/index.js";
import { Adam } from "./adam.js";
import type { Checkpoint } from "./checkpoint.js";
import type { Feed, Objective } from "./engine.js";
import { ALONE, type Group } from "./group.js";
import type { Net } from "./net.js";
import type { Minibatch } from "./samples.js";

/** A net and its optimiser: takes steps down the gradient of an objective. */
export class Learner {
  readonly adam: Adam;
  private readonly gradient: Float32Array;
  /** What a group sums: the gradient, then up to `MOST_LOSSES` losses, then the number of rows. */
  private readonly parts: Float64Array;

  /** @param clip largest length of a gradient */
  constructor(
    readonly net: Net,
    clip: number,
    private readonly group: Group = ALONE,
  ) {
    const n = net.params.all.length;
    this.adam = new Adam(n, clip);
    this.gradient = new Float32Array(n);
    this.parts = new Float64Array(group.size === 1 ? 0 : sharedBy(net));
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
    const losses = await this.net.program.gradient(objective, feed, this.gradient);
    if (this.group.size > 1) this.average(losses, feed.rows);
    const norm = this.adam.step(this.net.params.all, this.gradient, rate);
    this.net.upload();
    return { ...losses, norm };
  }

  /** Makes gradient and losses those of the rows of all learners together. */
  private average(losses: Record<string, number>, rows: number): void {
    const { gradient, parts } = this;
    const n = gradient.length;
    const names = Object.keys(losses);
    for (let i = 0; i < n; i++) parts[i] = gradient[i]! * rows;
    names.forEach((name, i) => (parts[n + i] = losses[name]! * rows));
    parts[parts.length - 1] = rows;
    this.group.sum(parts);
    const all = parts[parts.length - 1]!;
    for (let i = 0; i < n; i++) gradient[i] = parts[i]! / all;
    names.forEach((name, i) => (losses[name] = parts[n + i]! / all));
  }
}

const MOST_LOSSES = 16;

/** Numbers that learners of this net share in a step. */
export const sharedBy = (net: Net): number => net.params.all.length + MOST_LOSSES + 1;

/** The first `n` rows of a loaded minibatch. */
export function feedOf({ observation, mask, columns }: Minibatch, n: number, scalars: Readonly<Record<string, number>> = {}): Feed {
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
