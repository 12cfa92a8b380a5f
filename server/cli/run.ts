import { readFileSync } from "node:fs";
import { Command, CommanderError, Help, type Option } from "commander";
import { KesselError } from "../../env/core/errors.js";
import { printable, withoutSecrets } from "../../env/core/safe-text.js";
import { shortageOf } from "../shortages.js";

type Register = (command: Command) => void;

/** A command: its name, what it does, and its module, imported when it runs or explains itself. */
interface Listed {
  readonly name: string;
  readonly about: string;
  readonly load: () => Promise<Register>;
}

/** What an option does, without a default that is an empty list. */
const describedOption = (option: Option): string =>
  new Help().optionDescription(option).replace(/ \(default: (?:\{\}|\[\])\)$/, "");

/** Every command, in the order of `--help`. */
const COMMANDS: readonly Listed[] = [
  { name: "list", about: "list the available games", load: async () => (await import("./list.js")).register },
  {
    name: "describe",
    about: "describe a game: sides, options, actions, tensors",
    load: async () => (await import("./describe.js")).register,
  },
  {
    name: "agents",
    about: "list the agents of a game: trained levels with their measured strength, scripted players, search",
    load: async () => (await import("./agents.js")).register,
  },
  {
    name: "rule",
    about: "print a rule with the code, rule cases and tests that cite it; search the rules; or print them all",
    load: async () => (await import("./rule/rule.js")).register,
  },
  { name: "serve", about: "serve the games over ZeroMQ", load: async () => (await import("./serve.js")).register },
  {
    name: "keys",
    about: "make a key pair for a server or a client on another machine",
    load: async () => (await import("./keys.js")).register,
  },
  {
    name: "play",
    about: "play in the terminal, with people and agents in any seat; you can continue a game later",
    load: async () => (await import("./play.js")).register,
  },
  {
    name: "sessions",
    about: "list the games you can continue, or delete some",
    load: async () => (await import("./sessions.js")).register,
  },
  {
    name: "tools",
    about: "let a language model play: Model Context Protocol tools over standard input and output",
    load: async () => (await import("./tools.js")).register,
  },
  {
    name: "arena",
    about: "play agents against each other, with seats swapped, and rate them",
    load: async () => (await import("./arena.js")).register,
  },
  {
    name: "suite",
    about: "make books of the language suite, and the table of many runs",
    load: async () => (await import("./books.js")).register,
  },
  {
    name: "games",
    about: "work with recorded games: list, show, analyse, make puzzles",
    load: async () => (await import("./recorded/register.js")).register,
  },
  {
    name: "train",
    about: "train a net by imitation or by self-play",
    load: async () => (await import("./train/train.js")).register,
  },
  {
    name: "model",
    about: "publish, measure, quantize and examine trained models",
    load: async () => (await import("./train/train.js")).registerModel,
  },
  {
    name: "inspect",
    about: "inspect an ONNX model: whether it fits its game and reproduces its recorded answers",
    load: async () => (await import("./inspect.js")).register,
  },
  {
    name: "draw",
    about: "draw a position, or a game after some decisions, as SVG or PNG",
    load: async () => (await import("./draw.js")).register,
  },
  {
    name: "cases",
    about: "run rule cases and print the failures; exit status 1 if any fails",
    load: async () => (await import("./cases.js")).register,
  },
  {
    name: "new-game",
    about: "write a small complete game with its tests into this repository, as a starting point",
    load: async () => (await import("./new-game.js")).register,
  },
  {
    name: "docs",
    about: "open the documentation as a site on this machine",
    load: async () => (await import("./docs.js")).register,
  },
  {
    name: "bench",
    about: "measure how fast this machine plays",
    load: async () => (await import("./bench.js")).register,
  },
];

/** Commands that had another name in version 0.1. The old names work until 0.3. */
const RENAMED: Readonly<Record<string, string>> = {
  replay: "games show",
  analyse: "games analyse",
  puzzles: "games puzzles",
  "train publish": "model publish",
  "train measure": "model measure",
  "train quantize": "model quantize",
  "train belief": "model belief",
  "train oracle": "model oracle",
  "train strength": "model strength",
};

/** Options of `kessel serve` that became limits in version 0.2: `--max-memory 512` is `--limit memory=512`. */
const LIMITS: Readonly<Record<string, string>> = {
  "--max-message": "message",
  "--max-batches": "batches",
  "--max-environments": "environments",
  "--max-memory": "memory",
  "--max-client-environments": "client-environments",
  "--max-client-memory": "client-memory",
  "--max-searches": "searches",
  "--searches-at-once": "searches-at-once",
  "--decision-seconds": "decision-seconds",
  "--request-seconds": "request-seconds",
  "--max-in-flight": "in-flight",
  "--idle": "idle-seconds",
  "--grace": "grace-seconds",
};

