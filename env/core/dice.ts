import { KesselError, shown } from "./errors.js";
import type { State, StateView } from "./layout.js";
import { nextBelow, nextWord } from "./rng.js";

/** Names the counter that a draw of index `i` takes, for scripts and records. */
export type NameOf = (s: StateView, i: number) => string;

/**
 * The random draws of the rules. Three sources: the stream in the state (`SeededDice`), a list (`ScriptedDice`)
 * and all possibilities in turn (`EnumeratingDice`). The caller of `apply` calls `begin`; a game never does.
 */
export interface Dice {
  /** Binds the source to the state that the next action is applied to. */
  begin(s: State): void;
  /** 1..6 */
  d6(): number;
  /** 1..10 */
  d10(): number;
  /** One of `n` things, 0..n-1, each equally likely; `nameOf` says which thing an index is. */
  draw(n: number, nameOf: NameOf): number;
  /**
   * Two six-sided dice added, 2..12, thrown again until bit `sum` of `accept` is set.
   *
   * @param accept at least one of bits 2 to 12 is set
   */
  sum6(accept: number): number;
  /** Throws `k` six-sided dice at once and ADDS to `out[at + face - 1]` how many show each face. */
  throw6(k: number, out: State, at: number): void;
}

const D6_LIMIT = 4294967296 - (4294967296 % 6);

/** The stream in words 0..3 of the state. */
export class SeededDice implements Dice {
  private s: State = new Int32Array(4);

  begin(s: State): void {
    this.s = s;
  }

  d6(): number {
    let r = nextWord(this.s);
    while (r >= D6_LIMIT) r = nextWord(this.s);
    return (r % 6) + 1;
  }

  d10(): number {
    return nextBelow(this.s, 10) + 1;
  }

  draw(n: number, _nameOf: NameOf): number {
    return nextBelow(this.s, n);
  }

  sum6(accept: number): number {
    for (;;) {
      const sum = this.d6() + this.d6();
      if ((accept >> sum) & 1) return sum;
    }
  }

  throw6(k: number, out: State, at: number): void {
    for (let i = 0; i < k; i++) out[at + this.d6() - 1]!++;
  }
}

/** An entry of a script: a face, or the name of the counter drawn. */
export type ScriptEntry = number | string;

/** A list of faces and names, used up in order: rule cases, and play with real dice. */
export class ScriptedDice implements Dice {
  private s: State = new Int32Array(4);
  private next = 0;

  constructor(private readonly script: readonly ScriptEntry[]) {}

  /** Entries not used yet. */
  get left(): number {
    return this.script.length - this.next;
  }

  begin(s: State): void {
    this.s = s;
  }

  d6(): number {
    return this.face(6);
  }

  d10(): number {
    return this.face(10);
  }

  draw(n: number, nameOf: NameOf): number {
    const entry = this.take(`a draw from ${n}`);
    for (let i = 0; i < n; i++) if (nameOf(this.s, i) === String(entry)) return i;
    throw new KesselError(
      "bad-dice",
      `the script draws ${shown(entry)}, which is not among the ${n} that can be drawn`,
    );
  }

  sum6(accept: number): number {
    for (;;) {
      const sum = this.face(6) + this.face(6);
      if ((accept >> sum) & 1) return sum;
    }
  }

  throw6(k: number, out: State, at: number): void {
    for (let i = 0; i < k; i++) out[at + this.face(6) - 1]!++;
  }

  private face(sides: number): number {
    const entry = this.take(`a d${sides}`);
    if (typeof entry !== "number" || !Number.isInteger(entry) || entry < 1 || entry > sides)
      throw new KesselError(
        "bad-dice",
        `die ${this.next} of the script is ${shown(entry)}; a d${sides} was called for`,
      );
    return entry;
  }

  private take(what: string): ScriptEntry {
    const entry = this.script[this.next];
    if (entry === undefined)
      throw new KesselError("bad-dice", `the script has ${this.script.length} dice and ${what} more was called for`);
    this.next++;
    return entry;
  }
}

/** Passes every draw on to another source and records the results, as a script that would repeat them. */
export class RecordingDice implements Dice {
  private s: State = new Int32Array(4);
  readonly script: ScriptEntry[] = [];

  constructor(private readonly inner: Dice) {}

  begin(s: State): void {
    this.s = s;
    this.inner.begin(s);
  }

  d6(): number {
    return this.noted(this.inner.d6());
  }

  d10(): number {
    return this.noted(this.inner.d10());
  }

  draw(n: number, nameOf: NameOf): number {
    const i = this.inner.draw(n, nameOf);
    this.script.push(nameOf(this.s, i));
    return i;
  }

  sum6(accept: number): number {
    for (;;) {
      const sum = this.d6() + this.d6();
      if ((accept >> sum) & 1) return sum;
    }
  }

  throw6(k: number, out: State, at: number): void {
    for (let i = 0; i < k; i++) out[at + this.noted(this.inner.d6()) - 1]!++;
  }

  private noted(face: number): number {
    this.script.push(face);
    return face;
  }
}

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
