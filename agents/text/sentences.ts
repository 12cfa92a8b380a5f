import { amountOf, hundredths } from "../../env/core/words.js";
import {
  type Choice,
  type FoundRule,
  type Game,
  type GameEvent,
  type LogEntry,
  type Odds,
  type Prompt,
  sceneOf,
  SPECTATOR,
  type Standing,
  type StateView,
  type Viewer,
} from "../../env/index.js";
import { familiesText } from "./choice-families.js";
import { endings, PRODUCTS_NOTE, products, ranges } from "./lists.js";

/** A blank at which no line breaks; printed as a blank. */
const HARD_BLANK = "\u00a0";

/** Breaks a text into lines of at most `width`; later lines begin with `indent`. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  const start = /^ */.exec(text)![0];
  let line = start;
  for (const word of text.trim().split(/ +/)) {
    const empty = line.trim() === "";
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = empty ? `${line}${word}` : `${line} ${word}`;
  }
  return [...lines, line].join("\n").replaceAll(HARD_BLANK, " ");
}

/** The board as text, its lines no longer than the screen is wide. */
export const boardText = (game: Game, s: StateView, viewer: Viewer, width: number): string =>
  game
    .render(s, viewer)
    .split("\n")
    .map((line) => (line.length > width ? wrap(line, width, "  ") : line))
    .join("\n");

/** A rule's number behind a sentence, on one line. */
const cited = (rule: string): string => (rule === "" ? "" : ` (${rule.replaceAll(" ", HARD_BLANK)})`);

/** Breaks a line that is too long between words, and leaves its blanks as they are. */
export function broken(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const blank = line.lastIndexOf(" ", width);
  const at = blank > width / 2 ? blank : width;
  return [line.slice(0, at).trimEnd(), ...broken(`    ${line.slice(at).trimStart()}`, width)];
}

/** A side's name for people, by its id. */
export type SideName = (side: string) => string;

/** Names of a game's sides, from its scene. */
export function sideNames(game: Game, s: StateView): SideName {
  const names = new Map(sceneOf(game, s, SPECTATOR).sides.map((side) => [side.id, side.name]));
  return (side) => names.get(side) ?? side;
}

/**
 * A decision as a report: what happened, each sentence with its rule.
 *
 * @param notation also the action in its notation; by default only where nothing else describes it
 * @param citedBefore rules that need not be cited again; those that are cited are added
 */
export function entryText(
  entry: LogEntry,
  nameOf: SideName,
  width: number,
  notation = entry.events.length === 0,
  citedBefore = new Set<string>(),
): string {
  const forced = entry.forced ? " (the only choice)" : "";
  const by = entry.actor === null ? "" : `${nameOf(entry.actor)}: `;
  const head = entry.action === null || !notation ? [] : [wrap(`  ${by}${entry.action}${forced}`, width, "    ")];
  const indent = head.length > 0 ? "    " : "  ";
  const eventLines = entry.events.map((e, i) => {
    const only = head.length === 0 && i === 0 ? forced : "";
    const text = citedBefore.has(e.rule) ? e.text : eventText(e);
    citedBefore.add(e.rule);
    return wrap(`${indent}${text}${only}`, width, `${indent}  `);
  });
  return [...head, ...eventLines].join("\n");
}

/**
 * Decisions as reports, each rule cited once. Decisions without events, such as which unit to move, are left out in
 * games that report events.
 *
 * @param citedBefore rules that need not be cited again; those that are cited are added
 */
export function reports(
  game: Game,
  entries: readonly LogEntry[],
  nameOf: SideName,
  width: number,
  last = Infinity,
  citedBefore = new Set<string>(),
): string[] {
  return entries
    .filter((e) => e.events.length > 0 || game.narration === undefined)
    .slice(-last)
    .map((e) => entryText(e, nameOf, width, e.events.length === 0, citedBefore));
}

const eventText = (e: GameEvent): string => (e.rule === "" ? e.text : `${e.text.replace(/\.$/, "")}${cited(e.rule)}.`);

/** How the game would end if it ended now. */
export const standingLine = (standing: Standing, width: number): string => wrap(standing.ifEndedNow, width, "  ");

