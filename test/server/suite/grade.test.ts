import { expect, test } from "vitest";
import { isRight, logLoss, lossBounds, readBelief, readRuleAnswer } from "../../../server/suite/grade.js";

test.each([
  ["yes", "yes"],
  ["It can't be reached, so no.\nAnswer: No", "no"],
  ["The die shows 4 of 6.\n**Answer:** 67 %", "67"],
  ["Answer: 3\nNo, wait.\nAnswer: 4", "4"],
  ["17", "17"],
  ["Answer: yes\n\nThat's my answer, no doubt.", "yes"],
  ["The answer is 12.", "12"],
  ["Answer: 1,250 of them", "1250"],
  ["Answer: .5", ".5"],
])("the answer of %j is %s", (text, answer) => {
  expect(readRuleAnswer(text)).toBe(answer);
});

test("numbers are compared as numbers, words as words, and odds may be off by five points", () => {
  expect(isRight("3.0", { kind: "cost", answer: "3" })).toBe(true);
  expect(isRight("2", { kind: "cost", answer: "3" })).toBe(false);
  expect(isRight("yes", { kind: "legal", answer: "no" })).toBe(false);
  expect(isRight("62", { kind: "odds", answer: "67" })).toBe(true);
  expect(isRight("72", { kind: "odds", answer: "67" })).toBe(true);
  expect(isRight("61", { kind: "odds", answer: "67" })).toBe(false);
  expect(isRight("", { kind: "odds", answer: "3" })).toBe(false);
});

test("prose without an answer is refused", () => {
  expect(() => readRuleAnswer("I don't know")).toThrow(/answers neither yes, no nor a number/);
  expect(() => readRuleAnswer("Answer: I don't know\nThere are 3 units")).toThrow(/answers neither/);
  expect(() => readBelief("Answer: probably rifles", 3)).toThrow(/gives no percent to any of 1 to 3/);
  expect(() => readBelief("Answer: 4=100", 3)).toThrow(/1 to 3/);
});

test.each([
  ["Answer: 1=70, 3=30", [0.7, 0, 0.3]],
  ["So 2=9 it is.\nAnswer: 1: 1, 2: 1, 3: 2", [0.25, 0.25, 0.5]],
  ['Answer: {"1": 0.5, "2": 0.5}', [0.5, 0.5, 0]],
  ["Answer:\n1=70\n3=30", [0.7, 0, 0.3]],
  ["Answer: 1=75, 2=25\n\nThat is my answer.", [0.75, 0.25, 0]],
  ["Answer: 1=.5, 3=.5", [0.5, 0, 0.5]],
])("a belief is read from %j and sums to 1", (text, belief) => {
  expect(readBelief(text, 3)).toEqual(belief);
});

test("no belief has less loss than the worlds' own shares, and a wrong one has more than none, but not infinite", () => {
  const q = { shares: [0.8, 0.2, 0], pool: [0.5, 0.25, 0.25] };
  const { uniform, pool, least } = lossBounds(q);
  expect(pool).toBeCloseTo(logLoss(q, [0.5, 0.25, 0.25]), 10);
  expect(least).toBeLessThan(pool);
  expect(uniform).toBeCloseTo(Math.log(3), 10);
  expect(least).toBeLessThan(uniform);
  for (const belief of [
    [0.7, 0.3, 0],
    [0.9, 0.1, 0],
    [0.6, 0.2, 0.2],
  ])
    expect(logLoss(q, belief)).toBeGreaterThan(least);
  const wrong = logLoss(q, [0, 0, 1]);
  expect(wrong).toBeGreaterThan(uniform);
  expect(wrong).toBeCloseTo(Math.log(300), 5); // what is left is a third of a hundredth
});
