import { beforeAll, describe, expect, test } from "vitest";
import { loadGame, Rng } from "../../../env/index.js";
import * as tf from "@tensorflow/tfjs";
import { startBackend } from "../../../training/nets/backend.js";
import { packCheckpoint, unpackCheckpoint } from "../../../training/learn/checkpoint.js";
import { feedOf } from "../../../training/learn/learner.js";
import { logProbability } from "../../../training/learn/league.js";
import { writeAdvantages } from "../../../training/learn/advantages.js";
import { clippedObjective } from "../../../training/learn/clipped-objective.js";
import { Ppo, ppoSchema } from "../../../training/learn/ppo.js";
import { Minibatch, RolloutBuffer } from "../../../training/learn/rollout-buffer.js";
import { enliven, slope } from "../nets/gradients.js";
import { randomSamples } from "../models.js";
import { MOST, nim, pileOf } from "../nim.js";
import { LEFT, pennies } from "../pennies.js";
import { L as RACE } from "../../toys/race.js";
import { raceGame } from "../arena/race.js";
import { nightly } from "../../nightly.js";

const game = nim.load({}, {});
const config = ppoSchema.parse({
  net: { kind: "mlp", hidden: [32] },
  updates: 60,
  games: 128,
  minibatch: 256,
  epochs: 4,
  rate: [5e-3, 5e-4],
  entropy: [0.02, 0],
  snapshotEvery: 10,
  snapshots: 3,
  selfPlay: 0.7,
  opponents: ["random"],
});

beforeAll(() => startBackend("wasm").then(() => undefined));

test("self-play learns Nim to its known optimum: leave a multiple of four", async () => {
  const ppo = new Ppo(game, config, "learn");
  while (ppo.update < config.updates) await ppo.step();
  const samples = new RolloutBuffer(game);
  for (let pile = 1; pile <= MOST; pile++) samples.add(pileOf(pile), 0, 0);
  const batch = new Minibatch(game, MOST);
  batch.load(
    samples,
    Int32Array.from({ length: MOST }, (_, i) => i),
    0,
    MOST,
  );
  const { policy, value } = await ppo.net.evaluate(batch.observation, batch.mask, MOST);
  for (let pile = 1; pile <= MOST; pile++) {
    const row = policy.subarray(3 * (pile - 1), 3 * pile);
    const best = pile % 4;
    if (best > 0) expect([pile, row.indexOf(Math.max(...row)) + 1]).toEqual([pile, best]);
    expect(value[pile - 1]! * (best > 0 ? 1 : -1)).toBeGreaterThan(0.5);
  }
});

/** How often each player of Pennies chooses left, as a net learns it. */
async function leftOf(net: Ppo["net"]): Promise<[hider: number, guesser: number]> {
  const batch = new Minibatch(pennies, 2);
  const state = new Int32Array(pennies.stateSize);
  batch.loadDecision(0, state, 0);
  batch.loadDecision(1, state, 1);
  const { policy } = await net.evaluate(batch.observation, batch.mask, 2);
  return [0, 2].map((at) => 1 / (1 + Math.exp(policy[at + 1]! - policy[at]!))) as [number, number];
}

test.each([
  ["without a magnet self-play at hiding goes in circles", null, 0.25, 1],
  ["with a magnet it stays near the equilibrium", { weight: 1, every: 30 }, 0, 0.15],
])("%s", nightly, async (_name, magnet, least, most) => {
  const settings = { net: { kind: "mlp", hidden: [8] }, games: 512, minibatch: 512, epochs: 2, selfPlay: 1 };
  const ppo = new Ppo(
    pennies,
    ppoSchema.parse({ ...settings, rate: [0.02, 0.02], entropy: [0, 0], snapshotEvery: 1000, magnet }),
    "a",
  );
  let apart = 0;
  while (ppo.update < 150) {
    await ppo.step();
    if (ppo.update > 100) for (const p of await leftOf(ppo.net)) apart = Math.max(apart, Math.abs(p - LEFT));
  }
  expect(apart).toBeGreaterThanOrEqual(least);
  expect(apart).toBeLessThan(most);
});

test("the magnet is the policy that every third update begins with", async () => {
  const ppo = new Ppo(game, { ...config, games: 8, magnet: { weight: 0.1, every: 3 } }, "third");
  const begins: string[] = [];
  const text = (weights: Float32Array) => Buffer.from(weights.slice().buffer).toString("base64");
  for (let u = 0; u < 7; u++) {
    begins.push(text(ppo.net.params.all));
    await ppo.step();
    expect(text(ppo.save().arrays["magnet"] as Float32Array)).toBe(begins[u - (u % 3)]);
  }
});

