import type { Dice, NameOf } from "./dice.js";
import type { State } from "../layout.js";

/** One way the chance of an action can fall. */
interface Branch {
  /** The possibility that was taken, from 0. */
  at: number;
  /** Number of possibilities. */
  of: number;
  /** Probability of the possibility taken. */
  p: number;
}

/**
 * Enumerates every way the chance of one action can fall. `walk` applies the action again and again, each time with
 * other results, until all have occurred. Dice thrown together by `throw6` count as multisets (C(k+5,5) of them).
 */
export class EnumeratingDice implements Dice {
  private readonly path: Branch[] = [];
  private depth = 0;

  /**
   * @param run applies the action with this source to a fresh copy of the state; gets the probability only afterwards
   * @param each called after every run with the probability of what happened; they sum to 1
   */
  walk(run: () => void, each: (probability: number) => void): void {
    this.path.length = 0;
    for (;;) {
      this.depth = 0;
      run();
      let p = 1;
      for (const b of this.path) p *= b.p;
      each(p);
      while (this.path.length > 0 && this.path.at(-1)!.at === this.path.at(-1)!.of - 1) this.path.pop();
      if (this.path.length === 0) return;
      this.path.at(-1)!.at++;
    }
  }

  /** The share of all possibilities that the runs of `walk` so far have covered, counting those of a branch alike. */
  get walked(): number {
    let share = 0;
    let width = 1;
    for (const b of this.path) {
      width /= b.of;
      share += b.at * width;
    }
    return share + width;
  }

  /**
   * Walks each throw by itself: one after the other goes through its possibilities, the others show their first. For
   * actions whose throws are always the same, whatever they show.
   *
   * @param each called after every run with the place of the throw that is looked at, and the probability of what it
   *   shows
   * @returns in how many ways all throws together can fall; 0 when there are more or fewer throws by what one shows
   */
  walkApart(run: () => void, each: (k: number, probability: number) => void): number {
    this.path.length = 0;
    this.depth = 0;
    run();
    const throws = this.path.length;
    let ways = 1;
    for (let k = 0; k < throws; k++) {
      const b = this.path[k]!;
      ways *= b.of;
      for (b.at = 0; b.at < b.of; b.at++) {
        this.depth = 0;
        run();
        if (this.path.length !== throws) return 0;
        each(k, b.p);
      }
      b.at = 0;
    }
    return ways;
  }

  begin(_s: State): void {}

  d6(): number {
    return this.branch(6) + 1;
  }

  d10(): number {
    return this.branch(10) + 1;
  }

  draw(n: number, _nameOf: NameOf): number {
    return this.branch(n);
  }

  /** Sums that are thrown again are left out; the accepted ones keep their proportions. */
  sum6(accept: number): number {
    let sums = 0;
    let ways = 0;
    for (let sum = 2; sum <= 12; sum++)
      if ((accept >> sum) & 1) {
        sums++;
        ways += waysOf(sum);
      }
    const b = this.next(sums);
    let left = b.at;
    for (let sum = 2; ; sum++)
      if ((accept >> sum) & 1 && left-- === 0) {
        b.p = waysOf(sum) / ways;
        return sum;
      }
  }

  throw6(k: number, out: State, at: number): void {
    if (k === 0) return;
    const table = multisets6(k);
    const b = this.next(table.length);
    const row = table[b.at]!;
    b.p = row.weight / 6 ** k;
    for (let f = 0; f < 6; f++) out[at + f]! += row.counts[f]!;
  }

  private branch(n: number): number {
    const b = this.next(n);
    b.p = 1 / n;
    return b.at;
  }

  private next(of: number): Branch {
    let b = this.path[this.depth];
    if (b === undefined) {
      b = { at: 0, of, p: 1 };
      this.path.push(b);
    }
    this.depth++;
    return b;
  }
}

/** Number of the 36 throws of two dice that give a sum. */
const waysOf = (sum: number): number => 6 - Math.abs(sum - 7);

/**
 * A multiset of d6 faces: ascending list, how many of each face, and in how many of the 6^k ordered throws it falls.
 */
export interface Multiset6 {
  readonly faces: readonly number[];
  readonly counts: readonly number[];
  readonly weight: number;
}

const multisetTables = new Map<number, readonly Multiset6[]>();

/** All multisets of `k` six-sided dice in lexicographic order of the ascending face list. */
export function multisets6(k: number): readonly Multiset6[] {
  const known = multisetTables.get(k);
  if (known) return known;
  const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
  const table: Multiset6[] = [];
  const grow = (faces: number[]): void => {
    if (faces.length === k) {
      const counts = [0, 0, 0, 0, 0, 0];
      for (const f of faces) counts[f - 1]!++;
      table.push({ faces: [...faces], counts, weight: counts.reduce((w, c) => w / factorial(c), factorial(k)) });
      return;
    }
    for (let f = faces.at(-1) ?? 1; f <= 6; f++) grow([...faces, f]);
  };
  grow([]);
  multisetTables.set(k, table);
  return table;
}
