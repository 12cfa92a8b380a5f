import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Game } from "../../../env/index.js";
import type { TrainedExploiter } from "../../../training/models/exploiter.js";
import { selfPlaySamples } from "../../../training/models/golden-pairs.js";
import { metadataOf, type TrainingMetadata } from "../../../training/models/metadata.js";
import { publish } from "../../../training/models/publish.js";
import { Net } from "../../../training/nets/net.js";

/** A new folder, as what gives the path of a file in it. */
export const folder = (name: string): ((file: string) => string) => {
  const path = mkdtempSync(join(tmpdir(), `kessel-publish-${name}-`));
  return (file) => join(path, file);
};
/** A small net that nobody trained. */
export const netOf = (game: Game, seed: string): Net => new Net(game, { kind: "mlp", hidden: [8] }, seed);
/** How a run says that it went. */
export const from = {
  how: "Not trained.",
  command: "npx kessel train ppo",
  seed: "1",
  facts: { updates: 0 },
  config: { method: "ppo" },
};
/** Publishes a net. */
export const put = async (net: Net, file: string, games = 40, exploiter?: TrainedExploiter) =>
  publish(net, await selfPlaySamples(net, 4, "s"), file, from, { against: ["random"], games, seed: "p" }, exploiter);
/** What a published file says about its making. */
export const read = (file: string): TrainingMetadata => metadataOf(new Uint8Array(readFileSync(file)), file)!.trained;
/** Its card. */
export const text = (file: string): string => readFileSync(file.replace(/\.onnx$/, ".md"), "utf8");
