import { describe, expect, test } from "vitest";
import {
  firstDifference,
  hashState,
  layout,
  newState,
  RNG_WORDS,
  sameSituation,
  sameStream,
} from "../../../env/index.js";

const L = layout({ units: 3, none: 0, turn: 1 });

describe("layout", () => {
  test("the random stream comes first, then the fields in the order written", () => {
    expect([L.units, L.none, L.turn, L.size]).toEqual([4, 7, 7, 8]);
    expect(L.fields).toEqual([
      { name: "rng", offset: 0, size: RNG_WORDS },
      { name: "units", offset: 4, size: 3 },
      { name: "none", offset: 7, size: 0 },
      { name: "turn", offset: 7, size: 1 },
    ]);
  });

  test.each(["size", "fields", "rng"])("a field may not be called %s", (name) =>
    expect(() => layout({ [name]: 1 })).toThrow(name),
  );
  test.each([-1, 1.5, NaN])("a field may not have size %s", (size) =>
    expect(() => layout({ a: size })).toThrow("a has size"),
  );
});

describe("two states", () => {
  const a = newState(L.size);
  const b = newState(L.size);
  test("are one situation whatever their streams", () => {
    b[0] = 99;
    expect(sameSituation(a, b)).toBe(true);
    expect(sameStream(a, b)).toBe(false);
    expect(hashState(a)).toBe(hashState(b));
    expect(hashState(a, 0)).not.toBe(hashState(b, 0));
    expect(firstDifference(L.fields, a, b)).toBe("rng[0]: 0 against 99");
  });
  test("differ in the field that differs", () => {
    b[0] = 0;
    b[L.units + 2] = -1;
    expect(sameSituation(a, b)).toBe(false);
    expect(sameStream(a, b)).toBe(true);
    expect(firstDifference(L.fields, a, b)).toBe("units[2]: 0 against -1");
    expect(sameSituation(a, newState(L.size + 1))).toBe(false);
  });
  test("agree", () => expect(firstDifference(L.fields, a, a.slice())).toBeNull());

  test("have hashes that differ for single words, their places and their order", () => {
    const hashes = new Set<number>();
    let made = 0;
    for (let i = RNG_WORDS; i < 64; i++)
      for (const value of [1, 2, -1, 1 << 30]) {
        const s = newState(64);
        s[i] = value;
        hashes.add(hashState(s));
        made++;
      }
    expect(hashes.size).toBe(made);
    for (const h of hashes) expect(Number.isSafeInteger(h) && h >= 0).toBe(true);
  });
});
