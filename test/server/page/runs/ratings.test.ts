/** Ratings of a run's nets, from what its evaluations measured and the cards of the agents. */
import { expect, test } from "vitest";
import { loadGame } from "../../../../env/index.js";
import { ratingChart } from "../../../../server/page/runs/ratings.js";
import type { Chart } from "../../../../training/runs/charts.js";
import type { MetricLine } from "../../../../training/runs/metrics.js";

const game = loadGame("pocket-stalingrad");
const line = (at: number, agent: string, soviet: number, german: number, games = 100_000): MetricLine => {
  const rate = (r: number) => ({ rate: r, games, interval: [r, r] });
  return { at, evaluation: { [agent]: { soviet: rate(soviet), german: rate(german) } } } as MetricLine;
};
const of = (chart: Chart | null, seat: number) => chart!.curves[seat]!.points;
/** What a player scores who is 200 Elo points stronger. */
const STRONGER = 1 / (1 + 10 ** (-200 / 400));

test("who scores 76 % where another net scores 50 % is 200 points above it, in that seat", () => {
  const chart = ratingChart(game, [
    line(10, "heuristic:greedy", 0.5, 0.5),
    line(20, "heuristic:greedy", STRONGER, 0.5),
    line(30, "heuristic:greedy", STRONGER, 1 - STRONGER),
  ]);
  expect(chart!.curves.map((c) => c.name)).toEqual(["as soviet", "as german"]);
  const [soviet, german] = [of(chart, 0), of(chart, 1)];
  expect(soviet.map((p) => p.x)).toEqual([10, 20, 30]);
  const rise = (points: readonly { y: number }[]): number[] => points.map((p) => Math.round(p.y - points[0]!.y));
  expect(rise(soviet)).toEqual([0, 200, 200]);
  expect(rise(german)).toEqual([0, 0, -200]);
});

test("the more games, the narrower the interval", () => {
  const width = (games: number): number => {
    const [low, high] = of(ratingChart(game, [line(10, "heuristic:greedy", 0.6, 0.4, games)]), 0)[0]!.interval!;
    return high - low;
  };
  expect(width(1000)).toBeLessThan(width(20));
});

test("an agent without a card, a game for one and a run without measurements have no rating", () => {
  expect(ratingChart(game, [line(10, "onnx:/home/owner/mine.onnx", 0.5, 0.5)])).toBeNull();
  expect(ratingChart(game, [{ at: 1 } as MetricLine])).toBeNull();
  expect(ratingChart(loadGame("night-fight"), [line(10, "heuristic:brawler", 0.5, 0.5)])).toBeNull();
});
