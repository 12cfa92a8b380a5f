import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  AttributeProto_AttributeType,
  type GraphProto,
  ModelProtoSchema,
  type NodeProto,
  TensorProto_DataType,
  ValueInfoProtoSchema,
} from "onnx-buf";
import { type Game, joinedWidth, TENSORS } from "../env/index.js";
import { INPUTS, OUTPUTS } from "./model.js";

/** Input of a model that reads a whole row of an observation at once: float32 [n, G + N*Fm + U*Fu + D]. */
export const JOINED = "kessel.joined";

/** A model's file as it is run. */
export interface Lean {
  readonly bytes: Uint8Array;
  /** Its one input of observations is `JOINED`, instead of the four tensors. */
  readonly joined: boolean;
}

/**
 * Takes from a model what its agent does itself or need not do, which for few rows costs as much as the net: the mask
 * over its policy (agents look at legal actions only), and the joining of the four tensors to one row. What it computes
 * of a legal action stays the same, bit for bit, where the logits have the shape of the policy: `OnnxModel.load` counts
 * them, compares golden pairs, and runs the file itself where they differ.
 */
export function leanModel(bytes: Uint8Array, game: Game): Lean {
  const model = fromBinary(ModelProtoSchema, bytes);
  const { graph } = model;
  if (graph === undefined || graph.node.some(hasBranches)) return { bytes, joined: false };
  // an input with a value of its own is a constant here, and a name that is taken can't be given to an input
  if (INPUTS.some((name) => isInitializer(graph, name)) || isTaken(graph, JOINED)) return { bytes, joined: false };
  graph.output = graph.output.filter((o) => OUTPUTS.some((name) => name === o.name)); // nobody reads the others
  dropUnused(graph);
  const unmasked = dropMask(graph);
  const joined = joinTensors(graph, game);
  if (!unmasked && !joined) return { bytes, joined };
  dropUnused(graph);
  model.metadataProps.length = 0;
  return { bytes: toBinary(ModelProtoSchema, model), joined };
}

/** Names inside branches are not looked at here. */
const hasBranches = ({ attribute }: NodeProto): boolean =>
  attribute.some((a) => a.g !== undefined || a.graphs.length > 0);
const isInitializer = (graph: GraphProto, name: string): boolean => graph.initializer.some((t) => t.name === name);
const isTaken = (graph: GraphProto, name: string): boolean =>
  isInitializer(graph, name) ||
  graph.input.some((i) => i.name === name) ||
  graph.node.some((n) => n.output.includes(name));
const makerOf = (graph: GraphProto, name: string): NodeProto | undefined =>
  graph.node.find((n) => n.output.includes(name));
const usersOf = (graph: GraphProto, name: string): NodeProto[] => graph.node.filter((n) => n.input.includes(name));

/** The node that makes a value, `Identity` nodes aside; undefined when something else needs what it makes too. */
function onlyMakerOf(graph: GraphProto, name: string): NodeProto | undefined {
  const maker = makerOf(graph, name);
  if (maker?.opType !== "Identity") return maker;
  const [from = ""] = maker.input;
  const alone = usersOf(graph, from).length === 1 && !graph.output.some((o) => o.name === from);
  return alone ? onlyMakerOf(graph, from) : undefined;
}

/** `policy = Where(mask, logits, constant)` becomes `policy = logits`. */
function dropMask(graph: GraphProto): boolean {
  if (usersOf(graph, "policy").length > 0) return false;
  const last = onlyMakerOf(graph, "policy");
  if (last?.opType !== "Where") return false;
  const [condition = "", logits = "", other = ""] = last.input;
  const cast = makerOf(graph, condition);
  const ofMask = condition === "mask" || (cast?.opType === "Cast" && cast.input[0] === "mask");
  if (!ofMask || !isInitializer(graph, other)) return false;
  last.opType = "Identity";
  last.input = [logits];
  return true;
}

/** `Concat(globals, Flatten(map), Flatten(units), decision)` becomes an input of its own. */
function joinTensors(graph: GraphProto, game: Game): boolean {
  const join = graph.node.find((n) => n.opType === "Concat" && n.input.length === TENSORS.length);
  if (join === undefined || !isOverColumns(join)) return false;
  const flat = TENSORS.every((name, i) => {
    const from = join.input[i]!;
    if (from === name) return name === "globals" || name === "decision";
    const maker = makerOf(graph, from);
    return maker?.opType === "Flatten" && maker.input[0] === name && isOverColumns(maker);
  });
  const ends = join.input.filter((name) => !TENSORS.includes(name as (typeof TENSORS)[number]));
  const alone =
    TENSORS.every((name) => usersOf(graph, name).length === 1) && ends.every((e) => usersOf(graph, e).length === 1);
  if (!flat || !alone) return false;
  const shape = [
    { case: "dimParam" as const, value: "batch" },
    { case: "dimValue" as const, value: BigInt(joinedWidth(game)) },
  ];
  const tensorType = { elemType: TensorProto_DataType.FLOAT, shape: { dim: shape.map((value) => ({ value })) } };
  graph.input.push(
    create(ValueInfoProtoSchema, { name: JOINED, type: { value: { case: "tensorType", value: tensorType } } }),
  );
  join.opType = "Identity";
  join.input = [JOINED];
  join.attribute = [];
  return true;
}

/** True when a node has the one attribute `axis = 1` (of `Flatten` also none). */
const isOverColumns = ({ opType, attribute }: NodeProto): boolean =>
  attribute.length === 0
    ? opType === "Flatten"
    : attribute.length === 1 &&
      attribute[0]!.name === "axis" &&
      attribute[0]!.type === AttributeProto_AttributeType.INT &&
      attribute[0]!.i === 1n;

/** Removes nodes that nothing needs, and then inputs and constants. */
function dropUnused(graph: GraphProto): void {
  const needed = new Set(graph.output.map((o) => o.name));
  const kept: NodeProto[] = [];
  for (const n of graph.node.toReversed()) {
    if (!n.output.some((o) => needed.has(o))) continue;
    kept.unshift(n);
    for (const name of n.input) needed.add(name);
  }
  graph.node = kept;
  graph.input = graph.input.filter((i) => needed.has(i.name));
  graph.initializer = graph.initializer.filter((t) => needed.has(t.name));
}
