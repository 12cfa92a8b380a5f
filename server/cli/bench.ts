import type { Command } from "commander";
import { gameIds, gameType } from "../../env/index.js";
import { example, print, printJson } from "./common.js";

interface Flags {
  json?: boolean;
  peers?: boolean;
  quick?: boolean;
}

export function register(program: Command): void {
  program
    .command("bench")
    .description("measure how fast this machine plays")
    .argument("[game]", "one game; else every game in turn")
    .option("--quick", "fewer and shorter repeats")
    .option("--peers", "also OpenSpiel and PettingZoo from Python (KESSEL_PYTHON or .venv), where installed")
    .option("--json", "machine-readable")
    .addHelpText(
      "after",
      example(
        "kessel bench pocket-stalingrad --quick",
        "KESSEL_PYTHON=.venv/bin/python kessel bench pocket-stalingrad --peers",
      ),
    )
    .action(async (id: string | undefined, { json, peers = false, quick = false }: Flags) => {
      const games = id === undefined ? gameIds() : [gameType(id).id];
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
    });
}
