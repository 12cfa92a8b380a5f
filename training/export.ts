import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType,
  type AttributeProtoSchema,
  type GraphProtoSchema,
  ModelProtoSchema,
  type NodeProtoSchema,
  TensorProto_DataType,
  type TensorProtoSchema,
  type ValueInfoProtoSchema,
} from "onnx-buf";
import { type Golden, META, packGolden } from "../agents/model.js";
import { type JsonObject, schemaHash, shapesOf, TENSORS } from "../env/index.js";
import { evaluate, ILLEGAL, type Net } from "./net.js";
import type { Ops } from "./ops.js";
import { Minibatch, type Samples } from "./samples.js";

/** Read by onnxruntime since 1.11. */
const OPSET = 17n;
const IR_VERSION = 8n;

type Graph = MessageInitShape<typeof GraphProtoSchema>;
type Attribute = MessageInitShape<typeof AttributeProtoSchema>;

/** Writes a net down as ONNX nodes; a value is its name in the graph. */
class OnnxWriter implements Ops<string> {
  readonly nodes: MessageInitShape<typeof NodeProtoSchema>[] = [];
  readonly initializers: MessageInitShape<typeof TensorProtoSchema>[] = [];

  constructor(net: Net) {
    for (const { name, shape } of net.params.specs) this.floats(name, shape, net.params.views.get(name)!);
  }

  input(name: string): string {
    return name === "map" || name === "units" ? this.node("Flatten", [name], [integer("axis", 1)]) : name;
  }

  concat(parts: readonly string[]): string {
    return this.node("Concat", parts, [integer("axis", 1)]);
  }

  dense(x: string, layer: string): string {
    return this.node("Gemm", [x, `${layer}/w`, `${layer}/b`]);
  }

  relu(x: string): string {
    return this.node("Relu", [x]);
  }

  tanh(x: string): string {
    return this.node("Tanh", [x]);
  }

  node(opType: string, input: readonly string[], attribute: Attribute[] = [], output = `x${this.nodes.length}`): string {
    this.nodes.push({ opType, name: `n${this.nodes.length}`, input: [...input], output: [output], attribute });
    return output;
  }

  floats(name: string, shape: readonly number[], data: Float32Array): string {
    const rawData = new Uint8Array(data.byteLength);
    const view = new DataView(rawData.buffer);
    data.forEach((x, i) => view.setFloat32(4 * i, x, true));
    this.initializers.push({ name, dims: shape.map(BigInt), dataType: TensorProto_DataType.FLOAT, rawData });
    return name;
  }
}

const integer = (name: string, i: number): Attribute => ({ name, type: AttributeProto_AttributeType.INT, i: BigInt(i) });

function valueInfo(name: string, elemType: TensorProto_DataType, shape: readonly number[]): MessageInitShape<typeof ValueInfoProtoSchema> {
  const dim = [{ value: { case: "dimParam" as const, value: "batch" } }, ...shape.map((n) => ({ value: { case: "dimValue" as const, value: BigInt(n) } }))];
  return { name, type: { value: { case: "tensorType", value: { elemType, shape: { dim } } } } };
}

function graphOf(net: Net): Graph {
  const { game } = net;
  const writer = new OnnxWriter(net);
  const { logits, value } = net.build(writer);
  const legal = writer.node("Cast", ["mask"], [integer("to", TensorProto_DataType.BOOL)]);
  writer.node("Where", [legal, logits, writer.floats("illegal", [], Float32Array.of(ILLEGAL))], [], "policy");
  writer.node("Identity", [value], [], "value");
  const { FLOAT, UINT8 } = TensorProto_DataType;
  const shapes = shapesOf(game.observation);
  const A = game.actions.length;
  return {
    name: `${game.type.id} policy and value`,
    input: [...TENSORS.map((t) => valueInfo(t, FLOAT, shapes[t])), valueInfo("mask", UINT8, [A])],
    output: [valueInfo("policy", FLOAT, [A]), valueInfo("value", FLOAT, [1])],
    node: writer.nodes,
    initializer: writer.initializers,
  };
}

/**
 * A net as an ONNX file.
 *
 * @param trained how it was trained and what it achieved, kept in the file
 * @param golden recorded inputs with the outputs of this net, see `goldenFrom`
 * @param seats players it may play; all by default
 */
export function exportOnnx(net: Net, trained: JsonObject, golden: Golden, seats: readonly string[] = net.game.players): Uint8Array {
  const metadata = {
    [META.game]: net.game.type.id,
    [META.schema]: schemaHash(net.game),
    [META.seats]: JSON.stringify(seats),
    [META.trained]: JSON.stringify(trained),
    [META.golden]: packGolden(golden),
  };
  const model = create(ModelProtoSchema, {
    irVersion: IR_VERSION,
    opsetImport: [{ domain: "", version: OPSET }],
    producerName: "kessel",
    graph: graphOf(net),
    metadataProps: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  });
  return toBinary(ModelProtoSchema, model);
}

/** Golden pairs: `n` of the samples, evenly spread, with what the net gives for them. */
export function goldenFrom(net: Net, samples: Samples, n: number): Golden {
  const size = Math.min(n, samples.size);
  const batch = new Minibatch(net.game, size);
  batch.load(samples, Int32Array.from({ length: size }, (_, i) => Math.floor((i * samples.size) / size)), 0, size);
  return { size, observation: batch.observation, mask: batch.mask, ...evaluate(net, batch.observation, batch.mask, size) };
}
