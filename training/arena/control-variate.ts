import type { OnnxModel } from "../../agents/onnx.js";
import {
  type Dice,
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

/**
 * Expected returns of the acting player, for the first `n` rows. Any function is valid; a better one saves more games.
 */
export type ValueFunction = (observation: Observation, mask: Uint8Array, n: number) => Promise<Float32Array>;

export const valueFunctionOf =
  (model: OnnxModel): ValueFunction =>
  async (observation, mask, n) =>
    (await model.run(observation, mask, n)).value;

/** A recorded game: the seed of its dice and all actions, forced ones included. */
export interface RecordedGame {
  readonly seed: string;
  readonly actions: readonly number[];
}

/** Alternative outcomes sampled for each chance event. */
const ALTERNATIVES = 8;
const ROWS = 512;

/**
 * The luck of player 0 in each game, a control variate for its return (compare AIVAT, Burch et al. 2018, and the luck
 * analysis of GNU Backgammon): over all chance events, the value after the event less the mean value after alternative
 * outcomes of the same dice. The event and its alternatives have the same distribution, so each difference, and their
 * sum, has mean 0 for any value function. Subtracting the sum from the return leaves the mean unchanged.
 *
 * @param seed of the alternative outcomes; must not be that of a game
 * @param dice those that the games were played with
 */
export async function luckOf(
  game: Game,
  games: readonly RecordedGame[],
  valueFunction: ValueFunction,
  seed: string,
  dice: Dice = new SeededDice(),
): Promise<Float64Array> {
  const luck = new Float64Array(games.length);
  const accumulator = new ValueSums(game, valueFunction, luck);
  const [s, before, alternative] = [newState(game.stateSize), newState(game.stateSize), newState(game.stateSize)];
  const fresh = new Int32Array(4);
  seedStream(seed, fresh);
  for (const [g, recorded] of games.entries()) {
    s.fill(0);
    seedStream(recorded.seed, s);
    for (let t = -1; t < recorded.actions.length; t++) {
      before.set(s);
      applyOrStart(game, s, t < 0 ? null : recorded.actions[t]!, dice);
      // no dice were rolled
      if (s[0] === before[0] && s[1] === before[1] && s[2] === before[2] && s[3] === before[3]) continue;
      await accumulator.add(s, g, 1);
      for (let k = 0; k < ALTERNATIVES; k++) {
        alternative.set(before);
        for (let w = 0; w < 4; w++) alternative[w] = nextWord(fresh) | 0;
        applyOrStart(game, alternative, t < 0 ? null : recorded.actions[t]!, dice);
        await accumulator.add(alternative, g, -1 / ALTERNATIVES);
      }
    }
    if (game.actor(s) !== NOBODY)
      throw new InvariantError(
        `${game.type.id}: the game of seed ${recorded.seed} ended differently when it was replayed`,
      );
  }
  await accumulator.flush();
  return luck;
}

/** Applies an action, or starts the game for null. */
function applyOrStart(game: Game, s: State, action: number | null, dice: Dice): void {
  dice.begin(s);
  if (action === null) game.start(s, dice);
  else game.apply(s, action, dice);
}

/** Sums weighted values of positions, as parts of player 0's return; evaluates the value function in batches. */
export class ValueSums {
  private n = 0;
  private readonly rows;
  private readonly mask: Uint8Array;
  /** By row: index of the sum, and weight of the value. */
  private readonly indices = new Int32Array(ROWS);
  private readonly weights = new Float64Array(ROWS);
  private readonly returns: Float32Array;

  constructor(
    private readonly game: Game,
    private readonly valueFunction: ValueFunction,
    private readonly sums: Float64Array,
  ) {
    this.rows = observationRows(game, ROWS);
    this.mask = new Uint8Array(ROWS * game.actions.length);
    this.returns = new Float32Array(game.players.length);
  }

  /** Adds `weight` times the value of `s` to `sums[index]`, at the latest when `flush` is done. */
  async add(s: State, index: number, weight: number): Promise<void> {
    const { game } = this;
    const actor = game.actor(s);
    if (actor === NOBODY) {
      game.returns(s, this.returns);
      this.sums[index]! += weight * this.returns[0]!;
      return;
    }
    const k = this.n++;
    game.observe(s, actor, this.rows.rows[k]!);
    game.legalMask(s, this.mask, k * game.actions.length);
    this.indices[k] = index;
    this.weights[k] = actor === 0 ? weight : -weight;
    if (this.n === ROWS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.n === 0) return;
    const values = await this.valueFunction(this.rows.all, this.mask, this.n);
    for (let k = 0; k < this.n; k++) this.sums[this.indices[k]!]! += this.weights[k]! * values[k]!;
    this.n = 0;
  }
}

/** A mean without and with the control variate. */
export interface Adjusted {
  readonly mean: number;
  readonly interval: Interval;
  readonly adjustedMean: number;
  readonly adjustedInterval: Interval;
  /** Share of the games that gives an interval of the same width with the control variate; null without variance. */
  readonly sampleFraction: number | null;
}

/**
 * Applies the control variate. Its coefficient is fitted for each half of the results on the other half: fitting it on
 * the results it is applied to would bias the mean.
 *
 * @param results independent of each other
 * @param luck of each result, with mean 0
 */
export function adjust(results: readonly number[], luck: readonly number[]): Adjusted {
  const weights = [regressionSlope(results, luck, 1), regressionSlope(results, luck, 0)];
  const adjusted = results.map((x, i) => x - weights[i % 2]! * luck[i]!);
  const [raw, withVariate] = [results, adjusted].map((list) => ({
    ...meanInterval(
      list.reduce((a, b) => a + b, 0),
      list.reduce((a, b) => a + b * b, 0),
      list.length,
    ),
  })) as [ReturnType<typeof meanInterval>, ReturnType<typeof meanInterval>];
  const width = ([low, high]: Interval) => high - low;
  const ratio = (width(withVariate.interval) / width(raw.interval)) ** 2;
  return {
    mean: raw.mean,
    interval: raw.interval,
    adjustedMean: withVariate.mean,
    adjustedInterval: withVariate.interval,
    sampleFraction: Number.isFinite(ratio) ? ratio : null,
  };
}

/** Regression slope of the results on luck, over every second one from `first`. */
function regressionSlope(results: readonly number[], luck: readonly number[], first: number): number {
  let [n, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (let i = first; i < results.length; i += 2) {
    n++;
    x += luck[i]!;
    y += results[i]!;
    xx += luck[i]! ** 2;
    xy += luck[i]! * results[i]!;
  }
  const variation = xx - (x * x) / n;
  return n < 3 || variation <= 0 ? 0 : (xy - (x * y) / n) / variation;
}
