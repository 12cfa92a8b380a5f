/**
 * After a change of rules: `npm run puzzles -- again GAME...` re-scores each puzzle of the games' books
 * the way it was made, and drops those that no longer hold.
 */
import { importGame } from "../../agents/import-game.js";
import { writeFileSync } from "node:fs";
import { Env, type Game, KesselError, loadGame } from "../../env/index.js";
import { type Evaluator, makeEvaluator } from "../analysis/evaluator.js";
import { type Candidate, FEWEST } from "./candidates.js";
import { confirmed, puzzleOf, weighed } from "./check.js";
import { levelsFor } from "./make.js";
import { bookFile, bookText, type Puzzle, type PuzzleBook, puzzlesOf } from "./puzzle.js";

for (const id of process.argv.slice(2)) {
  const { version } = await importGame(id);
  const book = puzzlesOf(id);
  if (book === null) throw new KesselError("unknown-game", `${id} has no puzzles`);
  const puzzles: Puzzle[] = [];
  for (const puzzle of book.puzzles) {
    const again = await madeAgain(loadGame(id, puzzle.options), puzzle, book.made);
    if (again !== null) puzzles.push(again);
  }
  writeFileSync(bookFile(id), bookText({ ...book, version, puzzles }));
  process.stdout.write(`${id}: ${puzzles.length} of ${book.puzzles.length} puzzles hold\n`);
}

/** @returns null where the puzzle doesn't hold */
async function madeAgain(game: Game, puzzle: Puzzle, made: PuzzleBook["made"]): Promise<Puzzle | null> {
  const candidate = candidateOf(game, puzzle);
  if (candidate === null) return null;
  const open: Evaluator[] = [];
  const opened = async (name: string): Promise<Evaluator> => {
    open.push(await makeEvaluator(name, game));
    return open.at(-1)!;
  };
  try {
    const weighing = await weighed(game, candidate, await opened(made.playing), made);
    if (weighing === null) return null;
    const visits = await confirmed(await opened(made.check), weighing);
    if (visits === null) return null;
    const solvers = new Map<string, Evaluator>();
    for (const e of levelsFor(game)) solvers.set(e.short, await opened(e.name));
    return await puzzleOf(game, weighing, visits, solvers);
  } finally {
    for (const evaluator of open) await evaluator.close();
  }
}

/** Null for a position that no game comes to any more. */
function candidateOf(game: Game, { position, kind }: Puzzle): Candidate | null {
  const env = new Env(game);
  try {
    env.resetTo(position, "puzzle");
  } catch (e) {
    if (e instanceof KesselError && e.code === "bad-position") return null;
    throw e;
  }
  const actions = [...env.mask.keys()].filter((a) => env.mask[a] === 1);
  return actions.length < FEWEST ? null : { state: env.state, actions, best: -1, gap: 0, record: 0, t: 0, kind };
}
