import { importGame } from "../../../agents/import-game.js";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { KesselError, loadGame, parseReplay, type Replay } from "../../../env/index.js";
import type { Judged, Making } from "../../puzzles/make.js";
import { DEFAULTS } from "../../puzzles/defaults.js";
import { checkWritable, example, listFolder, print, whole, writeOut } from "../common.js";

interface Flags {
  with: string;
  playing?: string;
  check?: string;
  worlds: number;
  depth?: number;
  least: number;
  looked: number;
  most: number;
  minutes?: number;
  judged?: string;
  out: string;
}

export function register(command: Command): void {
  command
    .argument("<game>", "as `kessel list` names it")
    .argument("<dir>", "a folder of replays (`kessel arena --record`), all with the same options")
    .requiredOption("--out <file>", "the file of puzzles")
    .option("-w, --with <agent>", "the net that finds candidates: a level, or onnx:FILE", "commander")
    .option(
      "--playing <agent>",
      "the agent that plays games to the end for both sides; default that net, nearly without chance",
    )
    .option("--check <spec>", "the second judge; default a search with that net")
    .option(
      "--worlds <number>",
      "worlds in which each action is played out, at most",
      whole(2, 10_000),
      DEFAULTS.worlds,
    )
    .option(
      "--depth <number>",
      "decisions that it plays on before the net values what came; default to the end",
      whole(1),
    )
    .option("--least <return>", "least margin of the right actions, in return", marginOf, DEFAULTS.least)
    .option("--looked <number>", "number of candidates to judge", whole(1), DEFAULTS.looked)
    .option("--most <number>", "puzzles at most", whole(1), DEFAULTS.most)
    .option("--minutes <number>", "CPU minutes after which no further candidate is judged", whole(1))
    .option("--judged <file>", "record each judgement there; a later run continues from it")
    .addHelpText("after", example("kessel games puzzles pocket-stalingrad games/ --out puzzles.json"))
    .action(async (id: string, dir: string, { out, judged, ...flags }: Flags) => {
      const type = await importGame(id);
      checkWritable(out);
      const replays = replaysIn(dir, id);
      const game = loadGame(type.id, replays[0]?.options ?? {});
      const [{ judgesOf, makePuzzles }, { bookText }, { progressBar }, { fromShortName }] = await Promise.all([
        import("../../puzzles/make.js"),
        import("../../puzzles/puzzle.js"),
        import("../../../training/runs/progress.js"),
        import("../../../agents/roster.js"),
      ]);
      const net = (fromShortName(flags.with, game) ?? flags.with).replace(/^onnx:/, "");
      const judges = judgesOf(net);
      const playing = flags.playing ?? judges.playing;
      const check = flags.check ?? judges.check;
      const bar = progressBar("steps");
      let book;
      try {
        book = await makePuzzles(game, replays, {
          ...flags,
          depth: flags.depth ?? DEFAULTS.depth,
          ...keptIn(judged),
          playing,
          check,
          progress: bar.update,
        });
      } finally {
        bar.stop();
      }
      writeOut(out, bookText(book));
      const { made } = book;
      print(
        `${replays.length} games, ${made.judged} candidates judged, ${made.found} with intervals apart, ${made.held} of them held against ${check}, ${book.puzzles.length} kept`,
      );
      for (const p of book.puzzles)
        print([p.id, p.side, p.accepted.join(" or "), `margin ${p.margin.toFixed(2)}`, solvers(p.solvedBy)].join("  "));
    });
}

/** What a file has of candidates that were judged, and what writes further ones there. */
function keptIn(file: string | undefined): Pick<Making, "known" | "tell"> {
  if (file === undefined) return {};
  checkWritable(file);
  const lines = existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((l) => l !== "")
    : [];
  const known = new Map(
    lines.map((l) => {
      const { id, ...judged } = JSON.parse(l) as { id: string } & Judged;
      return [id, judged];
    }),
  );
  return { known, tell: (id, judged) => appendFileSync(file, `${JSON.stringify({ id, ...judged })}\n`) };
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
export function replaysIn(dir: string, id: string): Replay[] {
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
