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
  idsAt,
  rulePrefix,
  testCitations,
} from "../../server/cli/rule-citations.js";
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
  const ids = new Map(["4", "4.1", "3 Ratt 1", "Area 6", "Area 6 Soviet"].map((id) => [id, 0]));
  expect(idAt("4.1, ruling R3", ids)).toBe("4.1");
  expect(idAt("4.", ids)).toBe("4");
  expect(idAt("4.15", ids)).toBeNull();
  expect(idAt("3 Ratt 12", ids)).toBeNull();
  expect(idAt("Area 6 Soviet, PS 4", ids)).toBe("Area 6 Soviet");
  expect(idAt("Area 6 is full", ids)).toBe("Area 6");
  expect(idsAt("4, 4.1, 3 Ratt 1, ruling R2", ids)).toEqual(["4", "4.1", "3 Ratt 1"]);
  expect(idsAt("4.15, 4", ids)).toEqual([null]);
});

test("citations stand in comments behind the word Rule", () => {
  const source = [
    "/** Fires. Rule: PS 4.1,",
    " * PS 4. */",
    'const a = "PS 5"; // Rule: PS 6',
    "// PS 7 is not cited",
  ].join("\n");
  expect(codeCitations(source, "PS").map(({ line, text }) => [line, text.slice(0, 3).trim()])).toEqual([
    [1, "4.1"],
    [1, "4."],
    [3, "6"],
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
    { id: "4.2", line: 4, text: "moves" },
    { id: "4.4", line: 8, text: "is `shared`" },
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
      "9.99": { says: "Nobody wrote this", status: "done" as const },
      "9.98": { says: "Nor this", status: "absent" as const, reason: "none" },
    },
  };
  expect(
    unproven(type, {
      rules: new Map([
        ["9.99", { code: [], tests: [], cases: [] }],
        ["9.98", { code: [], tests: [], cases: [] }],
      ]),
      unknown: [],
    }),
  ).toEqual(["9.99: no code and no test"]);
});
