import { Env, type Game, type JsonObject, promptOf, Rng } from "../../env/index.js";
import { chanceOf, type Item, noThought } from "./no-thought.js";
import type { Puzzle } from "./puzzle.js";

/** Share of a book that may have the same kind of decision and the same answer. */
export const SAME = 0.03;
/** Two set-ups are near-identical when they share more of what differs between set-ups of the book. */
export const ALIKE = 0.8;
/** Points by which a policy without thought may be better than chance: a test allows five. */
const AIM = 0.04;

/** Most puzzles of a book of `size` with the same kind and answer. */
export const mostSame = (size: number): number => Math.max(1, Math.floor(SAME * size));

/** A puzzle as options to choose from, in words as its side reads them. */
export function itemOf(game: Game, { id, kind, position, accepted }: Puzzle): Item {
  const env = new Env(game);
  env.resetTo(position, "puzzle");
  const { choices } = promptOf(game, env.state, env.actor);
  return {
    kind,
    options: choices.map((c) => c.text),
    names: choices.map((c) => c.name),
    right: accepted.map((a) => choices.findIndex((c) => c.name === a)),
    half: Number.parseInt(id[0]!, 16) % 2 === 0 ? 0 : 1,
  };
}

/** What the side of a puzzle sees, as a set of facts. */
export function factsOf(game: Game, { position }: Puzzle): ReadonlySet<string> {
  const env = new Env(game);
  env.resetTo(position, "puzzle");
  const facts = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === "object" && value !== null)
      for (const [key, part] of Object.entries(value)) walk(part, Array.isArray(value) ? path : `${path}.${key}`);
    else facts.add(`${path}=${String(value)}`);
  };
  const view: JsonObject = game.view(env.state, env.actor);
  walk(view, "");
  return facts;
}

/** How much two of many set-ups have in common, 0 to 1, of the facts that are not in all of them. */
export function likeness(all: readonly ReadonlySet<string>[]): (a: number, b: number) => number {
  const counts = new Map<string, number>();
  for (const facts of all) for (const fact of facts) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  const own = all.map((facts) => new Set([...facts].filter((f) => counts.get(f)! < all.length)));
  return (a, b) => {
    const common = [...own[a]!].filter((f) => own[b]!.has(f)).length;
    const either = own[a]!.size + own[b]!.size - common;
    return either === 0 ? 1 : common / either;
  };
}

/**
 * The puzzles that make a book: those with the widest margins, of which at most three of a hundred have one kind and
 * answer, no two are near-identical, and no policy without thought does better than chance.
 *
 * @param most puzzles at most
 */
export function selected(game: Game, puzzles: readonly Puzzle[], most: number): Puzzle[] {
  const all = [...puzzles].sort((a, b) => b.margin - a.margin || (a.id < b.id ? -1 : 1));
  const alike = likeness(all.map((p) => factsOf(game, p)));
  const items = new Map(all.map((p) => [p, itemOf(game, p)]));
  const varied = (size: number): Puzzle[] => {
    const kept: number[] = [];
    all.forEach((p, i) => {
      const same = kept.filter((k) => all[k]!.kind === p.kind && all[k]!.best === p.best).length;
      if (kept.length < most && same < mostSame(size) && kept.every((k) => alike(k, i) <= ALIKE)) kept.push(i);
    });
    return kept.map((i) => all[i]!);
  };
  let book = all;
  for (;;) {
    const size = book.length;
    book = unlearnable(varied(size), items);
    if (book.length === size) return book;
    if (mostSame(book.length) === mostSame(size)) return book;
  }
}

/** Ways in which puzzles are left out; the one that leaves most is taken. */
const WAYS = 60;

/** Leaves out puzzles that policies without thought solve, until none of these is better than chance. */
function unlearnable(puzzles: readonly Puzzle[], items: ReadonlyMap<Puzzle, Item>): Puzzle[] {
  const rng = new Rng("puzzles/choice");
  let best: readonly Puzzle[] = [];
  for (let way = 0; way < WAYS; way++) {
    const left = [...puzzles];
    while (left.length > best.length) {
      const asked = left.map((p) => items.get(p)!);
      const limit = chanceOf(asked) + AIM;
      const over = noThought(asked).filter((p) => p.share > limit);
      if (over.length === 0) best = [...left];
      if (over.length === 0) break;
      // one that many of these policies solve, with some chance in it
      const weights = left.map((_, i) => over.filter((p) => p.right[i]).length * (0.5 + rng.float()));
      left.splice(weights.indexOf(Math.max(...weights)), 1);
    }
  }
  return [...best];
}
