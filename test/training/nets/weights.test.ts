import { beforeAll, describe, expect, test } from "vitest";
import { imitation } from "../../../training/learn/imitate.js";
import { feedOf } from "../../../training/learn/learner.js";
import { Minibatch } from "../../../training/learn/rollout-buffer.js";
import type { NetSpec } from "../../../training/nets/architecture.js";
import { startBackend } from "../../../training/nets/backend.js";
import { exportNet } from "../../../training/models/golden-pairs.js";
import { Net } from "../../../training/nets/net.js";
import { growFrom, loadWeights } from "../../../training/nets/weights.js";
import { raceGame } from "../arena/race.js";
import { randomSamples, smallModel } from "../models.js";
import { enliven } from "./gradients.js";

beforeAll(() => startBackend("wasm").then(() => undefined));

const game = raceGame();
const SPECS: readonly (readonly [NetSpec, NetSpec])[] = [
  [
    { kind: "mlp", hidden: [16, 8] },
    { kind: "mlp", hidden: [24, 12] },
  ],
  [
    { kind: "graph", embed: 4, hops: 2, attend: 0, hidden: [16, 8], auxiliary: [] },
    { kind: "graph", embed: 7, hops: 2, attend: 0, hidden: [24, 8], auxiliary: [] },
  ],
  [
    { kind: "graph", embed: 4, hops: 1, attend: 0, hidden: [16, 8], auxiliary: [] },
    { kind: "graph", embed: 16, hops: 1, attend: 1, hidden: [24, 8], auxiliary: [] },
  ],
  [
    { kind: "graph", embed: 16, hops: 1, attend: 1, hidden: [16, 8], auxiliary: [] },
    { kind: "graph", embed: 16, hops: 1, attend: 2, hidden: [24, 8], auxiliary: [] },
  ],
  [
    { kind: "mlp", hidden: [16, 8], atoms: 5 },
    { kind: "mlp", hidden: [24, 12], atoms: 5, auxiliary: ["margin"] },
  ],
];

/** A net that starts from a model of another, and positions of the game. */
async function started(narrowSpec: NetSpec, wideSpec: NetSpec) {
  const narrow = new Net(game, narrowSpec, "model");
  for (const [name, bias] of narrow.params.views)
    if (name.endsWith("/b")) for (let i = 0; i < bias.length; i++) bias[i] = (i % 5) / 20;
  enliven(narrow);
  const bytes = await exportNet(narrow, {});
  const samples = await randomSamples(game, 10);
  const wide = new Net(game, wideSpec, "wide");
  growFrom(wide, bytes, "a.onnx");
  const n = Math.min(64, samples.size);
  const batch = new Minibatch(game, n);
  batch.load(
    samples,
    Int32Array.from({ length: n }, (_, i) => i),
    0,
    n,
  );
  return { narrow, wide, batch, n };
}

describe.each(SPECS)("a wider net that starts from a model of $kind", (narrowSpec, wideSpec) => {
  test("computes what the model does", async () => {
    const { narrow, wide, batch, n } = await started(narrowSpec, wideSpec);
    const a = await narrow.evaluate(batch.observation, batch.mask, n);
    const policies = a.policy.slice();
    const values = a.value.slice();
    const b = await wide.evaluate(batch.observation, batch.mask, n);
    for (let i = 0; i < policies.length; i++) if (batch.mask[i] === 1) expect(b.policy[i]).toBeCloseTo(policies[i]!, 5);
    for (let i = 0; i < n; i++) expect(b.value[i]).toBeCloseTo(values[i]!, 5);
    expect(new Set(Array.from(values, (v) => v.toFixed(4))).size).toBeGreaterThan(5); // of different positions
  });

  test("learns with what it has more", async () => {
    const { wide, batch, n } = await started(narrowSpec, wideSpec);
    const gradient = new Float32Array(wide.params.all.length);
    await wide.program.gradient(imitation(game, 0.5), feedOf(batch, n), gradient);
    const w = wide.params.views.get("hidden1/w")!;
    const from = (w.byteOffset - wide.params.all.byteOffset) / 4;
    const fresh = narrowSpec.hidden[0]! * wideSpec.hidden[1]!; // the first weight of what layer 0 has more
    expect(w[fresh]).toBe(0);
    expect(gradient.subarray(from + fresh, from + w.length).some((g) => g !== 0)).toBe(true);
  });

  test("is no start for a narrower one", async () => {
    const { bytes } = await smallModel(game, "model", wideSpec);
    expect(() => growFrom(new Net(game, narrowSpec, 0), bytes, "b.onnx")).toThrow(
      /^b\.onnx: weights .* are \[.*\], this net needs at most \[.*\]/,
    );
  });
});

