/** How hard puzzles are, and how good who solves them. */
import { expect, test } from "vitest";
import { bookText, parseBook, type Puzzle, type PuzzleBook } from "../../../server/puzzles/puzzle.js";
import { puzzleRatings, ratedAnswers } from "../../../server/puzzles/rating.js";

const puzzle = (id: number, weak: number, strong: number): Puzzle => ({
  id: id.toString(16).padStart(16, "0"),
  side: "G",
  kind: "k",
  options: {},
  position: {},
  best: "a",
  accepted: ["a"],
  margin: 0.5,
  interval: [0.3, 0.7],
  values: { a: 0.5, b: 0 },
  visits: 0.9,
  solvedBy: { recruit: weak, commander: strong, random: 0.25 },
});

const book: PuzzleBook = {
  kessel: "puzzles",
  format: 2,
  game: "savage-streets",
  version: 1,
  made: {
    with: "commander",
    playing: "commander",
    worlds: 2,
    depth: null,
    check: "search",
    least: 0.2,
    judged: 3,
    found: 3,
    held: 3,
  },
  puzzles: [puzzle(1, 0.9, 1), puzzle(2, 0.2, 0.9), puzzle(3, 0, 0.1)],
};
const ids = book.puzzles.map((p) => p.id);
const answers = (...right: boolean[]) => right.map((r, i) => ({ id: ids[i]!, right: r }));

test("a puzzle that agents solve less often is rated higher", () => {
  const [easy, middling, hard] = puzzleRatings(book);
  expect(easy).toBeLessThan(middling!);
  expect(middling).toBeLessThan(hard!);
});

test("who solves more is rated higher; who plays anything has 0, and stronger agents more", () => {
  const good = ratedAnswers(book, answers(true, true, false))!;
  const poor = ratedAnswers(book, answers(true, false, false))!;
  expect(good.value).toBeGreaterThan(poor.value);
  expect(good).toMatchObject({ tried: 3, right: 2 });
  expect(good.agents.map((a) => a.who)).toEqual(["commander", "recruit", "random"]);
  expect(good.agents.at(-1)!.value).toBeCloseTo(0);
  expect(good.interval[0]).toBeLessThan(good.value);
  expect(good.interval[1]).toBeGreaterThan(good.value);
});

test("a hard puzzle solved counts more than an easy one", () => {
  const [easy, , hard] = ids;
  const of = (id: string): number => ratedAnswers(book, [{ id, right: true }])!.value;
  expect(of(hard!)).toBeGreaterThan(of(easy!));
});

test("only the first answer to a puzzle counts, and none to one that isn't there", () => {
  const twice = [...answers(false), ...answers(true)];
  expect(ratedAnswers(book, twice)).toEqual(ratedAnswers(book, answers(false)));
  expect(ratedAnswers(book, [{ id: "ffffffffffffffff", right: true }])).toBeNull();
});

test("a book is read as it was written; what is wrong in it is named", () => {
  expect(parseBook(JSON.parse(bookText(book)), "x.json")).toEqual(book);
  const broken = { ...book, puzzles: [{ ...book.puzzles[0]!, values: { b: 0 } }] };
  expect(() => parseBook(broken, "x.json")).toThrow(/x\.json: puzzles\[0\]: each accepted action has a value/);
  expect(() => parseBook({ ...book, truth: 1 }, "x.json")).toThrow(/truth: there is no such key/);
});
