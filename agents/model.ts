import { deflateSync, inflateSync } from "node:zlib";
import { fromBinary } from "@bufbuild/protobuf";
import {
  type GraphProto,
  type ModelProto,
  type NodeProto,
  ModelProtoSchema,
  TensorProto_DataLocation,
  TensorProto_DataType,
  type ValueInfoProto,
} from "onnx-buf";
import { z } from "zod";
import {
  type Game,
  type Json,
  KesselError,
  type Observation,
  oneOf,
  schemaHash,
  shapesOf,
  shown,
  TENSORS,
  type TensorName,
  tensorSizes,
} from "../env/index.js";

/** Keys of `metadata_props` that make an ONNX file a Kessel model. */
export const META = {
  /** Game id. Required. */
  game: "kessel.game",
  /** Schema hash of the tensors and actions it was trained on. Required. */
  schema: "kessel.schema",
  /** JSON list of the sides it may play. Required. */
  seats: "kessel.seats",
  /** JSON object: how it was trained and what it achieved. */
  trained: "kessel.trained",
  /** Recorded inputs with the outputs they must give, see `packGolden`. */
  golden: "kessel.golden",
  /** What an agent of the file plays with where its name says nothing else, 0 to 100, see `OnnxAgent`. Absent: 0. */
  temperature: "kessel.temperature",
} as const;

/** Inputs of a model: the four tensors of an observation, and the mask. */
export const INPUTS = [...TENSORS, "mask"] as const;
/** Outputs of a model: logits `[B, A]`, and the actor's expected return `[B, 1]`. */
export const OUTPUTS = ["policy", "value"] as const;

export interface Signature {
  readonly name: string;
  /** Element type as ONNX names it, in small letters: `float`, `uint8`, `bool`. */
  readonly type: string;
  /** A number where the size is fixed, a name or `?` where it isn't. */
  readonly shape: readonly (number | string)[];
}

/** Observations with the policy and value the trained net gave for them, in whole arrays of `size` rows. */
export interface Golden {
  readonly size: number;
  readonly observation: Observation;
  /** uint8 [size, A] */
  readonly mask: Uint8Array;
  /** float32 [size, A]; only the legal entries count. */
  readonly policy: Float32Array;
  /** float32 [size, 1] */
  readonly value: Float32Array;
}

