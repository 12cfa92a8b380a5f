import { fromBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema } from "onnx-buf";
import { checkModel, readModel } from "../../agents/model.js";
import { KesselError, TENSORS, tensorSizes } from "../../env/index.js";
import { AUXILIARY_LAYER } from "./auxiliary.js";
import type { Net } from "./net.js";

/** Layers between units that have no places of their own, so that more of them can be put behind the others. */
const WIDENED = /^(hidden\d+|policy|value)\/|\/summary\//;

/**
 * Whether a net with weights of shape `wanted` can begin as one with `has`: layers may be wider, and an `mlp` may read
 * `levels` besides.
 */
function canGrow({ game, spec }: Net, key: string, has: readonly number[], wanted: readonly number[]): boolean {
  if (!WIDENED.test(key) || has.length !== wanted.length || has.some((n, d) => n > wanted[d]!)) return false;
  if (key !== "hidden0/w" || has[0] === wanted[0]) return true;
  const sizes = tensorSizes(game.observation);
  return spec.kind === "mlp" && has[0] === TENSORS.reduce((n, t) => n + sizes[t], 0);
}

/**
 * Loads the weights of a model that Kessel exported from a net of the same kind and widths. With `grow`, the net may have
 * wider layers and `levels` that the model had not: it then computes the same as the model, because what it has more counts
 * for nothing until it has learnt (compare Net2Net, Chen et al. 2016).
 *
 * @throws KesselError `bad-model` for another game, schema or net
 */
export function loadWeights(net: Net, bytes: Uint8Array, name: string, { grow = false } = {}): void {
  checkModel(readModel(bytes, name), net.game, name);
  const tensors = new Map(fromBinary(ModelProtoSchema, bytes).graph!.initializer.map((t) => [t.name, t]));
  for (const { name: key, shape } of net.params.specs) {
    if (key.startsWith(AUXILIARY_LAYER)) continue; // exported models have none
    const found = tensors.get(key);
    const dims = found?.dims.map(Number) ?? [];
    const has = found === undefined ? "no such array" : `[${dims.join(", ")}]`;
    const wanted = `[${shape.join(", ")}]`;
    const fits = has === wanted || (grow && canGrow(net, key, dims, shape));
    if (found === undefined || !fits || found.rawData.length !== 4 * dims.reduce((a, b) => a * b, 1))
      throw new KesselError(
        "bad-model",
        `${name}: weights ${key} are ${has}, this net needs ${wanted}; start from a model with the same net${grow ? ", or with smaller hidden layers" : ""}`,
      );
    const view = new DataView(found.rawData.buffer, found.rawData.byteOffset, found.rawData.byteLength);
    const target = net.params.views.get(key)!;
    const [columns, width] = [dims.at(-1)!, shape.at(-1)!];
    for (let i = 0; i < target.length; i++) {
      const column = i % width;
      if (column >= columns) continue; // into a new unit: as it was drawn
      const at = 4 * (Math.floor(i / width) * columns + column);
      target[i] = at < view.byteLength ? view.getFloat32(at, true) : 0; // from a new unit into an old one: nothing
    }
  }
  net.upload();
}
