import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, fromBinary } from "@bufbuild/protobuf";
import { type ModelProto, ModelProtoSchema, NodeProtoSchema, ValueInfoProtoSchema } from "onnx-buf";
import * as ort from "onnxruntime-node";
import { describe, expect, test } from "vitest";
import { JOINED, leanModel } from "../../../agents/model-graph.js";
import { OnnxModel } from "../../../agents/onnx.js";
import { DecisionBatch } from "../../../agents/seats.js";
import { Batch, gameIds, joinedWidth, loadGame, Rng, shapesOf, TENSORS, tensorSizes } from "../../../env/index.js";
import { RandomAgent } from "../../../agents/random.js";
import { edited } from "../../training/models.js";

const MODELS = fileURLToPath(new URL("../../../models/", import.meta.url));
const ROWS = 24;
const bytesOf = (id: string): Uint8Array => new Uint8Array(readFileSync(`${MODELS}${id}/commander.onnx`));
const shipped = gameIds().filter((id) => existsSync(`${MODELS}${id}/commander.onnx`));

/** Environments of a game somewhere in random play. */
async function played(id: string, size = ROWS): Promise<Batch> {
  const batch = new Batch(loadGame(id), { size, autoreset: "next-step" });
  batch.reset("lean");
  const [random, rng] = [new RandomAgent("lean"), new Rng("lean")];
  const all = new DecisionBatch(batch, false);
  const choices = new Int32Array(size);
  for (let step = rng.below(9); step < 30; step++) {
    all.size = 0;
    for (let i = 0; i < size; i++) if (batch.actors[i]! >= 0) all.add(i, random);
    await random.act(all, choices);
    const actions = new Int32Array(size);
    for (let k = 0; k < all.size; k++) actions[all.rows[k]!] = choices[k]!;
    batch.step(actions);
  }
  return batch;
}

describe.each(shipped)("the model of %s", (id) => {
  test("computes the same when the mask and the joining of tensors are taken out", async () => {
    const batch = await played(id);
    const { game, mask, observations } = batch;
    const file = await ort.InferenceSession.create(bytesOf(id), { intraOpNumThreads: 1 });
    const shapes = shapesOf(game.observation);
    const feeds = Object.fromEntries(
      file.inputNames.map((name) => {
        if (name === "mask") return [name, new ort.Tensor("uint8", mask, [ROWS, game.actions.length])];
        const tensor = name as (typeof TENSORS)[number];
        return [name, new ort.Tensor("float32", observations.all[tensor], [ROWS, ...shapes[tensor]])];
      }),
    );
    const whole = await file.run(feeds);
    const model = await OnnxModel.load(bytesOf(id), game, id);
    const lean = await model.run(observations.all, mask, ROWS);
    expect(lean.value).toEqual(whole["value"]!.data);
    const policy = whole["policy"]!.data as Float32Array;
    for (let k = 0; k < mask.length; k++) if (mask[k] === 1) expect(lean.policy[k]).toBe(policy[k]);
    await model.close();
    await file.release();
  });
});

