import { z } from "zod";
import type { Agent } from "../agents/agent.js";
import { makeAgent } from "../agents/registry.js";
import { type Game, InvariantError, type JsonObject, Rng } from "../env/index.js";
import { netSchema } from "./architecture.js";
import type { Checkpoint } from "./checkpoint.js";
import type { Objective } from "./engine.js";
import { League, NetAgent } from "./league.js";
import { feedOf, Learner, Means, shuffle } from "./learner.js";
import { Net } from "./net.js";
import { playGames } from "./play.js";
import { Minibatch, Samples } from "./samples.js";

/** A value that moves in a straight line over the run: `[at the start, at the end]`. */
const schedule = (from: number, to: number) => z.tuple([z.number().min(0), z.number().min(0)]).default([from, to]);

/**
 * Proximal policy optimisation by self-play. An update plays whole games from their start to their end, all seats of
 * some by the learner and one seat of the others, and learns from the learner's decisions in them.
 */
export const ppoSchema = z.strictObject({
  net: netSchema.default({ kind: "mlp", hidden: [256, 256] }),
  /** Length of the run. */
  updates: z.number().int().min(1).default(500),
  /** Games in an update. */
  games: z.number().int().min(2).default(256),
  /** Times each decision of an update is learnt from. */
  epochs: z.number().int().min(1).default(3),
  minibatch: z.number().int().min(1).default(2048),
  rate: schedule(5e-4, 5e-5),
  /** Weight of the entropy bonus, which keeps the policy trying things. */
  entropy: schedule(0.01, 0.002),
  /** How far a probability may move in an update, as a ratio. */
  clip: z.number().positive().default(0.2),
  /** An update ends early when the policy has moved this far (mean KL divergence). */
  maxKl: z.number().positive().default(0.03),
  /** Generalised advantage estimation: 0 trusts the value net, 1 the outcome. */
  lambda: z.number().min(0).max(1).default(0.95),
  valueWeight: z.number().min(0).default(0.5),
  /** Largest length of a gradient. */
  maxGradient: z.number().positive().default(0.5),
  /** Part of the games in which the learner plays every seat; 1 in solitaire games. */
  selfPlay: z.number().min(0).max(1).default(0.5),
  /** Agents by name that the learner meets besides its own snapshots. */
  opponents: z.array(z.string()).default([]),
  /** Different opponents in one update. */
  opponentsAtOnce: z.number().int().min(1).default(4),
  /** Updates between snapshots, and how many are kept as opponents. */
  snapshotEvery: z.number().int().min(1).default(20),
  snapshots: z.number().int().min(1).default(15),
});
export type PpoConfig = z.infer<typeof ppoSchema>;

/** One update in numbers: losses, win rates, sizes; times are not part of it, so that equal runs report equally. */
export type UpdateReport = JsonObject;

/** A training run. Same game, configuration, seed and backend: same weights, also across `save` and `restore`. */
export class Ppo {
  readonly net: Net;
  readonly learner: Learner;
  readonly league: League;
  /** Updates done. */
  update = 0;
  private readonly samples: Samples;
  private readonly batch: Minibatch;
  private readonly objective: Objective;

  constructor(
    readonly game: Game,
    readonly config: PpoConfig,
    readonly seed: string,
  ) {
    this.net = new Net(game, config.net, `${seed}/weights`);
    this.learner = new Learner(this.net, config.maxGradient);
    this.league = new League(game, game.players.length === 1 ? [] : config.opponents, config.snapshots);
    this.samples = new Samples(game);
    this.batch = new Minibatch(game, config.minibatch);
    this.objective = clippedObjective(game, config);
  }

  /** Plays and learns once. */
  async step(): Promise<UpdateReport> {
    const u = this.update;
    const results = await this.play(u);
    const losses = await this.learn(u);
    this.update = u + 1;
    this.league.fade();
    if (this.update % this.config.snapshotEvery === 0) this.league.addSnapshot(`snapshot:${this.update}`, this.net.params.all);
    return { update: this.update, ...results, ...losses };
  }

  /** Where a schedule stands. */
  private at([from, to]: readonly [number, number]): number {
    return from + ((to - from) * this.update) / this.config.updates;
  }

