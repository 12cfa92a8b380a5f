/**
 * After a change of levels: `npm run puzzles -- rate GAME...` writes again how often the levels' nets give a right
 * answer of each puzzle of the games' books. The puzzles stay.
 */
import { importGame } from "../../agents/import-game.js";
import { writeFileSync } from "node:fs";
import { Env, KesselError, loadGame } from "../../env/index.js";
import { type Evaluator, makeEvaluator } from "../analysis/evaluator.js";
import { solversOf } from "./check.js";
import { levelsFor } from "./make.js";
import { bookFile, bookText, type Puzzle, puzzlesOf } from "./puzzle.js";

for (const id of process.argv.slice(2)) {
  await importGame(id);
  const book = puzzlesOf(id);
  if (book === null) throw new KesselError("unknown-game", `${id} has no puzzles`);
  const puzzles: Puzzle[] = [];
  for (const puzzle of book.puzzles) {
    const game = loadGame(id, puzzle.options);
    const env = new Env(game);
    env.resetTo(puzzle.position, "puzzle");
    const solvers = new Map<string, Evaluator>();
    for (const e of levelsFor(game)) solvers.set(e.short, await makeEvaluator(e.name, game));
    const accepted = puzzle.accepted.map((a) => game.actions.indexOf(a));
    puzzles.push({ ...puzzle, solvedBy: await solversOf(game, env.state, accepted, solvers) });
    for (const net of solvers.values()) await net.close();
  }
  writeFileSync(bookFile(id), bookText({ ...book, puzzles }));
}
