import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gameIds } from "../../env/index.js";
import type { Mutant } from "./mutant.js";
import { type Judged, markEquivalents, parseEquivalents, readEquivalents, readReport, scoreOf } from "./report.js";
import { populationOf } from "./sources.js";

const ROOT = join(import.meta.dirname, "../..");
const reported = gameIds().filter((game) => readReport(game) !== null);

test("Pocket Stalingrad has a report", () => {
  expect(reported).toContain("pocket-stalingrad");
});

describe.each(reported)("%s", (game) => {
  const report = readReport(game)!;
  const equivalents = readEquivalents(game);

  test("nine of ten mutants that change a rule are noticed, of 600 in the code and 200 in the data if there are as many", () => {
    expect(scoreOf(report.mutants).share).toBeGreaterThanOrEqual(0.9);
    const played = report.mutants.filter((m) => m.fate !== "refused");
    const data = played.filter((m) => m.file.endsWith(".json")).length;
    const refused = report.mutants.filter((m) => m.fate === "refused" && m.file.endsWith(".json")).length;
    expect(played.length - data).toBeGreaterThanOrEqual(600);
    if (data + refused < report.population.data) expect(data).toBeGreaterThanOrEqual(200);
  });

  test("the list of equivalents names mutants that there are, and none that is noticed", () => {
    const { code, data } = populationOf(ROOT, game, 1);
    const all = [...code, ...data];
    expect(equivalents.filter((e) => !all.some((m) => e.fits(m))).map((e) => e.what)).toEqual([]);
    const { mutants, wronglyListed } = markEquivalents(report.mutants, equivalents);
    expect(wronglyListed).toEqual([]);
    expect(mutants).toEqual(report.mutants);
  });
});

test("a survivor that is listed is equivalent, one that is listed but noticed is named", () => {
  const mutant = (line: number): Mutant => ({
    file: "env/toy/a.ts",
    line,
    at: `line ${line}`,
    from: "<",
    to: "<=",
    nth: 1,
  });
  const judged: Judged[] = [
    { ...mutant(1), fate: "survived" },
    { ...mutant(2), fate: "survived" },
    { ...mutant(3), fate: "killed", killer: "A-01", rules: ["T 1"] },
    { ...mutant(4), fate: "timeout" },
    { ...mutant(5), fate: "refused" },
  ];
  const listed = parseEquivalents("toy", [
    { reason: "no rule reads what it changes", mutants: ["a.ts: line 2: < -> <="] },
    { reason: "it would be the same in any line", matching: "a\\.ts: line [36]: .*" },
  ]);
  const { mutants, wronglyListed } = markEquivalents(judged, listed);
  expect(mutants.map((m) => m.fate)).toEqual(["survived", "equivalent", "killed", "timeout", "refused"]);
  expect(wronglyListed).toEqual(["env/toy/a.ts: line 3: < -> <="]);
  expect(scoreOf(mutants)).toEqual({ killed: 2, survived: 1, equivalent: 1, refused: 1, share: 2 / 3 });
});
