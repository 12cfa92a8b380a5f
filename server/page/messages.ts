import { z } from "zod";
import type { NewGame, Request } from "./frame.js";
import type { PlayedSum } from "./learn/rating.js";
import type { NewComparison } from "./runs/runs-view.js";
import type { Rematch } from "./frame.js";
import { REMATCHES } from "./rematch.js";

const text = z.string().min(1).max(200);
const n = z.number().int().min(0);

/** What a seat's page may send. */
export const requestSchema: z.ZodType<Request> = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("sit"), token: z.string().regex(/^[a-z2-7]{20}$/) }),
  z.strictObject({ op: z.literal("ping") }),
  z.strictObject({ op: z.literal("act"), n, action: n }),
  z.strictObject({ op: z.literal("undo"), n }),
  z.strictObject({ op: z.literal("odds"), n, action: n }),
  z.strictObject({ op: z.literal("hint"), n }),
  z.strictObject({ op: z.literal("ways"), n, unit: text }),
  z.strictObject({ op: z.literal("order"), n, order: z.string().min(1).max(2000) }),
  z.strictObject({ op: z.literal("goOn"), n, order: z.string().min(1).max(2000) }),
  z.strictObject({
    op: z.literal("handOver"),
    n,
    what: z.union([z.enum(["phase", "turn"]), z.array(text).min(1).max(60)]),
    who: text,
  }),
  z.strictObject({ op: z.literal("deputyOn"), n, all: z.boolean() }),
  z.strictObject({ op: z.literal("handBack") }),
  z.strictObject({ op: z.literal("rule"), words: text }),
  z.strictObject({ op: z.literal("ask"), kind: text, from: text, to: text }),
  z.strictObject({ op: z.literal("resign") }),
  z.strictObject({ op: z.literal("moveNow") }),
  z.strictObject({ op: z.literal("whole") }),
  z.strictObject({ op: z.literal("playOn") }),
  z.strictObject({ op: z.literal("moment"), at: n, eyes: text }),
  z.strictObject({ op: z.literal("analyse"), by: text }),
  z.strictObject({ op: z.literal("judge"), at: n, by: text }),
  z.strictObject({ op: z.literal("beliefs"), n }),
  z.strictObject({ op: z.literal("branch"), at: n, seats: z.record(text, text) }),
  z.strictObject({ op: z.literal("replay") }),
  z.strictObject({
    op: z.literal("export"),
    what: z.enum(["position", "svg", "png", "film"]),
    at: n,
    eyes: text,
    theme: z.enum(["light", "dark"]),
  }),
]);

/** What a new game needs. */
export const newGameSchema: z.ZodType<NewGame> = z.strictObject({
  game: text,
  options: z.record(text, z.union([text, z.number(), z.boolean()])),
  seats: z.record(text, text),
  seed: z.string().max(200).optional(),
});

interface NewRematch {
  /** The secret of the seat's link. */
  readonly token: string;
  readonly way: Rematch;
}

/** Another game after one that is over. */
export const rematchSchema: z.ZodType<NewRematch> = z.strictObject({ token: text, way: z.enum(REMATCHES) });

const count = z.number().int().min(1).max(100_000);

interface Played {
  readonly game: string;
  readonly played: readonly PlayedSum[];
  /** First answers to puzzles. */
  readonly puzzles: readonly { readonly id: string; readonly right: boolean }[];
}

/** What ratings are computed from. */
export const playedSchema: z.ZodType<Played> = z.strictObject({
  game: text,
  puzzles: z
    .array(z.strictObject({ id: text, right: z.boolean() }))
    .max(200)
    .default([]),
  played: z
    .array(
      z
        .strictObject({
          seat: text,
          opponent: z.string().max(200),
          games: count,
          sum: z.number(),
          squares: z.number().min(0),
        })
        .refine((p) => Math.abs(p.sum) <= p.games && p.squares <= p.games, "returns are between -1 and 1"),
    )
    .max(100),
});

/** What a lesson needs. */
export const newLessonSchema: z.ZodType<{ readonly game: string }> = z.strictObject({ game: text });

/** What a comparison of two nets needs. */
export const newComparisonSchema: z.ZodType<NewComparison> = z.strictObject({ run: text, one: text, other: text });
