/** Number of the lowest set bit of a word that isn't 0. */
export const lowest = (x: number): number => 31 - Math.clz32(x & -x);

/** Set bits of a word. */
export function bits(x: number): number {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Words that hold a bit for each of `n` things, thing i at bit i & 31 of word i >> 5. */
export const bitWords = (n: number): number => (n + 31) >> 5;

/** Sets or clears the bit of thing `i` in the words from `at` on. */
export function setBit(words: Int32Array, at: number, i: number, on: boolean): void {
  const bit = 1 << i; // the shift takes i modulo 32
  if (on) words[at + (i >> 5)]! |= bit;
  else words[at + (i >> 5)]! &= ~bit;
}

/** True when the bit of thing `i` is set in the words from `at` on. */
export const hasBit = (words: { readonly [i: number]: number }, at: number, i: number): boolean =>
  ((words[at + (i >> 5)]! >>> (i & 31)) & 1) === 1;

/** Number of the set bit that has `k` set bits below it, of a row of words from `at` on. */
export function nthBit(words: { readonly [i: number]: number }, at: number, k: number): number {
  let w = at;
  let n = bits(words[w]!);
  while (k >= n) {
    k -= n;
    n = bits(words[++w]!);
  }
  return (w - at) * 32 + nthBitOf(words[w]!, k);
}

/** The same of one word. */
export function nthBitOf(word: number, k: number): number {
  while (k-- > 0) word &= word - 1;
  return lowest(word);
}
