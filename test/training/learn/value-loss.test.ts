import { expect, test } from "vitest";
import { imitation } from "../../../training/learn/imitate.js";
import { feedOf } from "../../../training/learn/learner.js";
import { Minibatch } from "../../../training/learn/rollout-buffer.js";
import { startBackend } from "../../../training/nets/backend.js";
import { Net } from "../../../training/nets/net.js";
import { raceGame } from "../arena/race.js";
import { randomSamples } from "../models.js";

const game = raceGame();
const samples = await randomSamples(game, 2);

/** A net that gives the atoms -1, -0.5, 0, 0.5 and 1 these probabilities in every position. */
function netOf(p: readonly number[]): Net {
  const net = new Net(game, { kind: "mlp", hidden: [8], atoms: p.length }, "net");
  net.params.views.get("value5/w")!.fill(0);
  net.params.views.get("value5/b")!.set(p.map(Math.log));
  net.upload();
  return net;
}

/** Loss of the value and its squared error for a target. */
async function lossOf(net: Net, target: number): Promise<{ loss: number; error: number }> {
  const batch = new Minibatch(game, 1);
  batch.load(samples, [0], 0, 1);
  batch.columns.target[0] = target;
  const losses = await net.program.gradient(
    imitation(game, 1),
    feedOf(batch, 1),
    new Float32Array(net.params.all.length),
  );
  return { loss: losses["total"]! - losses["policy"]!, error: losses["value"]! };
}

const P = [0.1, 0.2, 0.3, 0.35, 0.05];

test.each(["onnx", "wasm"] as const)("on %s a value in atoms is their mean", async (backend) => {
  await startBackend(backend);
  const batch = new Minibatch(game, 1);
  batch.load(samples, [0], 0, 1);
  const { value } = await netOf(P).evaluate(batch.observation, batch.mask, 1);
  expect(value[0]).toBeCloseTo(-0.1 - 0.1 + 0.175 + 0.05, 6);
});

test.each([
  [-1, [[1, 0]]],
  [1, [[1, 4]]],
  [0.5, [[1, 3]]],
  [0.25, [[0.5, 2], [0.5, 3]]], // prettier-ignore
  [-0.9, [[0.8, 0], [0.2, 1]]], // prettier-ignore
  [1.3, [[1, 4]]], // what advantages add up to can lie outside
  [-1.2, [[1, 0]]],
] as const)("a target of %d is shared by the atoms beside it", async (target, shares) => {
  await startBackend("onnx");
  const { loss, error } = await lossOf(netOf(P), target);
  const expected = shares.reduce((sum, [share, atom]) => sum - share * Math.log(P[atom]!), 0);
  expect(loss).toBeCloseTo(expected, 5);
  expect(error).toBeCloseTo((0.025 - target) ** 2, 5);
});
