import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { GameType } from "../../../env/index.js";

/**
 * The first word of every rule id of a game: the initials of the game's id (`pocket-stalingrad` is PS). Rule ids have
 * one form in data/rules.json, code, tests and cases: `PS Area 2`. Code cites in a comment, `Rule: PS Area 2, PS 3 Ratt
 * 1`; tests by `rule("PS Area 2", ...)` of test/rule.ts; rule cases by their `rule` field, one id or several behind
 * commas.
 */
export const rulePrefix = (gameId: string): string =>
  gameId
    .split("-")
    .map((word) => word[0]!.toUpperCase())
    .join("");

export interface Citation {
  /** Path in the repository. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Name of the test or id of the case; the line of code's comment for code. */
  readonly text: string;
}

export interface Citations {
  /** In comments of the game's code. */
  readonly code: readonly Citation[];
  readonly tests: readonly Citation[];
  readonly cases: readonly Citation[];
}

export interface CitationTable {
  /** By id; every rule of the index is there. */
  readonly rules: ReadonlyMap<string, Citations>;
  /** Citations of rules that the index lacks, `file: text`. */
  readonly unknown: readonly string[];
}

/** True when the repository, and not an installed package, is at `root`: only it has tests. */
export const hasTests = (root: string): boolean => existsSync(join(root, "test", "rule.ts"));

/** Collects the citations of every rule of a game: in code, and where there are any, in tests and rule cases. */
export function citationsOf(type: GameType, root: string): CitationTable {
  const prefix = rulePrefix(type.id);
  const rules = new Map(
    Object.keys(type.rules).map((id): [string, { [K in keyof Citations]: Citation[] }] => [
      id,
      { code: [], tests: [], cases: [] },
    ]),
  );
  const unknown: string[] = [];
  const cite = (id: string | null, kind: keyof Citations, file: string, line: number, text: string) => {
    const name = relative(root, file);
    const list = id === null ? undefined : rules.get(id)?.[kind];
    if (list === undefined) unknown.push(`${name}: ${text}`);
    else list.push({ file: name, line, text });
  };
  for (const file of filesUnder(join(root, "env", type.id), ".ts"))
    for (const { line, text } of codeCitations(readFileSync(file, "utf8"), prefix))
      cite(idAt(text, rules), "code", file, line, text);
  for (const file of filesUnder(join(root, "test"), ".test.ts"))
    for (const { id, line, text } of testCitations(readFileSync(file, "utf8"), prefix))
      cite(id, "tests", file, line, text);
  for (const file of filesUnder(join(root, "test", "cases", type.id), ".json"))
    for (const { line, id, rule } of caseCitations(readFileSync(file, "utf8")))
      for (const one of rules.has(rule) ? [rule] : rule.split(", ")) cite(one, "cases", file, line, id);
  return { rules, unknown };
}

/**
 * Text from each rule id on in comments that hold `Rule:`, up to the end of the comment. An id behind a comma that
 * lacks the prefix is found too, so that the caller can report it: `SS 9.2, 9.21` gives `SS 9.2, 9.21` and `9.21`.
 */
export function codeCitations(source: string, prefix: string): { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string }[] = [];
  for (const match of source.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)) {
    const [comment] = match;
    const from = comment.search(/\bRules?:\s/);
    if (from < 0) continue;
    const line = lineAt(source, match.index + from);
    const text = comment
      .slice(from)
      .split("\n")
      .map((line, i) => (i === 0 ? line.trimEnd() : line.trim().replace(/^\*\s*/, "")))
      .join(" ")
      .replace(/\*\/$/, "");
    for (const m of text.matchAll(new RegExp(`\\b${prefix} (?=\\S)|(?<=\\b${prefix} [^;]*, )\\d+\\.\\d`, "g")))
      found.push({ line, text: text.slice(m.index).slice(0, 120) });
  }
  return found;
}

/** Tests of rules, `rule("SS 7.1", "...", ...)`. One with an empty body proves nothing and is left out. */
export function testCitations(
  source: string,
  prefix: string,
): { readonly id: string; readonly line: number; readonly text: string }[] {
  const call = new RegExp(`\\brule\\(\\s*"(${prefix} [^"]+)",\\s*("(?:[^"\\\\]|\\\\.)*"|\`[^\`]*\`)?,?`, "g");
  return [...source.matchAll(call)].flatMap((m) => {
    const rest = source.slice(m.index + m[0].length).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    if (/^\s*(async\s*)?\(\)\s*=>\s*(\{\s*\}|undefined\b|null\b|void 0\b)/.test(rest)) return [];
    return [{ id: m[1]!, line: lineAt(source, m.index), text: (m[2] ?? "").slice(1, -1) }];
  });
}

/** Rule cases of a file. One that expects nothing proves nothing and is left out. */
export function caseCitations(source: string): { readonly id: string; readonly rule: string; readonly line: number }[] {
  const cases = JSON.parse(source) as {
    id: string;
    rule: string;
    answer?: unknown;
    steps?: { expect?: object }[];
  }[];
  return cases.flatMap(({ id, rule, answer, steps }) =>
    answer !== undefined || (steps ?? []).some(({ expect }) => Object.keys(expect ?? {}).length > 0)
      ? [{ id, rule, line: lineAt(source, Math.max(0, source.indexOf(JSON.stringify(id)))) }]
      : [],
  );
}

/** The longest id that `text` begins with, and that ends there. */
export function idAt(text: string, ids: { keys(): Iterable<string> }): string | null {
  let best: string | null = null;
  for (const id of ids.keys()) {
    const ends = !/^(\w|[.-]\w)/.test(text.slice(id.length));
    if (text.startsWith(id) && ends && id.length > (best?.length ?? 0)) best = id;
  }
  return best;
}

const lineAt = (source: string, index: number): number => source.slice(0, index).split("\n").length;

function filesUnder(dir: string, ending: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile() && e.name.endsWith(ending))
    .map((e) => join(e.parentPath, e.name))
    .sort();
}
