import type { Agent } from "../../agents/agent.js";
import { expectedReturns, type Game, type State, type StateView } from "../../env/index.js";
import type { Net } from "../nets/net.js";
import { writeAdvantages } from "./advantages.js";
import type { AllReduce } from "./allreduce.js";
import type { League, NetAgent } from "./league.js";
import type { PlayOptions } from "./play.js";
import type { RollLuck } from "./roll-luck.js";
import type { RolloutBuffer } from "./rollout-buffer.js";

/** An opponent of an update: a member of the league. */
export interface Opponent {
  readonly member: number;
  readonly agent: Agent;
  /** Its weights, where it is a snapshot. */
  readonly net: Net | null;
}

/** Who sits where in the games of an update. All learners number the games alike. */
export class Seating {
  constructor(
    /** So many games, the first ones, have the learner in every seat. */
    private readonly selfGames: number,
    /** Seats that the learner takes in turn in the others. */
    private readonly seats: readonly number[],
    /** Its opponents there in turn, by its seat. */
    private readonly opponents: readonly (readonly Opponent[])[],
  ) {}

  /** Seat of the learner in game `n`; -1 for all. */
  seatOf(n: number): number {
    return n < this.selfGames ? -1 : this.seats[(n - this.selfGames) % this.seats.length]!;
  }

  /** @param n a game in which the learner has one seat */
  opponentOf(n: number): Opponent {
    const those = this.opponents[this.seatOf(n)]!;
    return those[Math.floor((n - this.selfGames) / this.seats.length) % those.length]!;
  }

  async close(): Promise<void> {
    for (const { net, agent } of this.opponents.flat()) {
      net?.dispose();
      await agent.close?.();
    }
  }
}

/** Counters of an update's games. */
interface Counts {
  selfPlayGames: number;
  /** Points of the first player in them. */
  firstPlayerPoints: number;
  leagueGames: number;
  learnerPoints: number;
  /** Length of all games. */
  decisions: number;
  samples: number;
}

/** Results of an update's games, of this learner and then of all. */
export class RolloutTally {
  readonly counts: Counts = {
    selfPlayGames: 0,
    firstPlayerPoints: 0,
    leagueGames: 0,
    learnerPoints: 0,
    decisions: 0,
    samples: 0,
  };
  /** By member of the league and seat of the learner: games, and the learner's points in them. */
  private readonly games: Float64Array;
  private readonly points: Float64Array;

  constructor(
    private readonly players: number,
    private readonly members: number,
  ) {
    this.games = new Float64Array(players * members);
    this.points = new Float64Array(players * members);
  }

  /** A game that the learner played with itself. */
  addSelfPlay(points: number): void {
    this.counts.selfPlayGames++;
    this.counts.firstPlayerPoints += points;
  }

  addLeagueGame(member: number, seat: number, points: number): void {
    this.counts.leagueGames++;
    this.counts.learnerPoints += points;
    this.games[member * this.players + seat]!++;
    this.points[member * this.players + seat]! += points;
  }

  /** From now on the results are those of all learners. */
  sum(allReduce: AllReduce): void {
    const names = Object.keys(this.counts) as (keyof Counts)[];
    const sums = Float64Array.from(names, (name) => this.counts[name]);
    allReduce.sum(sums);
    names.forEach((name, k) => (this.counts[name] = sums[k]!));
    allReduce.sum(this.games);
    allReduce.sum(this.points);
  }

  /** Tells the league how its members did. */
  record(league: League): void {
    for (let member = 0; member < this.members; member++)
      for (let seat = 0; seat < this.players; seat++) {
        const at = member * this.players + seat;
        league.recordGames(member, seat, this.games[at]!, this.points[at]!);
      }
  }
}

export interface RolloutOptions {
  readonly game: Game;
  readonly learner: NetAgent;
  readonly seating: Seating;
  /** Gets the learner's decisions. */
  readonly samples: RolloutBuffer;
  readonly tally: RolloutTally;
  /** Games of the update, of all learners. */
  readonly games: number;
  readonly allReduce: AllReduce;
  /** Of the games. */
  readonly seed: string;
  /** Luck of the rolls, where it is measured. */
  readonly rolls: RollLuck | null;
  /** Potential that shapes the rewards, and its weight. */
  readonly shaping: { readonly potential: (state: StateView) => number; readonly weight: number } | null;
  readonly lambda: number;
  /** True when samples learn how their games ended. */
  readonly finalStates: boolean;
}

/**
 * This learner's games of an update: learner r of R plays games r, r + R, ... and keeps its own decisions as samples.
 */
export class Rollouts implements PlayOptions {
  readonly count: number;
  readonly width: number;
  /** Samples by game and player, in the order of play. */
  private readonly moves: number[][][];
  private readonly expected: Float32Array;

  constructor(private readonly of: RolloutOptions) {
    const { game, games, allReduce } = of;
    this.count = this.width = Math.ceil((games - allReduce.rank) / allReduce.size);
    this.moves = Array.from({ length: this.count }, () => game.players.map((): number[] => []));
    this.expected = new Float32Array(game.players.length);
  }

  seed(i: number): string {
    return `${this.of.seed}/${this.numberOf(i)}`;
  }

  seats(i: number): Agent[] {
    const { game, seating, learner } = this.of;
    const n = this.numberOf(i);
    const seat = seating.seatOf(n);
    return game.players.map((_, p) => (seat < 0 || seat === p ? learner : seating.opponentOf(n).agent));
  }

  onDecision(i: number, agent: Agent, row: number, state: State, actor: number, action: number): void {
    const { learner, samples, rolls, shaping } = this.of;
    rolls?.note(state);
    if (agent !== learner) return;
    const k = samples.add(state, actor, action);
    samples.logp[k] = learner.logp[row]!;
    samples.value[k] = learner.value[row]!;
    if (shaping !== null)
      samples.potential[k] = (actor === 0 ? shaping.weight : -shaping.weight) * shaping.potential(state);
    this.moves[i]![actor]!.push(k);
  }

  onPlayed(i: number, state: State, action: number): void {
    const { rolls } = this.of;
    if (rolls === null || !rolls.rolled(state)) return;
    const last = this.moves[i]!.map((own) => own.at(-1));
    rolls.add(action, state, last);
  }

  async afterRound(): Promise<void> {
    this.of.allReduce.advance();
    await this.of.rolls?.flush(this.of.samples);
  }

  onEnd(i: number, returns: Float32Array, decisions: number, state: State): void {
    this.finishSamples(i, state);
    const { seating, tally } = this.of;
    tally.counts.decisions += decisions;
    const n = this.numberOf(i);
    const seat = seating.seatOf(n);
    const points = (returns[Math.max(seat, 0)]! + 1) / 2;
    if (seat < 0) tally.addSelfPlay(points);
    else tally.addLeagueGame(seating.opponentOf(n).member, seat, points);
  }

  /** Gives the samples of a game what only its end shows. */
  private finishSamples(i: number, end: State): void {
    const { game, samples, lambda, finalStates } = this.of;
    const own = this.moves[i]!;
    expectedReturns(game, end, this.expected);
    own.forEach((moves, p) => writeAdvantages(samples, moves, this.expected[p]!, lambda));
    if (!finalStates) return;
    const index = samples.addFinalState(end);
    for (const k of own.flat()) samples.finalStateIndex[k] = index;
  }

  /** Number of this learner's i-th game among those of all learners. */
  private numberOf(i: number): number {
    const { rank, size } = this.of.allReduce;
    return i * size + rank;
  }
}
