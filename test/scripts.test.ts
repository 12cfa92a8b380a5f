import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, textOf, tree } from "./documents.js";

const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };

/** What people and CI read: every Markdown file, `.ci` and the workflows. */
const documents = tree().filter((path) => /\.md$|^\.ci\/|^\.github\/workflows\//.test(path));

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

test("npm run golden -- --help says how it is called, in CI too, and does nothing", () => {
  const args = ["env/run.mjs", join(ROOT, "test/golden/make.ts"), "--help"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, CI: "true" },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^npm run golden -- .*--because/);
});
