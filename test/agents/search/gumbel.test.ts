import { describe, expect, test } from "vitest";
import { GumbelSearch } from "../../../agents/search/gumbel.js";
import { type Evaluator, LeafBatch } from "../../../agents/search/leaves.js";
import { newState, Rng } from "../../../env/index.js";
import { Bandit } from "../../training/bandit.js";

const sure = (x: number): readonly [number, number] => [x, x];
const ARMS = [sure(0.5), sure(0), sure(-0.5), sure(0.2)];

/** A net with one opinion: the logits of a decision, and the return of it. */
const opinion = (logits: readonly number[], value: number): Evaluator => ({
  run: (_observation, _mask, n) =>
    Promise.resolve({
      policy: Float32Array.from({ length: n * logits.length }, (_, k) => logits[k % logits.length]!),
      value: new Float32Array(n).fill(value),
    }),
  close: () => Promise.resolve(),
});

interface Found {
  readonly best: number;
  readonly policy: number[];
  readonly value: number;
  /** How often each arm was tried. */
  readonly visits: number[];
  /** The net's policy, and what arms return beyond it. */
  readonly prior: number[];
  readonly gains: number[];
}

async function search(
  game: Bandit,
  simulations: number,
  { considered = 4, logits = [0, 0, 0, 0], doubt = 0, seed = "" },
): Promise<Found> {
  const rng = new Rng(seed === "" ? "worlds" : seed);
  const state = newState(game.stateSize);
  const leaves = new LeafBatch(game, opinion(logits, 0.1), 1);
  const found = new GumbelSearch(game, { considered, visitOffset: 2, valueScale: 0.1 });
  found.begin({
    actor: 0,
    mask: new Uint8Array(game.actions.length).fill(1),
    at: 0,
    simulations,
    noise: seed === "" ? null : rng,
    deal: (out) => void game.resample(state, 0, out, rng),
  });
  while (found.step(leaves) !== "done") await leaves.evaluate();
  const policy = new Float32Array(game.actions.length);
  const value = found.improvedPolicy(policy, doubt);
  const visits = game.actions.map((_, arm) => game.choices.filter((c) => c.arm === arm).length);
  const [prior, gains] = [new Float32Array(policy.length), new Float32Array(policy.length)];
  found.gains(prior, gains, doubt);
  const rounded = (x: Float32Array): number[] => [...x].map((p) => Number(p.toFixed(4)));
  return { best: found.best(), policy: rounded(policy), value, visits, prior: rounded(prior), gains: rounded(gains) };
}

describe("sequential halving", () => {
  test("tries four arms once, then the better two twice more", async () => {
    const { visits, best } = await search(new Bandit(ARMS), 8, {});
    expect(visits).toEqual([3, 1, 1, 3]);
    expect(best).toBe(0);
  });

  test("with sixteen simulations tries four arms twice, then the better two four times more", async () => {
    expect((await search(new Bandit(ARMS), 16, {})).visits).toEqual([6, 2, 2, 6]);
  });

  test("considers the arms that the policy likes most", async () => {
    const found = await search(new Bandit(ARMS), 8, { considered: 2, logits: [-5, 1, 2, -5] });
    expect(found.visits).toEqual([0, 4, 4, 0]);
    expect(found.best).toBe(2); // a little likelier, and values have little weight here
  });

  test("with noise, the first arm is a draw from the policy", async () => {
    const p = [0.6, 0.3, 0.08, 0.02];
    const logits = p.map(Math.log);
    const drawn = [0, 0, 0, 0];
    for (let i = 0; i < 2000; i++) {
      const game = new Bandit(ARMS);
      await search(game, 1, { logits, seed: `draw ${i}` });
      drawn[game.choices[0]!.arm]!++;
    }
    drawn.forEach((n, arm) =>
      expect(Math.abs(n - 2000 * p[arm]!)).toBeLessThan(4 * Math.sqrt(2000 * p[arm]! * (1 - p[arm]!))),
    );
  });
});

describe("what is learnt from a search", () => {
  test("all arms tried: softmax of logits and values, a unit of value being (2 + 3) * 0.1", async () => {
    const { policy, value } = await search(new Bandit(ARMS), 8, {});
    // e^0.25, e^0, e^-0.25, e^0.1 by their sum 4.1680
    expect(policy).toEqual([0.3081, 0.2399, 0.1869, 0.2652]);
    expect(value).toBeCloseTo(0.3081 * 0.5 - 0.1869 * 0.5 + 0.2652 * 0.2, 3);
  });

  test("arms not tried have the value mix, (0.1 + 2 * 0.5) / 3", async () => {
    const { policy, value } = await search(new Bandit(ARMS), 2, {});
    // e^(0.4 * 0.5) = 1.2214 beside three of e^(0.4 * 0.36667) = 1.1580
    expect(policy).toEqual([0.2601, 0.2466, 0.2466, 0.2466]);
    expect(value).toBeCloseTo(0.2601 * 0.5 + 0.7399 * 0.36667, 3);
  });

  test("doubt draws values of few visits to the mix", async () => {
    const { policy } = await search(new Bandit(ARMS), 2, { doubt: 2 });
    // two visits that found 0.5, and two as if they had found 0.36667: e^(0.4 * 0.43333) = 1.1893
    expect(policy).toEqual([0.255, 0.2483, 0.2483, 0.2483]);
  });
});

test("all arms meet the same worlds in the same order", async () => {
  const game = new Bandit([[1, -1], [-1, 1], sure(0.6), sure(0.5)]);
  await search(game, 64, { seed: "worlds" });
  const met = game.actions.map((_, arm) => game.choices.filter((c) => c.arm === arm).map((c) => c.coin));
  const longest = met.reduce((a, b) => (b.length > a.length ? b : a));
  expect(new Set(longest)).toEqual(new Set([0, 1]));
  for (const coins of met) expect(coins).toEqual(longest.slice(0, coins.length));
});

describe("gains", () => {
  const p = [0.6, 0.3, 0.08, 0.02];
  const logits = p.map(Math.log);

  test("are what arms return beyond the policy, which returns 0.6 x 0.5 - 0.08 x 0.5 + 0.02 x 0.2 = 0.264", async () => {
    const { prior, gains } = await search(new Bandit(ARMS), 16, { logits });
    expect(prior).toEqual(p);
    expect(gains).toEqual([0.236, -0.264, -0.764, -0.064]);
  });

  test("of arms not tried are those of the value mix, (0.1 + 16 x 0.3 / 0.9) / 17", async () => {
    const { visits, gains } = await search(new Bandit(ARMS), 16, { considered: 2, logits });
    expect(visits).toEqual([8, 8, 0, 0]);
    const mix = (0.1 + (16 * 0.3) / 0.9) / 17;
    const mean = 0.3 + 0.1 * mix;
    [0.5 - mean, -mean, mix - mean, mix - mean].forEach((gain, arm) => expect(gains[arm]).toBeCloseTo(gain, 4));
  });

  test("of few visits are drawn to the value mix by doubt", async () => {
    const { gains } = await search(new Bandit(ARMS), 16, { considered: 2, logits, doubt: 8 });
    const mix = (0.1 + (16 * 0.3) / 0.9) / 17;
    const [first, second] = [(4 + 8 * mix) / 16, (8 * mix) / 16];
    const mean = 0.6 * first + 0.3 * second + 0.1 * mix;
    [first - mean, second - mean, mix - mean].forEach((gain, arm) => expect(gains[arm]).toBeCloseTo(gain, 4));
  });
});
