import { type Game, promptOf, type Scene, sceneOf, type State } from "../../../env/index.js";
import type { Evaluator, Judgement } from "../../analysis/evaluator.js";
import { judgedChoices } from "../review/judged-choices.js";
import type { Judged } from "../review-frame.js";
import type { Difference } from "./runs-view.js";

/** Differences that are listed, and decisions between two of them. */
const [LISTED, APART] = [8, 4];
/** Most actions of each net that are listed for a difference. */
const MOST_RANKED = 6;

/** A decision of a game in which somebody had a choice. */
export interface OpenDecision {
  /** Its moment. */
  readonly at: number;
  readonly state: State;
  readonly taken: number;
}

/** What two nets would do in the positions of a game. */
export interface Differing {
  readonly same: number;
  /** Not drawn yet. */
  readonly differences: readonly (Omit<Difference, "drawing"> & { readonly scene: Scene })[];
}

/** Half the sum of the differences of all chances. */
export function distance(one: Judgement, other: Judgement): number {
  const chances = new Map(other.actions.map((a) => [a.action, a.probability]));
  return one.actions.reduce((sum, a) => sum + Math.abs(a.probability - (chances.get(a.action) ?? 0)), 0) / 2;
}

/** Asks two nets about every open decision of a game. */
export async function differencesOf(
  game: Game,
  decisions: readonly OpenDecision[],
  one: Evaluator,
  other: Evaluator,
): Promise<Differing> {
  const states = decisions.map((d) => d.state);
  const [first, second] = [await one.judge(states), await other.judge(states)];
  const all = decisions.map((d, i) => ({ ...d, one: first[i]!, other: second[i]! }));
  const same = all.filter((d) => likeliest(d.one) === likeliest(d.other)).length;
  const widest = all
    .filter((d) => likeliest(d.one) !== likeliest(d.other))
    .map((d) => ({ ...d, apart: distance(d.one, d.other) }))
    .sort((a, b) => b.apart - a.apart || a.at - b.at);
  const chosen: typeof widest = [];
  for (const d of widest)
    if (chosen.length < LISTED && chosen.every((c) => Math.abs(c.at - d.at) >= APART)) chosen.push(d);
  return {
    same: decisions.length === 0 ? 1 : same / decisions.length,
    differences: chosen.map((d) => {
      const actor = game.actor(d.state);
      const listed = new Set([
        ...ranked(d.one).slice(0, MOST_RANKED),
        ...ranked(d.other).slice(0, MOST_RANKED),
        d.taken,
      ]);
      const opinion = (by: Evaluator, judged: Judgement): Judged => {
        const actions = judged.actions.filter((a) => listed.has(a.action)).sort(byChance);
        const { at, taken } = d;
        const choices = judgedChoices(game, d.state, actions);
        return { at, by: by.name, value: judged.value, choices, taken: game.actions[taken]! };
      };
      return {
        at: d.at,
        by: game.players[actor]!,
        prompt: promptOf(game, d.state, actor).text,
        opinions: [opinion(one, d.one), opinion(other, d.other)],
        apart: d.apart,
        scene: sceneOf(game, d.state, actor),
      };
    }),
  };
}

type Chance = Judgement["actions"][number];

const byChance = (a: Chance, b: Chance): number => b.probability - a.probability || a.action - b.action;

const ranked = ({ actions }: Judgement): number[] => [...actions].sort(byChance).map((a) => a.action);

const likeliest = (judged: Judgement): number => ranked(judged)[0]!;
