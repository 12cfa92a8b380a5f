import type { Command } from "commander";
import { expect, test } from "vitest";
import { buildProgram, renamed } from "../server/cli/run.js";
import { codeOf, textOf, tree } from "./documents.js";

const groups = JSON.parse(textOf("env/scripts.json")) as Record<string, Record<string, string>>;
const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };

/** A command as it is typed: `kessel` or the name of an npm script, and its words. */
interface Typed {
  readonly run: string;
  readonly words: readonly string[];
}

/** The commands of this repository in a line of code: `kessel ...` however it is started, and `npm run NAME -- ...`. */
function commandsIn(line: string): Typed[] {
  const parts = line
    .replace(/'[^']*'|"[^"]*"/g, (quoted) => quoted.replace(/[\s|;&>#-]/g, "_")) // one word, which names no flag
    .replace(/\s#.*$/, "")
    .split(/&&|;|\s\|\s|\s>\s/);
  return parts.flatMap((part): Typed[] => {
    const [, kessel] =
      /^\s*(?:[A-Z_]+=\S+\s+)*(?:npx |npm run (?:--silent )?|python -m )?kessel (.*)$/.exec(part) ?? [];
    const [, script, args] = /^\s*npm run (?:--silent )?([a-z][a-z:]*) -- (.*)$/.exec(part) ?? [];
    if (kessel !== undefined) return [{ run: "kessel", words: kessel.replace(/^-- /, "").split(/\s+/) }];
    return script === undefined ? [] : [{ run: script, words: args!.split(/\s+/) }];
  });
}

/** The flags among words: `--count=3` and `[--count]` are `--count`. */
const flagsOf = (words: readonly string[]): string[] =>
  words.flatMap((word) => /^\[?(--?[a-z][a-z-]*)/.exec(word)?.[1] ?? []);

const program = await buildProgram();

/** What is wrong with the words of a `kessel` command, or null. */
function wrongOf(typed: readonly string[]): string | null {
  const { words } = renamed(typed); // cards give the command of their day
  let command: Command = program;
  let depth = 0;
  for (;;) {
    const next = command.commands.find((c) => c.name() === words[depth]);
    if (next === undefined) break;
    command = next;
    depth++;
  }
  const word = words[depth] ?? "";
  if (depth === 0 && /^[a-z]/.test(word)) return `there is no command ${word}`;
  const meant = word === "..." ? command.commands : [command]; // any of its commands
  const help = meant.map((c) => c.helpInformation()).join("\n");
  const unknown = flagsOf(words).filter((flag) => !new RegExp(`(^|[\\s,])${flag}(?![\\w-])`, "m").test(help));
  return unknown.length === 0 ? null : `kessel ${words.slice(0, depth).join(" ")} has no ${unknown.join(" ")}`;
}

/** What is wrong with the flags of an npm script, or null: its source lists them, for commander or for `parseArgs`. */
function wrongOfScript(name: string, words: readonly string[]): string | null {
  if (scripts[name] === undefined) return null; // scripts.test.ts looks whether it exists; history names old ones
  const [, command] = /^node server\/cli\/kessel\.mjs (\S+)$/.exec(scripts[name] ?? "") ?? [];
  if (command !== undefined) return wrongOf([command, ...words]);
  const group = groups[name];
  const [, alone] = /^node env\/run\.mjs (\S+\.ts)/.exec(scripts[name] ?? "") ?? [];
  const file = group === undefined ? alone : (group[words[0]!] ?? Object.values(group)[0]);
  const source = file === undefined ? "" : textOf(file);
  const unknown = flagsOf(words).filter(
    (flag) => !new RegExp(`"${flag} |"${flag}"|\\b${flag.slice(2)}"?: \\{ type:`).test(source),
  );
  return unknown.length === 0 ? null : `npm run ${name} has no ${unknown.join(" ")}`;
}

const wrongIn = (text: string): string[] =>
  codeOf(text)
    .flatMap(commandsIn)
    .flatMap(({ run, words }) => (run === "kessel" ? wrongOf(words) : wrongOfScript(run, words)) ?? []);

const documents = tree().filter((path) => path.endsWith(".md"));

test.each(documents)("the commands in %s exist, and so do their flags", (file) => {
  expect(wrongIn(textOf(file))).toEqual([]);
});

test("documents show commands of every kind", () => {
  const shown = documents.flatMap((file) => codeOf(textOf(file)).flatMap(commandsIn));
  expect(shown.filter(({ run }) => run === "kessel").length).toBeGreaterThan(100);
  expect(shown.filter(({ run, words }) => run !== "kessel" && flagsOf(words).length > 0).length).toBeGreaterThan(5);
});

test("a mistyped command or flag is found, in blocks, over several lines and in backticks", () => {
  const text = [
    "Type `npx kessel serv --port 1`, `npm run soak -- churn --minuets 3` or `npm run golden -- --because X --all`:",
    "```",
    "$X kessel is not called here, nor is kessel.rl --nothing",
    "KESSEL_SESSIONS=here npx kessel play pocket-stalingrad --seat soviet=human \\",
    "  --german random # --comment",
    "npx kessel train ... --resume --rerun",
    "npx kessel train ppo night-fight --set 'a=--none' --runs x && npm run bench -- night-fight --quick --slow",
    "```",
  ].join("\n");
  expect(wrongIn(text)).toEqual([
    "there is no command serv",
    "npm run soak has no --minuets",
    "npm run golden has no --all",
    "kessel play has no --german",
    "kessel train has no --rerun",
    "kessel train ppo has no --runs",
    "kessel bench has no --slow",
  ]);
});
