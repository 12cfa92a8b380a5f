import { KesselError, shown } from "../errors.js";
import type { State, StateView } from "../layout.js";
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
