import { luckText, points } from "./report.js";
import type { ArenaResult, LuckAdjustedResult, Standing, Tally } from "./tally.js";
import { escape, htmlTable, intervalChart, page, shareChart } from "../report/html.js";
import type { Interval } from "../report/stats.js";

/** The result as one self-contained HTML file with plots. */
export function arenaPage(r: ArenaResult): string {
  const solo = r.players.length === 1;
  const parts = [
    `<h1>${escape(r.game)}: ${r.agents.length} ${r.agents.length === 1 ? "agent" : "agents"}</h1>`,
    `<p>Version ${r.version}, schema <code>${r.schema}</code>, seed <code>${escape(r.seed)}</code>${optionsText(r)}. Intervals are 95 %.</p>`,
  ];
  if (r.reconstructed !== null) parts.push(`<p>Reconstructed: ${escape(r.reconstructed)}.</p>`);
  parts.push(...(solo ? soloParts(r) : duelParts(r)));
  if (r.luckAdjusted !== null)
    parts.push(
      "<h2>Return adjusted for luck</h2>",
      `<p>Adjusted for ${escape(luckText(r.luckAdjusted.valueModel))}. The last column is the share of the games that gives an interval as narrow.</p>`,
      luckTable(r, r.luckAdjusted.results),
    );
  for (const e of r.endings) {
    const entries = Object.entries(e.shares);
    if (entries.length > 0)
      parts.push(`<h2>Endings${e.agent === null ? "" : ` of ${escape(e.agent)}`}</h2>`, shareChart(entries));
  }
  parts.push(
    `<p>${r.meanDecisions.toFixed(1)} decisions a game. Agents took ${r.timing.decisions} decisions in ${r.timing.seconds.toFixed(1)} s (${r.timing.decisionsPerSecond.toFixed(0)} a second).</p>`,
  );
  return page(`${r.game}: arena`, parts);
}

const range = ([low, high]: Interval, text: (x: number) => string): string => `${text(low)} to ${text(high)}`;
const whole = (x: number): string => x.toFixed(0);
const exact = (x: number): string => x.toFixed(3);

function optionsText(r: ArenaResult): string {
  const chosen = Object.entries(r.options).map(([k, v]) => `${k} ${v}`);
  return chosen.length === 0 ? "" : `, ${escape(chosen.join(", "))}`;
}

function soloParts(r: ArenaResult): string[] {
  const returns = r.standings.map(({ agent, total }) => ({
    name: agent,
    value: total.meanReturn,
    interval: total.meanReturnInterval,
  }));
  const rows = r.standings.map(({ agent, total: t }) => [
    escape(agent),
    `${exact(t.meanReturn)} (${range(t.meanReturnInterval, exact)})`,
    ...[t.wins, t.draws, t.losses].map((n) => points(n / t.games)),
    String(t.games),
  ]);
  const parts = [
    "<h2>Return</h2>",
    intervalChart(returns, [-1, 1], "mean return", 0),
    htmlTable(["agent", "return", "won %", "drawn %", "lost %", "games"], rows),
  ];
  if (r.differences.length > 0)
    parts.push(
      "<h2>Differences on the same seeds</h2>",
      htmlTable(
        ["agent", "against", "difference"],
        r.differences.map((d) => [
          escape(r.agents[d.a]!),
          escape(r.agents[d.b]!),
          `${exact(d.mean)} (${range(d.interval, exact)})`,
        ]),
      ),
    );
  return parts;
}

