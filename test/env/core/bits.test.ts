import { expect, it } from "vitest";
import { bits, bitWords, hasBit, lowest, nthBit, setBit } from "../../../env/core/bits.js";
import { Rng } from "../../../env/core/dice/rng.js";

it("counts set bits and finds the lowest", () => {
  for (const [word, n, low] of [
    [1, 1, 0],
    [0b1100, 2, 2],
    [-1, 32, 0],
    [1 << 31, 1, 31],
  ] as const) {
    expect(bits(word)).toBe(n);
    expect(lowest(word)).toBe(low);
  }
  expect(bits(0)).toBe(0);
});

it("has room for every thing, and no word too many", () => {
  expect([1, 32, 33, 130, 315].map(bitWords)).toEqual([1, 1, 2, 5, 10]);
});

it("finds the k-th thing of a set as counting through it does", () => {
  const rng = new Rng("bits");
  for (let round = 0; round < 50; round++) {
    const set = Array.from({ length: 130 }, (_, i) => i).filter(() => rng.below(1 + (round % 7)) === 0);
    const words = new Int32Array(2 + bitWords(130));
    for (const i of set) words[2 + (i >> 5)]! |= 1 << (i & 31);
    set.forEach((thing, k) => expect(nthBit(words, 2, k)).toBe(thing));
  }
});

it("sets, clears and returns the bit of one thing, and touches no other", () => {
  const words = new Int32Array(5);
  for (const i of [0, 31, 32, 95]) setBit(words, 1, i, true);
  setBit(words, 1, 32, false);
  setBit(words, 1, 33, false);
  expect(Array.from({ length: 96 }, (_, i) => i).filter((i) => hasBit(words, 1, i))).toEqual([0, 31, 95]);
  expect([words[0], words[4]]).toEqual([0, 0]);
});