/** Exit status of a caller's mistake; 1 is a command that ran and found something wrong. */
const MISTAKE = 2;

/**
 * The command line, with nothing parsed yet.
 *
 * @param words the command line: only the command that it names gets its options. Left out: all get theirs
 */
export async function buildProgram(words?: readonly string[]): Promise<Command> {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const program = new Command("kessel")
    .description("Eastern Front board wargames as environments for machine learning.")
    .version(version, "--version", "print the version")
    .option("--debug", "print the stack of internal errors")
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ subcommandTerm: (command) => command.name(), optionDescription: describedOption })
    .configureOutput({ outputError: (text, write) => write(oneLine(text.replace(/^error: /, ""))) });
  const named = words?.filter((word) => !word.startsWith("-") && word !== "help")[0];
  for (const { name, about, load } of COMMANDS) {
    const command = program.command(name).description(about);
    if (words === undefined || name === named) (await load())(command);
  }
  return program;
}

/** The command line by today's names, and a note for someone who used an old one. */
export function renamed(words: readonly string[]): { readonly words: readonly string[]; readonly note: string | null } {
  const at = words.findIndex((word) => !word.startsWith("-"));
  for (const length of [1, 2]) {
    const old = words.slice(at, at + length).join(" ");
    const now = at < 0 ? undefined : RENAMED[old];
    if (now !== undefined)
      return {
        words: [...words.slice(0, at), ...now.split(" "), ...words.slice(at + length)],
        note: `"kessel ${old}" is now "kessel ${now}"; the old name works until version 0.3`,
      };
  }
  return words[at] === "serve" ? withLimits(words) : { words, note: null };
}

/** The words of `kessel serve` with limits in place of the options that they were. */
function withLimits(words: readonly string[]): { readonly words: readonly string[]; readonly note: string | null } {
  const now: string[] = [];
  const old: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const [option, value = words[i + 1] ?? ""] = words[i]!.split(/=(.*)/s);
    const name = LIMITS[option!];
    if (name === undefined) now.push(words[i]!);
    else {
      old.push(`${option} is now --limit ${name}=...`);
      now.push("--limit", `${name}=${value}`);
      if (!words[i]!.includes("=")) i++;
    }
  }
  return { words: now, note: old.length === 0 ? null : `${old.join(", ")}; the old names work until version 0.3` };
}

const oneLine = (message: string): string =>
  `kessel: ${printable(withoutSecrets(message))
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .join(" ")}\n`;

/** Runs the command line of this process. */
export async function start(): Promise<void> {
  process.stdout.on("error", (e: NodeJS.ErrnoException) => {
    if (e.code === "EPIPE") process.exit(); // the reader has seen enough (`kessel list | head`)
    fail(e);
  });
  process.stderr.on("error", () => undefined); // a program that can't log goes on
  process.on("uncaughtException", fail);
  await run(process.argv.slice(2));
}

/** Ends this process with one line about what went wrong outside of any command's course. */
function fail(e: unknown): never {
  process.exit(explain(e, process.argv.includes("--debug")));
}

/** Runs one command line and sets the exit status: 0, 1 (something was found wrong), 2 (a caller's mistake). */
export async function run(argv: readonly string[]): Promise<void> {
  const { words, note } = renamed(argv);
  if (note !== null) process.stderr.write(oneLine(note));
  const program = await buildProgram(words);
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (e) {
    process.exitCode = explain(e, program.opts<{ debug?: boolean }>().debug === true);
  }
}

/** Prints what went wrong in one line. @returns the exit status */
function explain(e: unknown, debug: boolean): number {
  if (e instanceof CommanderError) return e.exitCode === 0 ? 0 : MISTAKE; // commander has printed it
  const err = e instanceof Error ? e : new Error(String(e));
  const mistake = err instanceof KesselError && err.code !== "internal";
  const internal = `internal error: ${err.message}${debug ? "" : " (--debug shows where)"}`;
  process.stderr.write(oneLine(mistake ? err.message : (shortageOf(err) ?? internal)));
  if (debug) process.stderr.write(`${printable(withoutSecrets(err.stack ?? ""))}\n`);
  return mistake ? MISTAKE : 1;
}
