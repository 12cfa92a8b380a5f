import { z } from "zod";
import type { Agent } from "../../agents/agent.js";
import { makeAgent } from "../../agents/registry.js";
import { expectedReturns, type Game, type JsonObject, KesselError, oneOf, Rng, shown } from "../../env/index.js";
import { writeAdvantages, explainedVariance, normalise } from "./advantages.js";
import { auxiliaryOf, netSchema } from "../nets/architecture.js";
import type { Checkpoint } from "./checkpoint.js";
import { clippedObjective } from "./clipped-objective.js";
import type { Objective } from "../nets/engine.js";
import { SINGLE_LEARNER, type AllReduce } from "./allreduce.js";
import { League, NetAgent } from "./league.js";
import { feedOf, Learner, MeanAccumulator, shuffle } from "./learner.js";
import { Net } from "../nets/net.js";
import { playGames } from "./play.js";
import { RollLuck } from "./roll-luck.js";
import { Minibatch, RolloutBuffer } from "./rollout-buffer.js";
import { seatsOf } from "./seats.js";

/** A linear schedule over the run: `[initial, final]`. */
const schedule = (from: number, to: number) => z.tuple([z.number().min(0), z.number().min(0)]).default([from, to]);

/**
 * Proximal policy optimisation (Schulman et al. 2017) by self-play. An update plays whole games, some with the learner
 * in every seat and the others with the learner in one seat, and learns from the learner's decisions.
 */
export const ppoSchema = z.strictObject({
  net: netSchema.default({ kind: "mlp", hidden: [256, 256] }),
  /** Threads, each of which plays its share of the games; gradients are averaged at every step. */
  learners: z.number().int().min(1).max(64).default(1),
  /** Updates of the run. */
  updates: z.number().int().min(1).default(500),
  /** Games per update. */
  games: z.number().int().min(2).default(256),
  /** Passes over the decisions of an update. */
  epochs: z.number().int().min(1).default(3),
  minibatch: z.number().int().min(1).default(2048),
  rate: schedule(5e-4, 5e-5),
  /** Weight of the entropy bonus. */
  entropy: schedule(0.01, 0.002),
  /**
   * Draws the policy to that of some updates ago: `weight` of the divergence from it, renewed `every` so many updates. In games
   * with hidden information self-play then ends near an equilibrium and not in a circle (magnetic mirror descent; Sokota et al.
   * 2023); null for none.
   */
  magnet: z
    .strictObject({ weight: z.number().positive(), every: z.number().int().min(1).default(10) })
    .nullable()
    .default(null),
  /** Clip range of the probability ratio. */
  clip: z.number().positive().default(0.2),
  /** The update stops early beyond this mean KL divergence. */
  maxKl: z.number().positive().default(0.03),
  /** Lambda of generalised advantage estimation: 0 uses the value net alone, 1 the outcome alone. */
  lambda: z.number().min(0).max(1).default(0.95),
  /**
   * Other rolls that are valued beside each roll of the dice, so that luck is taken out of the advantages (`RollLuck`);
   * 0 for none. Each costs the net one position a roll.
   */
  alternatives: z.number().int().min(0).max(64).default(0),
  valueWeight: z.number().min(0).default(0.5),
  /** Weight of the squared error of each auxiliary head that the net has. */
  auxiliaryWeight: z.number().min(0).default(0.5),
  /** Potential-based shaping: a potential of the game and the schedule of its weight; null for none. */
  shaping: z
    .strictObject({ potential: z.string(), weight: schedule(0.5, 0) })
    .nullable()
    .default(null),
  /** Largest norm of a gradient. */
  maxGradient: z.number().positive().default(0.5),
  /** Share of the games in which the learner plays every seat; 1 in solitaire games. */
  selfPlay: z.number().min(0).max(1).default(0.5),
  /** Seats that the learner takes in turn in the other games; empty: all. With one seat it learns to answer its opponents there. */
  seats: z.array(z.string()).default([]),
  /** Names of further opponents besides snapshots. */
  opponents: z.array(z.string()).default([]),
  /** Opponents per update. */
  opponentsAtOnce: z.number().int().min(1).default(4),
  /** Updates between snapshots, and most snapshots kept. */
  snapshotEvery: z.number().int().min(1).default(20),
  snapshots: z.number().int().min(1).default(15),
});
export type PpoConfig = z.infer<typeof ppoSchema>;

