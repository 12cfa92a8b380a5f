import { createHash } from "node:crypto";

/** Why a golden file is as it is. */
export interface Account {
  /** Of what counts in the file. */
  readonly digest: string;
  /** Words of the changelog's line about its last change; null for a file that never changed. */
  readonly changelog: string | null;
}
/** `digests.json`: by path. */
export type Accounts = Readonly<Record<string, Account>>;

const isRules = (path: string): boolean => path.endsWith("/rules.txt");

/**
 * Digest of a golden file. Of a table of rules the ids and states count, not where code and tests cite them: that
 * changes with every test and every file that moves, and nobody plays another game for it.
 */
export function digestOf(path: string, text: string): string {
  const counted = isRules(path) ? [...rulesIn(text)].map(([id, r]) => `${id}: ${r["status"]}`).join("\n") : text;
  return createHash("sha256").update(counted).digest("hex").slice(0, 16);
}

/** The sentences of a changelog: its list items, each as one line. */
export function changelogLines(changelog: string): string[] {
  return changelog
    .split(/\n(?=- |#|\n)/)
    .filter((item) => item.startsWith("- "))
    .map((item) => item.slice(2).replace(/\s+/g, " ").trim());
}

/** The one line of the changelog that contains these words. @throws Error saying what was wrong */
export function lineWith(changelog: string, words: string): string {
  const found = changelogLines(changelog).filter((line) => line.includes(words.replace(/\s+/g, " ").trim()));
  if (found.length === 1) return found[0]!;
  throw new Error(
    `CHANGELOG.md has ${found.length} lines with ${JSON.stringify(words)}; name one by words it alone has`,
  );
}

/** What is wrong with the account of a golden file. */
export function unaccounted(path: string, text: string, accounts: Accounts, changelog: string): string[] {
  const account = accounts[path];
  if (account === undefined) return [`${path} has no entry in digests.json: npm run golden writes it`];
  const faults: string[] = [];
  if (account.digest !== digestOf(path, text))
    faults.push(
      `${path} changed: write a line into CHANGELOG.md, then npm run golden -- --because "WORDS OF THAT LINE"`,
    );
  try {
    if (account.changelog !== null) lineWith(changelog, account.changelog);
  } catch (e) {
    faults.push(`${path}: ${(e as Error).message}`);
  }
  return faults;
}

type Row = Readonly<Record<string, string>>;

/** A table of rules read back: by id its state and the files that cite it. */
function rulesIn(text: string): Map<string, Row> {
  const rules = new Map<string, Record<string, string>>();
  let row: Record<string, string> = {};
  for (const line of text.split("\n").slice(1)) {
    if (line === "") continue;
    const part = /^ {2}(code|tests) +(.*)$/.exec(line);
    if (part !== null) row[part[1]!] = part[2]!;
    else if (line.startsWith("  ")) row["status"] = line.trim();
    else rules.set(line, (row = {}));
  }
  return rules;
}

/** Rules gained, lost, in another state, or cited elsewhere; a line each. */
function changesOfRules(before: string, after: string): string[] {
  const [old, now] = [rulesIn(before), rulesIn(after)];
  const lines: string[] = [];
  for (const id of old.keys()) if (!now.has(id)) lines.push(`lost    ${id}`);
  for (const [id, row] of now) {
    const was = old.get(id);
    if (was === undefined) lines.push(`gained  ${id}: ${row["status"]}`);
    else if (was["status"] !== row["status"]) lines.push(`state   ${id}: ${was["status"]} -> ${row["status"]}`);
    for (const part of ["code", "tests"])
      if (was !== undefined && was[part] !== row[part])
        lines.push(`moved   ${id}: ${part} ${was[part]} -> ${row[part]}`);
  }
  return lines;
}

/** The first decision that is another one, and the first line that differs, of a playthrough. */
function changesOfPlay(before: string, after: string): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const decisions = (lines: readonly string[]): string[] => lines.filter((line) => /^\d+ .*\(of \d+\)/.test(line));
  const [oldPlay, nowPlay] = [decisions(old), decisions(now)];
  const from = (list: readonly string[], i: number): string => list[i] ?? "nothing";
  const firstOf = (a: readonly string[], b: readonly string[]): number => a.findIndex((line, i) => line !== b[i]);
  const lines: string[] = [];
  let d = firstOf(oldPlay, nowPlay);
  if (d < 0 && nowPlay.length > oldPlay.length) d = oldPlay.length;
  lines.push(
    d < 0
      ? `all ${nowPlay.length} decisions are the same`
      : `first differing decision: ${from(oldPlay, d)} -> ${from(nowPlay, d)}`,
  );
  let n = firstOf(old, now);
  if (n < 0) n = old.length;
  lines.push(`line ${n + 1}: ${from(old, n).slice(0, 160)}`, `     now: ${from(now, n).slice(0, 160)}`);
  return lines;
}

/**
 * What another text of a golden file says that this one doesn't, in lines for a person; empty when both are the same.
 */
export function changesOf(path: string, before: string, after: string): string[] {
  if (before === after) return [];
  return isRules(path) ? changesOfRules(before, after) : changesOfPlay(before, after);
}
