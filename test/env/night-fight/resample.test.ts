import { expect, test } from "vitest";
import { type Env, newState, Rng } from "../../../env/index.js";
import type { UnitId } from "../../../env/night-fight/data.js";
import { placeOf } from "../../../env/night-fight/state.js";
import { table } from "./table.js";

/*
 * A small world: of the Soviet counters all are dead but two rifles, a gun, a tank hunter and two dummies, so that
 * every deal can be listed, its chance worked out from the rules, and the sampler counted against it.
 */
const OPEN = ["rifle-1", "rifle-2", "atgun-1", "hunter-1", "dummy-1", "dummy-2"];
const COUNTS = { rifle: 8, atgun: 4, t34: 4, hunter: 3, dummy: 5 };
const dead = Object.fromEntries(
  Object.entries(COUNTS).flatMap(([type, n]) => Array.from({ length: n }, (_, i) => `${type}-${i + 1}`)).filter((slot) => !OPEN.includes(slot)).map((slot) => [slot, { hex: "dead" }]),
); // prettier-ignore

/** How often each deal comes, as `counter in the first contact, in the second, ...`. */
function deals(env: Env, samples: number): Map<string, number> {
  const { game, state } = env;
  const rng = new Rng("deals");
  const out = newState(game.stateSize);
  const seen = new Map<string, number>();
  const names = game.observation.unitRows;
  const open = OPEN.map((slot) => names.indexOf(slot) as UnitId);
  for (let i = 0; i < samples; i++) {
    if (!game.resample(state, 0, out, rng)) throw new Error("the sampler fell back");
    const key = open.filter((u) => placeOf(out, u) >= 0).sort((a, b) => placeOf(out, a) - placeOf(out, b)).map((u) => names[u]).join(" "); // prettier-ignore
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return seen;
}

/** Chi-square of counts against chances, and its degrees of freedom. */
function chiSquare(
  seen: Map<string, number>,
  chance: Map<string, number>,
  samples: number,
): { sum: number; freedom: number } {
  const total = [...chance.values()].reduce((a, b) => a + b, 0);
  let sum = 0;
  let freedom = -1;
  for (const key of seen.keys()) expect(chance.get(key) ?? 0, key).toBeGreaterThan(0);
  for (const [key, c] of chance) {
    if (c === 0) continue;
    const expected = (samples * c) / total;
    sum += ((seen.get(key) ?? 0) - expected) ** 2 / expected;
    freedom++;
  }
  return { sum, freedom };
}

const pairs = OPEN.flatMap((a) => OPEN.filter((b) => b !== a).map((b) => [a, b] as const));
const SAMPLES = 40_000;
/** Five standard deviations of a chi-square; the seed is fixed, so the test is too. */
const limit = (freedom: number) => freedom + 5 * Math.sqrt(2 * freedom);

test("without a history every deal is equally likely", () => {
  const env = table({
    phase: "move",
    german: { "gren-1": { hex: "1510" } },
    soviet: { ...dead, "dummy-1": { hex: "2413" }, "rifle-1": { hex: "2510" } },
  });
  const { sum, freedom } = chiSquare(deals(env, SAMPLES), new Map(pairs.map(([a, b]) => [`${a} ${b}`, 1])), SAMPLES);
  expect(freedom).toBe(29);
  expect(sum).toBeLessThan(limit(freedom));
});

test("a contact that kept silent is the less likely to be what it would have missed as", () => {
  // two Soviet steps: 2013 has missed 2 faces as a gun in the first, as a rifle or a gun 1 face in the second; 2510
  // nothing
  const silent = { "2013": { "rifle-1": [1], "rifle-2": [1], "atgun-1": [1, 2] } };
  const env = table({
    phase: "move",
    german: { "gren-1": { hex: "1510" } },
    soviet: { ...dead, "hunter-1": { hex: "2013" }, "rifle-1": { hex: "2510" } },
    silent,
  });
  const weight: Record<string, number> = {
    "rifle-1": 1 / 6,
    "rifle-2": 1 / 6,
    "atgun-1": (1 / 6) * (2 / 6),
    "hunter-1": 1,
    "dummy-1": 1,
    "dummy-2": 1,
  };
  const { sum, freedom } = chiSquare(
    deals(env, SAMPLES),
    new Map(pairs.map(([a, b]) => [`${a} ${b}`, weight[a]!])),
    SAMPLES,
  );
  expect(sum).toBeLessThan(limit(freedom));
});

test("two silent contacts share the counters that fit both", () => {
  const silent = {
    "2013": { "rifle-1": [0], "rifle-2": [0], "atgun-1": [0], "hunter-1": [2] },
    "2510": { "rifle-1": [1], "rifle-2": [1, 1], "atgun-1": [0] },
  };
  const env = table({
    phase: "move",
    german: { "gren-1": { hex: "1510" } },
    soviet: { ...dead, "dummy-1": { hex: "2013" }, "rifle-1": { hex: "2510" } },
    silent,
  });
  const first: Record<string, number> = { "hunter-1": 2 / 6, "dummy-1": 1, "dummy-2": 1 };
  const second: Record<string, number> = {
    "rifle-1": 1 / 6,
    "rifle-2": 1 / 36,
    "hunter-1": 1,
    "dummy-1": 1,
    "dummy-2": 1,
  };
  const { sum, freedom } = chiSquare(
    deals(env, SAMPLES),
    new Map(pairs.map(([a, b]) => [`${a} ${b}`, (first[a] ?? 0) * (second[b] ?? 0)])),
    SAMPLES,
  );
  expect(sum).toBeLessThan(limit(freedom));
});

test("columns that drew real units make dummies in the reserve likelier", () => {
  // two counters were drawn while the reserve held r + 2 and r + 1 real ones, r what it holds now
  const env = table({
    phase: "move",
    german: { "gren-1": { hex: "1510" } },
    soviet: { ...dead, "dummy-1": { hex: "2013" }, "rifle-1": { hex: "2510" }, "t34-1": { hex: "2514", seen: true } },
    drawn: 2,
  });
  const chance = ([a, b]: readonly [string, string]) => {
    const real = 4 - [a, b].filter((slot) => !slot.startsWith("dummy")).length;
    return 1 / ((real + 2) * (real + 1));
  };
  const { sum, freedom } = chiSquare(deals(env, SAMPLES), new Map(pairs.map((p) => [p.join(" "), chance(p)])), SAMPLES);
  expect(sum).toBeLessThan(limit(freedom));
});

test("a whole game's history stays samplable, quickly", () => {
  const env = table({ phase: "move", german: { "gren-1": { hex: "1510" } } });
  const { game } = env;
  const rng = new Rng("history");
  const out = newState(game.stateSize);
  let told = 0;
  for (let g = 0; g < 12; g++) {
    env.reset(`history/${g}`);
    while (!env.terminated) {
      const legal = env.legal();
      // no `done` while there is something to move: units wander among the contacts
      const wander = legal.filter((a) => a !== "done" && a !== "stop");
      const from = wander.length > 0 && rng.below(8) > 0 ? wander : legal;
      env.step(from[rng.below(from.length)]!);
      if (Object.keys((game.view(env.state, 0)["silent"] ?? {}) as object).length > 0) told++;
      if (rng.below(10) === 0) expect(game.resample(env.state, 0, out, rng)).toBe(true);
    }
  }
  expect(told).toBeGreaterThan(100);
});
