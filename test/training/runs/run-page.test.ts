import { describe, expect, test } from "vitest";
import type { MetricLine } from "../../../training/runs/metrics.js";
import { runPage } from "../../../training/runs/run-page.js";
import { wilson } from "../../../training/report/stats.js";

const config = { method: "ppo", game: "toy-race", seed: "<7>", ppo: { games: 10 } };
const line = (at: number): MetricLine => ({
  at,
  games: 10,
  decisions: 100,
  samples: 80,
  againstLeague: 0.5,
  leagueGames: 4,
  northInSelfPlay: 0.25,
  entropy: 1 / at,
  kl: 0.01,
  seconds: 36,
  samplesPerSecond: 2,
});
const measured = (at: number, rate: number): MetricLine => ({
  ...line(at),
  evaluation: {
    "random<b>": {
      north: { rate, interval: [...wilson(rate * 8, 8)], games: 8 },
      south: { rate: 1, interval: [...wilson(8, 8)], games: 8 },
    },
  },
  league: { "snapshot:2": { north: 0.625, south: 0.5 } },
});

describe("the page of a run", () => {
  const html = runPage({
    config,
    lines: [line(1), measured(2, 0.25), line(3), measured(4, 0.5)],
    models: [{ name: "000004.onnx", bytes: 1234567 }],
  });

  test("needs nothing but itself", () => {
    expect(html).not.toMatch(/<script|<link|(src|href)=|https?:|@import|url\(/);
    expect(html).toContain("prefers-color-scheme:dark");
  });

  test("sums up the run", () => {
    for (const cells of [
      ["updates", "4"],
      ["games", "40"],
      ["samples", "320"],
      ["hours", "0.04"],
      ["seed", "&lt;7&gt;"],
      ["000004.onnx", "1,234,567"],
      ["snapshot:2", "62.5", "50.0"],
    ])
      expect(html).toContain(`<tr>${cells.map((c) => `<td>${c}</td>`).join("")}</tr>`);
  });

  test("draws each rate by seat and every other number, names shown as text", () => {
    for (const title of [
      "measured against random&lt;b&gt;",
      "north in self-play",
      "against the league",
      "entropy",
      "kl",
      "samples per second",
    ])
      expect(html).toContain(`<figcaption>${title}</figcaption>`);
    expect(html).not.toContain("<b>");
    const figures = html.split("<figure>").slice(1);
    expect(figures).toHaveLength(7);
    const evaluation = figures[0]!;
    expect(evaluation).toContain("as north");
    expect(evaluation.match(/<circle/g)).toHaveLength(4); // two seats, measured twice
    expect(evaluation).toContain("<title>update 2: 25</title>");
    expect(evaluation).toContain('aria-label="area"'); // the intervals
    expect(figures.find((f) => f.includes("<figcaption>entropy<"))).not.toContain('aria-label="area"');
  });

  test("averages a long run in groups instead of drawing thousands of points", () => {
    const long = runPage({ config, lines: Array.from({ length: 3000 }, (_, i) => line(i + 1)), models: [] });
    expect(long.length).toBeLessThan(200_000);
  });

  test("of a run that has not begun says so", () => {
    expect(runPage({ config, lines: [], models: [] })).toContain("No update has finished yet");
  });

  test("of an imitation counts epochs and shows what was held out", () => {
    const epochs = runPage({
      config: { ...config, method: "imitate" },
      lines: [{ at: 1, policy: 2, heldOut: { agreement: 0.5 }, seconds: 1 }],
      models: [],
    });
    expect(epochs).toContain("<figcaption>held out: agreement</figcaption>");
    expect(epochs).toContain("<td>epochs</td>");
  });
});
