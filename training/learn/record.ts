import type { Agent, Decisions } from "../../agents/agent.js";
import { pickLegal } from "../../agents/random.js";
import { expectedReturns, type Game, Rng, type Seed } from "../../env/index.js";
import { playGames } from "./play.js";
import { RolloutBuffer } from "./rollout-buffer.js";

export interface RecordOptions {
  /** The expert of each player; players may share one. */
  readonly experts: readonly Agent[];
  readonly games: number;
  /**
   * Share of the decisions that are random in every second game of a seat. The expert's choice is recorded there too.
   */
  readonly epsilon: number;
  /** Plays the rest of those games (DAgger, Ross et al. 2011); the expert by default. */
  readonly rolloutPolicy?: Agent;
  readonly seed: Seed;
  /** How many games are played side by side. */
  readonly width?: number;
  /** Called after each game. */
  progress?(games: number, decisions: number): void;
}

/**
 * Labels each decision with the expert's choice and plays that of the rollout policy, or at random with probability
 * epsilon.
 */
class RecordingAgent implements Agent {
  readonly name: string;
  labels = new Int32Array(0);

  constructor(
    private readonly expert: Agent,
    private readonly rolloutPolicy: Agent,
    private readonly epsilon: number,
    private readonly rng: Rng,
  ) {
    this.name = expert.name;
  }

  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    await this.expert.act(decisions, out);
    if (this.labels.length < out.length) this.labels = new Int32Array(out.length);
    this.labels.set(out);
    if (this.rolloutPolicy !== this.expert) await this.rolloutPolicy.act(decisions, out);
    const A = decisions.game.actions.length;
    for (let i = 0; i < decisions.size; i++)
      if (this.rng.float() < this.epsilon) out[i] = pickLegal(decisions.mask, i * A, A, this.rng);
  }
}

/**
 * Plays games of experts and records every decision: `action` is the expert's choice, `target` the return of the acting
 * player in that game.
 */
export async function recordExpert(
  game: Game,
  { experts, games, epsilon, rolloutPolicy, seed, width = 256, progress }: RecordOptions,
): Promise<RolloutBuffer> {
  const samples = new RolloutBuffer(game);
  const rng = new Rng(`${seed}/noise`);
  const players = experts.map(
    (e) => [new RecordingAgent(e, e, 0, rng), new RecordingAgent(e, rolloutPolicy ?? e, epsilon, rng)] as const,
  );
  const explores = Array.from({ length: games }, () => experts.map(() => rng.below(2)));
  const indices: number[][] = Array.from({ length: games }, () => []);
  const expected = new Float32Array(game.players.length);
  let done = 0;
  await playGames(game, {
    count: games,
    width,
    seed: (n) => `${seed}/game/${n}`,
    seats: (n) => players.map((pair, p) => pair[explores[n]![p]! as 0 | 1]),
    onDecision: (n, agent, row, state, actor) => {
      indices[n]!.push(samples.add(state, actor, (agent as RecordingAgent).labels[row]!));
    },
    onEnd: (n, _returns, _decisions, state) => {
      expectedReturns(game, state, expected);
      for (const k of indices[n]!) samples.target[k] = expected[samples.actor[k]!]!;
      indices[n] = [];
      progress?.(++done, samples.size);
    },
  });
  return samples;
}
