import { describe, expect, test } from "vitest";
import { costOf, countBlunders, lostGames } from "../../../server/analysis/blunders.js";
import type { Evaluator, JudgedAction } from "../../../server/analysis/evaluator.js";
import { nim } from "../../training/nim.js";
import { evaluatorBy } from "./nets.js";

describe("what a judge thinks an action cost", () => {
  const judged = (...actions: [number, number, number | null][]) => ({
    value: 0,
    actions: actions.map(([action, probability, value]): JudgedAction => ({ action, probability, value })),
  });
  test("is nothing for the one it prefers, whatever the means of those it hardly looked at", () => {
    expect(costOf(judged([4, 0.9, 0.2], [5, 0.1, 0.6]), 4)).toBe(0);
  });
  test("is the difference to the one it prefers, and never a gain", () => {
    expect(costOf(judged([4, 0.9, 0.2], [5, 0.1, -0.3]), 5)).toBeCloseTo(0.5);
    expect(costOf(judged([4, 0.9, 0.2], [5, 0.1, 0.6]), 5)).toBe(0);
  });
  test("is all that can be lost for one that it never tried", () => {
    expect(costOf(judged([4, 1, 0.2]), 7)).toBeCloseTo(1.2);
  });
});

test("in Nim who knows it shares every bad decision, and none of the others", async () => {
  const game = nim.load({}, {});
  const records = await lostGames(game, ["random", "random"], 0, 12, "nim");
  expect(records.length).toBe(12);
  for (const r of records) expect(r.replay.returns!["first"]).toBe(-1);
  const best = (pile: number): number => Math.max(1, pile % 4) - 1;
  const evaluator = evaluatorBy(
    game,
    ({ globals }) => (globals.indexOf(1) % 4 === 0 ? -1 : 1),
    ({ globals }) => best(globals.indexOf(1)),
  );
  const judge: Evaluator = Object.assign(Object.create(evaluator) as Evaluator, {
    judge: (states: readonly Int32Array[]) =>
      Promise.resolve(
        states.map((s) => {
          const pile = s[4]!;
          const worth = (a: number): number => ((pile - a - 1) % 4 === 0 ? 1 : -1);
          const actions = [0, 1, 2]
            .filter((a) => a < pile)
            .map((a) => ({ action: a, probability: a === best(pile) ? 0.8 : 0.1, value: worth(a) }));
          return { value: pile % 4 === 0 ? -1 : 1, actions };
        }),
      ),
  });
  const found = await countBlunders(records, 0, evaluator, judge, 9);
  expect(found.games).toBe(12);
  expect(found.worst.decisions).toBeGreaterThan(3);
  expect(found.worst.agreed).toBe(found.worst.decisions);
  expect(found.worst.meanLoss).toBe(2);
  expect(found.others.agreed).toBe(0);
});
