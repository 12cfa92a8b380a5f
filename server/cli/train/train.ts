import { percent } from "../../../env/core/words.js";
import { importGame } from "../../../agents/import-game.js";
import { type Command, Option } from "commander";
import { type Json, type JsonObject, KesselError } from "../../../env/index.js";
import type { EpochReport } from "../../../training/learn/imitate.js";
import { example, print, share, splitAgents, whole, withGameOptions } from "../common.js";
import {
  commandLine,
  configure,
  type MeasureFlags,
  measuring,
  prepareModel,
  type RunFlags,
  withMeasuring,
  withRun,
} from "./flags.js";
import { register as registerBelief } from "./belief.js";
import { register as registerHarden } from "./harden.js";
import { register as registerTimes } from "./times.js";
import {
  balance,
  measure,
  oracle,
  publishModel,
  quantizeModel,
  regret,
  report,
  strength,
  transferModel,
} from "./models.js";

interface ImitateFlags extends RunFlags, MeasureFlags {
  expert?: string;
  games?: number;
  epochs?: number;
  out?: string;
}

interface SelfPlayFlags extends RunFlags {
  updates?: number;
}

interface PpoFlags extends SelfPlayFlags {
  bestResponseTo?: string;
}

export function register(command: Command): void {
  withMeasuring(withRun(command.command("imitate")))
    .description("record games of an agent, train a net to choose what it chooses, and write the model with its card")
    .option("-e, --expert <names>", "the agent to imitate; one, or one for each seat, separated by commas")
    .option("-n, --games <number>", "games to record", whole(1))
    .option("--epochs <number>", "number of times that each decision is learnt from", whole(1))
    .option("--out <file>", "the model to write (default: models/GAME/imitation.onnx)")
    .addHelpText(
      "after",
      example(
        "kessel train imitate pocket-stalingrad --expert heuristic:greedy --games 500 --run runs/imitation --out runs/imitation/greedy.onnx",
      ),
    )
    .action(imitate);
  withRun(command.command("ppo"))
    .description("train by self-play (PPO) against itself, its past and named agents")
    .option("--updates <number>", "length of the run", whole(1))
    .option("--best-response-to <agent>", "play only against this agent, to measure its exploitability")
    .addHelpText(
      "after",
      example(
        "kessel train ppo pocket-stalingrad --run runs/ps --updates 200 --set 'ppo.opponents=[\"heuristic:greedy\"]'",
      ),
    )
    .action(ppo);
  withRun(command.command("expert"))
    .description("train by expert iteration: a search with the net plays itself, and the net learns what it found")
    .option("--updates <number>", "length of the run", whole(1))
    .addHelpText("after", example("kessel train expert pocket-stalingrad --run runs/expert --updates 20"))
    .action(expert);
  registerHarden(command);
  command
    .command("report")
    .description("draw a run, finished or not, as a page: strength, learning, speed, configuration")
    .requiredOption("--run <dir>", "folder of the run")
    .option("--out <file>", "the page to write (default: report.html in that folder)")
    .addHelpText("after", example("kessel train report --run runs/ps"))
    .action(report);
}

