import { percent } from "./arena-report.js";
import type { ArenaResult, Tally } from "./arena-tally.js";
import type { Interval } from "./stats.js";

/** The result as one HTML file with plots that needs nothing else. */
export function arenaPage(r: ArenaResult): string {
  const solo = r.players.length === 1;
  const parts = [
    `<h1>${escape(r.game)}: ${r.agents.length} agents</h1>`,
    `<p>Version ${r.version}, schema <code>${r.schema}</code>, seed <code>${escape(r.seed)}</code>${optionsText(r)}. Intervals are 95 %.</p>`,
  ];
  if (r.reconstructed !== null) parts.push(`<p>Reconstructed: ${escape(r.reconstructed)}.</p>`);
  if (solo) {
    parts.push("<h2>Return</h2>", bars(r.standings.map((s) => [s.agent, s.total.meanReturn, s.total.meanReturnInterval]), [-1, 1], (x) => x.toFixed(2)), soloTable(r));
  } else {
    const reach = Math.max(50, ...r.standings.flatMap((s) => s.eloInterval!.map(Math.abs)));
    parts.push("<h2>Rating (Elo)</h2>", bars(r.standings.map((s) => [s.agent, s.elo!, s.eloInterval!]), [-reach, reach], (x) => x.toFixed(0)));
    r.players.forEach((player, seat) => {
      parts.push(`<h2>Score as ${escape(player)}</h2>`, bars(r.standings.map((s) => [s.agent, s.seats[seat]!.score, s.seats[seat]!.interval]), [0, 1], percent));
    });
    parts.push("<h2>Score of the row against the column, %</h2>", payoff(r), "<h2>Pairs</h2>", pairTable(r));
    parts.push(`<p>${escape(r.players[0]!)} scored ${percent(r.firstSeat.score)} % of all games; that seat is worth ${r.firstSeatElo!.elo.toFixed(0)} Elo points (${range(r.firstSeatElo!.interval, (x) => x.toFixed(0))}).</p>`);
  }
  for (const e of r.endings) {
    const entries = Object.entries(e.shares);
    if (entries.length > 0) parts.push(`<h2>Endings${e.agent === null ? "" : ` of ${escape(e.agent)}`}, %</h2>`, bars(entries.map(([name, share]) => [name, share, [share, share]]), [0, 1], percent));
  }
  parts.push(`<p>${r.meanDecisions.toFixed(1)} decisions a game. Agents took ${r.timing.decisions} decisions in ${r.timing.seconds.toFixed(1)} s (${r.timing.decisionsPerSecond.toFixed(0)} a second).</p>`);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escape(r.game)}: arena</title><style>${STYLE}</style></head>\n<body>\n${parts.join("\n")}\n</body></html>\n`;
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.05rem;margin:1.6rem 0 .4rem}table{border-collapse:collapse}
td,th{padding:.2rem .6rem;border:1px solid #ccc;text-align:right;font-weight:normal}th:first-child,td:first-child{text-align:left}
th{background:#f3f3f0}text{font:13px system-ui,sans-serif}`;

const escape = (text: string): string => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
const range = ([low, high]: Interval, text: (x: number) => string): string => `${text(low)} to ${text(high)}`;

function optionsText(r: ArenaResult): string {
  const chosen = Object.entries(r.options).map(([k, v]) => `${k} ${v}`);
  return chosen.length === 0 ? "" : `, ${escape(chosen.join(", "))}`;
}

/** A dot and its interval for each row, over one axis. */
function bars(rows: readonly (readonly [string, number, Interval])[], [from, to]: Interval, text: (x: number) => string): string {
  const width = 720;
  const left = 260;
  const right = 60;
  const at = (x: number) => left + (Math.max(0, Math.min(1, (x - from) / (to - from))) * (width - left - right));
  const height = rows.length * 26 + 26;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((k) => from + k * (to - from));
  const grid = ticks.map((t) => `<line x1="${at(t)}" x2="${at(t)}" y1="4" y2="${height - 20}" stroke="#ddd"/><text x="${at(t)}" y="${height - 6}" text-anchor="middle" fill="#666">${text(t)}</text>`);
  const marks = rows.map(([name, value, interval], i) => {
    const y = 18 + i * 26;
    return `<text x="${left - 10}" y="${y + 4}" text-anchor="end">${escape(name)}</text><line x1="${at(interval[0])}" x2="${at(interval[1])}" y1="${y}" y2="${y}" stroke="#8a2b20" stroke-width="3" opacity=".45"/><circle cx="${at(value)}" cy="${y}" r="4.5" fill="#8a2b20"/><text x="${width - right + 10}" y="${y + 4}">${text(value)}</text>`;
  });
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" role="img">${grid.join("")}${marks.join("")}</svg>`;
}

function payoff(r: ArenaResult): string {
  const order = r.standings.map((s) => r.agents.indexOf(s.agent));
  const head = `<tr><th></th>${order.map((j) => `<th>${escape(r.agents[j]!)}</th>`).join("")}</tr>`;
  const rows = order.map((i) => {
    const cells = order.map((j) => {
      const x = r.payoff[i]![j] ?? null;
      if (x === null) return "<td></td>";
      const strength = (Math.abs(x - 0.5) * 1.4).toFixed(2);
      return `<td style="background:rgba(${x >= 0.5 ? "46,110,62" : "138,43,32"},${strength})">${percent(x)}</td>`;
    });
    return `<tr><td>${escape(r.agents[i]!)}</td>${cells.join("")}</tr>`;
  });
  return `<table>${head}${rows.join("")}</table>`;
}

function pairTable(r: ArenaResult): string {
  const cell = (t: Tally) => `<td>${percent(t.score)} (${range(t.interval, percent)})</td>`;
  const head = `<tr><th>agent</th><th>against</th><th>won / drawn / lost</th><th>score %</th>${r.players.map((p) => `<th>as ${escape(p)} %</th>`).join("")}<th>decisions</th></tr>`;
  const rows = r.pairs.map(
    (p) => `<tr><td>${escape(r.agents[p.a]!)}</td><td>${escape(r.agents[p.b]!)}</td><td>${p.total.wins} / ${p.total.draws} / ${p.total.losses}</td>${cell(p.total)}${p.seats.map(cell).join("")}<td>${p.meanDecisions.toFixed(1)}</td></tr>`,
  );
  return `<table>${head}${rows.join("")}</table>`;
}

function soloTable(r: ArenaResult): string {
  const head = "<tr><th>agent</th><th>return</th><th>won %</th><th>drawn %</th><th>lost %</th><th>games</th></tr>";
  const rows = r.standings.map(({ agent, total: t }) => `<tr><td>${escape(agent)}</td><td>${t.meanReturn.toFixed(3)} (${range(t.meanReturnInterval, (x) => x.toFixed(3))})</td>${[t.wins, t.draws, t.losses].map((n) => `<td>${percent(n / t.games)}</td>`).join("")}<td>${t.games}</td></tr>`);
  return `<table>${head}${rows.join("")}</table>`;
}