export function standingText(standing: Standing, nameOf: SideName, width: number): string {
  const rows = standing.conditions.map((c) => {
    const where = c.places.length > 0 ? ` [${ranges(c.places).join(", ")}]` : "";
    return wrap(
      `${c.met ? "*" : "-"} ${nameOf(c.side)}: ${c.text} ${amountOf(c)}, ${c.when}${where}${cited(c.rule)}`,
      width,
      "  ",
    );
  });
  return [...rows, wrap(`Now: ${standing.ifEndedNow}`, width, "  ")].join("\n");
}

/** The same with what all conditions share said once, where they share it. */
export function briefStanding(standing: Standing, nameOf: SideName): string {
  const { conditions, ifEndedNow } = standing;
  const shared = (c: Standing["conditions"][number]): string =>
    `${c.when}${c.places.length > 0 ? ` [${ranges(c.places).join(", ")}]` : ""}${cited(c.rule)}`;
  const [first] = conditions;
  if (first === undefined || conditions.some((c) => shared(c) !== shared(first)))
    return standingText(standing, nameOf, Infinity);
  const rows = conditions.map((c) => `${c.met ? "*" : "-"} ${nameOf(c.side)}: ${c.text} ${amountOf(c)}`);
  return [...rows, `Each: ${shared(first)}`, `Now: ${ifEndedNow}`].join("\n").replaceAll(HARD_BLANK, " ");
}

export function promptText(prompt: Prompt, width: number): string {
  return wrap(`${prompt.text}${cited(prompt.rule)}`, width, "  ");
}

export const choicesHeading = (choices: readonly Choice[]): string => `Legal actions, ${choices.length}:`;

/** Families, and names by their parts, are worth their heading where the list shrinks to this share. */
const WORTH = 0.75;

