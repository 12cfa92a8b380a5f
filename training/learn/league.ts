import { type Agent, canPlay, type Decisions } from "../../agents/agent.js";
import { sampleLegal } from "../../agents/onnx.js";
import { type Game, type Json, type JsonObject, Rng, type Seed } from "../../env/index.js";
import type { Net } from "../nets/net.js";

/** A net as an agent that samples its actions and keeps their log-probabilities and values. */
export class NetAgent implements Agent {
  /** Of the last `act`, by row: log-probability of the action, and value of the position. */
  logp: Float32Array = new Float32Array(0);
  value: Float32Array = new Float32Array(0);
  private readonly rng: Rng;

  constructor(
    readonly name: string,
    private readonly net: Net,
    seed: Seed,
  ) {
    this.rng = new Rng(seed);
  }

  async act({ game, size, observation, mask }: Decisions, out: Int32Array): Promise<void> {
    const A = game.actions.length;
    const { policy, value } = await this.net.evaluate(observation, mask, size);
    if (this.logp.length < out.length) this.logp = new Float32Array(out.length);
    this.value = value;
    for (let i = 0; i < size; i++) {
      const action = sampleLegal(policy, mask, i * A, A, 1, this.rng);
      out[i] = action;
      this.logp[i] = logProbability(policy, mask, i * A, A, action);
    }
  }
}

/** Log-probability of a legal action under a softmax over the legal ones. */
export function logProbability(logits: Float32Array, mask: Uint8Array, at: number, A: number, action: number): number {
  const chosen = logits[at + action]!;
  let sum = 0;
  for (let a = 0; a < A; a++) if (mask[at + a] === 1) sum += Math.exp(logits[at + a]! - chosen);
  return -Math.log(sum);
}

/** An opponent: a past snapshot of the net, or an agent by name. */
interface LeagueMember {
  readonly name: string;
  /** Weights of a snapshot; null for an agent by name. */
  readonly weights: Float32Array | null;
  /** Seats of the learner in which it can be met: it plays all the others. */
  meets: readonly boolean[];
  /** By the learner's seat: decayed number of games, and the learner's points in them. */
  readonly games: number[];
  readonly points: number[];
}

/** Weight of the records that remains after an update. */
const DECAY = 0.95;

/**
 * Opponents of the learner, by prioritised fictitious self-play (Vinyals et al. 2019): those that beat it more are
 * sampled more, separately for each seat. An opponent plays a whole game.
 */
export class League {
  private readonly members: LeagueMember[] = [];

  /** @param agents names of permanent members @param maxSnapshots most snapshots kept */
  constructor(
    private readonly game: Game,
    agents: readonly string[],
    private readonly maxSnapshots: number,
  ) {
    for (const name of agents) this.members.push(this.newMember(name, null));
  }

  private newMember(name: string, weights: Float32Array | null): LeagueMember {
    const { players } = this.game;
    return { name, weights, meets: players.map(() => true), games: players.map(() => 0), points: players.map(() => 0) };
  }

  get size(): number {
    return this.members.length;
  }

  nameOf(i: number): string {
    return this.members[i]!.name;
  }

  weightsOf(i: number): Float32Array | null {
    return this.members[i]!.weights;
  }

  /** Takes note of the players that the permanent members called `agent.name` can play. */
  restrict(name: string, agent: Pick<Agent, "players">): void {
    for (const m of this.members) if (m.weights === null && m.name === name) m.meets = learnerSeats(this.game, agent);
  }

  /** True when some member can be met by a learner in seat `player`. */
  hasOpponent(player: number): boolean {
    return this.members.some((m) => m.meets[player]);
  }

  /** Adds a copy of the weights; removes the weakest snapshot when there are too many. */
  addSnapshot(name: string, weights: Float32Array): void {
    this.members.push(this.newMember(name, weights.slice()));
    const snapshots = this.members.filter((m) => m.weights !== null);
    if (snapshots.length <= this.maxSnapshots) return;
    const ease = (m: LeagueMember) => this.game.players.reduce((sum, _, p) => sum + rate(m, p), 0);
    const old = snapshots.slice(0, -1); // the newest has no record yet
    this.members.splice(this.members.indexOf(old.reduce((worst, m) => (ease(m) > ease(worst) ? m : worst))), 1);
  }

  /**
   * Samples a member that a learner in seat `player` can meet, in proportion to (1 - win rate)^2 + 0.02. There is one.
   */
  sampleOpponent(player: number, rng: Rng): number {
    const weights = this.members.map((m) => (m.meets[player] ? (1 - rate(m, player)) ** 2 + 0.02 : 0));
    let left = rng.float() * weights.reduce((a, b) => a + b, 0);
    for (let i = 0; i < weights.length; i++) if ((left -= weights[i]!) < 0) return i;
    return weights.findLastIndex((w) => w > 0);
  }

  /** Adds games of the learner in seat `player` to the record. @param points 1 per win, 0.5 per draw */
  recordGames(i: number, player: number, games: number, points: number): void {
    const m = this.members[i]!;
    m.games[player]! += games;
    m.points[player]! += points;
  }

  /** Lowers the weight of old results, since the learner changes. Called once per update. */
  decayRecords(): void {
    for (const m of this.members)
      for (let p = 0; p < m.games.length; p++) {
        m.games[p]! *= DECAY;
        m.points[p]! *= DECAY;
      }
  }

  /** The learner's win rate by opponent and seat in which it can be met. */
  winRates(): Record<string, JsonObject> {
    return Object.fromEntries(
      this.members.map((m) => [
        m.name,
        Object.fromEntries(
          this.game.players.flatMap((p, i) => (m.meets[i] ? [[p, Number(rate(m, i).toFixed(3))]] : [])),
        ),
      ]),
    );
  }

  /** The state to resume from: records, and the weights of snapshots by name. */
  save(): { facts: Json; arrays: Record<string, Float32Array> } {
    const arrays: Record<string, Float32Array> = {};
    for (const m of this.members) if (m.weights !== null) arrays[`league/${m.name}`] = m.weights;
    return {
      facts: this.members.map(({ name, games, points, weights }) => ({
        name,
        games,
        points,
        snapshot: weights !== null,
      })),
      arrays,
    };
  }

  restore(facts: Json, arrays: Readonly<Record<string, Float32Array>>): void {
    const saved = facts as unknown as { name: string; games: number[]; points: number[]; snapshot: boolean }[];
    const meets = new Map(this.members.flatMap((m) => (m.weights === null ? [[m.name, m.meets]] : [])));
    this.members.length = 0;
    for (const { name, games, points, snapshot } of saved)
      this.members.push({
        ...this.newMember(name, null),
        games: [...games],
        points: [...points],
        weights: snapshot ? arrays[`league/${name}`]! : null,
        ...(!snapshot && meets.has(name) ? { meets: meets.get(name)! } : {}),
      });
  }
}

/** By seat of a learner: whether `agent` can play all the others. */
export const learnerSeats = (game: Game, agent: Pick<Agent, "players">): boolean[] =>
  game.players.map((_, seat) => game.players.every((_other, p) => p === seat || canPlay(agent, p)));

/** The learner's win rate against `m` from seat `player`, with a prior of one win and one loss. */
const rate = (m: LeagueMember, player: number): number => (m.points[player]! + 1) / (m.games[player]! + 2);
