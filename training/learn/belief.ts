import type { Agent } from "../../agents/agent.js";
import { type Belief, VERDICTS, worldGame } from "../../agents/search/belief.js";
import { type Game, newState, Rng } from "../../env/index.js";
import { type Interval, meanInterval } from "../report/stats.js";
import { playGames } from "./play.js";
import { RolloutBuffer } from "./rollout-buffer.js";

const DEALT = VERDICTS.indexOf("dealt");
const TRUE = VERDICTS.indexOf("true");

export interface WorldsOptions {
  /** Who plays each seat: the net learns what is hidden as these hide it. */
  readonly agents: readonly Agent[];
  readonly games: number;
  /** Seats whose worlds are recorded. */
  readonly seats: readonly number[];
  /** Share of their decisions that are recorded. */
  readonly share: number;
  /** Worlds dealt beside each true one. */
  readonly dealt: number;
  readonly seed: string;
  progress?(games: number): void;
}

/** Recorded worlds, for each decision the true one and then those that were dealt. */
export interface Worlds {
  /** Of `worldGame(game)`. */
  readonly samples: RolloutBuffer;
  readonly dealt: number;
  /** The number of each decision's game. */
  readonly gameOf: readonly number[];
}

/**
 * Plays games and records worlds at decisions: the true one, and some that `resample` deals from what the deciding
 * player knows. The true one is a label for training; nothing that plays reads it.
 *
 * @throws KesselError `unsupported` for a game that is not for two
 */
export async function recordWorlds(game: Game, options: WorldsOptions): Promise<Worlds> {
  const { agents, games, seats, share, dealt, seed, progress } = options;
  const samples = new RolloutBuffer(worldGame(game));
  const rng = new Rng(`${seed}/worlds`);
  const world = newState(game.stateSize);
  const gameOf: number[] = [];
  let done = 0;
  await playGames(game, {
    count: games,
    width: 128,
    seed: (n) => `${seed}/game/${n}`,
    seats: () => agents,
    onDecision: (n, _agent, _row, state, actor) => {
      if (!seats.includes(actor) || rng.float() >= share) return;
      gameOf.push(n);
      samples.add(state, actor, TRUE);
      for (let k = 0; k < dealt; k++) {
        game.resample(state, actor, world, rng);
        samples.add(world, actor, DEALT);
      }
    },
    onEnd: () => progress?.(++done),
  });
  return { samples, dealt, gameOf };
}

/** How well a net recognises the true world. */
export interface BeliefMeasure {
  readonly games: number;
  readonly decisions: number;
  /**
   * Mean over games of the logarithm of how much more weight the true world gets than one that is dealt, in nats, with
   * its 95 % interval; 0 for who knows no more than `resample`. Weights are not tempered (`weightsOf`).
   */
  readonly gain: number;
  readonly interval: Interval;
}

/**
 * Weighs the true world of each decision among those dealt beside it.
 *
 * @param worlds of games that the net hasn't learnt from
 */
export async function measureBelief(belief: Belief, { samples, dealt, gameOf }: Worlds): Promise<BeliefMeasure> {
  const ofGame = new Map<number, number[]>();
  for (const [k, n] of gameOf.entries()) {
    const worlds = Array.from({ length: 1 + dealt }, (_, i) => {
      const at = k * (1 + dealt) + i;
      return { state: samples.state(at), viewer: samples.actor[at]! };
    });
    const list = ofGame.get(n) ?? [];
    ofGame.set(n, list);
    list.push(gainOf(await belief.logRatios(worlds)));
  }
  const means = [...ofGame.values()].map((list) => sum(list) / list.length);
  const { mean, interval } = meanInterval(sum(means), sum(means.map((x) => x * x)), means.length);
  return { games: means.length, decisions: gameOf.length, gain: mean, interval };
}

/** Logarithm of the weight of the first world in parts of the mean of all. */
function gainOf(ratios: Float64Array): number {
  const most = Math.max(...ratios);
  return ratios[0]! - most - Math.log(sum([...ratios].map((r) => Math.exp(r - most))) / ratios.length);
}

const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0);
