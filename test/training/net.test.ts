import { beforeAll, describe, expect, test } from "vitest";
import { Rng } from "../../env/index.js";
import { startBackend, tf } from "../../training/backend.js";
import { imitationLoss } from "../../training/imitate.js";
import { Learner } from "../../training/learner.js";
import { evaluate, Net } from "../../training/net.js";
import { Minibatch, type Samples } from "../../training/samples.js";
import { slope } from "./gradients.js";
import { randomSamples } from "./models.js";
import { raceGame } from "./race.js";

const game = raceGame();
const A = game.actions.length;
const ROWS = 32;
let samples: Samples;
let batch: Minibatch;
const rows = Int32Array.from({ length: ROWS }, (_, i) => 3 * i);

beforeAll(async () => {
  await startBackend();
  samples = await randomSamples(game, 10);
  batch = new Minibatch(game, ROWS);
  batch.load(samples, rows, 0, ROWS);
});

/** A net with heads as large as its other layers, so that every part of it has a gradient worth checking. */
function livelyNet(seed = "net"): Net {
  const net = new Net(game, { kind: "mlp", hidden: [24, 16] }, seed);
  for (const [name, view] of net.params.views) if (/^(policy|value)\/w/.test(name)) for (let i = 0; i < view.length; i++) view[i]! *= 30;
  net.upload();
  return net;
}

describe("gradients on this backend agree with differences of the loss", () => {
  const names = ["hidden0/w", "hidden0/b", "hidden1/w", "hidden1/b", "policy/w", "policy/b", "value/w", "value/b"];
  test.each(names)("%s", (name) => {
    const net = livelyNet();
    const loss = () => imitationLoss(net, batch, samples, rows, 0.5);
    const gradient = new Float32Array(net.params.all.length);
    new Learner(net, 1).gradientOf(loss, gradient);
    const view = net.params.views.get(name)!;
    const from = (view.byteOffset - net.params.all.byteOffset) / 4;
    const rng = new Rng(name);
    for (let k = 0; k < 3; k++) {
      const direction = new Float32Array(net.params.all.length);
      for (let i = 0; i < view.length; i++) direction[from + i] = Math.sign(gradient[from + i]!) * (0.5 + rng.float());
      const length = Math.sqrt(direction.reduce((sum, x) => sum + x * x, 0));
      for (let i = 0; i < direction.length; i++) direction[i]! /= length;
      const exact = gradient.reduce((sum, g, i) => sum + g * direction[i]!, 0);
      expect(Math.abs(exact)).toBeGreaterThan(1e-3);
      expect(Math.abs(slope(net, loss, direction, 2e-3) / exact - 1)).toBeLessThan(5e-3);
    }
    net.dispose();
  });
});

test("the matMul gradient in use is the true one, also for three dimensions", () => {
  const rng = new Rng("matmul");
  const fill = (n: number) => Float32Array.from({ length: n }, () => rng.float() - 0.5);
  const [a, b, dy] = [fill(2 * 3 * 4), fill(2 * 4 * 5), fill(2 * 3 * 5)];
  const [da, db] = tf.grads((x, y) => tf.sum(tf.mul(tf.matMul(x as tf.Tensor3D, y as tf.Tensor3D), tf.tensor3d(dy, [2, 3, 5]))))([tf.tensor3d(a, [2, 3, 4]), tf.tensor3d(b, [2, 4, 5])]);
  const gotA = da!.dataSync();
  const gotB = db!.dataSync();
  for (let n = 0; n < 2; n++) {
    for (let i = 0; i < 3; i++)
      for (let k = 0; k < 4; k++) {
        let sum = 0;
        for (let j = 0; j < 5; j++) sum += dy[n * 15 + i * 5 + j]! * b[n * 20 + k * 5 + j]!;
        expect(gotA[n * 12 + i * 4 + k]).toBeCloseTo(sum, 5);
      }
    for (let k = 0; k < 4; k++)
      for (let j = 0; j < 5; j++) {
        let sum = 0;
        for (let i = 0; i < 3; i++) sum += a[n * 12 + i * 4 + k]! * dy[n * 15 + i * 5 + j]!;
        expect(gotB[n * 20 + k * 5 + j]).toBeCloseTo(sum, 5);
      }
  }
});

test("weights follow from the seed", () => {
  expect([...livelyNet("a").params.all]).toEqual([...livelyNet("a").params.all]);
  expect([...livelyNet("a").params.all]).not.toEqual([...livelyNet("b").params.all]);
});

test("illegal actions have probability 0, and what they would have been doesn't matter", () => {
  const { policy } = evaluate(livelyNet(), batch.observation, batch.mask, ROWS);
  for (let i = 0; i < ROWS * A; i++) {
    if (batch.mask[i] === 0) expect(Math.exp(policy[i]!)).toBe(0);
    else expect(Math.abs(policy[i]!)).toBeLessThan(1e3);
  }
});
