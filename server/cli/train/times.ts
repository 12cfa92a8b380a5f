import type { Command } from "commander";
import { example, print, whole, writeOut, checkWritable } from "../common.js";

interface Flags {
  list: string;
  runs: string;
  minutes: number;
  measure: number;
  jobs: number;
  json?: string;
}

export function register(command: Command): void {
  command
    .command("times")
    .description(
      "what strength costs: train each game and fight from nothing for some minutes, and report when its scripts were matched and beaten",
    )
    .argument("[names...]", "recipes of the list (default: all)")
    .option(
      "--list <file>",
      "recipes: games, configurations beside the list, who is met",
      "training/configs/times.json",
    )
    .option("--runs <dir>", "folder of the runs; existing runs continue", "runs/times")
    .option("--minutes <number>", "minutes of playing and learning of each recipe", whole(1), 20)
    .option("--measure <games>", "games of each model against each agent", whole(2), 400)
    .option("-j, --jobs <number>", "worker threads for measuring", whole(1, 64), 2)
    .option("--json <file>", "write the curves there")
    .addHelpText("after", example("kessel model times pocket-stalingrad mamayev-kurgan --minutes 20"))
    .action(run);
}

async function run(names: readonly string[], flags: Flags): Promise<void> {
  const [{ dirname }, { startBackend }, { recipesOf, timesText, trainAndTime }, { updateReporter }] = await Promise.all(
    [
      import("node:path"),
      import("../../../training/nets/backend.js"),
      import("../../../training/runs/times.js"),
      import("../../../training/runs/progress.js"),
    ],
  );
  const recipes = recipesOf(flags.list, names);
  if (flags.json !== undefined) checkWritable(flags.json);
  print(`backend ${await startBackend("auto")}`);
  let stop = false;
  const interrupt = () => (stop = true);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, interrupt);
  let say = updateReporter();
  try {
    const times = await trainAndTime(recipes, {
      ...{ configs: dirname(flags.list), runs: flags.runs, minutes: flags.minutes },
      ...{ games: flags.measure, jobs: flags.jobs },
      watch: {
        stage: (what) => {
          print(what);
          say = updateReporter();
        },
        update: (line, all) => print(say(line, all)),
        shouldStop: () => stop,
      },
    });
    if (times.length > 0) print(timesText(times));
    if (flags.json !== undefined) writeOut(flags.json, `${JSON.stringify(times, null, 2)}\n`);
    if (times.length < recipes.length) print("stopped; the same command goes on");
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"]) process.removeListener(signal, interrupt);
  }
}
