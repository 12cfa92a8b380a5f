import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType,
  type AttributeProtoSchema,
  GraphProtoSchema,
  type ModelProto,
  NodeProtoSchema,
  TensorProto_DataType,
  TensorProtoSchema,
  ValueInfoProtoSchema,
} from "onnx-buf";

const { FLOAT, INT64 } = TensorProto_DataType;
/** 100,000 to this power is more steps than anybody can wait for. */
const DEPTH = 4;
const STEPS = 100_000n;

type Attribute = MessageInitShape<typeof AttributeProtoSchema>;
const node = (opType: string, input: string[], output: string, attribute: Attribute[] = []) =>
  create(NodeProtoSchema, { opType, name: output, input, output: [output], attribute });

/** A float value [1], or without dimension. */
const info = (name: string, dims: number) =>
  create(ValueInfoProtoSchema, {
    name,
    type: {
      value: {
        case: "tensorType",
        value: {
          elemType: FLOAT,
          shape: { dim: Array.from({ length: dims }, () => ({ value: { case: "dimValue" as const, value: 1n } })) },
        },
      },
    },
  });

/** Adds up `endless/steps` for each of its rows, inside itself again; the operator Scan, unlike Loop, always ends. */
function scan(depth: number, from: string, to: string): ReturnType<typeof node> {
  const [sum, x, out] = [`sum${depth}`, `x${depth}`, `out${depth}`];
  const inside = depth === 1 ? node("Add", [sum, x], out) : scan(depth - 1, sum, out);
  const body = create(GraphProtoSchema, {
    name: `body${depth}`,
    input: [info(sum, 1), info(x, 0)],
    node: [inside],
    output: [info(out, 1)],
  });
  return node("Scan", [from, "endless/steps"], to, [
    { name: "body", type: AttributeProto_AttributeType.GRAPH, g: body },
    { name: "num_scan_inputs", type: AttributeProto_AttributeType.INT, i: 1n },
  ]);
}

/** Has a model work without end on `rows` rows or more, and as before on fewer. */
export function makeEndless({ graph }: ModelProto, rows: number): void {
  const numbers = (name: string, n: bigint) =>
    create(TensorProtoSchema, { name, dataType: INT64, dims: [1n], int64Data: [n] });
  graph!.initializer.push(
    numbers("endless/0", 0n),
    numbers("endless/1", 1n),
    numbers("endless/rows", BigInt(rows)),
    numbers("endless/most", STEPS),
    create(TensorProtoSchema, { name: "endless/begin", dataType: FLOAT, dims: [1n], floatData: [0] }),
  );
  const value = graph!.node.find((n) => n.output[0] === "value")!;
  value.output[0] = "endless/value";
  graph!.node.push(
    node("Shape", ["globals"], "endless/shape"),
    node("Gather", ["endless/shape", "endless/0"], "endless/batch"),
    node("Div", ["endless/batch", "endless/rows"], "endless/many"),
    node("Mul", ["endless/many", "endless/most"], "endless/more"),
    node("Add", ["endless/more", "endless/1"], "endless/length"),
    node("ConstantOfShape", ["endless/length"], "endless/steps"),
    scan(DEPTH, "endless/begin", "endless/sum"),
    node("Add", ["endless/value", "endless/sum"], "value"),
  );
}

/** A model that works without end on `rows` rows or more. */
export const endless =
  (rows: number) =>
  (model: ModelProto): void =>
    makeEndless(model, rows);
