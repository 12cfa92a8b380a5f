import { randomBytes } from "node:crypto";
import type { Agent } from "../../../agents/agent.js";
import {
  type Game,
  GAMES,
  InvariantError,
  KesselError,
  moveOf,
  promptOf,
  Rng,
  sampleFor,
  shown,
  type State,
} from "../../../env/index.js";
import { choiceText, explainChoice } from "../../analysis/explain.js";
import { type Puzzle, type PuzzleBook, puzzlesOf } from "../../puzzles/puzzle.js";
import { type PuzzleRating, puzzleRatings, ratedAnswers } from "../../puzzles/rating.js";
import type { OpenSession } from "../../session/open.js";
import type { SessionHeader } from "../../session/record.js";
import { type Seat, Session } from "../../session/session.js";
import { linkOf, NullStore } from "../../session/store.js";
import { opponentsFor } from "../offers.js";
import type { ListedPuzzle, PuzzleView, Solved } from "./puzzle-view.js";

/** A puzzle in its book. */
export interface Shelved {
  readonly book: PuzzleBook;
  readonly at: number;
}

const linkTo = ({ id }: Puzzle): string => linkOf(`puzzle/${id}`);

/** The puzzles of a game from the easiest up; none for a game without. */
export function listedPuzzles(game: string): ListedPuzzle[] {
  const book = puzzlesOf(game);
  if (book === null) return [];
  const ratings = puzzleRatings(book);
  return book.puzzles
    .map((p, i) => ({ id: p.id, link: linkTo(p), rating: ratings[i]! }))
    .sort((a, b) => a.rating - b.rating || (a.id < b.id ? -1 : 1));
}

/** Rates somebody's answers to the puzzles of a game; null where it has none, or none is answered. */
export function puzzleRatingOf(
  game: string,
  answers: readonly { readonly id: string; readonly right: boolean }[],
): PuzzleRating | null {
  const book = puzzlesOf(game);
  return book === null ? null : ratedAnswers(book, answers);
}

let byLink: ReadonlyMap<string, Shelved> | null = null;

/** The puzzle that a link leads to. */
export function puzzleAt(link: string): Shelved | undefined {
  byLink ??= new Map(
    GAMES.flatMap(({ id }) => {
      const book = puzzlesOf(id);
      return (book?.puzzles ?? []).map((p, at): [string, Shelved] => [linkTo(p), { book: book!, at }]);
    }),
  );
  return byLink.get(link);
}

/** Who sits at the other side's places: nothing is played on there. */
const NOBODY_THERE: Agent = {
  name: "nobody",
  act: () => {
    throw new InvariantError("nobody decides after a puzzle");
  },
};

/** The position of a puzzle as a session of which nothing is kept. */
export function openPuzzle(game: Game, puzzle: Puzzle): OpenSession {
  const seats = game.players.map((p): Seat => (p === puzzle.side ? "human" : NOBODY_THERE));
  const header: SessionHeader = {
    kessel: "session",
    format: 1,
    id: linkTo(puzzle),
    game: game.type.id,
    version: game.type.version,
    options: { ...game.options },
    seed: "puzzle",
    seats: Object.fromEntries(game.players.map((p) => [p, p === puzzle.side ? "human" : "nobody"])),
    created: new Date().toISOString(),
    data: null,
    position: puzzle.position,
  };
  const file = new NullStore().create(header);
  const session = new Session(game, seats, header.seed, file, puzzle.position);
  return { session, header, file, close: () => Promise.resolve() };
}

/** The puzzle of one table. Whoever comes answers for himself: nothing at the table changes by it. */
export class TablePuzzle {
  private readonly solved = new Map<number, Solved>();
  private readonly puzzle: Puzzle;

  constructor(
    private readonly open: OpenSession,
    private readonly shelved: Shelved,
  ) {
    this.puzzle = shelved.book.puzzles[shelved.at]!;
  }

  view(): PuzzleView {
    const { id } = this.puzzle;
    const { book, at } = this.shelved;
    const list = listedPuzzles(book.game);
    const number = list.findIndex((p) => p.id === id) + 1;
    return { id, number, of: list.length, rating: puzzleRatings(book)[at]! };
  }

  /**
   * What an action is worth, and why.
   *
   * @throws KesselError `illegal-action`
   */
  answer(action: number): Solved {
    const { env } = this.open.session;
    if (env.mask[action] !== 1)
      throw new KesselError(
        "illegal-action",
        `${shown(env.game.actions[action] ?? action)} is not legal here; ${env.legalCount} actions are`,
      );
    let solved = this.solved.get(action);
    if (solved === undefined) {
      solved = this.judged(action);
      this.solved.set(action, solved);
    }
    return solved;
  }

  /** The position to play on from, with what is hidden dealt again, and the easiest opponents. */
  playOn(): { readonly state: State; readonly seats: Readonly<Record<string, string>> } {
    const { env } = this.open.session;
    const state = sampleFor(env.game, env.state, env.actor, new Rng(randomBytes(8).toString("hex")));
    return { state, seats: opponentsFor(env.game, this.puzzle.side) };
  }

  private judged(action: number): Solved {
    const { env } = this.open.session;
    const { game, state, actor } = env;
    const { values, best, accepted, visits } = this.puzzle;
    const name = game.actions[action]!;
    const order = Object.keys(values).sort((a, b) => values[b]! - values[a]!);
    const other = name === best ? (order.find((a) => !accepted.includes(a)) ?? order[1]!) : name;
    const index = (a: string): number => game.actions.indexOf(a);
    const { kind } = promptOf(game, state, actor);
    const move = moveOf(game.type.teaching?.primer.moves ?? [], kind, best);
    const { worlds, depth, check } = this.shelved.book.made;
    return {
      action: name,
      right: accepted.includes(name),
      best,
      choices: order.map((a) => ({
        action: a,
        text: choiceText(game, state, actor, index(a)),
        value: values[a]!,
      })),
      why: explainChoice(game, state, index(other), index(best)),
      purpose: move === undefined ? null : { name: move.name, why: move.why, rule: move.rule },
      checked: `The strongest level played both sides on ${depth === null ? "to the end of the game" : `for ${depth} decisions`} after each action, in up to ${worlds} worlds that fit what you know; a search of ${iterationsOf(check)} agreed, with ${Math.round(100 * visits)} % of its visits.`,
    };
  }
}

/** `4,000 iterations` of `search:net=...,iterations=4000`. */
const iterationsOf = (search: string): string =>
  `${Number(/iterations=(\d+)/.exec(search)?.[1] ?? 0).toLocaleString("en")} iterations`;
