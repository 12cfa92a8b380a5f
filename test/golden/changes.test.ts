import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import accounts from "./digests.json" with { type: "json" };
import { type Accounts, changelogLines, changesOf, digestOf, lineWith, unaccounted } from "./changes.js";
import { goldenFiles, ROOT } from "./files.js";

const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
const files = goldenFiles().map(({ path }) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

test.each(files)("a line of the changelog describes the last change of $path", ({ path, text }) => {
  expect(unaccounted(path, text, accounts as Accounts, changelog)).toEqual([]);
});

test("every entry of digests.json is of a golden file", () => {
  expect(Object.keys(accounts).sort()).toEqual(files.map(({ path }) => path).sort());
});

const play = "test/golden/toy/playthrough-1.txt";
const rules = "test/golden/toy/rules.txt";
const log = "# Changes\n\n### Changed\n- Units may\n  swim.\n- Tanks sink.\n";

test("a golden file changed in one place is found, and so is a line taken out of the changelog", () => {
  const before = "Toy, version 1\n1 red: walk (of 2)\n2 red: rest (of 2)\n";
  const kept = { [play]: { digest: digestOf(play, before), changelog: "may swim" } };
  expect(unaccounted(play, before, kept, log)).toEqual([]);
  expect(unaccounted(play, before.replace("rest", "swim"), kept, log)).toEqual([
    `${play} changed: write a line into CHANGELOG.md, then npm run golden -- --because "WORDS OF THAT LINE"`,
  ]);
  expect(unaccounted(play, before, kept, log.replace("swim", "dive"))).toEqual([
    `${play}: CHANGELOG.md has 0 lines with "may swim"; name one by words it alone has`,
  ]);
  expect(unaccounted(play, before, { [play]: { digest: digestOf(play, before), changelog: null } }, log)).toEqual([]);
  expect(unaccounted(play, before, {}, log)).toEqual([
    `${play} has no entry in digests.json: npm run golden writes it`,
  ]);
});

test("a playthrough reports its first differing decision and line", () => {
  const before = "Toy\n1 red: walk (of 2)\n2 red: rest (of 2)\nend: red 1";
  expect(changesOf(play, before, before)).toEqual([]);
  expect(changesOf(play, before, before.replace("rest", "swim"))).toEqual([
    "first differing decision: 2 red: rest (of 2) -> 2 red: swim (of 2)",
    "line 3: 2 red: rest (of 2)",
    "     now: 2 red: swim (of 2)",
  ]);
  expect(changesOf(play, before, before.replace("red 1", "red 0"))).toEqual([
    "all 2 decisions are the same",
    "line 4: end: red 1",
    "     now: end: red 0",
  ]);
});

test("a table of rules reports what was gained, lost and moved; a move is no change of the game", () => {
  const row = (id: string, status: string, code: string): string =>
    `${id}\n  ${status}\n  code  ${code}\n  tests t.ts\n`;
  const before = `Toy: 2 rules\n${row("T 1", "done", "a.ts")}${row("T 2", "done", "b.ts")}`;
  const moved = `Toy: 2 rules\n${row("T 1", "done", "c.ts")}${row("T 2", "done", "b.ts")}`;
  const other = `Toy: 2 rules\n${row("T 1", "option x", "a.ts")}${row("T 3", "done", "b.ts")}`;
  expect(changesOf(rules, before, moved)).toEqual(["moved   T 1: code a.ts -> c.ts"]);
  expect(digestOf(rules, moved)).toBe(digestOf(rules, before));
  expect(changesOf(rules, before, other)).toEqual([
    "lost    T 2",
    "state   T 1: done -> option x",
    "gained  T 3: done",
  ]);
  expect(digestOf(rules, other)).not.toBe(digestOf(rules, before));
});

test("a line of the changelog is named by words that it alone has", () => {
  expect(changelogLines(log)).toEqual(["Units may swim.", "Tanks sink."]);
  expect(lineWith(log, "may swim")).toBe("Units may swim.");
  expect(() => lineWith(log, "s")).toThrow('CHANGELOG.md has 2 lines with "s"');
  expect(() => lineWith(log, "fly")).toThrow('CHANGELOG.md has 0 lines with "fly"');
});

test("golden files are not written in CI", () => {
  const run = () =>
    execFileSync(process.execPath, ["env/run.mjs", "test/golden/make.ts"], {
      cwd: ROOT,
      env: { ...process.env, CI: "true" },
      stdio: "pipe",
    });
  expect(run).toThrow(/golden: CI is set: golden files are not written there/);
});