/** Description of an ONNX file, read without running it. */
export interface ModelInfo {
  readonly bytes: number;
  readonly opset: number;
  readonly nodes: number;
  /** True when it has an operator `Loop`, which may go on for ever. A run of the library can't be stopped. */
  readonly loops: boolean;
  /** Operators that draw random numbers when the model runs, as messages name them. */
  readonly random: readonly string[];
  /** Tensors whose numbers are in another file. */
  readonly external: readonly string[];
  /** Numbers in the initializers. */
  readonly parameters: number;
  readonly inputs: readonly Signature[];
  readonly outputs: readonly Signature[];
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Reads an ONNX file's description.
 *
 * @param name how messages call the file
 * @throws KesselError `bad-model` when the bytes aren't an ONNX model
 */
export function readModel(bytes: Uint8Array, name: string): ModelInfo {
  let model: ModelProto;
  try {
    model = fromBinary(ModelProtoSchema, bytes);
  } catch (e) {
    throw new KesselError("bad-model", `${name} is not an ONNX file: ${(e as Error).message}`);
  }
  const { graph } = model;
  const opset = model.opsetImport.find((o) => o.domain === "" || o.domain === "ai.onnx");
  if (graph === undefined || opset === undefined || graph.output.length === 0)
    throw new KesselError("bad-model", `${name} is not an ONNX file: it holds no graph`);
  const constants = new Set(graph.initializer.map((t) => t.name));
  return {
    bytes: bytes.length,
    opset: Number(opset.version),
    nodes: graph.node.length,
    loops: allNodes(model).some((n) => n.opType === "Loop"),
    random: randomNodes(model),
    external: externalTensors(model),
    parameters: graph.initializer.reduce((sum, t) => sum + t.dims.reduce((n, d) => n * Number(d), 1), 0),
    inputs: graph.input.filter((v) => !constants.has(v.name)).map(signature),
    outputs: graph.output.map(signature),
    metadata: Object.fromEntries(model.metadataProps.map((p) => [p.key, p.value])),
  };
}

/** All nodes of a model: of its graph, of its functions, and of the branches in both. */
function allNodes(model: ModelProto): NodeProto[] {
  const within = ({ node }: Pick<GraphProto, "node">): NodeProto[] =>
    node.flatMap((n) => [n, ...n.attribute.flatMap((a) => [a.g, ...a.graphs].flatMap((g) => (g ? within(g) : [])))]);
  return [model.graph!, ...model.functions].flatMap(within);
}

const DRAWS = ["RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli"];

/** Names of the nodes that draw, and of `Dropout` that a file keeps in training mode. */
function randomNodes(model: ModelProto): string[] {
  const nodes = allNodes(model);
  const isFalse = (name: string): boolean =>
    [
      model.graph!.initializer.find((t) => t.name === name),
      nodes.find((n) => n.opType === "Constant" && n.output.includes(name))?.attribute.find((a) => a.name === "value")
        ?.t,
    ].some(
      (t) =>
        t !== undefined &&
        [...t.rawData, ...t.int32Data].length > 0 &&
        !t.rawData.some(Boolean) &&
        !t.int32Data.some(Boolean),
    );
  const draws = ({ opType, input }: NodeProto): boolean =>
    DRAWS.includes(opType) || (opType === "Dropout" && (input[2] ?? "") !== "" && !isFalse(input[2]!));
  return nodes.filter(draws).map((n) => [n.opType, shown(n.name || n.output[0] || "")].join(" "));
}

function externalTensors(model: ModelProto): string[] {
  const graphs = [model.graph!, ...allNodes(model).flatMap((n) => n.attribute.flatMap((a) => [a.g, ...a.graphs]))];
  const inNodes = allNodes(model).flatMap((n) => n.attribute.flatMap((a) => [a.t, ...a.tensors]));
  const inGraphs = graphs.flatMap((g) => [
    ...(g?.initializer ?? []),
    ...(g?.sparseInitializer ?? []).flatMap((t) => [t.values, t.indices]),
  ]);
  return [...inGraphs, ...inNodes]
    .filter((t) => t?.dataLocation === TensorProto_DataLocation.EXTERNAL)
    .map((t) => t!.name);
}

function signature(v: ValueInfoProto): Signature {
  const tensor = v.type?.value.case === "tensorType" ? v.type.value.value : undefined;
  return {
    name: v.name,
    type: (TensorProto_DataType[tensor?.elemType ?? 0] ?? "undefined").toLowerCase(),
    shape: (tensor?.shape?.dim ?? []).map((d) =>
      d.value.case === "dimValue" ? Number(d.value.value) : d.value.case === "dimParam" ? d.value.value : "?",
    ),
  };
}

/** A temperature, 0 to `MOST_TEMPERATURE` with at most 6 decimals, or null for any other text. */
export function temperatureIn(text: string): number | null {
  const t = Number(text);
  return /^\d+(\.\d{1,6})?$/.test(text) && t <= MOST_TEMPERATURE ? t : null;
}

export const MOST_TEMPERATURE = 100;

/** What an agent of the file plays with. @throws KesselError `bad-model` for what is no temperature */
export function temperatureOf(info: ModelInfo, name: string): number {
  const text = info.metadata[META.temperature] ?? "0";
  const t = temperatureIn(text);
  if (t === null)
    throw new KesselError(
      "bad-model",
      `${name}: metadata ${META.temperature} is a number from 0 to ${MOST_TEMPERATURE}, not ${shown(text)}`,
    );
  return t;
}

const EVALUATE = "export it in evaluation mode, and without noise of its own";

/**
 * Checks that a file fits a game: id, schema, sides, inputs and outputs.
 *
 * @returns the players (by index) the model may play
 * @throws KesselError `bad-model` with what the file has and what the game needs
 */
export function checkModel(info: ModelInfo, game: Game, name: string): readonly number[] {
  const bad = (reason: string) => new KesselError("bad-model", `${name}: ${reason}`);
  const id = info.metadata[META.game];
  if (id === undefined) throw bad(`the file has no metadata ${META.game}, so it isn't a Kessel model`);
  if (id !== game.type.id) throw bad(`the model plays ${shown(id)}, this game is ${shown(game.type.id)}`);
  const schema = info.metadata[META.schema];
  if (schema !== schemaHash(game))
    throw bad(`the model was made for schema ${schema ?? "(none)"} of ${id}, this is schema ${schemaHash(game)}`);
  const A = game.actions.length;
  const shapes: Record<string, readonly number[]> = { ...shapesOf(game.observation), mask: [A] };
  if (info.loops) throw bad("the model has an operator Loop, which may never end; export it unrolled");
  if (info.random.length > 0)
    throw bad(`the model draws random numbers (${info.random[0]!}), so no game of it could be replayed; ${EVALUATE}`);
  if (info.external.length > 0)
    throw bad(
      `the numbers of ${shown(info.external[0]!)} are in another file; kessel.export.tag (Python) writes them into the model`,
    );
  if (info.inputs.length === 0) throw bad(`the model has no inputs; it may read ${oneOf(INPUTS)}`);
  for (const i of info.inputs) {
    const shape = shapes[i.name];
    if (shape === undefined) throw bad(`the model has an input ${shown(i.name)}; inputs are ${oneOf(INPUTS)}`);
    const types = i.name === "mask" ? ["uint8", "bool"] : ["float"];
    if (!types.includes(i.type)) throw bad(`input ${i.name} is of type ${i.type}; it has to be ${oneOf(types)}`);
    checkShape(i, shape, `input ${i.name}`, bad);
  }
  for (const [output, shape] of [
    ["policy", [A]],
    ["value", [1]],
  ] as const) {
    const found = info.outputs.find((o) => o.name === output);
    if (found === undefined)
      throw bad(`the model has no output ${output}; its outputs are ${oneOf(info.outputs.map((o) => o.name))}`);
    if (found.type !== "float") throw bad(`output ${output} is of type ${found.type}; it has to be float`);
    checkShape(found, shape, `output ${output}`, bad);
  }
  return seatsOf(info, game, bad);
}

function checkShape(
  found: Signature,
  wanted: readonly number[],
  what: string,
  bad: (reason: string) => KesselError,
): void {
  const [batch, ...rest] = found.shape;
  const text = (shape: readonly (number | string)[]) => `[${shape.join(", ")}]`;
  if (typeof batch === "number")
    throw bad(`${what} has shape ${text(found.shape)}; its first size, the batch, has to be dynamic`);
  const fits = rest.length === wanted.length && rest.every((n, i) => typeof n === "string" || n === wanted[i]);
  if (!fits) throw bad(`${what} has shape ${text(found.shape)}; this game needs ${text(["batch", ...wanted])}`);
}

function seatsOf(info: ModelInfo, game: Game, bad: (reason: string) => KesselError): readonly number[] {
  const seats = parseJson(info.metadata[META.seats]);
  if (!Array.isArray(seats) || seats.length === 0)
    throw bad(`metadata ${META.seats} is a JSON list of sides, not ${shown(info.metadata[META.seats] ?? null)}`);
  return seats.map((seat) => {
    const player = game.players.indexOf(seat as string);
    if (player < 0) throw bad(`metadata ${META.seats} names ${shown(seat)}; sides are ${oneOf(game.players)}`);
    return player;
  });
}

/** The file's training metadata; null when there are none that can be read. @throws KesselError `bad-model` */
export const trainedOf = (info: ModelInfo, name = "the file"): Json => {
  const text = info.metadata[META.trained];
  if (text !== undefined && depthOf(text) > MOST_DEPTH)
    throw new KesselError("bad-model", `${name}: metadata ${META.trained} is nested more than ${MOST_DEPTH} deep`);
  return parseJson(text);
};

/** Lists and objects of metadata inside each other; what is deeper can't be printed. */
const MOST_DEPTH = 64;

/** How deep a JSON text is nested; no less than that for a text that isn't JSON. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs))
    if (token === "[" || token === "{") most = Math.max(most, ++depth);
    else if (token === "]" || token === "}") depth--;
  return most;
}

function parseJson(text: string | undefined): Json {
  if (text === undefined || depthOf(text) > MOST_DEPTH) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null; // the caller's error says what was expected
  }
}

const goldenSchema = z.strictObject({
  size: z.number().int().min(1).max(1024),
  ...(Object.fromEntries([...INPUTS, ...OUTPUTS].map((n) => [n, z.string()])) as Record<
    (typeof INPUTS)[number] | (typeof OUTPUTS)[number],
    z.ZodString
  >),
});

/**
 * Golden pairs as metadata text: JSON of `size` and, by name, each array's little-endian bytes, deflated, in base64.
 */
export function packGolden(golden: Golden): string {
  const text = (a: Float32Array | Uint8Array) =>
    deflateSync(Buffer.from(a.buffer, a.byteOffset, a.byteLength)).toString("base64");
  const tensors = Object.fromEntries(TENSORS.map((t) => [t, text(golden.observation[t])]));
  return JSON.stringify({
    size: golden.size,
    ...tensors,
    mask: text(golden.mask),
    policy: text(golden.policy),
    value: text(golden.value),
  });
}

/**
 * The golden pairs of a file; null when it has none.
 *
 * @throws KesselError `bad-model` when they can't be read or are of other sizes
 */
export function goldenOf(info: ModelInfo, game: Game, name: string): Golden | null {
  const text = info.metadata[META.golden];
  if (text === undefined) return null;
  const bad = (reason: string) => new KesselError("bad-model", `${name}: metadata ${META.golden} ${reason}`);
  const parsed = goldenSchema.safeParse(parseJson(text));
  if (!parsed.success) throw bad("is not a list of golden pairs");
  const { data } = parsed;
  const A = game.actions.length;
  const bytes = (key: (typeof INPUTS)[number] | (typeof OUTPUTS)[number], length: number): ArrayBuffer => {
    let raw: Buffer;
    try {
      raw = inflateSync(Buffer.from(data[key], "base64"), { maxOutputLength: length });
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
        throw bad(`holds more than the ${length} bytes of ${key} that ${data.size} pairs have`);
      throw bad(`has no readable ${key}: ${(e as Error).message}`);
    }
    if (raw.length !== length) throw bad(`holds ${raw.length} bytes of ${key}; ${data.size} pairs have ${length}`);
    return new Uint8Array(raw).buffer;
  };
  const sizes = tensorSizes(game.observation);
  const floats = (key: TensorName | "policy" | "value", row: number) =>
    new Float32Array(bytes(key, data.size * row * 4));
  return {
    size: data.size,
    observation: {
      globals: floats("globals", sizes.globals),
      map: floats("map", sizes.map),
      units: floats("units", sizes.units),
      decision: floats("decision", sizes.decision),
    },
    mask: new Uint8Array(bytes("mask", data.size * A)),
    policy: floats("policy", A),
    value: floats("value", 1),
  };
}
