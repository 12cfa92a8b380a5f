import { z } from "zod";
import { makeAgent } from "../../agents/registry.js";
import { type Game, type JsonObject, KesselError, oneOf, Rng, shown } from "../../env/index.js";
import { explainedVariance, normalise } from "./advantages.js";
import { auxiliaryOf, netSchema } from "../nets/architecture.js";
import { AUXILIARY } from "../nets/auxiliary.js";
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
import { type Opponent, type RolloutOptions, Rollouts, RolloutTally, Seating } from "./rollouts.js";
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
   * Draws the policy to that of some updates ago: `weight` of the divergence from it, renewed after `every` updates. In
   * games with hidden information self-play then ends near an equilibrium and not in a circle (magnetic mirror descent;
   * Sokota et al. 2023); null for none.
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
  /**
   * Seats that the learner takes in turn in the other games; empty: all. With one seat it learns to answer its
   * opponents there.
   */
  seats: z.array(z.string()).default([]),
  /** Names of further opponents besides snapshots; one that plays one side only is met by the learner on the other. */
  opponents: z.array(z.string()).default([]),
  /** Opponents per update. */
  opponentsAtOnce: z.number().int().min(1).default(4),
  /** Updates between snapshots, and most snapshots kept. */
  snapshotEvery: z.number().int().min(1).default(20),
  snapshots: z.number().int().min(1).default(15),
});
export type PpoConfig = z.infer<typeof ppoSchema>;

/** Results of an update: losses, win rates, sizes. It contains no times, so that equal runs have equal reports. */
export type UpdateReport = JsonObject;

/** A training run. Game, configuration, seed and backend determine the weights, also across `save` and `restore`. */
export class Ppo {
  readonly net: Net;
  readonly learner: Learner;
  readonly league: League;
  /** Number of finished updates. */
  update = 0;
  private prepared = false;
  private readonly samples: RolloutBuffer;
  private readonly batch: Minibatch;
  private readonly objective: Objective;
  /** The net whose policy is the magnet. */
  private readonly magnet: Net | null;
  /** Seats of the learner in league games. */
  private readonly seats: readonly number[];

