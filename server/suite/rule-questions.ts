import {
  actionIndex,
  EventLog,
  EVERYTHING,
  type Game,
  type GameEvent,
  type Json,
  KesselError,
  newState,
  NOBODY,
  odds,
  outcomesOfEvent,
  promptOf,
  ScriptedDice,
  standingOf,
  type State,
  type Viewer,
} from "../../env/index.js";
import { boardText } from "../../agents/text/briefing.js";
import { promptText, sideNames } from "../../agents/text/sentences.js";
import type { RuleQuestion } from "./document.js";
import { mayBe } from "./hidden.js";
import type { Positions } from "./positions.js";

/** A question in words, and the answer that the engine gives. */
export interface Asked {
  /** The position as the asked side sees it, and the pending decision. */
  readonly shown: string;
  readonly text: string;
  readonly answer: string;
  /** The asked side: the side to move, or for hidden counters the side that doesn't know them. */
  readonly viewer: number;
  readonly state: State;
}

/** Any kind of question, without its answer. */
export type Unanswered = RuleQuestion extends infer Q ? (Q extends RuleQuestion ? Omit<Q, "answer"> : never) : never;

/** Tolerance of an answer about odds, in percentage points. */
export const TOLERANCE = 5;

/**
 * Asks a question about a position, as the side to move knows it, and answers it from prompts, odds, standing, events,
 * beliefs and the map.
 *
 * @throws KesselError `bad-data` when the question does not fit this position
 */
export function askRule(game: Game, positions: Positions, q: Unanswered): Asked {
  const s = positions.of(q).slice();
  const before = q.kind === "instead" ? positions.of({ game: q.game, at: q.at - 1 }).slice() : null;
  return askedIn(game, s, before, q);
}

/** As `askRule`, in any state. @param before state of the previous decision, for `instead` */
export function askedIn(game: Game, s: State, before: State | null, q: Unanswered): Asked {
  const viewer = q.kind === "hidden" ? game.players.indexOf(q.seat) : game.actor(s);
  const board = boardText(game, s, viewer);
  const shown = q.kind === "hidden" ? board : `${board}\n${promptText(promptOf(game, s, viewer), Infinity)}`;
  return { shown, ...inWords(game, s, before, viewer, q), viewer, state: s };
}

function inWords(
  game: Game,
  s: State,
  before: State | null,
  viewer: number,
  q: Unanswered,
): { readonly text: string; readonly answer: string } {
  const nameOf = sideNames(game, s);
  const own = nameOf(game.players[viewer]!);
  switch (q.kind) {
    case "legal":
      return {
        text: `Is the action \`${q.action}\` legal now? Answer yes or no.`,
        answer: yesNo(legalIn(game, s).includes(q.action)),
      };
    case "unlisted": {
      const legal = legalIn(game, s);
      return {
        text: `Some of the legal actions are ${inTicks(q.listed)}. Which of these is legal, too?\n${numberedLines(q.options)}`,
        answer: only(
          game,
          q.options.map((o) => legal.includes(o)),
        ),
      };
    }
    case "cost": {
      const { choices } = promptOf(game, s, viewer);
      return {
        text: `Which of these actions costs ${q.cost} movement points?\n${numberedLines(q.options)}`,
        answer: only(
          game,
          q.options.map((o) => choices.find((c) => c.name === o)?.cost === q.cost),
        ),
      };
    }
    case "odds": {
      // exact in this state; the maker of the question has checked that it is the same in all states that fit
      const found = odds(game, s, EVERYTHING, indexOf(game, q.action));
      const chance = found.each.find((e) => e.outcome === q.outcome)?.probability;
      if (found.method !== "exact" || chance === undefined)
        throw unasked(game, `${q.action} has no exact chance of ${q.outcome}`);
      const presumed = found.presumed.length === 0 ? "" : ` if it goes on with ${found.presumed.join(", ")}`;
      const what = q.fails ? "does not come of it" : "comes of it";
      return {
        text: `The ${own} side takes \`${q.action}\`. What is the chance that this ${what}${presumed}: ${q.outcome}? Answer in percent; ${TOLERANCE} more or less are right.`,
        answer: String(Math.round(100 * (q.fails ? 1 - chance : chance))),
      };
    }
    case "result": {
      const { outcomes, thrown } = played(game, s, q.action, q.dice, viewer);
      return {
        text: `The ${own} side takes \`${q.action}\`. These dice fall: ${thrown}. What comes of it?\n${numberedLines(q.options.map(listed))}`,
        answer: only(
          game,
          q.options.map((o) => listed(o) === listed(outcomes)),
        ),
      };
    }
    case "after": {
      const { state, words: line } = carried(game, s, q.line, viewer);
      return {
        text: `The ${own} side ${line}. Is \`${q.action}\` legal then? Answer yes or no.`,
        answer: yesNo(game.actor(state) === viewer && legalIn(game, state).includes(q.action)),
      };
    }
    case "instead": {
      if (before === null) throw unasked(game, "there is no decision before");
      const { state } = carried(game, before, [{ action: q.taken, dice: [] }], viewer);
      return {
        text: `The ${own} side has come here by its last decision. If it had taken \`${q.taken}\` there instead, would \`${q.action}\` be legal now? Answer yes or no.`,
        answer: yesNo(game.actor(state) === viewer && legalIn(game, state).includes(q.action)),
      };
    }
    case "standing": {
      const { state, words: line } = carried(game, s, q.line, viewer);
      const now = standingOf(game, s, viewer).conditions[q.condition];
      const then = standingOf(game, state, viewer).conditions[q.condition];
      if (now === undefined || then === undefined) throw unasked(game, `there is no condition ${q.condition}`);
      return {
        text: `This counts for the ${nameOf(now.side)} side: ${now.text} It is judged ${now.when}. The ${own} side ${line}. How much is there then, counted in ${now.unit}?\n${numberedLines(q.options.map(String))}`,
        answer: only(
          game,
          q.options.map((o) => o === then.have),
        ),
      };
    }
    case "hidden":
      return {
        text: `As far as the ${own} side can know, may one of the face-down counters of the ${nameOf(q.side)} side on ${q.place} be this: ${q.what}? Answer yes or no.`,
        answer: yesNo(mayBe(game, s, viewer, q)),
      };
    case "map": {
      const asked = game.type.mapQuestions?.find((m) => m.kind === q.question);
      if (asked === undefined) throw unasked(game, `nobody can ask ${q.question} on its map`);
      const question = { kind: q.question, from: q.from, to: q.to };
      const answer = game.type.query!(question, game.options, game.type.data) as Json & { readonly yes: boolean };
      return {
        text: `${asked.name} from ${q.from} to ${q.to} (${asked.about}): is the answer yes? Counters don't matter. Answer yes or no.`,
        answer: yesNo(answer.yes),
      };
    }
  }
}

