import { describe, expect, test } from "vitest";
import {
  type Dice,
  EnumeratingDice,
  multisets6,
  newState,
  RecordingDice,
  ScriptedDice,
  SeededDice,
  seedStream,
  type State,
} from "../../../env/index.js";
import { chiSquareZ } from "../../conformance/chance.js";

const names = ["alpha", "beta", "gamma"];
const nameOf = (_s: unknown, i: number) => names[i]!;

function seeded(seed: string): { dice: SeededDice; s: State } {
  const s = newState(10);
  seedStream(seed, s);
  const dice = new SeededDice();
  dice.begin(s);
  return { dice, s };
}

/** Everything a `Dice` can be asked. */
function ask(dice: Dice): number[] {
  const faces = newState(6);
  dice.throw6(3, faces, 0);
  return [dice.d6(), dice.d10(), dice.draw(3, nameOf), ...faces];
}

describe("seeded dice", () => {
  test("live in the state: a copy of it throws the same", () => {
    const { dice, s } = seeded("copy");
    const copy = s.slice();
    const first = ask(dice);
    const again = new SeededDice();
    again.begin(copy);
    expect(ask(again)).toEqual(first);
    expect([...copy]).toEqual([...s]);
  });
  test.each([
    ["d6", 6, (d: Dice) => d.d6() - 1],
    ["d10", 10, (d: Dice) => d.d10() - 1],
    ["draw", 7, (d: Dice) => d.draw(7, nameOf)],
  ] as const)("%s is even", (_name, n, roll) => {
    const { dice } = seeded("even");
    const counts = new Array<number>(n).fill(0);
    for (let i = 0; i < n * 500; i++) counts[roll(dice)]!++;
    expect(chiSquareZ(counts.map((c) => [c, 500]))).toBeLessThan(4);
  });
  test("two d6 in a row are independent", () => {
    const { dice } = seeded("pairs");
    const counts = new Array<number>(36).fill(0);
    for (let i = 0; i < 36 * 200; i++) counts[(dice.d6() - 1) * 6 + dice.d6() - 1]!++;
    expect(chiSquareZ(counts.map((c) => [c, 200]))).toBeLessThan(4);
  });
  test("throw6 adds k faces to what is there", () => {
    const { dice, s } = seeded("throw");
    s[4] = 2;
    dice.throw6(5, s, 4);
    expect(s.subarray(4, 10).reduce((a, b) => a + b)).toBe(7);
  });
});

describe("scripted dice", () => {
  test("are used in order, faces and names", () => {
    const dice = new ScriptedDice([3, 10, "gamma", 1, 1, 6]);
    dice.begin(newState(6));
    const faces = newState(6);
    expect([dice.d6(), dice.d10(), dice.draw(3, nameOf)]).toEqual([3, 10, 2]);
    expect(dice.left).toBe(3);
    dice.throw6(3, faces, 0);
    expect([...faces]).toEqual([2, 0, 0, 0, 0, 1]);
    expect(dice.left).toBe(0);
  });
  test.each([
    ["a d6 of 7", [7], (d: Dice) => d.d6(), "die 1 of the script is 7; a d6 was called for"],
    ["a d6 of 0", [0], (d: Dice) => d.d6(), "is 0"],
    ["half a face", [1.5], (d: Dice) => d.d10(), "is 1.5; a d10"],
    ["a name for a die", ["alpha"], (d: Dice) => d.d6(), 'is "alpha"'],
    [
      "a counter that is not there",
      ["delta"],
      (d: Dice) => d.draw(3, nameOf),
      'draws "delta", which is not among the 3',
    ],
    ["a script that is over", [], (d: Dice) => d.d6(), "has 0 dice and a d6 more"],
  ] as const)("refuse %s", (_what, script, roll, says) => {
    const dice = new ScriptedDice(script);
    dice.begin(newState(4));
    expect(() => roll(dice)).toThrow(
      expect.objectContaining({ code: "bad-dice", message: expect.stringContaining(says) as string }) as Error,
    );
  });
});

test("a recording repeats what was thrown", () => {
  const { dice } = seeded("record");
  const recording = new RecordingDice(dice);
  recording.begin(newState(4).fill(5));
  const thrown = ask(recording);
  expect(recording.script).toHaveLength(6);
  const again = new ScriptedDice(recording.script);
  again.begin(newState(4));
  expect(ask(again)).toEqual(thrown);
});