/** Counters of an update: self-play games and the first player's points, league games and the learner's points. */
const COUNTERS = [
  "selfPlayGames",
  "firstPlayerPoints",
  "leagueGames",
  "learnerPoints",
  "decisions",
  "samples",
] as const;

/** Results of an update: losses, win rates, sizes. It contains no times, so that equal runs have equal reports. */
export type UpdateReport = JsonObject;

/** A training run. Game, configuration, seed and backend determine the weights, also across `save` and `restore`. */
export class Ppo {
  readonly net: Net;
  readonly learner: Learner;
  readonly league: League;
  /** Number of finished updates. */
  update = 0;
  private readonly samples: RolloutBuffer;
  private readonly batch: Minibatch;
  private readonly objective: Objective;
  /** The net whose policy is the magnet. */
  private readonly magnet: Net | null;
  /** Seats of the learner in league games. */
  private readonly seats: readonly number[];

  constructor(
    readonly game: Game,
    readonly config: PpoConfig,
    readonly seed: string,
    private readonly allReduce: AllReduce = SINGLE_LEARNER,
  ) {
    this.net = new Net(game, config.net, `${seed}/weights`);
    this.learner = new Learner(this.net, config.maxGradient, allReduce);
    this.league = new League(game, game.players.length === 1 ? [] : config.opponents, config.snapshots);
    this.samples = new RolloutBuffer(game);
    this.seats = config.seats.length === 0 ? game.players.map((_, p) => p) : seatsOf(game, config.seats, "ppo.seats");
    const auxiliary = auxiliaryOf(config.net);
    if (game.players.length === 1 && auxiliary.includes("otherUnits"))
      throw new KesselError(
        "bad-config",
        `configuration: ppo.net.auxiliary: ${game.type.id} has one player, so there are no otherUnits to predict`,
      );
    if (config.shaping !== null && !Object.hasOwn(game.potentials, config.shaping.potential))
      throw new KesselError(
        "bad-config",
        `configuration: ppo.shaping.potential: ${game.type.id} has no potential ${shown(config.shaping.potential)}; it has ${oneOf(Object.keys(game.potentials))}`,
      );
    this.batch = new Minibatch(game, config.minibatch, auxiliary);
    this.magnet = config.magnet === null ? null : new Net(game, config.net, 0);
    if (this.magnet !== null) this.batch.columns.magnet = new Float32Array(config.minibatch * game.actions.length);
    this.objective = clippedObjective(game, config, auxiliary);
  }

  /** Whether every learner continues. A collective call. */
  allContinue(continues: boolean): boolean {
    const votes = Float64Array.of(continues ? 1 : 0);
    this.allReduce.sum(votes);
    return votes[0] === this.allReduce.size;
  }

  /** Performs one update. */
  async step(): Promise<UpdateReport> {
    const u = this.update;
    if (u % (this.config.magnet?.every ?? 1) === 0) this.setMagnet(this.net.params.all);
    const results = await this.collectRollouts(u);
    const losses = await this.optimise(u);
    this.update = u + 1;
    this.league.decayRecords();
    if (this.update % this.config.snapshotEvery === 0)
      this.league.addSnapshot(`snapshot:${this.update}`, this.net.params.all);
    return { update: this.update, ...results, ...losses };
  }

  private setMagnet(weights: Float32Array): void {
    this.magnet?.params.all.set(weights);
    this.magnet?.upload();
  }

  /** The current value of a schedule. */
  private scheduled([from, to]: readonly [number, number]): number {
    return from + ((to - from) * this.update) / this.config.updates;
  }

