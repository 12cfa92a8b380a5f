import { Presets, SingleBar } from "cli-progress";
import type { Json } from "../../env/index.js";
import type { MetricLine } from "./metrics.js";
import { type Interval, wilson } from "../report/stats.js";

export interface Progress {
  readonly update: (done: number, all: number) => void;
  readonly stop: () => void;
}

/** A progress bar on standard error, if that is a terminal. */
export function progressBar(unit: string): Progress {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    {
      format: `{bar} {value}/{total} ${unit}, {eta_formatted} left`,
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  let started = false;
  return {
    update: (done, all) => {
      if (!started) {
        bar.start(all, 0);
        started = true;
      }
      bar.update(done);
    },
    stop: () => {
      if (started) bar.stop();
    },
  };
}

export const percent = (x: number): string => (100 * x).toFixed(1);
const within = ([low, high]: Interval): string => `[${percent(low)}, ${percent(high)}]`;

/**
 * Formats each update of a self-play run as a line, with the estimated time left. For expert iteration it gives the
 * policy's cross-entropy beside the least that the targets allow, their entropy.
 */
export function updateReporter(): (line: MetricLine, all: number) => string {
  let secondsPerUpdate: number | null = null;
  return (line, all) => {
    const value = (key: string): number | null => (typeof line[key] === "number" ? line[key] : null);
    const text = (key: string, digits: number): string => value(key)?.toFixed(digits) ?? "-";
    const seconds = value("seconds") ?? 0;
    secondsPerUpdate = secondsPerUpdate === null ? seconds : 0.9 * secondsPerUpdate + 0.1 * seconds;
    const [rate, games] = [value("againstLeague"), value("leagueGames")];
    const league =
      rate === null ? "-" : `${percent(rate)} %${games === null ? "" : ` ${within(wilson(rate * games, games))}`}`;
    const parts = [
      `update ${line.at}/${all}`,
      `${text("decisionsPerSecond", 0)} decisions/s`,
      `${text("samplesPerSecond", 0)} samples/s`,
      ...(value("inferenceShare") === null
        ? [
            `league ${league}`,
            `entropy ${text("entropy", 3)}`,
            `kl ${text("kl", 4)}`,
            `explained ${text("explained", 3)}`,
          ]
        : [
            `${text("leavesPerSecond", 0)} leaves/s`,
            `net ${percent(value("inferenceShare")!)} % of time`,
            `policy ${text("policy", 3)} of ${text("targetEntropy", 3)}`,
            `value ${text("value", 3)}`,
          ]),
      `${duration(secondsPerUpdate * (all - line.at))} left`,
    ];
    return [parts.join("  "), ...evaluationLines(line["evaluation"])].join("\n");
  };
}

/** The net's results against one agent, by its seat. */
export type SeatRates = Readonly<
  Record<string, { readonly rate: number; readonly interval: Interval; readonly games: number }>
>;

/** One line per agent of an evaluation. */
function evaluationLines(evaluation: Json | undefined): string[] {
  return Object.entries((evaluation ?? {}) as unknown as Record<string, SeatRates>).map(
    ([agent, seats]) =>
      `  against ${agent}: ${Object.entries(seats)
        .map(([seat, { rate, interval, games }]) => `as ${seat} ${percent(rate)} % ${within(interval)} of ${games}`)
        .join(", ")}`,
  );
}

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return `${Math.ceil(seconds)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
