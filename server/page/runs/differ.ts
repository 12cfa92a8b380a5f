import { type Env, type Game, promptOf, type State } from "../../../env/index.js";
import type { Evaluator, Judgement } from "../../analysis/evaluator.js";
import { choiceText } from "../../analysis/explain.js";
import type { Difference, Preferred } from "./runs-view.js";

/** Differences that are listed, and decisions between two of them. */
const [LISTED, APART] = [8, 4];

/** What two nets would do in the positions of a game. */
export interface Differing {
  readonly same: number;
  readonly differences: readonly Difference[];
}

/** Half the sum of the differences of all chances. */
export function distance(one: Judgement, other: Judgement): number {
  const chances = new Map(other.actions.map((a) => [a.action, a.probability]));
  return one.actions.reduce((sum, a) => sum + Math.abs(a.probability - (chances.get(a.action) ?? 0)), 0) / 2;
}

/**
 * Asks two nets about every open decision of a game.
 *
 * @param steps positions with the number of their moment, in which somebody has a choice
 */
export async function differencesOf(
  game: Game,
  steps: readonly { readonly at: number; readonly state: State }[],
  one: Evaluator,
  other: Evaluator,
): Promise<Differing> {
  const states = steps.map((s) => s.state);
  const [first, second] = [await one.judge(states), await other.judge(states)];
  const all = steps.map((s, i) => ({ ...s, one: first[i]!, other: second[i]! }));
  const same = all.filter((d) => likeliest(d.one) === likeliest(d.other)).length;
  const widest = all
    .filter((d) => likeliest(d.one) !== likeliest(d.other))
    .map((d) => ({ ...d, apart: distance(d.one, d.other) }))
    .sort((a, b) => b.apart - a.apart || a.at - b.at);
  const chosen: typeof widest = [];
  for (const d of widest)
    if (chosen.length < LISTED && chosen.every((c) => Math.abs(c.at - d.at) >= APART)) chosen.push(d);
  return {
    same: steps.length === 0 ? 1 : same / steps.length,
    differences: chosen.map((d): Difference => {
      const actor = game.actor(d.state);
      const preferred = (whose: Judgement): Preferred => {
        const action = likeliest(whose);
        const of = (j: Judgement): number => j.actions.find((a) => a.action === action)?.probability ?? 0;
        return {
          action: game.actions[action]!,
          text: choiceText(game, d.state, actor, action),
          chances: [of(d.one), of(d.other)],
          value: whose.value,
        };
      };
      const { text } = promptOf(game, d.state, actor);
      return {
        at: d.at,
        by: game.players[actor]!,
        prompt: text,
        one: preferred(d.one),
        other: preferred(d.other),
        apart: d.apart,
      };
    }),
  };
}

const likeliest = ({ actions }: Judgement): number =>
  actions.reduce((a, b) => (b.probability > a.probability ? b : a)).action;

/** The position of `env` for `differencesOf`, if there is a choice in it. */
export const openStep = (env: Env, at: number): { at: number; state: State }[] =>
  env.legalCount > 1 ? [{ at, state: env.state.slice() }] : [];
