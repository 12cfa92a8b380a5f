import { readFileSync } from "node:fs";
import { z } from "zod";
import { type JsonObject, KesselError, type Options, parseWith } from "../../env/index.js";

/** A position in which few actions are better than all others, as far as games that were played out show. */
export interface Puzzle {
  /** Key of the position: the same for all worlds that its side can't tell apart. */
  readonly id: string;
  /** The side that decides. */
  readonly side: string;
  /** What is decided, as the prompt calls it. */
  readonly kind: string;
  /** All options of the game. */
  readonly options: Options;
  /** A world dealt from what the side knows: nobody's hidden counters from a game that was played. */
  readonly position: JsonObject;
  /** Its action. */
  readonly best: string;
  /** Right answers, the best first: it and those that are as good as far as the playouts show. */
  readonly accepted: readonly string[];
  /** Mean return of the best action less that of the best wrong one, in the same worlds, and its 95 % interval. */
  readonly margin: number;
  readonly interval: readonly [number, number];
  /** Mean return by action, of all that are legal. */
  readonly values: Readonly<Record<string, number>>;
  /** Share of the visits that the second judge, a search, gave the right answers. */
  readonly visits: number;
  /** How often agents give a right answer, 0 to 1: a level's net by its policy, and who plays anything. */
  readonly solvedBy: Readonly<Record<string, number>>;
}

/** The puzzles of one game, and how they were made. */
export interface PuzzleBook {
  readonly kessel: "puzzles";
  readonly format: 2;
  readonly game: string;
  readonly version: number;
  readonly made: {
    /** What looked for them, and what played the games out. */
    readonly with: string;
    readonly playing: string;
    /** Worlds in which each action was played out, at most. */
    readonly worlds: number;
    /** Decisions that it played on, before the net valued what came; null: to the end of the game. */
    readonly depth: number | null;
    /** The second judge. */
    readonly check: string;
    /** Least margin. */
    readonly least: number;
    /**
     * Candidates that were judged, those whose intervals were apart, and those among them on which the judges agreed.
     */
    readonly judged: number;
    readonly found: number;
    readonly held: number;
  };
  readonly puzzles: readonly Puzzle[];
}

const name = z.string().min(1);
const share = z.number().min(0).max(1);
const value = z.number().min(-1).max(1);

const bookSchema = z.strictObject({
  kessel: z.literal("puzzles"),
  format: z.literal(2),
  game: name,
  version: z.number().int(),
  made: z.strictObject({
    with: name,
    playing: name,
    worlds: z.number().int().min(1),
    depth: z.number().int().min(1).nullable(),
    check: name,
    least: z.number().min(0),
    judged: z.number().int().min(0),
    found: z.number().int().min(0),
    held: z.number().int().min(0),
  }),
  puzzles: z.array(
    z
      .strictObject({
        id: z.string().regex(/^[0-9a-f]{16}$/),
        side: name,
        kind: name,
        options: z.record(name, z.union([name, z.number(), z.boolean()])),
        position: z.record(z.string(), z.any()),
        best: name,
        accepted: z.array(name).min(1),
        margin: z.number().min(0),
        interval: z.tuple([z.number(), z.number()]),
        values: z.record(name, value),
        visits: share,
        solvedBy: z.record(name, share),
      })
      .refine((p) => p.accepted[0] === p.best, "the best action is the first that is accepted")
      .refine((p) => p.accepted.every((a) => a in p.values), "each accepted action has a value"),
  ),
});

/** @throws KesselError `bad-data` with path and reason */
export const parseBook = (doc: unknown, what: string): PuzzleBook => parseWith(bookSchema, doc, "bad-data", what);

const FOLDER = new URL("./data/", import.meta.url);

/** The file of a game's puzzles. */
export const bookFile = (game: string): URL => new URL(`${game}.json`, FOLDER);

const books = new Map<string, PuzzleBook | null>();

/**
 * The puzzles of a game, read when they are asked for first.
 *
 * @param game its id, as the registry has it
 * @returns null for a game that has none
 */
export function puzzlesOf(game: string): PuzzleBook | null {
  let book = books.get(game);
  if (book === undefined) {
    book = readBook(game);
    books.set(game, book);
  }
  return book;
}

function readBook(game: string): PuzzleBook | null {
  let text: string;
  try {
    text = readFileSync(bookFile(game), "utf8");
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw e;
  }
  const book = parseBook(JSON.parse(text), `${game}.json`);
  if (book.game !== game) throw new KesselError("bad-data", `${game}.json: game: these are puzzles of ${book.game}`);
  return book;
}

/** The file of a book: a line for each puzzle. */
export function bookText({ puzzles, ...head }: PuzzleBook): string {
  const lines = puzzles.map((p) => JSON.stringify(p)).join(",\n");
  return `${JSON.stringify(head).slice(0, -1)},"puzzles":[\n${lines}\n]}\n`;
}
