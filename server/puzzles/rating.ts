import { bradleyTerry, type Meeting } from "../../training/report/stats.js";
import type { Puzzle, PuzzleBook } from "./puzzle.js";

/** A person's first answers to puzzles of one game, rated beside the agents'. */
export interface PuzzleRating {
  readonly tried: number;
  readonly right: number;
  /** Elo points; who plays anything has 0. */
  readonly value: number;
  /** 95 %. */
  readonly interval: readonly [number, number];
  /** What the agents have on the same puzzles, the best first. */
  readonly agents: readonly { readonly who: string; readonly value: number }[];
}

/** Drawn answers added to each, so that a puzzle which nobody solves has a finite rating. */
const PRIOR = 0.2;

/** The agent whose rating is 0. */
const ANYTHING = "random";

interface Fit {
  readonly puzzles: readonly number[];
  readonly agents: ReadonlyMap<string, number>;
  readonly you: { readonly value: number; readonly interval: readonly [number, number] };
}

/**
 * Ratings by Bradley and Terry: an agent that takes the best action in a share of its answers has won that share of a
 * game against the puzzle; a person's answer is a game won or lost.
 */
function fit(puzzles: readonly Puzzle[], mine: readonly { readonly at: number; readonly right: boolean }[]): Fit {
  const agents = [...new Set(puzzles.flatMap((p) => Object.keys(p.solvedBy)))];
  const you = puzzles.length + agents.length;
  const meetings: Meeting[] = puzzles.flatMap((p, at) =>
    Object.entries(p.solvedBy).map(([who, share]): Meeting => ({
      first: puzzles.length + agents.indexOf(who),
      second: at,
      games: 1,
      score: share,
    })),
  );
  for (const { at, right } of mine) meetings.push({ first: you, second: at, games: 1, score: right ? 1 : 0 });
  const found = bradleyTerry(you + (mine.length > 0 ? 1 : 0), meetings, { seat: false, prior: PRIOR });
  const zero = found.elo[puzzles.length + agents.indexOf(ANYTHING)]!;
  const own = found.interval[you] ?? [zero, zero];
  return {
    puzzles: puzzles.map((_, i) => found.elo[i]! - zero),
    agents: new Map(agents.map((who, i) => [who, found.elo[puzzles.length + i]! - zero])),
    you: { value: (found.elo[you] ?? zero) - zero, interval: [own[0] - zero, own[1] - zero] },
  };
}

const known = new WeakMap<PuzzleBook, readonly number[]>();

/** How hard each puzzle of a book is, in its order: its rating where agents that take anything have 0. */
export function puzzleRatings(book: PuzzleBook): readonly number[] {
  let ratings = known.get(book);
  if (ratings === undefined) {
    ratings = book.puzzles.length === 0 ? [] : fit(book.puzzles, []).puzzles;
    known.set(book, ratings);
  }
  return ratings;
}

/**
 * Rates somebody's first answers.
 *
 * @param answers by id; those to puzzles that aren't there any more count nothing
 * @returns null where none counts
 */
export function ratedAnswers(
  book: PuzzleBook,
  answers: readonly { readonly id: string; readonly right: boolean }[],
): PuzzleRating | null {
  const first = new Map<number, boolean>();
  for (const { id, right } of answers) {
    const at = book.puzzles.findIndex((p) => p.id === id);
    if (at >= 0 && !first.has(at)) first.set(at, right);
  }
  if (first.size === 0) return null;
  const mine = [...first].map(([at, right]) => ({ at, right }));
  const { agents, you } = fit(book.puzzles, mine);
  return {
    tried: mine.length,
    right: mine.filter((a) => a.right).length,
    ...you,
    agents: [...agents].map(([who, value]) => ({ who, value })).sort((a, b) => b.value - a.value),
  };
}
