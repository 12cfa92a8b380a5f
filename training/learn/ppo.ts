import { z } from "zod";
import type { Agent } from "../../agents/agent.js";
import { makeAgent } from "../../agents/registry.js";
import { type Game, InvariantError, type JsonObject, KesselError, oneOf, Rng, shown } from "../../env/index.js";
import { advantages, explainedVariance, normalise } from "./advantages.js";
import { auxiliaryOf, netSchema } from "../nets/architecture.js";
import type { Checkpoint } from "./checkpoint.js";
import { clippedObjective } from "./clipped-objective.js";
import type { Objective } from "../nets/engine.js";
import { ALONE, type Group } from "./allreduce.js";
import { League, NetAgent } from "./league.js";
import { feedOf, Learner, Means, shuffle } from "./learner.js";
import { Net } from "../nets/net.js";
import { playGames } from "./play.js";
import { Minibatch, Samples } from "./rollout-buffer.js";

/** A value that moves in a straight line over the run: `[at the start, at the end]`. */
const schedule = (from: number, to: number) => z.tuple([z.number().min(0), z.number().min(0)]).default([from, to]);

/**
 * Proximal policy optimisation by self-play. An update plays whole games from their start to their end, all seats of
 * some by the learner and one seat of the others, and learns from the learner's decisions in them.
 */
