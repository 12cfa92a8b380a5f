import { create } from "@bufbuild/protobuf";
import { NodeProtoSchema, type ModelProto } from "onnx-buf";
import { beforeAll, describe, expect, test } from "vitest";
import { OnnxModel } from "../../../agents/onnx.js";
import { startBackend } from "../../../training/nets/backend.js";
import { eightBit, type Range, wideInputs } from "../../../training/nets/eight-bit.js";
import { integerAttribute } from "../../../training/nets/onnx-graph.js";
import { Minibatch } from "../../../training/learn/rollout-buffer.js";
import { edited, setMeta, smallModel } from "../models.js";
import { raceGame } from "../arena/race.js";

beforeAll(() => startBackend("wasm").then(() => undefined));

const game = raceGame();
const N = 64;
const A = game.actions.length;

/** A net whose second layer alone has 8,192 weights or more, and decisions of random games. */
async function wide(): Promise<{ bytes: Uint8Array; batch: Minibatch }> {
  const { net, samples, bytes } = await smallModel(game, "wide", { kind: "mlp", hidden: [128, 96] });
  const bias = net.params.views.get("hidden1/b")!;
  expect(bias.length).toBe(96);
  const batch = new Minibatch(game, N);
  batch.load(
    samples,
    Int32Array.from({ length: N }, (_, i) => i),
    0,
    N,
  );
  // golden pairs are of the model with its weights as they were
  return { bytes: edited(bytes, (m) => setMeta(m, "kessel.golden", null)), batch };
}

/** All inputs of the layers of such a net are between 0 and 2. */
const rangesOf = (bytes: Uint8Array, range: Range = [0, 2]): Map<string, Range> =>
  new Map(wideInputs(bytes).map((name) => [name, range]));

async function answers(bytes: Uint8Array, { observation, mask }: Minibatch, n = N): Promise<Float32Array[]> {
  const model = await OnnxModel.load(bytes, game, "model");
  const { policy, value } = await model.run(observation, mask, n);
  await model.close();
  return [policy, value];
}

/** Largest difference of the policies, per size of the largest logit. */
function apart([a]: Float32Array[], [b]: Float32Array[]): number {
  let [most, size] = [0, 0];
  a!.forEach((x, i) => {
    most = Math.max(most, Math.abs(x - b![i]!));
    size = Math.max(size, Math.abs(x));
  });
  return most / size;
}

/** The bias of the second layer, as large as its sums, so that a lost one shows. */
const withBias = (bytes: Uint8Array): Uint8Array =>
  edited(bytes, (m) => {
    const bias = m.graph!.initializer.find((t) => t.name === "hidden1/b")!;
    const view = new DataView(bias.rawData.buffer, bias.rawData.byteOffset, bias.rawData.byteLength);
    for (let i = 0; i < 96; i++) view.setFloat32(4 * i, Math.sin(i), true);
  });

test("a model in 8 bits gives nearly what it gave, and only its large layer is another", async () => {
  const { bytes, batch } = await wide();
  const model = withBias(bytes);
  expect(wideInputs(model)).toHaveLength(1);
  const small = eightBit(model, rangesOf(model));
  expect(small.length).toBeLessThan(model.length - 2 * 128 * 96); // three of four bytes of each weight are gone
  const difference = apart(await answers(model, batch), await answers(small, batch));
  expect(difference).toBeGreaterThan(0);
  expect(difference).toBeLessThan(0.03); // steps of 1/63 of a weight and 1/127 of an input, averaged over 128
});

test("values below 0 are kept, too", async () => {
  const { bytes, batch } = await wide();
  const relu = (m: ModelProto) => m.graph!.node.find((n) => n.opType === "Relu")!;
  const signed = edited(bytes, (m) => (relu(m).opType = "Tanh")); // from -1 to 1 instead of from 0
  const difference = apart(
    await answers(signed, batch),
    await answers(eightBit(signed, rangesOf(signed, [-1, 1])), batch),
  );
  expect(difference).toBeLessThan(0.03);
});

test("values that are all below 0 are kept, too", async () => {
  const { bytes, batch } = await wide();
  const negative = edited(bytes, (m) => {
    m.graph!.node.find((n) => n.opType === "Relu")!.opType = "Identity";
    const bias = m.graph!.initializer.find((t) => t.name === "hidden0/b")!;
    const view = new DataView(bias.rawData.buffer, bias.rawData.byteOffset, bias.rawData.byteLength);
    for (let i = 0; i < 128; i++) view.setFloat32(4 * i, -4, true);
  });
  const difference = apart(
    await answers(negative, batch),
    await answers(eightBit(negative, rangesOf(negative, [-6, -2])), batch),
  );
  expect(difference).toBeLessThan(0.03);
});

test("a row's answer does not depend on the rows beside it", async () => {
  const { bytes, batch } = await wide();
  const small = eightBit(bytes, rangesOf(bytes));
  const [all] = await answers(small, batch);
  for (const n of [1, 2, 33]) {
    const [some] = await answers(small, batch, n);
    expect([...some!]).toEqual([...all!.subarray(0, n * A)]);
  }
});

describe("the same layer in another form gives the same", () => {
  const layer = (m: ModelProto) => m.graph!.node.find((n) => n.input[1] === "hidden1/w")!;

  test("transposed, as PyTorch exports it", async () => {
    const { bytes, batch } = await wide();
    const turned = edited(bytes, (m) => {
      const w = m.graph!.initializer.find((t) => t.name === "hidden1/w")!;
      const old = w.rawData.slice();
      for (let k = 0; k < 128; k++)
        for (let n = 0; n < 96; n++)
          w.rawData.set(old.subarray(4 * (k * 96 + n), 4 * (k * 96 + n) + 4), 4 * (n * 128 + k));
      w.dims = [96n, 128n];
      layer(m).attribute = create(NodeProtoSchema, { attribute: [integerAttribute("transB", 1)] }).attribute;
    });
    expect(await answers(eightBit(turned, rangesOf(turned)), batch)).toEqual(
      await answers(eightBit(bytes, rangesOf(bytes)), batch),
    );
  });

  test("as a product and a sum", async () => {
    const { bytes, batch } = await wide();
    const model = withBias(bytes);
    const split = edited(model, (m) => {
      const node = layer(m);
      const [x, w, b] = node.input as [string, string, string];
      const [y] = node.output as [string];
      const parts = [
        create(NodeProtoSchema, { opType: "MatMul", input: [x, w], output: ["product"] }),
        create(NodeProtoSchema, { opType: "Add", input: ["product", b], output: [y] }),
      ];
      m.graph!.node.splice(m.graph!.node.indexOf(node), 1, ...parts);
    });
    expect(await answers(eightBit(split, rangesOf(split)), batch)).toEqual(
      await answers(eightBit(model, rangesOf(model)), batch),
    );
  });
});

test("operators that are too old are refused", async () => {
  const { bytes } = await wide();
  const old = edited(bytes, (m) => (m.opsetImport[0]!.version = 11n));
  expect(() => wideInputs(old)).toThrow("the model has operators of version 11; it needs 13 or later");
});
