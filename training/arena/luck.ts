import type { OnnxModel } from "../../agents/onnx.js";
import {
  type Game,
  InvariantError,
  newState,
  NOBODY,
  type Observation,
  observationRows,
  nextWord,
  SeededDice,
  seedStream,
  type State,
} from "../../env/index.js";
import { type Interval, meanInterval } from "../report/stats.js";

/** Expected returns of whoever decides, for the first `n` rows. Any function will do; the better it is, the more it helps. */
export type Judge = (observation: Observation, mask: Uint8Array, n: number) => Promise<Float32Array>;

export const judgeOf =
  (model: OnnxModel): Judge =>
  async (observation, mask, n) =>
    (await model.run(observation, mask, n)).value;

/** A game as it was played: the seed of its dice and all actions, forced ones too. */
export interface Line {
  readonly seed: string;
  readonly actions: readonly number[];
}

/** Other ways the dice could have fallen that are looked at, for each time they fell. */
const OTHERS = 8;
const ROWS = 512;

/**
 * How lucky player 0 was in each game: over all falls of the dice, the judge's value after the fall less the mean of its
 * values after other falls of the same dice. Each such difference is 0 on average, whatever the judge thinks, because the
 * true fall and the others are drawn alike; so is their sum, and taking it from a result leaves the mean where it was.
 *
 * @param seed of the other falls; must not be that of a game
 */
export async function luckOf(game: Game, lines: readonly Line[], judge: Judge, seed: string): Promise<Float64Array> {
  const luck = new Float64Array(lines.length);
  const judged = new Judged(game, judge, luck);
  const dice = new SeededDice();
  const [s, before, other] = [newState(game.stateSize), newState(game.stateSize), newState(game.stateSize)];
  const fresh = new Int32Array(4);
  seedStream(seed, fresh);
  for (const [g, line] of lines.entries()) {
    s.fill(0);
    seedStream(line.seed, s);
    for (let t = -1; t < line.actions.length; t++) {
      before.set(s);
      play(game, s, t < 0 ? null : line.actions[t]!, dice);
      if (s[0] === before[0] && s[1] === before[1] && s[2] === before[2] && s[3] === before[3]) continue; // no dice fell
      await judged.add(s, g, 1);
      for (let k = 0; k < OTHERS; k++) {
        other.set(before);
        for (let w = 0; w < 4; w++) other[w] = nextWord(fresh) | 0;
        play(game, other, t < 0 ? null : line.actions[t]!, dice);
        await judged.add(other, g, -1 / OTHERS);
      }
    }
    if (game.actor(s) !== NOBODY)
      throw new InvariantError(`${game.type.id}: the game of seed ${line.seed} ended otherwise when played again`);
  }
  await judged.flush();
  return luck;
}

/** Carries out an action, or starts the game. */
function play(game: Game, s: State, action: number | null, dice: SeededDice): void {
  dice.begin(s);
  if (action === null) game.start(s, dice);
  else game.apply(s, action, dice);
}

/** Collects situations until there are enough to ask the judge about. */
class Judged {
  private n = 0;
  private readonly rows;
  private readonly mask: Uint8Array;
  /** Which game a row belongs to, and what its value counts there. */
  private readonly games = new Int32Array(ROWS);
  private readonly weights = new Float64Array(ROWS);
  private readonly returns: Float32Array;

  constructor(
    private readonly game: Game,
    private readonly judge: Judge,
    private readonly luck: Float64Array,
  ) {
    this.rows = observationRows(game, ROWS);
    this.mask = new Uint8Array(ROWS * game.actions.length);
    this.returns = new Float32Array(game.players.length);
  }

  async add(s: State, g: number, weight: number): Promise<void> {
    const { game } = this;
    const actor = game.actor(s);
    if (actor === NOBODY) {
      game.returns(s, this.returns);
      this.luck[g]! += weight * this.returns[0]!;
      return;
    }
    const k = this.n++;
    game.observe(s, actor, this.rows.rows[k]!);
    game.legalMask(s, this.mask, k * game.actions.length);
    this.games[k] = g;
    this.weights[k] = actor === 0 ? weight : -weight;
    if (this.n === ROWS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.n === 0) return;
    const values = await this.judge(this.rows.all, this.mask, this.n);
    for (let k = 0; k < this.n; k++) this.luck[this.games[k]!]! += this.weights[k]! * values[k]!;
    this.n = 0;
  }
}

/** A mean before and after luck is taken out. */
export interface Adjusted {
  readonly mean: number;
  readonly interval: Interval;
  readonly adjustedMean: number;
  readonly adjustedInterval: Interval;
  /** Share of the games that would have given the first interval's width after the adjustment; null when nothing varied. */
  readonly needed: number | null;
}

/**
 * Takes luck out of results. How much of it counts is fitted, for each half of the results on the other half: a weight that
 * had seen the result it is applied to would move the mean.
 *
 * @param results independent of each other @param luck of each, 0 on average
 */
export function adjust(results: readonly number[], luck: readonly number[]): Adjusted {
  const weights = [fit(results, luck, 1), fit(results, luck, 0)];
  const adjusted = results.map((x, i) => x - weights[i % 2]! * luck[i]!);
  const [raw, fair] = [results, adjusted].map((list) => ({
    ...meanInterval(
      list.reduce((a, b) => a + b, 0),
      list.reduce((a, b) => a + b * b, 0),
      list.length,
    ),
  })) as [ReturnType<typeof meanInterval>, ReturnType<typeof meanInterval>];
  const width = ([low, high]: Interval) => high - low;
  const ratio = (width(fair.interval) / width(raw.interval)) ** 2;
  return {
    mean: raw.mean,
    interval: raw.interval,
    adjustedMean: fair.mean,
    adjustedInterval: fair.interval,
    needed: Number.isFinite(ratio) ? ratio : null,
  };
}

/** Slope of the results on luck, of every second one from `first` on. */
function fit(results: readonly number[], luck: readonly number[], first: number): number {
  let [n, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (let i = first; i < results.length; i += 2) {
    n++;
    x += luck[i]!;
    y += results[i]!;
    xx += luck[i]! ** 2;
    xy += luck[i]! * results[i]!;
  }
  const spread = xx - (x * x) / n;
  return n < 3 || spread <= 0 ? 0 : (xy - (x * y) / n) / spread;
}
