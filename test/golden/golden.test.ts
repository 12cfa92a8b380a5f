import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GAMES } from "../../env/index.js";
import { goldenFiles, ROOT } from "./files.js";
import {
  caseCitations,
  citationsOf,
  codeCitations,
  idAt,
  rulePrefix,
  testCitations,
} from "../../server/cli/rule/citations.js";
import { unproven } from "./rules.js";

test.each(goldenFiles())("$path is what the code makes (npm run golden writes it)", ({ path, text }) => {
  const file = join(ROOT, path);
  expect(existsSync(file), `${path} is missing`).toBe(true);
  expect(text().split("\n")).toEqual(readFileSync(file, "utf8").split("\n"));
});

test.each(GAMES.map((type) => ({ id: type.id, type })))(
  "every rule of $id that is done has code and a test",
  ({ type }) => {
    const table = citationsOf(type, ROOT);
    expect(unproven(type, table)).toEqual([]);
    expect(table.unknown).toEqual([]);
  },
);

test("a citation names the longest rule that ends where it ends", () => {
  const ids = new Map(["PS 4", "PS 4.1", "PS 3 Ratt 1", "PS Area 6", "PS Area 6 Soviet"].map((id) => [id, 0]));
  expect(idAt("PS 4.1, ruling R3", ids)).toBe("PS 4.1");
  expect(idAt("PS 4.", ids)).toBe("PS 4");
  expect(idAt("PS 4.15", ids)).toBeNull();
  expect(idAt("PS 3 Ratt 12", ids)).toBeNull();
  expect(idAt("PS Area 6 Soviet, PS 4", ids)).toBe("PS Area 6 Soviet");
  expect(idAt("PS Area 6 is full", ids)).toBe("PS Area 6");
  expect(idAt("4.1", ids)).toBeNull();
});

test("citations are in comments behind the word Rule, each with its prefix", () => {
  const source = [
    "/** Fires. Rule: PS 4.1,",
    " * PS 4. */",
    'const a = "PS 5"; // Rule: PS 6',
    "// PS 7 is not cited",
    "// Rule: PS 8.1, 8.2",
    "/** Moves. Rule:",
    " * PS 9. */",
  ].join("\n");
  expect(codeCitations(source, "PS")).toEqual([
    { line: 1, text: "PS 4.1, PS 4. " },
    { line: 1, text: "PS 4. " },
    { line: 3, text: "PS 6" },
    { line: 5, text: "PS 8.1, 8.2" },
    { line: 5, text: "8.2" }, // no rule has this id, so the citation is reported
    { line: 6, text: "PS 9. " },
  ]);
});

test("a test with an empty body proves no rule", () => {
  const source = [
    'rule("ZZ 4.1", "fires", () => {',
    "  // later",
    "});",
    'rule("ZZ 4.2", "moves", async () => {',
    "  expect(1).toBe(1);",
    "});",
    'rule("ZZ 4.3", "waits", () => undefined);',
    'rule("ZZ 4.4", "is `shared`", sharedTest);',
  ].join("\n");
  expect(testCitations(source, "ZZ")).toEqual([
    { id: "ZZ 4.2", line: 4, text: "moves" },
    { id: "ZZ 4.4", line: 8, text: "is `shared`" },
  ]);
});

test("a case without an expectation proves no rule", () => {
  const cases = [
    { id: "a", rule: "PS 1", position: {}, steps: [{ do: "pass" }, { expect: {} }] },
    { id: "b", rule: "PS 2", position: {}, steps: [{ expect: { terminal: true } }] },
    { id: "c", rule: "PS 3", query: {}, answer: 2 },
  ];
  expect(caseCitations(JSON.stringify(cases, null, 1)).map((c) => c.id)).toEqual(["b", "c"]);
});

test("a game's prefix is made of its initials", () => {
  expect(
    ["pocket-stalingrad", "savage-streets", "strike-counterstrike", "night-fight", "streets-of-stalingrad"].map(
      rulePrefix,
    ),
  ).toEqual(["PS", "SS", "SC", "NF", "SOS"]);
});

test("a rule that nothing proves is named", () => {
  const type = {
    ...GAMES[0]!,
    rules: {
      "PS 9.99": { says: "a rule without code or test", status: "done" as const },
      "PS 9.98": { says: "an absent rule", status: "absent" as const, reason: "none" },
    },
  };
  expect(
    unproven(type, {
      rules: new Map([
        ["PS 9.99", { code: [], tests: [], cases: [] }],
        ["PS 9.98", { code: [], tests: [], cases: [] }],
      ]),
      unknown: [],
    }),
  ).toEqual(["PS 9.99: no code and no test"]);
});
