/** Rules in full sentences, section by section. */
import { describe, expect, test } from "vitest";
import { GAMES, type GameType, importGames, readRulebook, type RuleSection, sectionsOf } from "../../../env/index.js";
import { ruleAnchor } from "../../../server/page/learn/rule-anchor.js";
import { citedIn } from "../../conformance/guide.js";

await importGames();

const games = GAMES.map((type) => [type.id, type] as const);

describe.each(games)("%s", (_id, type) => {
  const sections = sectionsOf(type);

  test("has each rule in one section, in the order of the index", () => {
    const order = Object.keys(type.rules);
    const placed = sections.map((s) => s.rules.map((r) => order.indexOf(r.id)));
    expect(placed.flat().sort((a, b) => a - b)).toEqual(order.map((_, i) => i));
    for (const own of placed) expect(own).toEqual([...own].sort((a, b) => a - b));
  });

  test("explains each section in sentences that cite rules of it which are played", () => {
    expect(type.rulebook).toBeDefined();
    expect(sections.filter((s) => s.text.length === 0 || s.rules.length === 0)).toEqual([]);
    for (const { title, text, rules } of sections) {
      const { ids, unknown } = citedIn(type, text.join(" "));
      expect([title, unknown]).toEqual([title, []]);
      const absent = [...ids].filter((id) => type.rules[id]!.status === "absent");
      expect([title, absent]).toEqual([title, []]);
      const played = rules.filter((r) => r.status !== "absent").map((r) => r.id);
      expect([title, [...ids].filter((id) => !played.includes(id))]).toEqual([title, []]);
      if (played.length > 0) expect([title, ids.size > 0]).toEqual([title, true]);
    }
  });

  test("has an address of its own for each rule", () => {
    const anchors = Object.keys(type.rules).map(ruleAnchor);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(anchors.filter((a) => !/^[\w.-]+$/.test(a))).toEqual([]);
  });
});

const rule = { says: "x", status: "done" } as const;
const section = (title: string, ...rules: string[]): RuleSection => ({ title, rules, text: ["Text."] });
const sectioned = (rulebook: readonly RuleSection[] | undefined, ...ids: string[]) =>
  sectionsOf({ rules: Object.fromEntries(ids.map((id) => [id, rule])), rulebook } as unknown as GameType).map((s) => [
    s.title,
    s.rules.map((r) => r.id),
  ]);

test("the closest pattern has a rule: its id, the longer beginning, the shorter one", () => {
  const book = [section("all", "G 9"), section("star", "G 9.1*"), section("id", "G 9.11")];
  expect(sectioned(book, "G 9.1", "G 9.11", "G 9.111", "G 9.2")).toEqual([
    ["all", ["G 9.2"]],
    ["star", ["G 9.1", "G 9.111"]],
    ["id", ["G 9.11"]],
  ]);
});

test("a number begins only what goes on with another", () => {
  expect(sectioned([section("one", "G 1")], "G 1", "G 1.2", "G 12")).toEqual([
    ["one", ["G 1", "G 1.2"]],
    ["Other rules", ["G 12"]],
  ]);
});

test("a game without sections has one of all its rules", () => {
  expect(sectioned(undefined, "G 1", "G 2")).toEqual([["Rules", ["G 1", "G 2"]]]);
});

test.each([
  [[], "too small"],
  [[{ title: "Combat", rules: ["G 1"], text: ["no sentence"] }], "a paragraph consists of sentences"],
  [[{ title: "Combat", rules: ["G 1"], text: ["Text."], image: "x" }], "image"],
])("a rulebook that is not well formed is refused: %j", (doc, why) => {
  expect(() => readRulebook(doc)).toThrow(new RegExp(why, "i"));
});
