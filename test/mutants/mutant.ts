/** One small change of one file. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /**
   * The mutated place: the source text of its statement (see `placeOf`), or the path in a data file. With `from`, `to`
   * and `nth` it names the mutant.
   */
  readonly at: string;
  readonly from: string;
  readonly to: string;
  /** Which of the mutants of this file that are otherwise named alike, from 1. */
  readonly nth: number;
}

/** A mutant with the text that its file then has. */
export interface Change extends Mutant {
  /** Offset in its file of what is changed; -1 in data. */
  readonly start: number;
  text(): string;
}

export const nameOf = ({ file, at, from, to, nth }: Mutant): string =>
  `${file}: ${at}: ${from} -> ${to}${nth > 1 ? ` (${nth})` : ""}`;

/** The mutant alone, as reports keep it. */
export const mutantOf = ({ file, line, at, from, to, nth }: Change): Mutant => ({ file, line, at, from, to, nth });

/** Numbers those that are named alike. */
export function numbered(changes: readonly Omit<Change, "nth">[]): Change[] {
  const seen = new Map<string, number>();
  return changes.map((c) => {
    const name = nameOf({ ...c, nth: 1 });
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return { ...c, nth };
  });
}
