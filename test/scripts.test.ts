import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };

/** Folders that hold nothing of the repository. */
const FOREIGN = ["node_modules", ".git", ".venv", "runs"];

/** What people and CI read: every Markdown file, `.ci` and the workflows. */
function documents(): string[] {
  const texts = (dir: string, holds: (name: string) => boolean): string[] =>
    readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
      const path = join(dir, e.name);
      if (e.isDirectory()) return FOREIGN.includes(e.name) ? [] : texts(path, holds);
      return e.isFile() && holds(e.name) ? [path] : [];
    });
  return [
    ...texts(ROOT, (name) => name.endsWith(".md")),
    ...texts(join(ROOT, ".ci"), () => true),
    ...texts(join(ROOT, ".github"), () => true),
  ];
}

/** Scripts that a text runs: `npm run NAME`, with flags of npm before the name, and `npm start`, `npm test`. */
function scriptsIn(text: string): string[] {
  const named = [...text.matchAll(/\bnpm run(?: +--?[a-z-]+)* +([a-z][a-z:-]*)/g)].map((m) => m[1]!);
  const short = [...text.matchAll(/\bnpm (start|test)\b/g)].map((m) => m[1]!);
  return [...named, ...short];
}

test("every npm script that documents, CI and workflows name exists", () => {
  const files = documents();
  const named = files.flatMap((file) =>
    scriptsIn(readFileSync(file, "utf8")).map((script) => ({ file: relative(ROOT, file), script })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.some(({ file }) => file === ".ci/run")).toBe(true);
  expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
});

test("scripts are found with flags, colons and arguments", () => {
  const text =
    "`npm run lint && npm run --silent cases -- test/cases`, npm run models:verify -- 40\nnpm start; npm test";
  expect(scriptsIn(text)).toEqual(["lint", "cases", "models:verify", "start", "test"]);
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
