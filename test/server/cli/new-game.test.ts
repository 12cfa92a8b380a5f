import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Rollback } from "../../../server/cli/rollback.js";
import { kesselHere } from "./kessel.js";
import { nightly } from "../../nightly.js";

const ROOT = join(import.meta.dirname, "../../..");
/** Not the id of CONTRIBUTING.md, so that the test passes beside a game made by it. */
const ID = "game-under-test";

/** A copy of the repository without what is installed or built. */
function copyOfRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), "kessel-new-game-"));
  for (const name of readdirSync(ROOT))
    if (!["node_modules", ".venv", ".git", "runs"].includes(name))
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

const below = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];

/** Makes a game in a copy of the repository, and looks at what is there. @returns what runs programs there */
function makeGame() {
  const copy = copyOfRepository();
  const node = (file: string, ...args: string[]) =>
    spawnSync(process.execPath, [file, ...args], {
      cwd: copy,
      encoding: "utf8",
      env: { ...process.env, CI: "1", NO_COLOR: "1", KESSEL_NIGHTLY: undefined, KESSEL_CPU: undefined },
    });
  const run = (name: string, ...args: string[]) => node(join("node_modules/.bin", name), ...args);
  const kessel = (...args: string[]) => node("server/cli/kessel.mjs", ...args);
  const made = kessel("new-game", ID);
  expect(made.stdout + made.stderr).toContain(`registered ${ID}`);
  for (const file of [
    "index.ts",
    "layout.ts",
    "rules/search.ts",
    "decisions/move.ts",
    "data/orders.json",
    "data/events.json",
    "data/guide.json",
    "data/primer.json",
    "data/lesson.json",
    "README.md",
  ])
    expect(existsSync(join(copy, "env", ID, file)), file).toBe(true);
  expect(readFileSync(join(copy, "test/golden", ID, "rules.txt"), "utf8")).toMatch(
    /9 rules, 7 done, 1 by option, 1 absent/,
  );

  return { copy, run, kessel };
}

test("new-game writes a game whose format, cases and own tests pass unchanged", () => {
  const { run, kessel } = makeGame();
  const folders = [`env/${ID}`, `test/env/${ID}`, `test/cases/${ID}`, "env/registry.ts", "README.md"];
  const formatted = run("prettier", "--check", ...folders);
  expect(formatted.status, formatted.stdout + formatted.stderr).toBe(0);
  const tested = run("vitest", "run", `test/env/${ID}`, "test/imports.test.ts");
  expect(tested.status, tested.stdout + tested.stderr).toBe(0);
  expect(tested.stdout).toMatch(/Tests .*\d\d passed/);
  expect(kessel("cases", `test/cases/${ID}`).stdout).toContain("2 passed, 0 failed");
});

test("new-game writes a game that passes types, lint, conformance and all tests of games unchanged", nightly, () => {
  const { copy, run, kessel } = makeGame();
  // of the rest, which has not changed, only what the new files import: all of it takes tsc three times as long
  const narrow = { extends: "./tsconfig.json", include: [`env/${ID}`, `test/env/${ID}`, "env/registry.ts"] };
  writeFileSync(join(copy, "tsconfig.new-game.json"), JSON.stringify(narrow));
  const folders = [`env/${ID}`, `test/env/${ID}`, `test/cases/${ID}`, "env/registry.ts", "README.md"];
  for (const [name, args] of [
    ["tsc", ["--noEmit", "-p", "tsconfig.new-game.json"]],
    ["eslint", [`env/${ID}`, `test/env/${ID}`]],
    ["prettier", ["--check", ...folders]],
  ] as const) {
    const checked = run(name, ...args);
    expect(checked.status, `${name} ${args.join(" ")}\n${checked.stdout}${checked.stderr}`).toBe(0);
  }
  const files = [
    "test/conformance",
    "test/orders",
    "test/golden",
    "test/readme.test.ts",
    "test/server/site/site.test.ts",
    "test/imports.test.ts",
    "test/env/core/guide.test.ts",
    "test/env/core/options.test.ts",
    "test/env/core/position-options.test.ts",
    "test/env/core/scene.test.ts",
    "test/agents/text/primer.test.ts",
    "test/server/page/words.test.ts",
    "test/server/page/lesson.test.ts",
    "test/server/page/browser/lesson.test.ts",
    `test/env/${ID}`,
  ];
  const tested = run(
    "vitest",
    "run",
    "--reporter=verbose",
    ...files,
    "-t",
    `${ID}|GUT |samples of|a position with|event (of|stayed|held-out)|imports? `,
  );
  expect(tested.status, tested.stdout + tested.stderr).toBe(0);
  expect(tested.stdout).toMatch(/Tests .*\d\d passed/);
  for (const taught of [
    `'${ID}' > its lesson is played to the end`,
    `'${ID}' > every action that comes up has a purpose`,
    `every word of '${ID}' is used somewhere`,
    `the primer of ${ID} comes with`,
    `the lesson of ${ID} is taken, and played on from`,
    "imports point downwards, and into games only through their index",
    "no file and no folder imports itself through others",
  ])
    expect(tested.stdout).toMatch(new RegExp(`✓ .*${taught}`));
  const cases = kessel("cases", `test/cases/${ID}`);
  expect(cases.stdout).toContain("2 passed, 0 failed");

  const again = kessel("new-game", ID);
  expect([again.status, again.stderr]).toEqual([2, expect.stringContaining(`env/${ID} exists already`)]);
});