const yesNo = (is: boolean): "yes" | "no" => (is ? "yes" : "no");

export const legalIn = (game: Game, s: State): string[] =>
  game.actor(s) === NOBODY ? [] : promptOf(game, s, game.actor(s)).choices.map((c) => c.name);

const inTicks = (names: readonly string[]): string => names.map((n) => `\`${n}\``).join(", ");

const numberedLines = (options: readonly string[]): string =>
  [...options.map((o, i) => `${i + 1}. ${o}`), "Answer with its number."].join("\n");

/** The number of the only right option. */
function only(game: Game, right: readonly boolean[]): string {
  if (right.filter(Boolean).length !== 1) throw unasked(game, "not one option is right");
  return String(right.indexOf(true) + 1);
}

/** The result of an action with given dice, up to the next decision, as reported to `viewer`. */
export function played(
  game: Game,
  s: State,
  action: string,
  script: readonly (number | string)[],
  viewer: Viewer,
): { readonly after: State; readonly outcomes: readonly string[]; readonly thrown: string } {
  const log = new EventLog([viewer]);
  const dice = new ScriptedDice(script);
  const after = newState(game.stateSize);
  after.set(s);
  dice.begin(after);
  game.apply(after, indexOf(game, action), dice, log);
  const events = log.take(viewer);
  return { after, outcomes: events.flatMap((e) => outcomesOfEvent(e)), thrown: thrownText(game, s, events) };
}

export interface Step {
  action: string;
  dice: (number | string)[];
}
export type Line = readonly Step[];

/** Plays decisions. `words` is the same as a sentence, without forced decisions and those of other sides. */
export function carried(
  game: Game,
  s: State,
  line: Line,
  viewer: Viewer,
): { readonly state: State; readonly words: string } {
  let state = s;
  const words: string[] = [];
  for (const { action, dice } of line) {
    const choices = legalIn(game, state);
    if (!choices.includes(action)) throw unasked(game, `${action} is not legal`);
    const { after, thrown } = played(game, state, action, dice, viewer);
    const fall = thrown === "" ? "" : ` (dice: ${thrown})`;
    if (choices.length > 1) words.push(`takes \`${action}\`${fall}`);
    else if (fall !== "") words.push(`must take \`${action}\`${fall}`);
    state = after;
  }
  return { state, words: words.join(", then ") };
}

/** `German attack (d6) 6, 5`. */
const thrownText = (game: Game, s: State, events: readonly GameEvent[]): string => {
  const nameOf = sideNames(game, s);
  return events
    .flatMap((e) => e.dice ?? [])
    .map((t) => {
      const by = t.by === null ? "" : `${nameOf(t.by)} `;
      const sides = t.sides === 0 ? "" : ` (d${t.sides})`;
      return `${by}${t.purpose}${sides} ${t.faces.join(", ")}`;
    })
    .join("; ");
};

export const listed = (outcomes: readonly string[]): string =>
  outcomes.length === 0 ? "nothing of note" : outcomes.join("; ");

function indexOf(game: Game, action: string): number {
  const index = actionIndex(game, action);
  if (index < 0) throw unasked(game, `there is no action ${action}`);
  return index;
}

const unasked = (game: Game, why: string): KesselError =>
  new KesselError("bad-data", `suite of ${game.type.id}: ${why}`);
