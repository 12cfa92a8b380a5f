import { importGame } from "../../agents/import-game.js";
import type { Command } from "commander";
import { gameIds, gameType } from "../../env/index.js";
import { table } from "../../training/report/table.js";
import { example, print, printJson, whole } from "./common.js";

interface Flags {
  json?: boolean;
  voice?: number;
  peers?: boolean;
  quick?: boolean;
  start?: boolean;
}

export function register(command: Command): void {
  command
    .argument("[game]", "one game; by default every game in turn")
    .option("--quick", "fewer and shorter repeats")
    .option("--peers", "also run OpenSpiel and PettingZoo from Python (KESSEL_PYTHON or .venv), if installed")
    .option(
      "--voice <games>",
      "measure prompts, standing, odds and events instead, over this number of games of heuristics",
      whole(1),
    )
    .option("--start", "measure start-up times instead: commands, the page, Model Context Protocol, Python")
    .option("--json", "machine-readable")
    .addHelpText(
      "after",
      example(
        "kessel bench pocket-stalingrad --quick",
        "kessel bench savage-streets --voice 50",
        "kessel bench --start",
        "KESSEL_PYTHON=.venv/bin/python kessel bench pocket-stalingrad --peers",
      ),
    )
    .action(async (id: string | undefined, { json, peers = false, quick = false, voice: played, start }: Flags) => {
      if (start === true) return starting(quick ? 3 : 7, json === true);
      const games = id === undefined ? gameIds() : [gameType(id).id];
      for (const game of games) await importGame(game);
      if (played !== undefined) return voice(games, played, json === true);
      const [{ bench }, { benchText }, { progressBar }] = await Promise.all([
        import("../../training/bench/bench.js"),
        import("../../training/bench/report.js"),
        import("../../training/runs/progress.js"),
      ]);
      const results = [];
      for (const [i, game] of games.entries()) {
        const bar = progressBar(`measurements of ${game}`);
        try {
          results.push(await bench({ game, quick, peers: peers && i === 0, progress: bar.update }));
        } finally {
          bar.stop();
        }
        if (!json) print(`${i > 0 ? "\n" : ""}${benchText(results.at(-1)!)}`);
      }
      if (json) printJson(results);
      else if (id === undefined) {
        print("");
        await starting(quick ? 3 : 7, false);
      }
    });
}

/** What starting takes: one table, of no game. */
async function starting(repeats: number, json: boolean): Promise<void> {
  const { pythonHere, startText, startTimes } = await import("./start-times.js");
  const times = await startTimes(repeats, pythonHere());
  if (json) printJson(times);
  else print(startText(times));
}

/** What saying things costs: a table a game. */
async function voice(games: readonly string[], played: number, json: boolean): Promise<void> {
  const { voiceTimes } = await import("../session/voice-times.js");
  const results = [];
  for (const [i, game] of games.entries()) {
    const times = await voiceTimes(game, played);
    results.push(times);
    if (json) continue;
    const ms = (x: number): string => x.toFixed(3);
    const rows = times.rows.map((r) => [r.name, String(r.count), ms(r.median), ms(r.most), ms(r.worst)]);
    print(`${i > 0 ? "\n" : ""}${game}: positions of ${played} games between heuristics, milliseconds (best of 3)`);
    print(table(["asked", "times", "median", "99 %", "worst"], rows));
    print(`${Math.round(times.eventsPerSecond).toLocaleString("en-US")} events narrated a second, in random play`);
  }
  if (json) printJson(results);
}
