import type { Choice } from "../../env/index.js";
import { ranges } from "./lists.js";

/** Stands for what the choices of a family differ in. */
const BLANK = "X";

/** Fewest choices that are listed as a family. */
const FEWEST = 4;

/** One choice as a form: its text and its name with `X` for the last word of the name. */
interface Form {
  readonly name: string;
  /** Up to the first X, with it. */
  readonly head: string;
  readonly tail: string;
  readonly word: string;
}

/**
 * Choices that say the same of many places or units, as families: `Move to X [hex X]: ...`. The others are listed with
 * their numbers. Null where no choices are alike.
 *
 * @param line a choice as a line of its own
 */
export function familiesText(choices: readonly Choice[], line: (choice: Choice, i: number) => string): string | null {
  const families = new Map<string, { readonly members: Form[]; readonly lines: string[] }>();
  const keys = choices.map((choice, i) => {
    const form = formOf(choice);
    if (form === null) return null;
    const key = `${form.name}\n${form.head}`;
    const family = families.get(key) ?? { members: [], lines: [] };
    family.members.push(form);
    family.lines.push(line(choice, i));
    families.set(key, family);
    return key;
  });
  const short = new Map<string, string[]>();
  for (const [key, { members, lines }] of families) {
    const family = members.length < FEWEST ? lines : familyLines(members);
    if (family.join("\n").length < lines.join("\n").length) short.set(key, family);
  }
  if (short.size === 0) return null;
  const written = new Set<string>();
  return choices
    .flatMap((choice, i) => {
      const key = keys[i]!;
      const family = key === null ? undefined : short.get(key);
      if (family === undefined) return [line(choice, i)];
      if (written.has(key!)) return [];
      written.add(key!);
      return family;
    })
    .join("\n");
}

/** Null where a choice ends something, or where its text doesn't hold the last word of its name. */
function formOf({ name, text, ends, warning }: Choice): Form | null {
  const at = name.lastIndexOf(" ");
  const word = name.slice(at + 1);
  if (at < 0 || ends !== null || word.length < 2) return null;
  const says = `${text}${warning === null ? "" : ` ! ${warning}`}`;
  if (new RegExp(`\\b${BLANK}\\b`).test(says)) return null;
  const parts = says.split(new RegExp(`(?<![\\p{L}\\p{N}/-])${escaped(word)}(?![\\p{L}\\p{N}/-])`, "u"));
  if (parts.length < 2) return null;
  return {
    name: `${name.slice(0, at)} ${BLANK}`,
    head: `${parts[0]!}${BLANK}`,
    tail: parts.slice(1).join(BLANK),
    word,
  };
}

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

function familyLines(members: readonly Form[]): string[] {
  const byTail = new Map<string, string[]>();
  for (const { tail, word } of members) byTail.set(tail, [...(byTail.get(tail) ?? []), word]);
  const { name, head } = members[0]!;
  if (byTail.size === 1)
    return [`  ${head}${members[0]!.tail} [${name}]: ${ranges(members.map((m) => m.word)).join(", ")}`];
  return [
    `  ${head} [${name}]:`,
    ...[...byTail].map(([tail, words]) => `    ${BLANK}${tail}: ${ranges(words).join(", ")}`),
  ];
}
