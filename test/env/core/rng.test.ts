import { describe, expect, test } from "vitest";
import { checkSeed, nextWord, Rng, seedStream } from "../../../env/index.js";
import { chiSquareZ } from "../../conformance/chance.js";

/** xoshiro128** as its authors publish it (Blackman and Vigna, 2018), on big integers. */
function* xoshiro(seed: readonly bigint[]): Generator<number> {
  const u32 = (x: bigint) => x & 0xffffffffn;
  const rotl = (x: bigint, k: bigint) => u32(x << k) | (x >> (32n - k));
  const s = [...seed] as [bigint, bigint, bigint, bigint];
  for (;;) {
    yield Number(u32(rotl(u32(s[1] * 5n), 7n) * 9n));
    const t = u32(s[1] << 9n);
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 11n);
  }
}

describe("xoshiro128**", () => {
  test("begins from 1, 2, 3, 4 with what is worked out by hand", () => {
    const words = Int32Array.of(1, 2, 3, 4);
    expect([nextWord(words), nextWord(words), nextWord(words)]).toEqual([11520, 0, 5927040]);
  });

  test("agrees with the published algorithm for 5,000 words", () => {
    const words = new Int32Array(4);
    seedStream("reference", words);
    const reference = xoshiro([...words].map((w) => BigInt(w >>> 0)));
    for (let i = 0; i < 5000; i++) expect(nextWord(words)).toBe(reference.next().value);
  });
});

describe("a seed", () => {
  test("means the same as a number and as its text", () => {
    const [a, b] = [new Int32Array(4), new Int32Array(4)];
    seedStream(7, a);
    seedStream("7", b);
    expect([...a]).toEqual([...b]);
  });
  test("gives another stream than its neighbour", () => {
    const streams = Array.from({ length: 200 }, (_, i) => new Rng(i).save().join());
    expect(new Set(streams).size).toBe(200);
  });
  test.each([[""], ["x".repeat(201)], [1.5], [2 ** 53], [NaN], [null], [{}], [[1]], [true]])("is not %j", (seed) => {
    expect(() => checkSeed(seed)).toThrow(
      expect.objectContaining({ code: "bad-seed", message: expect.stringContaining("a seed is") as string }) as Error,
    );
  });
  test("may be as long as 200 characters", () => expect(checkSeed("x".repeat(200))).toHaveLength(200));
});

describe("a stream", () => {
  test("has no number below 0, and doesn't look for one for ever", () => {
    expect(new Rng("none").below(0)).toBeNaN();
  });

  test.each([2, 3, 6, 10, 97])("gives numbers below %i evenly", (n) => {
    const rng = new Rng(`below ${n}`);
    const counts = new Array<number>(n).fill(0);
    for (let i = 0; i < 300 * n; i++) counts[rng.below(n)]!++;
    expect(chiSquareZ(counts.map((c) => [c, 300]))).toBeLessThan(4);
  });
  test("first numbers of many seeds are even too", () => {
    const counts = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 3000; i++) counts[new Rng(`game/${i}`).below(6)]!++;
    expect(chiSquareZ(counts.map((c) => [c, 500]))).toBeLessThan(4);
  });
  test("floats are in [0, 1)", () => {
    const rng = new Rng("floats");
    for (let i = 0; i < 1000; i++) {
      const x = rng.float();
      expect(x >= 0 && x < 1).toBe(true);
    }
  });
  test("goes on where it was saved", () => {
    const rng = new Rng("save");
    const saved = rng.save();
    const first = [rng.word(), rng.word()];
    rng.restore(saved);
    expect([rng.word(), rng.word()]).toEqual(first);
  });
  test("hands out fresh streams", () => {
    const rng = new Rng("fresh");
    const [a, b] = [new Int32Array(6).fill(9), new Int32Array(4)];
    rng.freshStream(a);
    rng.freshStream(b);
    expect([...a.subarray(0, 4)]).not.toEqual([...b]);
    expect([...a.subarray(4)]).toEqual([9, 9]);
  });
});
