import { describe, expect, test } from "vitest";
import { type Game, Rng } from "../../../env/index.js";
import { architectureOf, auxiliaryOf, type NetSpec } from "../../../training/nets/architecture.js";
import { startBackend } from "../../../training/nets/backend.js";
import { imitation } from "../../../training/learn/imitate.js";
import { feedOf } from "../../../training/learn/learner.js";
import { Net } from "../../../training/nets/net.js";
import { clippedObjective } from "../../../training/learn/clipped-objective.js";
import { Minibatch } from "../../../training/learn/rollout-buffer.js";
import { enliven, slope } from "./gradients.js";
import { randomSamples } from "../models.js";
import { raceGame } from "../arena/race.js";

const game = raceGame();
const A = game.actions.length;
const ROWS = 32;
const samples = await randomSamples(game, 10);
const end = samples.addFinalState(samples.state(samples.size - 1));
samples.finalStateIndex.fill(end);
const batch = new Minibatch(game, ROWS, ["finalMap", "otherUnits", "margin"]);
samples.logp.fill(-1);
samples.advantage.forEach((_, k) => (samples.advantage[k] = (k % 5) - 2));
batch.load(
  samples,
  Int32Array.from({ length: ROWS }, (_, i) => 3 * i),
  0,
  ROWS,
);
const feed = feedOf(batch, ROWS);
const objective = imitation(game, 0.5);

const KINDS = ["mlp", "distributional", "graph", "pooled"] as const;
type Kind = (typeof KINDS)[number];
const NETS: Readonly<Record<Kind, NetSpec>> = {
  mlp: { kind: "mlp", hidden: [24, 16] },
  distributional: { kind: "mlp", hidden: [24, 16], atoms: 7, auxiliary: ["margin"] },
  graph: {
    kind: "graph",
    embed: 16,
    hops: 2,
    attend: 2,
    hidden: [24, 16],
    auxiliary: ["finalMap", "otherUnits", "margin"],
  },
  pooled: { kind: "pooled", embed: 4, hops: 2, hidden: [24, 16], auxiliary: ["margin"] },
};

const livelyNet = (seed = "net", kind: Kind = "mlp"): Net => enliven(new Net(game, NETS[kind], seed));

/** Names of all weights of a kind of net. */
const weightsOf = (kind: Kind): string[] => architectureOf(game, NETS[kind]).params.map((p) => p.name);

describe.each(["onnx", "wasm"] as const)("on %s", (backend) => {
  // not for graph nets: of hundreds of rows with shared weights some always cross the edge of relu within the
  // difference
  test.each([
    ...weightsOf("mlp").map((name) => [name, "mlp"] as const),
    ...["value7/w", "value7/b"].map((name) => [name, "distributional"] as const),
  ])("the gradient of %s agrees with differences of the loss", async (name, kind) => {
    await startBackend(backend);
    const net = livelyNet("net", kind);
    const gradient = new Float32Array(net.params.all.length);
    await net.program.gradient(objective, feed, gradient);
    const view = net.params.views.get(name)!;
    const from = (view.byteOffset - net.params.all.byteOffset) / 4;
    const rng = new Rng(name);
    for (let k = 0; k < 3; k++) {
      const direction = new Float32Array(net.params.all.length);
      for (let i = 0; i < view.length; i++) direction[from + i] = Math.sign(gradient[from + i]!) * (0.5 + rng.float());
      const length = Math.sqrt(direction.reduce((sum, x) => sum + x * x, 0));
      for (let i = 0; i < direction.length; i++) direction[i]! /= length;
      const exact = gradient.reduce((sum, g, i) => sum + g * direction[i]!, 0);
      expect(Math.abs(exact)).toBeGreaterThan(1e-3);
      expect(Math.abs((await slope(net, objective, feed, direction, 2e-3)) / exact - 1)).toBeLessThan(5e-3);
    }
    net.dispose();
  });

  test("weights follow from the seed", async () => {
    await startBackend(backend);
    expect([...livelyNet("a").params.all]).toEqual([...livelyNet("a").params.all]);
    expect([...livelyNet("a").params.all]).not.toEqual([...livelyNet("b").params.all]);
  });

  test("illegal actions have probability 0, and what they would have been doesn't matter", async () => {
    await startBackend(backend);
    const { policy } = await livelyNet().evaluate(batch.observation, batch.mask, ROWS);
    for (let i = 0; i < ROWS * A; i++) {
      if (batch.mask[i] === 0) expect(Math.exp(policy[i]!)).toBe(0);
      else expect(Math.abs(policy[i]!)).toBeLessThan(1e3);
    }
  });
});

