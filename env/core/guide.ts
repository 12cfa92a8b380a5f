import { z } from "zod";
import { KesselError, oneOf, shown } from "./errors.js";
import type { GameType, Guide, Rule } from "./game.js";
import { parseWith } from "./schema.js";

/** The length of a guide: in a breath, enough to play, every rule. */
export const GUIDE_LENGTHS = ["short", "medium", "long"] as const;
export type GuideLength = (typeof GUIDE_LENGTHS)[number];

/** Least and most words of what is written by hand: models pay for each, and fewer leave too much out. */
const WORDS = { short: [80, 130], medium: [450, 800] } as const;

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

const guideSchema = z.strictObject({
  short: z.string().superRefine((text, ctx) => checkWords("short", text, ctx)),
  medium: z
    .array(
      z
        .string()
        .regex(/^[A-Z][a-z]+: \S/, 'a paragraph begins with one word as its heading, such as "Combat: "')
        .regex(/\([^\s()][^()]*[^\s()]\)/, "a paragraph names its rules in brackets"),
    )
    .superRefine((paragraphs, ctx) => checkWords("medium", paragraphs.join(" "), ctx)),
});

function checkWords(length: keyof typeof WORDS, text: string, ctx: z.RefinementCtx): void {
  const [least, most] = WORDS[length];
  const words = countWords(text);
  if (words < least || words > most)
    ctx.addIssue({ code: "custom", message: `${words} words, where ${least} to ${most} are wanted` });
}

/** @throws KesselError `bad-data` with path and reason: a guide that is missing, too short or too long */
export function readGuide(doc: unknown): Guide {
  return parseWith(guideSchema, doc, "bad-data", "guide.json");
}

/**
 * The rules of a game in our words, for people and language models that never saw it.
 *
 * @param length `short` one paragraph; `medium` paragraphs that suffice to play; `long` every rule in play with its id
 * @throws KesselError `bad-option` for another length
 */
export function guideText(type: GameType, length: GuideLength): string {
  switch (length) {
    case "short":
      return type.guide.short;
    case "medium":
      return type.guide.medium.join("\n\n");
    case "long":
      return longText(type);
    default:
      throw new KesselError("bad-option", `a guide has the lengths ${oneOf(GUIDE_LENGTHS)}, not ${shown(length)}`);
  }
}

/** Every rule that is built, a line each, by section; neighbours that say the same share one. */
function longText(type: GameType): string {
  const sections = new Map<string, { ids: string[]; rule: Rule }[]>();
  for (const [id, rule] of Object.entries(type.rules)) {
    if (rule.status === "absent") continue;
    const name = sectionOf(id);
    const lines = sections.get(name) ?? [];
    sections.set(name, lines);
    const last = lines.at(-1);
    if (last !== undefined && last.rule.says === rule.says && last.rule.option === rule.option) last.ids.push(id);
    else lines.push({ ids: [id], rule });
  }
  return [...sections].map(([name, lines]) => [name, ...lines.map(lineOf)].join("\n")).join("\n\n");
}

const lineOf = ({ ids, rule }: { ids: readonly string[]; rule: Rule }): string =>
  `${ids.join(", ")}${rule.option === undefined ? "" : ` (option ${rule.option})`}: ${rule.says}`;

/** `Section 7` of `SS 7.31`; rules without a number go together. */
function sectionOf(id: string): string {
  const number = /^(?:\S+ )?(\d+)(?!\w)/.exec(id);
  return number === null ? "Rules with names" : `Section ${number[1]!}`;
}