describe("multisets of d6", () => {
  test.each([
    [1, 6],
    [2, 21],
    [3, 56],
    [4, 126],
    [5, 252],
  ])("of %i dice there are %i", (k, n) => {
    const table = multisets6(k);
    expect(table).toHaveLength(n);
    expect(table.reduce((t, m) => t + m.weight, 0)).toBe(6 ** k);
    const texts = table.map((m) => m.faces.join(""));
    expect(texts).toEqual([...texts].sort());
  });
  test("weights are the ordered throws, counted one by one", () => {
    const counted = new Map<string, number>();
    for (let a = 1; a <= 6; a++)
      for (let b = 1; b <= 6; b++)
        for (let c = 1; c <= 6; c++) {
          const key = [a, b, c].sort().join("");
          counted.set(key, (counted.get(key) ?? 0) + 1);
        }
    for (const m of multisets6(3)) expect(m.weight).toBe(counted.get(m.faces.join("")));
  });
});

describe("two dice thrown until they show what counts", () => {
  const SIX_OR_EIGHT = (1 << 6) | (1 << 8);
  test("by script: what doesn't count is used up", () => {
    const dice = new ScriptedDice([3, 4, 1, 1, 2, 6, 5]);
    expect(dice.sum6(SIX_OR_EIGHT)).toBe(8);
    expect(dice.left).toBe(1);
  });
  test("recorded with every throw, so that the script repeats them", () => {
    const dice = new RecordingDice(new ScriptedDice([3, 4, 1, 1, 2, 6]));
    dice.sum6(SIX_OR_EIGHT);
    expect(new ScriptedDice(dice.script).sum6(SIX_OR_EIGHT)).toBe(8);
    expect(dice.script).toEqual([3, 4, 1, 1, 2, 6]);
  });
  test("seeded: sums that count, as often as enumeration says", () => {
    const s = newState(4);
    seedStream("sums", s);
    const dice = new SeededDice();
    dice.begin(s);
    const counts = new Map<number, number>();
    const n = 9000;
    for (let i = 0; i < n; i++) {
      const sum = dice.sum6((1 << 2) | (1 << 3) | (1 << 12));
      counts.set(sum, (counts.get(sum) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([2, 3, 12]);
    expect(Math.abs(counts.get(3)! / n - 1 / 2)).toBeLessThan(4 * Math.sqrt(1 / 4 / n));
  });
});

describe("enumerating dice", () => {
  /** All ways of `run`, with probabilities by its result. */
  function walk(run: (dice: Dice) => string): Map<string, number> {
    const dice = new EnumeratingDice();
    const found = new Map<string, number>();
    let result = "";
    dice.walk(
      () => (result = run(dice)),
      (p) => found.set(result, (found.get(result) ?? 0) + p),
    );
    return found;
  }
  test("give the sum of two dice its probabilities", () => {
    const sums = walk((d) => String(d.d6() + d.d6()));
    expect([...sums.keys()]).toHaveLength(11);
    for (let n = 2; n <= 12; n++) expect(sums.get(String(n))).toBeCloseTo((6 - Math.abs(7 - n)) / 36, 12);
  });
  test("follow decisions that depend on earlier dice", () => {
    const found = walk((d) => (d.d6() === 6 ? `again ${d.d10()}` : d.draw(2, nameOf) === 0 ? "left" : "right"));
    expect(found.size).toBe(12);
    expect(found.get("again 3")).toBeCloseTo(1 / 60, 12);
    expect(found.get("left")).toBeCloseTo(5 / 12, 12);
  });
  test("take dice thrown together as multisets", () => {
    let runs = 0;
    const found = walk((d) => {
      runs++;
      const faces = newState(6);
      d.throw6(5, faces, 0);
      return faces.join("");
    });
    expect(runs).toBe(252);
    expect(found.get("000005")).toBeCloseTo(1 / 7776, 12);
    expect([...found.values()].reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  });
  test("condition two dice on the sums that count, whatever throws came before", () => {
    // 2, 3 and 12 fall in 1, 2 and 1 of the 36 throws
    const sums = walk((d) => String(d.sum6((1 << 2) | (1 << 3) | (1 << 12))));
    expect([...sums]).toEqual([
      ["2", 1 / 4],
      ["3", 1 / 2],
      ["12", 1 / 4],
    ]);
    expect([...walk((d) => String(d.sum6(1 << 9)))]).toEqual([["9", 1]]);
  });
  test("call an action without chance once", () => expect([...walk(() => "done")]).toEqual([["done", 1]]));
  test("throw no dice at all in one way", () =>
    expect(walk((d) => (d.throw6(0, newState(6), 0), "none")).get("none")).toBe(1));
});
