import type { GameType, Prompt } from "../../env/index.js";
import { type Move, moveOf } from "../../env/core/learning/primer.js";
import { wrap } from "./sentences.js";

/** Most choices of one kind that are described one by one; beyond it, only their number is given. */
const TOLD = 4;

/** What can be done now, by kinds, each with what it is for; `null` where the game says nothing of it. */
export function whyText({ teaching }: GameType, prompt: Prompt, width: number): string | null {
  if (teaching === undefined) return null;
  const groups = new Map<Move, string[]>();
  for (const { name, text } of prompt.choices) {
    const move = moveOf(teaching.primer.moves, prompt.kind, name);
    if (move !== undefined) groups.set(move, [...(groups.get(move) ?? []), text]);
  }
  if (groups.size === 0) return null;
  const lines = [...groups].map(([{ name, why, rule }, texts]) => {
    const what = texts.length > TOLD ? `${texts.length} choices` : texts.join("; ");
    return wrap(`${name} (${rule}): ${why} [${what}]`, width, "  ");
  });
  return lines.join("\n");
}

/**
 * What a word of the game means; without one, all words there are.
 *
 * @returns `null` where the game explains none
 */
export function wordText({ teaching }: GameType, word: string, width: number): string | null {
  const terms = teaching?.primer.terms ?? [];
  if (terms.length === 0) return null;
  if (word === "") return wrap(terms.map((t) => t.term).join(", "), width);
  const asked = word.toLowerCase();
  const forms = (of: (typeof terms)[number]): string[] => [of.term, ...of.also].map((f) => f.toLowerCase());
  const exact = terms.filter((t) => forms(t).includes(asked));
  const found = exact.length > 0 ? exact : terms.filter((t) => forms(t).some((f) => f.includes(asked)));
  if (found.length === 0) return `${JSON.stringify(word)} is none of the words that are explained; words lists them`;
  return found.map((t) => wrap(`${t.term} (${t.rule}): ${t.says}`, width, "  ")).join("\n");
}
