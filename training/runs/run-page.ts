import type { JsonObject } from "../../env/index.js";
import type { MetricLine } from "./metrics.js";
import { curveChart, escape, htmlTable, page } from "../report/html.js";
import { type Chart, chartsOf, numberAt } from "./charts.js";
import { percent } from "./progress.js";

/** Contents of a run's report. */
export interface RunRecord {
  readonly config: JsonObject;
  readonly lines: readonly MetricLine[];
  /** Model files of the run, with their sizes in bytes. */
  readonly models: readonly { readonly name: string; readonly bytes: number }[];
}

const METHODS: Readonly<Record<string, string>> = {
  imitate: "imitation",
  ppo: "self-play (PPO)",
  expert: "expert iteration",
};

/** A run as one self-contained HTML file: curves of strength, learning and speed; models; configuration. */
export function runPage({ config, lines, models }: RunRecord): string {
  const game = String(config["game"]);
  const imitation = config["method"] === "imitate";
  const xLabel = imitation ? "epoch" : "update";
  const last = lines.at(-1);
  const total = (key: string): number => lines.reduce((sum, line) => sum + (numberAt(line, key) ?? 0), 0);
  const parts = [`<h1>Training run: ${escape(game)}</h1>`];
  if (last === undefined) parts.push("<p>No update has finished yet.</p>");
  else {
    const facts: [string, string][] = [
      ["method", METHODS[String(config["method"])] ?? ""],
      ["seed", String(config["seed"])],
      [`${xLabel}s`, String(last.at)],
      ...["games", "decisions", "samples"]
        .filter((key) => numberAt(last, key) !== null)
        .map((key): [string, string] => [key, total(key).toLocaleString("en")]),
      ["hours", (total("seconds") / 3600).toFixed(2)],
    ];
    parts.push(
      htmlTable(
        [],
        facts.map((row) => row.map(escape)),
      ),
    );
    const { strength, learning, speed } = chartsOf(lines);
    const draw = (charts: readonly Chart[]) =>
      `<div class="charts">${charts.map((c) => curveChart(c.title, c.curves, { xLabel, ...(c.rate ? { domain: [0, 100] } : {}) })).join("")}</div>`;
    if (strength.length > 0)
      parts.push(
        "<h2>Points in percent</h2>",
        "<p>A draw is half a point; bands are Wilson's 95 % intervals.</p>",
        draw(strength),
      );
    parts.push("<h2>Learning</h2>", draw(learning), "<h2>Speed</h2>", draw(speed));
    const league = lines.findLast((line) => line["league"] !== undefined);
    if (league !== undefined)
      parts.push(
        `<h2>League at update ${league.at}</h2>`,
        "<p>The learner's recent points in percent, by its seat.</p>",
        leagueTable(league["league"] as JsonObject),
      );
  }
  if (models.length > 0)
    parts.push(
      "<h2>Models</h2>",
      htmlTable(
        ["file", "bytes"],
        models.map((m) => [escape(m.name), m.bytes.toLocaleString("en")]),
      ),
    );
  parts.push("<h2>Configuration</h2>", `<pre>${escape(JSON.stringify(config, null, 2))}</pre>`);
  return page(`${game}: training run`, parts);
}

function leagueTable(league: JsonObject): string {
  const rows = Object.entries(league as unknown as Record<string, Record<string, number>>);
  const seats = Object.keys(rows[0]?.[1] ?? {});
  return htmlTable(
    ["opponent", ...seats.map((s) => `as ${escape(s)}`)],
    rows.map(([name, rates]) => [escape(name), ...seats.map((s) => percent(rates[s]!))]),
  );
}
