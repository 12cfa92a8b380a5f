import {
  type Choice,
  EventLog,
  EVERYTHING,
  type Game,
  type Json,
  KesselError,
  newState,
  NOBODY,
  odds,
  promptOf,
  RecordingDice,
  type Rng,
  sampleFor,
  sceneOf,
  SeededDice,
  standingOf,
  type State,
} from "../../env/index.js";
import type { RuleQuestion } from "./document.js";
import { hiddenShares } from "./hidden.js";
import type { Positions } from "./positions.js";
import { fair, givenAway, itemOf, oneMore, overdone } from "./fairness.js";
import { type Asked, askedIn, carried, legalIn, type Line, listed, played, type Unanswered } from "./rule-questions.js";

/** Positions tried for one question before its kind is given up; fewer if each takes long. */
const TRIES = 1000;
const FEW_TRIES: { readonly [K in RuleQuestion["kind"]]?: number } = { hidden: 80, odds: 60, standing: 800 };
/** Throws tried to find the results of an action, and options of a question. */
const THROWS = 24;
const OPTIONS = 4;
/** Legal actions in a question, decisions of a line, and sampled states in which an answer must be the same. */
const LISTED = 5;
const LONGEST = 3;
const TO_STAND = 6;
const WORLDS = 24;
/**
 * Sampled states of a first look at hidden counters, and the least overall share of a counter that is not in a place.
 */
const FIRST_WORLDS = 60;
const COMMON = 0.04;

type Place = { readonly game: number; readonly at: number };
type Asking = Unanswered extends infer Q ? (Q extends Unanswered ? Omit<Q, keyof Place> : never) : never;

/** A position that a question may be about. */
interface Spot {
  readonly game: Game;
  readonly s: State;
  /** The state of the previous decision, if the same side made it. */
  readonly before: State | null;
  readonly rng: Rng;
}
/**
 * Finds a question for a position; null if there is no good one.
 *
 * @param yes the wanted answer of a yes-or-no question
 */
type Finder = (spot: Spot, yes: (verb: string) => boolean) => Asking | null;

const pick = <T>(list: readonly T[], rng: Rng): T => list[rng.below(list.length)]!;

function drawn<T>(list: readonly T[], count: number, rng: Rng): T[] {
  const left = [...list];
  const taken: T[] = [];
  while (left.length > 0 && taken.length < count) taken.push(left.splice(rng.below(left.length), 1)[0]!);
  return taken;
}

const verbOf = (action: string): string => action.split(" ")[0]!;
const placeOf = (action: string): string => action.split(" ").at(-1)!;

/** Illegal actions of a verb, preferably for places next to that of a legal action. */
function nearMisses(game: Game, legal: readonly string[], verb: string): string[] {
  const others = game.actions.filter((a) => verbOf(a) === verb && !legal.includes(a));
  const rows = game.observation.mapRows;
  const near = new Set(legal.flatMap((a) => game.statics.neighbours[rows.indexOf(placeOf(a))] ?? []));
  const beside = others.filter((a) => near.has(rows.indexOf(placeOf(a))));
  return beside.length > 0 ? beside : others;
}

/** Verbs with several actions, of which some may be legal and others not. */
const openVerbs = (game: Game, legal: readonly string[]): string[] =>
  [...new Set(legal.map(verbOf))].filter((verb) => nearMisses(game, legal, verb).length > 0);

/** Four options in random order, one of them right. */
const mixed = <T>(right: T, wrong: readonly T[], rng: Rng): T[] => drawn([right, ...wrong], OPTIONS, rng);

