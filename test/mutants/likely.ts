import type { Known, Verdict } from "./judge.js";
import type { Change, Mutant } from "./mutant.js";

/** So many proofs are named at most, and so many that noticed something near. */
const MOST = 60;
const NEAR = 15;

/** Guesses who notices a mutant, from who noticed others and from what the code around it cites. */
export class Likely {
  private readonly noticed: { file: string; line: number; at: string; killer: string }[] = [];

  /** @param citing proofs by the rule they cite */
  constructor(
    private readonly citing: ReadonlyMap<string, readonly string[]>,
    private readonly texts: (file: string) => string,
  ) {}

  learn(mutant: Mutant, verdict: Pick<Verdict, "killer">): void {
    if (verdict.killer !== undefined) this.noticed.push({ ...mutant, killer: verdict.killer });
  }

  /** Ids of proofs, the likeliest first. */
  of(change: Change): string[] {
    const near = this.noticed
      .filter((n) => n.file === change.file)
      .map((n) => ({ ...n, far: change.start < 0 ? -alike(n.at, change.at) : Math.abs(n.line - change.line) }))
      .sort((a, b) => a.far - b.far)
      .map((n) => n.killer);
    const cited = change.start < 0 ? [] : citedNear(this.texts(change.file), change.line);
    const citing = cited.flatMap((rule) => this.citing.get(rule) ?? []);
    return [...new Set([...[...new Set(near)].slice(0, NEAR), ...citing])].slice(0, MOST);
  }
}

/** Proofs by the rule they cite. */
export function byRule(proofs: readonly Known[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, rules } of proofs) for (const r of rules) found.set(r, [...(found.get(r) ?? []), id]);
  return found;
}

/** How many characters two paths begin with alike. */
function alike(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return n;
}

/** Lines above a mutant in which a comment may cite its rule. */
const ABOVE = 25;

/** Rule ids in comments near a line, the nearest first. */
function citedNear(text: string, line: number): string[] {
  const lines = text.split("\n").slice(Math.max(0, line - ABOVE), line);
  return lines.reverse().flatMap((l) => {
    const at = l.search(/\bRules?: /);
    return at < 0 ? [] : [...l.slice(at).matchAll(/\b[A-Z]{1,4} (?:\w+ )*[\d.]+\b/g)].map((m) => m[0]);
  });
}
