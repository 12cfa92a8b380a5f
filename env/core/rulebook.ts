import { z } from "zod";
import type { GameType, RuleSection } from "./game.js";
import type { FoundRule } from "./rules.js";
import { parseWith } from "./schema.js";

const text = z.string().min(1);

const schema = z
  .array(
    z.strictObject({
      title: text,
      rules: z.array(text).min(1),
      text: z.array(z.string().regex(/^[A-Z].*[.)]$/, "a paragraph consists of sentences")).min(1),
      picture: z
        .strictObject({
          says: text,
          around: text.optional(),
          options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
          position: z.record(z.string(), z.json()),
        })
        .optional(),
    }),
  )
  .min(1);

/** @throws KesselError `bad-data` with path and reason */
export function readRulebook(doc: unknown): readonly RuleSection[] {
  return parseWith(schema, doc, "bad-data", "rulebook.json") as readonly RuleSection[];
}

/**
 * How closely a section's pattern names a rule: whole ids come before beginnings, long ones before short ones; 0 for
 * not at all.
 */
function fit(pattern: string, id: string): number {
  if (pattern === id) return Infinity;
  if (pattern.endsWith("*")) return id.startsWith(pattern.slice(0, -1)) ? pattern.length : 0;
  return id.startsWith(pattern) && !/^\w/.test(id.slice(pattern.length)) ? pattern.length : 0;
}

/** A section and its rules, in the order of the index. */
export interface FilledSection extends Pick<RuleSection, "title" | "text" | "picture"> {
  readonly rules: readonly FoundRule[];
}

/**
 * The rules of a game by section, each in one. Rules that no section names come last; games without sections have only
 * these.
 */
export function sectionsOf({ rules, rulebook = [] }: GameType): readonly FilledSection[] {
  const own = new Map<RuleSection | null, FoundRule[]>([...rulebook, null].map((s) => [s, []]));
  for (const [id, rule] of Object.entries(rules)) {
    const fits = rulebook.map((s) => Math.max(...s.rules.map((pattern) => fit(pattern, id))));
    const best = Math.max(0, ...fits);
    own.get(best === 0 ? null : rulebook[fits.indexOf(best)]!)!.push({ id, ...rule });
  }
  const others = { title: rulebook.length === 0 ? "Rules" : "Other rules", rules: [], text: [] };
  return [...own].flatMap(([section, found]) =>
    section === null && found.length === 0 ? [] : [{ ...(section ?? others), rules: found }],
  );
}
