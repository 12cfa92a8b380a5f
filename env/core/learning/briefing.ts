import { z } from "zod";
import { parseWith } from "../schema.js";

/** Options as a caller gives them. */
type Chosen = Readonly<Record<string, string | number | boolean>>;

/** What a player reads before a new game that no rule or standing says: an entry of `data/briefing.json`. */
export interface Briefing {
  /** The side that reads it. */
  readonly seat: string;
  /** Values of options that it is written for; options that it does not name may have any. */
  readonly options: Chosen;
  /** Who the player is and what the game is about, for this side. */
  readonly you: string;
  /** The first decision, in words, and a hint for it. */
  readonly first: string;
  /** What the game takes a person, where these options make it longer or shorter than the lobby says. */
  readonly minutes?: number | undefined;
}

/** Least and most words of a text: it is read before the first move. */
const WORDS = [20, 60] as const;

const text = z.string().superRefine((value, ctx) => {
  const n = value.split(/\s+/).filter((w) => w !== "").length;
  if (n < WORDS[0] || n > WORDS[1])
    ctx.addIssue({ code: "custom", message: `${n} words, where ${WORDS[0]} to ${WORDS[1]} are wanted` });
});

const briefingsSchema = z.strictObject({
  briefings: z
    .array(
      z.strictObject({
        seat: z.string().min(1),
        options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
        you: text,
        first: text,
        minutes: z.number().int().min(1).optional(),
      }),
    )
    .min(1),
});

/**
 * @throws KesselError `bad-data` with path and reason: keys that are missing or unknown, texts too short or too long
 */
export function readBriefings(doc: unknown): readonly Briefing[] {
  return parseWith(briefingsSchema, doc, "bad-data", "briefing.json").briefings;
}

/** @returns the first entry for this side whose options are those that are played */
export const briefingFor = (briefings: readonly Briefing[], seat: string, options: Chosen): Briefing | undefined =>
  briefings.find((b) => b.seat === seat && Object.entries(b.options).every(([id, value]) => options[id] === value));

/** Shortest and longest time that a game takes a person, in minutes; the same number where all fights take as long. */
export function minutesOf(briefings: readonly Briefing[], otherwise: number): readonly [least: number, most: number] {
  const written = briefings.flatMap((b) => b.minutes ?? []);
  const minutes = written.length === 0 ? [otherwise] : written;
  return [Math.min(...minutes), Math.max(...minutes)];
}
