import { describe, expect, it } from "vitest";
import {
  bradleyTerry,
  isConnected,
  meanInterval,
  median,
  type Meeting,
  differenceInterval,
  wilson,
  Z95,
} from "../../../training/report/stats.js";

it("the interval of a difference is Newcombe's, method 10: 56 of 70 less 48 of 80", () => {
  const of = (k: number, n: number) => [k / n, wilson(k, n)] as const;
  const [low, high] = differenceInterval(of(56, 70), of(48, 80));
  expect(low).toBeCloseTo(0.0524, 4);
  expect(high).toBeCloseTo(0.3339, 4);
});

describe("wilson", () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("%i of %i", (successes, n, low, high) => {
    const [a, b] = wilson(successes, n);
    expect(a).toBeCloseTo(low, 4);
    expect(b).toBeCloseTo(high, 4);
  });
  it("is its own mirror image", () => {
    const [a, b] = wilson(29, 29);
    const [c, d] = wilson(0, 29);
    expect(b).toBe(1);
    expect(c).toBe(0);
    expect(a).toBeCloseTo(1 - d, 12);
  });
  it("knows nothing without trials", () => expect(wilson(0, 0)).toEqual([0, 1]));
});

describe("meanInterval", () => {
  it("of 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squared deviations 32", () => {
    const { mean, interval } = meanInterval(40, 4 + 16 * 3 + 25 * 2 + 49 + 81, 8);
    const half = Z95 * Math.sqrt(32 / 7 / 8);
    expect(mean).toBe(5);
    expect(interval[0]).toBeCloseTo(5 - half, 12);
    expect(interval[1]).toBeCloseTo(5 + half, 12);
  });
  it("is unbounded for one value", () => expect(meanInterval(3, 9, 1).interval).toEqual([-Infinity, Infinity]));
});

it("median", () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow(RangeError);
});

describe("bradleyTerry", () => {
  it("three wins in four games are 400 log10(3) points, with the variance of a log odds", () => {
    const { elo, interval } = bradleyTerry(2, [{ first: 0, second: 1, games: 100, score: 75 }], {
      seat: false,
      prior: 0,
    });
    const difference = 400 * Math.log10(3);
    expect(elo[0]! - elo[1]!).toBeCloseTo(difference, 9);
    expect(elo[0]! + elo[1]!).toBeCloseTo(0, 9);
    const half = (Z95 * (400 / Math.LN10)) / Math.sqrt(100 * 0.75 * 0.25) / 2;
    expect(interval[0]![1] - elo[0]!).toBeCloseTo(half, 9);
  });

  it("separates the seat from the strength: equal agents that win only in the first seat", () => {
    const meetings = [
      { first: 0, second: 1, games: 40, score: 30 },
      { first: 1, second: 0, games: 40, score: 30 },
    ];
    const r = bradleyTerry(2, meetings, { prior: 0 });
    expect(r.elo[0]).toBeCloseTo(0, 9);
    expect(r.firstSeat).toBeCloseTo(400 * Math.log10(3), 9);
  });

  it("gives a clean sweep a finite rating", () => {
    const r = bradleyTerry(2, [{ first: 0, second: 1, games: 10, score: 10 }], { seat: false });
    expect(r.elo[0]! - r.elo[1]!).toBeCloseTo(400 * Math.log10(21), 6); // 10 wins and a draw: 10.5 to 0.5
  });

  it("refuses players without a common opponent", () => {
    const apart: Meeting[] = [
      { first: 0, second: 1, games: 4, score: 2 },
      { first: 2, second: 3, games: 4, score: 2 },
    ];
    expect(isConnected(4, apart)).toBe(false);
    expect(() => bradleyTerry(4, apart)).toThrow(/connect/);
  });

  it("of the American League East 1987, home and away, as Agresti and BradleyTerry2 give it", () => {
    // rows: home team against each other team in the order below; wins at home, wins of the guest
    const teams = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"];
    const home = [
      "4-3 4-2 4-3 6-1 4-2 6-0",
      "3-3 4-2 4-3 6-0 6-1 4-3",
      "2-5 4-3 2-4 4-3 4-2 6-0",
      "3-3 5-1 2-5 4-3 4-2 6-1",
      "5-1 2-5 3-3 4-2 5-2 6-0",
      "2-5 3-3 3-4 4-3 4-2 2-4",
      "2-5 1-5 1-6 2-4 1-6 3-4",
    ];
    const meetings = home.flatMap((row, first) =>
      row.split(" ").map((cell, k) => {
        const [won, lost] = cell.split("-").map(Number) as [number, number];
        return { first, second: k < first ? k : k + 1, games: won + lost, score: won };
      }),
    );
    const published = {
      Milwaukee: 1.6196,
      Detroit: 1.4754,
      Toronto: 1.3271,
      "New York": 1.2813,
      Boston: 1.1438,
      Cleveland: 0.7047,
    };
    const r = bradleyTerry(7, meetings, { prior: 0 });
    const logit = (elo: number) => (elo * Math.LN10) / 400;
    for (const [team, ability] of Object.entries(published))
      expect(logit(r.elo[teams.indexOf(team)]! - r.elo[6]!)).toBeCloseTo(ability, 3);
    expect(logit(r.firstSeat)).toBeCloseTo(0.3023, 3);
    expect((logit(r.firstSeatInterval[1]) - 0.3023) / Z95).toBeCloseTo(0.1309, 3); // standard error
  });
});
