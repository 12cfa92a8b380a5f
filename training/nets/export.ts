import { type Golden, META, packGolden } from "../../agents/model.js";
import { type JsonObject, schemaHash } from "../../env/index.js";
import { AUXILIARY_LAYER } from "./auxiliary.js";
import type { Net } from "./net.js";
import { OnnxGraph } from "./onnx-graph.js";
import { OnnxTape } from "./onnx-autodiff.js";

/**
 * Exports a net as an ONNX model.
 *
 * @param trained metadata: how the net was trained and measured
 * @param golden recorded inputs with the outputs of this net, see `goldenFrom` (models/golden-pairs.ts)
 * @param seats players that the net can play; all by default
 */
export function exportOnnx(
  net: Net,
  trained: JsonObject,
  golden: Golden,
  seats: readonly string[] = net.game.players,
): Uint8Array {
  const { game } = net;
  const graph = new OnnxGraph();
  graph.decisionInputs(game);
  const tape = new OnnxTape(graph, game);
  for (const { name, shape } of net.params.specs) {
    if (name.startsWith(AUXILIARY_LAYER)) continue; // only training uses them
    graph.floats(name, shape, net.params.views.get(name)!);
    tape.param(name, shape);
  }
  const { logits, value } = net.build(tape);
  graph.output("policy", ["batch", game.actions.length], tape.masked(logits).name);
  graph.output("value", ["batch", 1], value.name);
  return graph.bytes(`${game.type.id} policy and value`, {
    [META.game]: game.type.id,
    [META.schema]: schemaHash(game),
    [META.seats]: JSON.stringify(seats),
    [META.trained]: JSON.stringify(trained),
    [META.golden]: packGolden(golden),
  });
}