  private async collectRollouts(u: number): Promise<JsonObject> {
    const { game, config, samples, league, seed, allReduce, seats } = this;
    const P = game.players.length;
    const G = config.games;
    const expected = new Float32Array(P);
    samples.clear();
    const learner = new NetAgent("learner", this.net, `${seed}/act/${u}/${allReduce.rank}`);
    const selfGames = P === 1 || league.size === 0 ? G : Math.round(G * config.selfPlay);
    const opponents = await this.sampleOpponents(u, selfGames === G ? 0 : config.opponentsAtOnce);
    /** Seat of the learner in game `n`, -1 for all; in league games seats alternate. */
    const seatOf = (n: number): number => (n < selfGames ? -1 : seats[(n - selfGames) % seats.length]!);
    const opponentOf = (n: number) =>
      opponents[seatOf(n)]![Math.floor((n - selfGames) / seats.length) % config.opponentsAtOnce]!;
    /** Number of the i-th game of this learner: learner r plays games r, r + size, ... */
    const numberOf = (i: number): number => i * allReduce.size + allReduce.rank;
    const { shaping } = config;
    const potential = shaping === null ? null : game.potentials[shaping.potential]!;
    const weight = shaping === null ? 0 : this.scheduled(shaping.weight);
    const predictsFinalMap = auxiliaryOf(config.net).includes("finalMap");
    const count = Math.ceil((G - allReduce.rank) / allReduce.size);
    const moves = Array.from({ length: count }, () => game.players.map((): number[] => []));
    const counters = new Float64Array(COUNTERS.length);
    const add = (name: (typeof COUNTERS)[number], x: number) => (counters[COUNTERS.indexOf(name)]! += x);
    /** Games and points by member of the league and seat of the learner. */
    const results = new Float64Array(2 * P * league.size);
    const rolls =
      config.alternatives === 0
        ? null
        : new RollLuck(game, this.net, config.alternatives, count, `${seed}/rolls/${u}/${allReduce.rank}`);
    await playGames(game, {
      count,
      width: count,
      seed: (i) => `${seed}/game/${u}/${numberOf(i)}`,
      seats: (i) =>
        game.players.map((_, p) =>
          seatOf(numberOf(i)) < 0 || seatOf(numberOf(i)) === p ? learner : opponentOf(numberOf(i)).agent,
        ),
      onDecision: (i, agent, row, state, actor, action) => {
        rolls?.note(state);
        if (agent !== learner) return;
        const k = samples.add(state, actor, action);
        samples.logp[k] = learner.logp[row]!;
        samples.value[k] = learner.value[row]!;
        if (potential !== null) samples.potential[k] = (actor === 0 ? weight : -weight) * potential(state);
        moves[i]![actor]!.push(k);
      },
      afterRound: async () => {
        allReduce.advance();
        await rolls?.flush(samples);
      },
      ...(rolls !== null && {
        onPlayed: (i, state, action) => {
          if (!rolls.rolled(state)) return;
          const last = moves[i]!.map((own) => own.at(-1));
          rolls.add(action, state, last);
        },
      }),
      onEnd: (i, returns, decisions, state) => {
        expectedReturns(game, state, expected);
        moves[i]!.forEach((own, p) => writeAdvantages(samples, own, expected[p]!, config.lambda));
        if (predictsFinalMap) {
          const end = samples.addFinalState(state);
          for (const k of moves[i]!.flat()) samples.finalStateIndex[k] = end;
        }
        add("decisions", decisions);
        const seat = seatOf(numberOf(i));
        const points = (returns[Math.max(seat, 0)]! + 1) / 2;
        add(seat < 0 ? "selfPlayGames" : "leagueGames", 1);
        add(seat < 0 ? "firstPlayerPoints" : "learnerPoints", points);
        if (seat < 0) return;
        const at = 2 * (P * opponentOf(numberOf(i)).member + seat);
        results[at]!++;
        results[at + 1]! += points;
      },
    });
    for (const o of opponents.flat()) {
      o.net?.dispose();
      await o.agent.close?.();
    }
    add("samples", samples.size);
    allReduce.sum(counters);
    allReduce.sum(results);
    for (let m = 0; m < league.size; m++)
      for (let p = 0; p < P; p++) league.recordGames(m, p, results[2 * (P * m + p)]!, results[2 * (P * m + p) + 1]!);
    const [selfPlayGames, firstPoints, leagueGames, points, decisions, all] = counters as unknown as [
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
      ...(selfPlayGames > 0
        ? { [P === 1 ? "points" : `${game.players[0]!}InSelfPlay`]: firstPoints / selfPlayGames }
        : {}),
      ...(leagueGames > 0 ? { againstLeague: points / leagueGames, leagueGames } : {}),
    };
  }

