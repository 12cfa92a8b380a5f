import { describe, expect, test } from "vitest";
import { startBackend } from "../../../training/nets/backend.js";
import { Learner } from "../../../training/learn/learner.js";
import type { Objective, Program } from "../../../training/nets/engine.js";
import { Net } from "../../../training/nets/net.js";
import { netSchema } from "../../../training/nets/architecture.js";
import { raceGame } from "../arena/race.js";

const OBJECTIVE = {} as Objective;
const FEED = { rows: 1 } as Parameters<Program["gradient"]>[1];

/** A learner whose library computes 0.1 for each weight, but what isn't a number the first `failures` times. */
async function learnerOf(failures: number) {
  await startBackend();
  const net = new Net(raceGame(), netSchema.parse({ kind: "mlp", hidden: [4] }), 1);
  let calls = 0;
  net.program.gradient = (_objective, _feed, out) => {
    out.fill(++calls <= failures ? NaN : 0.1);
    return Promise.resolve({ total: calls });
  };
  return { learner: new Learner(net, 1), weights: net.params.all };
}

describe("a gradient that is not finite", () => {
  test("is computed again, and the step is as if nothing had been", async () => {
    const [good, bad] = [await learnerOf(0), await learnerOf(1)];
    const before = good.weights.slice();
    await good.learner.step(OBJECTIVE, FEED, 0.01);
    const { total, norm } = await bad.learner.step(OBJECTIVE, FEED, 0.01);
    expect(bad.weights).toEqual(good.weights);
    expect(good.weights).not.toEqual(before);
    expect(total).toBe(2);
    expect(norm).toBeCloseTo(0.1 * Math.sqrt(before.length), 5);
  });

  test("ends the run the second time, with weights and optimiser as before", async () => {
    const { learner, weights } = await learnerOf(2);
    const before = weights.slice();
    await expect(learner.step(OBJECTIVE, FEED, 0.01)).rejects.toThrow("--resume goes on after the last checkpoint");
    expect(weights).toEqual(before);
    expect([learner.adam.steps, ...learner.adam.m]).toEqual([0, ...before.map(() => 0)]);
  });
});
