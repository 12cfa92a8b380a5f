import { createHash } from "node:crypto";
import { canonical } from "./describe.js";
import { EnumeratingDice, SeededDice } from "./dice.js";
import { InvariantError, KesselError, shown } from "./errors.js";
import { EVERYTHING, type Game, NOBODY, type Viewer } from "./game.js";
import { newState, type State, type StateView } from "./layout.js";
import { EventLog } from "./narration.js";
import { Rng } from "./rng.js";

/** Ways in which the dice of an action may fall for its odds to be exact. */
export const EXACT_WAYS = 100_000;
/** Worlds and throws looked at where odds are sampled. */
export const ODDS_SAMPLES = 1000;

/** What an action can come to, up to the next decision. */
export interface OddsResult {
  /** Outcomes of the events on the way (`GameEvent.outcome`), in order; empty when nothing worth a word happens. */
  readonly outcomes: readonly string[];
  readonly probability: number;
  /** 95 % interval (Wilson's); both equal to `probability` where odds are exact. */
  readonly low: number;
  readonly high: number;
}

export interface Odds {
  readonly action: string;
  /** `certain`: no dice; `exact`: every way the dice can fall; `sampled`: dice, and what the viewer can't know, were dealt. */
  readonly method: "certain" | "exact" | "sampled";
  /** Ways the dice fell (`exact`) or samples (`sampled`). */
  readonly count: number;
  /** Most likely first. Probabilities sum to 1. */
  readonly results: readonly OddsResult[];
  /** Each single outcome with the chance that it is among those that happen, most likely first. */
  readonly each: readonly { readonly outcome: string; readonly probability: number }[];
}

/**
 * What a legal action of the actor can come to, and how likely, as far as `viewer` can know. Exact where he knows the whole
 * state and the dice can fall in at most `EXACT_WAYS` ways; else from samples whose seed derives from his view alone, so
 * that the answer is the same in every world that he can't tell apart. Never uses the random stream in the state.
 *
 * @param viewer the actor, or `EVERYTHING`
 * @throws KesselError `illegal-action` when `action` isn't legal now, `unsupported` when `viewer` doesn't decide
 */
export function odds(game: Game, s: StateView, viewer: Viewer, action: number): Odds {
  const actor = game.actor(s);
  if (actor < 0 || (viewer !== actor && viewer !== EVERYTHING))
    throw new KesselError("unsupported", `${game.type.id}: odds are for whoever decides`);
  const mask = new Uint8Array(game.actions.length);
  game.legalMask(s, mask, 0);
  if (mask[action] !== 1)
    throw new KesselError(
      "illegal-action",
      `${game.type.id}: ${shown(game.actions[action] ?? action)} is not legal now`,
    );
  const tally = new Tally(game, viewer, action);
  const known = viewer === EVERYTHING ? null : canonical(game.view(s, viewer));
  const knowsAll = known === null || known === canonical(game.write(s));
  if (knowsAll && tally.enumerate(s)) return tally.odds("exact");
  tally.sample(s, actor, known ?? canonical(game.write(s)));
  return tally.odds("sampled");
}

/** Counts what comes of one action. */
class Tally {
  private readonly weights = new Map<string, number>();
  private readonly log: EventLog;
  private readonly work: State;
  private count = 0;

  constructor(
    private readonly game: Game,
    private readonly viewer: Viewer,
    private readonly action: number,
  ) {
    this.log = new EventLog([viewer]);
    this.work = newState(game.stateSize);
  }

  /** Walks every way the dice can fall. @returns false when there are too many; nothing is counted then */
  enumerate(s: StateView): boolean {
    const { game, work, log } = this;
    const from = Int32Array.from(s as ArrayLike<number>);
    const dice = new EnumeratingDice();
    try {
      dice.walk(
        () => {
          if (++this.count > EXACT_WAYS) throw TOO_MANY;
          work.set(from);
          work.fill(0, 0, 4); // no rule reads the stream but through dice
          dice.begin(work);
          game.apply(work, this.action, dice, log);
        },
        (p) => this.add(p),
      );
      return true;
    } catch (e) {
      if (e !== TOO_MANY) throw e;
      this.weights.clear();
      log.take(this.viewer);
      this.count = 0;
      return false;
    }
  }

  /** Deals worlds that `player` can't tell from this one and throws the dice in each. */
  sample(s: StateView, player: number, known: string): void {
    const { game, work, log } = this;
    const seed = createHash("sha256").update(`odds\n${game.actions[this.action]!}\n${known}`).digest("hex");
    const rng = new Rng(seed);
    const dice = new SeededDice();
    const mask = new Uint8Array(game.actions.length);
    for (let k = 0; k < ODDS_SAMPLES; k++) {
      if (this.viewer === EVERYTHING) {
        work.set(s as ArrayLike<number>);
        rng.freshStream(work);
      } else game.resample(s, player, work, rng);
      if (game.actor(work) !== player) throw new InvariantError(`${game.type.id}: a sampled world has another actor`);
      game.legalMask(work, mask, 0);
      if (mask[this.action] !== 1) throw new InvariantError(`${game.type.id}: a sampled world has another mask`);
      dice.begin(work);
      game.apply(work, this.action, dice, log);
      this.count++;
      this.add(1 / ODDS_SAMPLES);
    }
  }

  odds(method: "exact" | "sampled"): Odds {
    const exact = method === "exact";
    const results = [...this.weights]
      .map(([key, weight]): OddsResult => {
        const probability = Math.min(1, weight);
        const [low, high] = exact ? [probability, probability] : wilson(probability, this.count);
        return { outcomes: JSON.parse(key) as string[], probability, low, high };
      })
      .sort((a, b) => b.probability - a.probability || (a.outcomes.join() < b.outcomes.join() ? -1 : 1));
    const each = new Map<string, number>();
    for (const r of results) for (const o of new Set(r.outcomes)) each.set(o, (each.get(o) ?? 0) + r.probability);
    return {
      action: this.game.actions[this.action]!,
      method: exact && this.count === 1 ? "certain" : method,
      count: this.count,
      results,
      each: [...each]
        .map(([outcome, probability]) => ({ outcome, probability: Math.min(1, probability) }))
        .sort((a, b) => b.probability - a.probability || (a.outcome < b.outcome ? -1 : 1)),
    };
  }

  private add(weight: number): void {
    const outcomes = this.log.take(this.viewer).flatMap((e) => (e.outcome === undefined ? [] : [e.outcome]));
    if (this.game.narration === undefined) outcomes.push(...this.silentOutcome());
    const key = JSON.stringify(outcomes);
    this.weights.set(key, (this.weights.get(key) ?? 0) + weight);
  }

  /** For a game that tells nothing: how it ended, if it did. */
  private silentOutcome(): string[] {
    const { game, work } = this;
    if (game.actor(work) !== NOBODY) return [];
    const out = new Float32Array(game.players.length);
    game.returns(work, out);
    return [game.players.map((p, i) => `${p} ${out[i]!}`).join(", ")];
  }
}

const TOO_MANY = new Error("the dice can fall in too many ways");

/** Wilson's 95 % interval of a share `p` seen in `n` samples. */
function wilson(p: number, n: number): [number, number] {
  const z = 1.959963984540054;
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
