import { type Choice, type Game, promptOf, sceneOf, type StateView } from "../../../env/index.js";
import type { JudgedAction } from "../../analysis/evaluator.js";
import type { JudgedChoice } from "../review-frame.js";

/** The judged actions of a position, described for the seat that sees it, in the same order. */
export function judgedChoices(game: Game, s: StateView, actions: readonly JudgedAction[]): JudgedChoice[] {
  const describe = wayOf(game, s);
  return actions.map(({ action, probability, value }) => ({
    action: game.actions[action]!,
    ...describe(action),
    probability,
    value,
  }));
}

/** What a legal action of a position does, and where: the place, or a way from the first place to the last. */
function wayOf(game: Game, s: StateView): (action: number) => { text: string; way: readonly string[] } {
  const actor = game.actor(s);
  const { choices } = promptOf(game, s, actor);
  const { counters } = sceneOf(game, s, actor);
  const stands = (unit: string): string | undefined =>
    counters.find((c) => c.place !== undefined && (c.unit === unit || c.id === unit))?.place;
  const way = ({ places, units }: Choice): readonly string[] => {
    if (places.length > 1) return places;
    const [from] = units.flatMap((u) => stands(u) ?? []);
    const [to] = places;
    if (from === undefined || from === to) return places;
    return to === undefined ? [from] : [from, to];
  };
  return (action) => {
    const choice = choices.find((c) => c.action === action);
    return choice === undefined ? { text: game.actions[action]!, way: [] } : { text: choice.text, way: way(choice) };
  };
}
