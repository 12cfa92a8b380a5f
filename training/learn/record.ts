import type { Agent, Decisions } from "../../agents/agent.js";
import { pickLegal } from "../../agents/random.js";
import { type Game, Rng, type Seed } from "../../env/index.js";
import { playGames } from "./play.js";
import { Samples } from "./rollout-buffer.js";

export interface Recording {
  /** The expert of each player; players may share one. */
  readonly experts: readonly Agent[];
  readonly games: number;
  /** In every second game of a seat, the part of its decisions played at random. What the expert would have done is recorded all the same. */
  readonly noise: number;
  /** Who plays the rest of those games; the expert by default. */
  readonly wanderer?: Agent;
  readonly seed: Seed;
  /** How many games are played side by side. */
  readonly width?: number;
  /** Called after each game. */
  progress?(games: number, decisions: number): void;
}

/** Asks the expert; lets another play, or chance sometimes, so that the records show how to get out of trouble too. */
class Wandering implements Agent {
  readonly name: string;
  labels = new Int32Array(0);

  constructor(
    private readonly expert: Agent,
    private readonly player: Agent,
    private readonly noise: number,
    private readonly rng: Rng,
  ) {
    this.name = expert.name;
  }

  async act(decisions: Decisions, out: Int32Array): Promise<void> {
    await this.expert.act(decisions, out);
    if (this.labels.length < out.length) this.labels = new Int32Array(out.length);
    this.labels.set(out);
    if (this.player !== this.expert) await this.player.act(decisions, out);
    const A = decisions.game.actions.length;
    for (let i = 0; i < decisions.size; i++)
      if (this.rng.float() < this.noise) out[i] = pickLegal(decisions.mask, i * A, A, this.rng);
  }
}

/**
 * Plays games of experts and records every decision: `action` is what the expert chose there, `target` the deciding
 * player's return at the end of that game.
 */
export async function record(
  game: Game,
  { experts, games, noise, wanderer, seed, width = 256, progress }: Recording,
): Promise<Samples> {
  const samples = new Samples(game);
  const rng = new Rng(`${seed}/noise`);
  const players = experts.map(
    (e) => [new Wandering(e, e, 0, rng), new Wandering(e, wanderer ?? e, noise, rng)] as const,
  );
  const noisy = Array.from({ length: games }, () => experts.map(() => rng.below(2)));
  const mine: number[][] = Array.from({ length: games }, () => []);
  let done = 0;
  await playGames(game, {
    count: games,
    width,
    seed: (n) => `${seed}/game/${n}`,
    seats: (n) => players.map((pair, p) => pair[noisy[n]![p]! as 0 | 1]),
    chosen: (n, agent, row, state, actor) => {
      mine[n]!.push(samples.add(state, actor, (agent as Wandering).labels[row]!));
    },
    ended: (n, returns) => {
      for (const k of mine[n]!) samples.target[k] = returns[samples.actor[k]!]!;
      mine[n] = [];
      progress?.(++done, samples.size);
    },
  });
  return samples;
}
