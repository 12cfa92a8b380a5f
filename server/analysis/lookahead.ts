import {
  canonical,
  type Game,
  KesselError,
  newState,
  outcomesOf,
  Rng,
  SeededDice,
  type State,
  type StateView,
} from "../../env/index.js";
import { meanInterval, type Interval } from "../../training/report/stats.js";
import type { Evaluator } from "./evaluator.js";

/** Ways in which the dice of an action may fall for its value to be exact. */
const EXACT_WAYS = 36;

/** True when `player` knows the whole state. */
export const knowsAll = (game: Game, s: StateView, player: number): boolean =>
  canonical(game.view(s, player)) === canonical(game.write(s));

/** Actions of one decision whose values are asked for. */
export interface Question {
  readonly state: State;
  readonly actions: readonly number[];
  /** Worlds and throws for each action. */
  readonly samples: number;
  /**
   * Decisions that the evaluator plays on after the action, by its policy for both sides; then the position is valued.
   */
  readonly depth: number;
  readonly seed: string;
}

/**
 * Values of one action, for the seat that decides: one in each world, the same worlds for all actions; or one exact.
 */
export interface ActionValue {
  readonly action: number;
  readonly mean: number;
  readonly values: readonly number[];
}

/**
 * Each action is carried out in worlds that fit what the deciding seat knows, with throws of their own, and the
 * evaluator values what comes of it. Exact where the seat knows everything, the dice can fall in few ways and nothing
 * is played on.
 */
export async function valuesOfActions(
  game: Game,
  evaluator: Evaluator,
  questions: readonly Question[],
  progress?: (done: number) => void,
): Promise<ActionValue[][]> {
  const offsets: number[] = [];
  let size = 0;
  for (const q of questions) {
    offsets.push(size);
    size += q.actions.length * q.samples;
  }
  const into = new Float64Array(size);
  const exact = new Uint8Array(size);
  const sums = evaluator.sums(into);
  const [world, work] = [newState(game.stateSize), newState(game.stateSize)];
  const dice = new SeededDice();
  const later: { readonly state: State; readonly index: number; readonly depth: number }[] = [];
  for (const [i, { state, actions, samples, depth, seed }] of questions.entries()) {
    const actor = game.actor(state);
    const open = knowsAll(game, state, actor);
    const at = (a: number): number => offsets[i]! + a * samples;
    const sampled: number[] = [];
    for (const [a, action] of actions.entries()) {
      const ways = open && depth === 0 ? waysOf(game, state, action) : null;
      if (ways === null) sampled.push(a);
      else {
        exact[at(a)] = 1;
        for (const { state: s, probability } of ways) await sums.add(s, at(a), probability);
      }
    }
    const rng = new Rng(seed);
    for (let k = 0; sampled.length > 0 && k < samples; k++) {
      if (open) {
        world.set(state);
        rng.freshStream(world);
      } else game.resample(state, actor, world, rng);
      for (const a of sampled) {
        work.set(world);
        dice.begin(work);
        game.apply(work, actions[a]!, dice);
        if (depth === 0) await sums.add(work, at(a) + k, 1);
        else later.push({ state: work.slice(), index: at(a) + k, depth });
      }
    }
    progress?.(i + 1);
  }
  await evaluator.playOn(later);
  for (const { state, index } of later) await sums.add(state, index, 1);
  await sums.flush();
  return questions.map(({ state, actions, samples }, i) => {
    const sign = game.actor(state) === 0 ? 1 : -1;
    return actions.map((action, a): ActionValue => {
      const from = offsets[i]! + a * samples;
      const values = Array.from(into.subarray(from, from + (exact[from] === 1 ? 1 : samples)), (v) => sign * v);
      return { action, values, mean: values.reduce((x, y) => x + y, 0) / values.length };
    });
  });
}

/** Everything the dice of an action can lead to, or null when that is too much. */
function waysOf(game: Game, s: State, action: number): readonly { state: State; probability: number }[] | null {
  try {
    return outcomesOf(game, s, action, EXACT_WAYS);
  } catch (e) {
    if (e instanceof KesselError && e.code === "limit") return null;
    throw e;
  }
}

/** How much better `best` is than `chosen`, with a 95 % interval: both are looked at in the same worlds. */
export function lossOf(chosen: ActionValue, best: ActionValue): { readonly loss: number; readonly interval: Interval } {
  const n = Math.max(chosen.values.length, best.values.length);
  const of = ({ values }: ActionValue, k: number): number => (values.length === 1 ? values[0]! : values[k]!);
  const differences = Array.from({ length: n }, (_, k) => of(best, k) - of(chosen, k));
  const loss = differences.reduce((a, b) => a + b, 0) / n;
  if (n === 1) return { loss, interval: [loss, loss] };
  const { interval } = meanInterval(
    loss * n,
    differences.reduce((a, b) => a + b * b, 0),
    n,
  );
  return { loss, interval };
}

/**
 * The part that dice and draws had in what came of each action, as a change of player 0's return: the value after it
 * less the mean over what else could have come. Its mean is 0 for any evaluator (compare `luckOf` of the arena).
 *
 * @param steps the state before, the action, the state after
 */
export async function luckOfSteps(
  game: Game,
  evaluator: Evaluator,
  steps: readonly { readonly before: State; readonly action: number; readonly after: State }[],
  seed: string,
  progress?: (done: number) => void,
): Promise<Float64Array> {
  const luck = new Float64Array(steps.length);
  const sums = evaluator.sums(luck);
  const work = newState(game.stateSize);
  const dice = new SeededDice();
  const rng = new Rng(seed);
  const samples = evaluator.effort.luck;
  for (const [t, { before, action, after }] of steps.entries()) {
    const ways = waysOf(game, before, action);
    if (ways === null || ways.length > 1) await sums.add(after, t, 1);
    if (ways === null)
      for (let k = 0; k < samples; k++) {
        work.set(before);
        rng.freshStream(work);
        dice.begin(work);
        game.apply(work, action, dice);
        await sums.add(work, t, -1 / samples);
      }
    else if (ways.length > 1) for (const { state, probability } of ways) await sums.add(state, t, -probability);
    progress?.(t + 1);
  }
  await sums.flush();
  return luck;
}
