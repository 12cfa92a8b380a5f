import type { Golden } from "../../agents/model.js";
import type { JsonObject } from "../../env/index.js";
import { NetAgent } from "../learn/league.js";
import { playGames } from "../learn/play.js";
import { Minibatch, RolloutBuffer } from "../learn/rollout-buffer.js";
import { exportOnnx } from "../nets/export.js";
import type { Net } from "../nets/net.js";

/** Golden pairs: `n` of the samples, evenly spread, with what the net gives for them. */
export async function goldenFrom(net: Net, samples: RolloutBuffer, n: number): Promise<Golden> {
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

/** A few games of a net against itself, as recorded decisions. */
export async function selfPlaySamples(net: Net, games: number, seed: string): Promise<RolloutBuffer> {
  const samples = new RolloutBuffer(net.game);
  const agent = new NetAgent("net", net, seed);
  await playGames(net.game, {
    count: games,
    width: games,
    seed: (n) => `${seed}/${n}`,
    seats: () => net.game.players.map(() => agent),
    onDecision: (_n, _agent, _row, state, actor, action) => void samples.add(state, actor, action),
    onEnd: () => undefined,
  });
  return samples;
}

/** A net as a model file, with golden pairs from its own play. */
export async function exportNet(net: Net, trained: JsonObject): Promise<Uint8Array> {
  return exportOnnx(net, trained, await goldenFrom(net, await selfPlaySamples(net, 4, "golden"), 8));
}
