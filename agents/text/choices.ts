import type { Choice } from "../../env/index.js";
import { familiesText } from "./choice-families.js";
import { endings, PRODUCTS_NOTE, products, ranges } from "./lists.js";
import { HARD_BLANK, wrap } from "./sentences.js";

export const choicesHeading = (choices: readonly Choice[]): string => `Legal actions, ${choices.length}:`;

/** Families, and names by their parts, are worth their heading where the list shrinks to this share. */
const WORTH = 0.75;

/** The heading of a list of choices, and the list: alike ones as families, by name; the others with their numbers. */
export function choicesSection(choices: readonly Choice[], width: number): [head: string, list: string] {
  const all = choicesText(choices, width);
  const families = familiesText(choices, (c, i) => choiceLine(choices, c, i, width));
  return families === null || families.length > WORTH * all.length
    ? [choicesHeading(choices), all]
    : [choicesHeading(choices), `  (by number, or by name in brackets; X is any of those listed)\n${families}`];
}

/**
 * What has changed in a list of choices since an earlier decision, where that is shorter than the list by half;
 * otherwise null.
 *
 * @param before the list of then, and the number of the decision
 */
export function changedChoices(
  before: { readonly choices: readonly Choice[]; readonly number: string },
  choices: readonly Choice[],
  width: number,
): string[] | null {
  const old = new Map(before.choices.map((c) => [c.name, choiceText(before.choices, c)]));
  const names = new Set(choices.map((c) => c.name));
  const gone = before.choices.filter((c) => !names.has(c.name)).map((c) => `[${c.name}]`);
  const fresh = choices.filter((c) => old.get(c.name) !== choiceText(choices, c));
  const without = gone.length === 0 ? "" : `, without ${gone.join(", ")}`;
  const note = `  (by name: as at decision ${before.number}${without}${fresh.length === 0 ? "" : "; new:"})`;
  const lines = [
    choicesHeading(choices),
    note,
    ...fresh.map((c) => wrap(`  - ${choiceText(choices, c)}`, width, "    ")),
  ];
  return 2 * lines.join("\n").length < choicesSection(choices, width).join("\n").length ? lines : null;
}

function choiceLine(choices: readonly Choice[], c: Choice, i: number, width: number): string {
  const digits = String(choices.length).length;
  const number = String(i + 1).padStart(digits);
  return wrap(`  ${number} ${choiceText(choices, c)}`, width, " ".repeat(digits + 3));
}

function choiceText(choices: readonly Choice[], c: Choice): string {
  // what every choice does need not be said of each
  const mark = c.ends === null || choices.every((x) => x.ends === c.ends) ? "" : ` [ends the ${c.ends}]`;
  const warning = c.warning === null ? "" : ` ! ${c.warning}`;
  const text = c.text === c.name ? c.name : `${c.text} [${c.name.replaceAll(" ", HARD_BLANK)}]`;
  return `${text}${mark}${warning}`;
}

/** Choices in words, one a line. */
export const choicesText = (choices: readonly Choice[], width: number): string =>
  choices.map((c, i) => choiceLine(choices, c, i, width)).join("\n");

/**
 * Choices for a screen of `rows`. In words, one a line, if they fit. Otherwise their names in columns, with `!` behind
 * those that warn, and those that end something in words. If these don't fit either, names by kind, as ranges; each
 * kind is cut where the screen has no more rows for it.
 */
export function choicesOnScreen(choices: readonly Choice[], width: number, rows: number): string {
  const full = choicesText(choices, width);
  if (linesIn(full) <= rows) return full;
  const enders = choices.findIndex((c) => c.ends !== null);
  const plain = enders < 0 ? choices.length : enders;
  const names = columns(
    choices.slice(0, plain).map((c) => (c.warning === null ? c.name : `${c.name}!`)),
    width,
    choices.length,
  );
  const more = "  (choices: what each does; look PLACE: what is there)";
  const ends = choices.slice(plain).map((c, i) => choiceLine(choices, c, plain + i, width));
  const listed = [names, ...ends, more].join("\n");
  return linesIn(listed) <= rows ? listed : kindsOnScreen(choices, width, rows);
}

/** Fewest lines of a kind of action on a screen. */
const LEAST_LINES = 2;