describe("a net without structure", () => {
  const id = "pocket-stalingrad";
  const game = loadGame(id);
  const leanOf = (change: (model: ModelProto) => void): ReturnType<typeof leanModel> =>
    leanModel(edited(bytesOf(id), change), game);
  const nodes = (bytes: Uint8Array): string[] => fromBinary(ModelProtoSchema, bytes).graph!.node.map((n) => n.opType);

  test("reads whole rows and no mask", () => {
    const { bytes, joined } = leanModel(bytesOf(id), game);
    expect(joined).toBe(true);
    expect(fromBinary(ModelProtoSchema, bytes).graph!.input.map((i) => i.name)).toEqual([JOINED]);
    expect(nodes(bytes)).not.toContain("Where");
  });

  test("gives for joined rows what it gives for tensors", async () => {
    const batch = await played(id);
    const model = await OnnxModel.load(bytesOf(id), game, id);
    const { input, rows } = model.newRows(ROWS);
    const viewers = batch.actors.map((a) => Math.max(0, a));
    const plain = new Batch(game, { size: ROWS }).observations;
    for (let i = 0; i < ROWS; i++)
      for (const out of [rows[i]!, plain.rows[i]!]) game.observe(batch.states[i]!, viewers[i]!, out);
    expect(await model.run(input, batch.mask, ROWS)).toEqual(await model.run(plain.all, batch.mask, ROWS));
    await model.close();
  });

  test("is left as it is where the tensors are joined in another order", () => {
    const { joined } = leanOf((m) => m.graph!.node.find((n) => n.opType === "Concat")!.input.reverse());
    expect(joined).toBe(false);
  });

  test("or along another axis", () => {
    const { joined } = leanOf((m) => (m.graph!.node.find((n) => n.opType === "Concat")!.attribute[0]!.i = 0n));
    expect(joined).toBe(false);
  });

  test("or where a tensor is read elsewhere too", () => {
    const { joined } = leanOf(({ graph }) => {
      const value = graph!.node.find((n) => n.output.includes("value"))!;
      Object.assign(value, { opType: "ReduceMax", input: ["globals"] });
    });
    expect(joined).toBe(false);
  });

  test("unless nobody reads what comes of it", () => {
    const { joined, bytes } = leanOf(({ graph }) => {
      graph!.node.unshift(create(NodeProtoSchema, { opType: "Identity", input: ["globals"], output: ["again"] }));
      graph!.output.push(create(ValueInfoProtoSchema, { name: "again" }));
    });
    expect(joined).toBe(true);
    expect(fromBinary(ModelProtoSchema, bytes).graph!.output.map((o) => o.name)).toEqual(["policy", "value"]);
  });

  test("is left as it is where the name of whole rows is taken", () => {
    const { joined } = leanOf(({ graph }) => {
      const value = graph!.node.find((n) => n.output.includes("value"))!;
      graph!.node.push(create(NodeProtoSchema, { opType: "Tanh", input: [JOINED], output: ["value"] }));
      value.output = [JOINED];
    });
    expect(joined).toBe(false);
  });

  test("keeps a mask that does more than hide illegal actions", () => {
    const { bytes } = leanOf(({ graph }) => {
      const where = graph!.node.find((n) => n.opType === "Where")!;
      where.input[2] = where.input[1]!;
    });
    expect(nodes(bytes)).toContain("Where");
  });

  test("keeps a mask whose policy something else reads too", () => {
    for (const read of ["policy", "logits of policy"]) {
      const { bytes } = leanOf(({ graph }) => {
        const last = graph!.node.find((n) => n.output.includes("policy"))!;
        const from = read === "policy" ? read : last.input[0]!;
        const value = graph!.node.find((n) => n.output.includes("value"))!;
        Object.assign(value, { opType: "ReduceMax", input: [from] });
      });
      expect(nodes(bytes), read).toContain("Where");
    }
  });
});

test("rows that were gathered joined can be read as tensors", async () => {
  const batch = await played("pocket-stalingrad", 70); // more than there is room for at first
  const agent = new RandomAgent("rows");
  const [joined, plain] = [new DecisionBatch(batch, true), new DecisionBatch(batch, false)];
  for (let i = 0; i < batch.size; i++)
    if (batch.actors[i]! >= 0) {
      joined.add(i, agent);
      plain.add(i, agent);
    }
  expect(joined.size).toBeGreaterThan(64);
  const sizes = tensorSizes(batch.game.observation);
  for (const t of TENSORS) {
    const n = plain.size * sizes[t];
    expect(joined.observation[t].subarray(0, n)).toEqual(plain.observation[t].subarray(0, n));
  }
  expect(joined.joined!.length).toBe(70 * joinedWidth(batch.game));
});
