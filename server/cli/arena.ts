import type { Command } from "commander";
import { printable } from "../../env/core/safe-text.js";
import { type Game, KesselError } from "../../env/index.js";
import type { ArenaOptions } from "../../training/arena/arena.js";
import {
  checkWritable,
  example,
  type GameFlags,
  gameFrom,
  makeFolder,
  ownerData,
  print,
  printJson,
  share,
  splitAgents,
  whole,
  withGameOptions,
  writeOut,
} from "./common.js";

interface Flags extends GameFlags {
  agents: string;
  games?: number;
  seed: string;
  jobs: number;
  until?: number;
  json?: string | boolean;
  html?: string;
  luck?: string;
  secret?: string;
  seat?: string;
  record?: string;
  bid?: boolean;
  suite?: string;
  parts?: string;
  items?: number;
  heldOut?: string;
  submit?: string;
}

/** Default number of games of each pair, and of a suite against each level. */
const GAMES = 200;
const SUITE_GAMES = 20;

export function register(command: Command): void {
  withGameOptions(command)
    .argument("[game]", "as `kessel list` names it; without it a suite of all games")
    .requiredOption("-a, --agents <names>", "agents, separated by commas")
    .option(
      "-n, --games <number>",
      `games of each pair, half of them in each seat that both can take (default ${GAMES}); with a suite against each level (default ${SUITE_GAMES})`,
      whole(1),
    )
    .option(
      "--suite <name>",
      "language: whole games as text against each level, puzzles, questions about rules and beliefs",
    )
    .option("--parts <names>", "parts of the suite: games,puzzles,rules,beliefs (default all)")
    .option(
      "--items <number>",
      "ask at most this many puzzles, rule questions of each kind and belief questions of each game",
      whole(1),
    )
    .option("--held-out <dir>", "also ask the questions and puzzles of this book (`kessel suite make`)")
    .option("--submit <file>", "write settings, versions, books and scores there, for a leaderboard")
    .option("--seat <seat>", "the first agent always plays this seat")
    .option(
      "--bid",
      "agents bid points for the sides by what they are worth to them, and play in one seating; one agent only bids",
    )
    .option("-s, --seed <seed>", "seed of the dice, the same for every pair and seating", "0")
    .option(
      "--secret <text>",
      "seeds are made with this secret; with an agent outside (external:) one is drawn, and printed after the last game",
    )
    .option("--until <width>", "stop a pair when its 95 % interval is at most this wide (0.05 is 5 %)", share)
    .option(
      "--luck <model>",
      "also report results adjusted for the luck of the dice, estimated by the values of this ONNX model",
    )
    .option(
      "--record <dir>",
      "write the replay of each game there as soon as it is over (`kessel games list DIR` lists them)",
    )
    .option("-j, --jobs <number>", "worker threads", whole(1, 64), 2)
    .option("--json [file]", "write the whole result, to a file or to standard output")
    .option("--html <file>", "write the whole result as a page with plots")
    .addHelpText("after", example("kessel arena pocket-stalingrad --agents random,heuristic:greedy --games 1000"))
    .action(async (id: string | undefined, flags: Flags, command: Command) => {
      if (flags.suite !== undefined) return playSuite(id, flags, command);
      const wanting = (["parts", "items", "heldOut", "submit"] as const).find((name) => flags[name] !== undefined);
      if (wanting !== undefined)
        throw new KesselError("bad-option", `--${wanting === "heldOut" ? "held-out" : wanting} is for --suite`);
      if (id === undefined) throw new KesselError("unknown-game", "name a game, as `kessel list` does");
      const game = await gameFrom(id, flags);
      for (const file of [flags.json, flags.html]) if (typeof file === "string") checkWritable(file);
      if (flags.record !== undefined) makeFolder(flags.record);
      const [{ agentKinds }, { arena }, { arenaText }, { progressBar }, { isExternal, newSecret }] = await Promise.all([
        import("../../agents/registry.js"),
        import("../../training/arena/arena.js"),
        import("../../training/arena/report.js"),
        import("../../training/runs/progress.js"),
        import("../../training/arena/seeds.js"),
      ]);
      const bar = progressBar("games");
      const agents = splitAgents(flags.agents, agentKinds());
      const secret = flags.secret ?? (agents.some(isExternal) ? newSecret() : undefined);
      const options = {
        agents,
        games: flags.games ?? GAMES,
        seed: flags.seed,
        jobs: flags.jobs,
        data: ownerData(game.type, flags.data),
        progress: bar.update,
        ...(flags.until === undefined ? {} : { until: flags.until }),
        ...(secret === undefined ? {} : { secret }),
        ...(flags.record === undefined ? {} : { record: flags.record }),
        ...(flags.luck === undefined ? {} : { valueModel: flags.luck }),
      };
      if (flags.bid === true) return playForBids(game, options, flags, bar.stop);
      let result;
      try {
        result = await arena(game, { ...options, ...(flags.seat === undefined ? {} : { seat: flags.seat }) });
      } catch (e) {
        bar.stop();
        if (flags.agents.includes("llm:")) await reportEarlyEnd(flags, secret!);
        throw e;
      } finally {
        bar.stop();
      }
      if (typeof flags.json === "string") writeOut(flags.json, `${JSON.stringify(result, null, 2)}\n`);
      if (flags.html !== undefined)
        writeOut(flags.html, (await import("../../training/arena/page.js")).arenaPage(result));
      if (flags.json === true) printJson(result);
      else {
        print(arenaText(result));
        if (flags.agents.includes("llm:")) {
          const { usageLines } = await import("../../agents/llm/llm.js");
          for (const line of usageLines()) print(line);
        }
      }
    });
}

