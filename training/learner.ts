import type { JsonObject } from "../env/index.js";
import { Adam } from "./adam.js";
import type { Checkpoint } from "./checkpoint.js";
import type { Feed, Objective } from "./engine.js";
import type { Net } from "./net.js";
import type { Minibatch } from "./samples.js";

/** A net and its optimiser: takes steps down the gradient of an objective. */
export class Learner {
  readonly adam: Adam;
  private readonly gradient: Float32Array;

  constructor(
    readonly net: Net,
    clip: number,
  ) {
    this.adam = new Adam(net.params.all.length, clip);
    this.gradient = new Float32Array(net.params.all.length);
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
    const norm = this.adam.step(this.net.params.all, this.gradient, rate);
    this.net.upload();
    return { ...losses, norm };
  }
}

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
