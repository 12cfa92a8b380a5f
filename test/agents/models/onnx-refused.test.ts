import { deflateSync } from "node:zlib";
import { create } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  GraphProtoSchema,
  type ModelProto,
  NodeProtoSchema,
  TensorProto_DataLocation,
  TensorProto_DataType,
  TensorProtoSchema,
} from "onnx-buf";
import { beforeAll, describe, expect, test } from "vitest";
import { checkModel, readModel, trainedOf } from "../../../agents/model.js";
import { OnnxModel } from "../../../agents/onnx.js";
import { schemaHash } from "../../../env/index.js";
import { startBackend } from "../../../training/nets/backend.js";
import type { RolloutBuffer } from "../../../training/learn/rollout-buffer.js";
import { ambush } from "../../toys/ambush.js";
import { edited, setMeta, smallModel } from "../../training/models.js";
import { decisions, game, setDim, setOutputDim, setType } from "./onnx-model.js";

const other = ambush.load({}, {});
let bytes: Uint8Array;
let samples: RolloutBuffer;

beforeAll(async () => {
  await startBackend();
  ({ bytes, samples } = await smallModel(game));
});

const load = (change: (model: ModelProto) => void, g = game) => OnnxModel.load(edited(bytes, change), g, "a.onnx");

const drawing = (opType: string, input: string[] = ["globals"]) =>
  create(NodeProtoSchema, { opType, input, output: ["dice"] });

/** A node whose third input says whether it is in training mode. */
function training(opType: string, on: boolean, m: ModelProto) {
  const rawData = Uint8Array.of(on ? 1 : 0);
  m.graph!.initializer.push(create(TensorProtoSchema, { name: "on", dataType: TensorProto_DataType.BOOL, rawData }));
  return drawing(opType, ["globals", "", "on"]);
}

const LOOP = /the model has an operator Loop, which may never end; export it unrolled/;

