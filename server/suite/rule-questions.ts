import {
  actionIndex,
  EVERYTHING,
  EventLog,
  type Game,
  type GameEvent,
  type Json,
  KesselError,
  newState,
  odds,
  outcomesOfEvent,
  promptOf,
  ScriptedDice,
  standingOf,
  type State,
} from "../../env/index.js";
import { sideNames } from "../../agents/text/sentences.js";
import type { RuleQuestion } from "./document.js";

/** A question in words, and the answer that the engine gives. */
export interface Asked {
  readonly text: string;
  readonly answer: string;
}

/** Any kind of question, without its answer. */
export type Unanswered = RuleQuestion extends infer Q ? (Q extends RuleQuestion ? Omit<Q, "answer"> : never) : never;

/**
 * Puts a question about an open position, in which all counters are seen, and answers it from prompts, odds, standing,
 * events and the map's own answers.
 *
 * @throws KesselError `bad-data` when it can't be asked in this position
 */
export function askRule(game: Game, s: State, q: Unanswered): Asked {
  switch (q.kind) {
    case "legal":
      return {
        text: `Is the action \`${q.action}\` legal now? Answer yes or no.`,
        answer: promptOf(game, s, EVERYTHING).choices.some((c) => c.name === q.action) ? "yes" : "no",
      };
    case "cost": {
      const cost = promptOf(game, s, EVERYTHING).choices.find((c) => c.name === q.action)?.cost;
      if (cost === undefined) throw unasked(game, `${q.action} costs no movement points`);
      return {
        text: `How many movement points does \`${q.action}\` cost? Answer with a number.`,
        answer: String(cost),
      };
    }
    case "odds": {
      const found = odds(game, s, EVERYTHING, indexOf(game, q.action));
      const chance = found.each.find((e) => e.outcome === q.outcome)?.probability;
      if (found.method !== "exact" || chance === undefined)
        throw unasked(game, `${q.action} has no exact chance of ${q.outcome}`);
      const presumed = found.presumed.length === 0 ? "" : ` if the side goes on with ${found.presumed.join(", ")}`;
      return {
        text: `The side that decides takes \`${q.action}\`. What is the chance that this comes of it${presumed}: ${q.outcome}? Answer with a whole number of percent.`,
        answer: String(Math.round(100 * chance)),
      };
    }
    case "result": {
      const { outcomes, thrown } = played(game, s, q.action, q.dice);
      const options = q.options.map((o, i) => `${i + 1}. ${listed(o)}`);
      return {
        text: `The side that decides takes \`${q.action}\`. These dice fall: ${thrown}. What comes of it?\n${options.join("\n")}\nAnswer with the number of the result.`,
        answer: String(q.options.findIndex((o) => listed(o) === listed(outcomes)) + 1),
      };
    }
    case "standing": {
      const c = standingOf(game, s, EVERYTHING).conditions[q.condition];
      if (c === undefined) throw unasked(game, `there is no condition ${q.condition}`);
      const nameOf = sideNames(game, s);
      return {
        text: `This counts for the ${nameOf(c.side)} side: ${c.text} It is judged ${c.when}. How much is there now, counted in ${c.unit}? Answer with a number.`,
        answer: String(c.have),
      };
    }
    case "map": {
      const asked = game.type.mapQuestions?.find((m) => m.kind === q.question);
      if (asked === undefined) throw unasked(game, `nobody can ask ${q.question} on its map`);
      const question = { kind: q.question, from: q.from, to: q.to };
      const answer = game.type.query!(question, game.options, game.type.data) as Json & { readonly yes: boolean };
      return {
        text: `${asked.name} from ${q.from} to ${q.to} (${asked.about}): is the answer yes? Counters don't matter. Answer yes or no.`,
        answer: answer.yes ? "yes" : "no",
      };
    }
  }
}

/** What an action comes to with given dice, up to the next decision. */
export function played(
  game: Game,
  s: State,
  action: string,
  script: readonly (number | string)[],
): { readonly outcomes: readonly string[]; readonly thrown: string } {
  const log = new EventLog([EVERYTHING]);
  const dice = new ScriptedDice(script);
  const after = newState(game.stateSize);
  after.set(s);
  dice.begin(after);
  game.apply(after, indexOf(game, action), dice, log);
  const events = log.take(EVERYTHING);
  return { outcomes: events.flatMap((e) => outcomesOfEvent(e)), thrown: thrownText(events) };
}

const thrownText = (events: readonly GameEvent[]): string =>
  events
    .flatMap((e) => e.dice ?? [])
    .map((t) => `${t.purpose} ${t.faces.join(", ")}`)
    .join("; ");

export const listed = (outcomes: readonly string[]): string =>
  outcomes.length === 0 ? "nothing of note" : outcomes.join("; ");

function indexOf(game: Game, action: string): number {
  const index = actionIndex(game, action);
  if (index < 0) throw unasked(game, `there is no action ${action}`);
  return index;
}

const unasked = (game: Game, why: string): KesselError =>
  new KesselError("bad-data", `suite of ${game.type.id}: ${why}`);
