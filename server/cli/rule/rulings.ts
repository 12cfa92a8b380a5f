import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type GameType, parseWith } from "../../../env/index.js";

const schema = z.record(
  z.string().regex(/^[A-Z]\d+$/, "a ruling is a capital letter and a number, such as R41"),
  z.strictObject({ says: z.string().min(1), rules: z.array(z.string()) }),
);

/**
 * What a game decides where the rulebook is silent, unclear or in two minds, with the reason, and the rules it
 * concerns.
 */
export type Rulings = z.infer<typeof schema>;
export interface FoundRuling {
  readonly ruling: string;
  readonly says: string;
  readonly rules: readonly string[];
}

/** The rulings of a game, `data/rulings.json`; none where it has no such file. @param root the folder that has `env` */
export function rulingsOf(type: GameType, root: string): Rulings {
  const file = join(root, "env", type.id, "data", "rulings.json");
  if (!existsSync(file)) return {};
  return parseWith(schema, JSON.parse(readFileSync(file, "utf8")), "bad-data", `${type.id}/rulings.json`);
}

/** The ruling that words such as `R41` or `ruling r41` name, or null. */
export function rulingNamed(rulings: Rulings, words: string): FoundRuling | null {
  const id = words
    .trim()
    .toUpperCase()
    .replace(/^RULING +/, "");
  const found = Object.hasOwn(rulings, id) ? rulings[id] : undefined;
  return found === undefined ? null : { ruling: id, ...found };
}

/** The rulings that concern a rule, in the order of their numbers. */
export function rulingsOn(rulings: Rulings, rule: string): FoundRuling[] {
  return Object.entries(rulings).flatMap(([ruling, r]) => (r.rules.includes(rule) ? [{ ruling, ...r }] : []));
}

/** Ids of rulings in a text: `R12`, or `N9` in the game whose rulings have that letter. */
export function rulingsCited(rulings: Rulings, text: string): string[] {
  const letter = Object.keys(rulings)[0]?.[0] ?? "R";
  return [...text.matchAll(new RegExp(`\\b${letter}\\d{1,3}\\b`, "g"))].map((m) => m[0]);
}
