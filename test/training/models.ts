import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type ModelProto, ModelProtoSchema, StringStringEntryProtoSchema } from "onnx-buf";
import { RandomAgent } from "../../agents/random.js";
import type { Game } from "../../env/index.js";
import type { NetSpec } from "../../training/nets/architecture.js";
import { exportOnnx } from "../../training/nets/export.js";
import { goldenFrom } from "../../training/models/golden-pairs.js";
import { Net } from "../../training/nets/net.js";
import { recordExpert } from "../../training/learn/record.js";
import type { RolloutBuffer } from "../../training/learn/rollout-buffer.js";

/** Decisions of random games. */
export function randomSamples(game: Game, games: number): Promise<RolloutBuffer> {
  const experts = game.players.map((p) => new RandomAgent(`samples/${p}`));
  return recordExpert(game, { experts, games, epsilon: 0, seed: "samples" });
}

/** An untrained net as ONNX; its weights are made larger than they start, so that outputs differ visibly. */
export async function smallModel(
  game: Game,
  seed = "model",
  spec: NetSpec = { kind: "mlp", hidden: [16] },
): Promise<{ net: Net; bytes: Uint8Array; samples: RolloutBuffer }> {
  const net = new Net(game, spec, seed);
  const head = net.params.views.get("policy/w")!;
  for (let i = 0; i < head.length; i++) head[i]! *= 200;
  net.upload();
  const samples = await randomSamples(game, 10);
  return { net, samples, bytes: exportOnnx(net, { seed }, await goldenFrom(net, samples, 4)) };
}

/** The file with something changed. */
export function edited(bytes: Uint8Array, change: (model: ModelProto) => void): Uint8Array {
  const model = fromBinary(ModelProtoSchema, bytes.slice()); // raw data are views of what was read
  change(model);
  return toBinary(ModelProtoSchema, model);
}

export function setMeta(model: ModelProto, key: string, value: string | null): void {
  const found = model.metadataProps.find((p) => p.key === key);
  if (found === undefined) {
    if (value !== null) model.metadataProps.push(create(StringStringEntryProtoSchema, { key, value }));
  } else if (value === null) model.metadataProps.splice(model.metadataProps.indexOf(found), 1);
  else found.value = value;
}
