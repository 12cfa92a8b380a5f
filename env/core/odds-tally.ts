import { type Dice, SeededDice } from "./dice/dice.js";
import { EnumeratingDice } from "./dice/enumerating-dice.js";
import { InvariantError } from "./errors.js";
import { EVERYTHING, type Game, NOBODY, type Viewer } from "./game.js";
import { newState, type State, type StateView } from "./layout.js";
import { EventLog, type GameEvent, outcomesOfEvent } from "./narration.js";
import { Rng } from "./dice/rng.js";

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
  /**
   * Answers to decisions on the way that were presumed (`Narration.presumed`), by name, in order of their first use.
   */
  readonly presumed: readonly string[];
  /**
   * `certain`: no dice; `exact`: every way the dice can fall; `sampled`: dice, and what the viewer can't know, were
   * dealt.
   */
  readonly method: "certain" | "exact" | "sampled";
  /** Ways the dice can fall (`exact`) or samples (`sampled`). */
  readonly count: number;
  /** Most likely first; probabilities sum to 1. Empty for many throws that are independent: then `each` says all. */
  readonly results: readonly OddsResult[];
  /** Each single outcome with the chance that it is among those that happen, most likely first. */
  readonly each: readonly { readonly outcome: string; readonly probability: number }[];
}

/** Ways in which the dice of an action may fall for its odds to be exact. */
const EXACT_WAYS = 100_000;
/** Ways after which it is estimated how many there are. */
const ESTIMATED_AFTER = 1000;
/** Most results of independent throws that are listed together. */
const LISTED_TOGETHER = 216;
/** Worlds and throws looked at where odds are sampled. */
const ODDS_SAMPLES = 500;
/** Fewer are enough when all of them come to the same. */
const SAME_SAMPLES = 250;
/** Presumed answers after one action; more would be a circle. */
const MOST_PRESUMED = 100;

const TOO_MANY = new Error("the dice can fall in too many ways");

/** Counts what comes of one action. */
export class Tally {
  /** Weight of each list of outcomes, by the list as JSON. */
  private readonly weights = new Map<string, number>();
  /** Chance of each outcome by itself; set where throws are independent. */
  private apart: Map<string, number> | null = null;
  private readonly presumed = new Set<number>();
  private readonly log: EventLog;
  private readonly work: State;
  private count = 0;

  constructor(
    private readonly game: Game,
    private readonly viewer: Viewer,
    private readonly action: number,
    private readonly actor: number,
  ) {
    this.log = new EventLog([viewer]);
    this.work = newState(game.stateSize);
  }

  /** Walks every way the dice can fall. @returns false when there are too many; nothing is counted then */
  enumerate(s: StateView): boolean {
    const dice = new EnumeratingDice();
    try {
      dice.walk(
        () => {
          if (++this.count > EXACT_WAYS) throw TOO_MANY;
          this.carryOutFrom(s, dice);
        },
        (p) => {
          this.add(p);
          if (this.count === ESTIMATED_AFTER && this.count / dice.walked > EXACT_WAYS) throw TOO_MANY;
        },
      );
      return true;
    } catch (e) {
      if (e !== TOO_MANY) throw e;
      return this.nothing();
    }
  }

  /** Forgets what was counted. */
  private nothing(): false {
    this.weights.clear();
    this.presumed.clear();
    this.log.clear();
    this.count = 0;
    return false;
  }

  /**
   * Walks each throw by itself. Each event reports one throw at most, so that its outcomes have the chances of that
   * throw, and outcomes of several events are independent.
   *
   * @returns false when the throws depend on each other after all; nothing is counted then
   */
  lookApart(s: StateView): boolean {
    const dice = new EnumeratingDice();
    // by throw and event: each list of outcomes, as JSON, with its chance
    const seen: Map<string, number>[][] = [];
    this.count = dice.walkApart(
      () => {
        this.log.clear();
        this.carryOutFrom(s, dice);
      },
      (k, p) => {
        const ofThrow = (seen[k] ??= []);
        this.log.take(this.viewer).forEach((event, e) => add((ofThrow[e] ??= new Map()), outcomesOfEvent(event), p));
      },
    );
    const length = seen[0]?.length;
    this.log.clear();
    if (this.count === 0 || length === undefined || seen.some((ofThrow) => ofThrow.length !== length))
      return this.nothing();
    const moving = Array.from({ length }, (_, e) => seen.filter((ofThrow) => ofThrow[e]!.size > 1));
    if (moving.some((throws) => throws.length > 1)) return this.nothing();
    const events = moving.map(([own], e) => (own ?? seen[0]!)[e]!);
    this.apart = chanceOfEach(events);
    if (events.reduce((n, event) => n * event.size, 1) <= LISTED_TOGETHER) this.listTogether(events);
    return true;
  }