const FINDERS: { readonly [K in RuleQuestion["kind"]]: Finder } = {
  legal: ({ game, s, rng }, yes) => {
    const legal = legalIn(game, s);
    const verbs = openVerbs(game, legal);
    if (verbs.length === 0) return null;
    const verb = pick(verbs, rng);
    const of = yes(verb) ? legal.filter((a) => verbOf(a) === verb) : nearMisses(game, legal, verb);
    return { kind: "legal", action: pick(of, rng) };
  },
  unlisted: ({ game, s, rng }) => {
    const legal = legalIn(game, s);
    const verbs = openVerbs(game, legal).filter((v) => legal.filter((a) => verbOf(a) === v).length > 1);
    if (verbs.length === 0) return null;
    const verb = pick(verbs, rng);
    const [right, ...rest] = drawn(
      legal.filter((a) => verbOf(a) === verb),
      1 + LISTED,
      rng,
    );
    const wrong = drawn(nearMisses(game, legal, verb), OPTIONS - 1, rng);
    if (wrong.length < OPTIONS - 1) return null;
    return { kind: "unlisted", listed: rest, options: mixed(right!, wrong, rng) };
  },
  cost: ({ game, s, rng }) => {
    const byCost = new Map<number, Choice[]>();
    for (const c of promptOf(game, s, game.actor(s)).choices)
      if (c.cost !== undefined) byCost.set(c.cost, [...(byCost.get(c.cost) ?? []), c]);
    if (byCost.size < 2) return null;
    const cost = pick([...byCost.keys()], rng);
    const others = [...byCost].flatMap(([c, list]) => (c === cost ? [] : list.map((x) => x.name)));
    const wrong = drawn(others, OPTIONS - 1, rng);
    if (wrong.length < OPTIONS - 1) return null;
    return { kind: "cost", cost, options: mixed(pick(byCost.get(cost)!, rng).name, wrong, rng) };
  },
  odds: ({ game, s, rng }) => {
    const { action, name } = pick(promptOf(game, s, game.actor(s)).choices, rng);
    const found = odds(game, s, EVERYTHING, action);
    // no chance that is almost certain
    const open = found.each.filter(({ probability: p }) => p > 0.02 && p < 0.98);
    return found.method !== "exact" || open.length === 0
      ? null
      : { kind: "odds", action: name, outcome: pick(open, rng).outcome, fails: rng.below(2) === 1 };
  },
  result: ({ game, s, rng }) => {
    const viewer = game.actor(s);
    const { name } = pick(promptOf(game, s, viewer).choices, rng);
    const seen = new Map<string, { readonly outcomes: readonly string[]; readonly dice: Line[number]["dice"] }>();
    for (let k = 0; k < THROWS; k++) {
      const { dice } = thrown(game, s, name, rng);
      if (dice.length === 0) return null;
      const { outcomes, thrown: words } = played(game, s, name, dice, viewer);
      if (words === "" || outcomes.some((o) => o.includes("{n}"))) return null;
      if (!seen.has(listed(outcomes))) seen.set(listed(outcomes), { outcomes, dice });
    }
    if (seen.size < OPTIONS) return null;
    const [right, ...wrong] = drawn([...seen.values()], OPTIONS, rng);
    return {
      kind: "result",
      action: name,
      dice: [...right!.dice],
      options: mixed(
        [...right!.outcomes],
        wrong.map((o) => [...o.outcomes]),
        rng,
      ),
    };
  },
  after: ({ game, s, rng }, yes) => {
    const viewer = game.actor(s);
    const found = lineFrom(game, s, 1 + rng.below(LONGEST), rng);
    if (found === null || game.actor(found.state) !== viewer) return null;
    const action = changed(game, legalIn(game, s), legalIn(game, found.state), yes, rng);
    return action === null ? null : { kind: "after", line: [...found.line], action };
  },
  instead: ({ game, s, before, rng }, yes) => {
    if (before === null) return null;
    const viewer = game.actor(s);
    const [seen, now] = [promptOf(game, before, viewer), promptOf(game, s, viewer)];
    const taken = pick(seen.choices, rng).name;
    const { dice } = thrown(game, before, taken, rng);
    if (dice.length > 0) return null;
    const { state } = carried(game, before, [{ action: taken, dice: [] }], viewer);
    if (game.actor(state) !== viewer || promptOf(game, state, viewer).kind !== now.kind) return null;
    const action = changed(
      game,
      now.choices.map((c) => c.name),
      legalIn(game, state),
      yes,
      rng,
    );
    return action === null ? null : { kind: "instead", taken, action };
  },
  standing: ({ game, s, rng }) => {
    const viewer = game.actor(s);
    const found = lineFrom(game, s, 1 + rng.below(TO_STAND), rng);
    if (found === null) return null;
    const [now, then] = [standingOf(game, s, viewer).conditions, standingOf(game, found.state, viewer).conditions];
    const moved = now.flatMap((c, i) => (then[i] !== undefined && then[i].have !== c.have ? [i] : []));
    if (moved.length === 0) return null;
    const condition = pick(moved, rng);
    const [from, to] = [now[condition]!.have, then[condition]!.have];
    const near = [-3, -2, -1, 1, 2, 3].map((d) => to + d).filter((n) => n >= 0 && n !== from);
    if (!Number.isInteger(to)) return null;
    const options = [to, from, ...drawn(near, OPTIONS - 2, rng)].sort((a, b) => a - b);
    return { kind: "standing", line: [...found.line], condition, options };
  },
  hidden: ({ game, s, rng }, yes) => {
    const seat = rng.below(game.players.length);
    const groups = hiddenShares(game, s, seat, FIRST_WORLDS).filter((p) => p.what.length > 1);
    if (groups.length === 0) return null;
    const { place, side, what, shares, pool } = pick(groups, rng);
    const wanted = what.filter((w, i) =>
      yes(w) ? shares[i]! > 0.02 && shares[i]! < 0.9 : shares[i] === 0 && pool[i]! > COMMON,
    );
    return wanted.length === 0
      ? null
      : { kind: "hidden", seat: game.players[seat]!, place, side, what: pick(wanted, rng) };
  },
  map: ({ game, s, rng }, yes) => {
    const questions = game.type.mapQuestions ?? [];
    if (questions.length === 0) return null;
    const { kind } = pick(questions, rng);
    const { places } = sceneOf(game, s, game.actor(s)).board;
    const [from, to] = [pick(places, rng).id, pick(places, rng).id];
    if (from === to) return null;
    const answer = game.type.query!({ kind, from, to }, game.options, game.type.data) as Json & { yes: boolean };
    return answer.yes === yes(kind) ? { kind: "map", question: kind, from, to } : null;
  },
};

