import { beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../../agents/agent.js";
import { heuristicNames } from "../../agents/heuristics/index.js";
import { Estimate } from "../../agents/heuristics/streets-of-stalingrad/estimate.js";
import { pickLegal } from "../../agents/random.js";
import { makeAgent } from "../../agents/registry.js";
import { SeatedBatch } from "../../agents/seats.js";
import { Batch, Env, gameFor, gameType, type JsonObject, loadGame, newState, Rng } from "../../env/index.js";
import { dataFor, loadSetting } from "../../env/streets-of-stalingrad/data.js";
import { germanPoints } from "../../env/streets-of-stalingrad/victory.js";
import { Tables } from "../../env/streets-of-stalingrad/state.js";

const type = gameType("streets-of-stalingrad");
const game = loadGame(type.id);
const tables = new Tables(loadSetting(type.data, "sandbox-1"), game.options);
const A = game.actions.length;
const GERMANS = ["random-legal", "pusher", "odds", "planner"];
const SOVIETS = ["random-legal", "holder", "elastic"];

const agent = (name: string, seed = "agent"): Promise<Agent> =>
  Promise.resolve(makeAgent(`heuristic:${name}`, { game, seed }));

/** German points at the end of games between two heuristics. */
async function pointsOf(german: string, soviet: string, games: number): Promise<number[]> {
  const agents = [await agent(german), await agent(soviet)];
  const batch = new Batch(game, { size: games, autoreset: "disabled" });
  await new SeatedBatch(batch, () => agents).reset(Array.from({ length: games }, (_, i) => `play ${i}`));
  expect(batch.states.every((s) => game.actor(s) < 0)).toBe(true);
  return batch.states.map((s) => germanPoints(tables, s));
}

const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;

describe("heuristics play the block fight to its end", () => {
  const points = new Map<string, number>();
  beforeAll(async () => {
    for (const g of GERMANS) for (const s of SOVIETS) points.set(`${g} ${s}`, mean(await pointsOf(g, s, 40)));
  });
  const of = (g: string, s: string) => points.get(`${g} ${s}`)!;

  test("all of them, weakest first", () =>
    expect(heuristicNames(type.id)).toEqual([
      "random-legal",
      "pusher",
      "odds",
      "planner",
      "holder",
      "ferryman",
      "elastic",
    ]));
  test("a German with a plan takes more than one without", () => {
    for (const s of SOVIETS)
      for (const g of ["pusher", "odds", "planner"]) expect(of(g, s)).toBeGreaterThan(of("random-legal", s));
  });
  test("a Soviet with a plan leaves a German with one less than one without", () => {
    for (const s of ["holder", "elastic"]) {
      for (const g of ["pusher", "odds"]) expect(of(g, s)).toBeLessThan(of(g, "random-legal") / 2);
      expect(of("planner", s)).toBeLessThan(of("planner", "random-legal"));
    }
  });
  test("a German who comes from opposite sides takes more than one who doesn't", () => {
    for (const s of ["holder", "elastic"]) expect(of("planner", s)).toBeGreaterThan(of("odds", s));
  });
});

test.each([
  ["pusher", 0],
  ["odds", 0],
  ["planner", 0],
  ["holder", 1],
  ["elastic", 1],
] as const)("%s chooses by what its seat knows: the same in a sample as in the truth", async (name, seat) => {
  const [truth, guess] = [await agent(name), await agent(name)];
  expect(truth.players).toEqual([seat]);
  const env = new Env(game);
  const rng = new Rng("same");
  const [known, out] = [newState(game.stateSize), newState(game.stateSize)];
  const choices = [new Int32Array(1), new Int32Array(1)] as const;
  let different = 0;
  for (let g = 0; g < 20; g++) {
    env.reset(`game ${g}`);
    while (env.actor >= 0) {
      if (env.actor === seat) {
        game.resample(env.state, seat, out, rng);
        if (out.some((w, i) => i >= 4 && w !== env.state[i])) different++;
        [truth, guess].forEach((a, i) => {
          game.redact!(i === 0 ? env.state : out, seat, known);
          void a.act(
            {
              game,
              size: 1,
              actors: Int32Array.of(seat),
              observation: env.observe(seat),
              mask: env.mask,
              view: () => ({}),
              sample: () => expect.fail("nothing is sampled"),
              known: (_i, into) => into.set(known),
            },
            choices[i]!,
          );
        });
        expect(choices[0][0]).toBe(choices[1][0]);
        expect(env.mask[choices[0][0]!]).toBe(1);
      }
      // the German goes on, so that the games reach the second turn
      const end = game.actions.indexOf("declare-end");
      env.step(env.mask[end] === 1 ? end + 1 : pickLegal(env.mask, 0, A, rng));
    }
  }
  expect(different).toBeGreaterThan(20);
});

test("done and pass are drawn twice as often as any other legal action", async () => {
  const mask = new Uint8Array(A);
  for (const name of ["pass", "done", "hex 0312"]) mask[game.actions.indexOf(name)] = 1;
  const random = await agent("random-legal");
  const counts = new Map<string, number>();
  const out = new Int32Array(1);
  const decision = { game, size: 1, mask } as unknown as Parameters<Agent["act"]>[0];
  for (let i = 0; i < 5000; i++) {
    void random.act(decision, out);
    const name = game.actions[out[0]!]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // five standard deviations of a binomial share at 2/5
  for (const name of ["pass", "done"]) expect(Math.abs(counts.get(name)! / 5000 - 0.4)).toBeLessThan(0.035);
  expect([...counts.keys()].sort()).toEqual(["done", "hex 0312", "pass"]);
});

test("a position with a map of its own is refused in words", async () => {
  const position: JsonObject = { scenario: "sandbox", units: { g1: { type: "g-inf", at: "1010" } } };
  const own = gameFor(type, position);
  const made = makeAgent("heuristic:odds", { game: own, seed: "s" });
  await expect(made).rejects.toThrow("plays only the scenarios of the game");
});

describe("estimates", () => {
  const units = {
    g1: { type: "g-inf", at: "0313" },
    g2: { type: "g-inf", at: "0313" },
    s1: { type: "s-guards", at: "0312", formation: "62A/13GRD/42/1" },
    s2: { type: "s-inf", at: "0211", formation: "62A/13GRD/42/1" },
  };
  const cities = { base: "blank", hexes: { "0312": { t: "city" }, "0211": { t: "city" } } };
  const position: JsonObject = { scenario: "sandbox", bounds: { cols: [1, 8], rows: [6, 18] }, map: cities, units };
  const own = gameFor(type, { ...position, phase: 5 });
  const ground = new Tables(loadSetting(dataFor(position, type.data), "sandbox"), own.options);
  const estimate = new Estimate(ground);
  const env = new Env(own);
  env.resetTo({ ...position, phase: 5, marks: { "0312": ["attack"] } }, "estimate");
  const known = newState(own.stateSize);
  own.redact!(env.state, 0, known);
  const hex = ground.board.index("0312");

  test("an unseen counter counts as the mean of those with its back", () => {
    expect(estimate.strength(known, 1, hex, 0)).toBe((5 + 3) / 2);
    expect(estimate.strength(env.state, 1, hex, 1)).toBe(5);
  });
  test("everybody beside the hex attacks", () =>
    expect(estimate.attackers(known, 0, hex)).toEqual({ units: 2, af: 10, oos: 0 }));
  test("mean losses by the table: 10 points, no modifier", () => {
    const { charts } = ground;
    const sum = Array.from({ length: 10 }, (_, i) => [0, 0, 1, 1, 2, 3, 99][charts.result(charts.column(10), i + 1)]!);
    expect(estimate.meanLosses(10, 0, 0, 99)).toBeCloseTo(sum.reduce((a, b) => a + b) / 10, 12);
    expect(estimate.meanLosses(0, 0, 0, 99)).toBe(0);
  });
  test("one defender in a city has to be killed; one more column kills more often", () => {
    const [plain, close] = [estimate.attack(known, 0, hex, 0), estimate.attack(known, 0, hex, 1)];
    expect(plain.clears).toBeCloseTo(plain.kills, 12);
    expect(close.kills).toBeGreaterThan(plain.kills);
    expect(close.losses).toBeGreaterThanOrEqual(plain.losses);
  });
});
