import type { Foreseen, Odds } from "../../../env/index.js";

/** A choice whose odds were asked for. */
export interface Asked {
  readonly action: number;
  /** Asked for by a key or a tap, not by pointing. */
  readonly wanted: boolean;
  /** Null until they come. */
  readonly odds: Odds | null;
  /** What it leads to after all that must follow, where that is more than the odds show. */
  readonly leads: Foreseen | null;
}

const outcomesOf = (results: readonly { readonly outcomes: readonly string[] }[]): string =>
  JSON.stringify(results.map((r) => r.outcomes));

/** An answer: what it leads to is left out where it is the same. */
export const answered = (asked: Asked, odds: Odds, leads: Foreseen | null): Asked => ({
  ...asked,
  odds,
  leads: leads !== null && outcomesOf(odds.results) === outcomesOf(leads.results) ? null : leads,
});

/** True when nothing in it is worth a word. */
export const sayNothing = ({ odds, leads }: Asked): boolean =>
  leads === null && odds !== null && odds.results.length === 1 && odds.results[0]!.outcomes.length === 0;
