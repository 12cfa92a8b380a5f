import { silences } from "../../agents/llm/llm.js";
import type { Usage } from "../../agents/llm/model.js";
import { loadGame } from "../../env/index.js";
import type { Tally } from "../../training/arena/tally.js";
import { points } from "../../training/arena/report.js";
import { differenceInterval, type Interval, meanInterval, wilson } from "../../training/report/stats.js";
import { table } from "../../training/report/table.js";
import { chanceOf, type Item, noThought } from "../puzzles/no-thought.js";
import { itemOf as puzzleItem } from "../puzzles/select.js";
import { COMPARED_HEADS } from "./agents.js";
import type { Book } from "./document.js";
import { itemOf as ruleItem } from "./fairness.js";
import { lossBounds, type LossBounds } from "./grade.js";
import type { Course } from "./progress.js";
import type { GamesResult, QuestionsResult, SuiteResult } from "./run.js";

const within = ([low, high]: Interval, text: (x: number) => string): string => `[${text(low)}, ${text(high)}]`;
const rate = (n: number, of: number): string => (of === 0 ? "-" : `${points(n / of)} ${within(wilson(n, of), points)}`);
const whole = (x: number): string => x.toFixed(0);
const tenths = (x: number): string => x.toFixed(1);
const fixed = (x: number): string => x.toFixed(2);

export const meanWith = (scores: readonly number[]): { readonly mean: number; readonly interval: Interval } =>
  meanInterval(
    scores.reduce((a, b) => a + b, 0),
    scores.reduce((a, b) => a + b * b, 0),
    scores.length,
  );

function meanOf(scores: readonly number[], text = fixed): string {
  if (scores.length === 0) return "-";
  const { mean, interval } = meanWith(scores);
  return scores.length === 1 ? text(mean) : `${text(mean)} ${within(interval, text)}`;
}

/** A return from -1 to 1, with the interval of its score: even 20 wins of 20 leave room for a loss. */
const returnOf = ({ meanReturn, interval: [low, high] }: Tally): string =>
  `${fixed(meanReturn)} ${within([2 * low - 1, 2 * high - 1], fixed)}`;