/** Plays an action with random dice. */
function thrown(
  game: Game,
  s: State,
  action: string,
  rng: Rng,
): { readonly state: State; readonly dice: Line[number]["dice"] } {
  const dice = new RecordingDice(new SeededDice());
  const state = newState(game.stateSize);
  state.set(s);
  rng.freshStream(state);
  dice.begin(state);
  const log = new EventLog([game.actor(s)]);
  game.apply(state, game.actions.indexOf(action), dice, log);
  return { state, dice: dice.script };
}

/** Random decisions of one side, with the forced ones that follow; null if the game ends. */
function lineFrom(
  game: Game,
  s: State,
  length: number,
  rng: Rng,
): { readonly line: Line; readonly state: State } | null {
  const viewer = game.actor(s);
  const line: { action: string; dice: Line[number]["dice"] }[] = [];
  let state = s;
  for (let own = 0; ;) {
    const legal = legalIn(game, state);
    if (legal.length === 0) return null;
    if (legal.length > 1 && (own === length || game.actor(state) !== viewer)) break;
    if (legal.length > 1) own++;
    const action = pick(legal, rng);
    const next = thrown(game, state, action, rng);
    line.push({ action, dice: next.dice });
    state = next.state;
  }
  return line.length === 0 ? null : { line, state };
}

/** An action that is legal (or illegal) at the end, as wanted; preferably one for which that has changed. */
function changed(
  game: Game,
  before: readonly string[],
  after: readonly string[],
  yes: (verb: string) => boolean,
  rng: Rng,
): string | null {
  const verbs = [...new Set([...before, ...after].map(verbOf))].filter(
    (verb) => new Set([...before, ...after].filter((a) => verbOf(a) === verb)).size > 1,
  );
  if (verbs.length === 0) return null;
  const verb = pick(verbs, rng);
  const of = (list: readonly string[]): string[] => list.filter((a) => verbOf(a) === verb);
  const [from, not] = yes(verb) ? [after, before] : [before, after];
  const turned = of(from).filter((a) => !not.includes(a));
  if (turned.length > 0) return pick(turned, rng);
  const still = yes(verb) ? of(after) : nearMisses(game, [...before, ...after], verb);
  return still.length === 0 ? null : pick(still, rng);
}

