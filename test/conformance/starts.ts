import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Agent, Decisions } from "../../agents/agent.js";
import { heuristicsOf } from "../../agents/heuristics/index.js";
import { pickLegal } from "../../agents/random.js";
import {
  actionIndex,
  Env,
  type Game,
  gameFor,
  type GameType,
  KesselError,
  openCase,
  parseCases,
  resolveOptions,
  Rng,
  type RuleCase,
  ScriptedDice,
  type State,
} from "../../env/index.js";
import { OneDecision } from "../../server/session/one-decision.js";
import { Coverage, listedKinds } from "./coverage.js";

/** Situations kept of each kind of decision. */
const KEPT = 24;
/** One decision in `STRAYS` of a heuristic's game is random, so that both sides leave the beaten track. */
const STRAYS = 12;

/**
 * Situations to start from that random play seldom reaches: some of each kind of decision, met in games of the game's
 * heuristics against each other (at random in a game without any) and in the recorded games of test/golden; of a kind
 * that none of them met, those of rule cases.
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
    const names = Object.keys(heuristicsOf(game.type.id));
    for (let g = 0; g < most && (g < games || this.missed > 0); g++) this.play(`${seed}/start/${g}`, names, g);
    if (this.missed > 0) this.openCases();
  }

  get size(): number {
    return this.kept.size;
  }

  private get missed(): number {
    return this.missedKinds().length;
  }

  private missedKinds(): string[] {
    return listedKinds(this.game)
      .map((k) => k.name)
      .filter((name) => !this.kept.has(name));
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

  /** Keeps situations of rule cases of this game with these options, if no game has met that kind of decision. */
  private openCases(): void {
    const { game } = this;
    const missed = new Set(this.missedKinds());
    for (const rc of ruleCases(game.type)) {
      const { data, dataFor } = game.type;
      if (dataFor !== undefined && dataFor(rc.position, data) !== data) continue; // a case with a map of its own
      if (JSON.stringify(gameFor(game.type, rc.position, rc.options).options) !== JSON.stringify(game.options))
        continue;
      const env = opened(game.type, rc);
      if (env === null) continue;
      for (const step of [{ do: undefined }, ...rc.steps]) {
        if (step.do !== undefined && !tried(() => env.step(step.do!, new ScriptedDice(step.dice ?? [])))) break;
        if (env.actor >= 0 && missed.has(this.coverage.kindOf(env.state) ?? "")) this.keep(env.state);
      }
    }
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
      return heuristicsOf(game.type.id)[name]!({ game, seed });
    } catch (e) {
      if (e instanceof KesselError) return null;
      throw e;
    }
  }
}

/** A case at its position; null where the type is a test's, which loads one game whatever the map of the position. */
function opened(type: GameType, rc: RuleCase): Env | null {
  try {
    return openCase(type, rc);
  } catch (e) {
    if (e instanceof KesselError && e.code === "bad-position") return null;
    throw e;
  }
}

/** Carries out a step of a case; false where the case expects that it is refused. */
function tried(step: () => void): boolean {
  try {
    step();
    return true;
  } catch (e) {
    if (e instanceof KesselError) return false;
    throw e;
  }
}

function decide(agent: Agent, decision: Decisions, choice: Int32Array): void {
  if (agent.act(decision, choice) !== undefined) throw new Error(`${agent.name} doesn't decide at once`);
}

const CASES = new URL("../cases/", import.meta.url);

/** The game's rule cases of test/cases that begin with a position. */
function ruleCases({ id }: GameType): RuleCase[] {
  const folder = new URL(`${id}/`, CASES);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    parseCases(JSON.parse(readFileSync(new URL(name, folder), "utf8")), name).filter(
      (c): c is RuleCase => "position" in c,
    ),
  );
}

const GOLDEN = new URL("../golden/", import.meta.url);

/** The recorded games of test/golden, which are of default options. */
export function recordedGames(game: Game): { seed: string; actions: number[] }[] {
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