/** The results of several agents in the suite of one game, as text with 95 % intervals. */
export function suiteText(book: Book, results: readonly SuiteResult[]): string {
  const { game, suite, puzzles } = book;
  const options = Object.entries(suite.options).map(([k, v]) => `, ${k}=${v}`);
  const parts = [`${suite.game} version ${suite.version}${options.join("")}`];
  const played = results.flatMap((r) => (r.games === null ? [] : [{ agent: r.agent, ...r.games }]));
  if (played.length > 0) {
    const levels = played[0]!.against.map((a) => a.level);
    const heads = levels.map((l) => (l === null ? "return" : `against ${l} %`));
    const seats = game.players.length === 1 ? [] : game.players;
    const rows = played.map(({ agent, against, ratings, usage }) => [
      agent,
      String(against[0]!.total.games),
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
      `Whole games${levels[0] === null ? "" : ", as many against each level"}:`,
      table(["agent", "games", ...heads, ...seats.map((s) => `Elo as ${s}`), "answers", "illegal %"], rows),
    );
    parts.push(coursesText(played));
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
    // where not all were asked, how many
    const number = (q: QuestionsResult, all: number): string => (q.asked < all ? ` of ${q.asked}` : "");
    const share = (q: QuestionsResult | null, all: number): string =>
      q === null
        ? "-"
        : `${rate(
            q.scores.reduce((a, b) => a + b, 0),
            q.asked,
          )}${number(q, all)}`;
    const unread = (r: SuiteResult): string => {
      const all = [r.puzzles, r.rules, r.beliefs].filter((q) => q !== null);
      return String(all.reduce((n, q) => n + q.usage.illegal, 0));
    };
    const regret = (r: SuiteResult): string => (r.puzzles?.regrets === undefined ? "-" : meanOf(r.puzzles.regrets));
    const rows = asked.map((r) => [
      r.agent,
      share(r.puzzles, puzzles?.puzzles.length ?? 0),
      regret(r),
      share(r.rules, suite.rules.length),
      r.beliefs === null ? "-" : `${meanOf(r.beliefs.scores)}${number(r.beliefs, suite.beliefs.length)}`,
      unread(r),
    ]);
    const items = itemsOf(book);
    const bounds = suite.beliefs.map(lossBounds);
    const loss = (of: (b: LossBounds) => number): string => meanOf(bounds.map(of));
    const [byPuzzle, byRule] = [noThought(items.puzzles), noThought(items.rules)];
    const chance = (list: readonly Item[]): string => (list.length === 0 ? "-" : points(chanceOf(list)));
    const without = byPuzzle.map(({ policy, right }, i) => [
      `(no thought: ${policy})`,
      rate(right.filter(Boolean).length, right.length),
      "",
      rate(byRule[i]!.right.filter(Boolean).length, byRule[i]!.right.length),
      "",
      "",
    ]);
    parts.push(
      `${puzzles?.puzzles.length ?? 0} puzzles, ${suite.rules.length} rule questions, ${suite.beliefs.length} belief questions:`,
      table(
        ["agent", "puzzles solved %", "regret", "rules right %", "belief log loss", "not readable"],
        [
          ...rows,
          ...without,
          ["(chance; all alike)", chance(items.puzzles), "", chance(items.rules), loss((b) => b.uniform), ""],
          ["(what is face-down anywhere)", "", "", "", loss((b) => b.pool), ""],
          ["(the worlds themselves)", "", "", "", loss((b) => b.least), ""],
        ],
      ),
    );
  }
  const used = results.flatMap((r) => {
    const all = [r.games, r.puzzles, r.rules, r.beliefs].filter((x) => x !== null).map((x) => x.usage);
    const sum = (key: "asked" | "answered" | "money"): number => all.reduce((n, u) => n + u[key], 0);
    return sum("asked") + sum("answered") === 0 && silences(all) === "none"
      ? []
      : [[r.agent, String(sum("asked")), String(sum("answered")), sum("money").toFixed(4), silences(all)]];
  });
  if (used.length > 0) parts.push(table(["agent", "tokens asked", "answered", "cost", "empty answers"], used));
  const models = results.flatMap((r) => (r.settings === null ? [] : [[r.agent, ...r.settings]]));
  if (models.length > 0) {
    // older results lack the last column
    const all = models.map((row) => [...row, ...(row.length > COMPARED_HEADS.length ? [] : ["default"])]);
    const isPlain = all.every((row) => row.at(-1) === "default");
    const heads = ["agent", ...COMPARED_HEADS];
    parts.push(table(isPlain ? heads.slice(0, -1) : heads, isPlain ? all.map((row) => row.slice(0, -1)) : all));
  }
  parts.push(...results.flatMap(asideText));
  return parts.join("\n\n");
}

/** A line for each agent with questions that were skipped because its server gave no answer. */
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
    `${r.agent}: set aside because its server gave no answer${why}: ${aside.join(", ")}. Run it again with the same transcript to ask them.`,
  ];
}

/** The mean of points from 0 to 100, with its interval cut to that range. */
function progressText(values: readonly number[]): string {
  if (values.length < 2) return meanOf(values, tenths);
  const { mean, interval } = progressMean(values);
  return `${tenths(mean)} ${within(interval, tenths)}`;
}

export function progressMean(values: readonly number[]): ReturnType<typeof meanWith> {
  const { mean, interval } = meanWith(values);
  return { mean, interval: [Math.max(0, interval[0]), Math.min(100, interval[1])] };
}

