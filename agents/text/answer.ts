import { KesselError, oneOf, shown } from "../../env/index.js";
import { findAction } from "./sentences.js";

/** Most names that an error lists. */
const NAMED = 6;

/** Longest answer that is read: beyond it nobody meant one action. */
const MOST_CHARACTERS = 100_000;

/** `Action: 3`, `my answer is X`, `**Move:** X`: what follows to the end of the line is meant as the answer. */
const MARKED = /\b(?:action|answer|choice|move|decision)\b[\s*_]*(?:is\b|:|=)[\s*_]*/gi;

/**
 * The action that a text means: the whole text if it is an answer; otherwise what is marked as one, in `\boxed{}`, in a
 * code fence or behind the last `Action:`, `Answer:`, `Choice:`, `Move:`; otherwise the one action that the prose
 * names. A number is
 * the one of the list, from 1. Where two actions could be meant, none is taken.
 *
 * @param legal names of the legal actions, in the order of their numbers
 * @returns the name of the action
 * @throws KesselError `bad-answer`, which says what was found and what would do
 */
export function readAnswer(legal: readonly string[], text: string): string {
  if (text.length > MOST_CHARACTERS)
    throw new KesselError(
      "bad-answer",
      `the answer has ${text.length} characters; at most ${MOST_CHARACTERS} are read`,
    );
  const whole = text.trim();
  if (whole === "") throw new KesselError("bad-answer", `the answer is empty; ${wanted(legal)}`);
  const all = meant(legal, bare(whole));
  if (all.length === 1) return all[0]!;
  if (all.length > 1) throw ambiguous(whole, all, legal);
  const marked = new Set<string>();
  for (const part of markedParts(whole)) {
    const found = meant(legal, part);
    for (const name of found.length > 0 ? found : inProse(legal, part)) marked.add(name);
  }
  const found = marked.size > 0 ? [...marked] : inProse(legal, whole);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) throw ambiguous(whole, found, legal);
  throw new KesselError("bad-answer", `${shown(whole.slice(0, 80))} names no legal action; ${wanted(legal)}`);
}

/** Parts of a text that are marked as the answer, the last of each kind. */
function markedParts(text: string): string[] {
  const boxed = [...text.matchAll(/\\boxed\{([^{}]*)\}/g)].map((m) => m[1]!);
  const fenced = [...text.matchAll(/```[^\n`]*\n([\s\S]*?)```/g)].map((m) => m[1]!);
  const lines = text.split("\n").flatMap((line) => {
    const after = line.split(MARKED);
    return after.length > 1 ? after.slice(-1) : [];
  });
  return [boxed, fenced, lines].flatMap((list) => list.slice(-1).map(bare)).filter((part) => part !== "");
}

const OPENING = /[`"'*_[(\s]/;
const CLOSING = /[`"'*_\])\s.!;,]/;

/** Without the signs that people and models put around an answer. */
function bare(part: string): string {
  let from = 0;
  let to = part.length;
  while (from < to && OPENING.test(part[from]!)) from++;
  while (to > from && CLOSING.test(part[to - 1]!)) to--;
  return part.slice(from, to);
}

/** Actions that a part means when it is nothing but an answer: `7`, `7.`, `#7`, `7 pass`, a name, a beginning. */
function meant(legal: readonly string[], part: string): string[] {
  const found = findAction(legal, part);
  if (typeof found === "string") return [found];
  if (found.length > 1) return found;
  const numbered = /^(?:(?:number|option|no\.?)\s*)?#?(\d+)/i.exec(part);
  if (numbered === null) return [];
  const byNumber = legal[Number(numbered[1]) - 1];
  const rest = bare(
    part
      .slice(numbered[0].length)
      .trimStart()
      .replace(/^[.):-]/, ""),
  );
  if (byNumber === undefined) return [];
  if (rest === "") return [byNumber];
  const named = mentioned(legal, rest);
  return named.length === 1 && named[0] !== byNumber
    ? [byNumber, named[0]!]
    : named.includes(byNumber)
      ? [byNumber]
      : [];
}

/** Actions that a text names as words of their own; a name inside a longer name doesn't count. */
function mentioned(legal: readonly string[], text: string): string[] {
  const lower = text.toLowerCase();
  const spans: { name: string; from: number; to: number }[] = [];
  for (const name of legal) {
    const wanted = name.toLowerCase();
    for (let from = lower.indexOf(wanted); from >= 0; from = lower.indexOf(wanted, from + 1)) {
      const to = from + wanted.length;
      if (!inWord(lower, from) && !inWord(lower, to)) spans.push({ name, from, to });
    }
  }
  // sorted like this, a span is inside a longer one before it that ends no earlier
  spans.sort((a, b) => a.from - b.from || b.to - a.to);
  const outer = new Set<string>();
  let end = { from: -1, to: -1 };
  for (const span of spans) {
    const same = span.from === end.from && span.to === end.to;
    if (span.to > end.to || same) outer.add(span.name);
    if (span.to > end.to) end = span;
  }
  return legal.filter((name) => outer.has(name));
}

/**
 * Actions that prose speaks of: by name, or, where it names none, as `option 3`. Beside a number that no action has,
 * which may be a slip, no other is taken.
 */
function inProse(legal: readonly string[], text: string): string[] {
  const named = mentioned(legal, text);
  if (named.length > 0) return named;
  const numbers = [...text.matchAll(/(?:\b(?:option|number|choice|action)\s*|#)(\d+)\b/gi)].map((m) => Number(m[1]));
  const found = [...new Set(numbers)].map((n) => legal[n - 1]);
  return found.every((name) => name !== undefined) ? found : [];
}

/** True when a word goes on over the border before `at`. */
const inWord = (text: string, at: number): boolean =>
  /[\p{L}\p{N}_]/u.test(text[at - 1] ?? " ") && /[\p{L}\p{N}_]/u.test(text[at] ?? " ");

function wanted(legal: readonly string[]): string {
  const names = legal.slice(0, NAMED).map(shown).join(", ");
  return `give a number from 1 to ${legal.length} or a name: ${names}${legal.length > NAMED ? " and so on" : ""}`;
}

function ambiguous(part: string, found: readonly string[], legal: readonly string[]): KesselError {
  const numbers = found.slice(0, NAMED).map((name) => `${legal.indexOf(name) + 1} ${name}`);
  return new KesselError(
    "bad-answer",
    `${shown(part.slice(0, 80))} may mean ${found.length} actions: ${oneOf(numbers)}; give one number`,
  );
}
