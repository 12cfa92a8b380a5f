/** What keeps rule questions from being answered without thought: by copying, or by what is commonest. */
import { createHash } from "node:crypto";
import { chanceOf, type Item, noThought } from "../puzzles/no-thought.js";
import type { RuleQuestion } from "./document.js";
import { type Asked, listed, TOLERANCE } from "./rule-questions.js";

/** How often, relative to chance, a policy without thought may be right in the questions of one kind. */
export const OFTEN = 1.3;
/** How much it may be better than chance over all kinds. */
export const ABOVE_CHANCE = 0.05;

/** Options of a question about odds: ranges that do not overlap. */
const RANGES = Array.from({ length: Math.ceil(101 / (2 * TOLERANCE + 1)) }, (_, i) => i);
const rangeOf = (percent: number): number => Math.floor(percent / (2 * TOLERANCE + 1));

/** The options of a question in words. */
export function optionsOf(q: RuleQuestion): string[] {
  switch (q.kind) {
    case "unlisted":
    case "cost":
      return q.options;
    case "standing":
      return q.options.map(String);
    case "result":
      return q.options.map(listed);
    case "odds":
      return RANGES.map(String);
    default:
      return ["yes", "no"];
  }
}

const verbOf = (q: RuleQuestion): string => ("action" in q ? q.action.split(" ")[0]! : "what" in q ? q.what : "");

/** A question as a list of options. Policies without thought may use its kind and its subject. */
export function itemOf(q: RuleQuestion): Item {
  const options = optionsOf(q);
  const right = q.kind === "odds" ? rangeOf(Number(q.answer)) : rightOf(q);
  const half = createHash("sha256").update(JSON.stringify(q)).digest()[0]! % 2;
  return {
    kind: q.kind,
    options,
    names: options.length === 2 ? options.map((o) => `${o}${verbOf(q)}`) : options,
    right: [right],
    half: half % 2 === 0 ? 0 : 1,
  };
}

const rightOf = (q: RuleQuestion): number => (q.answer === "yes" ? 0 : q.answer === "no" ? 1 : Number(q.answer) - 1);

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\d/'-]+/gu) ?? []);

/** The option with the greatest share of its words in a text; null for a tie. */
export function echoed(text: string, options: readonly string[]): number | null {
  const given = wordsOf(text);
  const shares = options.map((o) => {
    const words = [...wordsOf(o)];
    return words.filter((w) => given.has(w)).length / Math.max(1, words.length);
  });
  const most = Math.max(...shares);
  return shares.filter((s) => s === most).length === 1 ? shares.indexOf(most) : null;
}

/** The text of a question before its options. */
const asking = (text: string): string => text.split("\n")[0]!;

/** True when the shown text contains the answer, so that it can be copied. */
export function givenAway(q: RuleQuestion, { shown, text }: Pick<Asked, "shown" | "text">): boolean {
  const prompt = shown.split("\n").at(-1)!;
  switch (q.kind) {
    case "legal":
    case "after":
    case "instead":
      return prompt.toLowerCase().includes(q.action.toLowerCase());
    case "odds":
      return new RegExp(String.raw`(?<!\d)${q.answer} ?%`).test(shown);
    case "unlisted":
    case "cost":
      return inText(shown, q.options, rightOf(q));
    case "result":
      return (
        inText(`${shown}\n${asking(text)}`, optionsOf(q), rightOf(q)) ||
        echoed(`${prompt}\n${asking(text)}`, optionsOf(q)) === rightOf(q)
      );
    case "standing":
    case "hidden":
    case "map":
      return false;
  }
}

/** True when a text contains the right option word for word, and not all other options. */
function inText(text: string, options: readonly string[], right: number): boolean {
  const lower = text.toLowerCase();
  const there = options.map((o) => lower.includes(o.toLowerCase()));
  return there[right]! && !there.every(Boolean);
}

/**
 * True when the answer of a question about odds is within the tolerance of another, so that one guess would fit both.
 */
