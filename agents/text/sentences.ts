import { amountOf, hundredths } from "../../env/core/words.js";
import {
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
import { ranges } from "./lists.js";

/** A blank at which no line breaks; printed as a blank. */
export const HARD_BLANK = "\u00a0";

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

/**
 * The board as text, its lines no longer than the screen is wide: a map that is wider comes in parts, from left to
 * right.
 */
export function boardText(game: Game, s: StateView, viewer: Viewer, width: number): string {
  const blocks = game
    .render(s, viewer)
    .split("\n\n")
    .map((block) => block.split("\n"));
  const fitted = blocks.flatMap((lines) => {
    const parts = isMap(lines, width) ? columnsOf(lines, width) : null;
    return parts ?? [lines.map((line) => (line.length > width ? wrap(line, width, "  ") : line))];
  });
  return fitted.map((lines) => lines.join("\n")).join("\n\n");
}

/** Blanks in a row that only a drawing has. */
const GAP = /\S {3,}\S/;
/** Lines of a map. */
const FEWEST_LINES = 5;

/** True when lines that are too long are those of a map, whose columns are to stay below each other. */
const isMap = (lines: readonly string[], width: number): boolean =>
  lines.length >= FEWEST_LINES &&
  lines.some((line) => line.length > width) &&
  lines.filter((line) => GAP.test(line)).length > lines.length / 2;

/**
 * Lines cut at columns where all of them are blank, each part with the first column of the map, which numbers the rows.
 * Null where there is no such column.
 */
function columnsOf(lines: readonly string[], width: number): string[][] | null {
  const longest = Math.max(...lines.map((line) => line.length));
  const isBlank = (at: number): boolean => lines.every((line) => (line[at] ?? " ") === " ");
  const first = Array.from({ length: longest }, (_, at) => at).find((at) => at > 0 && isBlank(at));
  if (first === undefined) return null;
  const parts: string[][] = [];
  for (let from = first + 1; from < longest;) {
    let to = Math.min(longest, from + width - first - 1);
    if (to < longest) while (to > from && !isBlank(to)) to--;
    if (to === from) return null;
    parts.push(lines.map((line) => `${line.slice(0, first + 1).padEnd(first + 1)}${line.slice(from, to)}`.trimEnd()));
    from = to;
  }
  return parts;
}

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
