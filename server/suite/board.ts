import { settingsText } from "../../agents/llm/named.js";
import { gameType } from "../../env/index.js";
import { escape, htmlTable, page } from "../../training/report/html.js";
import { table } from "../../training/report/table.js";
import { type GameScores, inOrder, type Score, type Submission } from "./submission.js";

/** One row of the leaderboard: an agent in one game and book. */
interface Entry {
  readonly agent: string;
  /** Of a language model; null for other agents. */
  readonly settings: Readonly<Record<string, string>> | null;
  readonly scores: GameScores;
  readonly heldOut: GameScores | null;
}

/** The leaderboard of one game. */
export interface Board {
  readonly game: string;
  readonly title: string;
  /** First digits of the book's hash. Each book has a table of its own. */
  readonly book: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const HEADS = [
  "agent",
  "settings",
  "games",
  "points %",
  "progress",
  "regret",
  "puzzles %",
  "rules %",
  "belief loss above least",
  "public less held-out: puzzles, rules",
  "illegal %",
  "tokens an order",
];

const cell = (s: Score | null, digits: number, times = 1): string => {
  if (s === null) return "-";
  const text = (x: number): string => (times * x).toFixed(digits);
  return s.of === 1 ? text(s.mean) : `${text(s.mean)} [${text(s.interval[0])}, ${text(s.interval[1])}]`;
};

/** Points over all levels and random play; in solitaire games the return as points. */
function pointsOf({ points }: GameScores): number | null {
  const all = Object.entries(points).map(([who, s]) => (who === "alone" ? (s.mean + 1) / 2 : s.mean));
  return all.length === 0 ? null : all.reduce((a, b) => a + b, 0) / all.length;
}

/** Number of whole games against each opponent. */
const gamesOf = ({ points }: GameScores): string => String(Object.values(points)[0]?.of ?? "-");

/** Tables of many runs, one for each game and book, with the best progress first. */
export function boardsOf(submissions: readonly Submission[]): Board[] {
  const entries = submissions.flatMap((s) =>
    s.agents.flatMap(({ agent, settings, scores, heldOut }) =>
      scores.map((own): Entry => ({
        ...{ agent, settings, scores: own },
        heldOut: heldOut?.find((h) => h.game === own.game) ?? null,
      })),
    ),
  );
  return inOrder(entries.map((e) => e.scores.game)).flatMap((id) => {
    const own = entries.filter((e) => e.scores.game === id);
    const books = [...new Set(own.map((e) => e.scores.book))].sort();
    return books.map((book): Board => ({
      game: id,
      title: gameType(id).title,
      book: book.slice(0, 12),
      heads: HEADS,
      rows: own
        .filter((e) => e.scores.book === book)
        .sort(
          (a, b) =>
            (b.scores.progress?.mean ?? -1) - (a.scores.progress?.mean ?? -1) ||
            (b.scores.puzzles?.mean ?? -1) - (a.scores.puzzles?.mean ?? -1) ||
            (a.agent < b.agent ? -1 : 1),
        )
        .map(rowOf),
    }));
  });
}

function rowOf({ agent, settings, scores, heldOut }: Entry): string[] {
  const points = pointsOf(scores);
  const less = (["puzzles", "rules"] as const).map((part) => {
    const [a, b] = [scores[part], heldOut?.[part] ?? null];
    return a === null || b === null ? "-" : (100 * (a.mean - b.mean)).toFixed(1);
  });
  return [
    agent,
    settings === null ? "-" : settingsText((key) => settings[key]),
    gamesOf(scores),
    points === null ? "-" : (100 * points).toFixed(1),
    cell(scores.progress, 1),
    cell(scores.regret, 3),
    cell(scores.puzzles, 1, 100),
    cell(scores.rules, 1, 100),
    cell(scores.beliefsAbove, 2),
    less.every((l) => l === "-") ? "-" : less.join(", "),
    cell(scores.illegal, 1, 100),
    scores.tokensAnOrder === null ? "-" : scores.tokensAnOrder.toFixed(0),
  ];
}

export const boardsText = (boards: readonly Board[]): string =>
  boards.map((b) => `${b.title} (${b.game}), book ${b.book}\n\n${table(b.heads, b.rows)}`).join("\n\n");

export const boardsPage = (boards: readonly Board[]): string =>
  page("Kessel: the language suite", [
    "<h1>The language suite of Kessel</h1><p>Intervals are of 95 %.</p>",
    ...boards.map(
      (b) =>
        `<h2>${escape(b.title)}</h2><p>Book <code>${b.book}</code>.</p>${htmlTable(
          b.heads,
          b.rows.map((r) => r.map(escape)),
        )}`,
    ),
  ]);

/** As Markdown, for the documentation site. */
export const boardsMarkdown = (boards: readonly Board[]): string =>
  boards
    .map((b) => {
      const line = (cells: readonly string[]): string =>
        `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |`;
      const rule = `| ${b.heads.map((_, i) => (i === 0 ? "---" : "---:")).join(" | ")} |`;
      return [`### ${b.title}`, `Book \`${b.book}\`.`, [line(b.heads), rule, ...b.rows.map(line)].join("\n")].join(
        "\n\n",
      );
    })
    .join("\n\n");