  private async play(u: number): Promise<JsonObject> {
    const { game, config, samples, league, seed } = this;
    const P = game.players.length;
    const G = config.games;
    samples.clear();
    const learner = new NetAgent("learner", this.net, `${seed}/act/${u}`);
    const selfGames = P === 1 || league.size === 0 ? G : Math.round(G * config.selfPlay);
    const opponents = await this.invite(u, selfGames === G ? 0 : config.opponentsAtOnce);
    /** Seat of the learner in game `n`, -1 for all; the others take turns. */
    const seatOf = (n: number): number => (n < selfGames ? -1 : (n - selfGames) % P);
    const guest = (n: number) => opponents[seatOf(n)]![Math.floor((n - selfGames) / P) % config.opponentsAtOnce]!;
    const moves = Array.from({ length: G }, () => game.players.map((): number[] => []));
    const tally = { self: 0, first: 0, guests: 0, points: 0, decisions: 0 };
    await playGames(game, {
      count: G,
      width: G,
      seed: (n) => `${seed}/game/${u}/${n}`,
      seats: (n) => game.players.map((_, p) => (seatOf(n) < 0 || seatOf(n) === p ? learner : guest(n).agent)),
      chosen: (n, agent, row, state, actor, action) => {
        if (agent !== learner) return;
        const k = samples.add(state, actor, action);
        samples.logp[k] = learner.logp[row]!;
        samples.value[k] = learner.value[row]!;
        moves[n]![actor]!.push(k);
      },
      ended: (n, returns, decisions) => {
        moves[n]!.forEach((own, p) => advantages(samples, own, returns[p]!, config.lambda));
        tally.decisions += decisions;
        const seat = seatOf(n);
        const points = (returns[Math.max(seat, 0)]! + 1) / 2;
        if (seat < 0) {
          tally.self++;
          tally.first += points;
        } else {
          tally.guests++;
          tally.points += points;
          league.enter(guest(n).member, seat, points);
        }
      },
    });
    for (const o of opponents.flat()) {
      o.net?.dispose();
      await o.agent.close?.();
    }
    return {
      games: G,
      decisions: tally.decisions,
      samples: samples.size,
      ...(tally.self > 0 ? { [P === 1 ? "points" : `${game.players[0]!}InSelfPlay`]: tally.first / tally.self } : {}),
      ...(tally.guests > 0 ? { againstLeague: tally.points / tally.guests } : {}),
    };
  }

  /** Opponents of an update, by the learner's seat. */
  private async invite(u: number, n: number): Promise<{ member: number; agent: Agent; net: Net | null }[][]> {
    const { game, league, seed } = this;
    const rng = new Rng(`${seed}/invite/${u}`);
    const seats: { member: number; agent: Agent; net: Net | null }[][] = [];
    for (let p = 0; p < game.players.length; p++) {
      const list: (typeof seats)[number] = [];
      for (let i = 0; i < n; i++) {
        const member = league.draw(p, rng);
        const weights = league.weightsOf(member);
        const own = `${seed}/guest/${u}/${p}/${i}`;
        if (weights === null) {
          list.push({ member, agent: await makeAgent(league.nameOf(member), { game, seed: own }), net: null });
          continue;
        }
        const net = new Net(game, this.config.net, 0);
        net.params.all.set(weights);
        net.upload();
        list.push({ member, agent: new NetAgent(league.nameOf(member), net, own), net });
      }
      seats.push(list);
    }
    return seats;
  }

