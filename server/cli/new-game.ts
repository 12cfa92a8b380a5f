import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { type GameSummary, gameIds, KesselError, type LobbyEntry, shown } from "../../env/index.js";
import { creditLines, type GameFacts, type GameWords, gameRow, rowsOf } from "./readme.js";
import { checkWritable, example, print } from "./common.js";
import { Rollback } from "./rollback.js";
import { hasTests, rulePrefix } from "./rule/citations.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TEMPLATE = fileURLToPath(new URL("./new-game/template", import.meta.url));
/** Template files end so, since they are no code before their names are filled in. */
const ENDING = ".txt";

const REGISTRY = "env/registry.ts";
const README = "README.md";
/** Digests of the golden files, to which those of a game are added. */
const ACCOUNTS = "test/golden/digests.json";

export function register(command: Command): void {
  command
    .argument("<id>", "its id: lower-case words with hyphens, such as bridge-at-dawn")
    .addHelpText("after", example("kessel new-game bridge-at-dawn"))
    .action(async (id: string) => {
      const names = namesFor(id);
      const files = fill(names);
      checkFree(id, [...files.keys()]);
      addToRegistry(names, files);
      const texts = await Promise.all(
        [...files].map(async ([path, text]) => [path, await formatted(path, text)] as const),
      );
      for (const path of [REGISTRY, README, ACCOUNTS]) checkWritable(join(ROOT, path));
      writeAll(id, texts);
      print(`wrote ${files.size} files, registered ${id}, wrote its playthroughs and rule table`);
      print(`next: npx vitest run test/env/${id} test/conformance; CONTRIBUTING.md says what is where`);
    });
}

interface Names {
  readonly id: string;
  readonly title: string;
  readonly prefix: string;
  readonly camel: string;
  readonly Pascal: string;
}

/** @throws KesselError `bad-option` for an id that cannot be taken, or outside a repository */
function namesFor(id: string): Names {
  const bad = (why: string) => new KesselError("bad-option", why);
  if (!hasTests(ROOT))
    throw bad(`a game is added to a checkout of the repository; ${ROOT} is an installed package without tests`);
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)+$/.test(id))
    throw bad(
      `the id of a game is two or more lower-case words with hyphens, such as bridge-at-dawn, not ${shown(id)}`,
    );
  if (existsSync(join(ROOT, "env", id))) throw bad(`env/${id} exists already`);
  const prefix = rulePrefix(id);
  const taken = gameIds().find((other) => rulePrefix(other) === prefix);
  if (taken !== undefined)
    throw bad(`rules of ${id} would be cited as ${prefix}, as those of ${taken} are; take another id`);
  const words = id.split("-").map((word) => word[0]!.toUpperCase() + word.slice(1));
  const Pascal = words.join("");
  return { id, title: words.join(" "), prefix, Pascal, camel: Pascal[0]!.toLowerCase() + Pascal.slice(1) };
}

/** The template's files by their path in the repository, names filled in. */
function fill(names: Names): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(TEMPLATE, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(TEMPLATE, file).slice(0, -ENDING.length);
    const target = path.startsWith("env/")
      ? join("env", names.id, path.slice("env/".length))
      : path.replace(/^test\/(env|cases)\//, (_, room: string) => `test/${room}/${names.id}/`);
    const text = readFileSync(file, "utf8").replace(/\{\{(\w+)\}\}/g, (_, name: string) => names[name as keyof Names]);
    files.set(target, text);
  }
  return files;
}

/** What the template's game is like, until you write it. */
const WORDS: GameWords = {
  like: "hide a depot among marks, or find it in time",
  hidden: "which mark is the depot",
};

/** Adds the game to the registry and to the README's table. */
function addToRegistry({ id, title, camel }: Names, files: Map<string, string>): void {
  const registry = readFileSync(join(ROOT, REGISTRY), "utf8");
  const imports = registry.lastIndexOf('/game.json" with');
  const end = registry.indexOf("\n", imports) + 1;
  const withImport = `${registry.slice(0, end)}import ${camel} from "./${id}/game.json" with { type: "json" };\n${registry.slice(end)}`;
  const withGame = withImport.replace(
    /(const ENTRIES: readonly Entry\[\] = \[[^\]]*)\];/,
    (_, entries: string) =>
      `${entries}new Entry(${camel}, async () => (await import("./${id}/index.js")).${camel}),\n];`,
  );
  if (imports < 0 || withGame === withImport)
    throw new KesselError("bad-option", "env/registry.ts has no list of games that one could be added to");
  files.set(REGISTRY, withGame);
  const readme = readFileSync(join(ROOT, README), "utf8").split("\n");
  const last = readme.findLastIndex((line) => rowsOf(line).size > 0);
  if (last < 0) throw new KesselError("bad-option", "README.md has no table of games that one could be added to");
  const summary = JSON.parse(files.get(`env/${id}/game.json`)!) as GameSummary & { lobby: LobbyEntry };
  const { minutes, complexity } = summary.lobby;
  const facts: GameFacts = { players: [2], minutes: [minutes, minutes], complexity };
  readme.splice(last + 1, 0, gameRow({ id, title }, facts, WORDS));
  const credits = readme.findLastIndex((line) => line.startsWith("- **"));
  const after = readme.findIndex((line, i) => i > credits && line === "");
  readme.splice(after, 0, ...creditLines(summary));
  files.set(README, readme.join("\n"));
}

async function formatted(path: string, text: string): Promise<string> {
  const { format, resolveConfig } = await import("prettier");
  const filepath = join(ROOT, path);
  return path.endsWith(".md") ? text : format(text, { ...(await resolveConfig(filepath)), filepath });
}

/** @throws KesselError `bad-option` when a file is in the way of the game */
function checkFree(id: string, paths: readonly string[]): void {
  const folders = ["test/env", "test/cases", "test/golden"].map((folder) => join(folder, id));
  const taken = [...folders, ...paths].find((path) => existsSync(join(ROOT, path)));
  if (taken !== undefined) throw new KesselError("bad-option", `${taken} exists already; nothing was written`);
}

/** Writes everything, or in the end nothing: half a game in the registry would keep all others from loading. */
function writeAll(id: string, texts: readonly (readonly [path: string, text: string])[]): void {
  const rollback = new Rollback(ROOT);
  try {
    for (const [path, text] of texts) rollback.write(path, text);
    rollback.note(ACCOUNTS);
    rollback.noteFolder(join("test/golden", id));
    writeGolden(id);
  } catch (e) {
    rollback.restore();
    throw e;
  }
}

/** In a process of its own, which loads the registry with the new game. @throws Error with what the process said */
function writeGolden(id: string): void {
  const made = spawnSync(process.execPath, ["env/run.mjs", "test/golden/make.ts", id], {
    cwd: ROOT,
    env: { ...process.env, CI: "" }, // files of a game that wasn't there: nothing is overwritten
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`playthroughs of ${id} were not written: ${made.stderr.trim()}`);
}
