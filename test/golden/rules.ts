import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { GameType, Rule } from "../../env/index.js";

/**
 * What stands before a rule's id in citations: the initials of the game's id (`pocket-stalingrad` is PS). Ids in
 * data/rules.json go with or without it. Code cites in a comment, `Rule: PS Area 2, 3 Ratt 1`; tests by `rule("PS Area 2", ...)`
 * of test/rule.ts; rule cases by their `rule` field, one id or several behind commas.
 */
export const rulePrefix = (gameId: string): string =>
  gameId
    .split("-")
    .map((word) => word[0]!.toUpperCase())
    .join("");

export interface Citations {
  /** Files under env/<game> that cite the rule, with how often. */
  readonly code: Map<string, number>;
  /** Test files and rule-case files that cite it, with how often. */
  readonly tests: Map<string, number>;
}

export interface RuleTable {
  readonly rules: ReadonlyMap<string, Citations>;
  /** Citations of rules that the index doesn't have, `file: text`. */
  readonly unknown: readonly string[];
}

/** Follows every rule of a game into its code and its tests. */
export function ruleTable(type: GameType, root: string): RuleTable {
  const prefix = rulePrefix(type.id);
  const rules = new Map<string, Citations>(
    Object.keys(type.rules).map((id) => [bare(id, prefix), { code: new Map(), tests: new Map() }]),
  );
  const unknown: string[] = [];
  const note = (id: string | null, end: keyof Citations, file: string, text: string) => {
    const name = relative(root, file);
    const found = id === null ? undefined : rules.get(id)?.[end];
    if (found === undefined) unknown.push(`${name}: ${text}`);
    else found.set(name, (found.get(name) ?? 0) + 1);
  };
  for (const file of filesUnder(join(root, "env", type.id), ".ts"))
    for (const text of codeCitations(readFileSync(file, "utf8"), prefix))
      for (const id of idsAt(text, rules)) note(id, "code", file, `${prefix} ${text}`);
  for (const file of filesUnder(join(root, "test"), ".test.ts"))
    for (const [, id] of readFileSync(file, "utf8").matchAll(new RegExp(`\\brule\\(\\s*"${prefix} ([^"]+)"`, "g")))
      note(id!, "tests", file, id!);
  for (const file of filesUnder(join(root, "test", "cases", type.id), ".json"))
    for (const { id, rule } of JSON.parse(readFileSync(file, "utf8")) as { id: string; rule: string }[])
      for (const one of rules.has(bare(rule, prefix)) ? [rule] : rule.split(", "))
        note(bare(one, prefix), "tests", file, `${id} cites ${one}`);
  return { rules, unknown };
}

/** What follows the prefix in the comments that begin with `Rule:`, each cut at the end of its comment. */
export function codeCitations(source: string, prefix: string): string[] {
  const found: string[] = [];
  for (const [comment] of source.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)) {
    const from = comment.search(/\bRules?: /);
    if (from < 0) continue;
    const text = comment
      .slice(from)
      .replace(/\s*\n\s*\*?\s*/g, " ")
      .replace(/\*\/$/, "");
    for (const m of text.matchAll(new RegExp(`\\b${prefix} `, "g")))
      found.push(text.slice(m.index + prefix.length + 1));
  }
  return found.map((t) => t.slice(0, 120));
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

/** `id`, and after commas those that follow without a prefix; null where no rule of that id is known. */
export function idsAt(text: string, ids: { keys(): Iterable<string> }): (string | null)[] {
  const found = [idAt(text, ids)];
  for (let rest = text; found.at(-1) !== null;) {
    rest = rest.slice(found.at(-1)!.length);
    const next = rest.startsWith(", ") ? idAt(rest.slice(2), ids) : null;
    if (next === null) break;
    found.push(next);
    rest = rest.slice(2);
  }
  return found;
}

const bare = (id: string, prefix: string) => (id.startsWith(`${prefix} `) ? id.slice(prefix.length + 1) : id);

/** Rules that claim to be done and can't be followed to code and to a test. */
export function unproven(type: GameType, table: RuleTable): string[] {
  return [...table.rules].flatMap(([id, { code, tests }]) => {
    if (ruleOf(type, id).status === "absent") return [];
    const lacks = [...(code.size === 0 ? ["code"] : []), ...(tests.size === 0 ? ["test"] : [])];
    return lacks.length === 0 ? [] : [`${id}: no ${lacks.join(" and no ")}`];
  });
}

const ruleOf = (type: GameType, id: string): Rule => type.rules[id] ?? type.rules[`${rulePrefix(type.id)} ${id}`]!;

/** The table as checked in: a rule gained, lost or cited elsewhere shows in the diff. */
export function rulesText(type: GameType, table: RuleTable): string {
  const places = (m: Map<string, number>, under: string) =>
    m.size === 0
      ? "-"
      : [...m.keys()]
          .map((f) => f.replace(`${under}/`, ""))
          .sort()
          .join(" ");
  const lines = [...table.rules].map(([id, { code, tests }]) => {
    const rule = ruleOf(type, id);
    const status =
      rule.status === "option" ? `option ${rule.option}` : rule.status === "absent" ? `absent: ${rule.reason}` : "done";
    return `${id}\n  ${status}\n  code  ${places(code, `env/${type.id}`)}\n  tests ${places(tests, "test")}`;
  });
  const count = (status: string) => Object.values(type.rules).filter((r) => r.status === status).length;
  return [
    `${type.title}: ${table.rules.size} rules, ${count("done")} done, ${count("option")} by option, ${count("absent")} absent`,
    ...lines,
    "",
  ].join("\n");
}

function filesUnder(dir: string, ending: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile() && e.name.endsWith(ending))
    .map((e) => join(e.parentPath, e.name))
    .sort();
}