/** The heading of a list of choices, and the list: alike ones as families, by name; the others with their numbers. */
export function choicesSection(choices: readonly Choice[], width: number): [head: string, list: string] {
  const all = choicesText(choices, width, Infinity);
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

/**
 * Choices in words, one a line while they fit `rows`; otherwise their names in columns, with `!` behind those that
 * warn, and
 * those that end something in words.
 */
export function choicesText(choices: readonly Choice[], width: number, rows: number): string {
  const line = (c: Choice, i: number): string => choiceLine(choices, c, i, width);
  const full = choices.map(line).join("\n");
  if (full.split("\n").length <= rows) return full;
  const enders = choices.findIndex((c) => c.ends !== null);
  const plain = enders < 0 ? choices.length : enders;
  const names = columns(
    choices.slice(0, plain).map((c) => (c.warning === null ? c.name : `${c.name}!`)),
    width,
    choices.length,
  );
  const more = "  (choices: what each does; look PLACE: what is there)";
  return [names, ...choices.slice(plain).map((c, i) => line(c, plain + i)), more].join("\n");
}

/** Limit of characters of a list of choices for a reader without a screen. */
export const MOST_CHOICES = 7000;

/** Every choice with its effect, without its name if the list would be longer than `MOST_CHOICES`. */
export function everyChoice(choices: readonly Choice[]): string {
  const text = choicesText(choices, Infinity, Infinity);
  if (text.length <= MOST_CHOICES) return text;
  return choicesText(
    choices.map((c) => ({ ...c, name: c.text })),
    Infinity,
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
  const kinds = new Map<string, Choice[]>();
  const plain: string[] = [];
  for (const c of choices) {
    const kind = c.name.slice(0, c.name.lastIndexOf(" ") + 1);
    if (kind !== "" && c.ends === null) kinds.set(kind, [...(kinds.get(kind) ?? []), c]);
  }
  choices.forEach((c, i) => {
    const kind = c.name.slice(0, c.name.lastIndexOf(" ") + 1);
    if (c.ends !== null || (kinds.get(kind)?.length ?? 0) < FEW) plain.push(choiceLine(choices, c, i, width));
  });
  let hasParts = false;
  const lists = [...kinds].flatMap(([kind, list]) => {
    if (list.length < FEW) return [];
    const names = list.map((c) => c.name.slice(kind.length));
    const plainly = ranges(endings(names)).join(", ");
    const parts = plainly.length > MANY_NAMES ? products(names).join("; ") : plainly;
    const short = parts.length < WORTH * plainly.length ? parts : plainly;
    hasParts ||= short !== plainly;
    return [wrap(`  ${kind}X: ${short}`, width, "    ")];
  });
  const note = hasParts ? `. ${PRODUCTS_NOTE}` : "";
  return [`  (by number, or by name, where X is any of those listed${note})`, ...plain, ...lists].join("\n");
}

const chance = (p: number): string => (p > 0 && p < 0.0005 ? "<0.1" : hundredths(p));

/** Odds as lines of percent and result; `most` results, the rest together. @param what the choice in words */
export function oddsText(odds: Odds, what: string, width: number, most = 8): string {
  const rows = odds.results.slice(0, most).map((r) => {
    const between = odds.method === "sampled" ? ` [${chance(r.low)}-${chance(r.high)}]` : "";
    const comes = r.outcomes.length === 0 ? "nothing of note" : r.outcomes.join("; ");
    return wrap(`  ${chance(r.probability).padStart(5)} %${between}  ${comes}`, width, "            ");
  });
  const rest = odds.results.slice(most).reduce((sum, r) => sum + r.probability, 0);
  if (rest > 0) rows.push(`  ${chance(rest).padStart(5)} %  ${odds.results.length - most} other results`);
  const singles = odds.results.length === 0 ? odds.each.slice(0, 3 * most) : rest > 0 ? odds.each.slice(0, most) : [];
  const heading = singles.length > 0 && rows.length > 0 ? ["  Each result by itself:"] : [];
  return [wrap(`${what}: ${methodText(odds)}`, width, "  "), ...rows, ...heading, ...inColumns(singles, width)].join(
    "\n",
  );
}

/** How odds were found, and what they take for granted. */
function methodText(odds: Odds): string {
  const how =
    odds.method === "certain"
      ? "no dice"
      : odds.method === "exact"
        ? `exact, ${odds.count} ways the dice can fall`
        : `from ${odds.count} samples, with 95 % intervals`;
  return odds.presumed.length === 0 ? `${how}.` : `${how}, if you go on with ${odds.presumed.join(", ")}.`;
}

/** Single outcomes with their chances, side by side as far as the width goes. */
function inColumns(each: Odds["each"], width: number): string[] {
  const items = each.map((e) => `${chance(e.probability).padStart(5)} %  ${e.outcome}`);
  const wide = Math.max(1, ...items.map((i) => i.length)) + 2;
  const across = Math.max(1, Math.floor((width - 2) / wide));
  if (across === 1) return items.map((i) => wrap(`  ${i}`, width, "            "));
  const down = Math.ceil(items.length / across);
  return Array.from({ length: down }, (_, r) =>
    Array.from({ length: across }, (_c, c) => (items[c * down + r] ?? "").padEnd(wide)).join(""),
  ).map((row) => `  ${row}`.trimEnd());
}

export const ruleText = (r: FoundRule, width: number): string =>
  wrap(
    `${r.id}: ${r.says}${r.status === "done" ? "" : ` (${r.status === "option" ? `option ${r.option ?? ""}` : `not in this game: ${r.reason ?? ""}`})`}`,
    width,
    "  ",
  );

/**
 * The action that a line means: its number in the list (from 1), its name, or a beginning that only one name has
 * (capitals don't matter).
 *
 * @returns the action, or all names that begin so
 */
export function findAction(legal: readonly string[], line: string): string | string[] {
  if (legal.includes(line)) return line;
  const number = /^\d+$/.test(line) ? Number(line) : 0;
  if (number >= 1 && number <= legal.length) return legal[number - 1]!;
  const lower = line.toLowerCase();
  const same = legal.filter((a) => a.toLowerCase() === lower);
  if (same.length === 1) return same[0]!;
  const fits = legal.filter((a) => a.toLowerCase().startsWith(lower));
  return fits.length === 1 ? fits[0]! : fits;
}

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
