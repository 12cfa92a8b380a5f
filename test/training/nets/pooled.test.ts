import { describe, expect, test } from "vitest";
import { OnnxModel } from "../../../agents/onnx.js";
import { type Game, loadGame } from "../../../env/index.js";
import { clippedObjective } from "../../../training/learn/clipped-objective.js";
import { feedOf } from "../../../training/learn/learner.js";
import { Minibatch } from "../../../training/learn/rollout-buffer.js";
import type { NetSpec } from "../../../training/nets/architecture.js";
import type { Objective } from "../../../training/nets/engine.js";
import type { LossOps, NeighbourLists } from "../../../training/nets/net-ops.js";
import { placeKeys } from "../../../training/nets/pooled.js";
import { startBackend } from "../../../training/nets/backend.js";
import { exportNet } from "../../../training/models/golden-pairs.js";
import { Net } from "../../../training/nets/net.js";
import { growFrom } from "../../../training/nets/weights.js";
import { randomSamples, smallModel } from "../models.js";
import { enliven, slope } from "./gradients.js";

const SPEC: NetSpec = { kind: "pooled", embed: 8, hops: 2, hidden: [16, 12] };
const fight = (scenario: string): Game => loadGame("streets-of-stalingrad", { scenario });
/** In the one units are on hexes, in the other also in boxes. */
const [block, landing] = [fight("sandbox-1"), fight("drill-landing")];

/** Positions of random games, as a minibatch. */
async function positions(game: Game, rows = 24): Promise<Minibatch> {
  const samples = await randomSamples(game, 4);
  samples.logp.fill(-1);
  samples.advantage.forEach((_, k) => (samples.advantage[k] = (k % 5) - 2));
  const batch = new Minibatch(game, rows);
  batch.load(
    samples,
    Int32Array.from({ length: rows }, (_, i) => Math.floor((i * samples.size) / rows)),
    0,
    rows,
  );
  return batch;
}

test.each([
  ["sandbox-1", block],
  ["drill-landing", landing],
])("all engines give the same net of %s and the same gradient", async (_scenario, game) => {
  const batch = await positions(game);
  const results = [];
  for (const backend of ["onnx", "wasm"] as const) {
    await startBackend(backend);
    const net = enliven(new Net(game, SPEC, "net"));
    const gradient = new Float32Array(net.params.all.length);
    const objective = clippedObjective(game, { clip: 0.2, valueWeight: 0.5, auxiliaryWeight: 0, magnet: null });
    await net.program.gradient(objective, feedOf(batch, batch.capacity, { entropy: 0.1 }), gradient);
    results.push({ ...(await net.evaluate(batch.observation, batch.mask, batch.capacity)), gradient });
  }
  const [a, b] = results as [(typeof results)[0], (typeof results)[0]];
  for (let i = 0; i < a.policy.length; i++) if (batch.mask[i] === 1) expect(a.policy[i]).toBeCloseTo(b.policy[i]!, 4);
  for (let i = 0; i < a.value.length; i++) expect(a.value[i]).toBeCloseTo(b.value[i]!, 5);
  for (let i = 0; i < a.gradient.length; i++)
    expect(Math.abs(a.gradient[i]! - b.gradient[i]!)).toBeLessThan(1e-4 * (1 + Math.abs(a.gradient[i]!)));
});

test("onnxruntime gives what tfjs gives", async () => {
  await startBackend("wasm");
  for (const game of [block, landing]) {
    const { bytes, net } = await smallModel(game, "model", SPEC);
    const batch = await positions(game);
    const here = await net.evaluate(batch.observation, batch.mask, batch.capacity);
    const model = await OnnxModel.load(bytes, game, "model");
    expect(model.goldenError).toBeLessThan(1e-5);
    const there = await model.run(batch.observation, batch.mask, batch.capacity);
    batch.mask.forEach((legal, i) => legal === 1 && expect(there.policy[i]).toBeCloseTo(here.policy[i]!, 4));
    for (let i = 0; i < batch.capacity; i++) expect(there.value[i]).toBeCloseTo(here.value[i]!, 5);
    await model.close();
  }
});

