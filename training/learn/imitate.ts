import { z } from "zod";
import { argmaxLegal } from "../../agents/onnx.js";
import { type Game, Rng, type Seed } from "../../env/index.js";
import { auxiliaryOf, netSchema } from "../nets/architecture.js";
import { SINGLE_LEARNER } from "./allreduce.js";
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
  readonly heldOut: {
    readonly agreement: number;
    readonly value: number;
    /** Agreement by fight, where the net learns several. */
    readonly fights?: readonly number[];
  } | null;
  readonly samples: number;
}

/** Recorded decisions of a fight. */
export interface Lesson {
  readonly game: Game;
  readonly samples: RolloutBuffer;
  /** Decisions of a minibatch. */
  readonly minibatch: number;
}

export interface ImitateRun {
  readonly seed: Seed;
  /** Players whose decisions are used, for learning and for measuring. Default: all. */
  readonly learnt?: readonly number[];
  /** Further fights that the same net learns; its kind is `pooled` then. */
  readonly more?: readonly Lesson[];
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
  const first = new Pupil({ game, samples, minibatch: config.minibatch }, config, run, run.seed);
  const pupils = [
    first,
    ...(run.more ?? []).map((lesson, k) => new Pupil(lesson, config, run, `${run.seed}/${k + 1}`, first)),
  ];
  const { learner } = first;
  if (run.from) learner.restore(run.from);
  const size = pupils.reduce((n, p) => n + p.rest.length, 0);
  const steps = pupils.reduce((n, p) => n + p.stepCount, 0) * config.epochs;
  for (let epoch = (run.from?.facts["epoch"] as number | undefined) ?? 0; epoch < config.epochs; epoch++) {
    const means = new MeanAccumulator();
    let done = 0;
    for (const pupil of turns(pupils, epoch, run.seed)) {
      const rate = config.rate * (0.55 + 0.45 * Math.cos((Math.PI * learner.adam.steps) / steps));
      const { losses, n } = await pupil.step(rate);
      means.add(losses);
      run.progress?.(epoch, (done += n), size);
      await new Promise(setImmediate); // lets signals through
    }
    run.save?.(learner.save({ epoch: epoch + 1 }));
    run.report?.({ epoch: epoch + 1, train: means.means(), heldOut: await heldOutOf(pupils), samples: size });
  }
  return first.learner.net;
}

/** The net in one fight, with what it learns there. */
class Pupil {
  readonly learner: Learner;
  /** Decisions that are learnt from. */
  readonly rest: Int32Array;
  readonly stepCount: number;
  private readonly held: Int32Array;
  private readonly batch: Minibatch;
  private readonly objective: Objective;
  /** Decisions of the epoch in their order, and how many are done. */
  private order = new Int32Array(0);
  private at = 0;

  /** @param twin in another fight, whose weights and optimiser it shares */
  constructor(
    private readonly lesson: Lesson,
    config: ImitateConfig,
    { learnt: players }: ImitateRun,
    private readonly seed: Seed,
    twin?: Pupil,
  ) {
    const { game, samples, minibatch } = lesson;
    const net = new Net(game, config.net, twin?.learner.net ?? `${seed}/weights`);
    this.learner = new Learner(net, config.clip, SINGLE_LEARNER, twin?.learner);
    const order = Int32Array.from({ length: samples.size }, (_, i) => i);
    shuffleBySeed(order, `${seed}/held`);
    // before seats are filtered: nets of different seats hold out the same decisions
    const split = Math.floor(samples.size * config.heldOut);
    const learnt = (k: number): boolean => players?.includes(samples.actor[k]!) ?? true;
    this.held = order.subarray(0, split).filter(learnt);
    this.rest = order.subarray(split).filter(learnt);
    this.stepCount = Math.ceil(this.rest.length / minibatch);
    this.batch = new Minibatch(game, minibatch);
    this.objective = imitation(game, config.valueWeight);
  }

  beginEpoch(epoch: number): void {
    this.order = this.rest.slice();
    this.at = 0;
    shuffleBySeed(this.order, `${this.seed}/order/${epoch}`);
  }

  /** Learns the next minibatch of the epoch, of `n` decisions. */
  async step(rate: number): Promise<{ losses: Record<string, number>; n: number }> {
    const { batch, order, lesson, learner, objective, at } = this;
    const n = Math.min(lesson.minibatch, order.length - at);
    batch.load(lesson.samples, order, at, n);
    this.at += n;
    return { losses: await learner.step(objective, feedOf(batch, n), rate), n };
  }

  /** Of the decisions held out: their number, how many the net agrees on, and the sum of the value's squared errors. */
  async measure(): Promise<HeldOut> {
    return measureHeldOut(this.learner.net, this.batch, this.lesson.samples, this.held);
  }
}

/** Whose minibatch comes next in an epoch: minibatches of all fights come mixed. */
function turns(pupils: readonly Pupil[], epoch: number, seed: Seed): readonly Pupil[] {
  for (const pupil of pupils) pupil.beginEpoch(epoch);
  const turns = pupils.flatMap((pupil) => new Array<Pupil>(pupil.stepCount).fill(pupil));
  const order = Int32Array.from(turns, (_, i) => i);
  if (pupils.length > 1) shuffleBySeed(order, `${seed}/turns/${epoch}`);
  return Array.from(order, (i) => turns[i]!);
}

interface HeldOut {
  readonly count: number;
  readonly agreed: number;
  readonly squares: number;
}

async function heldOutOf(pupils: readonly Pupil[]): Promise<EpochReport["heldOut"]> {
  const all: HeldOut[] = [];
  for (const pupil of pupils) all.push(await pupil.measure());
  const sum = (of: keyof HeldOut): number => all.reduce((n, one) => n + one[of], 0);
  if (sum("count") === 0) return null;
  const { agreement, value } = { agreement: sum("agreed") / sum("count"), value: sum("squares") / sum("count") };
  return all.length === 1
    ? { agreement, value }
    : { agreement, value, fights: all.map(({ agreed, count }) => agreed / count) };
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

async function measureHeldOut(net: Net, batch: Minibatch, samples: RolloutBuffer, rows: Int32Array): Promise<HeldOut> {
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
  return { count: rows.length, agreed, squares };
}
