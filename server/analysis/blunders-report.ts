/**
 * How often a search with 20 times the effort shares what an analysis calls the worst decisions of lost games:
 * `npm run reports -- blunders GAME [--games N] [--loser SIDE] [--player AGENT] [--with EVALUATOR] [--search SPEC]`.
 */
import { importGame } from "../../agents/import-game.js";
import { Command } from "commander";
import { KesselError, loadGame, oneOf } from "../../env/index.js";
import { progressBar } from "../../training/runs/progress.js";
import { wilson } from "../../training/report/stats.js";
import { type Confirmed, countBlunders, lostGames } from "./blunders.js";
import { makeEvaluator, withEffort } from "./evaluator.js";

interface Flags {
  games: number;
  loser?: string;
  player: string;
  with: string;
  search?: string;
  worst: number;
  times: number;
  seed: string;
}

/** Iterations of the search before they are multiplied. */
const ITERATIONS = 200;

await new Command("blunders")
  .argument("<game>")
  .option("--games <number>", "lost games", Number, 100)
  .option("--loser <side>", "the side that lost; default the first")
  .option("--player <agent>", "who played that side", "greedy")
  .option("--with <agent>", "who played the other side, and gives the analysis its values", "commander")
  .option("--search <spec>", "the search, before its effort is multiplied; default one with the net of the analysis")
  .option("--worst <number>", "decisions of each game", Number, 3)
  .option("--times <number>", "how many times as much the search thinks", Number, 20)
  .option("--seed <seed>", "seed of the games", "blunders")
  .action(async (id: string, flags: Flags) => {
    await importGame(id);
    const game = loadGame(id);
    const loser = flags.loser === undefined ? 0 : game.players.indexOf(flags.loser);
    if (loser < 0) throw new KesselError("bad-seat", `--loser is ${oneOf(game.players)}`);
    const spec = flags.search ?? `search:net=${id}/${flags.with}.onnx,iterations=${ITERATIONS}`;
    const who = game.players.map((_, p) => (p === loser ? flags.player : flags.with));
    const bar = progressBar("games");
    const started = performance.now();
    const records = await lostGames(game, who, loser, flags.games, flags.seed);
    const [evaluator, judge] = await Promise.all([
      makeEvaluator(flags.with, game),
      makeEvaluator(spec, game, flags.times),
    ]);
    const found = await countBlunders(records, loser, evaluator, judge, flags.worst, bar.update);
    bar.stop();
    await evaluator.close();
    await judge.close();
    const line = (what: string, { decisions, agreed, meanLoss }: Confirmed): string => {
      const [low, high] = wilson(agreed, decisions).map((x) => (100 * x).toFixed(1));
      const share = ((100 * agreed) / Math.max(1, decisions)).toFixed(1);
      return `| ${id} | ${what} | ${decisions} | ${share} % (${low} to ${high}) | ${meanLoss.toFixed(2)} |`;
    };
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    process.stdout.write(
      [
        `${found.games} games lost by ${flags.player} as ${game.players[loser]!}, ${withEffort(spec, game, flags.times)}, ${seconds} s`,
        line("the worst", found.worst),
        line("others", found.others),
        "",
      ].join("\n"),
    );
  })
  .parseAsync()
  .catch((e: unknown) => {
    if (!(e instanceof KesselError)) throw e;
    process.stderr.write(`${e.message}\n`);
    process.exitCode = 2;
  });