  /** Samples the opponents of an update, by the learner's seat. */
  private async sampleOpponents(u: number, n: number): Promise<{ member: number; agent: Agent; net: Net | null }[][]> {
    const { game, league, seed, allReduce } = this;
    const rng = new Rng(`${seed}/invite/${u}`);
    const seats: { member: number; agent: Agent; net: Net | null }[][] = [];
    for (let p = 0; p < game.players.length; p++) {
      const list: (typeof seats)[number] = [];
      for (let i = 0; i < n; i++) {
        const member = league.sampleOpponent(p, rng);
        const weights = league.weightsOf(member);
        const opponentSeed = `${seed}/guest/${u}/${p}/${i}/${allReduce.rank}`;
        if (weights === null) {
          list.push({ member, agent: await makeAgent(league.nameOf(member), { game, seed: opponentSeed }), net: null });
          continue;
        }
        const net = new Net(game, this.config.net, 0);
        net.params.all.set(weights);
        net.upload();
        list.push({ member, agent: new NetAgent(league.nameOf(member), net, opponentSeed), net });
      }
      seats.push(list);
    }
    return seats;
  }

  private async optimise(u: number): Promise<Record<string, number>> {
    const { samples, config, batch, objective, allReduce, magnet } = this;
    const n = samples.size;
    const explained = explainedVariance(samples, allReduce);
    normalise(samples.advantage, n, allReduce);
    const rate = this.scheduled(config.rate);
    const entropy = this.scheduled(config.entropy);
    const order = Int32Array.from({ length: n }, (_, i) => i);
    const rng = new Rng(`${this.seed}/order/${u}/${allReduce.rank}`);
    const parts = this.minibatchCount(n);
    const means = new MeanAccumulator();
    let steps = 0;
    let moved = 0;
    for (let epoch = 0; epoch < config.epochs && moved <= config.maxKl; epoch++) {
      shuffle(order, n, (k) => rng.below(k));
      const kl = new MeanAccumulator();
      for (let part = 0; part < parts; part++) {
        // sizes differ by one at most
        const rows = order.subarray(Math.floor((n * part) / parts), Math.floor((n * (part + 1)) / parts));
        batch.load(samples, rows, 0, rows.length);
        if (magnet !== null)
          batch.columns.magnet!.set((await magnet.evaluate(batch.observation, batch.mask, rows.length)).policy);
        const losses = await this.learner.step(objective, feedOf(batch, rows.length, { entropy }), rate);
        means.add(losses);
        kl.add({ kl: losses["kl"]! });
        steps++;
      }
      moved = kl.means()["kl"]!;
    }
    return { ...means.means(), explained, steps, rate, entropyWeight: entropy };
  }

  /** Minibatches per epoch, the same number for all learners. */
  private minibatchCount(n: number): number {
    const { allReduce, config } = this;
    const sizes = new Float64Array(allReduce.size);
    sizes[allReduce.rank] = n;
    allReduce.sum(sizes);
    return Math.ceil((Math.max(...sizes) * allReduce.size) / config.minibatch);
  }

  /** The learner's recent points against the league. */
  standing(): JsonObject {
    return { league: this.league.winRates() };
  }

  save(): Checkpoint {
    const league = this.league.save();
    const { facts, arrays } = this.learner.save({ update: this.update, league: league.facts });
    const magnet = this.magnet === null ? {} : { magnet: this.magnet.params.all };
    return { facts, arrays: { ...arrays, ...league.arrays, ...magnet } };
  }

  restore(saved: Checkpoint): void {
    this.update = saved.facts["update"] as number;
    this.learner.restore(saved);
    this.league.restore(saved.facts["league"]!, saved.arrays as Record<string, Float32Array>);
    if (this.magnet !== null) this.setMagnet(saved.arrays["magnet"] as Float32Array);
  }
}
