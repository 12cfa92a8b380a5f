import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { KesselError } from "../../env/index.js";
import { shortageOf } from "../shortages.js";
import { register as agents } from "./agents.js";
import { register as analyse } from "./analyse.js";
import { register as arena } from "./arena.js";
import { register as bench } from "./bench.js";
import { register as cases } from "./cases.js";
import { register as describe } from "./describe.js";
import { register as draw } from "./draw.js";
import { register as games } from "./recorded/games.js";
import { register as inspect } from "./inspect.js";
import { register as keys } from "./keys.js";
import { register as list } from "./list.js";
import { register as newGame } from "./new-game.js";
import { register as play } from "./play.js";
import { register as puzzles } from "./recorded/puzzles.js";
import { register as replay } from "./replay.js";
import { register as rule } from "./rule/rule.js";
import { register as serve } from "./serve.js";
import { register as sessions } from "./sessions.js";
import { register as tools } from "./tools.js";
import { register as train } from "./train/train.js";

/** Every command, in the order of `--help`. One file each; what is heavy is imported when the command runs. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  list,
  describe,
  agents,
  rule,
  serve,
  keys,
  play,
  sessions,
  tools,
  arena,
  games,
  puzzles,
  train,
  inspect,
  replay,
  analyse,
  draw,
  cases,
  newGame,
  bench,
];

/** Exit status of a caller's mistake; 1 is a command that ran and found something wrong. */
const MISTAKE = 2;

/** The whole command line, with nothing parsed yet. */
export function buildProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const program = new Command("kessel")
    .description("Eastern Front board wargames as environments for machine learning.")
    .version(version, "--version", "print the version")
    .option("--debug", "print the stack of internal errors")
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(oneLine(text.replace(/^error: /, ""))) });
  for (const register of COMMANDS) register(program);
  return program;
}

const oneLine = (message: string): string => `kessel: ${message.trim().replace(/\s*\n\s*/g, " ")}\n`;

/** Runs the command line of this process. */
export async function start(): Promise<void> {
  process.stdout.on("error", (e: NodeJS.ErrnoException) => {
    if (e.code === "EPIPE") process.exit(); // the reader has seen enough (`kessel list | head`)
    fail(e);
  });
  process.stderr.on("error", () => undefined); // who can't log goes on working
  process.on("uncaughtException", fail);
  await run(process.argv.slice(2));
}

/** Ends this process with one line about what went wrong outside of any command's course. */
function fail(e: unknown): never {
  process.exit(explain(e, process.argv.includes("--debug")));
}

/** Runs one command line and sets the exit status: 0, 1 (something was found wrong), 2 (a caller's mistake). */
export async function run(argv: readonly string[]): Promise<void> {
  const program = buildProgram();
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (e) {
    process.exitCode = explain(e, program.opts<{ debug?: boolean }>().debug === true);
  }
}

/** Says what went wrong in one line. @returns the exit status */
function explain(e: unknown, debug: boolean): number {
  if (e instanceof CommanderError) return e.exitCode === 0 ? 0 : MISTAKE; // commander has said it already
  const err = e instanceof Error ? e : new Error(String(e));
  const mistake = err instanceof KesselError && err.code !== "internal";
  const internal = `internal error: ${err.message}${debug ? "" : " (--debug shows where)"}`;
  process.stderr.write(oneLine(mistake ? err.message : (shortageOf(err) ?? internal)));
  if (debug) process.stderr.write(`${err.stack ?? ""}\n`);
  return mistake ? MISTAKE : 1;
}
