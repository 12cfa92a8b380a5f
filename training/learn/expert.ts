import { z } from "zod";
import type { Evaluator } from "../../agents/search/leaves.js";
import { expectedReturns, type Game, type JsonObject, KesselError, type Observation, Rng } from "../../env/index.js";
import { type AllReduce, SINGLE_LEARNER } from "./allreduce.js";
import { auxiliaryOf, netSchema } from "../nets/architecture.js";
import type { Checkpoint } from "./checkpoint.js";
import { playExpertGames } from "./expert-play.js";
import { imitation } from "./imitate.js";
import { feedOf, Learner, MeanAccumulator, shuffle } from "./learner.js";
import { Net } from "../nets/net.js";
import type { Objective } from "../nets/engine.js";
import { Replay, type ReplayMemory, replayMemory } from "./replay.js";
import { Minibatch } from "./rollout-buffer.js";
import { valueLoss } from "./value-loss.js";

/**
 * Expert iteration: a search with the net plays against itself, and the net learns what the search found (Gumbel
 * AlphaZero; Danihelka et al. 2022), for games with chance and hidden information.
 */
export const expertSchema = z.strictObject({
  net: netSchema.default({ kind: "mlp", hidden: [256, 256] }),
  /** Threads, each of which plays its share of the games; gradients are averaged at every step. */
  learners: z.number().int().min(1).max(64).default(1),
  /** Updates of the run. */
  updates: z.number().int().min(1).default(200),
  /** Games per update. */
  games: z.number().int().min(1).default(256),
  /** Most games that a learner plays side by side; up to 256 of their leaves go through the net together. */
  width: z.number().int().min(1).max(4096).default(256),
  /** Simulations of a full search; other decisions have a quarter. */
  simulations: z.number().int().min(1).default(32),
  /** Share of the decisions with a full search; only these are learnt from. */
  fullShare: z.number().positive().max(1).default(0.25),
  /** Most actions that the root of a search considers. */
  considered: z.number().int().min(1).default(16),
  /** A unit of value adds `(visitOffset + visits of the action visited most) * valueScale` to a logit. */
  visitOffset: z.number().min(0).default(50),
  valueScale: z.number().positive().default(0.5),
  /**
   * What the policy learns: the improved policy of the root; the action that the search chose; or to return as much as
   * the search found that its actions do (`gains`), a policy gradient over all actions, in which noise of the values
   * makes no policy softer. For the last two the full search has no noise at the root, so games differ by their dice
   * and by what the quick searches play.
   */
  target: z.enum(["policy", "choice", "gains"]).default("policy"),
  /**
   * Who plays the games: the searches, or the net itself, which draws from its policy. Then values are those of the
   * policy, and other decisions than those with a full search cost no simulation.
   */
  play: z.enum(["search", "policy"]).default("search"),
  /** With `gains`: weight of the cross-entropy with the policy that searched, which holds the new one near it. */
  magnet: z.number().positive().default(0.1),
  /**
   * In what is learnt, the value of an action is drawn to the mean as if this many visits had found the mean: with
   * dice, a few visits say little, and a target that follows them makes the policy ever softer.
   */
  doubt: z.number().min(0).default(16),
  /** Share of the game's outcome in the target of the value; the rest is what the search expected. */
  outcomeShare: z.number().min(0).max(1).default(0.5),
  /** Searched decisions that are kept to learn from, those of all learners. */
  replay: z.number().int().min(1).default(40_000),
  /** How often a searched decision is learnt from, on average. */
  reuse: z.number().positive().default(4),
  minibatch: z.number().int().min(1).default(1024),
  /** Learning rate, from first to last update. */
  rate: z.tuple([z.number().min(0), z.number().min(0)]).default([1e-3, 1e-4]),
  valueWeight: z.number().min(0).default(0.5),
  /** Largest norm of a gradient. */
  maxGradient: z.number().positive().default(1),
});
export type ExpertConfig = z.infer<typeof expertSchema>;

const COUNTERS = ["firstPlayerPoints", "decisions", "samples", "targetEntropy"] as const;

/** Memory of the replay buffers of all learners, by rank. */
export const expertMemory = (game: Game, { replay, learners, target }: ExpertConfig): ReplayMemory[] =>
  Array.from({ length: learners }, () => replayMemory(game, Math.ceil(replay / learners), target === "gains"));

/** A run. Game, configuration, seed and backend determine the weights, also across `save` and `restore`. */
export class ExpertIteration {
  readonly net: Net;
  /** Number of finished updates. */
  update = 0;
  /** Of this learner, in the last update: leaves that the net evaluated, its runs, and seconds spent in them. */
  private readonly inference = { leaves: 0, runs: 0, seconds: 0 };
  private readonly learner: Learner;
  private readonly replays: readonly Replay[];
  private readonly replay: Replay;
  private readonly batch: Minibatch;
  private readonly objective: Objective;
  private readonly evaluator: Evaluator;

  constructor(
    readonly game: Game,
    readonly config: ExpertConfig,
    readonly seed: string,
    private readonly allReduce: AllReduce = SINGLE_LEARNER,
    memory: readonly ReplayMemory[] = expertMemory(game, config),
  ) {
    if (auxiliaryOf(config.net).length > 0)
      throw new KesselError(
        "bad-config",
        "configuration: expert.net.auxiliary: expert iteration teaches no auxiliary heads; leave them out",
      );
    this.net = new Net(game, config.net, `${seed}/weights`);
    this.learner = new Learner(this.net, config.maxGradient, allReduce);
    this.replays = memory.map((m) => new Replay(game, m));
    this.replay = this.replays[allReduce.rank]!;
    this.batch = new Minibatch(game, Math.ceil(config.minibatch / allReduce.size));
    if (config.target === "gains") {
      this.batch.columns.gains = new Float32Array(this.batch.capacity * game.actions.length);
      this.objective = allActions(game, config);
    } else this.objective = imitation(game, config.valueWeight);
    const { net, inference } = this;
    this.evaluator = {
      run: async (observation: Observation, mask, n) => {
        const began = performance.now();
        const evaluation = await net.evaluate(observation, mask, n);
        inference.seconds += (performance.now() - began) / 1000;
        inference.leaves += n;
        inference.runs++;
        allReduce.advance();
        return evaluation;
      },
      close: () => Promise.resolve(),
    };
  }

