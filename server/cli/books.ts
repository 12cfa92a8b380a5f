import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { importGame } from "../../agents/import-game.js";
import { gameIds, KesselError, loadGame, type Options } from "../../env/index.js";
import type { PuzzleBook } from "../puzzles/puzzle.js";
import { checkWritable, example, listFolder, makeFolder, print, readJson, whole, writeOut } from "./common.js";

interface MakeFlags {
  bookSeed: string;
  out: string;
  puzzles?: number;
}

/** `kessel suite`: books of the language suite, and what came of many runs. */
export function register(command: Command): void {
  command
    .command("make")
    .description("make a book of the language suite from a secret seed: questions, dice and, if wanted, puzzles")
    .argument("[games...]", "as `kessel list` names them (default all that have a suite)")
    .requiredOption("--book-seed <text>", "what everything follows from; keep it secret for a held-out book")
    .requiredOption("--out <dir>", "the folder that gets a file of each game")
    .option("--puzzles <minutes>", "CPU minutes for the puzzles of each game; without it the book has none", whole(1))
    .addHelpText("after", example("kessel suite make night-fight --book-seed a-secret-of-mine --out held-out"))
    .action(makeBooks);
  command
    .command("table")
    .description("print the table of many runs (`kessel arena --suite language --submit`), a game and book each")
    .argument("<dir>", "a folder of submissions")
    .option("--html <file>", "write the same as a page")
    .addHelpText("after", example("kessel suite table submissions"))
    .action(async (dir: string, { html }: { html?: string }) => {
      const [{ boardsOf, boardsPage, boardsText }, { parseSubmission }] = await Promise.all([
        import("../suite/board.js"),
        import("../suite/submission.js"),
      ]);
      if (html !== undefined) checkWritable(html);
      const files = listFolder(dir, "bad-option").filter((f) => f.endsWith(".json"));
      if (files.length === 0) throw new KesselError("bad-option", `${dir} has no submission`);
      const boards = boardsOf(files.map((f) => parseSubmission(readJson(join(dir, f), "bad-data"), f)));
      if (html !== undefined) writeOut(html, boardsPage(boards));
      print(boardsText(boards));
    });
}

async function makeBooks(ids: string[], { bookSeed, out, puzzles }: MakeFlags): Promise<void> {
  const [{ makeBook, seedHash, suiteFile }, { hasSuite, puzzlesIn, suiteIn, suitePath }, { bookText }] =
    await Promise.all([import("../suite/book.js"), import("../suite/document.js"), import("../puzzles/puzzle.js")]);
  makeFolder(out);
  for (const id of ids.length > 0 ? ids : gameIds().filter(hasSuite)) {
    await importGame(id);
    // the options of the public book, where there is one
    const options: Options = hasSuite(id)
      ? (JSON.parse(readFileSync(suitePath(id), "utf8")) as { options: Options }).options
      : {};
    const book = await makeBook(id, options, bookSeed);
    writeFileSync(suiteIn(out, id), suiteFile(book));
    const found = puzzles === undefined ? null : await puzzlesFrom(id, options, seedHash(bookSeed), puzzles);
    if (found !== null) writeFileSync(puzzlesIn(out, id), bookText(found));
    print(
      `${id}: ${book.rules.length} rule questions, ${book.beliefs.length} belief questions, ${found?.puzzles.length ?? 0} puzzles; book ${book.book.slice(0, 12)}`,
    );
  }
}

/** Games of each pair of levels that puzzles are taken from. */
const GAMES = 60;

/** Puzzles of games that the levels play with dice of the book. */
async function puzzlesFrom(id: string, options: Options, seed: string, minutes: number): Promise<PuzzleBook> {
  const [{ arena }, { levelsFor, makingFor, makePuzzles }, { replaysIn }] = await Promise.all([
    import("../../training/arena/arena.js"),
    import("../puzzles/make.js"),
    import("./recorded/puzzles.js"),
  ]);
  const game = loadGame(id, options);
  const agents = [...levelsFor(game).map((e) => e.name), "random"];
  const dir = mkdtempSync(join(tmpdir(), "kessel-puzzles-"));
  try {
    await arena(game, { agents, games: GAMES, seed, secret: seed, record: dir });
    return await makePuzzles(game, replaysIn(dir, id), { ...makingFor(game), minutes });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