/** What language models have answered in a run that ended early, and how it goes on. */
async function reportEarlyEnd({ agents, seed }: Flags, secret: string): Promise<void> {
  const { usageLines } = await import("../../agents/llm/llm.js");
  const used = usageLines().filter((line) => !line.includes(": 0 answers"));
  const goOn =
    used.length > 0 && agents.includes("transcript=")
      ? [`to go on with the answers of the transcript: --seed ${seed} --secret ${secret}`]
      : [];
  for (const line of [...used, ...goOn]) process.stderr.write(`${printable(line)}\n`);
}

/** @throws KesselError `bad-option` for options that bidding has no use for */
async function playForBids(game: Game, options: ArenaOptions, flags: Flags, stop: () => void): Promise<void> {
  const { bidding, bidText } = await import("../../training/arena/bid.js");
  let result;
  try {
    for (const name of ["seat", "luck", "html"] as const)
      if (flags[name] !== undefined) throw new KesselError("bad-option", `with --bid leave out --${name}`);
    result = await bidding(game, options);
  } finally {
    stop();
  }
  if (typeof flags.json === "string") writeOut(flags.json, `${JSON.stringify(result, null, 2)}\n`);
  if (flags.json === true) printJson(result);
  else print(bidText(result));
}

/** @throws KesselError `bad-option` for options that a suite has no use for */
async function playSuite(id: string | undefined, flags: Flags, command: Command): Promise<void> {
  const known = ["suite", "parts", "items", "agents", "games", "secret", "json", "heldOut", "submit"];
  const given = Object.keys(flags).filter((name) => command.getOptionValueSource(name) === "cli");
  const other = given.find((name) => !known.includes(name));
  if (other !== undefined) throw new KesselError("bad-option", `a suite is played as it is: leave out --${other}`);
  for (const file of [flags.json, flags.submit]) if (typeof file === "string") checkWritable(file);
  const { runLanguageSuite } = await import("./suite.js");
  await runLanguageSuite(id, { ...flags, suite: flags.suite!, games: flags.games ?? SUITE_GAMES });
}