/** `kessel model`: what is done with a trained model. */
export function registerModel(command: Command): void {
  withMeasuring(withGameOptions(command.command("publish")))
    .description(
      "write a model of a self-play run with its card, measured also against the other models in that folder; with -o, a pooled net for another fight",
    )
    .argument("<game>", "as `kessel list` names it")
    .requiredOption("--run <dir>", "folder of the run")
    .option("--model <name>", "a file in the run's models folder (default: the last)")
    .option(
      "--exploiter <dir>",
      "folder of a run with --best-response-to this model; its last model is kept, and the card says what it reaches",
    )
    .requiredOption("--out <file>", "the model to write; its card is written beside it")
    .addHelpText(
      "after",
      example("kessel model publish pocket-stalingrad --run runs/ps --out runs/ps/commander.onnx --measure 1000"),
    )
    .action(publishModel);
  command
    .command("measure")
    .description("play a model against itself, further agents and an exploiter, and put the results on its card")
    .argument("<file>", "the model; its card is beside it")
    .option("--against <names>", "further agents, separated by commas")
    .option("--measure <games>", "games against each", whole(2), 1000)
    .option("-j, --jobs <number>", "worker threads", whole(1, 64), 1)
    .option(
      "--temperature <number>",
      "what the file plays with from now on, so everything is measured again: 0 takes the best action, above it actions are drawn",
    )
    .option(
      "--exploiter <dir>",
      "folder of a run with --best-response-to this model; its last model replaces an earlier one",
    )
    .addHelpText(
      "after",
      example("kessel model measure models/pocket-stalingrad/commander.onnx --against heuristic:greedy --measure 200"),
    )
    .action(measure);
  command
    .command("quantize")
    .description(
      "write a model with its large layers in 8 bits: faster, and a little different; the command prints by how much",
    )
    .argument("<file>", "the model")
    .requiredOption("--out <file>", "the model to write")
    .option("-s, --seed <seed>", "of the games it plays against itself, to know the sizes of its numbers", "quantize")
    .addHelpText(
      "after",
      example("kessel model quantize models/pocket-stalingrad/commander.onnx --out runs/commander-8bit.onnx"),
    )
    .action(quantizeModel);
  withGameOptions(command.command("transfer"))
    .description("write a published model of a pooled net for another fight of its game, with the same weights")
    .argument("<file>", "the model")
    .requiredOption("--out <file>", "the model to write; its card is written beside it")
    .addHelpText(
      "after",
      example(
        "kessel model transfer models/streets-of-stalingrad-scenario-7/recruit.onnx -o scenario=scenario-5 --out runs/scenario-5.onnx",
      ),
    )
    .action(transferModel);
  registerBelief(command);
  command
    .command("balance")
    .description(
      "how even the games for two are: the strongest agents play each fight, printed and with balance=even; rewrites the figures of models/balance.json",
    )
    .option("--file <file>", "the list of fights and agents, with their figures", "models/balance.json")
    .option("--game <game>", "only the fights of this game")
    .option("-n, --games <number>", "games of each fight and balance", whole(2), 1000)
    .option("-j, --jobs <number>", "worker threads", whole(1, 64), 1)
    .addHelpText("after", example("kessel model balance --games 1000"))
    .action(balance);
  command
    .command("oracle")
    .description("measure what hidden information is worth to a seat, by a search that knows it and one that doesn't")
    .argument("<file>", "the model that both search with, and that plays the other seats")
    .option("-n, --games <number>", "games of each", whole(2), 200)
    .option("--iterations <number>", "simulations of a decision; with --root plan, playouts of a plan", whole(1), 64)
    .addOption(
      new Option("--root <search>", "the search, as agents name it").choices(["gumbel", "plan"]).default("gumbel"),
    )
    .option("--seat <seat>", "the seat whose games are measured, if there are several")
    .option("--belief <file>", "also measure a search with these beliefs (`kessel model belief`)")
    .option("-s, --seed <seed>", "of the games", "oracle")
    .addHelpText("after", example("kessel model oracle models/night-fight/commander.onnx --games 200"))
    .action(oracle);
  command
    .command("regret")
    .description(
      "what a net leaves to a search, by kind of decision: a search with it looks at decisions of its own games",
    )
    .argument("[files...]", "the models (default: the commander of each game)")
    .option("-n, --games <number>", "games of each against itself", whole(1), 200)
    .option("--share <number>", "share of the decisions that the search examines", share, 0.05)
    .option("--iterations <number>", "simulations of a decision", whole(1), 64)
    .option(
      "--worlds <number>",
      "number of worlds in which both actions are played to the end, if they differ",
      whole(1),
      16,
    )
    .option("-s, --seed <seed>", "of the games", "regret")
    .option("--out <file>", "keep the figures there, beside those of other models")
    .addHelpText("after", example("kessel model regret pocket-stalingrad/commander.onnx --games 100"))
    .action(regret);
  registerTimes(command);
  withMeasuring(withGameOptions(command.command("strength")))
    .description("measure each model of a run against scripted agents, by the minutes and decisions that it took")
    .argument("<game>", "as `kessel list` names it")
    .requiredOption("--run <dir>", "folder of the run: its models/NNNNNN.onnx and metrics.jsonl are read")
    .option("--json", "print it as JSON")
    .addHelpText("after", example("kessel model strength pocket-stalingrad --run runs/ps --measure 400"))
    .action(strength);
}

