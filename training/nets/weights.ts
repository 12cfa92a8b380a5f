import { fromBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema } from "onnx-buf";
import { checkModel, readModel } from "../../agents/model.js";
import { AUXILIARY_LAYER } from "./auxiliary.js";
import { KesselError } from "../../env/index.js";
import type { Net } from "./net.js";

/**
 * Loads the weights of a model that Kessel exported from a net of the same kind and widths.
 *
 * @throws KesselError `bad-model` for another game, schema or net
 */
export function loadWeights(net: Net, bytes: Uint8Array, name: string): void {
  checkModel(readModel(bytes, name), net.game, name);
  const tensors = new Map(fromBinary(ModelProtoSchema, bytes).graph!.initializer.map((t) => [t.name, t]));
  for (const { name: key, shape } of net.params.specs) {
    if (key.startsWith(AUXILIARY_LAYER)) continue; // exported models have none
    const found = tensors.get(key);
    const has = found === undefined ? "no such array" : `[${found.dims.join(", ")}]`;
    const wanted = `[${shape.join(", ")}]`;
    if (found === undefined || has !== wanted || found.rawData.length !== net.params.views.get(key)!.byteLength)
      throw new KesselError(
        "bad-model",
        `${name}: weights ${key} are ${has}, this net needs ${wanted}; start from a model with the same net`,
      );
    const view = new DataView(found.rawData.buffer, found.rawData.byteOffset, found.rawData.byteLength);
    const target = net.params.views.get(key)!;
    for (let i = 0; i < target.length; i++) target[i] = view.getFloat32(4 * i, true);
  }
  net.upload();
}
