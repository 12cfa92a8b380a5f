import { expect, test } from "vitest";
import type { Observation } from "../../../env/index.js";
import type { Evaluator } from "../../../agents/search/leaves.js";
import { oracleReturns, oracleText } from "../../../training/arena/oracle.js";
import { Bandit } from "../bandit.js";
import { pennies } from "../pennies.js";

/** Prefers action 0 by a little, and expects nothing. */
const indifferent: Evaluator = {
  run: (_observation, _mask, n) =>
    Promise.resolve({
      policy: Float32Array.from({ length: 3 * n }, (_, k) => (k % 3 === 0 ? 0.01 : 0)),
      value: new Float32Array(n),
    }),
  close: () => Promise.resolve(),
};

const PLAYER = { root: "gumbel", seat: 0 } as const;

/** Returns of three arms by the coin; the last one is the best for who doesn't know it. */
const ARMS = [
  [1, -1],
  [-1, 1],
  [0.75, 0.75],
] as const;

test("an oracle looks under the cup, a search weighs what may be there, and the net does what it always does", async () => {
  const bandit = new Bandit(ARMS);
  const games = 400;
  const [net, search, oracle] = await oracleReturns(bandit, indifferent, {
    ...PLAYER,
    games,
    iterations: 600,
    seed: "cup",
  });
  expect(net!.agent).toBe("net");
  expect(Math.abs(net!.mean - 0.5)).toBeLessThan(4 * Math.sqrt(0.75 / games)); // the coin shows 0 in three of four
  expect(Math.abs(search!.mean - 0.75)).toBeLessThan(0.01);
  expect(oracle!.mean).toBe(1);
  // the same coins are in the games of all, each played to its end before the next agent's
  const played = bandit.choices.filter((c) => !c.dealt);
  const zeros = [0, games].map((from) => played.slice(from, from + games).filter((c) => c.coin === 0).length);
  expect(zeros[1]).toBe(zeros[0]);
  expect(oracle!.more.mean).toBeCloseTo(1 - net!.mean, 10);
  expect(oracle!.more.interval[0]).toBeGreaterThan(0);
  expect(
    oracleText([net!, search!, oracle!], 600)
      .split("\n")
      .slice(2)
      .map((l) => l.slice(0, 14).trim()),
  ).toEqual(["the net alone", "search, 600", "oracle, 600"]);
});

test("it knows no coin that has yet to be thrown", async () => {
  const bandit = new Bandit(ARMS, true);
  const rows = await oracleReturns(bandit, indifferent, { ...PLAYER, games: 200, iterations: 600, seed: "late" });
  expect(rows.map((r) => r.agent)).toEqual(["net", "search", "oracle"]);
  expect(Math.abs(rows[2]!.mean - 0.75)).toBeLessThan(0.02);
});

test("in a game of two it is the measured seat alone that looks, and the net plays the other", async () => {
  /** Hides right, guesses left, and expects nothing. */
  const habits: Evaluator = {
    run: (input, _mask, n) => {
      const { globals } = input as Observation;
      const guesses = Array.from({ length: n }, (_, i) => globals[i] === 1);
      return Promise.resolve({
        policy: Float32Array.from(guesses.flatMap((g) => (g ? [1, 0] : [0, 1]))),
        value: new Float32Array(n),
      });
    },
    close: () => Promise.resolve(),
  };
  const rows = await oracleReturns(pennies, habits, { root: "gumbel", seat: 1, games: 4, iterations: 200, seed: "p" });
  // who believes in both places alike guesses left, where finding gains more
  expect(rows.map((r) => r.mean)).toEqual([-0.5, -0.5, 0.5]);
  expect(rows[2]!.more.mean).toBe(1);
});
