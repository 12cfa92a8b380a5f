import { fromBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema, type TensorProto } from "onnx-buf";
import { checkModel, META, readModel } from "../../agents/model.js";
import { architectureOf, HEARD, type NetSpec, specOfShapes } from "./architecture.js";
import { AUXILIARY_LAYER } from "./auxiliary.js";
import { KesselError } from "../../env/index.js";
import type { Net } from "./net.js";
import type { ParamSpec } from "./params.js";

/**
 * Loads the weights of a model that Kessel exported from a net of the same kind and widths.
 *
 * @throws KesselError `bad-model` for another game, schema or net
 */
export function loadWeights(net: Net, bytes: Uint8Array, name: string): void {
  load(net, net.spec, tensorsOf(net, bytes, name), (key, has, wanted) => {
    throw new KesselError(
      "bad-model",
      `${name}: weights ${key} are ${has}, this net needs ${wanted}; start from a model with the same net`,
    );
  });
}

/**
 * Begins with the weights of a model of the same kind of net, which may have narrower layers and fewer rounds of
 * attention: the net then computes what the model does. What it has more is drawn at random, and what was there reads
 * nothing of it yet (Net2Net; Chen et al. 2016). A value in other atoms, or in atoms where it was a number, is learnt
 * again.
 *
 * @throws KesselError `bad-model` for another game, schema or kind of net, and for one with wider layers
 */
export function growFrom(net: Net, bytes: Uint8Array, name: string): void {
  const tensors = tensorsOf(net, bytes, name);
  const shapes = new Map([...tensors].map(([key, t]) => [key, t.dims.map(Number)]));
  load(net, specOfShapes(net.spec, shapes), tensors, (key, has, wanted) => {
    throw new KesselError(
      "bad-model",
      `${name}: weights ${key} are ${has}, this net needs at most ${wanted}; start from a model of the same kind with the same or narrower layers`,
    );
  });
}

type Tensors = ReadonlyMap<string, TensorProto>;

/** A pooled net may have been of another fight of the game. */
function tensorsOf({ game, spec }: Net, bytes: Uint8Array, name: string): Tensors {
  const info = readModel(bytes, name);
  if (spec.kind !== "pooled" || info.metadata[META.game] !== game.type.id) checkModel(info, game, name);
  return new Map(fromBinary(ModelProtoSchema, bytes).graph!.initializer.map((t) => [t.name, t]));
}

/**
 * @param spec of the net that the tensors are of
 * @param refuse throws for a tensor that isn't there or has no place in the net
 */
function load(
  net: Net,
  spec: NetSpec,
  tensors: Tensors,
  refuse: (key: string, has: string, wanted: string) => never,
): void {
  const narrow = new Map(architectureOf(net.game, spec).params.map((p) => [p.name, p]));
  for (const wide of net.params.specs) {
    const key = wide.name;
    if (key.startsWith(AUXILIARY_LAYER)) continue; // exported models have none
    const layer = narrow.get(key);
    if (layer === undefined) {
      // a value of another kind, or a round of attention that the model has not: nothing that it hears counts yet
      if (key.endsWith(`/${HEARD}/w`)) net.params.views.get(key)!.fill(0);
      continue;
    }
    const { shape, pieces } = layer;
    const found = tensors.get(key);
    const has = found === undefined ? "no such array" : `[${found.dims.join(", ")}]`;
    const fits = has === `[${shape.join(", ")}]` && shape.every((d, i) => d <= wide.shape[i]!);
    if (found === undefined || !fits || found.rawData.length !== 4 * shape.reduce((n, d) => n * d, 1))
      return refuse(key, has, `[${wide.shape.join(", ")}]`);
    const view = new DataView(found.rawData.buffer, found.rawData.byteOffset, found.rawData.byteLength);
    place(view, pieces, shape.at(-1)!, net.params.views.get(key)!, wide);
  }
  net.upload();
}

/**
 * Writes an array of weights, float32, into that of a layer that is as wide or wider.
 *
 * @param pieces of the array's rows
 * @param columns of the array
 */
function place(
  from: DataView,
  pieces: readonly number[],
  columns: number,
  target: Float32Array,
  { shape, pieces: wider }: ParamSpec,
): void {
  const width = shape.at(-1)!;
  // what is new in the input starts without a say in what was there
  for (let at = 0; at < target.length; at += width) target.fill(0, at, at + columns);
  let read = 0;
  let first = 0;
  pieces.forEach((rows, k) => {
    for (let row = first; row < first + rows; row++)
      for (let j = 0; j < columns; j++) target[row * width + j] = from.getFloat32(4 * read++, true);
    first += wider[k]!;
  });
}
