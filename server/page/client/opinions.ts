import type { Judged, JudgedChoice } from "../review-frame.js";

/** Choices listed of each evaluator, and those drawn on the map. */
const [LISTED, DRAWN] = [4, 3];
/** Chances that are further apart than this differ. */
const APART = 0.2;
/** Less likely ones than this are not drawn, unless they are the likeliest. */
const FAINT = 0.05;

/** A choice with what each evaluator thinks of it; null for one that has not looked at it. */
export interface Compared {
  readonly action: string;
  readonly text: string;
  readonly by: readonly (JudgedChoice | null)[];
  readonly differ: boolean;
}

/** The likeliest choices of each evaluator and the one that was played, the likeliest of the first first. */
export function compared(opinions: readonly Judged[]): readonly Compared[] {
  const [first] = opinions;
  const names = opinions.flatMap((o) => o.choices.slice(0, LISTED).map((c) => c.action));
  const listed = new Set([...names, ...(first === undefined ? [] : [first.taken])]);
  const of = (o: Judged, action: string): JudgedChoice | null => o.choices.find((c) => c.action === action) ?? null;
  return [...listed]
    .map((action) => {
      const by = opinions.map((o) => of(o, action));
      const chances = by.map((c) => c?.probability ?? 0);
      const text = by.find((c) => c !== null)?.text ?? action;
      return { action, text, by, differ: Math.max(...chances) - Math.min(...chances) > APART };
    })
    .sort((a, b) => (b.by[0]?.probability ?? 0) - (a.by[0]?.probability ?? 0));
}

/** An arrow or an outline on the map. */
export interface Mark {
  readonly way: readonly string[];
  readonly probability: number;
  /** Whose it is: 0 for the first evaluator. */
  readonly nth: number;
}

/** What is drawn of the evaluators' likeliest choices; choices of one way are drawn once, with their chances added. */
export const marksOf = (opinions: readonly Judged[]): readonly Mark[] =>
  opinions.flatMap(({ choices }, nth) => {
    const ways = new Map<string, Mark>();
    for (const [i, { way, probability }] of choices.slice(0, DRAWN).entries()) {
      if (way.length === 0 || (i > 0 && probability < FAINT)) continue;
      const name = way.join("\n");
      ways.set(name, { way, nth, probability: probability + (ways.get(name)?.probability ?? 0) });
    }
    return [...ways.values()];
  });
