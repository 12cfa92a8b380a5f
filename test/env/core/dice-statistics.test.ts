import { describe, expect, test } from "vitest";
import { diceFor, Rng, SeededDice, seedStream } from "../../../env/index.js";
import { chiSquareZ } from "../../conformance/chance.js";
import { equalZ, weaknesses } from "./dice-statistics.js";

const N = 1_000_000;

/** A die of the game's own dice, thrown from the stream of a seed. */
function die(seed: string, faces: 6 | 10, dice = new SeededDice() as ReturnType<typeof diceFor>): () => number {
  const state = new Int32Array(8);
  seedStream(seed, state);
  dice.begin(state);
  return faces === 6 ? () => dice.d6() : () => dice.d10();
}
const thrown = (next: () => number, n: number): Uint8Array => Uint8Array.from({ length: n }, next);

describe("a million throws are those of a fair die", () => {
  test.each(["1", "kessel", "game/0/0"])("with seed %j, of six and of ten faces", (seed) => {
    expect(weaknesses(die(seed, 6), 6, N)).toEqual([]);
    expect(weaknesses(die(seed, 10), 10, N)).toEqual([]);
  });

  test("under a key", () => {
    const key = new Uint8Array(32).fill(3);
    expect(weaknesses(die("keyed", 6, diceFor(key)), 6, N)).toEqual([]);
    expect(weaknesses(die("keyed", 10, diceFor(key)), 10, N)).toEqual([]);
  });

  test("first throws of a million seeds that count up", () => {
    let k = 0;
    expect(weaknesses(() => die(`game/${k++}`, 6)(), 6, N)).toEqual([]);
  });

  test("five dice at once, and two dice added with sums not wanted thrown again", () => {
    const dice = new SeededDice();
    const state = new Int32Array(4);
    seedStream("together", state);
    dice.begin(state);
    const sixes = new Array<number>(6).fill(0);
    for (let i = 0; i < N / 5; i++) {
      const faces = new Int32Array(6);
      dice.throw6(5, faces, 0);
      sixes[faces[5]!]!++;
    }
    const ways = [3125, 3125, 1250, 250, 25, 1];
    expect(chiSquareZ(sixes.map((c, k) => [c, ((N / 5) * ways[k]!) / 7776]))).toBeLessThan(4);
    const sums = new Array<number>(13).fill(0);
    for (let i = 0; i < N / 5; i++) sums[dice.sum6(0b1_1111_1000_0000)]!++; // 7 to 12
    const weights = [7, 8, 9, 10, 11, 12].map((s) => 13 - s);
    expect(chiSquareZ(weights.map((w, i) => [sums[7 + i]!, ((N / 5) * w) / 21]))).toBeLessThan(4);
    expect(sums.slice(0, 7).every((c) => c === 0)).toBe(true);
  });

  test("a draw of one of 52 counters", () => {
    const dice = new SeededDice();
    const state = new Int32Array(4);
    seedStream("draw", state);
    dice.begin(state);
    expect(weaknesses(() => dice.draw(52, () => "") + 1, 52, N)).toEqual([]);
  });
});

describe("streams have nothing to do with each other", () => {
  /** Rows of dice of streams that could be too much alike, compared one with the next. */
  function together(rows: readonly Uint8Array[]): number {
    const [a, b] = [rows.slice(1), rows.slice(0, -1)].map((half) => half.flatMap((row) => [...row]));
    return Math.abs(equalZ(a!, b!, 6));
  }
  const seeds = (n: number, name: (k: number) => string): Uint8Array[] =>
    Array.from({ length: n }, (_, k) => thrown(die(name(k), 6), 200));

  test("of seeds that differ in one character, at any position", () => {
    const letters = "0123456789abcdefghijklmnopqrstuvwxyz";
    for (const at of [0, 3, 7, 15]) {
      const changed = (k: number): string => "the-seed-of-game".replace(/./g, (c, i) => (i === at ? letters[k]! : c));
      expect(together(seeds(letters.length, changed)), `character ${at}`).toBeLessThan(4);
    }
    expect(together(seeds(2000, (k) => `game/${k}/0`))).toBeLessThan(4);
    expect(together(seeds(2000, (k) => `game/0/${k}`))).toBeLessThan(4);
    expect(together(seeds(2000, (k) => String(k)))).toBeLessThan(4);
  });

  test("half the bits of their states differ", () => {
    const state = (seed: string): Int32Array => {
      const words = new Int32Array(4);
      seedStream(seed, words);
      return words;
    };
    const ones = (x: number): number => {
      let n = 0;
      for (let w = x >>> 0; w !== 0; w &= w - 1) n++;
      return n;
    };
    let bits = 0;
    const pairs = 5000;
    for (let k = 0; k < pairs; k++) {
      const [a, b] = [state(`game/${k}`), state(`game/${k + 1}`)];
      const differ = a.reduce((sum, w, i) => sum + ones(w ^ b[i]!), 0);
      expect(differ).toBeGreaterThan(20);
      bits += differ;
    }
    // 128 bits a pair, each with probability a half
    expect(Math.abs(bits - 64 * pairs) / Math.sqrt(32 * pairs)).toBeLessThan(4);
  });

  test("those that one stream hands out, and that stream itself", () => {
    const parent = new Rng("parent");
    const dice = new SeededDice();
    const rows = Array.from({ length: 2000 }, () => {
      const state = new Int32Array(4);
      parent.freshStream(state);
      dice.begin(state);
      return thrown(() => dice.d6(), 200);
    });
    expect(together(rows)).toBeLessThan(4);
    expect(together([...rows.slice(0, 500), thrown(() => parent.below(6) + 1, 200)])).toBeLessThan(4);
    let at = 0;
    expect(weaknesses(() => rows[Math.floor(at / 200)]![at++ % 200]!, 6, 400_000)).toEqual([]);
  });
});

describe("dice that are not fair are found", () => {
  const rng = new Rng("planted");
  const fair = (): number => rng.below(6) + 1;
  test.each<[string, () => () => number]>([
    ["one face a little heavier", () => () => (rng.below(300) === 0 ? 6 : fair())],
    [
      "the last face again, once in 200 throws",
      () => {
        let last = 1;
        return () => (last = rng.below(200) === 0 ? last : fair());
      },
    ],
    [
      "odd and even in turn (the low bits of a linear congruential generator)",
      () => {
        let x = 1;
        return () => ((x = (Math.imul(x, 1103515245) + 12345) >>> 0) % 6) + 1;
      },
    ],
    [
      "what was thrown 31 throws ago, once in 100",
      () => {
        const before: number[] = new Array<number>(31).fill(1);
        return () => {
          before.push(rng.below(100) === 0 ? before.at(-31)! : fair());
          return before.at(-1)!;
        };
      },
    ],
    [
      "faces from a bag of twelve, shuffled when it is empty",
      () => {
        const bag: number[] = [];
        return () => {
          if (bag.length === 0) {
            for (let k = 0; k < 12; k++) bag.push((k % 6) + 1);
            for (let k = bag.length - 1; k > 0; k--) {
              const j = rng.below(k + 1);
              [bag[k], bag[j]] = [bag[j]!, bag[k]!];
            }
          }
          return bag.pop()!;
        };
      },
    ],
  ])("%s", (_what, make) => {
    expect(weaknesses(make(), 6, N)).not.toEqual([]);
  });
});