test("where a net must be the model's own, a wider one is refused", async () => {
  const [[narrow, wide]] = SPECS as [readonly [NetSpec, NetSpec]];
  const { bytes } = await smallModel(game, "model", narrow);
  expect(() => loadWeights(new Net(game, wide, 0), bytes, "a.onnx")).toThrow("start from a model with the same net");
});

test.each([
  ["in atoms", "a number", { atoms: 5 }, {}],
  ["of one number", "atoms", {}, { atoms: 5 }],
  ["in 7 atoms", "5", { atoms: 7 }, { atoms: 5 }],
])("a value %s is learnt again where the model has %s; what the model chooses stays", async (_to, _from, to, from) => {
  const spec: NetSpec = { kind: "mlp", hidden: [16, 8] };
  const { narrow, wide, batch, n } = await started({ ...spec, ...from }, { ...spec, ...to });
  const policies = (await narrow.evaluate(batch.observation, batch.mask, n)).policy.slice();
  const { policy, value } = await wide.evaluate(batch.observation, batch.mask, n);
  policies.forEach((x, i) => batch.mask[i] === 1 && expect(policy[i]).toBeCloseTo(x, 5));
  for (const v of value.subarray(0, n)) expect(Math.abs(v)).toBeLessThan(0.2);
});

test("where a net must be the model's own, a value in other atoms is refused", async () => {
  const spec: NetSpec = { kind: "mlp", hidden: [16, 8] };
  const { bytes } = await smallModel(game, "model", { ...spec, atoms: 5 });
  expect(() => loadWeights(new Net(game, { ...spec, atoms: 7 }, 0), bytes, "a.onnx")).toThrow(
    "a.onnx: weights value7/w are no such array, this net needs [8, 7]; start from a model with the same net",
  );
});

test("a round of attention that the model has not hears nothing at first, and learns to", async () => {
  const spec: NetSpec = { kind: "graph", embed: 4, hops: 1, attend: 0, hidden: [16, 8], auxiliary: [] };
  const { wide, batch, n } = await started(spec, { ...spec, attend: 1 });
  const gradient = new Float32Array(wide.params.all.length);
  await wide.program.gradient(imitation(game, 0.5), feedOf(batch, n), gradient);
  for (const by of ["units", "map"]) {
    const w = wide.params.views.get(`attend0/${by}/heard/w`)!;
    const from = (w.byteOffset - wide.params.all.byteOffset) / 4;
    expect(w.every((x) => x === 0)).toBe(true);
    expect(gradient.subarray(from, from + w.length).some((g) => g !== 0)).toBe(true);
  }
});

test("rows that attend keep their width", async () => {
  const spec: NetSpec = { kind: "graph", embed: 4, hops: 1, attend: 1, hidden: [16, 8], auxiliary: [] };
  const { bytes } = await smallModel(game, "model", spec);
  expect(() => growFrom(new Net(game, { ...spec, embed: 8 }, 0), bytes, "a.onnx")).toThrow(
    /^a\.onnx: weights map\/embed\/w are \[\d+, 4\], this net needs at most \[\d+, 8\]/,
  );
});

test("layers that the model lacks are reported", async () => {
  const [[mlp], [graph]] = SPECS as unknown as [readonly [NetSpec, NetSpec], readonly [NetSpec, NetSpec]];
  const { bytes } = await smallModel(game, "model", mlp);
  expect(() => growFrom(new Net(game, graph, 0), bytes, "a.onnx")).toThrow("weights map/embed/w are no such array");
  expect(() => growFrom(new Net(game, { kind: "mlp", hidden: [16, 8, 8] }, 0), bytes, "a.onnx")).toThrow(
    "weights hidden2/w are no such array",
  );
});
