import type { Agent } from "../../agents/agent.js";
import { makeAgent } from "../../agents/registry.js";
import type { Belief as HabitNet } from "../../agents/search/belief.js";
import { roster } from "../../agents/roster.js";
import { Env, type Game, sceneOf } from "../../env/index.js";
import { type Interval, meanInterval } from "../../training/report/stats.js";
import { OneDecision } from "../session/one-decision.js";
import { type Beliefs, beliefsOf, habitBeliefsOf, hiddenGroups, trueTitles } from "./beliefs.js";

/** Edges of the classes of a reliability curve. */
const EDGES = [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1];

/** Beliefs of about one chance, and how often they came true. */
export interface Reliability {
  readonly from: number;
  readonly to: number;
  readonly beliefs: number;
  /** Mean chance believed. */
  readonly believed: number;
  /** Share that was true. */
  readonly found: number;
}

export interface Calibration {
  readonly games: number;
  readonly positions: number;
  /** Face-down counters whose identity was believed something of. */
  readonly counters: number;
  /** Mean of −ln(chance believed of what the counter was). */
  readonly logLoss: number;
  /** The same for a belief that picks from the pool of all hidden counters alike. */
  readonly poolLogLoss: number;
  /**
   * Mean over games of what the pool's loss is more, with its 95 % interval: counters of one game are not independent.
   */
  readonly gain: number;
  readonly interval: Interval;
  readonly reliability: readonly Reliability[];
}

/** Compares beliefs with what was there. */
export class CalibrationTally {
  private games = 0;
  private positions = 0;
  private counters = 0;
  private loss = 0;
  private poolLoss = 0;
  private ofGame = { gain: 0, counters: 0 };
  private readonly gains: number[] = [];
  private readonly classes = EDGES.slice(1).map(() => ({ beliefs: 0, believed: 0, found: 0 }));

  /** @param truth titles of the counters of each group of `beliefs.places` */
  add(beliefs: Beliefs, truth: readonly (readonly string[])[]): void {
    const { pool, effective } = beliefs;
    const size = [...pool.values()].reduce((a, b) => a + b, 0);
    this.positions++;
    beliefs.places.forEach(({ hidden, what }, g) => {
      const there = truth[g]!;
      const shares = new Map(what.map((w) => [w.title, w]));
      for (const title of there) {
        const alike = Math.max(1, pool.get(title) ?? 0) / (size + (pool.has(title) ? 0 : 1));
        // half a counter of each in the pool is added to those dealt: no chance is 0 because few worlds were looked at
        const seen = effective * hidden;
        const believed = ((shares.get(title)?.share ?? 0) * seen + (alike * size) / 2) / (seen + size / 2);
        this.loss -= Math.log(believed);
        this.poolLoss -= Math.log(alike);
        this.ofGame.gain += Math.log(believed) - Math.log(alike);
        this.ofGame.counters++;
        this.counters++;
      }
      for (const title of pool.keys()) {
        const p = shares.get(title)?.present ?? 0;
        const at = Math.max(
          0,
          EDGES.findLastIndex((e) => e <= p && e < 1),
        );
        const c = this.classes[at]!;
        c.beliefs++;
        c.believed += p;
        c.found += there.includes(title) ? 1 : 0;
      }
    });
  }

  endGame(): void {
    this.games++;
    if (this.ofGame.counters > 0) this.gains.push(this.ofGame.gain / this.ofGame.counters);
    this.ofGame = { gain: 0, counters: 0 };
  }

  result(): Calibration {
    const { games, positions, counters, loss, poolLoss, gains } = this;
    const n = Math.max(1, counters);
    const { mean, interval } = meanInterval(
      gains.reduce((a, b) => a + b, 0),
      gains.reduce((a, b) => a + b * b, 0),
      gains.length,
    );
    return {
      games,
      positions,
      counters,
      logLoss: loss / n,
      poolLogLoss: poolLoss / n,
      gain: mean,
      interval,
      reliability: this.classes.map(({ beliefs, believed, found }, i) => ({
        from: EDGES[i]!,
        to: EDGES[i + 1]!,
        beliefs,
        believed: beliefs === 0 ? 0 : believed / beliefs,
        found: beliefs === 0 ? 0 : found / beliefs,
      })),
    };
  }
}

/** The strongest agent of the roster, short of search, that plays this player. */
export const strongest = (game: Game, player: number): string =>
  roster(game)
    .filter((e) => e.players.includes(player) && e.kind !== "search")
    .sort((a, b) => Number(b.kind === "level") - Number(a.kind === "level"))
    .findLast((e, _i, all) => e.kind === all[0]!.kind)!.name;

export interface CalibrationOptions {
  readonly games: number;
  readonly worlds: number;
  /** Weighs worlds; `close` is the caller's. Null: all count alike. */
  readonly habits: HabitNet | null;
  /** Beliefs are compared at each decision whose number is a multiple of this. */
  readonly every: number;
  readonly seed: string;
  readonly progress?: (done: number, all: number) => void;
}

/** Plays games between the strongest agents and compares every side's beliefs with what was there. */
export async function calibrate(game: Game, options: CalibrationOptions): Promise<Calibration> {
  const { games, worlds, habits, every, seed, progress } = options;
  const agents: Agent[] = [];
  for (const p of game.players.keys())
    agents.push(await makeAgent(strongest(game, p), { game, seed: `${seed}/agent ${p}` }));
  const tally = new CalibrationTally();
  const env = new Env(game);
  const choice = new Int32Array(1);
  try {
    for (let g = 0; g < games; g++) {
      env.reset(`${seed}/${g}`);
      while (env.actor >= 0 && !env.truncated) {
        if (env.decisions % every === every - 1)
          for (const seat of game.players.keys()) {
            const beliefs =
              habits === null
                ? beliefsOf(game, env.state, seat, worlds)
                : await habitBeliefsOf(game, env.state, seat, habits, worlds);
            if (beliefs.places.length === 0) continue;
            const shown = sceneOf(game, env.state, seat);
            tally.add(beliefs, trueTitles(game, env.state, shown, hiddenGroups(shown)));
          }
        if (env.legalCount === 1) choice[0] = env.mask.indexOf(1);
        else await agents[env.actor]!.act(new OneDecision(env), choice);
        env.step(choice[0]!);
      }
      tally.endGame();
      progress?.(g + 1, games);
    }
  } finally {
    for (const agent of agents) await agent.close?.();
  }
  return tally.result();
}
