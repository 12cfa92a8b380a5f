import type { OnnxModel } from "../../agents/onnx.js";
import {
  type Dice,
  type Game,
  InvariantError,
  newState,
  NOBODY,
  nextWord,
  SeededDice,
  seedStream,
  type State,
} from "../../env/index.js";
import { type Interval, meanInterval } from "../report/stats.js";
import { type ValueFunction, ValueSums } from "../report/value-sums.js";

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