describe("a model that doesn't fit is refused, naming both values", () => {
  const refused: [string, (model: ModelProto) => void, RegExp][] = [
    ["no game named", (m) => setMeta(m, "kessel.game", null), /a\.onnx: the file has no metadata kessel\.game/],
    ["another game", (m) => setMeta(m, "kessel.game", "chess"), /plays "chess", this game is "toy-race"/],
    [
      "another schema",
      (m) => setMeta(m, "kessel.schema", "0123456789abcdef"),
      new RegExp(`schema 0123456789abcdef of toy-race, this is schema ${schemaHash(game)}`),
    ],
    ["no schema", (m) => setMeta(m, "kessel.schema", null), /schema \(none\)/],
    [
      "a side that doesn't exist",
      (m) => setMeta(m, "kessel.seats", '["east"]'),
      /names "east"; sides are north or south/,
    ],
    [
      "no list of sides",
      (m) => setMeta(m, "kessel.seats", "north"),
      /kessel\.seats is a JSON list of sides, not "north"/,
    ],
    [
      "another shape",
      (m) => setDim(m, "map", 1, 6),
      /input map has shape \[batch, 6, 1\]; this game needs \[batch, 5, 1\]/,
    ],
    [
      "a fixed batch",
      (m) => setDim(m, "globals", 0, 1),
      /input globals has shape \[1, 3\]; its first size, the batch, has to be dynamic/,
    ],
    ["another type", (m) => setType(m, "decision", 11), /input decision is of type double; it has to be float/],
    [
      "an unknown input",
      (m) => void (m.graph!.input[0]!.name = "board"),
      /has an input "board"; inputs are globals, map, units, decision or mask/,
    ],
    ["a loop", (m) => void m.graph!.node.push(create(NodeProtoSchema, { opType: "Loop" })), LOOP],
    [
      "a loop in a branch",
      (m) => {
        const g = create(GraphProtoSchema, { node: [create(NodeProtoSchema, { opType: "Loop" })] });
        const attribute = [create(AttributeProtoSchema, { name: "then_branch", g })];
        m.graph!.node.push(create(NodeProtoSchema, { opType: "If", attribute }));
      },
      LOOP,
    ],
    [
      "noise",
      (m) => void m.graph!.node.push(drawing("RandomNormalLike")),
      /draws random numbers \(RandomNormalLike "dice"\)/,
    ],
    [
      "dropout that goes on",
      (m) => void m.graph!.node.push(training("Dropout", true, m)),
      /\(Dropout "dice"\).*evaluation mode/,
    ],
    [
      "noise in a branch",
      (m) => {
        const g = create(GraphProtoSchema, { node: [drawing("Bernoulli")] });
        const attribute = [create(AttributeProtoSchema, { name: "then_branch", g })];
        m.graph!.node.push(create(NodeProtoSchema, { opType: "If", attribute }));
      },
      /\(Bernoulli "dice"\)/,
    ],
    [
      "numbers in another file",
      (m) =>
        void Object.assign(m.graph!.initializer[0]!, { name: "w", dataLocation: TensorProto_DataLocation.EXTERNAL }),
      /the numbers of "w" are in another file; kessel\.export\.tag/,
    ],
    ["a newer ONNX", (m) => void (m.irVersion = 99n), /it is of ONNX IR version 99, and 13 is the newest here/],
    [
      "newer operators",
      (m) => void (m.opsetImport[0]!.version = 99n),
      /its operators are of opset 99, .* too new here/,
    ],
    ["no value", (m) => void m.graph!.output.pop(), /has no output value; its outputs are policy/],
    [
      "a policy for other actions",
      (m) => setOutputDim(m, 11),
      /output policy has shape \[batch, 11\]; this game needs \[batch, 10\]/,
    ],
    ["a graph that doesn't run", (m) => void (m.graph!.node[0]!.opType = "Nonsense"), /a\.onnx does not run: /],
    [
      "golden pairs that are none",
      (m) => setMeta(m, "kessel.golden", "{}"),
      /kessel\.golden is not a list of golden pairs/,
    ],
    [
      "golden pairs of another size",
      (m) =>
        setMeta(
          m,
          "kessel.golden",
          m.metadataProps.find((p) => p.key === "kessel.golden")!.value.replace('"size":4', '"size":5'),
        ),
      /holds 48 bytes of globals; 5 pairs have 60/,
    ],
    [
      "a weight that was changed",
      (m) => m.graph!.initializer.find((t) => t.name === "policy/b")!.rawData.set([0, 0, 0x80, 0x3e]),
      /disagrees with its golden pairs by .*; at most 0\.001 is allowed/,
    ],
    [
      "a weight that is no number",
      (m) => m.graph!.initializer.find((t) => t.name === "value/b")!.rawData.set([0, 0, 0xc0, 0x7f]),
      /disagrees with its golden pairs by NaN/,
    ],
  ];
  test.each(refused)("%s", async (_what, change, message) => {
    await expect(load(change)).rejects.toMatchObject({
      code: "bad-model",
      message: expect.stringMatching(message) as string,
    });
  });

  test.each([
    ["text", new TextEncoder().encode("hello, I am a model")],
    ["nothing", new Uint8Array(0)],
    ["half a file", null],
  ])("%s is not ONNX", async (_what, data) => {
    await expect(OnnxModel.load(data ?? bytes.slice(0, bytes.length / 2), game, "a.onnx")).rejects.toMatchObject({
      code: "bad-model",
    });
  });

  test("a model of one toy does not play another", async () => {
    await expect(load(() => undefined, other)).rejects.toMatchObject({
      message: expect.stringContaining('plays "toy-race", this game is "toy-ambush"') as string,
    });
  });
});