export const ppoSchema = z.strictObject({
  net: netSchema.default({ kind: "mlp", hidden: [256, 256] }),
  /** Threads that learn together, each from its part of the games; their gradients are averaged at every step. */
  learners: z.number().int().min(1).max(64).default(1),
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
  /** Weight of the squared error of each auxiliary head that the net has. */
  auxiliaryWeight: z.number().min(0).default(0.5),
  /** A potential of the game whose changes are rewarded on the way, with its weight at the start and at the end of the run; null for none. */
  shaping: z
    .strictObject({ potential: z.string(), weight: schedule(0.5, 0) })
    .nullable()
    .default(null),
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

/** What is counted while playing: games against itself with the first player's points, games against guests with the learner's. */
const TALLY = ["self", "first", "guests", "points", "decisions", "samples"] as const;

/** One update in numbers: losses, win rates, sizes; times are not part of it, so that equal runs report equally. */
export type UpdateReport = JsonObject;

/** A training run. Same game, configuration (the number of learners with it), seed and backend: same weights, also across `save` and `restore`. */
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
    private readonly group: Group = ALONE,
  ) {
    this.net = new Net(game, config.net, `${seed}/weights`);
    this.learner = new Learner(this.net, config.maxGradient, group);
    this.league = new League(game, game.players.length === 1 ? [] : config.opponents, config.snapshots);
    this.samples = new Samples(game);
    const auxiliary = auxiliaryOf(config.net);
    if (game.players.length === 1 && auxiliary.includes("otherUnits"))
      throw new KesselError(
        "bad-config",
        `configuration: ppo.net.auxiliary: ${game.type.id} has one player, so there are no otherUnits to foretell`,
      );
    if (config.shaping !== null && !Object.hasOwn(game.potentials, config.shaping.potential))
      throw new KesselError(
        "bad-config",
        `configuration: ppo.shaping.potential: ${game.type.id} has no potential ${shown(config.shaping.potential)}; it has ${oneOf(Object.keys(game.potentials))}`,
      );
    this.batch = new Minibatch(game, config.minibatch, auxiliary);
    this.objective = clippedObjective(game, config, auxiliary);
  }

  /** Whether all learners of the group want to go on. */
  goesOn(willing: boolean): boolean {
    const votes = Float64Array.of(willing ? 1 : 0);
    this.group.sum(votes);
    return votes[0] === this.group.size;
  }

  /** Plays and learns once. */
  async step(): Promise<UpdateReport> {
    const u = this.update;
    const results = await this.play(u);
    const losses = await this.learn(u);
    this.update = u + 1;
    this.league.fade();
    if (this.update % this.config.snapshotEvery === 0)
      this.league.addSnapshot(`snapshot:${this.update}`, this.net.params.all);
    return { update: this.update, ...results, ...losses };
  }

  /** Where a schedule stands. */
  private at([from, to]: readonly [number, number]): number {
    return from + ((to - from) * this.update) / this.config.updates;
  }

  private async play(u: number): Promise<JsonObject> {
    const { game, config, samples, league, seed, group } = this;
    const P = game.players.length;
    const G = config.games;
    samples.clear();
    const learner = new NetAgent("learner", this.net, `${seed}/act/${u}/${group.rank}`);
    const selfGames = P === 1 || league.size === 0 ? G : Math.round(G * config.selfPlay);
    const opponents = await this.invite(u, selfGames === G ? 0 : config.opponentsAtOnce);
    /** Seat of the learner in game `n`, -1 for all; the others take turns. */
    const seatOf = (n: number): number => (n < selfGames ? -1 : (n - selfGames) % P);
    const guest = (n: number) => opponents[seatOf(n)]![Math.floor((n - selfGames) / P) % config.opponentsAtOnce]!;
    /** Every learner plays every so-many-eth of the games. */
    const numberOf = (i: number): number => i * group.size + group.rank;
    const { shaping } = config;
    const potential = shaping === null ? null : game.potentials[shaping.potential]!;
    const weight = shaping === null ? 0 : this.at(shaping.weight);
    const foretelling = auxiliaryOf(config.net).includes("finalMap");
    const count = Math.ceil((G - group.rank) / group.size);
    const moves = Array.from({ length: count }, () => game.players.map((): number[] => []));
    const tally = new Float64Array(TALLY.length);
    const add = (name: (typeof TALLY)[number], x: number) => (tally[TALLY.indexOf(name)]! += x);
    /** Games and points by member of the league and seat of the learner. */
    const results = new Float64Array(2 * P * league.size);
    await playGames(game, {
      count,
      width: count,
      seed: (i) => `${seed}/game/${u}/${numberOf(i)}`,
      seats: (i) =>
        game.players.map((_, p) =>
          seatOf(numberOf(i)) < 0 || seatOf(numberOf(i)) === p ? learner : guest(numberOf(i)).agent,
        ),
      chosen: (i, agent, row, state, actor, action) => {
        if (agent !== learner) return;
        const k = samples.add(state, actor, action);
        samples.logp[k] = learner.logp[row]!;
        samples.value[k] = learner.value[row]!;
        if (potential !== null) samples.potential[k] = (actor === 0 ? weight : -weight) * potential(state);
        moves[i]![actor]!.push(k);
      },
      ended: (i, returns, decisions, state) => {
        moves[i]!.forEach((own, p) => advantages(samples, own, returns[p]!, config.lambda));
        if (foretelling) {
          const end = samples.addEnd(state);
          for (const k of moves[i]!.flat()) samples.end[k] = end;
        }
        add("decisions", decisions);
        const seat = seatOf(numberOf(i));
        const points = (returns[Math.max(seat, 0)]! + 1) / 2;
        add(seat < 0 ? "self" : "guests", 1);
        add(seat < 0 ? "first" : "points", points);
        if (seat < 0) return;
        const at = 2 * (P * guest(numberOf(i)).member + seat);
        results[at]!++;
        results[at + 1]! += points;
      },
    });
    for (const o of opponents.flat()) {
      o.net?.dispose();
      await o.agent.close?.();
    }
    add("samples", samples.size);
    group.sum(tally);
    group.sum(results);
    for (let m = 0; m < league.size; m++)
      for (let p = 0; p < P; p++) league.enter(m, p, results[2 * (P * m + p)]!, results[2 * (P * m + p) + 1]!);
    const [self, first, guests, points, decisions, all] = tally as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return {
      games: G,
      decisions,
      samples: all,
      ...(self > 0 ? { [P === 1 ? "points" : `${game.players[0]!}InSelfPlay`]: first / self } : {}),
      ...(guests > 0 ? { againstLeague: points / guests, leagueGames: guests } : {}),
    };
  }

  /** Opponents of an update, by the learner's seat. */
  private async invite(u: number, n: number): Promise<{ member: number; agent: Agent; net: Net | null }[][]> {
    const { game, league, seed, group } = this;
    const rng = new Rng(`${seed}/invite/${u}`);
    const seats: { member: number; agent: Agent; net: Net | null }[][] = [];
    for (let p = 0; p < game.players.length; p++) {
      const list: (typeof seats)[number] = [];
      for (let i = 0; i < n; i++) {
        const member = league.draw(p, rng);
        const weights = league.weightsOf(member);
        const own = `${seed}/guest/${u}/${p}/${i}/${group.rank}`;
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
    const { samples, config, batch, objective, group } = this;
    const n = samples.size;
    const explained = explainedVariance(samples, group);
    normalise(samples.advantage, n, group);
    const rate = this.at(config.rate);
    const entropy = this.at(config.entropy);
    const order = Int32Array.from({ length: n }, (_, i) => i);
    const rng = new Rng(`${this.seed}/order/${u}/${group.rank}`);
    const parts = this.partsOf(n);
    const means = new Means();
    let steps = 0;
    let moved = 0;
    for (let epoch = 0; epoch < config.epochs && moved <= config.maxKl; epoch++) {
      shuffle(order, n, (k) => rng.below(k));
      const kl = new Means();
      for (let part = 0; part < parts; part++) {
        const rows = order.subarray(Math.floor((n * part) / parts), Math.floor((n * (part + 1)) / parts)); // of equal size
        batch.load(samples, rows, 0, rows.length);
        const losses = await this.learner.step(objective, feedOf(batch, rows.length, { entropy }), rate);
        if (!Number.isFinite(losses["norm"]))
          throw new InvariantError(`update ${u + 1}: the gradient is no longer finite`);
        means.add(losses);
        kl.add({ kl: losses["kl"]! });
        steps++;
      }
      moved = kl.take()["kl"]!;
    }
    return { ...means.take(), explained, steps, rate, entropyWeight: entropy };
  }

  /** Minibatches of an epoch: as many for all learners, none too large for anybody. */
  private partsOf(n: number): number {
    const { group, config } = this;
    const sizes = new Float64Array(group.size);
    sizes[group.rank] = n;
    group.sum(sizes);
    return Math.ceil((Math.max(...sizes) * group.size) / config.minibatch);
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
