import seedrandom from "seedrandom";
import { KesselError, shown } from "../errors.js";

/** What a caller may give as a seed: a string, or a number that is a safe integer; `7` and `"7"` mean the same. */
export type Seed = string | number;

/** Characters of a seed. */
export const MOST_SEED = 200;

/** @throws KesselError `bad-seed` */
export function checkSeed(seed: unknown): string {
  if (typeof seed === "number" && Number.isSafeInteger(seed)) return String(seed);
  if (typeof seed === "string" && seed.length > 0 && seed.length <= MOST_SEED) return seed;
  throw new KesselError(
    "bad-seed",
    `a seed is a whole number or a string of 1 to ${MOST_SEED} characters, not ${shown(seed)}`,
  );
}

/** Expands a seed into the four words of a stream, at the start of `words`. */
export function seedStream(seed: Seed, words: Int32Array): void {
  const source = seedrandom.alea(checkSeed(seed));
  for (let i = 0; i < 4; i++) words[i] = source.int32();
  if ((words[0]! | words[1]! | words[2]! | words[3]!) === 0) words[0] = 1;
}

/** Next 32 bits of the xoshiro128** stream in words 0..3, as an unsigned number. */
export function nextWord(words: Int32Array): number {
  const s1 = words[1]!;
  const x = Math.imul(s1, 5);
  const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
  const s2 = words[2]! ^ words[0]!;
  const s3 = words[3]! ^ s1;
  words[1] = s1 ^ s2;
  words[0] = words[0]! ^ s3;
  words[2] = s2 ^ (s1 << 9);
  words[3] = (s3 << 11) | (s3 >>> 21);
  return result;
}

/** Uniform whole number in 0..n-1, without bias: words of the last, incomplete round of n are thrown away. */
export function nextBelow(words: Int32Array, n: number): number {
  for (;;) {
    const r = nextWord(words);
    const k = r % (n >>> 0); // both unsigned 32-bit, which V8 divides as integers
    if (!(r - k > 4294967296 - n)) return k; // written so that n = 0 gives NaN instead of an endless loop
  }
}

/** A stream of its own, for agents, resampling and tests; games use the stream in their state through `Dice`. */
export class Rng {
  private readonly words = new Int32Array(4);

  constructor(seed: Seed) {
    seedStream(seed, this.words);
  }

  /** 0 .. 2^32-1 */
  word(): number {
    return nextWord(this.words);
  }

  /** 0 .. n-1 */
  below(n: number): number {
    return nextBelow(this.words, n);
  }

  /** 0 <= x < 1, 32 bits */
  float(): number {
    return nextWord(this.words) / 4294967296;
  }

  /** Fills words 0..3 of `target` with a fresh independent stream. */
  freshStream(target: Int32Array): void {
    for (let i = 0; i < 4; i++) target[i] = this.word() | 0;
    if ((target[0]! | target[1]! | target[2]! | target[3]!) === 0) target[0] = 1;
  }

  /** The four words, to be saved; `restore` takes them back. */
  save(): number[] {
    return [...this.words];
  }

  restore(words: readonly number[]): void {
    this.words.set(words);
  }
}
