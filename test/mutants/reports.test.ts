import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gameIds, gameType } from "../../env/index.js";
import type { Mutant } from "./mutant.js";
import { type Judged, markEquivalents, parseEquivalents, readEquivalents, readReport, scoreOf } from "./report.js";
import { populationOf } from "./sources.js";

const ROOT = join(import.meta.dirname, "../..");
const reported = gameIds().filter((game) => readReport(game) !== null);

/** Mutants of code and of data in the samples. The aim is 600 and 200 for each game. */
const SAMPLES: Readonly<Record<string, readonly [code: number, data: number]>> = {
  "night-fight": [600, 200],
  "pocket-stalingrad": [600, 150], // its files have no more that load
  "savage-streets": [600, 200],
  "streets-of-stalingrad": [600, 200],
  "strike-counterstrike": [600, 200],
};

/** Games of which every implemented rule has a mutant in its code that its own cases or tests notice. */
const HELD = ["night-fight", "pocket-stalingrad", "savage-streets", "streets-of-stalingrad", "strike-counterstrike"];

test("every game with samples has a report, and no other", () => {
  expect(reported.toSorted()).toEqual(Object.keys(SAMPLES).toSorted());
});

describe.each(reported)("%s", (game) => {
  const report = readReport(game)!;
  const equivalents = readEquivalents(game);

  test("nine of ten mutants of the sample that change a rule are noticed", () => {
    expect(scoreOf(report.mutants).share).toBeGreaterThanOrEqual(0.9);
    const played = report.mutants.filter((m) => m.fate !== "refused");
    const data = played.filter((m) => m.file.endsWith(".json")).length;
    const [code, least] = SAMPLES[game]!;
    expect(played.length - data).toBeGreaterThanOrEqual(code);
    expect(data).toBeGreaterThanOrEqual(least);
  });

  test.runIf(HELD.includes(game))("each implemented rule has a mutant in its code that what cites it notices", () => {
    const { rules } = gameType(game);
    const implemented = Object.keys(rules).filter((id) => rules[id]!.status !== "absent");
    expect(implemented.filter((id) => (report.rules[id] ?? null) === null)).toEqual([]);
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
