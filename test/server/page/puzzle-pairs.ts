/** Twin worlds for who solves a puzzle: its position with other hidden things, and every byte that a solver hears. */
import { Env, GAMES, loadGame, Rng, sameSituation, sampleFor, type State } from "../../../env/index.js";
import { openPuzzle, puzzleAt, listedPuzzles, type Shelved, TablePuzzle } from "../../../server/page/learn/puzzle.js";
import type { PageServer } from "../../../server/page/serve.js";
import { SocketGuest } from "./guest.js";
import type { PairCount } from "./leaks.js";

/** What a solver hears of a puzzle in `state`. */
async function heard(page: PageServer, link: string, shelved: Shelved, state: State): Promise<string[]> {
  const puzzle = shelved.book.puzzles[shelved.at]!;
  const game = loadGame(shelved.book.game, puzzle.options);
  const open = openPuzzle(game, { ...puzzle, position: game.write(state) });
  const { tables } = page.hub;
  await tables.at(link, () => Promise.resolve(tables.table(open, new TablePuzzle(open, shelved))));
  const guest = await SocketGuest.sit(page, link);
  const { n, prompt } = guest.frame!;
  for (const { action } of prompt.choices.slice(0, 3)) {
    await guest.ask({ op: "odds", n, action });
    await guest.ask({ op: "act", n, action });
  }
  for (const op of ["undo", "hint", "beliefs"]) await guest.ask({ op, n });
  guest.close();
  while (page.hub.tables.has(link)) {
    await tables.letGo(link);
    await new Promise((done) => setTimeout(done, 5));
  }
  return guest.raw;
}

/** Compares `pairs` puzzles of each game that has some and hides something in them. */
export async function comparePuzzles(page: PageServer, pairs: number, seed: string): Promise<PairCount> {
  const rng = new Rng(seed);
  const differences: string[] = [];
  let done = 0;
  for (const { id } of GAMES) {
    let [own, tries] = [0, 0];
    for (const { link } of listedPuzzles(id)) {
      if (own === pairs || tries++ === 10 * pairs) break;
      const shelved = puzzleAt(link)!;
      const puzzle = shelved.book.puzzles[shelved.at]!;
      const game = loadGame(id, puzzle.options);
      const env = new Env(game);
      env.resetTo(puzzle.position, "puzzle");
      const twin = sampleFor(game, env.state, game.players.indexOf(puzzle.side), rng);
      if (sameSituation(twin, env.state)) continue;
      own++;
      const one = await heard(page, link, shelved, env.state);
      const two = await heard(page, link, shelved, twin);
      const at = one.findIndex((text, i) => text !== two[i]);
      if (at >= 0 || one.length !== two.length) differences.push(`${puzzle.id}: ${one[at]} against ${two[at]}`);
    }
    done += own;
  }
  return { pairs: done, differences };
}
