import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { GAMES, parseWith } from "../../env/index.js";
import { type Interval, wilson } from "../../training/report/stats.js";
import { shownSettings, settingsOf } from "./agents.js";
import { type Book, bookHash } from "./document.js";
import { effortOf, meanWith, progressMean, turnsShown } from "./report.js";
import type { QuestionsResult, SuiteResult } from "./run.js";

const number = z.number();
/** A mean or share with its 95 % interval, and the number of samples. */
const score = z.strictObject({ mean: number, interval: z.tuple([number, number]), of: z.number().int() });
export type Score = z.infer<typeof score>;
const maybe = score.nullable();

const gameScores = z.strictObject({
  game: z.string(),
  version: z.number().int(),
  /** Hash of questions, puzzles and dice. */
  book: z.string(),
  /** Share of the points in whole games by opponent; in solitaire games the return as `alone`. */
  points: z.record(z.string(), score),
  /** From 0 to 100, at the end and after some turns. */
  progress: maybe,
  turns: z.record(z.string(), score),
  /** For each decision, as a return. */
  regret: maybe,
  illegal: maybe,
  tokensAnOrder: number.nullable(),
  decisionsAnOrder: number.nullable(),
  puzzles: maybe,
  puzzleRegret: maybe,
  rules: maybe,
  /** Log loss, and the difference to the lowest possible one. */
  beliefs: maybe,
  beliefsAbove: maybe,
});
export type GameScores = z.infer<typeof gameScores>;

const submission = z.strictObject({
  kessel: z.literal("suite"),
  format: z.literal(1),
  /** Version of Kessel. */
  version: z.string(),
  node: z.string(),
  made: z.string(),
  /** Number of whole games against each opponent that were asked for; `of` of the points has those that were played. */
  games: z.number().int(),
  agents: z.array(
    z.strictObject({
      agent: z.string(),
      /** Settings that change a language model's answers; null for other agents. */
      settings: z.record(z.string(), z.string()).nullable(),
      /** SHA-256 of its transcript; null without one. */
      transcript: z.string().nullable(),
      scores: z.array(gameScores),
      /** The same for the held-out book; null without one. */
      heldOut: z.array(gameScores).nullable(),
    }),
  ),
});
export type Submission = z.infer<typeof submission>;

/** @throws KesselError `bad-data` with path and reason */
export const parseSubmission = (doc: unknown, what: string): Submission => parseWith(submission, doc, "bad-data", what);

const bounded = ([low, high]: Interval): [number, number] => [
  Number.isFinite(low) ? low : -Number.MAX_VALUE,
  Number.isFinite(high) ? high : Number.MAX_VALUE,
];

function meanScore(values: readonly number[], of = meanWith): Score | null {
  if (values.length === 0) return null;
  const { mean, interval } = of(values);
  return { mean, interval: values.length === 1 ? [mean, mean] : bounded(interval), of: values.length };
}

function shareScore(n: number, of: number): Score | null {
  return of === 0 ? null : { mean: n / of, interval: bounded(wilson(n, of)), of };
}

const solved = (q: QuestionsResult | null): Score | null =>
  q === null
    ? null
    : shareScore(
        q.scores.reduce((a, b) => a + b, 0),
        q.asked,
      );

/** The scores of one agent in one book. */
export function scoresOf(book: Book, { games, puzzles, rules, beliefs }: SuiteResult): GameScores {
  const { game } = book;
  const against = (games?.against ?? []).map(({ level, total }): [string, Score | null] =>
    level === null
      ? [
          "alone",
          {
            mean: total.meanReturn,
            interval: [2 * total.interval[0] - 1, 2 * total.interval[1] - 1],
            of: total.games,
          },
        ]
      : [level, shareScore(total.wins + total.draws / 2, total.games)],
  );
  const courses = games?.courses ?? [];
  const turns = turnsShown(Math.max(0, ...courses.map((c) => c.turns.length)));
  const [tokensAnOrder, decisionsAnOrder] = games === null ? [null, null] : effortOf(courses, games.usage);
  return {
    game: game.type.id,
    version: game.type.version,
    book: bookHash(book),
    points: Object.fromEntries(against.flatMap(([who, s]) => (s === null ? [] : [[who, s]]))),
    progress: meanScore(
      courses.map((c) => c.end),
      progressMean,
    ),
    turns: Object.fromEntries(
      turns.map((t) => [
        String(t),
        meanScore(
          courses.map((c) => c.turns[t - 1]!),
          progressMean,
        )!,
      ]),
    ),
    regret: meanScore(courses.flatMap((c) => c.regrets)),
    illegal: games === null ? null : shareScore(games.usage.illegal, games.usage.answers),
    tokensAnOrder,
    decisionsAnOrder,
    puzzles: solved(puzzles),
    puzzleRegret: meanScore(puzzles?.regrets ?? []),
    rules: solved(rules),
    beliefs: beliefs === null ? null : meanScore(beliefs.scores),
    beliefsAbove: meanScore((beliefs?.least ?? []).map((least, i) => beliefs!.scores[i]! - least)),
  };
}

/** One agent's results in public books and, if there are any, in held-out books. */
export interface Measured {
  readonly name: string;
  readonly label: string;
  readonly results: readonly { readonly book: Book; readonly result: SuiteResult }[];
  readonly heldOut: readonly { readonly book: Book; readonly result: SuiteResult }[];
}

/** A run as a submission, without keys and addresses. */
export function submissionOf(version: string, games: number, agents: readonly Measured[]): Submission {
  return {
    kessel: "suite",
    format: 1,
    version,
    node: process.version,
    made: new Date().toISOString(),
    games,
    agents: agents.map(({ name, label, results, heldOut }) => {
      const settings = settingsOf(name);
      const file = settings?.transcript;
      return {
        agent: label,
        settings: settings === null ? null : shownSettings(settings),
        transcript:
          file === undefined || file === null || !existsSync(file)
            ? null
            : createHash("sha256").update(readFileSync(file)).digest("hex"),
        scores: results.map((r) => scoresOf(r.book, r.result)),
        heldOut: heldOut.length === 0 ? null : heldOut.map((r) => scoresOf(r.book, r.result)),
      };
    }),
  };
}

/** Games in the order of the registry. */
export const inOrder = (ids: Iterable<string>): string[] => {
  const wanted = new Set(ids);
  return GAMES.map((g) => g.id).filter((id) => wanted.has(id));
};