test("a model of one fight is a start for every other, and computes there what the shared net does", async () => {
  await startBackend("onnx");
  const net = enliven(new Net(block, SPEC, "net"));
  const shared = new Net(landing, SPEC, net);
  const begun = new Net(landing, SPEC, "other");
  growFrom(begun, await exportNet(net, {}), "block.onnx");
  const batch = await positions(landing);
  const a = (await shared.evaluate(batch.observation, batch.mask, batch.capacity)).policy.slice();
  const b = (await begun.evaluate(batch.observation, batch.mask, batch.capacity)).policy;
  expect([...b]).toEqual([...a]);
  expect(
    () => new Net(landing, { kind: "mlp", hidden: [4] }, new Net(block, { kind: "mlp", hidden: [4] }, "mlp")),
  ).toThrow("a net of kind mlp has other weights in each fight, so it can't learn several; one of kind pooled can");
});

/** Mean square of what an operation makes of the embedded rows: without relu, so that differences of it are exact. */
const squared = (apply: <X>(ops: LossOps<X>) => X): Objective => ({
  columns: {},
  scalars: [],
  build: (ops) => {
    const y = apply(ops);
    return { total: ops.mean(ops.mul(y, y)) };
  },
});
const embedded = <X>(ops: LossOps<X>, table: "map" | "units"): X => ops.dense(ops.rows(table), `${table}/embed`);

const [PLACES, UNITS] = [landing.observation.mapRows.length, landing.observation.unitRows.length];
/** Each place has the next two as neighbours, which it is not one of; the last has none. */
const lists: NeighbourLists = {
  rows: PLACES,
  neighbours: [1, 2].map((k) => Int32Array.from({ length: PLACES }, (_, i) => (i + k < PLACES ? i + k : PLACES))),
  neighbourOf: [1, 2].map((k) => Int32Array.from({ length: PLACES }, (_, i) => (i - k >= 0 ? i - k : PLACES))),
  share: Float32Array.from({ length: PLACES }, (_, i) => 1 / Math.max(1, Math.min(2, PLACES - 1 - i))),
};
const odd = Int32Array.from({ length: (PLACES * 8) / 2 }, (_, i) => 2 * i + 1).reverse();

describe.each(["onnx", "wasm"] as const)(
  "on %s the gradient agrees with differences of what goes through",
  (backend) => {
    test.each<[string, "map" | "units", <X>(ops: LossOps<X>) => X]>([
      ["the mean of neighbours", "map", (ops) => ops.neighbourMean(embedded(ops, "map"), lists)],
      ["the mean of rows", "map", (ops) => ops.poolRows(embedded(ops, "map"), PLACES, "mean")],
      ["the maximum of rows", "units", (ops) => ops.poolRows(embedded(ops, "units"), UNITS, "max")],
      ["columns in another order", "map", (ops) => ops.pickColumns(ops.flattenRows(embedded(ops, "map"), PLACES), odd)],
      ["the way from places to units", "map", (ops) => ops.atPlaces(embedded(ops, "map"), "map", placeKeys(landing)!)],
      [
        "the way from units to places",
        "units",
        (ops) => ops.atPlaces(embedded(ops, "units"), "units", placeKeys(landing)!),
      ],
    ])("%s", async (_what, table, apply) => {
      await startBackend(backend);
      const net = new Net(landing, SPEC, "net");
      const feed = feedOf(await positions(landing), 24);
      const gradient = new Float32Array(net.params.all.length);
      await net.program.gradient(squared(apply), feed, gradient);
      const view = net.params.views.get(`${table}/embed/w`)!;
      const from = (view.byteOffset - net.params.all.byteOffset) / 4;
      const direction = new Float32Array(gradient.length);
      direction.set(gradient.subarray(from, from + view.length), from);
      const length = Math.sqrt(direction.reduce((sum, x) => sum + x * x, 0));
      expect(length).toBeGreaterThan(1e-3);
      direction.forEach((x, i) => (direction[i] = x / length));
      const found = await slope(net, squared(apply), feed, direction, 5e-4);
      expect(Math.abs(found / length - 1)).toBeLessThan(5e-3);
      net.dispose();
    });
  },
);

test("a unit hears its own hex; one in a box or unseen hears none", () => {
  const { features, values, places } = placeKeys(landing)!;
  expect(features.map((f) => landing.observation.units[f]!.name)).toEqual(["column", "row"]);
  const hexes = landing.observation.mapRows.flatMap((name, i) => (/^\d{4}$/.test(name) ? [i] : []));
  expect(places).toBe(landing.observation.mapRows.length);
  for (let i = 0; i < places; i++) {
    const name = landing.observation.mapRows[i]!;
    const [column, row] = [values[0]![i]!, values[1]![i]!];
    if (hexes.includes(i))
      expect(`${Math.round(column * 40)}`.padStart(2, "0") + `${Math.round(row * 79)}`.padStart(2, "0")).toBe(name);
    else expect(column).toBeLessThan(0);
  }
});