describe("a run is determined by its seed", () => {
  const short = { ...config, updates: 12, snapshotEvery: 3, magnet: { weight: 0.05, every: 5 } };
  async function weights(seed: string, breakAt?: number): Promise<string> {
    let ppo = new Ppo(game, short, seed);
    while (ppo.update < short.updates) {
      await ppo.step();
      if (ppo.update !== breakAt) continue;
      const bytes = packCheckpoint(ppo.save());
      ppo = new Ppo(game, short, seed);
      ppo.restore(unpackCheckpoint(bytes, "checkpoint"));
    }
    return Buffer.from(packCheckpoint(ppo.save())).toString("base64");
  }

  test("same seed, same weights, optimiser and league; another seed, others", async () => {
    const first = await weights("a");
    expect(await weights("a")).toBe(first);
    expect(await weights("b")).not.toBe(first);
  });

  test("stopped half-way and resumed, it ends bit for bit where the straight run ends", async () => {
    const straight = await weights("a");
    expect(await weights("a", 6)).toBe(straight);
    expect(await weights("a", 7)).toBe(straight); // between two snapshots
  });
});

test.each([
  [["second"], ["second"]],
  [["first"], ["first"]],
  [[], ["first", "second"]],
])("against others the learner takes the seats %j", async (seats, taken) => {
  const ppo = new Ppo(game, ppoSchema.parse({ ...config, seats, selfPlay: 0, games: 8 }), "seats");
  const first = ppo.league.winRates()["random"]!;
  await ppo.step();
  const then = ppo.league.winRates()["random"]!;
  expect(game.players.filter((p) => then[p] !== first[p])).toEqual(taken);
  expect(ppo.league.save().facts).toMatchObject([
    { games: game.players.map((p) => (taken.includes(p) ? (8 / taken.length) * 0.95 : 0)) },
  ]);
});

test("advantages are sums of one-step surprises, later ones counting less", () => {
  const samples = new RolloutBuffer(game);
  const own = [0.5, -0.25, 0.75].map((v) => {
    const k = samples.add(pileOf(5), 0, 0);
    samples.value[k] = v;
    return k;
  });
  writeAdvantages(samples, own, 1, 0.5);
  const surprise = [-0.25 - 0.5, 0.75 + 0.25, 1 - 0.75];
  const expected = [
    surprise[0]! + 0.5 * surprise[1]! + 0.25 * surprise[2]!,
    surprise[1]! + 0.5 * surprise[2]!,
    surprise[2]!,
  ];
  own.forEach((k, i) => {
    expect(samples.advantage[k]).toBeCloseTo(expected[i]!, 6);
    expect(samples.target[k]).toBeCloseTo(expected[i]! + samples.value[k]!, 6);
  });
  writeAdvantages(samples, own, -1, 1);
  for (const k of own) expect(samples.target[k]).toBeCloseTo(-1, 6); // lambda 1: the outcome itself
});

test("changes of a potential are rewarded on the way, and add up to nothing but what the first position owes", () => {
  const samples = new RolloutBuffer(game);
  const own = [0.2, -0.4, 0.6].map((potential) => {
    const k = samples.add(pileOf(5), 0, 0);
    samples.potential[k] = potential;
    samples.value[k] = 0.1;
    return k;
  });
  writeAdvantages(samples, own, 1, 1);
  own.forEach((k) => expect(samples.target[k]).toBeCloseTo(1 - samples.potential[k]!, 6));
  writeAdvantages(samples, own, 1, 0);
  // Phi' - Phi + V' - V, or the return for V' at the end
  expect([...samples.advantage.subarray(0, 3)].map((x) => Number(x.toFixed(6)))).toEqual([-0.6, 1, 0.3]);
});

test("auxiliary heads learn how games end and what the other player sees", async () => {
  const race = raceGame();
  const net = { kind: "graph", embed: 6, hops: 1, hidden: [16], auxiliary: ["finalMap", "otherUnits"] };
  const ppo = new Ppo(
    race,
    ppoSchema.parse({ net, updates: 8, games: 64, minibatch: 256, rate: [5e-3, 5e-3], opponents: ["random"] }),
    "auxiliary",
  );
  const first = await ppo.step();
  let last = first;
  while (ppo.update < 8) last = await ppo.step();
  for (const name of ["finalMap", "otherUnits"]) expect(last[name]).toBeLessThan(0.7 * (first[name] as number));
});