function duelParts(r: ArenaResult): string[] {
  const reach = Math.max(50, ...r.standings.flatMap((s) => s.eloInterval!.map(Math.abs)));
  const rates = (tallyOf: (s: Standing) => Tally) =>
    r.standings.flatMap((s) => {
      const {
        games,
        score,
        interval: [low, high],
      } = tallyOf(s);
      // no bar for a seat that was not played
      return games === 0 ? [] : [{ name: s.agent, value: 100 * score, interval: [100 * low, 100 * high] as const }];
    });
  return [
    "<h2>Rating</h2>",
    intervalChart(
      r.standings.map((s) => ({ name: s.agent, value: s.elo!, interval: s.eloInterval! })),
      [-reach, reach],
      "Elo",
      0,
    ),
    ...r.players.flatMap((player, seat) => [
      `<h2>Score as ${escape(player)}</h2>`,
      intervalChart(
        rates((s) => s.seats[seat]!),
        [0, 100],
        "%",
        50,
      ),
    ]),
    "<h2>Standings</h2>",
    standingTable(r),
    "<h2>Score of the row against the column, %</h2>",
    payoff(r),
    "<h2>Pairs</h2>",
    pairTable(r),
    `<p>${escape(r.players[0]!)} scored ${points(r.firstSeat.score)} % of all games${seatWorth(r)}.</p>`,
  ];
}

const seatWorth = ({ firstSeatElo: seat }: ArenaResult): string =>
  seat === null ? "" : `; that seat is worth ${whole(seat.elo)} Elo points (${range(seat.interval, whole)})`;

function luckTable(r: ArenaResult, results: readonly LuckAdjustedResult[]): string {
  const rows = results.map((f) => [
    escape(r.agents[f.a]!),
    f.b === null ? "" : escape(r.agents[f.b]!),
    `${exact(f.mean)} (${range(f.interval, exact)})`,
    `${exact(f.adjustedMean)} (${range(f.adjustedInterval, exact)})`,
    f.sampleFraction === null ? "" : points(f.sampleFraction),
  ]);
  return htmlTable(["agent", "against", "return", "adjusted for luck", "games needed %"], rows);
}

const scoreCell = (t: Tally): string => (t.games === 0 ? "" : `${points(t.score)} (${range(t.interval, points)})`);

function standingTable(r: ArenaResult): string {
  const bySeat = r.standings[0]!.seatElo !== null;
  const heads = [
    "agent",
    "Elo",
    "score %",
    ...r.players.map((p) => `as ${escape(p)} %`),
    ...(bySeat ? r.players.map((p) => `Elo as ${escape(p)}`) : []),
    "games",
    "us a decision",
  ];
  const rows = r.standings.map((s) => [
    escape(s.agent),
    `${whole(s.elo!)} (${range(s.eloInterval!, whole)})`,
    scoreCell(s.total),
    ...s.seats.map(scoreCell),
    ...(s.seatElo ?? []).map((e) => `${whole(e.elo)} (${range(e.interval, whole)})`),
    String(s.total.games),
    (r.timing.microseconds[s.agent] ?? 0).toFixed(1),
  ]);
  return htmlTable(heads, rows);
}

function payoff(r: ArenaResult): string {
  const order = r.standings.map((s) => r.agents.indexOf(s.agent));
  const rows = order.map((i) => {
    const cells = order.map((j) => {
      const x = r.payoff[i]![j] ?? null;
      if (x === null) return "<td></td>";
      const strength = (Math.abs(x - 0.5) * 1.4).toFixed(2);
      return `<td style="background:rgba(${x >= 0.5 ? "64,140,80" : "190,80,60"},${strength})">${points(x)}</td>`;
    });
    return `<tr><td>${escape(r.agents[i]!)}</td>${cells.join("")}</tr>`;
  });
  return `<table><tr><th></th>${order.map((j) => `<th>${escape(r.agents[j]!)}</th>`).join("")}</tr>${rows.join("")}</table>`;
}

function pairTable(r: ArenaResult): string {
  const heads = [
    "agent",
    "against",
    "won / drawn / lost",
    "score %",
    ...r.players.map((p) => `as ${escape(p)} %`),
    "decisions",
  ];
  const rows = r.pairs.map((p) => [
    escape(r.agents[p.a]!),
    escape(r.agents[p.b]!),
    `${p.total.wins} / ${p.total.draws} / ${p.total.losses}`,
    scoreCell(p.total),
    ...p.seats.map(scoreCell),
    p.meanDecisions.toFixed(1),
  ]);
  return htmlTable(heads, rows);
}
