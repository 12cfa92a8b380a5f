import { type Game, type Rng, type State } from "../../env/index.js";
import { sideNames } from "../../agents/text/sentences.js";
import type { BeliefQuestion } from "./document.js";
import { hiddenShares, sharesAt } from "./hidden.js";
import type { Positions } from "./positions.js";

/** A larger share than this is certain, so there is nothing to ask. */
const CERTAIN = 0.97;
/** Sampled states of a first look, positions examined for each question, and places of one position. */
const FIRST_WORLDS = 150;
const TRIES = 4;
const EACH_LOOK = 3;
/** Candidates for each question. */
const CANDIDATES = 2;
/** Least difference in nats between the place and the list of all face-down counters, which a reader could count. */
const TELLS = 0.01;
/** Limit of possibilities of a question, and the least share of the likeliest one. */
const MOST = 4;
const LEAST = 0.05;
/** How often, relative to chance, one possibility or one number may be the likeliest. */
const OFTEN = 1.3;

type At = { readonly game: number; readonly at: number };

/** Information of the place beyond the list of all face-down counters: the Kullback-Leibler divergence. */
export const information = ({ shares, pool }: Pick<BeliefQuestion, "shares" | "pool">): number =>
  shares.reduce((sum, p, i) => (p === 0 ? sum : sum + p * Math.log(p / Math.max(pool[i]!, 0.001))), 0);

/** The likeliest possibility. */
export const likeliest = ({ shares }: Pick<BeliefQuestion, "shares">): number => shares.indexOf(Math.max(...shares));

/** True when one more possibility may be the likeliest, given the number of questions and of possibilities. */
const often = (questions: number, possibilities: number): number =>
  Math.max(1, Math.floor((OFTEN * questions) / possibilities));

/**
 * Makes up to `count` questions, at most one about each place in a game, about places that have more information than
 * the list of all face-down counters. Each possibility, and each number of the list, is the likeliest about equally
 * often.
 */
export function makeBeliefs(
  game: Game,
  positions: Positions,
  places: readonly At[],
  count: number,
  rng: Rng,
): BeliefQuestion[] {
  const known = new Set<string>();
  const looked: (At & {
    readonly seat: number;
    readonly place: string;
    readonly side: string;
    readonly tells: number;
  })[] = [];
  for (let k = 0; k < TRIES * count && looked.length < 2 * CANDIDATES * count; k++) {
    const at = places[rng.below(places.length)]!;
    const seat = rng.below(game.players.length);
    const telling = hiddenShares(game, positions.of(at), seat, FIRST_WORLDS)
      .filter(
        (p) => p.what.length > 1 && Math.max(...p.shares) <= CERTAIN && !known.has(`${at.game} ${seat} ${p.place}`),
      )
      .map((p) => ({ ...at, seat, place: p.place, side: p.side, tells: information(p) }))
      .filter((p) => p.tells >= TELLS)
      .sort((a, b) => b.tells - a.tells)
      .slice(0, EACH_LOOK);
    for (const p of telling) {
      known.add(`${at.game} ${seat} ${p.place}`);
      looked.push(p);
    }
  }
  const candidates = looked
    .sort((a, b) => b.tells - a.tells)
    .slice(0, CANDIDATES * count)
    .flatMap(({ game: g, at, seat, place, side }): BeliefQuestion[] => {
      const found = sharesAt(game, positions.of({ game: g, at }), seat, { place, side });
      if (found === null || found.what.length < 2 || Math.max(...found.shares) > CERTAIN || information(found) < TELLS)
        return [];
      return [{ game: g, at, seat: game.players[seat]!, place, side, ...found }];
    });
  return evenly(candidates, count, rng);
}

/**
 * Selects candidates, the best first, so that each possibility and each number is the likeliest about equally often.
 * Each question lists some possibilities: one that has seldom been the likeliest, and less likely ones.
 */
function evenly(candidates: readonly BeliefQuestion[], count: number, rng: Rng): BeliefQuestion[] {
  for (let n = Math.min(count, candidates.length); n > 0; n--) {
    const kept: BeliefQuestion[] = [];
    for (const q of candidates) {
      if (kept.length === n) break;
      const narrowed = narrow(q, kept, n, rng);
      if (narrowed !== null) kept.push(narrowed);
    }
    if (kept.length === n) return kept;
  }
  return [];
}

function narrow(q: BeliefQuestion, kept: readonly BeliefQuestion[], n: number, rng: Rng): BeliefQuestion | null {
  const times = (i: number): number => kept.filter((k) => k.what[likeliest(k)] === q.what[i]).length;
  const tops = [...q.what.keys()].filter((i) => q.shares[i]! >= LEAST).sort((a, b) => times(a) - times(b));
  for (const top of tops) {
    const others = shuffled(
      [...q.what.keys()].filter((i) => q.shares[i]! < q.shares[top]! && q.pool[i]! > 0),
      rng,
    ).slice(0, MOST - 1);
    const size = others.length + 1;
    if (size < 2 || times(top) >= often(n, size)) continue;
    const at = [...Array(size).keys()].map((i) => kept.filter((k) => likeliest(k) === i).length);
    const place = at.indexOf(Math.min(...at));
    if (at[place]! >= often(n, size)) continue;
    const order = [...others.slice(0, place), top, ...others.slice(place)];
    const part = (list: readonly number[]): number[] => {
      const sum = order.reduce((x, i) => x + list[i]!, 0);
      return order.map((i) => Math.round((1000 * list[i]!) / sum) / 1000);
    };
    const made = { ...q, what: order.map((i) => q.what[i]!), shares: part(q.shares), pool: part(q.pool) };
    if (Math.max(...made.shares) <= CERTAIN && information(made) >= TELLS) return made;
  }
  return null;
}

function shuffled<T>(list: readonly T[], rng: Rng): T[] {
  const left = [...list];
  return list.map(() => left.splice(rng.below(left.length), 1)[0]!);
}

export function askBelief(game: Game, s: State, q: BeliefQuestion): string {
  const list = q.what.map((name, i) => `${i + 1}. ${name}`);
  return [
    `One of the face-down counters of the ${sideNames(game, s)(q.side)} side on ${q.place} is picked blindly. Suppose that it is one of these. How likely is each?`,
    ...list,
    "Answer with the percent of each that is possible, such as: 1=70, 3=30",
  ].join("\n");
}