  /** True when every learner continues. A collective call. */
  allContinue(continues: boolean): boolean {
    const votes = Float64Array.of(continues ? 1 : 0);
    this.allReduce.sum(votes);
    return votes[0] === this.allReduce.size;
  }

  /** Performs one update. @returns losses, rates and sizes; no times, so that equal runs have equal reports */
  async step(): Promise<JsonObject> {
    const played = await this.play();
    const learnt = await this.learn(played.samples);
    this.update++;
    return { update: this.update, ...played, ...learnt };
  }

  private async play() {
    const { game, config, allReduce, replay, inference, seed, update } = this;
    const { rank, size } = allReduce;
    inference.leaves = inference.runs = inference.seconds = 0;
    const expected = new Float32Array(game.players.length);
    const counters = new Float64Array(COUNTERS.length);
    const add = (name: (typeof COUNTERS)[number], x: number) => (counters[COUNTERS.indexOf(name)]! += x);
    await playExpertGames(game, this.evaluator, config, {
      count: Math.ceil((config.games - rank) / size),
      width: config.width,
      seed: (n) => `${seed}/game/${update}/${n * size + rank}`,
      onEnd: (_n, searched, returns, decisions, state) => {
        expectedReturns(game, state, expected);
        for (const s of searched) {
          replay.add(s, config.outcomeShare * expected[s.actor]! + (1 - config.outcomeShare) * s.value);
          add("targetEntropy", entropy(s.policy));
        }
        add("samples", searched.length);
        add("decisions", decisions);
        add("firstPlayerPoints", (returns[0]! + 1) / 2);
      },
    });
    allReduce.sum(counters);
    const [points, decisions, samples, entropies] = counters as unknown as [number, number, number, number];
    return {
      games: config.games,
      decisions,
      samples,
      [game.players.length === 1 ? "points" : `${game.players[0]!}InSelfPlay`]: points / config.games,
      targetEntropy: samples === 0 ? 0 : entropies / samples,
    };
  }

  /** @param fresh decisions that this update searched */
  private async learn(fresh: number): Promise<Record<string, number>> {
    const { config, allReduce, replay, batch, update } = this;
    const rate = config.rate[0] + ((config.rate[1] - config.rate[0]) * update) / config.updates;
    const empty = Float64Array.of(replay.size === 0 ? 1 : 0);
    allReduce.sum(empty); // no learner can take part in a step with nothing to learn from
    const steps = empty[0]! > 0 ? 0 : Math.max(1, Math.round((fresh * config.reuse) / config.minibatch));
    const rng = new Rng(`${this.seed}/order/${update}/${allReduce.rank}`);
    const n = replay.size;
    const order = Int32Array.from({ length: n }, (_, i) => i);
    const rows = Math.min(batch.capacity, n);
    const means = new MeanAccumulator();
    for (let step = 0, at = n; step < steps; step++, at += rows) {
      if (at + rows > n) {
        shuffle(order, n, (k) => rng.below(k));
        at = 0;
      }
      replay.load(batch, order.subarray(at, at + rows));
      means.add(await this.learner.step(this.objective, feedOf(batch, rows), rate));
    }
    return { ...means.means(), steps, rate };
  }

  /** Leaves that this learner's net evaluated a second, leaves a run, and the share of the update's time that took. */
  speeds(seconds: number): JsonObject {
    const { leaves, runs, seconds: inferring } = this.inference;
    return { leavesPerSecond: leaves / seconds, leavesPerRun: leaves / runs, inferenceShare: inferring / seconds };
  }

  /** The state to resume from. Only the leading learner has that of all, between updates. */
  save(): Checkpoint {
    const { facts, arrays } = this.learner.save({ update: this.update });
    return { facts, arrays: Object.assign({}, arrays, ...this.replays.map((r, rank) => r.save(`replay/${rank}`))) };
  }

  /** The leading learner restores the replay buffers of all. */
  restore(saved: Checkpoint): void {
    this.update = saved.facts["update"] as number;
    this.learner.restore(saved);
    if (this.allReduce.rank === 0) this.replays.forEach((r, rank) => r.restore(`replay/${rank}`, saved));
  }
}

/** The mean return of all actions as a search found them, less the divergence from the policy that searched. */
function allActions(game: Game, { magnet, valueWeight }: ExpertConfig): Objective {
  const A = game.actions.length;
  return {
    columns: { chosen: A, gains: A, target: 1 },
    scalars: [],
    build: (ops, { logits, ...heads }) => {
      const logps = ops.logSoftmax(logits);
      const gain = ops.mean(ops.sumRows(ops.mul(ops.exp(logps), ops.column("gains"))));
      const apart = ops.scale(ops.mean(ops.sumRows(ops.mul(logps, ops.column("chosen")))), -1);
      const { loss, error } = valueLoss(ops, heads, ops.column("target"));
      const policy = ops.sub(apart, ops.scale(gain, 1 / magnet));
      return { total: ops.add(policy, ops.scale(loss, valueWeight)), policy, gain, apart, value: error };
    },
  };
}

function entropy(p: Float32Array): number {
  let sum = 0;
  for (const x of p) if (x > 0) sum -= x * Math.log(x);
  return sum;
}
