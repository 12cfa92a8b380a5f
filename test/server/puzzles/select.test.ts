/** What becomes of puzzles that are too alike, or that can be solved without thought. */
import { expect, test } from "vitest";
import { loadGame } from "../../../env/index.js";
import { chanceOf, noThought } from "../../../server/puzzles/no-thought.js";
import { type Puzzle, puzzlesOf } from "../../../server/puzzles/puzzle.js";
import { itemOf, mostSame, selected } from "../../../server/puzzles/select.js";

const game = loadGame("pocket-stalingrad");
const book = puzzlesOf("pocket-stalingrad")!.puzzles;

const over = (puzzles: readonly Puzzle[]): string[] => {
  const items = puzzles.map((p) => itemOf(game, p));
  return noThought(items).flatMap((n) => (n.share > chanceOf(items) + 0.05 ? [n.policy] : []));
};

test("of two near-identical set-ups the one with the wider margin stays", () => {
  const [first] = book;
  const again = { ...first!, id: `f${first!.id.slice(1)}`, margin: first!.margin + 1, kind: "another" };
  const ids = selected(game, [...book, again], 100).map((p) => p.id);
  expect(ids).not.toContain(first!.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("of one kind and answer no more than three of a hundred stay", () => {
  expect([30, 66, 67, 99, 100].map(mostSame)).toEqual([1, 1, 2, 2, 3]);
  const alike = book.map((p) => ({ ...p, kind: "same", best: "same" }));
  expect(selected(game, alike, 100)).toHaveLength(1);
});

test("puzzles that can be solved without thought are left out until it doesn't help", () => {
  expect(over(book)).toEqual([]);
  // the first option is right in all of these, as `area 7` once was
  const first = book.map((p): Puzzle => {
    const { names } = itemOf(game, p);
    return { ...p, best: names[0]!, accepted: [names[0]!] };
  });
  expect(over(first)).toContain("first");
  const mixed = [...book.slice(0, book.length / 2), ...first.slice(book.length / 2)];
  expect(over(mixed)).toContain("first");
  const left = selected(game, mixed, 100);
  expect(left.length).toBeGreaterThan(5);
  expect(over(left)).toEqual([]);
});
