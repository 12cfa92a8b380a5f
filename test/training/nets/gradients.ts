import type { Feed, Objective } from "../../../training/nets/engine.js";
import type { Net } from "../../../training/nets/net.js";

/** Slope of the objective along `direction` in the space of weights, by differences of the fourth order. */
export async function slope(
  net: Net,
  objective: Objective,
  feed: Feed,
  direction: Float32Array,
  h: number,
): Promise<number> {
  const start = net.params.all.slice();
  const nothing = new Float32Array(start.length);
  const at = async (t: number): Promise<number> => {
    for (let i = 0; i < start.length; i++) net.params.all[i] = start[i]! + t * direction[i]!;
    net.upload();
    return (await net.program.gradient(objective, feed, nothing))["total"]!;
  };
  const result = (8 * ((await at(h)) - (await at(-h))) - ((await at(2 * h)) - (await at(-2 * h)))) / (12 * h);
  net.params.all.set(start);
  net.upload();
  return result;
}

/** Makes the heads of a net as large as its other layers, so that every part of it has a gradient worth checking. */
export function enliven(net: Net): Net {
  for (const [name, view] of net.params.views)
    if (/^(policy|value\d*|map\/score|units\/score|attend.*\/heard)\/w/.test(name))
      for (let i = 0; i < view.length; i++) view[i]! *= 30;
  net.upload();
  return net;
}
