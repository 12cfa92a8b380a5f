import { expect, test } from "vitest";
import { resolveOptions } from "../../env/index.js";
import { checkGame } from "../conformance/check.js";
import { CODES } from "../conformance/complaints.js";
import { FAULTS } from "./faults.js";

const small = { games: 3, points: 16, pairs: 150, chances: 3, steps: 8 };

test.each(FAULTS.map((f) => [f.code, f.is, f] as const))("%s: %s", (code, _is, { type }) => {
  const complaints = checkGame(type.load(resolveOptions(type), type.data), small);
  expect(complaints.map((c) => c.code)).toContain(code);
});

test("every complaint has been earned by a broken toy", () => {
  expect(Object.keys(CODES).filter((code) => !FAULTS.some((f) => f.code === code))).toEqual([]);
});