describe("a model that answers nonsense is refused when it is loaded, naming the file", () => {
  const without = (change: (m: ModelProto) => void) => (m: ModelProto) => {
    setMeta(m, "kessel.golden", null); // golden pairs would fail first
    change(m);
  };
  const bias = (m: ModelProto, name: string, float: number): void => {
    const raw = m.graph!.initializer.find((t) => t.name === name)!.rawData;
    new DataView(raw.buffer, raw.byteOffset, 4).setFloat32(0, float, true);
  };
  /** Puts a node between an output and what made it. */
  const after = (m: ModelProto, output: string, opType: string, attribute: [string, bigint[] | bigint][]): void => {
    const maker = m.graph!.node.find((n) => n.output[0] === output)!;
    maker.output[0] = `${output}.before`;
    m.graph!.node.push(
      create(NodeProtoSchema, {
        opType,
        name: `after ${output}`,
        input: [`${output}.before`],
        output: [output],
        attribute: attribute.map(([name, v]) =>
          typeof v === "bigint"
            ? { name, type: AttributeProto_AttributeType.INT, i: v }
            : { name, type: AttributeProto_AttributeType.INTS, ints: v },
        ),
      }),
    );
  };
  const refused: [string, (m: ModelProto) => void, RegExp][] = [
    [
      "no number as policy",
      (m) => bias(m, "policy/b", NaN),
      /a\.onnx: the model gave NaN as policy of the legal action/,
    ],
    ["infinity as policy", (m) => bias(m, "policy/b", Infinity), /gave Infinity as policy/],
    ["no number as value", (m) => bias(m, "value/b", NaN), /a\.onnx: the model gave NaN as value/],
    [
      "one row for many",
      (m) => {
        after(m, "policy", "ReduceMax", [
          ["axes", [0n]],
          ["keepdims", 1n],
        ]);
      },
      /a\.onnx: the model gave \d+ numbers of policy and 2 of value; 2 rows have \d+ and 2/,
    ],
    [
      "another shape",
      (m) => {
        after(m, "value", "ReduceSum", []);
      },
      /a\.onnx: .*(2 of policy|1 of value|does not run)/,
    ],
  ];
  test.each(refused)("%s", async (_what, change, message) => {
    await expect(load(without(change))).rejects.toMatchObject({
      code: "bad-model",
      message: expect.stringMatching(message) as string,
    });
  });

  test("and when it does so later", async () => {
    const model = await load(() => undefined);
    const four = decisions(samples, 4);
    four.observation.globals.fill(NaN);
    await expect(model.run(four.observation, four.mask, 4)).rejects.toThrow(/a\.onnx: the model gave NaN/);
    await model.close();
  });
});

describe("golden pairs that are a compression bomb", () => {
  const bomb = deflateSync(Buffer.alloc(200_000_000)).toString("base64");
  const edit = (change: (pairs: Record<string, unknown>) => void): Uint8Array =>
    edited(bytes, (m) => {
      const pairs = JSON.parse(m.metadataProps.find((p) => p.key === "kessel.golden")!.value) as Record<
        string,
        unknown
      >;
      change(pairs);
      setMeta(m, "kessel.golden", JSON.stringify(pairs));
    });

  test.each(["globals", "map", "units", "decision", "mask", "policy", "value"])(
    "are refused before %s is inflated, and take no memory",
    async (key) => {
      expect(bomb.length).toBeLessThan(300_000);
      const file = edit((pairs) => (pairs[key] = bomb));
      const before = process.memoryUsage().rss;
      await expect(OnnxModel.load(file, game, "a.onnx")).rejects.toThrow(
        new RegExp(`^a\\.onnx: metadata kessel\\.golden holds more than the \\d+ bytes of ${key} that 4 pairs have$`),
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    },
  );

  test("and so are pairs without number", async () => {
    for (const size of [1025, 2 ** 40, -1, 1.5])
      await expect(
        OnnxModel.load(
          edit((pairs) => (pairs["size"] = size)),
          game,
          "a.onnx",
        ),
      ).rejects.toThrow(/kessel\.golden is not a list of golden pairs/);
  });
});

test("hostile metadata is an error, not a stack overflow", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const info = readModel(
    edited(bytes, (m) => setMeta(m, "kessel.trained", deep)),
    "a.onnx",
  );
  expect(() => trainedOf(info, "a.onnx")).toThrow(/a\.onnx: metadata kessel\.trained is nested more than 64 deep/);
  const seats = readModel(
    edited(bytes, (m) => setMeta(m, "kessel.seats", deep)),
    "a.onnx",
  );
  expect(() => checkModel(seats, game, "a.onnx")).toThrow(/kessel\.seats is a JSON list of sides/);
});

test("dropout that a file has switched off draws nothing", async () => {
  const model = await load((m) => void m.graph!.node.push(training("Dropout", false, m)));
  expect(model.goldenError).toBeLessThan(1e-5);
  await model.close();
});
