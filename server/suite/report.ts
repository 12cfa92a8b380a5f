import { silences } from "../../agents/llm/llm.js";
import type { Game } from "../../env/index.js";
import type { Tally } from "../../training/arena/tally.js";
import { points } from "../../training/arena/report.js";
import { type Interval, meanInterval, wilson } from "../../training/report/stats.js";
import { table } from "../../training/report/table.js";
import { puzzlesOf } from "../puzzles/puzzle.js";
import type { SuiteDocument } from "./document.js";
import { lossBounds } from "./grade.js";
import type { QuestionsResult, SuiteResult } from "./run.js";

const within = ([low, high]: Interval, text: (x: number) => string): string => `[${text(low)}, ${text(high)}]`;
const rate = (n: number, of: number): string => (of === 0 ? "-" : `${points(n / of)} ${within(wilson(n, of), points)}`);
const whole = (x: number): string => x.toFixed(0);
const fixed = (x: number): string => x.toFixed(2);

function meanOf(scores: readonly number[]): string {
  const { mean, interval } = meanInterval(
    scores.reduce((a, b) => a + b, 0),
    scores.reduce((a, b) => a + b * b, 0),
    scores.length,
  );
  return `${fixed(mean)} ${within(interval, fixed)}`;
}

/** Returns of -1 to 1, with the interval of the score they stand for: 20 wins of 20 leave room for a loss. */
const returnOf = ({ meanReturn, interval: [low, high] }: Tally): string =>
  `${fixed(meanReturn)} ${within([2 * low - 1, 2 * high - 1], fixed)}`;

/** The results of several agents in the suite of one game, as text. Intervals are of 95 %. */
export function suiteText(game: Game, suite: SuiteDocument, results: readonly SuiteResult[], games: number): string {
  const options = Object.entries(suite.options).map(([k, v]) => `, ${k}=${v}`);
  const parts = [`${suite.game} version ${suite.version}${options.join("")}`];
  const played = results.flatMap((r) => (r.games === null ? [] : [{ agent: r.agent, ...r.games }]));
  if (played.length > 0) {
    const levels = played[0]!.against.map((a) => a.level);
    const heads = levels.map((l) => (l === null ? "return" : `against ${l} %`));
    const seats = game.players.length === 1 ? [] : game.players;
    const rows = played.map(({ agent, against, ratings, usage }) => [
      agent,
      ...against.map(({ level, total }) =>
        level === null ? returnOf(total) : rate(total.wins + total.draws / 2, total.games),
      ),
      ...seats.map((seat) => {
        const r = ratings.find((x) => x.seat === seat);
        return r === undefined ? "-" : `${whole(r.value)} ${within(r.interval, whole)}`;
      }),
      String(usage.answers),
      rate(usage.illegal, usage.answers),
    ]);
    parts.push(
      `${games} games${levels[0] === null ? "" : " against each level"}:`,
      table(["agent", ...heads, ...seats.map((s) => `Elo as ${s}`), "answers", "illegal %"], rows),
    );
    const scale = played.flatMap((p) => p.ratings);
    for (const seat of seats) {
      const found = scale.find((r) => r.seat === seat);
      if (found !== undefined)
        parts.push(
          `On the same scale as ${seat}: ${found.agents.map((a) => `${a.who} ${whole(a.value)}`).join(", ")}.`,
        );
    }
  }
  const asked = results.filter((r) => r.puzzles !== null || r.rules !== null || r.beliefs !== null);
  if (asked.length > 0) {
    const share = (q: QuestionsResult | null): string =>
      q === null
        ? "-"
        : rate(
            q.scores.reduce((a, b) => a + b, 0),
            q.asked,
          );
    const unread = (r: SuiteResult): string => {
      const all = [r.puzzles, r.rules, r.beliefs].filter((q) => q !== null);
      return String(all.reduce((n, q) => n + q.usage.illegal, 0));
    };
    const rows = asked.map((r) => [
      r.agent,
      share(r.puzzles),
      share(r.rules),
      r.beliefs === null || r.beliefs.asked === 0 ? "-" : meanOf(r.beliefs.scores),
      unread(r),
    ]);
    const bounds = suite.beliefs.map(lossBounds);
    const about = bounds.length === 0 ? "-" : meanOf(bounds.map((b) => b.uniform));
    const least = bounds.length === 0 ? "-" : meanOf(bounds.map((b) => b.least));
    parts.push(
      `${puzzlesOf(suite.game)?.puzzles.length ?? 0} puzzles, ${suite.rules.length} rule questions, ${suite.beliefs.length} belief questions:`,
      table(
        ["agent", "puzzles solved %", "rules right %", "belief log loss", "not readable"],
        [
          ...rows,
          ["(the commonest answer; all alike)", "", rate(commonest(suite), suite.rules.length), about, ""],
          ["(the worlds themselves)", "", "", least, ""],
        ],
      ),
    );
  }
  const used = results.flatMap((r) => {
    const all = [r.games, r.puzzles, r.rules, r.beliefs].filter((x) => x !== null).map((x) => x.usage);
    const sum = (key: "asked" | "answered" | "money"): number => all.reduce((n, u) => n + u[key], 0);
    return sum("asked") + sum("answered") === 0
      ? []
      : [[r.agent, String(sum("asked")), String(sum("answered")), sum("money").toFixed(4), silences(all)]];
  });
  if (used.length > 0) parts.push(table(["agent", "tokens asked", "answered", "cost", "said nothing"], used));
  parts.push(...results.flatMap(asideText));
  return parts.join("\n\n");
}

/** What was not asked because a model's server was down. */
function asideText(r: SuiteResult): string[] {
  const count = (q: QuestionsResult | null, what: string): string[] =>
    q === null || q.aside === 0 ? [] : [`${q.aside} ${what}`];
  const aside = [
    ...(r.gamesAside === null ? [] : ["the games"]),
    ...count(r.puzzles, "puzzles"),
    ...count(r.rules, "rule questions"),
    ...count(r.beliefs, "belief questions"),
  ];
  if (aside.length === 0) return [];
  const why = r.gamesAside === null ? "" : ` (${r.gamesAside})`;
  return [
    `${r.agent}: set aside because its server was down${why}: ${aside.join(", ")}. Run it again with the same transcript to ask them.`,
  ];
}

/** Right answers of somebody who gives the commonest answer of each kind of rule question. */
export function commonest({ rules }: SuiteDocument): number {
  const counts = new Map<string, Map<string, number>>();
  for (const { kind, answer } of rules) {
    const ofKind = counts.get(kind) ?? new Map<string, number>();
    counts.set(kind, ofKind.set(answer, (ofKind.get(answer) ?? 0) + 1));
  }
  return [...counts.values()].reduce((n, ofKind) => n + Math.max(...ofKind.values()), 0);
}
