import type { Json, JsonObject } from "../../env/index.js";
import type { Curve, Point } from "../report/html.js";
import { wilson } from "../report/stats.js";
import type { MetricLine } from "./metrics.js";
import type { SeatRates } from "./progress.js";

/** Most points of a curve; more are averaged in groups. */
const MAX_POINTS = 300;

export interface Chart {
  readonly title: string;
  readonly curves: readonly Curve[];
  /** In percent. */
  readonly rate?: boolean;
}

/** The curves of a run: points in percent, what the learning says of itself, speed. */
export interface RunCharts {
  readonly strength: readonly Chart[];
  readonly learning: readonly Chart[];
  readonly speed: readonly Chart[];
}

export const chartsOf = (lines: readonly MetricLine[]): RunCharts => ({
  strength: [...evaluations(lines), ...ownRates(lines)],
  learning: metricCharts(lines, (key) => !SPEEDS.test(key)),
  speed: metricCharts(lines, (key) => SPEEDS.test(key)),
});

/** Metrics that have charts with intervals, or only give the size of an update. */
const NOT_CHARTED = /InSelfPlay$|^(againstLeague|leagueGames|points|update|games|decisions|samples)$/;
const SPEEDS = /PerSecond$|^seconds$/;

export const numberAt = (line: JsonObject, key: string): number | null =>
  typeof line[key] === "number" ? line[key] : null;

/** Rates against each agent of the evaluations, by the net's seat. */
function evaluations(lines: readonly MetricLine[]): Chart[] {
  const found = new Map<string, Map<string, Point[]>>();
  for (const line of lines)
    for (const [agent, seats] of Object.entries((line["evaluation"] ?? {}) as unknown as Record<string, SeatRates>))
      for (const [seat, { rate, interval }] of Object.entries(seats)) {
        const curves = found.get(agent) ?? new Map<string, Point[]>();
        found.set(agent, curves);
        const points = curves.get(seat) ?? [];
        curves.set(seat, points);
        points.push({ x: line.at, y: 100 * rate, interval: [100 * interval[0], 100 * interval[1]] });
      }
  return [...found].map(([agent, curves]) => ({
    title: `measured against ${agent}`,
    curves: [...curves].map(([seat, points]) => ({ name: `as ${seat}`, points })),
    rate: true,
  }));
}

/** Rates in the games of the updates: against the league, and of the first seat in self-play. */
function ownRates(lines: readonly MetricLine[]): Chart[] {
  const keys = Object.keys(lines.at(-1) ?? {}).filter(
    (key) => key === "againstLeague" || key === "points" || key.endsWith("InSelfPlay"),
  );
  return keys.map((key) => {
    const points = grouped(lines).flatMap((group): Point[] => {
      const some = group.flatMap((line) =>
        numberAt(line, key) === null
          ? []
          : [{ rate: numberAt(line, key)!, games: key === "againstLeague" ? numberAt(line, "leagueGames") : null }],
      );
      if (some.length === 0) return [];
      const x = mean(group.map((line) => line.at));
      if (some.some((s) => s.games === null)) return [{ x, y: 100 * mean(some.map((s) => s.rate)) }];
      const games = some.reduce((n, s) => n + s.games!, 0);
      const won = some.reduce((n, s) => n + s.rate * s.games!, 0);
      const [low, high] = wilson(won, games);
      return games === 0 ? [] : [{ x, y: (100 * won) / games, interval: [100 * low, 100 * high] }];
    });
    const title =
      key === "againstLeague"
        ? "against the league"
        : key === "points"
          ? "own games"
          : `${key.slice(0, -"InSelfPlay".length)} in self-play`;
    return { title, curves: [{ name: title, points }], rate: true };
  });
}

/** A chart for each other metric. */
function metricCharts(lines: readonly MetricLine[], wanted: (key: string) => boolean): Chart[] {
  const at = (line: JsonObject, path: readonly string[]): Json | undefined =>
    path.reduce<Json | undefined>(
      (value, key) => (value !== null && typeof value === "object" ? (value as JsonObject)[key] : undefined),
      line,
    );
  const paths = Object.entries(lines.at(-1) ?? {}).flatMap(([key, value]): string[][] => {
    if (typeof value === "number") return key === "at" || NOT_CHARTED.test(key) || !wanted(key) ? [] : [[key]];
    const group =
      value !== null && typeof value === "object" && !Array.isArray(value) && key !== "evaluation" && key !== "league"
        ? Object.entries(value as JsonObject)
        : [];
    return wanted(key) ? group.filter(([, v]) => typeof v === "number").map(([name]) => [key, name]) : [];
  });
  return paths.map((path) => {
    const points = grouped(lines).flatMap((group): Point[] => {
      const values = group.map((line) => at(line, path)).filter((v) => typeof v === "number");
      return values.length === 0 ? [] : [{ x: mean(group.map((line) => line.at)), y: mean(values) }];
    });
    const title = path.map(words).join(": ");
    return { title, curves: [{ name: title, points }] };
  });
}

/** `samplesPerSecond` as words. */
const words = (key: string): string => key.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`);

const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Lines in at most `MAX_POINTS` groups of equal size. */
function grouped(lines: readonly MetricLine[]): MetricLine[][] {
  const size = Math.ceil(lines.length / MAX_POINTS);
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, i) => lines.slice(i * size, (i + 1) * size));
}
