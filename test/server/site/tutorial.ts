import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT } from "../../documents.js";

/** A block of code of a page. */
interface Block {
  readonly language: string;
  /** The word behind the language: a file's name, or `setup`. */
  readonly word: string;
  readonly text: string;
}

/** Commands of a tutorial. */
interface Commands {
  readonly kind: "commands";
  readonly lines: readonly string[];
  /** What is typed into them. */
  readonly input: string;
  /** What they print, with … for anything; null where the page doesn't show it. */
  readonly prints: string | null;
  /** True when the page says that they fail. */
  readonly fails: boolean;
}

/** A step of a tutorial: a file to write, lines to change in one, or commands. */
export type Step =
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  | { readonly kind: "edit"; readonly name: string; readonly old: string; readonly text: string }
  | Commands;

const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, language, word, text]) => ({
    language: language!,
    word: word ?? "",
    text: text!,
  }));

/** Lines of a diff with a sign, without it. */
const linesWith = (sign: string, diff: string): string =>
  diff
    .split("\n")
    .filter((line) => line.startsWith(sign))
    .map((line) => line.slice(1))
    .join("\n");

/**
 * The steps of a page. A block with a file's name is that file, or lines to change in it if it is a `diff`. `sh` are
 * commands, a `text` behind them is what they print, an `input` what is typed. `sh fails` are commands that fail; `sh
 * setup` is what the machine of a test has done already.
 */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  let commands: Commands | null = null;
  for (const { language, word, text } of blocksOf(page)) {
    if (language === "sh") {
      commands = { kind: "commands", lines: text.trim().split("\n"), input: "", prints: null, fails: word === "fails" };
      if (word !== "setup") steps.push(commands);
    } else if (language === "text" || language === "input") {
      if (commands === null) throw new Error(`nothing has printed ${text}`);
      const more = language === "text" ? { prints: text.trimEnd() } : { input: text };
      commands = { ...(commands as Commands), ...more };
      steps[steps.length - 1] = commands;
    } else if (language === "diff")
      steps.push({ kind: "edit", name: word, old: linesWith("-", text), text: linesWith("+", text) });
    else if (word !== "") steps.push({ kind: "file", name: word, text });
  }
  return steps;
}

/** True when a text is what a page shows; … stands for anything. */
export function printed(shown: string, text: string): boolean {
  const pattern = shown.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join("[\\s\\S]*")}$`).test(text.trim());
}

/**
 * Runs a command line as a reader would, in a folder.
 *
 * @param checkout whose `kessel` and packages it uses
 * @returns what it printed; rejects with that when it fails, or when it `fails` not
 */
export async function typed(
  line: string,
  input: string,
  folder: string,
  checkout: string,
  fails = false,
): Promise<string> {
  const bin = join(folder, ".bin");
  mkdirSync(bin, { recursive: true });
  const script = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  // as in a checkout, whose folder this need not be
  script(
    "npx",
    `case $1 in kessel) shift; exec node "${checkout}/server/cli/kessel.mjs" "$@" ;; *) exec node "${checkout}/node_modules/.bin/$1" $2 $3 $4 ;; esac`,
  );
  const python = process.env["KESSEL_PYTHON"] ?? join(ROOT, ".venv/bin/python");
  script("python", `exec "${python}" "$@"`);
  const env = {
    ...process.env,
    KESSEL_CPU: undefined,
    KESSEL_NIGHTLY: undefined,
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    PYTHONPATH: join(checkout, "server/python"),
    KESSEL_SERVER: checkout,
    KESSEL_SESSIONS: join(folder, "sessions"),
    OPENAI_API_KEY: "none",
    CI: "1",
    NO_COLOR: "1",
  };
  const child = spawn("sh", ["-c", line], { cwd: folder, env });
  let out = "";
  let err = "";
  child.stdout.on("data", (data: Buffer) => void (out += String(data)));
  child.stderr.on("data", (data: Buffer) => void (err += String(data)));
  child.stdin.on("error", () => undefined); // it may end without reading
  child.stdin.end(input);
  const status = await new Promise((resolve) => child.once("close", resolve));
  if ((status !== 0) !== fails) throw new Error(`${line} ended with ${String(status)}\n${out}\n${err}`);
  return out;
}