test("margins are those of each game's end, as its player sees them, and are learnt", async () => {
  const race = raceGame();
  const ppo = new Ppo(
    race,
    ppoSchema.parse({ net: { kind: "mlp", hidden: [32], auxiliary: ["margin"] }, games: 16, minibatch: 64 }),
    "margin",
  );
  expect(await ppo.step()).toHaveProperty("margin");
  const samples = await randomSamples(race, 10);
  const ends = [
    [60, 15],
    [0, 90],
    [18, 18],
  ].map(([north, south]) => {
    const end = samples.state(0).slice();
    end[RACE.score] = north!;
    end[RACE.score + 1] = south!;
    return samples.addFinalState(end);
  });
  const rows = Int32Array.from({ length: 24 }, (_, i) => Math.floor((i * samples.size) / 24));
  // who is ahead now wins, north by 45 points and south by 90
  const winner = (k: number) => 1 - Math.sign(samples.state(k)[RACE.score]! - samples.state(k)[RACE.score + 1]!);
  const endOf = [ends[0], ends[2], ends[1]];
  const ofNorth = [0.5, 0, -1];
  rows.forEach((k) => (samples.finalStateIndex[k] = endOf[winner(k)]!));
  const batch = new Minibatch(race, 24, ["margin"]);
  batch.load(samples, rows, 0, 24);
  rows.forEach((k, i) => {
    const margin = ofNorth[winner(k)]!;
    expect(batch.columns.margin![i]).toBeCloseTo(samples.actor[k] === 0 ? margin : -margin, 6);
  });
  expect(new Set(batch.columns.margin).size).toBeGreaterThan(3);
  const objective = clippedObjective(race, { ...ppo.config, auxiliaryWeight: 1 }, ["margin"]);
  const step = () => ppo.learner.step(objective, feedOf(batch, 24, { entropy: 0 }), 0.01);
  const first = (await step())["margin"]!;
  for (let i = 0; i < 100; i++) await step();
  expect((await step())["margin"]).toBeLessThan(0.1 * first);
});

test("what a run can't do is refused at its start", () => {
  const net = { kind: "graph", embed: 4, hidden: [8], auxiliary: ["otherUnits"] };
  expect(() => new Ppo(loadGame("night-fight", {}), ppoSchema.parse({ net }), "x")).toThrow(
    "night-fight has one player, so there are no otherUnits to predict",
  );
  const margin = { kind: "mlp", hidden: [8], auxiliary: ["margin"] };
  expect(() => new Ppo(game, ppoSchema.parse({ net: margin }), "x")).toThrow("toy-nim does not report margins");
  expect(() => new Ppo(raceGame(), ppoSchema.parse({ shaping: { potential: "luck" } }), "x")).toThrow(
    /toy-race has no potential "luck"; it has/,
  );
  expect(() => new Ppo(game, ppoSchema.parse({ seats: ["third"] }), "x")).toThrow(
    'configuration: ppo.seats: toy-nim has the seats first, second, not "third"',
  );
});

test.each(["onnx", "wasm"] as const)(
  "the gradient of the clipped objective agrees with differences of the loss on %s",
  async (backend) => {
    await startBackend(backend);
    const race = raceGame();
    const ppo = new Ppo(race, ppoSchema.parse({ net: { kind: "mlp", hidden: [24, 16] } }), "gradient");
    const net = enliven(ppo.net);
    const samples = await randomSamples(race, 10);
    const rows = Int32Array.from({ length: 48 }, (_, i) => 2 * i);
    const batch = new Minibatch(race, 48);
    batch.load(samples, rows, 0, 48);
    const { policy, value } = await net.evaluate(batch.observation, batch.mask, 48);
    const rng = new Rng("old policy");
    const A = race.actions.length;
    rows.forEach((k, i) => {
      // half of the probabilities have moved beyond the clip, on either side
      samples.logp[k] =
        logProbability(policy, batch.mask, i * A, A, samples.action[k]!) +
        (rng.float() - 0.5) * (i % 2 === 0 ? 0.1 : 1.5);
      samples.advantage[k] = rng.float() - 0.4;
      samples.target[k] = value[i]! + rng.float() - 0.5;
    });
    batch.load(samples, rows, 0, 48);
    batch.columns.magnet = policy.map((logit) => logit + rng.float() - 0.5);
    const objective = clippedObjective(race, {
      clip: 0.2,
      valueWeight: 0.5,
      auxiliaryWeight: 0,
      magnet: { weight: 0.7 },
    });
    const feed = feedOf(batch, 48, { entropy: 0.05 });
    const gradient = new Float32Array(net.params.all.length);
    await net.program.gradient(objective, feed, gradient);
    const length = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
    const direction = gradient.map((g) => g / length);
    expect(length).toBeGreaterThan(0.05);
    expect(Math.abs((await slope(net, objective, feed, direction, 1e-3)) / length - 1)).toBeLessThan(5e-3);
  },
);

test("training leaves no tensors behind", async () => {
  await startBackend("wasm");
  const ppo = new Ppo(game, { ...config, snapshotEvery: 1 }, "leak");
  for (let i = 0; i < 4; i++) await ppo.step();
  const before = tf.memory().numTensors;
  for (let i = 0; i < 4; i++) await ppo.step();
  expect(tf.memory().numTensors).toBe(before);
});