test("new-game leaves nothing behind where a target is taken or a step fails", () => {
  const copy = copyOfRepository();
  const run = () =>
    spawnSync(process.execPath, ["server/cli/kessel.mjs", "new-game", ID], {
      cwd: copy,
      encoding: "utf8",
      env: { ...process.env, CI: "1", NO_COLOR: "1" },
    });
  const all = (): string[] =>
    readdirSync(copy) // a recursive listing would follow the link
      .filter((name) => name !== "node_modules")
      .flatMap((name) => [name, ...below(join(copy, name)).map((file) => join(name, file))]);
  const changed = ["env/registry.ts", "README.md", "test/golden/digests.json"];
  const texts = (): string[] => changed.map((file) => readFileSync(join(copy, file), "utf8"));
  const taken = join(copy, "test/cases", ID);
  mkdirSync(taken);
  const before = { all: all().sort(), texts: texts() };
  const refused = run();
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`test/cases/${ID} exists already; nothing was written`),
  ]);
  expect({ all: all().sort(), texts: texts() }).toEqual(before);

  rmSync(taken, { recursive: true });
  const golden = `import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("test/golden/${ID}");
writeFileSync("test/golden/${ID}/rules.txt", "half");
writeFileSync("test/golden/digests.json", "half");
throw new Error("the disk is full");
`;
  writeFileSync(join(copy, "test/golden/make.ts"), golden);
  const failed = run();
  expect([failed.status === 0, failed.stderr]).toEqual([false, expect.stringContaining("the disk is full")]);
  const gone = `test/cases/${ID}`;
  expect({ all: all().sort(), texts: texts() }).toEqual({ ...before, all: before.all.filter((f) => f !== gone) });
});

test.each([
  ["bridge", /two or more lower-case words with hyphens/],
  ["Bridge-At-Dawn", /two or more lower-case words with hyphens/],
  ["../up-there", /two or more lower-case words with hyphens/],
  ["night-fight", /env\/night-fight exists already/],
  ["north-front", /would be cited as NF, as those of night-fight are; take another id/],
])("new-game refuses %s", async (id, message) => {
  const before = execFileSync("git", ["status", "--porcelain", "env"], { cwd: ROOT, encoding: "utf8" });
  const ran = await kesselHere(["new-game", id]);
  expect([ran.status, ran.out]).toEqual([2, ""]);
  expect(ran.err).toMatch(message);
  expect(execFileSync("git", ["status", "--porcelain", "env"], { cwd: ROOT, encoding: "utf8" })).toBe(before);
});

test("what is taken back leaves old files as they were, and nothing new beside them", () => {
  const root = mkdtempSync(join(tmpdir(), "kessel-written-"));
  writeFileSync(join(root, "old"), "before");
  const written = new Rollback(root);
  for (const path of ["old", "new", "folder/below/new"]) written.write(path, "half");
  written.restore();
  expect(readdirSync(root)).toEqual(["old"]);
  expect(readFileSync(join(root, "old"), "utf8")).toBe("before");
});
