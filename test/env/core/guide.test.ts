import { expect, test } from "vitest";
import {
  GAMES,
  type Guide,
  GUIDE_LENGTHS,
  type GuideLength,
  guideText,
  loadGame,
  readGuide,
} from "../../../env/index.js";
import { citedIn } from "../../conformance/guide.js";

const words = (text: string): number => text.trim().split(/\s+/).length;
const sentence = (n: number): string => Array.from({ length: n }, () => "word").join(" ");
/** A guide whose short form has `short` words and whose one paragraph has `medium`. */
const guideOf = (short: number, medium: number): Guide => ({
  short: sentence(short),
  medium: [`Combat: ${sentence(medium - 3)} (SS 7.1)`],
});

test.each(GAMES.map((type) => [type.id, type] as const))("the guide of %s has its lengths", (_id, type) => {
  const [short, medium] = [words(guideText(type, "short")), words(guideText(type, "medium"))];
  expect([short >= 80, short <= 130, short]).toEqual([true, true, short]);
  expect([medium >= 450, medium <= 800, medium]).toEqual([true, true, medium]);
});

test.each(GAMES.map((type) => [type.id, type] as const))("the guide of %s cites rules that are built", (_id, type) => {
  for (const paragraph of type.guide.medium) {
    const { ids, unknown } = citedIn(type, paragraph);
    expect(unknown).toEqual([]);
    expect([ids.size > 0, paragraph]).toEqual([true, paragraph]);
    expect([...ids].filter((id) => type.rules[id]!.status === "absent")).toEqual([]);
  }
});

test.each(GAMES.map((type) => [type.id, type] as const))("the guide of %s names each of its options", (_id, type) => {
  const text = guideText(type, "medium");
  const named = type.options.filter(
    (o) => text.includes(`\`${o.id}\``) || o.values.every((v) => text.includes(`\`${v}\``)),
  );
  expect(named.map((o) => o.id)).toEqual(type.options.map((o) => o.id));
});

test.each(GAMES.map((type) => [type.id, type] as const))("the guide of %s quotes actions and options", (id, type) => {
  const { actions } = loadGame(id);
  // an action, its first word, what follows it, an option or a value of one
  const known = new Set([
    ...actions.flatMap((name) => [name, name.split(" ")[0]!, name.slice(name.indexOf(" ") + 1)]),
    ...type.options.flatMap((o) => [o.id, ...o.values.map(String)]),
  ]);
  const quoted = [...guideText(type, "medium").matchAll(/`([^`]+)`/g)].map((m) => m[1]!);
  expect(quoted.length).toBeGreaterThan(0);
  expect(quoted.filter((text) => !known.has(text))).toEqual([]);
});

test.each(GAMES.map((type) => [type.id, type] as const))("%s in full has each built rule once", (_id, type) => {
  const lines = guideText(type, "long").split("\n");
  const built = Object.entries(type.rules).filter(([, rule]) => rule.status !== "absent");
  for (const [id, rule] of built) {
    const option = rule.option === undefined ? "" : ` (option ${rule.option})`;
    const text = `${option}: ${rule.says}`;
    // neighbours that say the same share one line: `SOS 8.71, SOS 8.72: ...`
    const here = lines.filter(
      (line) => line.endsWith(text) && `, ${line.slice(0, -text.length)}, `.includes(`, ${id}, `),
    );
    expect([id, here.length]).toEqual([id, 1]);
  }
  const absent = Object.entries(type.rules).filter(([, rule]) => rule.status === "absent");
  for (const [id] of absent) expect(lines.filter((line) => line.startsWith(`${id}: `))).toEqual([]);
});

test("rules in full are listed by section, those without a number together", () => {
  const type = {
    ...GAMES[0]!,
    rules: {
      "PS Setup": { says: "The map is empty", status: "done" as const },
      "PS 7.1": { says: "Dice fall", status: "done" as const },
      "PS 7.2": { says: "Dice fall", status: "done" as const },
      "PS 7.3": { says: "Dice fall", status: "option" as const, option: "night" },
      "PS 8": { says: "Nothing", status: "absent" as const, reason: "not built" },
      "PS 9 Ratt 1": { says: "A sniper", status: "done" as const },
      "PS Guards": { says: "Guards move", status: "done" as const },
    },
  };
  expect(guideText(type, "long").split("\n")).toEqual([
    "Rules with names",
    "PS Setup: The map is empty",
    "PS Guards: Guards move",
    "",
    "Section 7",
    "PS 7.1, PS 7.2: Dice fall",
    "PS 7.3 (option night): Dice fall",
    "",
    "Section 9",
    "PS 9 Ratt 1: A sniper",
  ]);
});

test("a guide has three lengths", () => {
  expect(GUIDE_LENGTHS).toEqual(["short", "medium", "long"]);
  const ask = () => guideText(GAMES[0]!, "huge" as GuideLength);
  expect(ask).toThrow('a guide has the lengths short, medium or long, not "huge"');
});

test("a guide at its limits is read", () => {
  expect(readGuide(guideOf(80, 450))).toEqual(guideOf(80, 450));
  expect(readGuide(guideOf(130, 800))).toEqual(guideOf(130, 800));
});

test.each<[string, unknown, RegExp]>([
  ["is missing", undefined, /^guide\.json: \(top\): /],
  ["has no medium form", { short: sentence(100) }, /^guide\.json: medium: /],
  ["has a key too many", { ...guideOf(100, 500), long: "" }, /^guide\.json: long: there is no such key$/],
  ["is too short", guideOf(79, 500), /^guide\.json: short: 79 words, where 80 to 130 are wanted$/],
  ["is too long", guideOf(131, 500), /^guide\.json: short: 131 words/],
  ["leaves too much out", guideOf(100, 449), /^guide\.json: medium: 449 words, where 450 to 800 are wanted$/],
  ["goes on too long", guideOf(100, 801), /^guide\.json: medium: 801 words/],
  [
    "has a paragraph without a heading",
    { short: sentence(100), medium: [`${sentence(500)} (SS 7.1)`] },
    /^guide\.json: medium\[0\]: a paragraph begins with one word as its heading/,
  ],
  [
    "has a paragraph without a rule",
    { short: sentence(100), medium: [`Combat: ${sentence(500)}`] },
    /^guide\.json: medium\[0\]: a paragraph names its rules in brackets$/,
  ],
])("a guide that %s is refused", (_what, doc, message) => {
  expect(() => readGuide(doc)).toThrow(
    expect.objectContaining({ code: "bad-data", message: expect.stringMatching(message) }),
  );
});
