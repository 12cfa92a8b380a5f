import { roster, type RosterEntry } from "../../agents/roster.js";
import { EVERYTHING, type Game, KesselError, type Replay } from "../../env/index.js";
import { type Evaluator, makeEvaluator, withEffort } from "../analysis/evaluator.js";
import { recordOf } from "../analysis/record.js";
import { type Candidate, candidatesOf, chosenOf, sharpened } from "./candidates.js";
import { confirmed, keyOf, puzzleOf, weighed } from "./check.js";
import type { Puzzle, PuzzleBook } from "./puzzle.js";

export interface Making {
  /** What looks for candidates: a level or a model. */
  readonly with: string;
  /** The search that values what comes of each action. */
  readonly search: string;
  /** How many times as much it thinks when it checks. */
  readonly times: number;
  readonly worlds: number;
  readonly least: number;
  /** Candidates that are looked at closely. */
  readonly looked: number;
  /** Puzzles at most. */
  readonly most: number;
  readonly progress?: (done: number, all: number) => void;
}

/**
 * Makes puzzles of recorded games: positions where a net sees one action stand out, a search sees so too in common worlds,
 * and a search that thinks `times` as long prefers the same. The widest gaps come first, until there are `most`.
 *
 * @param replays of one game with one set of options
 * @throws KesselError `bad-option` where there is no game; as `makeEvaluator`
 */
export async function makePuzzles(game: Game, replays: readonly Replay[], making: Making): Promise<PuzzleBook> {
  const { search, times, worlds, least, progress } = making;
  if (replays.length === 0) throw new KesselError("bad-option", `there is no recorded game of ${game.type.id} there`);
  const open: Evaluator[] = [];
  const made = async (name: string, effort = 1): Promise<Evaluator> => {
    open.push(await makeEvaluator(name, game, effort));
    return open.at(-1)!;
  };
  try {
    const [net, weigher, check] = [await made(making.with), await made(search), await made(search, times)];
    const solvers = new Map<string, Evaluator>();
    for (const e of solversFor(game)) solvers.set(e.short, await made(e.name));
    const all: Candidate[] = [];
    const seen = new Set<string>();
    for (const [i, replay] of replays.entries()) {
      const candidates = await candidatesOf(
        recordOf(game.type, replay, () => EVERYTHING),
        i,
        net,
        least,
      );
      for (const c of candidates) {
        const key = keyOf(game, c.state);
        if (!seen.has(key)) all.push(c);
        seen.add(key);
      }
      progress?.(i + 1, replays.length + making.looked);
    }
    const chosen = chosenOf(game, await sharpened(game, all, net, making), making.looked);
    const puzzles: Puzzle[] = [];
    let found = 0;
    for (const [i, candidate] of chosen.entries()) {
      if (puzzles.length === making.most) break;
      const weighing = await weighed(game, candidate, weigher, worlds, least);
      if (weighing !== null) {
        found++;
        const visits = await confirmed(check, weighing);
        if (visits !== null) puzzles.push(await puzzleOf(game, weighing, visits, solvers));
      }
      progress?.(replays.length + i + 1, replays.length + chosen.length);
    }
    const { id, version } = game.type;
    const checked = withEffort(search, game, times);
    return {
      kessel: "puzzles",
      format: 1,
      game: id,
      version,
      made: { with: making.with, search, worlds, check: checked, least, found, held: puzzles.length },
      puzzles,
    };
  } finally {
    for (const evaluator of open) await evaluator.close();
  }
}

/** Levels that play every side, so that they can try every puzzle. */
export const solversFor = (game: Game): readonly RosterEntry[] =>
  roster(game).filter((e) => e.kind === "level" && e.players.length === game.players.length);
