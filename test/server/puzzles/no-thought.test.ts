/** Policies that need no thought: each is caught where a book gives answers away its way. */
import { describe, expect, test } from "vitest";
import { chanceOf, type Item, noThought } from "../../../server/puzzles/no-thought.js";

const item = (k: number, right: number, options: readonly string[], kind = "move"): Item => ({
  kind,
  options,
  names: options,
  right: [right],
  half: k % 2 === 0 ? 0 : 1,
});
const share = (items: readonly Item[], policy: string): number =>
  noThought(items).find((n) => n.policy === policy)!.share;

describe("a book that can be solved without thought", () => {
  const many = Array.from({ length: 20 }, (_, k) => k);
  test("by the first option, the last, the longest or the shortest", () => {
    const options = ["attack", "wait", "go"];
    const by = (right: number): Item[] => many.map((k) => item(k, right, options));
    expect(share(by(0), "first")).toBe(1);
    expect(share(by(2), "last")).toBe(1);
    expect(share(by(0), "longest")).toBe(1);
    expect(share(by(2), "shortest")).toBe(1);
    expect(share(by(1), "first")).toBe(0);
  });

  test("by what is commonest where that kind is decided", () => {
    const items = many.map((k) => {
      const kind = k % 4 < 2 ? "move" : "fire";
      const names = k % 3 === 0 ? ["pass", "area 7", "hex"] : ["area 7", "hex", "pass"];
      return item(k, names.indexOf(kind === "move" ? "area 7" : "pass"), names, kind);
    });
    expect(share(items, "commonest of its kind")).toBe(1);
    expect(share(items, "commonest three")).toBeGreaterThan(0.4);
  });

  test("by words that right answers have in common", () => {
    const items = many.map((k) =>
      item(
        k,
        k % 3,
        [0, 1, 2].map((o) => `${o === k % 3 ? "seize" : "stays"} ${k} ${o}`),
      ),
    );
    expect(share(items, "bag of words")).toBe(1);
    for (const policy of ["first", "longest", "commonest of its kind"]) expect(share(items, policy)).toBeLessThan(0.6);
  });

  test("what is learnt in one half is tried in the other alone", () => {
    // each answer is right once: who learnt it from the same question would be right always
    const items = many.map((k) => item(k, 2, [`a${k}`, `b${k}`, `c${k}`, "d"]));
    expect(share(items, "commonest of its kind")).toBe(0);
  });
});

test("chance is the share of options that are right", () => {
  expect(chanceOf([item(0, 0, ["a", "b"]), { ...item(1, 0, ["a", "b", "c", "d"]), right: [0, 1] }])).toBe(0.5);
  expect(chanceOf([item(0, 0, ["a", "b", "c", "d"])])).toBe(0.25);
});
