import type { JsonObject } from "../env/index.js";
import { Adam } from "./adam.js";
import { tf } from "./backend.js";
import type { Checkpoint } from "./checkpoint.js";
import type { Net } from "./net.js";

/** Losses of one step by name; `total` is what is minimised. All scalars. */
export interface Losses {
  readonly total: tf.Scalar;
  readonly [name: string]: tf.Scalar;
}

/** A net and its optimiser: computes a loss, its gradient, and takes one step. */
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

  /** Writes the gradient of `losses().total` into `out`, in the order of the weights. @returns the losses */
  gradientOf(losses: () => Losses, out: Float32Array): Record<string, number> {
    let parts: Losses | undefined;
    const { value, grads } = tf.variableGrads(() => {
      parts = losses();
      for (const t of Object.values(parts)) tf.keep(t);
      return parts.total;
    }, [...this.net.variables]);
    let at = 0;
    for (const v of this.net.variables) {
      const g = grads[v.name]!;
      out.set(g.dataSync<"float32">(), at);
      at += g.size;
      g.dispose();
    }
    const numbers: Record<string, number> = {};
    for (const [name, t] of Object.entries(parts!)) {
      numbers[name] = t.dataSync<"float32">()[0]!;
      t.dispose();
    }
    value.dispose();
    return numbers;
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

  /** One step down the gradient of `losses().total`. @returns the losses before it, and the gradient's length as `norm` */
  step(losses: () => Losses, rate: number): Record<string, number> {
    const numbers = this.gradientOf(losses, this.gradient);
    const norm = this.adam.step(this.net.params.all, this.gradient, rate);
    this.net.upload();
    return { ...numbers, norm };
  }
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
