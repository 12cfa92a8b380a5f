import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Agent, Decisions } from "../../agents/agent.js";
import { HEURISTICS } from "../../agents/heuristics/index.js";
import { pickLegal } from "../../agents/random.js";
import { actionIndex, Env, type Game, KesselError, resolveOptions, Rng, type State } from "../../env/index.js";
import { OneDecision } from "../../server/session/one-decision.js";
import { Coverage, listedKinds } from "./coverage.js";

/** Situations kept of each kind of decision. */
const KEPT = 24;
/** One decision in so many of a heuristic's game is random, so that both sides leave the beaten track. */
const STRAYS = 12;

/**
 * Situations to start from that random play seldom reaches: some of each kind of decision, met in games of the game's
 * heuristics against each other (at random in a game without any) and in the recorded games of test/golden.
 */
export class Starts {
  private readonly kept = new Map<string, { states: State[]; met: number }>();
  private readonly coverage: Coverage;
  private readonly rng: Rng;

  /**
   * @param games heuristics' games; more are played, up to `most`, while a listed kind of decision was not met
   */
  constructor(
    private readonly game: Game,
    seed: string,
    games: number,
    most = games,
  ) {
    this.coverage = new Coverage(game);
    this.rng = new Rng(`${seed}/starts`);
    for (const { seed: of, actions } of recordedGames(game)) this.follow(of, actions);
    const names = Object.keys(HEURISTICS[game.type.id] ?? {});
    for (let g = 0; g < most && (g < games || this.missed > 0); g++) this.play(`${seed}/start/${g}`, names, g);
  }

  get size(): number {
    return this.kept.size;
  }

  private get missed(): number {
    return listedKinds(this.game).filter((k) => !this.kept.has(k.name)).length;
  }

  /** A situation of the `n`-th kind, counted round. */
  pick(n: number, rng: Rng): State {
    const { states } = [...this.kept.values()][n % this.kept.size]!;
    return states[rng.below(states.length)]!;
  }

  /** Every situation kept. */
  all(): State[] {
    return [...this.kept.values()].flatMap((k) => k.states);
  }

  private keep(s: State): void {
    const kind = this.game.actor(s) < 0 ? "over" : (this.coverage.kindOf(s) ?? "decision");
    let of = this.kept.get(kind);
    if (of === undefined) this.kept.set(kind, (of = { states: [], met: 0 }));
    const at = of.met++ < KEPT ? of.states.length : this.rng.below(of.met);
    if (at < KEPT) of.states[at] = s.slice();
  }

  private follow(seed: string, actions: readonly number[]): void {
    const env = new Env(this.game);
    env.reset(seed);
    for (const action of actions) {
      if (env.mask[action] !== 1)
        throw new Error(`${this.game.type.id}: a recorded game of seed ${seed} can't be played`);
      this.keep(env.state);
      env.step(action);
    }
  }

  private play(seed: string, names: readonly string[], g: number): void {
    const { game, rng } = this;
    const env = new Env(game);
    const seats = game.players.map((_, p) => this.seat(names, g + p * (1 + Math.trunc(g / names.length)), p, seed));
    const choice = new Int32Array(1);
    for (env.reset(seed); !env.terminated && !env.truncated; env.step(choice[0]!)) {
      this.keep(env.state);
      const seat = seats[env.actor]!;
      if (seat === null || rng.below(STRAYS) === 0) choice[0] = pickLegal(env.mask, 0, env.mask.length, rng);
      else decide(seat, new OneDecision(env), choice);
    }
    this.keep(env.state);
  }

  /** The `n`-th heuristic, counted round, that can play `player`; null when there is none. */
  private seat(names: readonly string[], n: number, player: number, seed: string): Agent | null {
    const all = names.flatMap((name) => this.heuristic(name, `${seed}/${player}`) ?? []);
    const able = all.filter((a) => a.players?.includes(player) ?? true);
    return able[n % able.length] ?? null;
  }

  /** A heuristic of the game; null when it can't play with the data that the game was loaded with. */
  private heuristic(name: string, seed: string): Agent | null {
    const { game } = this;
    try {
      return HEURISTICS[game.type.id]![name]!({ game, seed });
    } catch (e) {
      if (e instanceof KesselError) return null;
      throw e;
    }
  }
}

function decide(agent: Agent, decision: Decisions, choice: Int32Array): void {
  if (agent.act(decision, choice) !== undefined) throw new Error(`${agent.name} doesn't decide at once`);
}

const GOLDEN = new URL("../golden/", import.meta.url);

/** The recorded games of test/golden, which are of default options. */
function recordedGames(game: Game): { seed: string; actions: number[] }[] {
  const folder = new URL(`${game.type.id}/`, GOLDEN);
  if (!existsSync(folder) || JSON.stringify(game.options) !== JSON.stringify(resolveOptions(game.type))) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith("playthrough"))
    .flatMap((name) => {
      const lines = readFileSync(new URL(name, folder), "utf8").split("\n");
      const seed = /, defaults, seed (\S+): \d+ decisions$/.exec(lines[0]!)?.[1];
      if (seed === undefined) return [];
      const names = lines.flatMap((line) => /^\d+ [^:]+: (.*) \(of \d+\)/.exec(line)?.[1] ?? []);
      const actions = names.map((a) => actionIndex(game, a));
      return actions.includes(-1) ? [] : [{ seed, actions }]; // recorded on another map
    });
}
