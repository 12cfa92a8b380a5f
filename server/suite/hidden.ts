import { type Game, sceneOf, type State } from "../../env/index.js";
import { type Beliefs, beliefsOf, hiddenGroups } from "../analysis/beliefs.js";

/** Number of sampled states that the shares come from. */
export const WORLDS = 1000;
/** Limit of titles in a question. If more may be hidden, the question is about kinds: the last word of a title. */
const MOST_TITLES = 24;

export interface Place {
  readonly place: string;
  readonly side: string;
}

/** What the face-down counters in one place can be, for a seat. */
export interface Shares {
  readonly what: string[];
  /** For each possibility: its share among the face-down counters there, and among all face-down counters. */
  readonly shares: number[];
  readonly pool: number[];
}

/** Shares for all places with face-down counters of a side. @param worlds number of sampled states */
export function hiddenShares(game: Game, s: State, seat: number, worlds = WORLDS): (Place & Shares)[] {
  if (hiddenGroups(sceneOf(game, s, seat)).length === 0) return [];
  const { places, pool } = beliefsOf(game, s, seat, worlds);
  const nameOf = (title: string): string => (pool.size > MOST_TITLES ? title.split(", ").at(-1)! : title);
  const what = [...new Set([...pool.keys()].map(nameOf))].sort();
  const at = (b: Beliefs["places"][number]): number[] => {
    const sums = what.map(() => 0);
    for (const { title, share } of b.what) sums[what.indexOf(nameOf(title))]! += share;
    return sums;
  };
  return places.map((p) => {
    const alike = places.filter((o) => o.side === p.side);
    const hidden = alike.reduce((n, o) => n + o.hidden, 0);
    const sums = what.map(() => 0);
    for (const o of alike) at(o).forEach((share, i) => (sums[i]! += (share * o.hidden) / hidden));
    const own = what.map((_, i) => i).filter((i) => sums[i]! > 0);
    const shares = at(p);
    return {
      place: p.place,
      side: p.side,
      what: own.map((i) => what[i]!),
      shares: own.map((i) => rounded(shares[i]!)),
      pool: own.map((i) => rounded(sums[i]!)),
    };
  });
}

const rounded = (x: number): number => Math.round(1000 * x) / 1000;

/** Shares of one place; null if it has no face-down counter. */
export const sharesAt = (game: Game, s: State, seat: number, { place, side }: Place): Shares | null =>
  hiddenShares(game, s, seat).find((p) => p.place === place && p.side === side) ?? null;

/** True when a counter in a place can be `what` in a state that fits what the seat knows. */
export function mayBe(game: Game, s: State, seat: number, q: Place & { readonly what: string }): boolean {
  const found = sharesAt(game, s, seat, q);
  const at = found?.what.indexOf(q.what) ?? -1;
  return at >= 0 && found!.shares[at]! > 0;
}
