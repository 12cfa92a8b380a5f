import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { gameIds, KesselError, shown } from "../../env/index.js";
import { example, print } from "./common.js";
import { hasTests, rulePrefix } from "./rule/citations.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TEMPLATE = fileURLToPath(new URL("./new-game/template", import.meta.url));
/** Template files end so, since they are no code before their names are filled in. */
const ENDING = ".txt";

export function register(program: Command): void {
  program
    .command("new-game")
    .description("write a small complete game with its tests into this repository, to start from")
    .argument("<id>", "its id: lower-case words with hyphens, such as bridge-at-dawn")
    .addHelpText("after", example("kessel new-game bridge-at-dawn"))
    .action(async (id: string) => {
      const names = namesFor(id);
      const files = fill(names);
      addToRegistry(names, files);
      for (const [path, text] of files) write(path, await formatted(path, text));
      writeGolden(id);
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

/** Adds the game to the registry and to the README's table. */
function addToRegistry({ id, title, camel }: Names, files: Map<string, string>): void {
  const registry = readFileSync(join(ROOT, "env/registry.ts"), "utf8");
  const imports = registry.lastIndexOf('/index.js";');
  const end = registry.indexOf("\n", imports) + 1;
  const withImport = `${registry.slice(0, end)}import { ${camel} } from "./${id}/index.js";\n${registry.slice(end)}`;
  const withGame = withImport.replace(
    /(export const GAMES: readonly GameType\[\] = \[)([^\]]*?),?\s*\];/,
    (_, head: string, games: string) => `${head}${games}, ${camel}];`,
  );
  files.set("env/registry.ts", withGame);
  const readme = readFileSync(join(ROOT, "README.md"), "utf8").split("\n");
  const last = readme.findLastIndex((line) => line.startsWith("| [`"));
  readme.splice(
    last + 1,
    0,
    `| [\`${id}\`](env/${id}/README.md) | \`seeker\`, \`hider\` | which mark is the depot | 22 | 3, 5x1, 3x8, 5 | an example (${title}); all of it reconstructed |`,
  );
  files.set("README.md", readme.join("\n"));
}

async function formatted(path: string, text: string): Promise<string> {
  const { format, resolveConfig } = await import("prettier");
  const filepath = join(ROOT, path);
  return path.endsWith(".md") ? text : format(text, { ...(await resolveConfig(filepath)), filepath });
}

function write(path: string, text: string): void {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** In a process of its own, which loads the registry with the new game. @throws Error with what the process said */
function writeGolden(id: string): void {
  const made = spawnSync(process.execPath, ["--import", "tsx", "test/golden/make.ts", id], {
    cwd: ROOT,
    env: { ...process.env, CI: "" }, // files of a game that wasn't there: nothing is overwritten
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`playthroughs of ${id} were not written: ${made.stderr.trim()}`);
}
