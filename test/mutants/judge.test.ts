import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { codeMutants } from "./code.js";
import { dataMutants } from "./data.js";
import { type Choice, Judge, withinOwn } from "./judge.js";

const RULES = `import { once } from "../../core/once.js";
import tables from "../data/tables.json" with { type: "json" };
import { kept } from "./kept.js";
const LIMIT = 3;
const LEAST = [LIMIT - 2];
export const room = (n: number) => n < LIMIT;
export const least = () => LEAST[0];
export const bonus = (n: number) => n + 1;
export const count = (n: number) => { let i = 0; while (i < n) i++; return i; };
export const cost = () => tables.costs.raid;
export const evaluated = () => once;
export const twice = (n: number) => n + n;
export const HALF = 2;
export const spoil = (n: boolean) => { if (n) kept.push(1); return kept.length; };
`;

/** A toy of a repository: one game with two rules, a test and a question as rule case. */
const FILES: Readonly<Record<string, string>> = {
  "env/core/cases.ts": `
    export const parseCases = (doc: unknown[]) => doc;
    export const runCase = (type: { query(n: number): boolean }, rc: { query: number; answer: boolean }) =>
      type.query(rc.query) === rc.answer ? [] : ["answer differs"];`,
  "env/core/once.ts": `const place = globalThis as { toy?: number };
    place.toy = (place.toy ?? 0) + 1;
    export const once = place.toy;`,
  "env/toy/rules/stack.ts": RULES,
  "env/toy/rules/kept.ts": `const FIRST: Choice = { first: ["STACK-01"] };
const place = globalThis as { evaluated?: number };
    place.evaluated = (place.evaluated ?? 0) + 1;
    export const kept: number[] = [];`,
  "env/toy/rules/sizes.ts": `import { HALF, twice } from "./stack.js";
    export const FOUR = twice(2);
    export const SIDES = { half: HALF };
    export const sizes = () => [FOUR, SIDES.half];`,
  "env/toy/data/loaded.json": `{ "deep": { "n": 7 } }`,
  "env/toy/data/tables.json": `{ "costs": { "raid": 2 } }`,
  "env/toy/index.ts": `import { cost, room } from "./rules/stack.js";
    const rules = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((n) => [\`T \${n}\`, {}]));
    export const toy = { rules, options: [], data: { loaded: { deep: { n: 7 } } }, query: room, load() { if (cost() === undefined) throw new Error("bad-data"); } };`,
  "test/cases/toy/stack.json": `[{ "id": "STACK-01", "rule": "T 1, T 2", "query": 3, "answer": false }]`,
  "test/env/toy/stack.test.ts": `import { describe, expect, test, vi } from "vitest";
    import { cost, count, evaluated, least, room, spoil } from "../../../env/toy/rules/stack.js";
    import { sizes } from "../../../env/toy/rules/sizes.js";
    import { toy } from "../../../env/toy/index.js";
    describe("stacks", () => {
      test("T 1: a second unit finds room", () => expect(room(1)).toBe(true));
      test("T 3: at least one", { timeout: 9 }, () => expect(least()).toEqual(1));
      test.each([[0], [5]])("T 4: %s are counted", { timeout: 9 }, (n) => expect(count(n)).toBe(n));
      test("T 1: what npm test leaves out", { skip: true }, () => expect(room(1)).toBe(false));
      test.each([2])("T 1: the same of a table", { skip: true }, (n) => expect(room(1)).toBe(n));
      test("T 5: a raid costs something", () => expect(cost()).toBeGreaterThan(0));
      test("T 6: sizes", () => expect(sizes()).toEqual([4, 2]));
      test("T 7: data", () => expect(toy.data.loaded.deep.n).toBe(7));
      test("a slow test is left out", () => { spoil(true); for (;;); });
      test("T 8: nothing is kept", () => expect(spoil(false)).toBe(0));
      test("T 5: a test with a mock is left out", () => { vi.fn(); });
      test("once: what does not depend on the game", () => expect(evaluated()).toBe(1));
    });`,
};

const ROOM = "test/env/toy/stack.test.ts > stacks > T 1: a second unit finds room";
const FIRST: Choice = { first: ["STACK-01"] };
const place = globalThis as { evaluated?: number };

let judge: Judge;
beforeAll(() => {
  delete (globalThis as { toy?: number }).toy;
  const root = mkdtempSync(join(tmpdir(), "mutants-"));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  judge = new Judge(root, "toy", 100);
  expect(judge.measure()).toBe(10);
  expect([...judge.leftOut]).toEqual([
    ["test/env/toy/stack.test.ts > stacks > a slow test is left out", "it is slow"],
    ["test/env/toy/stack.test.ts > stacks > T 5: a test with a mock is left out", "it needs vitest (vi.fn)"],
  ]);
});

const of = (from: string, to: string, at: string, choice: Choice = {}) => {
  const file = "env/toy/rules/stack.ts";
  const found = codeMutants(file, RULES).find((m) => m.from === from && m.to === to && m.at.includes(at));
  return judge.judge(found!, choice);
};

