import { expect, test } from "vitest";
import {
  amountOf,
  counted,
  either,
  hundredths,
  lasting,
  listed,
  percent,
  pluralOf,
  returnText,
  signed,
} from "../../../env/core/words.js";

test("one thing is singular, none and several are plural", () => {
  expect([0, 1, 2, 21].map((n) => counted(n, "hit"))).toEqual(["0 hits", "1 hit", "2 hits", "21 hits"]);
  expect([1, 3].map((n) => counted(n, "die", "dice"))).toEqual(["1 die", "3 dice"]);
  expect([1, 2].map((n) => pluralOf(n, "is", "are"))).toEqual(["is", "are"]);
});

test("lists have no comma before the last word, and a word for nothing", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map((l) => listed(l, "none"))).toEqual([
    "none",
    "a",
    "a and b",
    "a, b and c",
  ]);
  expect([[], ["a", "b"], ["a", "b", "c"]].map((l) => either(l))).toEqual(["", "a or b", "a, b or c"]);
});

test("shares are rounded half up, and large numbers are not grouped", () => {
  expect([0, 0.005, 0.125, 1, 12.5].map((x) => percent(x))).toEqual(["0 %", "1 %", "13 %", "100 %", "1250 %"]);
  expect([percent(0.4567, 1), hundredths(0.4567), hundredths(0.4567, 2)]).toEqual(["45.7 %", "45.7", "45.67"]);
});

test("long times are said in hours", () => {
  expect([1, 90, 120, 300, 6000].map(lasting)).toEqual(["1 minute", "90 minutes", "2 hours", "5 hours", "100 hours"]);
});

test("all numbers but zero have a sign", () => {
  expect([-2, 0, 3].map((x) => signed(x))).toEqual(["-2", "0", "+3"]);
  expect([signed(0.0004, 3), signed(-0.5, 1)]).toEqual(["0.000", "-0.5"]);
  expect([-0.2, 0, 0.314].map(returnText)).toEqual(["−0.20", "0.00", "+0.31"]);
});

test("what a condition has is shown against what it needs, also where there is more than enough", () => {
  expect(amountOf({ have: 1, need: 3, unit: "areas" })).toBe("1 of 3 areas");
  expect(amountOf({ have: 2, need: 1, unit: "landings" })).toBe("2 landings, 1 needed");
  expect(amountOf({ have: 9, need: 0, unit: "counters", fewer: true })).toBe("9 counters, none allowed");
  expect(amountOf({ have: 9, need: 4, unit: "counters", fewer: true })).toBe("9 counters, no more than 4 allowed");
  expect(amountOf({ have: 0, need: 1, unit: "areas", against: 0 })).toBe("no areas, the enemy none");
  expect(amountOf({ have: 2, need: 2, unit: "areas", against: 1 })).toBe("2 areas, the enemy 1");
  expect(amountOf({ have: 1, need: 3, unit: "areas", against: 2 })).toBe("1 area, the enemy 2");
});
