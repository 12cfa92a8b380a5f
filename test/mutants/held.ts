import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { GameType } from "../../env/index.js";
import { type Citation, citationsOf } from "../../server/cli/rule/citations.js";
import { codeMutants } from "./code.js";
import type { Verdict } from "./judge.js";
import { type Change, nameOf } from "./mutant.js";

/** A mutant in a rule's code, or in the data it reads, and the case or test that cites the rule and notices it. */
export interface Held {
  readonly mutant: string;
  readonly by: string;
}

/** So many mutants of data are tried for a rule whose code only reads data. */
const DATA_TRIES = 150;

/** Lines, from 1, of the statement that follows or contains the comment in `line`. */
export function statementAt(source: ts.SourceFile, line: number): readonly [number, number] {
  const at = source.getPositionOfLineAndCharacter(line - 1, 0) + lineIndent(source, line);
  let found: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (node.getFullStart() > at || at >= node.getEnd()) return;
    if (ts.isStatement(node) || ts.isClassElement(node) || ts.isTypeElement(node)) found = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  return [lineOf(found.getStart(source)), lineOf(found.getEnd())];
}

const lineIndent = (source: ts.SourceFile, line: number): number =>
  /^\s*/.exec(source.text.split("\n")[line - 1]!)![0].length;

/**
 * For each rule that is implemented, a mutant in the code that cites it which a case or test that cites it notices;
 * null when there is none.
 *
 * @param data mutants of data, tried for rules whose code only reads data
 * @param judge runs the cases and tests that cite the rule
 * @param atOnce how many rules are looked at side by side
 */
export async function heldRules(
  root: string,
  type: GameType,
  data: readonly Change[],
  judge: (change: Change, rule: string) => Promise<Verdict>,
  atOnce = 1,
): Promise<Record<string, Held | null>> {
  const sources = new Map<string, { source: ts.SourceFile; mutants: Change[] }>();
  const sourceOf = (file: string) => {
    const known = sources.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(root, file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
    const read = { source, mutants: codeMutants(file, text) };
    sources.set(file, read);
    return read;
  };
  const rules = [...citationsOf(type, root).rules].filter(([rule]) => type.rules[rule]!.status !== "absent");
  const held: Record<string, Held | null> = Object.fromEntries(rules.map(([rule]) => [rule, null]));
  const look = async (): Promise<void> => {
    for (let next = rules.shift(); next !== undefined; next = rules.shift()) await lookAt(next[0], next[1].code);
  };
  const lookAt = async (rule: string, code: readonly Citation[]): Promise<void> => {
    const own = code.flatMap(({ file, line }) => {
      const { source, mutants } = sourceOf(file);
      const [from, to] = statementAt(source, line);
      return mutants.filter((m) => m.line >= from && m.line <= to);
    });
    const readsData = code.some(({ file }) => file.startsWith(`env/${type.id}/data`));
    for (const change of [...own, ...(readsData ? data.slice(0, DATA_TRIES) : [])]) {
      const { fate, killer } = await judge(change, rule);
      if (fate !== "killed" && fate !== "timeout") continue;
      held[rule] = { mutant: nameOf(change), by: killer! };
      return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, look));
  return held;
}