/** True when the answer is the same in all states that the asked side cannot tell apart. */
function known(game: Game, s: State, before: State | null, q: Unanswered, asked: Asked, rng: Rng): boolean {
  if (q.kind === "hidden") return true; // beliefs come from what is known
  for (let k = 0; k < WORLDS; k++) {
    try {
      // the question is about the previous decision, and the shown position is the one after it
      const twin = q.kind === "instead" ? s : sampleFor(game, s, asked.viewer, rng);
      const then = before === null || q.kind !== "instead" ? before : sampleFor(game, before, asked.viewer, rng);
      const again = askedIn(game, twin, then, q);
      if (again.answer !== asked.answer || again.text !== asked.text || again.shown !== asked.shown) return false;
    } catch (e) {
      if (e instanceof KesselError && ["bad-data", "bad-dice", "illegal-action"].includes(e.code)) return false;
      throw e;
    }
  }
  return true;
}

/** Up to `count` questions of each kind that the game can answer. @param places positions that they may be about */
export function makeRules(
  game: Game,
  positions: Positions,
  places: readonly Place[],
  count: number,
  rng: Rng,
): RuleQuestion[] {
  const kinds = Object.keys(FINDERS) as RuleQuestion["kind"][];
  const found = kinds.map((kind) => {
    const list: { readonly q: RuleQuestion; readonly asked: Asked }[] = [];
    for (let tries = 0; list.length < count && tries < (FEW_TRIES[kind] ?? TRIES); tries++) {
      const next = findOne(
        game,
        positions,
        pick(places, rng),
        kind,
        list.map((l) => l.q),
        rng,
      );
      if (next === null || list.some((l) => l.asked.text === next.asked.text && l.asked.shown === next.asked.shown))
        continue;
      if (
        oneMore(
          list.map((l) => itemOf(l.q)),
          itemOf(next.q),
          count,
        )
      ) {
        list.push(next);
        tries = 0;
      }
    }
    return list;
  });
  return fair(found.flat()).map((f) => f.q);
}

function findOne(
  game: Game,
  positions: Positions,
  place: Place,
  kind: RuleQuestion["kind"],
  asked: readonly RuleQuestion[],
  rng: Rng,
): { readonly q: RuleQuestion; readonly asked: Asked } | null {
  let before: State | null = null;
  if (kind === "instead") {
    if (place.at === 0) return null;
    before = positions.of({ game: place.game, at: place.at - 1 }).slice();
  }
  const s = positions.of(place).slice();
  if (game.actor(s) === NOBODY || (before !== null && game.actor(before) !== game.actor(s))) return null;
  // yes and no alternate for each verb
  const yes = (verb: string): boolean => {
    const of = asked.filter((q) => subjectOf(q) === verb);
    const sure = (list: readonly RuleQuestion[]): number =>
      list.filter((q) => q.answer === "yes").length - list.filter((q) => q.answer === "no").length;
    return sure(of) < 0 || (sure(of) === 0 && sure(asked) <= 0);
  };
  try {
    const asking = FINDERS[kind]({ game, s, before, rng }, yes);
    if (asking === null) return null;
    const unanswered = { ...place, ...asking } as Unanswered;
    const words = askedIn(game, s, before, unanswered);
    const q = { ...unanswered, answer: words.answer } as RuleQuestion;
    if (givenAway(q, words) || overdone(asked, q) || !known(game, s, before, unanswered, words, rng)) return null;
    return { q, asked: words };
  } catch (e) {
    if (e instanceof KesselError && ["bad-data", "bad-dice", "illegal-action"].includes(e.code)) return null;
    throw e;
  }
}

/** The subject of a yes-or-no question. */
function subjectOf(q: RuleQuestion): string {
  if (q.kind === "hidden") return q.what;
  if (q.kind === "map") return q.question;
  return "action" in q ? verbOf(q.action) : "";
}
