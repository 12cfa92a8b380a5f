import { existsSync } from "node:fs";
import type { Command } from "commander";
import { importGame } from "../../../agents/import-game.js";
import { type JsonObject, KesselError, loadGame } from "../../../env/index.js";
import { example, print, readJson, whole } from "../common.js";
import { type RunFlags, withRun, withValues } from "./flags.js";

interface Flags extends RunFlags {
  model?: string;
  minutes?: number;
}

export function register(command: Command): void {
  withRun(command.command("harden"))
    .description(
      "train nets against a model, a seat each, and the model on against those that gain too much, until none does",
    )
    .option("--model <file>", "the model to be hardened; its net and its options of the game are read from it")
    .option("--minutes <number>", "time limit in minutes; --resume continues", whole(1))
    .addHelpText(
      "after",
      example(
        "kessel train harden pocket-stalingrad --model models/pocket-stalingrad/commander.onnx --run runs/hard --minutes 60 --set exploiter.updates=20 --set commander.updates=20",
      ),
    )
    .action(run);
}

async function run(id: string, flags: Flags): Promise<void> {
  const [
    { startBackend },
    { parseRun },
    { harden, HardenFolder, hardenSchema, hardenText, isHard },
    { updateReporter },
  ] = await Promise.all([
    import("../../../training/nets/backend.js"),
    import("../../../training/runs/run-folder.js"),
    import("../../../training/runs/harden.js"),
    import("../../../training/runs/progress.js"),
  ]);
  const folder = new HardenFolder(flags.run);
  const given = [flags.model, flags.config, flags.seed].some((v) => v !== undefined) || flags.set.length > 0;
  if (flags.resume === true && given)
    throw new KesselError(
      "bad-option",
      "a hardening that goes on keeps the configuration of its folder; leave out --model, --config, --set and --seed",
    );
  const config = flags.resume === true ? folder.config() : parseRun(hardenSchema, await configOf(id, flags));
  if (config.game !== id)
    throw new KesselError("bad-config", `the hardening in ${flags.run} is of ${config.game}, not ${id}`);
  await importGame(id);
  const game = loadGame(id, config.options);
  print(JSON.stringify(config, null, 2));
  print(`backend ${await startBackend(config.backend)}`);
  if (flags.resume !== true) folder.begin(config);
  const end = flags.minutes === undefined ? Infinity : Date.now() + 60_000 * flags.minutes;
  let stop = false;
  const interrupt = () => (stop = true);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, interrupt);
  let say = updateReporter();
  try {
    const rounds = await harden(game, config, folder, {
      stage: (what) => {
        print(what);
        say = updateReporter();
      },
      update: (line, all) => print(say(line, all)),
      shouldStop: () => stop || Date.now() >= end,
    });
    if (rounds.length > 0) print(hardenText(rounds));
    print(
      isHard(rounds, config)
        ? `done: no answer gains too much; the model is ${rounds.at(-1)!.model}`
        : rounds.length < config.rounds
          ? "stopped; --resume goes on"
          : `done after ${rounds.length} rounds; an answer still gains too much`,
    );
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"]) process.removeListener(signal, interrupt);
  }
}

/** The configuration: what the model says, the file's values, those of the flags. */
async function configOf(id: string, flags: Flags): Promise<JsonObject> {
  const file = flags.config === undefined ? {} : (readJson(flags.config, "bad-config") as JsonObject);
  const model = flags.model ?? file["model"];
  if (typeof model !== "string") throw new KesselError("bad-option", "name the model with --model FILE");
  if (!existsSync(model)) throw new KesselError("bad-model", `there is no model ${model}`);
  const [{ readModelFile }, { readModel, trainedOf }] = await Promise.all([
    import("../../../agents/model-file.js"),
    import("../../../agents/model.js"),
  ]);
  const trained = (trainedOf(readModel(readModelFile(model), model), model) ?? {}) as JsonObject;
  const own = Object.fromEntries(
    (["net", "options"] as const).flatMap((k) => (trained[k] === undefined ? [] : [[k, trained[k]]])),
  );
  const seed = flags.seed === undefined ? [] : [["seed", flags.seed] as const];
  return withValues({ ...own, method: "harden", ...file, game: id, model }, [...seed, ...flags.set]);
}
