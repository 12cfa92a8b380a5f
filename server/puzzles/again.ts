/**
 * After a change of rules: `npm run puzzles -- again GAME...` re-scores each puzzle of the games' books
 * the way it was made, and drops those that no longer hold.
 */
import { importGame } from "../../agents/import-game.js";
import { writeFileSync } from "node:fs";
import { Env, type Game, KesselError, loadGame } from "../../env/index.js";
import { type Evaluator, makeEvaluator } from "../analysis/evaluator.js";
import type { Candidate } from "./candidates.js";
import { confirmed, puzzleOf, weighed } from "./check.js";
import { solversFor } from "./make.js";
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
    const weighing = await weighed(game, candidate, await opened(made.search), made.worlds, made.least);
    if (weighing === null) return null;
    const visits = await confirmed(await opened(made.check), weighing);
    if (visits === null) return null;
    const solvers = new Map<string, Evaluator>();
    for (const e of solversFor(game)) solvers.set(e.short, await opened(e.name));
    return await puzzleOf(game, weighing, visits, solvers);
  } finally {
    for (const evaluator of open) await evaluator.close();
  }
}

/** The actions that were looked at and are legal still; null for a position that no game comes to any more. */
function candidateOf(game: Game, { position, values }: Puzzle): Candidate | null {
  const env = new Env(game);
  try {
    env.resetTo(position, "puzzle");
  } catch (e) {
    if (e instanceof KesselError && e.code === "bad-position") return null;
    throw e;
  }
  const actions = Object.keys(values)
    .map((name) => game.actions.indexOf(name))
    .filter((action) => env.mask[action] === 1);
  return actions.length < 2 ? null : { state: env.state, actions, gap: 0, record: 0, t: 0, kind: "" };
}
