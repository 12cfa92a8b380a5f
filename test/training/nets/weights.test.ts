import { beforeAll, describe, expect, test } from "vitest";
import { newState, SeededDice, seedStream } from "../../../env/index.js";
import { Minibatch } from "../../../training/learn/rollout-buffer.js";
import { exportNet } from "../../../training/models/golden-pairs.js";
import type { NetSpec } from "../../../training/nets/architecture.js";
import { startBackend } from "../../../training/nets/backend.js";
import { Net } from "../../../training/nets/net.js";
import { loadWeights } from "../../../training/nets/weights.js";
import { raceGame } from "../arena/race.js";
import { enliven } from "./gradients.js";

beforeAll(() => startBackend("wasm").then(() => undefined));

describe("a run may begin with a larger net than its model", () => {
  const grow = { grow: true };
  const played = async (net: Net): Promise<number[]> => {
    const batch = new Minibatch(net.game, 1);
    const state = newState(net.game.stateSize);
    seedStream("grown", state);
    net.game.start(state, new SeededDice());
    batch.loadDecision(0, state, net.game.actor(state));
    const { policy, value } = await net.evaluate(batch.observation, batch.mask, 1);
    return [...policy, ...value].filter((x) => x > -1e8);
  };
  const race = raceGame();
  const small: NetSpec = { kind: "mlp", hidden: [8, 6] };
  const graph: NetSpec = { kind: "graph", embed: 3, hops: 1, hidden: [8, 6], auxiliary: [] };
  test.each<[string, NetSpec, NetSpec]>([
    ["wider layers", small, { kind: "mlp", hidden: [12, 9] }],
    ["levels", small, { kind: "mlp", hidden: [8, 6], levels: 3 }],
    ["both, and auxiliary heads", small, { kind: "mlp", hidden: [12, 9], levels: 3, auxiliary: ["finalMap"] }],
    ["wider layers of a graph net", graph, { ...graph, hidden: [11, 7] }],
  ])("%s: it computes the same at first", async (_what, from, to) => {
    const old = enliven(new Net(race, from, "old"));
    const grown = enliven(new Net(race, to, "new"));
    loadWeights(grown, await exportNet(old, {}), "old.onnx", grow);
    const [was, is] = [await played(old), await played(grown)];
    expect(Math.max(...was.map(Math.abs))).toBeGreaterThan(0.02);
    expect(is.length).toBe(was.length);
    is.forEach((x, i) => expect(x).toBeCloseTo(was[i]!, 5));
    // new units hear the input, or they could never learn
    const w = grown.params.views.get("hidden0/w")!;
    expect(w.filter((x) => x !== 0).length).toBeGreaterThan(old.params.views.get("hidden0/w")!.length / 2);
  });

  test.each<[string, NetSpec, NetSpec, string]>([
    ["smaller", small, { kind: "mlp", hidden: [7, 6] }, "this net needs [12, 7]"],
    ["other levels", { ...small, levels: 2 }, { ...small, levels: 3 }, "or with smaller hidden layers"],
    ["wider embeddings", graph, { ...graph, embed: 4 }, "map/embed/w"],
  ])("but not: %s", async (_what, from, to, says) => {
    const bytes = await exportNet(new Net(race, from, "old"), {});
    expect(() => loadWeights(new Net(race, to, "new"), bytes, "old.onnx", grow)).toThrow(says);
  });
});
