import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { gameType } from "../../env/index.js";
import { heldRules, statementAt } from "./held.js";

const SOURCE = `const A = 1;

/** Three to a stack. Rule: T 1 */
export function room(n: number): boolean {
  if (n > 5) return false;
  // Rule: T 2
  if (n > 4) {
    return false;
  }
  return n < 3;
}
`;

test("a comment belongs to the statement that follows it, the innermost", () => {
  const source = ts.createSourceFile("a.ts", SOURCE, ts.ScriptTarget.ESNext, true);
  expect(statementAt(source, 3)).toEqual([4, 11]);
  expect(statementAt(source, 6)).toEqual([7, 9]);
});

const ROOT = join(import.meta.dirname, "../..");
const type = gameType("pocket-stalingrad");

test("a rule is held by a mutant in the code that cites it, and by nothing when its tests notice none", async () => {
  const held = await heldRules(ROOT, type, [], (change, rule) =>
    Promise.resolve(
      rule === "PS Night" && change.at.includes("const night")
        ? { fate: "killed", killer: "AIR-03" }
        : { fate: "survived" },
    ),
  );
  expect(held["PS Night"]).toEqual({
    mutant: "env/pocket-stalingrad/rules/air.ts: const night = s[L.night] === 1;: === -> !==",
    by: "AIR-03",
  });
  expect(Object.entries(held).filter(([id, h]) => id !== "PS Night" && h !== null)).toEqual([]);
  expect(Object.keys(held)).toEqual(Object.keys(type.rules));
});

test("a mutant with which the game doesn't load holds no rule", async () => {
  const held = await heldRules(ROOT, type, [], () => Promise.resolve({ fate: "refused" }));
  expect(Object.values(held).filter((h) => h !== null)).toEqual([]);
});
