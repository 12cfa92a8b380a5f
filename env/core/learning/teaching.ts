import { z } from "zod";
import { parseWith } from "../schema.js";
import { type Lesson, LESSON_PANELS } from "./lesson.js";
import type { Primer } from "./primer.js";

/** What a game has for who learns it, besides the guide. */
export interface Teaching {
  readonly primer: Primer;
  readonly lesson: Lesson;
}

/** Least and most words: what is longer isn't read, beside a board. */
const WORDS = { why: [6, 40], term: [5, 45], page: [3, 75], otherwise: [5, 40], about: [8, 40] } as const;

/** A text whose number of words is within the limits of its kind. */
const words = (kind: keyof typeof WORDS) =>
  z.string().superRefine((text, ctx) => {
    const [least, most] = WORDS[kind];
    const n = text.split(/\s+/).filter((w) => w !== "").length;
    if (n < least || n > most)
      ctx.addIssue({ code: "custom", message: `${n} words, where ${least} to ${most} are wanted` });
  });

const name = z.string().min(1);
const names = z.array(name).min(1);

const primerSchema = z.strictObject({
  moves: z.array(z.strictObject({ name, why: words("why"), rule: name, kinds: names, actions: names })).min(1),
  terms: z
    .array(z.strictObject({ term: name, also: z.array(name).default([]), says: words("term"), rule: name }))
    .superRefine((terms, ctx) => {
      const seen = new Set<string>();
      for (const form of terms.flatMap((t) => [t.term, ...t.also]).map((f) => f.toLowerCase())) {
        if (seen.has(form)) ctx.addIssue({ code: "custom", message: `${form} is explained twice` });
        seen.add(form);
      }
    }),
});

const lessonSchema = z.strictObject({
  title: name,
  about: words("about"),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  seed: name,
  seat: name,
  opening: z.array(name).default([]),
  steps: z
    .array(
      z
        .strictObject({
          says: words("page"),
          panel: z.enum(LESSON_PANELS),
          places: z.array(name).default([]),
          rules: z.array(name).default([]),
          do: names.optional(),
          otherwise: words("otherwise").optional(),
          then: names.optional(),
          log: names.optional(),
        })
        .refine((s) => (s.do === undefined) === (s.otherwise === undefined), "`do` and `otherwise` go together")
        .refine((s) => s.do !== undefined || (s.then ?? s.log) === undefined, "`then` and `log` need a `do`"),
    )
    .min(2),
});

/**
 * @throws KesselError `bad-data` with path and reason: keys that are missing or unknown, texts too short or too long
 */
export function readTeaching(primer: unknown, lesson: unknown): Teaching {
  return {
    primer: parseWith(primerSchema, primer, "bad-data", "primer.json"),
    lesson: parseWith(lessonSchema, lesson, "bad-data", "lesson.json"),
  };
}