test.each(["onnx", "wasm"] as const)(
  "on %s what is static about a row reaches the net like what is observed",
  async (backend) => {
    await startBackend(backend);
    const spec: NetSpec = { kind: "graph", embed: 5, hops: 1, attend: 0, hidden: [16], auxiliary: [] };
    const { map, mapRows } = game.observation;
    // one more feature of each place: observed in one game, given once in the other
    const place = { name: "place", range: [0, 1], norm: "number of the place / places" } as const;
    const seen: Game = { ...game, observation: { ...game.observation, map: [...map, place] } };
    const told: Game = {
      ...game,
      statics: { ...game.statics, map: { features: [place], values: mapRows.map((_, i) => [i / mapRows.length]) } },
    };
    const nets = [new Net(seen, spec, "net"), new Net(told, spec, "net")].map(enliven) as [Net, Net];
    expect([...nets[0].params.all]).toEqual([...nets[1].params.all]);
    const [F, N] = [map.length, mapRows.length];
    const wide = new Float32Array(ROWS * N * (F + 1));
    for (let r = 0; r < ROWS * N; r++) {
      wide.set(batch.observation.map.subarray(r * F, (r + 1) * F), r * (F + 1));
      wide[r * (F + 1) + F] = (r % N) / N;
    }
    const a = await nets[0].evaluate({ ...batch.observation, map: wide }, batch.mask, ROWS);
    const b = await nets[1].evaluate(batch.observation, batch.mask, ROWS);
    for (let i = 0; i < a.policy.length; i++) expect(b.policy[i]).toBeCloseTo(a.policy[i]!, 5);
    for (let i = 0; i < a.value.length; i++) expect(b.value[i]).toBeCloseTo(a.value[i]!, 5);
  },
);

// they derive gradients independently: TensorFlow.js by its own, ONNX Runtime by training/nets/onnx-autodiff.ts
test.each(KINDS)("all engines give the same %s net and the same gradient", async (kind) => {
  const results = [];
  for (const backend of ["onnx", "wasm"] as const) {
    await startBackend(backend);
    const net = livelyNet("net", kind);
    const gradient = new Float32Array(net.params.all.length);
    const losses = await net.program.gradient(
      clippedObjective(
        game,
        { clip: 0.2, valueWeight: 0.5, auxiliaryWeight: 0.3, magnet: null },
        auxiliaryOf(NETS[kind]),
      ),
      feedOf(batch, ROWS, { entropy: 0.1 }),
      gradient,
    );
    results.push({
      ...(await net.evaluate(batch.observation, batch.mask, ROWS)),
      gradient,
      losses: Float32Array.from(Object.values(losses)),
      names: Object.keys(losses).sort(),
    });
  }
  const [a, b] = results as [(typeof results)[0], (typeof results)[0]];
  expect(a.names).toEqual(b.names);
  for (let i = 0; i < a.policy.length; i++) if (batch.mask[i] === 1) expect(a.policy[i]).toBeCloseTo(b.policy[i]!, 4);
  for (let i = 0; i < a.value.length; i++) expect(a.value[i]).toBeCloseTo(b.value[i]!, 5);
  for (let i = 0; i < a.gradient.length; i++)
    expect(Math.abs(a.gradient[i]! - b.gradient[i]!)).toBeLessThan(1e-4 * (1 + Math.abs(a.gradient[i]!)));
});