function kindsOnScreen(choices: readonly Choice[], width: number, rows: number): string {
  const { plain, kinds } = namesOf(choices, width);
  const more = wrap("  (choices: all, and what each does; look PLACE: what is there; X is any of those listed)", width, "   "); // prettier-ignore
  let left = rows - linesIn([...plain, more].join("\n"));
  const lists = kinds.map(({ kind, names, count }, i) => {
    const most = Math.max(LEAST_LINES, Math.floor(left / (kinds.length - i)));
    const lines = wrap(`  ${kind}X, ${count}: ${names}`, width, "    ").split("\n");
    if (lines.length > most) lines.splice(most - 1, Infinity, `${lines[most - 1]!.replace(/,? [^ ]*$/, "")} ...`);
    left -= lines.length;
    return lines.join("\n");
  });
  return [...lists, ...plain, more].join("\n");
}

const linesIn = (text: string): number => text.split("\n").length;

/** Limit of characters of a list of choices for a reader without a screen. */
export const MOST_CHOICES = 7000;

/** Every choice with its effect, without its name if the list would be longer than `MOST_CHOICES`. */
export function everyChoice(choices: readonly Choice[]): string {
  const text = choicesText(choices, Infinity);
  if (text.length <= MOST_CHOICES) return text;
  return choicesText(
    choices.map((c) => ({ ...c, name: c.text })),
    Infinity,
  );
}

/**
 * A list of choices within a limit of characters: alike ones as families, or numbers only, or names only.
 *
 * @returns its heading and the list
 */
export function shortList(choices: readonly Choice[], most: number): [head: string, list: string] {
  const [head, list] = choicesSection(choices, Infinity);
  if (list.length <= most) return [head, list];
  const all = everyChoice(choices);
  return [head, all.length <= most ? all : namesText(choices, Infinity)];
}

/** Least number of choices of a kind of action that are listed by names alone. */
const FEW = 4;

/** Characters of a list of names beyond which it is written by the parts of names. */
const MANY_NAMES = 1500;

/** Very many choices by their names: those of one kind together, the others with what they do. */
export function namesText(choices: readonly Choice[], width: number): string {
  const { plain, kinds, hasParts } = namesOf(choices, width);
  const note = hasParts ? `. ${PRODUCTS_NOTE}` : "";
  const lists = kinds.map(({ kind, names }) => wrap(`  ${kind}X: ${names}`, width, "    "));
  return [`  (by number, or by name, where X is any of those listed${note})`, ...plain, ...lists].join("\n");
}

/** Names of one kind of action as a list, and how many there are. */
interface Kind {
  /** The name up to the word in which they differ, with the blank. */
  readonly kind: string;
  readonly names: string;
  readonly count: number;
}

function namesOf(
  choices: readonly Choice[],
  width: number,
): { readonly plain: string[]; readonly kinds: Kind[]; readonly hasParts: boolean } {
  const byKind = new Map<string, Choice[]>();
  for (const c of choices) {
    const kind = kindOf(c);
    if (kind !== "" && c.ends === null) byKind.set(kind, [...(byKind.get(kind) ?? []), c]);
  }
  const isPlain = (c: Choice): boolean => c.ends !== null || (byKind.get(kindOf(c))?.length ?? 0) < FEW;
  const plain = choices.flatMap((c, i) => (isPlain(c) ? [choiceLine(choices, c, i, width)] : []));
  let hasParts = false;
  const kinds = [...byKind].flatMap(([kind, list]) => {
    if (list.length < FEW) return [];
    const names = list.map((c) => c.name.slice(kind.length));
    const plainly = ranges(endings(names)).join(", ");
    const parts = plainly.length > MANY_NAMES ? products(names).join("; ") : plainly;
    const short = parts.length < WORTH * plainly.length ? parts : plainly;
    hasParts ||= short !== plainly;
    return [{ kind, names: short, count: list.length }];
  });
  return { plain, kinds, hasParts };
}

const kindOf = ({ name }: Choice): string => name.slice(0, name.lastIndexOf(" ") + 1);

/** Numbered names, down the columns of a terminal. @param of the largest number in the whole list */
export function columns(names: readonly string[], width: number, of = names.length): string {
  if (names.length === 0) return "";
  const items = names.map((n, i) => `${String(i + 1).padStart(String(of).length)} ${n}`);
  const wide = Math.max(...items.map((i) => i.length)) + 3;
  const across = Math.max(1, Math.min(Math.ceil(items.length / 5), Math.floor((width - 3) / wide)));
  const down = Math.ceil(items.length / across);
  return Array.from({ length: down }, (_, r) =>
    Array.from({ length: across }, (_c, c) => (items[c * down + r] ?? "").padEnd(wide))
      .join("")
      .trimEnd(),
  )
    .map((line) => `  ${line}`)
    .join("\n");
}
