import { basename } from "node:path";
import { pickLegal } from "../../agents/random.js";
import { Env, type Game, type JsonObject, KesselError, Rng } from "../../env/index.js";
import { RolloutBuffer } from "../learn/rollout-buffer.js";
import { exportOnnx } from "../nets/export.js";
import { Net } from "../nets/net.js";
import { loadWeights } from "../nets/weights.js";
import { goldenFrom } from "./golden-pairs.js";
import { metadataOf, type TrainingMetadata, withMetadata } from "./metadata.js";
import { measureParity } from "./publish.js";

/** Decisions of random play in which the new file is compared with the net, and those among them that it stores. */
const COMPARED = 32;
const GOLDEN = 8;
/** Random play moves on by this many decisions between two of them, so that they are not all of one phase. */
const STRIDE = 7;

/**
 * A published model of a `pooled` net as a model of another fight of its game: the same weights with the tables and
 * static features of that fight. It has no results yet; `measureModel` adds them.
 *
 * @param file name of the model, for errors and the card
 * @param command what made the new file, for its card
 * @returns the bytes of the new model file
 * @throws KesselError `bad-model` for a file without training metadata, a net of another kind, and a fight
 *   whose features are not those that the net has learnt
 */
export async function transfer(bytes: Uint8Array, file: string, game: Game, command: string): Promise<Uint8Array> {
  const metadata = metadataOf(bytes, file);
  if (metadata === null)
    throw new KesselError("bad-model", `${file} has no training metadata: it was not written by kessel train`);
  const { trained } = metadata;
  if (trained.net.kind !== "pooled")
    throw new KesselError(
      "bad-model",
      `${file}: a net of kind ${trained.net.kind} plays only the fight that it was trained for; one of kind pooled plays others`,
    );
  const net = new Net(game, trained.net, "transfer");
  try {
    loadWeights(net, bytes, file);
    const samples = randomSamples(game, "transfer");
    const before = Object.entries(trained.options)
      .filter(([name, value]) => game.options[name] !== value)
      .map(([name, value]) => `${name}=${value}`)
      .join(", ");
    const draft: TrainingMetadata = {
      ...trained,
      method: `The net of ${basename(file)} (${before || "the same options"}), with the map and the units of this fight. That model: ${trained.method}`,
      command: `${trained.command}\n${command}`,
      version: game.type.version,
      options: { ...game.options },
      parity: { samples: 0, policy: 0, value: 0 },
      results: [],
      mirror: null,
      exploiter: null,
    };
    const made = exportOnnx(net, draft as unknown as JsonObject, await goldenFrom(net, samples, GOLDEN));
    const parity = await measureParity(net, made, samples);
    return withMetadata(made, { ...draft, parity }, metadata.temperature);
  } finally {
    net.dispose();
  }
}

/** Decisions of a game between random players. */
function randomSamples(game: Game, seed: string): RolloutBuffer {
  const samples = new RolloutBuffer(game);
  const env = new Env(game);
  const rng = new Rng(seed);
  for (let played = 0, g = 0; samples.size < COMPARED; played++) {
    if (played === 0 || env.terminated || env.truncated) env.reset(`${seed}/${g++}`);
    const action = pickLegal(env.mask, 0, env.mask.length, rng);
    if (played % STRIDE === 0) samples.add(env.state, env.actor, action);
    env.step(action);
  }
  return samples;
}
