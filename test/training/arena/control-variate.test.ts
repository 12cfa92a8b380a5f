import { beforeAll, describe, expect, test } from "vitest";
import { RandomAgent } from "../../../agents/random.js";
import { SeatedBatch } from "../../../agents/seats.js";
import { Batch, resolveOptions, Rng } from "../../../env/index.js";
import { adjust, type RecordedGame, luckOf } from "../../../training/arena/control-variate.js";
import type { ValueFunction } from "../../../training/report/value-sums.js";
import { meanInterval } from "../../../training/report/stats.js";
import { race } from "../../toys/race.js";

const game = race.load(resolveOptions(race, {}), race.data);
const N = 2000;
const games: RecordedGame[] = [];
const results: number[] = [];

beforeAll(async () => {
  const batch = new Batch(game, { size: N, autoreset: "disabled", record: true });
  const agent = new RandomAgent("luck");
  await new SeatedBatch(batch, () => [agent, agent]).reset(Array.from({ length: N }, (_, i) => `luck/${i}`));
  for (let i = 0; i < N; i++) {
    games.push({ seed: batch.seedOf(i), actions: batch.recordedEpisode(i)!.actions });
    results.push(batch.rewards[2 * i]!);
  }
});

/** Own score, pot and dice on the table less the other's score, in points; the pot belongs to the acting player. */
const sensible: ValueFunction = (o, _mask, n) =>
  Promise.resolve(
    Float32Array.from({ length: n }, (_, i) => {
      const table = [2, 3, 4, 5, 6].reduce((sum, face, k) => sum + 3 * face * o.map[5 * i + k]!, 0);
      return Math.tanh((90 * (o.units[2 * i]! - o.units[2 * i + 1]!) + 54 * o.globals[3 * i + 1]! + table) / 20);
    }),
  );
/** Arbitrary, but a function of the position. */
const arbitrary: ValueFunction = (o, _mask, n) =>
  Promise.resolve(
    Float32Array.from({ length: n }, (_, i) =>
      Math.sin(1000 * o.units[2 * i]! + 77 * o.globals[3 * i + 1]! + 5 * o.map[5 * i]!),
    ),
  );

const standardErrors = (x: ArrayLike<number>): number => {
  const list = Array.from(x);
  const { mean, interval } = meanInterval(
    list.reduce((a, b) => a + b, 0),
    list.reduce((a, b) => a + b * b, 0),
    list.length,
    1,
  );
  return mean / (interval[1] - mean);
};

describe("luck", () => {
  test.each([
    ["sensible", sensible],
    ["arbitrary", arbitrary],
  ])("is 0 on average with a %s value function, and is not always 0", async (_name, valueFunction) => {
    const luck = await luckOf(game, games, valueFunction, "other");
    expect(Math.abs(standardErrors(luck))).toBeLessThan(4);
    expect(luck.some((x) => Math.abs(x) > 0.1)).toBe(true);
  });

  test("explains results: with it fewer games give an interval as narrow", async () => {
    const luck = await luckOf(game, games, sensible, "other");
    const result = adjust(results, [...luck]);
    expect(result.sampleFraction).toBeLessThan(0.9);
    expect(result.adjustedInterval[1] - result.adjustedInterval[0]).toBeLessThan(
      result.interval[1] - result.interval[0],
    );
    expect(result.adjustedMean).toBeGreaterThan(result.interval[0]);
    expect(result.adjustedMean).toBeLessThan(result.interval[1]);
  });

  test("is the same again with the same seed, and depends on it", async () => {
    const some = games.slice(0, 20);
    const once = await luckOf(game, some, sensible, "a");
    expect(await luckOf(game, some, sensible, "a")).toEqual(once);
    expect(await luckOf(game, some, sensible, "b")).not.toEqual(once);
  });
});

describe("adjust", () => {
  test("removes what luck explains and nothing else", () => {
    const luck = Array.from({ length: 40 }, (_, i) => (i % 4 < 2 ? 1 : -1));
    expect(
      adjust(
        luck.map((c) => 0.25 + 0.5 * c),
        luck,
      ),
    ).toMatchObject({ adjustedMean: 0.25, sampleFraction: 0 });
    const plain = adjust([1, -1, 1, 1, 0, 1, -1, 1], new Array<number>(8).fill(0));
    expect([plain.adjustedMean, plain.adjustedInterval, plain.sampleFraction]).toEqual([plain.mean, plain.interval, 1]);
  });

  test("keeps the mean, also in short matches with skewed luck", () => {
    const rng = new Rng("lopsided");
    const means = Array.from({ length: 20_000 }, () => {
      const luck = Array.from({ length: 8 }, () => (rng.below(4) === 0 ? 3 : -1)); // 0 on average
      return (
        adjust(
          luck.map((c) => c * c),
          luck,
        ).adjustedMean - 3
      ); // 3 is the mean of the squares
    });
    expect(Math.abs(standardErrors(means))).toBeLessThan(4);
  });
});
