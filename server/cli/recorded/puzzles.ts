import { importGame } from "../../../agents/import-game.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { KesselError, loadGame, parseReplay, type Replay } from "../../../env/index.js";
import { checkWritable, example, listFolder, print, whole, writeOut } from "../common.js";

interface Flags {
  with: string;
  search?: string;
  times: number;
  worlds: number;
  least: number;
  looked: number;
  most: number;
  out: string;
}

/** Iterations of the search that values what comes of an action. */
const ITERATIONS = 200;

export function register(command: Command): void {
  command
    .argument("<game>", "as `kessel list` names it")
    .argument("<dir>", "a folder of replays (`kessel arena --record`), all with the same options")
    .requiredOption("--out <file>", "the file of puzzles")
    .option("-w, --with <agent>", "the net that looks for them: a level, or onnx:FILE", "commander")
    .option("--search <spec>", "what values what comes of an action; default a search with that net")
    .option("--times <number>", "how many times as much the search thinks when it checks", whole(1, 1000), 20)
    .option("--worlds <number>", "worlds in which each action is looked at", whole(2, 1000), 12)
    .option("--least <return>", "least margin of the best action, in expected return", marginOf, 0.2)
    .option("--looked <number>", "candidates that are looked at closely", whole(1), 60)
    .option("--most <number>", "puzzles at most", whole(1), 40)
    .addHelpText("after", example("kessel games puzzles pocket-stalingrad games/ --out puzzles.json"))
    .action(async (id: string, dir: string, { out, ...flags }: Flags) => {
      const type = await importGame(id);
      checkWritable(out);
      const replays = replaysIn(dir, id);
      const game = loadGame(type.id, replays[0]?.options ?? {});
      const [{ makePuzzles }, { bookText }, { progressBar }, { fromShortName }] = await Promise.all([
        import("../../puzzles/make.js"),
        import("../../puzzles/puzzle.js"),
        import("../../../training/runs/progress.js"),
        import("../../../agents/roster.js"),
      ]);
      const net = (fromShortName(flags.with, game) ?? flags.with).replace(/^onnx:/, "");
      const search = flags.search ?? `search:net=${net},iterations=${ITERATIONS}`;
      const bar = progressBar("steps");
      let book;
      try {
        book = await makePuzzles(game, replays, { ...flags, search, progress: bar.update });
      } finally {
        bar.stop();
      }
      writeOut(out, bookText(book));
      const { found, held, check } = book.made;
      print(`${replays.length} games, ${found} candidates of which ${held} held against ${check}`);
      for (const p of book.puzzles)
        print([p.id, p.side, p.best, `margin ${p.margin.toFixed(2)}`, solvers(p.solvedBy)].join("  "));
    });
}

const solvers = (by: Readonly<Record<string, number>>): string =>
  Object.entries(by)
    .map(([who, share]) => `${who} ${Math.round(100 * share)} %`)
    .join(", ");

function marginOf(text: string): number {
  const n = Number(text);
  if (!(n > 0 && n <= 2)) throw new KesselError("bad-option", `--least is above 0 and at most 2, not ${text}`);
  return n;
}

/** The replays of a game in a folder. @throws KesselError `bad-option` for other options than the first one's */
function replaysIn(dir: string, id: string): Replay[] {
  const files = listFolder(dir, "bad-option").filter((f) => f.endsWith(".json"));
  const replays = files.flatMap((f): Replay[] => {
    try {
      const replay = parseReplay(JSON.parse(readFileSync(join(dir, f), "utf8")));
      return replay.game === id ? [replay] : [];
    } catch {
      return []; // a folder of games may hold other files
    }
  });
  const options = JSON.stringify(replays[0]?.options);
  if (replays.some((r) => JSON.stringify(r.options) !== options))
    throw new KesselError("bad-option", `the games of ${id} in ${dir} have different options; make a folder for each`);
  return replays;
}