export const overdone = (asked: readonly RuleQuestion[], q: RuleQuestion): boolean =>
  q.kind === "odds" && asked.some((a) => Math.abs(Number(a.answer) - Number(q.answer)) <= 2 * TOLERANCE);

/** Policies that use no other question of the book, or only how often each answer is right. */
const PLAIN = ["first", "last", "longest", "shortest", "commonest"];

/** How many items of one kind each plain policy has right; `commonest` uses all items. */
function rightBy(items: readonly Item[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { names, options, right } of items) {
    const name = options.length === 2 || names.every((n) => /^\d+$/.test(n)) ? options[right[0]!]! : names[right[0]!]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const positions = new Map<number, number>();
  for (const { right } of items) positions.set(right[0]!, (positions.get(right[0]!) ?? 0) + 1);
  const of = new Map(noThought(items).map((n) => [n.policy, n.right.filter(Boolean).length]));
  return new Map(
    PLAIN.map((p) => [p, p === "commonest" ? Math.max(0, ...counts.values(), ...positions.values()) : of.get(p)!]),
  );
}

/** Limit of right answers of a policy without thought in `n` questions of one kind. */
export const mostRight = (chance: number, n: number): number => Math.max(1, Math.floor(OFTEN * chance * n + 1e-9));

/** A line for each plain policy that has too many right answers in a kind. */
export function tooCommon(items: readonly Item[]): string[] {
  return [...new Set(items.map((i) => i.kind))].flatMap((kind) => {
    const own = items.filter((i) => i.kind === kind);
    const most = mostRight(chanceOf(own), own.length);
    return [...rightBy(own)].flatMap(([policy, n]) =>
      n > most ? [`${kind}: ${policy} has ${n} of ${own.length} right, chance is ${chanceOf(own).toFixed(2)}`] : [],
    );
  });
}

/** True when all plain policies stay within their limit for `count` items after one more item. */
export function oneMore(items: readonly Item[], item: Item, count: number): boolean {
  const all = [...items, item];
  const most = mostRight(chanceOf(all), count);
  return [...rightBy(all)].every(([, n]) => n <= most);
}

/** Removes questions until every policy without thought is within its limits, in each kind and overall. */
export function fair<T extends { readonly q: RuleQuestion }>(found: readonly T[]): T[] {
  let left = [...found];
  for (;;) {
    const items = left.map((l) => itemOf(l.q));
    const kinds = [...new Set(items.map((i) => i.kind))];
    const bad = kinds.find((kind) => tooCommon(items.filter((i) => i.kind === kind)).length > 0);
    const over = noThought(items).filter((n) => n.share > chanceOf(items) + 0.8 * ABOVE_CHANCE);
    if (bad === undefined && over.length === 0) return left;
    if (bad !== undefined) {
      const own = items.flatMap((i, at) => (i.kind === bad ? [at] : []));
      const most = mostRight(chanceOf(own.map((i) => items[i]!)), own.length);
      const [policy] = [...rightBy(own.map((i) => items[i]!))].find(([, n]) => n > most)!;
      const drop = own.find(
        (_, i) =>
          solves(
            own.map((o) => items[o]!),
            policy,
          )[i],
      )!;
      left = left.filter((_, i) => i !== drop);
    } else {
      const times = items.map((_, i) => over.filter((n) => n.right[i]).length);
      const drop = times.lastIndexOf(Math.max(...times));
      left = left.filter((_, i) => i !== drop);
    }
  }
}

/** The items of one kind that a plain policy has right. */
function solves(items: readonly Item[], policy: string): readonly boolean[] {
  if (policy !== "commonest") return noThought(items).find((n) => n.policy === policy)!.right;
  const keys = (i: Item): string[] => [`#${i.right[0]!}`, i.options[i.right[0]!]!];
  const counts = new Map<string, number>();
  for (const item of items) for (const key of keys(item)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const [top] = [...counts].sort((a, b) => b[1] - a[1])[0]!;
  return items.map((i) => keys(i).includes(top));
}