  /** All lists of outcomes of independent events. */
  private listTogether(events: readonly ReadonlyMap<string, number>[]): void {
    let lists: (readonly [readonly string[], number])[] = [[[], 1]];
    for (const event of events)
      lists = lists.flatMap(([before, p]) =>
        [...event].map(([own, q]) => [[...before, ...(JSON.parse(own) as string[])], p * q] as const),
      );
    for (const [list, p] of lists) add(this.weights, list, p);
    this.apart = null;
  }

  /**
   * Deals worlds that the actor can't tell from this one and throws the dice in each.
   *
   * @param check is shown each world before the action
   */
  sample(s: StateView, seed: string, check: (world: State) => void): void {
    const { game, work } = this;
    const rng = new Rng(seed);
    const dice = new SeededDice();
    while (this.count < ODDS_SAMPLES && !(this.count === SAME_SAMPLES && this.weights.size === 1)) {
      if (this.viewer === EVERYTHING) {
        work.set(s as ArrayLike<number>);
        rng.freshStream(work);
      } else game.resample(s, this.actor, work, rng);
      check(work);
      this.carryOut(dice);
      this.count++;
      this.add(1);
    }
    for (const [key, n] of this.weights) this.weights.set(key, n / this.count);
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
    const each = new Map(this.apart ?? []);
    for (const r of results) for (const o of new Set(r.outcomes)) each.set(o, (each.get(o) ?? 0) + r.probability);
    return {
      action: this.name,
      presumed: [...this.presumed].map((a) => this.game.actions[a]!),
      method: exact && this.count === 1 ? "certain" : method,
      count: this.count,
      results,
      each: [...each]
        .map(([outcome, probability]) => ({ outcome, probability: Math.min(1, probability) }))
        .sort((a, b) => b.probability - a.probability || (a.outcome < b.outcome ? -1 : 1)),
    };
  }

  private get name(): string {
    return this.game.actions[this.action]!;
  }

  private carryOutFrom(s: StateView, dice: Dice): void {
    this.work.set(s as ArrayLike<number>);
    this.work.fill(0, 0, 4); // no rule reads the stream but through dice
    this.carryOut(dice);
  }

  /** The action, and the answers presumed to what it leads to. */
  private carryOut(dice: Dice): void {
    const { game, work, log } = this;
    dice.begin(work);
    game.apply(work, this.action, dice, log);
    if (game.narration?.presumed === undefined) return;
    for (let n = 0; game.actor(work) === this.actor; n++) {
      const answer = game.narration.presumed(work);
      if (answer < 0) return;
      if (n === MOST_PRESUMED) throw new InvariantError(`${game.type.id}: ${this.name} presumes without end`);
      this.presumed.add(answer);
      game.apply(work, answer, dice, log);
    }
  }

  private add(weight: number): void {
    const outcomes = summed(this.log.take(this.viewer));
    if (this.game.narration === undefined) outcomes.push(...this.silentOutcome());
    add(this.weights, outcomes, weight);
  }

  /** For a game that reports no events: how it ended, if it did. */
  private silentOutcome(): string[] {
    const { game, work } = this;
    if (game.actor(work) !== NOBODY) return [];
    const out = new Float32Array(game.players.length);
    game.returns(work, out);
    return [game.players.map((p, i) => `${p} ${out[i]!}`).join(", ")];
  }
}

/** Adds the weight of a list of outcomes. */
function add(weights: Map<string, number>, outcomes: readonly string[], weight: number): void {
  const key = JSON.stringify(outcomes);
  weights.set(key, (weights.get(key) ?? 0) + weight);
}

/** Chance of each outcome to be among those of independent events. */
function chanceOfEach(events: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const missing = new Map<string, number>();
  for (const event of events) {
    const own = new Map<string, number>();
    for (const [list, p] of event)
      for (const o of new Set(JSON.parse(list) as string[])) own.set(o, (own.get(o) ?? 0) + p);
    for (const [o, p] of own) missing.set(o, (missing.get(o) ?? 1) * (1 - Math.min(1, p)));
  }
  return new Map([...missing].map(([o, p]) => [o, 1 - p]));
}

/** The outcomes of events in order; those with `{n}` once, last, with the sum of their amounts. */
export function summed(events: readonly GameEvent[]): string[] {
  const list: string[] = [];
  const sums = new Map<string, number>();
  for (const e of events)
    for (const o of outcomesOfEvent(e))
      if (o.includes("{n}")) sums.set(o, (sums.get(o) ?? 0) + (e.amount ?? 0));
      else list.push(o);
  for (const [o, n] of sums) list.push(o.replace("{n}", String(n)));
  return list;
}

/** Wilson's 95 % interval of a share `p` seen in `n` samples. */
function wilson(p: number, n: number): [number, number] {
  const z = 1.959963984540054;
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
