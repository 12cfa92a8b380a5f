import { type Golden, META, packGolden } from "../../agents/model.js";
import { type JsonObject, schemaHash } from "../../env/index.js";
import { AUXILIARY_LAYER } from "./architecture.js";
import type { Net } from "./net.js";
import { OnnxGraph } from "./onnx-graph.js";
import { OnnxTape } from "./onnx-autodiff.js";
import { Minibatch, type Samples } from "../learn/rollout-buffer.js";

/**
 * A net as an ONNX file.
 *
 * @param trained how it was trained and what it achieved, kept in the file
 * @param golden recorded inputs with the outputs of this net, see `goldenFrom`
 * @param seats players it may play; all by default
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
    if (name.startsWith(AUXILIARY_LAYER)) continue; // a playing agent has no business with them
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

/** Golden pairs: `n` of the samples, evenly spread, with what the net gives for them. */
export async function goldenFrom(net: Net, samples: Samples, n: number): Promise<Golden> {
  const size = Math.min(n, samples.size);
  const batch = new Minibatch(net.game, size);
  batch.load(
    samples,
    Int32Array.from({ length: size }, (_, i) => Math.floor((i * samples.size) / size)),
    0,
    size,
  );
  return {
    size,
    observation: batch.observation,
    mask: batch.mask,
    ...(await net.evaluate(batch.observation, batch.mask, size)),
  };
}
