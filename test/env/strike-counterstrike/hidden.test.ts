import { describe, expect, test } from "vitest";
import { Env } from "../../../env/core/env.js";
import { newState } from "../../../env/core/layout.js";
import { SeededDice } from "../../../env/core/dice/dice.js";
import { Rng } from "../../../env/core/dice/rng.js";
import { loadTables } from "../../../env/strike-counterstrike/data/load.js";
import { Resampler } from "../../../env/strike-counterstrike/resample.js";
import { at, game, type Position, position, rule, type } from "./table.js";

/** How often each counter is under each marker in `n` samples. */
function deals(env: Env, n: number): Map<string, number> {
  const rng = new Rng("deals");
  const out = newState(game.stateSize);
  const count = new Map<string, number>();
  for (let i = 0; i < n; i++) {
    expect(game.resample(env.state, 0, out, rng)).toBe(true);
    const { front } = game.write(out) as unknown as Position;
    for (const [hex, id] of Object.entries(front)) count.set(`${id} ${hex}`, (count.get(`${id} ${hex}`) ?? 0) + 1);
  }
  return count;
}

/** Within five standard deviations of a binomial with probability `p`. */
function near(count: number, n: number, p: number): void {
  expect(Math.abs(count - n * p)).toBeLessThan(5 * Math.sqrt(n * p * (1 - p)));
}

describe("what the player can't know is dealt again", () => {
  const N = 4000;

  rule("SC 3.3", "at the start any of the 123 counters is under each marker with equal chance", () => {
    const env = new Env(game);
    env.reset("uniform");
    const count = deals(env, N);
    for (const c of ["pz-1", "inf-161", "sec-201", "guderian", "raid-a"])
      for (const hex of ["1900", "2507", "2417"]) near(count.get(`${c} ${hex}`) ?? 0, N, 1 / 123);
  });

  test("a counter is never under a marker placed before it came to the pool, and evenly under later ones", () => {
    // inf-161 came back at time 5: the marker in 2507 is older, that in 2409 younger, all others stem from the start
    const placed: Record<string, number> = { "2507": 3, "2409": 7 };
    const env = at({ turn: 2, clock: 8, entered: { "inf-161": 5 }, placed });
    for (const hex of Object.keys(position(env).front)) expect(position(env).placed[hex]).toBe(placed[hex] ?? 5);
    // markers without a time are later than every arrival; only the one in 2507 is out of its reach
    const count = deals(env, N);
    expect(count.get("inf-161 2507")).toBeUndefined();
    // 122 of 123 counters for 2507, then inf-161 is one of 122 for each marker that follows
    near(count.get("inf-161 2409") ?? 0, N, 1 / 122);
    near(count.get("pz-1 2507") ?? 0, N, 1 / 122);
    near(count.get("pz-1 2409") ?? 0, N, (1 - 1 / 122) / 122);
  });

  test("from turn 3 on an unseen Guderian is under a marker placed before the relief", () => {
    const front = { "2409": "guderian" };
    const env = at({ turn: 4, clock: 30, purge: 20, front, placed: { "2409": 7, "2507": 25, "2413": 6 } });
    const count = deals(env, 600);
    let found = 0;
    for (const [key, n] of count) if (key.startsWith("guderian ")) found += n;
    expect(found).toBe(600); // in every sample
    expect(count.get("guderian 2507")).toBeUndefined(); // placed after the dismissal
    near(count.get("guderian 2413") ?? 0, 600, 1 / 24); // 25 front markers, all others are old enough
  });

  test("even when every unseen counter is under a marker, and the youngest marker takes another", () => {
    const fresh = new Env(game);
    fresh.reset("tight");
    const start = position(fresh);
    const hexes = Object.keys(start.front);
    const [late, ...others] = [...start.pool, ...Object.values(start.front)].filter((c) => c !== "guderian");
    const lying = ["guderian", ...others].slice(0, hexes.length);
    const env = at({
      turn: 4,
      clock: 30,
      purge: 20,
      front: Object.fromEntries(hexes.map((h, i) => [h, lying[i]!])),
      placed: Object.fromEntries(hexes.map((h, i) => [h, i === hexes.length - 1 ? 25 : 7])),
      pool: [late!],
      entered: { [late!]: 29 },
      track: { "6": others.slice(hexes.length - 1) },
    });
    const rng = new Rng("tight");
    const dealer = new Resampler(loadTables(type.data, game.options));
    for (let i = 0; i < 200; i++)
      dealer.deal(env.state.slice(), (n) => {
        expect(n).toBeGreaterThan(0); // or a marker has no counter left that fits
        return rng.below(n);
      });
    const count = deals(env, 100);
    expect([...count.keys()].filter((key) => key.startsWith(`${late!} `))).toEqual([]);
    expect(count.get(`guderian ${hexes.at(-1)!}`)).toBeUndefined();
    const again = newState(game.stateSize);
    game.read(game.view(env.state, 0), again, new SeededDice());
    expect(game.invariantViolation(again)).toBe(null);
  });

  test("samples do not depend on what is under the markers, and take a fresh stream", () => {
    const env = new Env(game);
    env.reset("truth");
    const other = newState(game.stateSize);
    game.resample(env.state, 0, other, new Rng("another truth"));
    const a = newState(game.stateSize);
    const b = newState(game.stateSize);
    game.resample(env.state, 0, a, new Rng(7));
    game.resample(other, 0, b, new Rng(7));
    expect(a).toEqual(b);
    expect([...a.subarray(0, 4)]).not.toEqual([...env.state.subarray(0, 4)]);
  });
});

describe("the player's form of a position", () => {
  test("can be loaded, which deals what it leaves open", () => {
    const env = new Env(game);
    env.reset("form");
    env.step("army 50");
    const view = game.view(env.state, 0);
    const fronts = ["one", "two"].map((seed) => position(at(view, seed)).front);
    expect(Object.keys(fronts[0]!)).toEqual(Object.keys(position(env).front));
    expect(fronts[0]).not.toEqual(fronts[1]);
    expect(game.view(at(view).state, 0)).toEqual(view);
  });

  test("mixes with what is known", () => {
    const env = at({ turn: 2, front: { "2507": "?", "2409": "pz-1" } });
    expect(position(env).front["2409"]).toBe("pz-1");
    expect(position(env).front["2507"]).not.toBe("?");
    expect(game.invariantViolation(env.state)).toBeNull();
  });
});