  private async learn(u: number): Promise<Record<string, number>> {
    const { samples, config, batch, objective } = this;
    const n = samples.size;
    const explained = explainedVariance(samples);
    normalise(samples.advantage, n);
    const rate = this.at(config.rate);
    const entropy = this.at(config.entropy);
    const order = Int32Array.from({ length: n }, (_, i) => i);
    const rng = new Rng(`${this.seed}/order/${u}`);
    const size = Math.ceil(n / Math.ceil(n / config.minibatch)); // parts of equal size
    const means = new Means();
    let steps = 0;
    let moved = 0;
    for (let epoch = 0; epoch < config.epochs && moved <= config.maxKl; epoch++) {
      shuffle(order, n, (k) => rng.below(k));
      const kl = new Means();
      for (let from = 0; from < n; from += size) {
        const rows = order.subarray(from, Math.min(n, from + size));
        batch.load(samples, rows, 0, rows.length);
        const losses = await this.learner.step(objective, feedOf(batch, rows.length, { entropy }), rate);
        if (!Number.isFinite(losses["norm"])) throw new InvariantError(`update ${u + 1}: the gradient is no longer finite`);
        means.add(losses);
        kl.add({ kl: losses["kl"]! });
        steps++;
      }
      moved = kl.take()["kl"]!;
    }
    return { ...means.take(), explained, steps, rate, entropyWeight: entropy };
  }

  save(): Checkpoint {
    const league = this.league.save();
    const { facts, arrays } = this.learner.save({ update: this.update, league: league.facts });
    return { facts, arrays: { ...arrays, ...league.arrays } };
  }

  restore(saved: Checkpoint): void {
    this.update = saved.facts["update"] as number;
    this.learner.restore(saved);
    this.league.restore(saved.facts["league"]!, saved.arrays as Record<string, Float32Array>);
  }
}

/**
 * Generalised advantage estimation over one player's decisions in one finished game, in their order; the only reward is
 * the return at the end, and nothing is discounted. Writes `advantage` and `target`.
 */
export function advantages(samples: Samples, own: readonly number[], result: number, lambda: number): void {
  let advantage = 0;
  let next = result;
  for (let i = own.length - 1; i >= 0; i--) {
    const k = own[i]!;
    const value = samples.value[k]!;
    advantage = next - value + lambda * advantage;
    samples.advantage[k] = advantage;
    samples.target[k] = advantage + value;
    next = value;
  }
}

/** The part of the targets' variance that the value explained before learning. */
function explainedVariance(samples: Samples): number {
  const n = samples.size;
  let mean = 0;
  for (let i = 0; i < n; i++) mean += samples.target[i]! / n;
  let all = 0;
  let left = 0;
  for (let i = 0; i < n; i++) {
    all += (samples.target[i]! - mean) ** 2;
    left += (samples.target[i]! - samples.value[i]!) ** 2;
  }
  return all === 0 ? 0 : 1 - left / all;
}

/** Shifts and scales the first `n` numbers to mean 0 and deviation 1. */
function normalise(x: Float32Array, n: number): void {
  let mean = 0;
  for (let i = 0; i < n; i++) mean += x[i]! / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (x[i]! - mean) ** 2;
  const scale = 1 / (Math.sqrt(squares / n) + 1e-8);
  for (let i = 0; i < n; i++) x[i] = (x[i]! - mean) * scale;
}

/** The clipped objective, with the weight of the entropy as a scalar; reports entropy and the distance moved as `kl`. */
export function clippedObjective(game: Game, { clip, valueWeight }: { clip: number; valueWeight: number }): Objective {
  return {
    columns: { chosen: game.actions.length, logp: 1, advantage: 1, target: 1 },
    scalars: ["entropy"],
    build: (ops, { logits, value }) => {
      const logps = ops.logSoftmax(logits);
      const change = ops.sub(ops.sumRow(ops.mul(logps, ops.column("chosen"))), ops.column("logp"));
      const ratio = ops.exp(change);
      const advantage = ops.column("advantage");
      const clipped = ops.clip(ratio, 1 - clip, 1 + clip);
      const policy = ops.scale(ops.mean(ops.min(ops.mul(ratio, advantage), ops.mul(clipped, advantage))), -1);
      const surprise = ops.sub(value, ops.column("target"));
      const error = ops.mean(ops.mul(surprise, surprise));
      const entropy = ops.scale(ops.mean(ops.sumRow(ops.mul(ops.exp(logps), logps))), -1);
      // the mean of ratio - 1 - log ratio, which is never negative
      const kl = ops.mean(ops.sub(ops.shift(ratio, -1), change));
      const total = ops.sub(ops.add(policy, ops.scale(error, valueWeight)), ops.mul(entropy, ops.scalar("entropy")));
      return { total, policy, value: error, entropy, kl };
    },
  };
}