/** Progress, regret and effort in whole games: for each game, decision and answer. */
function coursesText(played: readonly (GamesResult & { readonly agent: string })[]): string {
  const turns = Math.max(0, ...played.flatMap((p) => p.courses.map((c) => c.turns.length)));
  const fixedTurns = turnsShown(turns);
  return table(
    [
      "agent",
      "progress at the end",
      ...fixedTurns.map((t) => `after turn ${t}`),
      "regret a decision",
      "tokens an order",
      "decisions an order",
    ],
    played.map(({ agent, courses, usage }) => [
      agent,
      progressText(courses.map((c) => c.end)),
      ...fixedTurns.map((t) => progressText(courses.map((c) => c.turns[t - 1]!))),
      meanOf(courses.flatMap((c) => c.regrets)),
      ...effortOf(courses, usage).map((x) => (x === null ? "-" : tenths(x))),
    ]),
  );
}

/** The turns whose progress the tables show: after a third and two thirds of a game. */
export const turnsShown = (turns: number): number[] =>
  [...new Set([1, 2].map((k) => Math.round((k * turns) / 3)))].filter((t) => t > 0 && t < turns);

/**
 * Tokens of question and answer for each order, and decisions that an order covers; null without orders. Questions to
 * tools and proposals are not orders, but their tokens count.
 */
export function effortOf(courses: readonly Course[], usage: Usage): readonly [number | null, number | null] {
  const orders = usage.answers - usage.asides;
  if (orders === 0) return [null, null];
  const tokens = usage.asked + usage.answered;
  const decisions = courses.reduce((n, c) => n + c.decisions, 0);
  return [tokens === 0 ? null : tokens / orders, decisions / orders];
}

/** The questions of a book, as lists of options. */
export function itemsOf({ game, suite, puzzles }: Book): { readonly puzzles: Item[]; readonly rules: Item[] } {
  return {
    puzzles: (puzzles?.puzzles ?? []).map((p) => puzzleItem(loadGame(game.type.id, p.options), p)),
    rules: suite.rules.map((q) => ruleItem(q)),
  };
}

/**
 * Scores in the public and in the held-out book side by side. A model that has memorised the public one scores higher
 * there.
 *
 * @param held-out results of the same agents
 */
export function heldOutText(
  [open, secret]: readonly [Book, Book],
  results: readonly SuiteResult[],
  heldOut: readonly SuiteResult[],
): string {
  const rows = results.flatMap((r, i) => {
    const other = heldOut[i]!;
    const shares = (["puzzles", "rules"] as const).flatMap((part) => {
      const [a, b] = [r[part], other[part]];
      if (a === null || b === null || a.asked === 0 || b.asked === 0) return [];
      const [p, q] = [a, b].map(({ scores, asked }) => {
        const right = scores.reduce((x, y) => x + y, 0);
        return [right / asked, wilson(right, asked)] as const;
      });
      const difference = `${points(p![0] - q![0])} ${within(differenceInterval(p!, q!), points)}`;
      return [
        [r.agent, part === "puzzles" ? "puzzles solved %" : "rules right %", points(p![0]), points(q![0]), difference],
      ];
    });
    if (r.beliefs === null || other.beliefs === null || r.beliefs.asked === 0 || other.beliefs.asked === 0)
      return shares;
    const [a, b] = [above(r.beliefs), above(other.beliefs)];
    const half = Math.hypot(a.mean - a.interval[0], b.mean - b.interval[0]);
    const d = a.mean - b.mean;
    const losses = [r.agent, "loss above the worlds'", fixed(a.mean), fixed(b.mean)];
    return [...shares, [...losses, `${fixed(d)} ${within([d - half, d + half], fixed)}`]];
  });
  const missing = results.some((r) => r.puzzles !== null) && secret.puzzles === null;
  const without = missing
    ? [`The held-out book has no puzzles. To make some, add --puzzles to kessel suite make ${open.game.type.id}.`]
    : [];
  if (rows.length === 0) return without.join("");
  return [
    `In the public book ${open.suite.book.slice(0, 12)} and the held-out book ${secret.suite.book.slice(0, 12)}:\n\n${table(["agent", "score", "public", "held-out", "difference"], rows, 2)}`,
    ...without,
  ].join("\n\n");
}

/** Log loss above the lowest possible. */
const above = ({ scores, least = [] }: QuestionsResult): ReturnType<typeof meanWith> =>
  meanWith(scores.map((s, i) => s - least[i]!));