  /** @param twin in another fight, whose weights and optimiser it shares */
  constructor(
    readonly game: Game,
    readonly config: PpoConfig,
    readonly seed: string,
    private readonly allReduce: AllReduce = SINGLE_LEARNER,
    twin?: Ppo,
  ) {
    this.net = new Net(game, config.net, twin?.net ?? `${seed}/weights`);
    this.learner = new Learner(this.net, config.maxGradient, allReduce, twin?.learner);
    this.league = new League(game, game.players.length === 1 ? [] : config.opponents, config.snapshots);
    this.samples = new RolloutBuffer(game);
    this.seats = config.seats.length === 0 ? game.players.map((_, p) => p) : seatsOf(game, config.seats, "ppo.seats");
    const auxiliary = auxiliaryOf(config.net);
    if (game.players.length === 1 && auxiliary.includes("otherUnits"))
      throw new KesselError(
        "bad-config",
        `configuration: ppo.net.auxiliary: ${game.type.id} has one player, so there are no otherUnits to predict`,
      );
    if (game.margin === undefined && auxiliary.includes("margin"))
      throw new KesselError(
        "bad-config",
        `configuration: ppo.net.auxiliary: ${game.type.id} does not report margins; remove "margin"`,
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

  /** True when every learner continues. A collective call. */
  allContinue(continues: boolean): boolean {
    const votes = Float64Array.of(continues ? 1 : 0);
    this.allReduce.sum(votes);
    return votes[0] === this.allReduce.size;
  }

  /**
   * Makes each opponent once and takes note of the seats it plays.
   *
   * @throws KesselError `bad-agent`, `bad-model`; `bad-config` for a seat in which the learner has nobody to meet
   */
  async prepare(): Promise<void> {
    const { game, league, config, seats } = this;
    for (const name of new Set(config.opponents)) {
      const agent = await makeAgent(name, { game, seed: "check" });
      league.restrict(name, agent);
      await agent.close?.();
    }
    this.prepared = true;
    if (league.size === 0 || config.selfPlay === 1) return;
    for (const seat of seats)
      if (!league.hasOpponent(seat))
        throw new KesselError(
          "bad-config",
          `configuration: ppo.opponents: no opponent can play the other side when the learner is ${game.players[seat]!}; ` +
            "add one that does, or restrict ppo.seats",
        );
  }

  /** Performs one update. */
  async step(): Promise<UpdateReport> {
    if (!this.prepared) await this.prepare();
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

  /** Plays the games of an update and fills the buffer with the learner's decisions. */
  private async collectRollouts(u: number): Promise<JsonObject> {
    const { game, config, samples, league, seed, allReduce } = this;
    samples.clear();
    const seating = await this.seat(u);
    const tally = new RolloutTally(game.players.length, league.size);
    const rollouts = new Rollouts({
      ...{ game, seating, samples, tally, allReduce, games: config.games, lambda: config.lambda },
      learner: new NetAgent("learner", this.net, `${seed}/act/${u}/${allReduce.rank}`),
      seed: `${seed}/game/${u}`,
      rolls: this.rollLuck(u),
      shaping: this.shaping(),
      finalStates: auxiliaryOf(config.net).some((name) => AUXILIARY[name].when === "end"),
    });
    await playGames(game, rollouts);
    await seating.close();
    tally.counts.samples = samples.size;
    tally.sum(allReduce);
    tally.record(league);
    return this.reportOf(tally);
  }

  private reportOf({ counts }: RolloutTally): JsonObject {
    const { players } = this.game;
    const { selfPlayGames, firstPlayerPoints, leagueGames, learnerPoints, decisions, samples } = counts;
    const inSelfPlay = players.length === 1 ? "points" : `${players[0]!}InSelfPlay`;
    return {
      games: this.config.games,
      decisions,
      samples,
      ...(selfPlayGames > 0 ? { [inSelfPlay]: firstPlayerPoints / selfPlayGames } : {}),
      ...(leagueGames > 0 ? { againstLeague: learnerPoints / leagueGames, leagueGames } : {}),
    };
  }

  private rollLuck(u: number): RollLuck | null {
    const { game, net, seed, allReduce } = this;
    const { games, alternatives } = this.config;
    if (alternatives === 0) return null;
    const own = Math.ceil((games - allReduce.rank) / allReduce.size);
    return new RollLuck(game, net, alternatives, own, `${seed}/rolls/${u}/${allReduce.rank}`);
  }

  private shaping(): RolloutOptions["shaping"] {
    const { shaping } = this.config;
    if (shaping === null) return null;
    return { potential: this.game.potentials[shaping.potential]!, weight: this.scheduled(shaping.weight) };
  }

  /** Who sits where in the games of an update, with opponents sampled by the learner's seat. */
  private async seat(u: number): Promise<Seating> {
    const { game, league } = this;
    const { games, selfPlay, opponentsAtOnce } = this.config;
    const selfGames = game.players.length === 1 || league.size === 0 ? games : Math.round(games * selfPlay);
    const rng = new Rng(`${this.seed}/invite/${u}`);
    const opponents: Opponent[][] = [];
    for (let p = 0; p < game.players.length; p++) {
      const list: Opponent[] = [];
      for (let i = 0; i < (selfGames === games ? 0 : opponentsAtOnce); i++)
        list.push(await this.opponent(league.sampleOpponent(p, rng), `${this.seed}/guest/${u}/${p}/${i}`));
      opponents.push(list);
    }
    return new Seating(selfGames, this.seats, opponents);
  }

  /** @param seed the same for all learners */
  private async opponent(member: number, seed: string): Promise<Opponent> {
    const { game, league } = this;
    const name = league.nameOf(member);
    const weights = league.weightsOf(member);
    const ownSeed = `${seed}/${this.allReduce.rank}`;
    if (weights === null) return { member, agent: await makeAgent(name, { game, seed: ownSeed }), net: null };
    const net = new Net(game, this.config.net, 0);
    net.params.all.set(weights);
    net.upload();
    return { member, agent: new NetAgent(name, net, ownSeed), net };
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
