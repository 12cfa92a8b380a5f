import { importGame } from "../../../agents/import-game.js";
import type { Command } from "commander";
import type { GameRecord } from "../../analysis/record.js";
import { EVERYTHING, KesselError, parseReplay } from "../../../env/index.js";
import {
  checkWritable,
  example,
  ownerType,
  print,
  printJson,
  readJson,
  viewerFrom,
  whole,
  writeOut,
} from "../common.js";

interface Flags {
  with?: string;
  beliefs?: number;
  habits?: string | true;
  seat?: string;
  worst: number;
  json?: boolean;
  html?: string;
  data?: string;
}

/** Most decisions listed as the worst of a side. */
const MOST_WORST = 50;

export function register(command: Command): void {
  command
    .argument("<file>", "a replay document, of a game that is over or not")
    .option("-w, --with <agent>", "what gives values: a level (commander), onnx:FILE or search:iterations=N")
    .option("--seat <seat>", "use only what this seat knew, and judge only its own decisions")
    .option("--worst <number>", "decisions listed as the worst of each side", whole(0, MOST_WORST), 3)
    .option(
      "--beliefs <decision>",
      "instead: what --seat could believe of face-down counters before this decision",
      whole(1),
    )
    .option(
      "--habits [file]",
      "with --beliefs: weigh what fits by habits learnt from games, by the game's own net or one of `kessel model belief`",
    )
    .option("--json", "print everything, machine-readable")
    .option("--text", "as text, which is the default")
    .option("--html <file>", "write a page with curves and boards there")
    .option("--data <dir>", "the folder of data files that the game was played with")
    .addHelpText(
      "after",
      example(
        "kessel games analyse game.json --with commander --html game.html",
        "kessel games analyse game.json --seat G --beliefs 120",
      ),
    )
    .action(async (file: string, flags: Flags) => {
      const replay = parseReplay(readJson(file, "bad-replay"));
      if (flags.html !== undefined) checkWritable(flags.html);
      const { recordOf } = await import("../../analysis/record.js");
      let seat: number | null = null;
      const record = recordOf(ownerType(await importGame(replay.game), flags.data), replay, (game) => {
        if (flags.seat === undefined) return EVERYTHING;
        seat = viewerFrom(game, flags.seat);
        if (seat < 0) throw new KesselError("bad-seat", "a spectator decides nothing: --seat is a side of the game");
        return seat;
      });
      return flags.beliefs === undefined
        ? judge(record, seat, flags)
        : believe(record, seat, { ...flags, beliefs: flags.beliefs });
    });
}

async function judge(record: GameRecord, seat: number | null, flags: Flags): Promise<void> {
  if (flags.habits !== undefined) throw new KesselError("bad-option", "--habits goes with --beliefs");
  if (flags.with === undefined)
    throw new KesselError("bad-option", "--with says what gives values: a level (commander), onnx:FILE, search:...");
  const [{ makeEvaluator }, { analyse }, { analysisText }, { sideNames }, { progressBar }] = await Promise.all([
    import("../../analysis/evaluator.js"),
    import("../../analysis/analyse.js"),
    import("../../analysis/text.js"),
    import("../../../agents/text/sentences.js"),
    import("../../../training/runs/progress.js"),
  ]);
  const evaluator = await makeEvaluator(flags.with, record.game);
  const bar = progressBar("steps");
  let found;
  try {
    found = await analyse(record, evaluator, { seat, worst: flags.worst, progress: bar.update });
  } finally {
    bar.stop();
    await evaluator.close();
  }
  if (flags.html !== undefined)
    writeOut(flags.html, (await import("../../analysis/page.js")).analysisPage(found, record));
  if (flags.json) printJson(found);
  else print(analysisText(found, sideNames(record.game, record.start), width()));
}

async function believe(
  { game, steps }: GameRecord,
  seat: number | null,
  { beliefs: number, habits: asked, json, html }: Flags & { beliefs: number },
): Promise<void> {
  if (seat === null) throw new KesselError("bad-option", "--beliefs are a seat's: say whose with --seat");
  if (html !== undefined)
    throw new KesselError("bad-option", "--beliefs are written as text or with --json, not with --html");
  const step = steps[number - 1];
  if (step === undefined)
    throw new KesselError("bad-option", `--beliefs is a decision from 1 to ${steps.length}, not ${number}`);
  const [{ beliefsOf, habitBeliefsOf, shippedHabits }, { Belief }, { readModelFile }, { beliefsText }, { sideNames }] =
    await Promise.all([
      import("../../analysis/beliefs.js"),
      import("../../../agents/search/belief.js"),
      import("../../../agents/model-file.js"),
      import("../../analysis/text.js"),
      import("../../../agents/text/sentences.js"),
    ]);
  const habits =
    asked === undefined
      ? null
      : asked === true
        ? await shippedHabits(game)
        : await Belief.load(readModelFile(asked), game, asked);
  if (asked === true && habits === null)
    throw new KesselError(
      "bad-option",
      `no net of habits comes with ${game.type.id} with these options; make one with \`kessel model belief\` and name it, --habits FILE`,
    );
  const found =
    habits === null ? beliefsOf(game, step.before, seat) : await habitBeliefsOf(game, step.before, seat, habits);
  await habits?.close();
  const { model, worlds, places } = found;
  if (json) printJson({ game: game.type.id, seat: game.players[seat]!, decision: number, model, worlds, places });
  else print(beliefsText(found, sideNames(game, step.before), width()));
}

const width = (): number => Math.min(process.stdout.columns ?? 100, 120);
