import { percent } from "../../env/core/words.js";
import {
  type Condition,
  type Game,
  type GameEvent,
  odds,
  type Odds,
  outcomesOfEvent,
  promptOf,
  standingOf,
  type State,
  type Viewer,
} from "../../env/index.js";
import { sideNames } from "../../agents/text/sentences.js";

/** Least difference of two chances that is worth a word. */
const TOLD = 0.05;

/** An action of the deciding player as that player reads it. */
export function choiceText(game: Game, s: State, viewer: Viewer, action: number): string {
  const { choices } = promptOf(game, s, viewer);
  return (choices.find((c) => c.action === action)?.text ?? game.actions[action]!).replace(/\.$/, "");
}

/** Why `best` is better than `chosen`, by the odds of both and by what is still missing; the actor knows all of it. */
export function explainChoice(game: Game, s: State, chosen: number, best: number): string {
  const actor = game.actor(s);
  const [one, other] = [odds(game, s, actor, chosen), odds(game, s, actor, best)];
  return [comparedOdds(one, other), missing(game, s, actor)].filter((x) => x !== "").join(" ");
}

/** What came of an action, and how likely that was. @param viewer the actor, or `EVERYTHING` */
export function explainOutcome(
  game: Game,
  s: State,
  viewer: Viewer,
  action: number,
  events: readonly GameEvent[],
): string {
  const came = new Set(events.flatMap(outcomesOfEvent));
  const each = odds(game, s, viewer, action).each.filter(({ probability }) => probability < 1 - TOLD / 2);
  const rarest = each.filter(({ outcome }) => came.has(outcome)).sort((a, b) => a.probability - b.probability)[0];
  const missed = each.filter(({ outcome }) => !came.has(outcome)).sort((a, b) => b.probability - a.probability)[0];
  const sentence =
    rarest !== undefined
      ? `${percent(rarest.probability)} for “${rarest.outcome}”, and it came.`
      : missed !== undefined
        ? `${percent(missed.probability)} for “${missed.outcome}”, and it did not come.`
        : "";
  return [sentence, missing(game, s, viewer)].filter((x) => x !== "").join(" ");
}

/** The outcome whose chance differs most between two actions; otherwise what the first leads to. */
function comparedOdds(chosen: Odds, best: Odds): string {
  const chance = (o: Odds, outcome: string): number => o.each.find((e) => e.outcome === outcome)?.probability ?? 0;
  const outcomes = new Set([...chosen.each, ...best.each].map((e) => e.outcome));
  const most = [...outcomes]
    .map((outcome) => ({ outcome, here: chance(chosen, outcome), there: chance(best, outcome) }))
    .sort((a, b) => Math.abs(b.there - b.here) - Math.abs(a.there - a.here) || (a.outcome < b.outcome ? -1 : 1))[0];
  if (most === undefined) return "";
  if (Math.abs(most.there - most.here) < TOLD) return ""; // the odds of the next moment do not tell them apart
  return `${percent(most.there)} for “${most.outcome}” with the better one, ${percent(most.here)} with this.`;
}

/** The condition of victory that is nearest, for each side, and how the game would end now. */
function missing(game: Game, s: State, viewer: Viewer): string {
  const { conditions, ifEndedNow } = standingOf(game, s, viewer);
  const nameOf = sideNames(game, s);
  const distance = (c: Condition): number => Math.abs(c.need - c.have) / Math.max(1, c.need, c.have);
  const nearest = game.players.flatMap((side) => {
    // one that isn't met though its count is reached waits for something else
    const open = conditions.filter((c) => c.side === side && !c.met && (c.fewer ? c.have > c.need : c.have < c.need));
    return open.length === 0 ? [] : [open.reduce((a, b) => (distance(b) < distance(a) ? b : a))];
  });
  const lines = nearest.map(({ side, have, need, unit }) => {
    const gap = round(Math.abs(need - have));
    const what =
      need > have
        ? `${gap} more (${round(have)} of ${round(need)} ${unit})`
        : `${gap} fewer (${round(have)} ${unit}, at most ${round(need)})`;
    return `The ${nameOf(side)} side needs ${what}.`;
  });
  return [...lines, ifEndedNow].join(" ");
}

const round = (x: number): string => String(Math.round(100 * x) / 100);
