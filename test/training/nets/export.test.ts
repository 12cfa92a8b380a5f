import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { META, readModel } from "../../../agents/model.js";
import { OnnxModel } from "../../../agents/onnx.js";
import { schemaHash } from "../../../env/index.js";
import type { NetSpec } from "../../../training/nets/architecture.js";
import { startBackend } from "../../../training/nets/backend.js";
import { exportOnnx } from "../../../training/nets/export.js";
import { goldenFrom } from "../../../training/models/golden-pairs.js";
import { Minibatch } from "../../../training/learn/rollout-buffer.js";
import { ambush } from "../../toys/ambush.js";
import { patrol } from "../../toys/patrol.js";
import { smallModel } from "../models.js";
import { raceGame } from "../arena/race.js";

beforeAll(() => startBackend("wasm").then(() => undefined));

const games = [raceGame(), ambush.load({}, {}), patrol.load({}, {})];

const nets: readonly NetSpec[] = [
  { kind: "mlp", hidden: [16] },
  { kind: "mlp", hidden: [16], atoms: 11, auxiliary: [] },
  { kind: "graph", embed: 16, hops: 1, attend: 1, hidden: [16], auxiliary: ["finalMap", "otherUnits"] },
];

test.each(games.flatMap((g) => nets.map((spec) => [g.type.id, spec.kind, g, spec] as const)))(
  "%s, %s net: onnxruntime gives what tfjs gives",
  async (_id, _kind, game, spec) => {
    const { net, bytes, samples } = await smallModel(game, "model", spec);
    const n = Math.min(256, samples.size);
    const batch = new Minibatch(game, n);
    batch.load(
      samples,
      Int32Array.from({ length: n }, (_, i) => i),
      0,
      n,
    );
    const here = await net.evaluate(batch.observation, batch.mask, n);
    const model = await OnnxModel.load(bytes, game, "model");
    const there = await model.run(batch.observation, batch.mask, n);
    for (let i = 0; i < here.policy.length; i++) {
      if (batch.mask[i] !== 1) continue; // of an illegal action it may give anything
      expect(Math.abs(there.policy[i]! - here.policy[i]!)).toBeLessThanOrEqual(
        1e-5 * Math.max(1, Math.abs(here.policy[i]!)),
      );
    }
    for (let i = 0; i < n; i++) expect(Math.abs(there.value[i]! - here.value[i]!)).toBeLessThanOrEqual(1e-5);
  },
);

test("the file says what it is", async () => {
  const game = raceGame();
  const { bytes, net } = await smallModel(game);
  const info = readModel(bytes, "model");
  expect(info.metadata).toMatchObject({
    [META.game]: "toy-race",
    [META.schema]: schemaHash(game),
    [META.seats]: '["north","south"]',
    [META.trained]: '{"seed":"model"}',
  });
  expect(info.inputs.map((i) => [i.name, i.type, i.shape])).toEqual([
    ["globals", "float", ["batch", 3]],
    ["map", "float", ["batch", 5, 1]],
    ["units", "float", ["batch", 2, 1]],
    ["decision", "float", ["batch", 2]],
    ["mask", "uint8", ["batch", 10]],
  ]);
  expect(info.outputs.map((o) => [o.name, o.type, o.shape])).toEqual([
    ["policy", "float", ["batch", 10]],
    ["value", "float", ["batch", 1]],
  ]);
  expect(info.parameters).toBe(net.params.all.length + 1); // and the logit of illegal actions
});

test("what only the trainer may ask of a net is not in the file", async () => {
  const { bytes, net } = await smallModel(raceGame(), "model", nets[2]);
  const extra = net.params.specs.filter((p) => p.name.startsWith("auxiliary/"));
  expect(extra.length).toBeGreaterThan(0);
  for (const { name } of extra) expect(Buffer.from(bytes).includes(name)).toBe(false);
});

test("a net exports to the same bytes every time", async () => {
  const game = raceGame();
  const { bytes, net, samples } = await smallModel(game);
  expect(
    Buffer.from(exportOnnx(net, { seed: "model" }, await goldenFrom(net, samples, 4))).equals(Buffer.from(bytes)),
  ).toBe(true);
});

const python = process.env["KESSEL_PYTHON"] ?? ".venv/bin/python";

test("Python's onnxruntime gives what tfjs gave", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kessel-parity-"));
  const files = await Promise.all(
    games.map(async (game) => {
      const file = join(folder, `${game.type.id}.onnx`);
      writeFileSync(file, (await smallModel(game)).bytes);
      return file;
    }),
  );
  const lines = execFileSync(python, ["training/models/check_golden.py", ...files], { encoding: "utf8" })
    .trim()
    .split("\n");
  const results = lines.map((l) => JSON.parse(l) as { pairs: number; policy: number; value: number });
  expect(results).toHaveLength(games.length);
  for (const r of results) {
    expect(r.pairs).toBe(4);
    expect(r.policy).toBeLessThan(1e-5);
    expect(r.value).toBeLessThan(1e-5);
  }
});
