import { join } from "node:path";
import { type Game, KesselError } from "../../env/index.js";
import { arena } from "../arena/arena.js";
import type { Interval } from "../report/stats.js";
import { table } from "../report/table.js";
import type { RunFolder } from "./run-folder.js";

/** A model of a run, what it had cost, and what it reaches. */
export interface StrengthPoint {
  readonly update: number;
  /** Minutes of playing and learning, without evaluations, and decisions of all seats, from the run's beginning. */
  readonly minutes: number;
  readonly decisions: number;
  /** Points against each agent, 0 to 1, with 95 % intervals. */
  readonly scores: Readonly<Record<string, { readonly score: number; readonly interval: Interval }>>;
}

export interface StrengthOptions {
  /** Agents to be measured against, as `makeAgent` takes them. */
  readonly against: readonly string[];
  /** Games against each, half in each seat. */
  readonly games: number;
  readonly jobs: number;
  readonly progress?: (done: number, all: number) => void;
}

/** Points whose first passing is reported. */
export const LEVELS = [0.5, 0.75];

/**
 * Measures every model that a run has written against other agents, best action taken. Any trainer's run can be
 * measured that writes `models/NNNNNN.onnx`, by update, and `metrics.jsonl` with `at`, `seconds` and `decisions` of
 * each update.
 *
 * @throws KesselError `bad-config` when the folder has no model, or no metrics of one; `bad-option` for games of one
 *   player, where nobody is met
 */
export async function strengthCurve(
  game: Game,
  folder: RunFolder,
  { against, games, jobs, progress }: StrengthOptions,
): Promise<StrengthPoint[]> {
  if (game.players.length === 1)
    throw new KesselError(
      "bad-option",
      `${game.type.id} is played alone; its run's report (kessel train report) shows returns`,
    );
  const models = folder.models();
  if (models.length === 0) throw new KesselError("bad-config", `${join(folder.path, "models")} has no model yet`);
  const lines = folder.metrics.read();
  const spent = (update: number, what: string): number => {
    if (!lines.some((line) => line.at === update))
      throw new KesselError("bad-config", `${join(folder.path, "metrics.jsonl")} has no line of update ${update}`);
    return lines.reduce((sum, line) => sum + (line.at <= update ? Number(line[what] ?? 0) : 0), 0);
  };
  const points = models.map(({ name }) => {
    const update = Number.parseInt(name, 10);
    return { name, update, minutes: spent(update, "seconds") / 60, decisions: spent(update, "decisions") };
  });
  const all = points.length * against.length;
  let done = 0;
  const curve: StrengthPoint[] = [];
  for (const { name, ...point } of points) {
    const model = `onnx:${join(folder.path, "models", name)}`;
    const scores: Record<string, { score: number; interval: Interval }> = {};
    for (const other of against) {
      const { pairs } = await arena(game, { agents: [model, other], games, jobs, seed: "strength" });
      const { score, interval } = pairs[0]!.total;
      scores[other] = { score, interval };
      progress?.(++done, all);
    }
    curve.push({ ...point, scores });
  }
  return curve;
}

/** The first model that reaches a share of the points against an agent; null where none does. */
export const firstAt = (curve: readonly StrengthPoint[], against: string, level: number): StrengthPoint | null =>
  curve.find((p) => p.scores[against]!.score >= level) ?? null;

/** The curve, and when each agent was matched and beaten, as text. */
export function strengthText(curve: readonly StrengthPoint[], against: readonly string[]): string {
  const percent = (x: number): string => (100 * x).toFixed(1);
  const short = against.map((name) => name.replace("heuristic:", ""));
  const time = (p: StrengthPoint | null): string =>
    p === null ? "not reached" : `${p.minutes.toFixed(1)} min, ${p.decisions.toLocaleString("en")} decisions`;
  const rows = curve.map((p) => [
    String(p.update),
    p.minutes.toFixed(1),
    p.decisions.toLocaleString("en"),
    ...against.map((name) => {
      const { score, interval } = p.scores[name]!;
      return `${percent(score)} [${interval.map(percent).join("..")}]`;
    }),
  ]);
  const reached = against.map((name, i) => [short[i]!, ...LEVELS.map((level) => time(firstAt(curve, name, level)))]);
  return [
    table(["update", "minutes", "decisions", ...short.map((name) => `${name} %`)], rows),
    table(["against", ...LEVELS.map((level) => `${100 * level} %`)], reached),
  ].join("\n\n");
}
