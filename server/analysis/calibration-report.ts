/**
 * How far beliefs can be trusted: `npm run reports -- beliefs GAME [--games N] [--worlds K] [--belief FILE] [--every D]
 * [--seed S]`. Prints a table in Markdown.
 */
import { percent } from "../../env/core/words.js";
import { importGame } from "../../agents/import-game.js";
import { Command } from "commander";
import { readModelFile } from "../../agents/model-file.js";
import { Belief } from "../../agents/search/belief.js";
import { KesselError, loadGame } from "../../env/index.js";
import { progressBar } from "../../training/runs/progress.js";
import { calibrate, strongest } from "./calibration.js";

interface Flags {
  games: number;
  worlds: number;
  belief?: string;
  every: number;
  seed: string;
}

await new Command("beliefs")
  .argument("<game>")
  .option("--games <number>", "games", Number, 1000)
  .option("--worlds <number>", "worlds of each belief", Number, 100)
  .option("--belief <file>", "weigh the worlds by this net (`kessel model belief`)")
  .option("--every <number>", "decisions between two looks", Number, 25)
  .option("--seed <seed>", "seed of the games", "beliefs")
  .action(async (id: string, flags: Flags) => {
    await importGame(id);
    const game = loadGame(id);
    const bar = progressBar("games");
    const started = performance.now();
    const { belief: file } = flags;
    const habits = file === undefined ? null : await Belief.load(readModelFile(file), game, file);
    const c = await calibrate(game, { ...flags, habits, progress: bar.update });
    await habits?.close();
    bar.stop();
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    const [low, high] = c.interval;
    const who = game.players.map((p, i) => `${p} ${strongest(game, i)}`).join(", ");
    say(`${id}: ${c.games} games (${who}), ${c.positions} positions, ${c.counters} counters, ${flags.worlds} worlds`);
    say(
      `log loss ${c.logLoss.toFixed(3)}, picked from the pool ${c.poolLogLoss.toFixed(3)}: ${c.gain.toFixed(3)} better in the mean game (${low.toFixed(3)} to ${high.toFixed(3)})`,
    );
    say("\n| believed | mean | found | beliefs |\n| --- | --- | --- | --- |");
    for (const r of c.reliability)
      say(
        `| ${Math.round(100 * r.from)} to ${Math.round(100 * r.to)} % | ${percent(r.believed, 1)} | ${percent(r.found, 1)} | ${r.beliefs} |`,
      );
    say(`\n${((performance.now() - started) / 1000).toFixed(0)} s`);
  })
  .parseAsync()
  .catch((e: unknown) => {
    if (!(e instanceof KesselError)) throw e;
    process.stderr.write(`${e.message}\n`);
    process.exitCode = 2;
  });
