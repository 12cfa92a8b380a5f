import {
  type Choice,
  EVERYTHING,
  EventLog,
  type Game,
  type Json,
  newState,
  odds,
  outcomesOfEvent,
  promptOf,
  RecordingDice,
  type Rng,
  sceneOf,
  SeededDice,
  standingOf,
  type State,
} from "../../env/index.js";
import type { RuleQuestion } from "./document.js";
import type { Positions } from "./positions.js";
import { askRule, listed, type Unanswered } from "./rule-questions.js";

/** Positions looked at for one question before its kind is given up. */
const TRIES = 60;
/** Throws looked at to find what may come of an action, and most results offered. */
const THROWS = 24;
const MOST_OPTIONS = 4;

type Place = { readonly game: number; readonly at: number };
/** What to ask in a position; null where nothing of the kind can be asked well. @param asked questions of the kind so far */
type Finder = (game: Game, s: State, rng: Rng, asked: readonly RuleQuestion[]) => Asking | null;
type Asking = Unanswered extends infer Q ? (Q extends Unanswered ? Omit<Q, keyof Place> : never) : never;

const pick = <T>(list: readonly T[], rng: Rng): T => list[rng.below(list.length)]!;

/** The answers `yes` and `no` take turns. */
const wantsYes = (asked: readonly RuleQuestion[]): boolean => asked.length % 2 === 0;

const FINDERS: { readonly [K in RuleQuestion["kind"]]: Finder } = {
  legal: (game, s, rng, asked) => {
    const legal = promptOf(game, s, EVERYTHING).choices.map((c) => c.name);
    if (wantsYes(asked)) return { kind: "legal", action: pick(legal, rng) };
    const verbs = new Set(legal.map(verbOf));
    const others = game.actions.filter((a) => verbs.has(verbOf(a)) && !legal.includes(a));
    const near = others.filter(beside(game, legal));
    return others.length === 0 ? null : { kind: "legal", action: pick(near.length > 0 ? near : others, rng) };
  },
  cost: (game, s, rng) => {
    const byCost = new Map<number, Choice[]>();
    for (const c of promptOf(game, s, EVERYTHING).choices)
      if (c.cost !== undefined) byCost.set(c.cost, [...(byCost.get(c.cost) ?? []), c]);
    return byCost.size < 2 ? null : { kind: "cost", action: pick(pick([...byCost.values()], rng), rng).name };
  },
  odds: (game, s, rng) => {
    const { action, name } = pick(promptOf(game, s, EVERYTHING).choices, rng);
    const found = odds(game, s, EVERYTHING, action);
    const open = found.each.filter(({ probability: p }) => {
      const percent = 100 * p;
      // no chance that rounds either way, and none that is as good as certain
      return p > 0.02 && p < 0.98 && Math.abs(percent - Math.floor(percent) - 0.5) > 0.05;
    });
    return found.method !== "exact" || open.length === 0
      ? null
      : { kind: "odds", action: name, outcome: pick(open, rng).outcome };
  },
  result: (game, s, rng) => {
    const { action, name } = pick(promptOf(game, s, EVERYTHING).choices, rng);
    const seen = new Map<string, { readonly outcomes: string[]; readonly dice: (number | string)[] }>();
    for (let k = 0; k < THROWS; k++) {
      const dice = new RecordingDice(new SeededDice());
      const log = new EventLog([EVERYTHING]);
      const after = newState(game.stateSize);
      after.set(s);
      rng.freshStream(after);
      dice.begin(after);
      game.apply(after, action, dice, log);
      const events = log.take(EVERYTHING);
      const outcomes = events.flatMap((e) => outcomesOfEvent(e));
      if (outcomes.some((o) => o.includes("{n}")) || events.every((e) => e.dice === undefined)) return null;
      if (!seen.has(listed(outcomes))) seen.set(listed(outcomes), { outcomes, dice: dice.script });
    }
    if (seen.size < 3) return null;
    const options = [...seen.values()].slice(0, MOST_OPTIONS);
    return { kind: "result", action: name, dice: pick(options, rng).dice, options: options.map((o) => o.outcomes) };
  },
  standing: (game, s, rng, asked) => {
    const { conditions } = standingOf(game, s, EVERYTHING);
    // a text that has the number in it gives the answer away
    const open = conditions.flatMap((c, i) => (c.text.includes(String(c.have)) || c.have === 0 ? [] : [i]));
    if (open.length === 0) return null;
    const times = (i: number): number => asked.filter((q) => q.kind === "standing" && q.condition === i).length;
    const least = Math.min(...open.map(times));
    return {
      kind: "standing",
      condition: pick(
        open.filter((i) => times(i) === least),
        rng,
      ),
    };
  },
  map: (game, s, rng, asked) => {
    const questions = game.type.mapQuestions ?? [];
    if (questions.length === 0) return null;
    const { kind } = pick(questions, rng);
    const { places } = sceneOf(game, s, EVERYTHING).board;
    const [from, to] = [pick(places, rng).id, pick(places, rng).id];
    if (from === to) return null;
    const { yes } = game.type.query!({ kind, from, to }, game.options, game.type.data) as Json & { yes: boolean };
    return yes === wantsYes(asked) ? { kind: "map", question: kind, from, to } : null;
  },
};

const verbOf = (action: string): string => action.split(" ")[0]!;
const placeOf = (action: string): string => action.split(" ").at(-1)!;

/** Does an action name a place next to one that these name? Such are the ones that a player may be wrong about. */
function beside(game: Game, legal: readonly string[]): (action: string) => boolean {
  const rows = game.observation.mapRows;
  const near = new Set(legal.flatMap((a) => game.statics.neighbours[rows.indexOf(placeOf(a))] ?? []));
  return (action) => near.has(rows.indexOf(placeOf(action)));
}

/** `count` questions, as many of each kind as the game has an answer for. @param places where they may be asked */
export function makeRules(
  game: Game,
  positions: Positions,
  places: readonly Place[],
  count: number,
  rng: Rng,
): RuleQuestion[] {
  const found = new Map(Object.keys(FINDERS).map((kind) => [kind as RuleQuestion["kind"], [] as RuleQuestion[]]));
  const total = (): number => [...found.values()].reduce((n, list) => n + list.length, 0);
  const open = new Set(found.keys());
  while (total() < count && open.size > 0)
    for (const kind of [...open]) {
      if (total() === count) break;
      const list = found.get(kind)!;
      const next = findOne(game, positions, places, FINDERS[kind], list, rng);
      if (next === null) open.delete(kind);
      else list.push(next);
    }
  return [...found.values()].flat();
}

function findOne(
  game: Game,
  positions: Positions,
  places: readonly Place[],
  finder: Finder,
  asked: readonly RuleQuestion[],
  rng: Rng,
): RuleQuestion | null {
  for (let k = 0; k < TRIES; k++) {
    const place = pick(places, rng);
    const s = positions.of(place);
    const asking = finder(game, s, rng, asked);
    if (asking === null) continue;
    const question = { ...place, ...asking } as Unanswered;
    if (asked.some((q) => JSON.stringify(q).startsWith(JSON.stringify(question).slice(0, -1)))) continue;
    return { ...question, answer: askRule(game, s, question).answer } as RuleQuestion;
  }
  return null;
}
