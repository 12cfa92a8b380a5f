import { describe, expect, test } from "vitest";
import { codeMutants } from "./code.js";
import { dataMutants } from "./data.js";
import type { Change } from "./mutant.js";

const changes = (mutants: readonly Change[]): string[] => mutants.map((m) => `${m.line}: ${m.from} -> ${m.to}`);
const code = (text: string): string[] => changes(codeMutants("env/toy/rules/a.ts", text));

describe("mutants of code", () => {
  test("a comparison gets its neighbour and its opposite, a number one more and one less", () => {
    expect(code("export const full = (n: number) => n >= 4;")).toEqual([
      "1: >= -> >",
      "1: >= -> <",
      "1: 4 -> 5",
      "1: 4 -> 3",
    ]);
    expect(code("f(0);")).toEqual(["1: f(0); -> ;", "1: 0 -> 1"]);
  });

  test("conditions are held true and false, statements and cases taken out", () => {
    expect(code("if (a) stop();")).toEqual(["1: a -> true", "1: a -> false", "1: stop(); -> ;"]);
    expect(code("while (a) i++;")).toEqual(["1: a -> false", "1: i++; -> ;", "1: ++ -> --"]);
    expect(code("switch (k) { case A: return f(); default: return g(); }")).toEqual(["1: return f(); -> break;"]);
  });

  test("greatest and least, some and every, truth values and negations are turned", () => {
    expect(code("const n = Math.max(a, b);")).toEqual(["1: max -> min"]);
    expect(code("const n = list.some(f), m = !f;")).toEqual(["1: some -> every", "1: ! -> nothing"]);
    expect(code("let done = false;")).toEqual(["1: false -> true"]);
  });

  test("the text of a mutant is the file with that one change", () => {
    const [at] = codeMutants("a.ts", "const a = b + c;\nconst d = e;\n");
    expect(at!.text()).toBe("const a = b - c;\nconst d = e;\n");
  });

  test("a place is named by its statement, however its lines are broken", () => {
    const places = (text: string): string[] => [...new Set(codeMutants("a.ts", text).map((m) => m.at))];
    expect(places("f(a < b,\n  c);")).toEqual(["f(a < b, c);"]);
    expect(places("if (a) // why\n  return -b;\nelse if (c) {\n  d++;\n}")).toEqual([
      "if (a) // why return -b; else if (c) {",
      "if (c) {",
      "d++;",
    ]);
    expect(places("for (const a of b)\n  if (!a) c();")).toEqual(["for (const a of b) if (!a) c();"]);
    expect(
      places(
        "const a = [\n  1,\n  2222222222222222222222222222222222222222222222222222222222222222222222222222,\n  2222222222222222222222222222222222222222222222222222222222222222222222222222222222222,\n  3333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333,\n];",
      )[0],
    ).toBe("1,");
  });

  test("what only reports, throws or labels is left alone, and so are types and joined texts", () => {
    for (const text of [
      "if (tables.narrator !== null) events.tellLoss(tables, 3);",
      "events.tellLoss(2);",
      "function tellLosses(n: number) { if (n > 3) say(n); }",
      "throw new Error(`only ${3 + n}`);",
      "const WAIT = 0;\nconst ROLL = 1;\n",
      "type Three = 3;\nlet a: 4;",
      'const text = "a" + b + c;',
      'import x from "./x.js";',
      "const step = { asks: () => text(3), about(t, s) { return 3; }, acts: { hex: { means: f(3) } } };",
      "function meaning(n: number): Meaning { return text(n - 1); }",
      "const held: Held<Tables> = { write: (t, s) => s[3] };",
    ])
      expect(code(text)).toEqual([]);
    expect(code("const step = { marks: () => 1 };")).toHaveLength(2);
    expect(code("const LIMIT = 3;\nconst TURNS = 8;\n")).toHaveLength(4);
  });

  test("two alike in one line are told apart", () => {
    const [first, , second] = codeMutants("a.ts", "x = f(1, 1);").filter((m) => m.from === "1");
    expect([first!.nth, second!.nth]).toEqual([1, 2]);
    expect(second!.text()).toBe("x = f(1, 2);");
  });
});

describe("mutants of data", () => {
  const text = `{
  "game": "toy", "about": "texts",
  "costs": { "raid": 1, "provenance": "rulebook" },
  "rows": [
    [1, "a"],
    [1, "a"],
    [2, "b"]
  ],
  "night": true
}`;
  const mutants = dataMutants("env/toy/data/tables.json", text);
  const at = (path: string) => mutants.filter((m) => m.at === path);

  test("numbers by one, truth values turned, keys dropped", () => {
    expect(changes(at("costs.raid"))).toEqual(["3: 1 -> dropped", "3: 1 -> 2", "3: 1 -> 0"]);
    expect(changes(at("night"))).toEqual(["9: true -> false"]);
    expect(JSON.parse(at("costs.raid")[1]!.text())).toMatchObject({ costs: { raid: 2 }, night: true });
  });

  test("items are dropped and swapped with a neighbour that differs", () => {
    expect(changes(at("rows.0"))).toEqual(['5: [1,"a"] -> dropped']);
    expect(changes(at("rows.1"))).toEqual(['6: [1,"a"] -> swapped with [2,"b"]', '6: [1,"a"] -> dropped']);
    expect(JSON.parse(at("rows.1")[0]!.text())).toMatchObject({
      rows: [
        [1, "a"],
        [2, "b"],
        [1, "a"],
      ],
    });
    expect(JSON.parse(at("rows.2")[0]!.text())).toMatchObject({
      rows: [
        [1, "a"],
        [1, "a"],
      ],
    });
  });

  test("what a file says of itself is left alone", () => {
    expect(mutants.filter((m) => /about|provenance|game/.test(m.at))).toEqual([]);
  });
});