describe("a mutant", () => {
  test("is killed by a rule case, which is named, with the rules it cites", () => {
    expect(of("<", "<=", "room", FIRST)).toEqual({ fate: "killed", killer: "STACK-01", rules: ["T 1", "T 2"] });
    expect(of("<", ">=", "room", FIRST)).toEqual({ fate: "killed", killer: "STACK-01", rules: ["T 1", "T 2"] });
  });

  test("is killed by a test of the game, for the rule that its name cites", () => {
    const name = "test/env/toy/stack.test.ts > stacks > T 5: a raid costs something";
    const [, , none] = dataMutants("env/toy/data/tables.json", `{ "costs": { "raid": 1 } }`);
    expect(judge.judge(none!)).toEqual({ fate: "killed", killer: name, rules: ["T 5"] });
  });

  test("of a module constant is seen, since the modules are evaluated again", () => {
    expect(of("3", "2", "LIMIT = 3")).toMatchObject({ fate: "killed", rules: ["T 3"] });
    expect(of("3", "4", "LIMIT = 3", FIRST)).toMatchObject({ fate: "killed", rules: ["T 1", "T 2"] });
  });

  test("of a function that another module calls when it is evaluated is seen there", () => {
    expect(of("+", "-", "twice")).toMatchObject({ fate: "killed", rules: ["T 6"] });
    expect(of("2", "3", "HALF = 2")).toMatchObject({ fate: "killed", rules: ["T 6"] });
  });

  test("of data that a game reads without an import is seen in its type's data", () => {
    const mutants = dataMutants("env/toy/data/loaded.json", FILES["env/toy/data/loaded.json"]!);
    const more = mutants.find((m) => m.to === "8");
    expect(judge.judge(more!)).toMatchObject({ fate: "killed", rules: ["T 7"] });
  });

  test("is judged by what enters its code, by what cites a rule when that is asked for", () => {
    expect(of("<", "<=", "room", { citing: "T 1" })).toMatchObject({ fate: "killed", killer: "STACK-01" });
    expect(of("<", "<=", "room", { citing: "T 3" })).toEqual({ fate: "survived" });
    expect(of("<", ">=", "room", { first: [ROOM] })).toMatchObject({ fate: "killed", killer: ROOM });
  });

  test("leaves the modules that it does not touch as they were, and its own as they are without it", () => {
    const before = place.evaluated;
    of("1", "2", "bonus");
    expect(place.evaluated).toBe(before);
    expect(of("1", "2", "bonus")).toEqual({ fate: "survived" });
  });

  test("that spoils what outlives it is judged once more, alone", () => {
    expect(of("n", "true", "kept.push")).toMatchObject({ fate: "killed", rules: ["T 8"] });
    expect(of("1", "2", "bonus")).toEqual({ fate: "survived" });
  });

  test("survives where no test looks", () => {
    expect(of("1", "2", "bonus")).toEqual({ fate: "survived" });
    expect(of("+", "-", "bonus")).toEqual({ fate: "survived" });
  });

  test("that never ends runs out of time", () => {
    const fate = of("++", "--", "while (i < n)");
    expect(fate).toMatchObject({ fate: "timeout", rules: ["T 4"] });
    expect(of("1", "2", "bonus")).toEqual({ fate: "survived" });
  });

  test("with which the game does not load is refused", () => {
    const [dropped] = dataMutants("env/toy/data/tables.json", FILES["env/toy/data/tables.json"]!);
    expect(dropped!.to).toBe("dropped");
    expect(judge.judge(dropped!)).toEqual({ fate: "refused" });
  });
});

test("cases and tests that fail without any mutant stop the run", () => {
  const root = mkdtempSync(join(tmpdir(), "mutants-"));
  for (const [file, text] of Object.entries({
    ...FILES,
    "env/toy/rules/stack.ts": RULES.replace("n < LIMIT", "n <= LIMIT"),
  })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  delete (globalThis as { toy?: number }).toy;
  expect(() => new Judge(root, "toy", 100).measure()).toThrow(/fail without any mutant:\nSTACK-01: answer differs$/);
});

test("what waits for the machine has its time all the same, what never ends has not", () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const rest = (): string => Atomics.wait(cell, 0, 0, 120);
  expect(withinOwn(50, rest)).toBe("timed-out"); // it slept for longer than 50 ms, and used none of them
  expect(() =>
    withinOwn(50, () => {
      for (;;);
    }),
  ).toThrow("timed out after");
});

test("what runs when a game is loaded is known, though the judge has loaded its heuristics before", () => {
  const judge = new Judge(join(import.meta.dirname, "../.."), "streets-of-stalingrad");
  judge.measure(-1); // no file is in this share: everything is loaded, nothing is run
  expect(judge.findings.proofs).toEqual([]);
  expect(judge.findings.always.some((bits) => bits !== 0)).toBe(true);
});
