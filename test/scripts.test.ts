import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, textOf, tree } from "./documents.js";

const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };

/** What people and CI read: every Markdown file but the history, `.ci` and the workflows. */
const documents = tree().filter((path) => /\.md$|^\.ci\/|^\.github\/workflows\//.test(path) && path !== "CHANGELOG.md");

/** Scripts that a text runs: `npm run NAME`, with flags of npm before the name, and `npm start`, `npm test`. */
function scriptsIn(text: string): string[] {
  const named = [...text.matchAll(/\bnpm run(?: +--?[a-z-]+)* +([a-z][a-z:-]*)/g)].map((m) => m[1]!);
  const short = [...text.matchAll(/\bnpm (start|test)\b/g)].map((m) => m[1]!);
  return [...named, ...short];
}

test("every npm script that documents, CI and workflows name exists", () => {
  const named = documents.flatMap((file) => scriptsIn(textOf(file)).map((script) => ({ file, script })));
  expect(named.length).toBeGreaterThan(20);
  expect(named.some(({ file }) => file === ".ci/run")).toBe(true);
  expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
});

test("documents run files of the checkout by env/run.mjs, which knows where games are, and the files are there", () => {
  const run = documents.flatMap((file) =>
    [...textOf(file).matchAll(/\b(npx tsx|node env\/run\.mjs) ((?:test|training|server)\/[\w./-]+\.ts)/g)].map(
      ([, by, path]) => ({ file, by: by!, path: path! }),
    ),
  );
  expect(run.length).toBeGreaterThan(5);
  expect(run.filter(({ by }) => by !== "node env/run.mjs")).toEqual([]);
  expect(run.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

/** Scripts of several programs that a text runs without naming one of them: `npm run leaks`. */
const unnamedIn = (text: string): string[] =>
  Object.keys(JSON.parse(textOf("env/scripts.json")) as object).filter((group) =>
    new RegExp(`\\bnpm run(?: +--?[a-z-]+)* +${group}\\b(?!:| --\\s[\\w$])`).test(text),
  );

test("a script of several programs is run with the name of one", () => {
  expect(unnamedIn("npm run --silent soak, npm run leaks -- worlds, npm run reports -- $NAME")).toEqual(["soak"]);
  expect(documents.map((file) => [file, ...unnamedIn(textOf(file))]).filter(([, group]) => group)).toEqual([]);
});

test("scripts are found with flags, colons and arguments", () => {
  const text =
    "`npm run lint && npm run --silent leaks -- night-fight`, npm run test:nightly -- 40\nnpm start; npm test";
  expect(scriptsIn(text)).toEqual(["lint", "leaks", "test:nightly", "start", "test"]);
});

test("tests that put something in a module's place run apart from the others", () => {
  const apart = readFileSync(join(ROOT, "vitest.config.ts"), "utf8");
  const tests = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" }).filter((f) =>
    f.endsWith(".test.ts"),
  );
  const replacing = tests.filter((f) => /^vi\.mock\(/m.test(readFileSync(join(ROOT, "test", f), "utf8")));
  expect(replacing.length).toBeGreaterThan(3);
  expect(replacing.filter((f) => !apart.includes(`"${f.replace(/\.test\.ts$/, "")}"`))).toEqual([]);
});

test("the rule cases of every game are run by its tests", () => {
  const games = readdirSync(join(ROOT, "test/cases"));
  expect(games.length).toBeGreaterThan(4);
  const runs = (id: string) =>
    readdirSync(join(ROOT, "test/env", id)).some((file) =>
      new RegExp(`everyCase\\("${id}"|cases/${id}/`).test(textOf(join("test/env", id, file))),
    );
  expect(games.filter((id) => !runs(id))).toEqual([]);
});

/** Limits that tests and hooks set for themselves, in ms. */
const limitsIn = (text: string): number[] =>
  [...text.matchAll(/\btimeout: ([\d_]+)|^ *\}, ([\d_]+)\);$/gm)].map((m) =>
    Number((m[1] ?? m[2])!.replaceAll("_", "")),
  );

test("no test may take longer than vitest.config.ts allows every test", () => {
  expect(limitsIn('test("a", { timeout: 300_000 }, () => {\n}, 7000);\n  }, 900_000);')).toEqual([
    300_000, 7000, 900_000,
  ]);
  const files = tree().filter(
    (path) => path.startsWith("test/") && path.endsWith(".test.ts") && !path.includes("scripts"),
  );
  const most = 300_000;
  expect(textOf("vitest.config.ts")).toContain("testTimeout: 300_000");
  expect(files.filter((file) => limitsIn(textOf(file)).some((limit) => limit > most))).toEqual([]);
});

test("npm run golden -- --help says how it is called, in CI too, and does nothing", () => {
  const args = ["env/run.mjs", join(ROOT, "test/golden/make.ts"), "--help"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, CI: "true" },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^npm run golden -- .*--because/);
});

test("a flag that a program doesn't have is named in one line", () => {
  for (const program of [["soak", "games"], ["test/mutants/run.ts"]]) {
    const args = ["env/run.mjs", ...program, "--gaems", "2"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: ROOT });
    expect([status, stderr.trim().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toContain("Unknown option '--gaems'");
  }
});
