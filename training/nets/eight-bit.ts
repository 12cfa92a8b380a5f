import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type GraphProto,
  type ModelProto,
  ModelProtoSchema,
  type NodeProto,
  NodeProtoSchema,
  TensorProto_DataType,
  type TensorProto,
  TensorProtoSchema,
  ValueInfoProtoSchema,
} from "onnx-buf";
import { KesselError } from "../../env/index.js";
import { integerAttribute } from "./onnx-graph.js";

/** A layer with fewer weights is left as it is: turning its input to bytes would cost more than it saves. */
const LEAST_WEIGHTS = 8192;
/** Version of the operators that is needed. */
const LEAST_OPSET = 13n;
/** Inputs are bytes 0 .. 255. */
const STEPS = 255;
/**
 * Weights are whole numbers from -63 to 63: sums of two products with a byte then fit 16 bits, which processors without
 * VNNI need to compute the same.
 */
const LARGEST = 63;

/** Least and greatest value of a layer's input. */
export type Range = readonly [number, number];

interface Layer {
  readonly node: NodeProto;
  /** Name of the value that comes in. */
  readonly input: string;
  readonly weights: TensorProto;
  /** Its rows are outputs, not inputs. */
  readonly transposed: boolean;
}

function graphOf(bytes: Uint8Array): { model: ModelProto; graph: GraphProto } {
  const model = fromBinary(ModelProtoSchema, bytes);
  const opset = model.opsetImport.find((o) => o.domain === "" || o.domain === "ai.onnx")?.version ?? 0n;
  if (model.graph === undefined || opset < LEAST_OPSET)
    throw new KesselError("bad-model", `the model has operators of version ${opset}; it needs ${LEAST_OPSET} or later`);
  return { model, graph: model.graph };
}

/** The large layers, `Gemm` or `MatMul` with constant weights of float32. */
function layersOf(graph: GraphProto): Layer[] {
  return graph.node.flatMap((node) => {
    const [input = "", w = ""] = node.input;
    const weights = graph.initializer.find((t) => t.name === w);
    const large =
      weights?.dataType === TensorProto_DataType.FLOAT &&
      weights.dims.length === 2 &&
      weights.dims[0]! * weights.dims[1]! >= LEAST_WEIGHTS;
    if (!large) return [];
    if (node.opType === "MatMul") return [{ node, input, weights, transposed: false }];
    if (node.opType !== "Gemm") return [];
    const attribute = (name: string) => node.attribute.find((a) => a.name === name);
    const plain = (attribute("alpha")?.f ?? 1) === 1 && (attribute("beta")?.f ?? 1) === 1;
    if (!plain || (attribute("transA")?.i ?? 0n) !== 0n) return [];
    return [{ node, input, weights, transposed: attribute("transB")?.i === 1n }];
  });
}

/** Names of the values that go into the large layers of a model. */
export function wideInputs(bytes: Uint8Array): string[] {
  return [...new Set(layersOf(graphOf(bytes).graph).map((l) => l.input))];
}

/** The model with further outputs: values of its graph, float32, by name. */
export function withOutputs(bytes: Uint8Array, names: readonly string[]): Uint8Array {
  const { model, graph } = graphOf(bytes);
  const tensorType = { elemType: TensorProto_DataType.FLOAT };
  for (const name of names)
    if (!graph.output.some((o) => o.name === name) && !graph.input.some((i) => i.name === name))
      graph.output.push(
        create(ValueInfoProtoSchema, { name, type: { value: { case: "tensorType", value: tensorType } } }),
      );
  return toBinary(ModelProtoSchema, model);
}

/**
 * The model with its large layers in whole numbers of 8 bits: a fixed step for the input of each, so that no row of a
 * batch depends on the others, and one for each column of weights. Metadata stay.
 *
 * @param ranges of the values of `wideInputs`; what is outside is clipped
 */
