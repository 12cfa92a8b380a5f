import { percent } from "../../../env/core/words.js";
import type { Command } from "commander";
import { type Json, type JsonObject, KesselError } from "../../../env/index.js";
import { cardOf } from "../../../training/models/files.js";
import {
  example,
  type GameFlags,
  gameFrom,
  print,
  share,
  splitAgents,
  viewerFrom,
  whole,
  withGameOptions,
  writeOut,
} from "../common.js";
import { collect, commandLine, prepareModel, withValues } from "./flags.js";

interface BeliefFlags extends GameFlags {
  by: string;
  games: number;
  seat?: string[];
  share: number;
  set: [string, Json][];
  seed: string;
  out: string;
}

/** Large enough to tell worlds apart in Savage Streets, and small beside the net of a search. */
const NET = { kind: "graph", embed: 16, hops: 1, hidden: [128, 64] };

export function register(train: Command): void {
  withGameOptions(train.command("belief"))
    .description("train a net that finds the true world among others that fit what a seat knows, for search")
    .argument("<game>", "as `kessel list` names it")
    .requiredOption("--by <names>", "who plays the games: one agent, or one for each seat, separated by commas")
    .option("-n, --games <number>", "games to learn from; a tenth as many more are played to measure", whole(10), 1000)
    .option("--seat <seats...>", "seats whose beliefs are learnt (default: all)")
    .option("--share <number>", "share of their decisions to examine", share, 0.1)
    .option(
      "--set <key=value>",
      "a setting of how it learns, as in `imitate` of a configuration; may be repeated",
      collect,
      [],
    )
    .option("-s, --seed <seed>", "of games and weights", "belief")
    .requiredOption("--out <file>", "the net to write; its card is written beside it")
    .addHelpText(
      "after",
      example(
        "kessel model belief savage-streets --by onnx:savage-streets/commander.onnx --seat G --games 200 --out runs/belief.onnx",
        "kessel arena savage-streets --agents search:net=savage-streets/commander.onnx,belief=runs/belief.onnx,root=plan,onnx:savage-streets/commander.onnx --games 100",
      ),
    )
    .action(belief);
}

async function belief(id: string, flags: BeliefFlags): Promise<void> {
  const [{ startBackend }, { imitateSchema }, { trainBelief }, { agentsNamed, beliefCard }, { writeAtomic }] =
    await Promise.all([
      import("../../../training/nets/backend.js"),
      import("../../../training/learn/imitate.js"),
      import("../../../training/runs/train-belief.js"),
      import("../../../training/models/belief.js"),
      import("../../../training/learn/checkpoint.js"),
    ]);
  const [{ progressBar }, { agentKinds }, { worldGame }, { isBlind }, { parseWith, SPECTATOR }] = await Promise.all([
    import("../../../training/runs/progress.js"),
    import("../../../agents/registry.js"),
    import("../../../agents/search/belief.js"),
    import("../../../agents/search/hidden.js"),
    import("../../../env/index.js"),
  ]);
  const { games, share, seed, out } = flags;
  const game = await gameFrom(id, flags);
  worldGame(game); // refuses games that it can't be of
  const named = (flags.seat ?? []).map((name) => viewerFrom(game, name));
  if (named.includes(SPECTATOR))
    throw new KesselError("bad-seat", "a spectator decides nothing: --seat is a side of the game");
  const seats = named.length > 0 ? named : game.players.map((_, p) => p);
  if (!seats.some((seat) => isBlind(game, seat)))
    throw new KesselError(
      "unsupported",
      `${id} hides nothing from ${seats.map((seat) => game.players[seat]!).join(" or ")}: there is nothing to believe`,
    );
  const start = { net: NET, epochs: 5, rate: 0.002 } as unknown as JsonObject;
  const imitate = parseWith(imitateSchema, withValues(start, flags.set), "bad-config", "configuration");
  prepareModel(out);
  const by = splitAgents(flags.by, agentKinds());
  if (by.length !== 1 && by.length !== game.players.length)
    throw new KesselError(
      "bad-option",
      `--by names one agent or ${game.players.length}, one for each seat, not ${by.length}`,
    );
  const agents = await agentsNamed(game, by, seed);
  print(`backend ${await startBackend("auto")}`);
  const bar = progressBar("games");
  try {
    const run = { agents, games, seats, share, seed, imitate };
    const { bytes, measured } = await trainBelief(
      game,
      run,
      { command: commandLine(), by },
      {
        recorded: bar.update,
        epoch: ({ epoch, train, heldOut }) => {
          bar.stop();
          const agreement = heldOut === null ? "" : `, told apart ${percent(heldOut.agreement, 1)}`;
          print(`epoch ${epoch}: loss ${train["policy"]!.toFixed(3)} (knowing nothing 0.693)${agreement}`);
        },
      },
    );
    writeAtomic(out, bytes);
    writeOut(cardOf(out), beliefCard(bytes, out));
    const times = Math.exp(measured.gain).toFixed(2);
    print(`wrote ${out} and its card: the true world gets ${times} times the mean weight of the worlds it is among`);
  } finally {
    bar.stop();
    for (const agent of new Set(agents)) await agent.close?.();
  }
}
