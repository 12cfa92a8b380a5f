import { expect, test } from "vitest";
import { gameType, ruleById, searchRules } from "../../../env/index.js";

const PS = gameType("pocket-stalingrad");

test("a rule is found by its id, with or without the game's prefix, in capitals or not", () => {
  const id = Object.keys(PS.rules)[0]!;
  expect(ruleById(PS, id).says).toBe(PS.rules[id]!.says);
  expect(ruleById(PS, id.replace(/^PS /, "").toLowerCase()).id).toBe(id);
});

test("an unknown id is refused, and ids that hold it are named", () => {
  expect(() => ruleById(PS, "PS nothing")).toThrow(/pocket-stalingrad has no rule "PS nothing"; there are /);
  expect(() => ruleById(PS, "areas 1")).toThrow(/has no rule/);
});

test("a search requires every word, and lists rules with one in their name first", () => {
  const found = searchRules(PS, "fortify");
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]!.id.toLowerCase()).toContain("fortify");
  for (const r of found) expect(`${r.id} ${r.says}`.toLowerCase()).toContain("fortify");
  expect(searchRules(PS, "fortify zeppelin")).toEqual([]);
  expect(searchRules(PS, "  ")).toEqual([]);
});