export function eightBit(bytes: Uint8Array, ranges: ReadonlyMap<string, Range>): Uint8Array {
  const { model, graph } = graphOf(bytes);
  const layers = layersOf(graph);
  const bytesOf = new Map<string, string>();
  for (const layer of layers) {
    const [low, high] = ranges.get(layer.input)!;
    const least = Math.min(low, 0);
    const step = Math.fround(Math.max(Math.max(high, 0) - least, 1e-6) / STEPS); // 0 is among the steps
    const zero = Math.min(STEPS, Math.max(0, Math.round(-least / step)));
    replace(graph, layer, step, zero, bytesOf);
  }
  const used = new Set(graph.node.flatMap((n) => n.input));
  graph.initializer = graph.initializer.filter((t) => used.has(t.name));
  return toBinary(ModelProtoSchema, model);
}

/** Puts the whole-number form of a layer in its place. @param bytesOf by input, what holds it in bytes already */
function replace(graph: GraphProto, layer: Layer, step: number, zero: number, bytesOf: Map<string, string>): void {
  const { node, input } = layer;
  const [output = ""] = node.output;
  const { K, N, at } = reader(layer);
  const weights = new Int8Array(K * N);
  const scale = new Float32Array(N);
  for (let n = 0; n < N; n++) {
    let largest = 0;
    for (let k = 0; k < K; k++) largest = Math.max(largest, Math.abs(at(k, n)));
    const one = largest === 0 ? 1 : largest / LARGEST;
    for (let k = 0; k < K; k++) weights[k * N + n] = Math.round(at(k, n) / one);
    scale[n] = one * step;
  }
  const name = (part: string): string => `${output}/8bit/${part}`;
  const constant = (part: string, dims: readonly number[], dataType: TensorProto_DataType, raw: Uint8Array): string => {
    const tensor = { name: name(part), dims: dims.map(BigInt), dataType, rawData: Uint8Array.from(raw) };
    graph.initializer.push(create(TensorProtoSchema, tensor));
    return name(part);
  };
  const added: NodeProto[] = [];
  const op = (
    opType: string,
    inputs: readonly string[],
    out: string,
    attribute: NodeProto["attribute"] = [],
  ): string => {
    added.push(create(NodeProtoSchema, { opType, name: out, input: [...inputs], output: [out], attribute }));
    return out;
  };
  const zeroPoint = constant("zero", [], TensorProto_DataType.UINT8, Uint8Array.of(zero));
  let whole = bytesOf.get(input);
  if (whole === undefined) {
    const stepName = constant("step", [], TensorProto_DataType.FLOAT, littleEndian(Float32Array.of(step)));
    bytesOf.set(input, (whole = op("QuantizeLinear", [input, stepName, zeroPoint], name("input"))));
  }
  const w = constant("weights", [K, N], TensorProto_DataType.INT8, new Uint8Array(weights.buffer));
  const sums = op("MatMulInteger", [whole, w, zeroPoint], name("sums"));
  const toFloat = create(NodeProtoSchema, {
    attribute: [integerAttribute("to", TensorProto_DataType.FLOAT)],
  }).attribute;
  const floats = op("Cast", [sums], name("floats"), toFloat);
  const [, , bias] = node.input;
  const product = bias === undefined || bias === "" ? output : name("product");
  op("Mul", [floats, constant("scale", [N], TensorProto_DataType.FLOAT, littleEndian(scale))], product);
  if (product !== output) op("Add", [product, bias!], output);
  graph.node.splice(graph.node.indexOf(node), 1, ...added);
}

/** Sizes of a layer's weights, and the weight from input `k` to output `n`. */
function reader({ weights, transposed }: Layer): { K: number; N: number; at: (k: number, n: number) => number } {
  const [rows, columns] = weights.dims.map(Number) as [number, number];
  const values = floatsOf(weights);
  return transposed
    ? { K: columns, N: rows, at: (k, n) => values[n * columns + k]! }
    : { K: rows, N: columns, at: (k, n) => values[k * columns + n]! };
}

function floatsOf({ floatData, rawData }: TensorProto): ArrayLike<number> {
  if (rawData.length === 0) return floatData;
  const view = new DataView(rawData.buffer, rawData.byteOffset, rawData.byteLength);
  return Float32Array.from({ length: rawData.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

function littleEndian(x: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(x.byteLength));
  for (let i = 0; i < x.length; i++) view.setFloat32(4 * i, x[i]!, true);
  return new Uint8Array(view.buffer);
}
