import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Verdict } from "./judge.js";
import { type Mutant, nameOf } from "./mutant.js";

/** A mutant and what became of it; `equivalent`: it survived and is listed as no change of a rule. */
export interface Judged extends Mutant, Omit<Verdict, "fate"> {
  readonly fate: Verdict["fate"] | "equivalent";
}

export interface Report {
  readonly game: string;
  readonly seed: number;
  /** Of the game's files and of its tests and cases, as they were judged. */
  readonly digests: { readonly code: string; readonly proofs: string };
  /** How many mutants there are of each kind, before the sample is drawn. */
  readonly population: { readonly code: number; readonly data: number };
  readonly mutants: readonly Judged[];
}

const equivalentSchema = z.array(z.strictObject({ reason: z.string().min(20), mutants: z.array(z.string()).min(1) }));

/** Mutants that change no rule, with the reason, by the name that `nameOf` gives. */
export type Equivalents = ReadonlyMap<string, string>;

const HERE = import.meta.dirname;
const fileOf = (game: string, what: string): string => join(HERE, `${game}${what}.json`);

/** @throws ZodError when the list has another form; Error when a mutant stands there twice */
export function readEquivalents(game: string): Equivalents {
  const file = fileOf(game, "-equivalent");
  if (!existsSync(file)) return new Map();
  const found = new Map<string, string>();
  for (const { reason, mutants } of equivalentSchema.parse(JSON.parse(readFileSync(file, "utf8"))))
    for (const name of mutants) {
      if (found.has(name)) throw new Error(`${game}-equivalent.json lists twice: ${name}`);
      found.set(name, reason);
    }
  return found;
}

/** The stored report of a game, or null. */
export function readReport(game: string): Report | null {
  const file = fileOf(game, "");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : null;
}

/** Writes a report with a line for each mutant, so that a change of it can be read. */
export function writeReport(report: Report): void {
  const { mutants, ...head } = report;
  const lines = mutants.map((m) => JSON.stringify(m));
  const text = `${JSON.stringify({ ...head, mutants: [] }).slice(0, -2)}\n${lines.join(",\n")}\n]}\n`;
  writeFileSync(fileOf(report.game, ""), text);
}

/** Survivors that are listed as equivalent are marked so; those that are listed and don't survive are named. */
export function markEquivalents(
  judged: readonly Judged[],
  equivalents: Equivalents,
): { mutants: Judged[]; wronglyListed: string[] } {
  const listed = (m: Judged): boolean => equivalents.has(nameOf(m));
  const lives = (m: Judged): boolean => m.fate === "survived" || m.fate === "equivalent";
  return {
    mutants: judged.map((m) => (lives(m) ? { ...m, fate: listed(m) ? "equivalent" : "survived" } : m)),
    wronglyListed: judged.filter((m) => listed(m) && !lives(m)).map(nameOf),
  };
}

export interface Score {
  readonly killed: number;
  readonly survived: number;
  readonly equivalent: number;
  readonly refused: number;
  /** Share of those killed among all that are neither equivalent nor refused. */
  readonly share: number;
}

export function scoreOf(mutants: readonly Judged[]): Score {
  const count = (...fates: Judged["fate"][]): number => mutants.filter((m) => fates.includes(m.fate)).length;
  const killed = count("killed", "timeout", "crashed");
  const survived = count("survived");
  const share = killed + survived === 0 ? 1 : killed / (killed + survived);
  return { killed, survived, equivalent: count("equivalent"), refused: count("refused"), share };
}
