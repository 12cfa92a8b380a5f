import { z } from "zod";
import { argmaxLegal } from "../../agents/onnx.js";
import { type Game, Rng, type Seed } from "../../env/index.js";
import { auxiliaryOf, netSchema } from "../nets/architecture.js";
import type { Checkpoint } from "./checkpoint.js";
import type { Objective } from "../nets/engine.js";
import { feedOf, Learner, MeanAccumulator, shuffle } from "./learner.js";
import { Net } from "../nets/net.js";
import { Minibatch, type RolloutBuffer } from "./rollout-buffer.js";
import { valueLoss } from "./value-loss.js";

/** Behaviour cloning: the policy learns an expert's choices by cross-entropy, the value the outcome of its games. */
export const imitateSchema = z.strictObject({
  net: netSchema
    .refine((net) => auxiliaryOf(net).length === 0, {
      message: "imitation teaches no auxiliary heads; leave them out",
      path: ["auxiliary"],
    })
    .default({ kind: "mlp", hidden: [256, 256] }),
  /** Passes over the recorded decisions. */
  epochs: z.number().int().min(1).default(8),
  minibatch: z.number().int().min(1).default(1024),
  /** Initial learning rate; a half cosine lowers it to a tenth. */
  rate: z.number().positive().default(1e-3),
  /** Weight of the value's loss (`valueLoss`) beside the policy's cross-entropy. */
  valueWeight: z.number().min(0).default(0.5),
  /** Largest norm of a gradient. */
  clip: z.number().positive().default(1),
  /** Share of the decisions held out to measure agreement. */
  heldOut: z.number().min(0).max(0.5).default(0.05),
});
export type ImitateConfig = z.infer<typeof imitateSchema>;

/** Results of an epoch. */
export interface EpochReport {
  /** From 1. */
  readonly epoch: number;
  /** Means over the epoch: `policy` (cross-entropy), `value` (squared error), `norm` (gradient). */
  readonly train: Readonly<Record<string, number>>;
  /** On held-out decisions: the share where the net's best action is the expert's, and the value's squared error. */
  readonly heldOut: { readonly agreement: number; readonly value: number } | null;
  readonly samples: number;
}

export interface ImitateRun {
  readonly seed: Seed;
  /** Players whose decisions are used, for learning and for measuring. Default: all. */
  readonly learnt?: readonly number[];
  /** Checkpoint to resume from. */
  readonly from?: Checkpoint;
  /** Called after each epoch with the state to resume from. */
  save?(checkpoint: Checkpoint): void;
  progress?(epoch: number, done: number, all: number): void;
  report?(epoch: EpochReport): void;
}

/** Trains a net on recorded decisions. Same samples, configuration and seed: same weights (on one backend). */
export async function imitate(
  game: Game,
  samples: RolloutBuffer,
  config: ImitateConfig,
  run: ImitateRun,
): Promise<Net> {
  const net = new Net(game, config.net, `${run.seed}/weights`);
  const learner = new Learner(net, config.clip);
  if (run.from) learner.restore(run.from);
  const order = Int32Array.from({ length: samples.size }, (_, i) => i);
  shuffleBySeed(order, `${run.seed}/held`);
  // before seats are filtered: nets of different seats hold out the same decisions
  const split = Math.floor(samples.size * config.heldOut);
  const learnt = (k: number): boolean => run.learnt?.includes(samples.actor[k]!) ?? true;
  const held = order.subarray(0, split).filter(learnt);
  const rest = order.subarray(split).filter(learnt);
  const heldOutCount = held.length;
  const batch = new Minibatch(game, config.minibatch);
  const objective = imitation(game, config.valueWeight);
  const steps = Math.ceil(rest.length / config.minibatch) * config.epochs;
  for (let epoch = (run.from?.facts["epoch"] as number | undefined) ?? 0; epoch < config.epochs; epoch++) {
    const learn = rest.slice();
    shuffleBySeed(learn, `${run.seed}/order/${epoch}`);
    const means = new MeanAccumulator();
    for (let from = 0; from < learn.length; from += config.minibatch) {
      const n = Math.min(config.minibatch, learn.length - from);
      const rate = config.rate * (0.55 + 0.45 * Math.cos((Math.PI * learner.adam.steps) / steps));
      batch.load(samples, learn, from, n);
      means.add(await learner.step(objective, feedOf(batch, n), rate));
      run.progress?.(epoch, from + n, learn.length);
      await new Promise(setImmediate); // lets signals through
    }
    run.save?.(learner.save({ epoch: epoch + 1 }));
    run.report?.({
      epoch: epoch + 1,
      train: means.means(),
      heldOut: heldOutCount > 0 ? await measureHeldOut(net, batch, samples, held) : null,
      samples: learn.length,
    });
  }
  return net;
}

function shuffleBySeed(order: Int32Array, seed: string): void {
  const rng = new Rng(seed);
  shuffle(order, order.length, (n) => rng.below(n));
}

/** Cross-entropy of the policy with the expert's choices, and the value's squared error. */
export function imitation(game: Game, valueWeight: number): Objective {
  return {
    columns: { chosen: game.actions.length, target: 1 },
    scalars: [],
    build: (ops, { logits, ...heads }) => {
      const policy = ops.scale(ops.mean(ops.sumRows(ops.mul(ops.logSoftmax(logits), ops.column("chosen")))), -1);
      const { loss, error } = valueLoss(ops, heads, ops.column("target"));
      return { total: ops.add(policy, ops.scale(loss, valueWeight)), policy, value: error };
    },
  };
}

async function measureHeldOut(
  net: Net,
  batch: Minibatch,
  samples: RolloutBuffer,
  rows: Int32Array,
): Promise<{ agreement: number; value: number }> {
  let agreed = 0;
  let squares = 0;
  for (let from = 0; from < rows.length; from += batch.capacity) {
    const n = Math.min(batch.capacity, rows.length - from);
    batch.load(samples, rows, from, n);
    const { policy, value } = await net.evaluate(batch.observation, batch.mask, n);
    const A = net.game.actions.length;
    for (let i = 0; i < n; i++) {
      const k = rows[from + i]!;
      if (argmaxLegal(policy, batch.mask, i * A, A) === samples.action[k]) agreed++;
      squares += (value[i]! - samples.target[k]!) ** 2;
    }
  }
  return { agreement: agreed / rows.length, value: squares / rows.length };
}
