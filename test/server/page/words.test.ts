/** Words of a game in its texts. */
import { describe, expect, test } from "vitest";
import { importGames, type Term } from "../../../env/index.js";
import { piecesOf } from "../../../server/page/client/words/primer.js";

const term = (word: string, ...also: string[]): Term => ({ term: word, also, says: "", rule: "" });
const found = (text: string, ...terms: Term[]): string[] =>
  piecesOf(text, terms).flatMap((p) => (p.term === null ? [] : [p.text]));

describe("words are found", () => {
  test("in every form, at their first use, at the beginning of a sentence too", () => {
    const step = term("step", "steps");
    expect(found("Steps are lost. Each step counts.", step)).toEqual(["Steps"]);
    expect(found("One step.", step)).toEqual(["step"]);
  });
  test("the longer before the shorter", () => {
    expect(found("an exploit attack", term("attack"), term("exploit attack"))).toEqual(["exploit attack"]);
  });
  test("but not inside others, and names only with their capital", () => {
    expect(found("Footsteps and a steppe", term("step"))).toEqual([]);
    expect(found("by night, under Night", term("Night"))).toEqual(["Night"]);
    expect(found("The 1E of A1EB", term("1E"))).toEqual(["1E"]);
  });
  test("and the text stays what it was", () => {
    const text = "Artillery (the marker) is on Z; CMD 3.";
    const pieces = piecesOf(text, [term("CMD"), term("Artillery"), term("Z")]);
    expect(pieces.map((p) => p.text).join("")).toBe(text);
    expect(pieces.filter((p) => p.term !== null)).toHaveLength(3);
    expect(piecesOf(text, [])).toEqual([{ text, term: null }]);
  });
});

const taught = (await importGames()).flatMap(({ id, guide, rules, teaching }) =>
  teaching === undefined ? [] : [{ id, guide, rules, ...teaching }],
);

test.each(taught)("every word of $id is used somewhere in what the game says", ({ guide, rules, lesson, primer }) => {
  const texts = [
    guide.short,
    ...guide.medium,
    ...Object.values(rules).map((r) => r.says),
    ...lesson.steps.map((s) => s.says),
    ...primer.moves.map((m) => m.why),
  ];
  const met = new Set(texts.flatMap((text) => piecesOf(text, primer.terms).map((p) => p.term?.term)));
  expect(primer.terms.map((t) => t.term).filter((t) => !met.has(t))).toEqual([]);
});
