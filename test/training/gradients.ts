import { tf } from "../../training/backend.js";
import type { Losses } from "../../training/learner.js";
import type { Net } from "../../training/net.js";

/** Slope of the loss along `direction` in the space of weights, by differences of the fourth order. */
export function slope(net: Net, loss: () => Losses, direction: Float32Array, h: number): number {
  const start = net.params.all.slice();
  const at = (t: number): number => {
    for (let i = 0; i < start.length; i++) net.params.all[i] = start[i]! + t * direction[i]!;
    net.upload();
    return tf.tidy(() => loss().total.dataSync<"float32">()[0]!);
  };
  const result = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  net.params.all.set(start);
  net.upload();
  return result;
}
