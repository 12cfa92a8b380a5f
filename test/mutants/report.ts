import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Held } from "./held.js";
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
  /** For each rule that is implemented, what shows that its tests hold its code; null: nothing does. */
  readonly rules: Readonly<Record<string, Held | null>>;
  readonly mutants: readonly Judged[];
}

const equivalentSchema = z.array(
  z
    .strictObject({
      reason: z.string().min(20),
      /** Names as `nameOf` gives them, without `env/GAME/`. */
      mutants: z.array(z.string()).optional(),
      /** A pattern of such names, for what holds wherever it fits. */
      matching: z.string().optional(),
    })
    .refine((e) => (e.mutants === undefined) !== (e.matching === undefined), "give mutants or matching"),
);

/** A mutant, or all whose names fit a pattern, that change no rule, with the reason. */
export interface Equivalent {
  readonly reason: string;
  readonly what: string;
  fits(mutant: Mutant): boolean;
}

const HERE = import.meta.dirname;
const fileOf = (game: string, what: string): string => join(HERE, `${game}${what}.json`);

/** @throws ZodError when the list has another form */
export function parseEquivalents(game: string, list: unknown): Equivalent[] {
  const short = (m: Mutant): string => nameOf(m).replace(`env/${game}/`, "");
  return equivalentSchema.parse(list).flatMap(({ reason, mutants, matching }) => {
    if (matching === undefined)
      return mutants!.map((what) => ({ reason, what, fits: (m: Mutant) => short(m) === what }));
    const pattern = new RegExp(`^(?:${matching})$`);
    return [{ reason, what: matching, fits: (m: Mutant) => pattern.test(short(m)) }];
  });
}

/** The list of a game, empty when there is none. @throws as `parseEquivalents` does */
export function readEquivalents(game: string): Equivalent[] {
  const file = fileOf(game, "-equivalent");
  return existsSync(file) ? parseEquivalents(game, JSON.parse(readFileSync(file, "utf8"))) : [];
}

/** The stored report of a game, or null. */
export function readReport(game: string): Report | null {
  const file = fileOf(game, "");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : null;
}

/** Writes a report with a line for each mutant, so that a change of it can be read. */
export function writeReport(report: Report): void {
  const { mutants, rules, ...head } = report;
  const held = Object.entries(rules).map(([id, h]) => `${JSON.stringify(id)}:${JSON.stringify(h)}`);
  const judged = mutants.map((m) => JSON.stringify(m));
  const text = `${JSON.stringify(head).slice(0, -1)},\n"rules":{\n${held.join(",\n")}\n},"mutants":[\n${judged.join(",\n")}\n]}\n`;
  writeFileSync(fileOf(report.game, ""), text);
}

/** Survivors that are listed as equivalent are marked so; those that are listed and don't survive are named. */
export function markEquivalents(
  judged: readonly Judged[],
  equivalents: readonly Equivalent[],
): { mutants: Judged[]; wronglyListed: string[] } {
  const listed = (m: Judged): boolean => equivalents.some((e) => e.fits(m));
  const lives = (m: Judged): boolean => m.fate === "survived" || m.fate === "equivalent";
  return {
    mutants: judged.map((m) => (lives(m) ? { ...m, fate: listed(m) ? "equivalent" : "survived" } : m)),
    wronglyListed: judged.filter((m) => m.fate !== "refused" && listed(m) && !lives(m)).map(nameOf),
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