async function imitate(id: string, flags: ImitateFlags): Promise<void> {
  const [{ startBackend }, run, { trainByImitation }, { publish }, { progressBar }] = await Promise.all([
    import("../../../training/nets/backend.js"),
    import("../../../training/runs/run-folder.js"),
    import("../../../training/runs/train-imitate.js"),
    import("../../../training/models/publish.js"),
    import("../../../training/runs/progress.js"),
  ]);
  const folder = new run.RunFolder(flags.run);
  const { agentKinds } = await import("../../../agents/registry.js");
  await importGame(id);
  const { config, game } = configure(folder, run, run.imitateRunSchema, id, flags, { method: "imitate" }, [
    ...(flags.expert === undefined ? [] : [["experts", splitAgents(flags.expert, agentKinds())] as const]),
    ...(flags.games === undefined ? [] : [["games", flags.games] as const]),
    ...(flags.epochs === undefined ? [] : [["imitate.epochs", flags.epochs] as const]),
  ]);
  const file = flags.out ?? `models/${id}/imitation.onnx`;
  prepareModel(file);
  const backend = await startBackend(config.backend);
  print(`backend ${backend}`);
  let bar = progressBar("games recorded");
  let epoch = 0;
  try {
    const { net, samples } = await trainByImitation(game, config, folder, flags.resume === true, {
      recorded: (done, all) => {
        bar.update(done, all);
        if (!process.stderr.isTTY && done % Math.ceil(all / 10) === 0) print(`recorded ${done} of ${all} games`);
      },
      learnt: (now, done, all) => {
        if (now !== epoch || done <= config.imitate.minibatch) {
          bar.stop();
          bar = progressBar(`decisions of epoch ${now + 1}`);
        }
        epoch = now;
        bar.update(done, all);
      },
      epoch: ({ epoch: n, train, heldOut }, speed) => {
        bar.stop();
        const kept =
          heldOut === null
            ? ""
            : `, on held-out decisions agreement ${percent(heldOut.agreement, 1)}, value error ${heldOut.value.toFixed(3)}`;
        print(
          `epoch ${n}: policy ${train["policy"]!.toFixed(3)}, value ${train["value"]!.toFixed(3)}${kept}; ${speed.toFixed(0)} samples/s`,
        );
      },
    });
    const epochs = folder.metrics.read(); // those before a --resume too
    const minutes = epochs.reduce((sum, line) => sum + (line["seconds"] as number), 0) / 60;
    const agreement = (epochs.at(-1)?.["heldOut"] as EpochReport["heldOut"] | undefined)?.agreement;
    bar.stop();
    bar = progressBar("games of the card");
    await publish(
      net,
      samples,
      file,
      {
        how: `Imitation of ${config.experts.join(" and ")}: the policy learnt its choices in ${config.games} recorded games, the value how they ended.`,
        command: commandLine(),
        seed: config.seed,
        facts: {
          games: config.games,
          decisions: samples.size,
          epochs: config.imitate.epochs,
          ...(agreement === undefined ? {} : { "agreement on held-out decisions": percent(agreement, 1) }),
          backend,
          "minutes of learning": minutes.toFixed(1),
        },
        config: config as unknown as JsonObject,
      },
      { ...(await measuring(game, flags)), progress: bar.update },
    );
    print(`wrote ${file} and its card`);
  } finally {
    bar.stop();
  }
}

const ppo = (id: string, flags: PpoFlags): Promise<void> =>
  selfPlay("ppo", id, flags, flags.bestResponseTo === undefined ? [] : bestResponse(flags.bestResponseTo));

const expert = (id: string, flags: SelfPlayFlags): Promise<void> => selfPlay("expert", id, flags, []);

async function selfPlay(
  method: "ppo" | "expert",
  id: string,
  flags: PpoFlags,
  values: readonly (readonly [string, Json])[],
): Promise<void> {
  const [{ startBackend }, run, { trainSelfPlay }, { updateReporter }] = await Promise.all([
    import("../../../training/nets/backend.js"),
    import("../../../training/runs/run-folder.js"),
    import("../../../training/runs/train-self-play.js"),
    import("../../../training/runs/progress.js"),
  ]);
  const folder = new run.RunFolder(flags.run);
  await importGame(id);
  const { config, game } = configure(folder, run, run.selfPlayRunSchema, id, flags, { method }, [
    ...(flags.updates === undefined ? [] : [[`${method}.updates`, flags.updates] as const]),
    ...values,
  ]);
  if (flags.bestResponseTo !== undefined && game.players.length === 1)
    throw new KesselError("bad-config", `--best-response-to: ${game.type.id} is a game for one, nobody is met there`);
  if (config.method !== method)
    throw new KesselError("bad-config", `the run is one of \`kessel train ${config.method}\`, not ${method}`);
  print(`backend ${await startBackend(config.backend)}`);
  const { updates } = config.method === "ppo" ? config.ppo : config.expert;
  const say = updateReporter();
  let stop = false;
  const interrupt = () => (stop = true);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, interrupt);
  try {
    const trained = await trainSelfPlay(game, config, folder, flags.resume === true, {
      update: (line, all) => print(say(line, all)),
      shouldStop: () => stop,
    });
    print(
      trained.update < updates
        ? `stopped after update ${trained.update}; --resume goes on`
        : `done; models are in ${flags.run}/models`,
    );
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"]) process.removeListener(signal, interrupt);
  }
}

/** Values that make a run meet one agent only. */
const bestResponse = (agent: string): [string, Json][] => [
  ["ppo.opponents", [agent]],
  ["ppo.selfPlay", 0],
  ["ppo.snapshotEvery", Number.MAX_SAFE_INTEGER],
  ["evaluate.against", [agent]],
];
