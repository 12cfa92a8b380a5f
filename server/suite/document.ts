import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import {
  canonical,
  type Game,
  gameType,
  type Json,
  KesselError,
  loadGame,
  parseWith,
  schemaHash,
} from "../../env/index.js";
import { parseBook, type PuzzleBook, puzzlesOf } from "../puzzles/puzzle.js";

const place = {
  /** Index into `games`, and number of decisions before the position. */
  game: z.number().int().min(0),
  at: z.number().int().min(0),
};

const die = z.union([z.number(), z.string()]);
/** Consecutive decisions, forced ones too, with the dice and draws of each. */
const line = z.array(z.strictObject({ action: z.string(), dice: z.array(die) })).min(1);
const yesNo = z.enum(["yes", "no"]);
/** Number of the right option, from 1. */
const numbered = z.string().regex(/^[1-9]$/);

const ruleQuestion = z.discriminatedUnion("kind", [
  z.strictObject({ ...place, kind: z.literal("legal"), action: z.string(), answer: yesNo }),
  z.strictObject({
    ...place,
    kind: z.literal("unlisted"),
    /** Legal actions in the text of the question. */
    listed: z.array(z.string()),
    options: z.array(z.string()),
    answer: numbered,
  }),
  z.strictObject({
    ...place,
    kind: z.literal("cost"),
    cost: z.number(),
    options: z.array(z.string()),
    answer: numbered,
  }),
  z.strictObject({
    ...place,
    kind: z.literal("odds"),
    action: z.string(),
    outcome: z.string(),
    fails: z.boolean(),
    answer: z.string(),
  }),
  z.strictObject({
    ...place,
    kind: z.literal("result"),
    action: z.string(),
    /** Dice and draws in order, and the possible results, each a list of outcomes. */
    dice: z.array(die),
    options: z.array(z.array(z.string())),
    answer: numbered,
  }),
  z.strictObject({ ...place, kind: z.literal("after"), line, action: z.string(), answer: yesNo }),
  /** A question about what would be legal after another decision. */
  z.strictObject({ ...place, kind: z.literal("instead"), taken: z.string(), action: z.string(), answer: yesNo }),
  z.strictObject({
    ...place,
    kind: z.literal("standing"),
    line,
    condition: z.number().int().min(0),
    options: z.array(z.number()),
    answer: numbered,
  }),
  z.strictObject({
    ...place,
    kind: z.literal("hidden"),
    /** The seat whose knowledge the question is about. */
    seat: z.string(),
    place: z.string(),
    side: z.string(),
    what: z.string(),
    answer: yesNo,
  }),
  z.strictObject({
    ...place,
    kind: z.literal("map"),
    question: z.string(),
    from: z.string(),
    to: z.string(),
    answer: yesNo,
  }),
]);

const beliefQuestion = z.strictObject({
  ...place,
  seat: z.string(),
  place: z.string(),
  side: z.string(),
  /** What a random face-down counter there can be, and how likely each possibility is. */
  what: z.array(z.string()).min(2),
  shares: z.array(z.number().min(0).max(1)),
  /** The same for a random one of all counters that are face-down for the seat. */
  pool: z.array(z.number().min(0).max(1)),
});

const suiteDocument = z.strictObject({
  game: z.string(),
  /** Version of the game when the suite was made. */
  version: z.number().int(),
  schema: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Seed of the whole games: every agent gets the same dice. */
  seed: z.string(),
  secret: z.string(),
  /** SHA-256 of the seed that the book was made from. */
  book: z.string(),
  /** Games that questions come from: the seed, and the actions by number. */
  games: z.array(z.strictObject({ seed: z.string(), actions: z.array(z.number().int()) })),
  rules: z.array(ruleQuestion),
  beliefs: z.array(beliefQuestion),
});

export type SuiteDocument = z.infer<typeof suiteDocument>;
export type RuleQuestion = z.infer<typeof ruleQuestion>;
export type BeliefQuestion = z.infer<typeof beliefQuestion>;

/** All questions about a game, with the game under the suite's options. */
export interface Book {
  readonly suite: SuiteDocument;
  readonly game: Game;
  /** Null for a game without puzzles. */
  readonly puzzles: PuzzleBook | null;
}

/** Files of a game in a folder of books. */
export const suiteIn = (dir: string, id: string): string => join(dir, `${id}.json`);
export const puzzlesIn = (dir: string, id: string): string => join(dir, `${id}.puzzles.json`);

const SHIPPED = fileURLToPath(new URL("./data/", import.meta.url));

export const suitePath = (id: string): string => suiteIn(SHIPPED, id);

export const hasSuite = (id: string): boolean => existsSync(suitePath(id));

/**
 * Reads the language suite of a game: its public book.
 *
 * @throws KesselError `unknown-game`; `bad-option` for a game without a suite; `bad-data` for a suite of another
 *   version
 */
export function readSuite(id: string): Book {
  gameType(id);
  if (!hasSuite(id))
    throw new KesselError("bad-option", `${id} has no language suite; kessel suite make ${id} makes one`);
  return { ...read(id, suitePath(id)), puzzles: puzzlesOf(id) };
}

/**
 * Reads a game's book from a folder of `kessel suite make`; null if the folder has none for it.
 *
 * @throws KesselError `bad-data` for a book of another version
 */
export function readHeldOut(dir: string, id: string): Book | null {
  const [file, puzzles] = [suiteIn(dir, id), puzzlesIn(dir, id)];
  if (!existsSync(file)) return null;
  const book = existsSync(puzzles) ? parseBook(JSON.parse(readFileSync(puzzles, "utf8")), puzzles) : null;
  return { ...read(id, file), puzzles: book };
}

function read(id: string, file: string): Pick<Book, "suite" | "game"> {
  const type = gameType(id);
  const suite = parseWith(suiteDocument, JSON.parse(readFileSync(file, "utf8")), "bad-data", `suite of ${id}`);
  const game = loadGame(id, suite.options);
  if (suite.version !== type.version || suite.schema !== schemaHash(game))
    throw new KesselError(
      "bad-data",
      `the suite of ${id} was made for version ${suite.version}, schema ${suite.schema}, and the game has version ${type.version}, schema ${schemaHash(game)}; kessel suite make ${id} makes it again`,
    );
  return { suite, game };
}

/** A hash of the questions, puzzles and dice of a book. */
export const bookHash = ({ suite, puzzles }: Book): string =>
  createHash("sha256")
    .update(canonical([suite, puzzles] as unknown as Json))
    .digest("hex");
