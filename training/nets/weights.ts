import { fromBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema } from "onnx-buf";
import { checkModel, readModel } from "../../agents/model.js";
import { architectureOf, specOfShapes } from "./architecture.js";
import { AUXILIARY_LAYER } from "./auxiliary.js";
import { KesselError } from "../../env/index.js";
import type { Net } from "./net.js";
import type { ParamSpec } from "./params.js";

/**
 * Loads the weights of a model that Kessel exported from a net of the same kind. A net with wider layers computes what the
 * model does: what it has more is drawn at random, and what was there reads nothing of it yet (as Net2Net does; Chen et al. 2016).
 *
 * @throws KesselError `bad-model` for another game, schema or kind of net, and for a wider one
 */
export function loadWeights(net: Net, bytes: Uint8Array, name: string): void {
  checkModel(readModel(bytes, name), net.game, name);
  const tensors = new Map(fromBinary(ModelProtoSchema, bytes).graph!.initializer.map((t) => [t.name, t]));
  const shapes = new Map([...tensors].map(([key, t]) => [key, t.dims.map(Number)]));
  const own = architectureOf(net.game, specOfShapes(net.spec, shapes));
  const specs = new Map(own.params.map((spec) => [spec.name, spec]));
  for (const wide of net.params.specs) {
    const key = wide.name;
    if (key.startsWith(AUXILIARY_LAYER)) continue; // exported models have none
    const narrow = specs.get(key)!;
    const found = tensors.get(key);
    const has = found === undefined ? "no such array" : `[${found.dims.join(", ")}]`;
    const fits = has === `[${narrow.shape.join(", ")}]` && narrow.shape.every((d, i) => d <= wide.shape[i]!);
    if (found === undefined || !fits || found.rawData.length !== 4 * narrow.shape.reduce((n, d) => n * d, 1))
      throw new KesselError(
        "bad-model",
        `${name}: weights ${key} are ${has}, this net needs [${wide.shape.join(", ")}] or fewer; start from a model with the same net or a narrower one`,
      );
    const view = new DataView(found.rawData.buffer, found.rawData.byteOffset, found.rawData.byteLength);
    place(view, narrow, net.params.views.get(key)!, wide);
  }
  net.upload();
}

/** Writes an array of weights, float32, into that of a layer that is as wide or wider. */
function place(from: DataView, narrow: ParamSpec, target: Float32Array, wide: ParamSpec): void {
  const rows = narrow.shape.length === 1 ? [0] : placesOf(narrow, wide);
  const columns = narrow.shape.at(-1)!;
  const width = wide.shape.at(-1)!;
  // what is new in the input starts without a say in what was there
  for (let at = 0; at < target.length; at += width) target.fill(0, at, at + columns);
  rows.forEach((row, i) => {
    for (let j = 0; j < columns; j++) target[row * width + j] = from.getFloat32(4 * (i * columns + j), true);
  });
}

/** For each input of a layer the number that it has in a wider one. */
function placesOf(narrow: ParamSpec, wide: ParamSpec): number[] {
  const widths = narrow.pieces ?? [narrow.shape[0]!];
  const wider = wide.pieces ?? [wide.shape[0]!];
  let first = 0;
  return widths.flatMap((n, k) => {
    const piece = Array.from({ length: n }, (_, i) => first + i);
    first += wider[k]!;
    return piece;
  });
}
