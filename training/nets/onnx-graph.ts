import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType,
  type AttributeProtoSchema,
  ModelProtoSchema,
  type NodeProtoSchema,
  TensorProto_DataType,
  type TensorProtoSchema,
  type ValueInfoProtoSchema,
} from "onnx-buf";
import { type Game, shapesOf, TENSORS } from "../../env/index.js";

/** Read by onnxruntime since 1.11. */
const OPSET = 17n;
const IR_VERSION = 8n;
const { FLOAT, INT64, UINT8 } = TensorProto_DataType;

type Attribute = MessageInitShape<typeof AttributeProtoSchema>;
type ValueInfo = MessageInitShape<typeof ValueInfoProtoSchema>;

export const integerAttribute = (name: string, i: number): Attribute => ({
  name,
  type: AttributeProto_AttributeType.INT,
  i: BigInt(i),
});

export const integersAttribute = (name: string, ints: readonly number[]): Attribute => ({
  name,
  type: AttributeProto_AttributeType.INTS,
  ints: ints.map(BigInt),
});

/** Type and shape of an input or output; "batch" stands for the number of rows. */
function valueInfo(name: string, elemType: TensorProto_DataType, shape: readonly (number | "batch")[]): ValueInfo {
  const dim = shape.map((n) => ({
    value: n === "batch" ? { case: "dimParam" as const, value: n } : { case: "dimValue" as const, value: BigInt(n) },
  }));
  return { name, type: { value: { case: "tensorType", value: { elemType, shape: { dim } } } } };
}

/** Builds an ONNX graph. A value is denoted by its name. */
export class OnnxGraph {
  private readonly nodes: MessageInitShape<typeof NodeProtoSchema>[] = [];
  private readonly initializers: MessageInitShape<typeof TensorProtoSchema>[] = [];
  private readonly inputs: ValueInfo[] = [];
  private readonly outputs: ValueInfo[] = [];

  /** Adds a node. @returns the name of its first output */
  node(
    opType: string,
    input: readonly string[],
    attribute: readonly Attribute[] = [],
    output: string | number = 1,
  ): string {
    const at = this.nodes.length;
    const outputs =
      typeof output === "string"
        ? [output]
        : Array.from({ length: output }, (_, i) => (i === 0 ? `x${at}` : `x${at}.${i}`));
    this.nodes.push({ opType, name: `n${at}`, input: [...input], output: outputs, attribute: [...attribute] });
    return outputs[0]!;
  }

  /** A constant, or weights. */
  floats(name: string, shape: readonly number[], data: Float32Array): string {
    const rawData = new Uint8Array(data.byteLength);
    const view = new DataView(rawData.buffer);
    for (let i = 0; i < data.length; i++) view.setFloat32(4 * i, data[i]!, true);
    this.initializers.push({ name, dims: shape.map(BigInt), dataType: FLOAT, rawData });
    return name;
  }

  /** An unused name for a constant. */
  fresh(): string {
    return `c${this.initializers.length}`;
  }

  /** A scalar constant. */
  constant(x: number): string {
    return this.floats(this.fresh(), [], Float32Array.of(x));
  }

  /** A constant vector of int64, for shapes and splits. */
  integers(data: readonly number[] | Int32Array): string {
    const name = this.fresh();
    this.initializers.push({ name, dims: [BigInt(data.length)], dataType: INT64, int64Data: Array.from(data, BigInt) });
    return name;
  }

  input(name: string, shape: readonly (number | "batch")[], type: "float32" | "uint8" = "float32"): string {
    this.inputs.push(valueInfo(name, type === "uint8" ? UINT8 : FLOAT, shape));
    return name;
  }

  output(name: string, shape: readonly (number | "batch")[], value: string): void {
    this.node("Identity", [value], [], name);
    this.outputs.push(valueInfo(name, FLOAT, shape));
  }

  /** The inputs of every Kessel model: observation tensors and mask. */
  decisionInputs(game: Game): void {
    const shapes = shapesOf(game.observation);
    for (const t of TENSORS) this.input(t, ["batch", ...shapes[t]]);
    this.input("mask", ["batch", game.actions.length], "uint8");
  }

  /** `[B, A]`: true for legal actions. */
  legal(): string {
    return this.node("Cast", ["mask"], [integerAttribute("to", TensorProto_DataType.BOOL)]);
  }

  /** The serialised model. */
  bytes(name: string, metadata: Readonly<Record<string, string>> = {}): Uint8Array {
    const model = create(ModelProtoSchema, {
      irVersion: IR_VERSION,
      opsetImport: [{ domain: "", version: OPSET }],
      producerName: "kessel",
      graph: { name, input: this.inputs, output: this.outputs, node: this.nodes, initializer: this.initializers },
      metadataProps: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    });
    return toBinary(ModelProtoSchema, model);
  }
}
