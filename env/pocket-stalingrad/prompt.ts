import { EVERYTHING, type Viewer } from "../core/game.js";
import { newState, type State, type StateView } from "../core/layout.js";
import type { Choice, Prompt } from "../core/narration.js";
import { Play } from "../core/play.js";
import { ACTIONS, REROLL, ROLL } from "./actions.js";
import type { Tables } from "./data.js";
import { decisions } from "./decisions/index.js";
import { SIDE_WORDS, sideId } from "./events/words.js";
import { activeOf, actorOf, DECISION, enemyOf, L, NO_SIDE, phaseOf, RATT, TACTICS } from "./state.js";
import { applyAction } from "./turn.js";

/** What is to be decided. Choices are for the side that decides and for `EVERYTHING`; others get none. */
export function prompt(tables: Tables, s: StateView, viewer: Viewer): Prompt {
  const actor = actorOf(s);
  const after = newState(s.length);
  const { text, seeAlso, ...asked } = decisions.prompt(tables, s, s[L.kind]!, viewer, {
    names: ACTIONS,
    by: actor === NO_SIDE ? null : sideId(actor),
    decides: actor !== NO_SIDE && (viewer === actor || viewer === EVERYTHING),
    refine: (choice) => withEnd(tables, s, choice, after),
  });
  return {
    ...asked,
    text: actor === NO_SIDE ? text : `${SIDE_WORDS[actor]}: ${text}`,
    seeAlso: [...seeAlso, ...faceRules(s)],
  };
}

/** Rules of the faces that the loose Tactics and Ratt dice show. */
function faceRules(s: StateView): string[] {
  const [tactics, ratt] = [s[L.looseSpecialDice + TACTICS]!, s[L.looseSpecialDice + RATT]!];
  return [
    ...(tactics === 0 ? [] : [`PS 3 ${SIDE_WORDS[activeOf(s)]} ${tactics}`]),
    ...(ratt === 0 ? [] : [`PS 3 Ratt ${ratt}`]),
  ];
}

/** A choice with what it ends; it warns of one that loses the game. @param after scratch */
function withEnd(tables: Tables, s: StateView, choice: Choice, after: State): Choice {
  const ends = endOf(tables, s, choice.action, after);
  const lost = ends === "turn" && after[L.winner] === 2 - actorOf(s);
  return lost
    ? { ...choice, ends, warning: `The ${SIDE_WORDS[enemyOf(actorOf(s))]} side wins the game by this.` }
    : { ...choice, ends };
}

/** What an action ends, found by carrying it out on a copy; what throws dice ends nothing. */
function endOf(tables: Tables, s: StateView, action: number, after: State): Choice["ends"] {
  if (action === ROLL || action === REROLL) return null;
  for (let i = 0; i < after.length; i++) after[i] = s[i]!;
  applyAction(tables, after, action, new Play());
  if (after[L.kind] === DECISION.over || after[L.turn] !== s[L.turn] || after[L.active] !== s[L.active]) return "turn";
  return phaseOf(after) === phaseOf(s) ? null : "phase";
}
