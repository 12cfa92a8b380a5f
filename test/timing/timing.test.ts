import { expect, test } from "vitest";
import { Starts } from "../conformance/starts.js";
import { toyAmbush } from "../planted/plant.js";
import { delayed } from "./delayed.js";
import { MOST_DEVIATIONS, rankZ, timeTwins } from "./timing.js";

const game = toyAmbush();
const starts = new Starts(game, "timing", 12);
const deviations = async (microseconds: number): Promise<Map<string, number>> => {
  const found = await timeTwins(delayed(game, microseconds), starts, { replies: 6000, seed: "timing" });
  return new Map(found.map((t) => [t.op, t.deviations]));
};

test("a reply that takes some microseconds longer in half of the worlds is found, and only that", async () => {
  const found = await deviations(10);
  for (const op of ["observe", "position"]) expect(found.get(op), op).toBeGreaterThan(MOST_DEVIATIONS);
  for (const op of ["legal", "resample", "refused"]) expect(found.get(op), op).toBeLessThan(MOST_DEVIATIONS);
});

test("replies of the server as it is take the same time in worlds that look the same", async () => {
  for (const [op, z] of await deviations(0)) expect(z, op).toBeLessThan(MOST_DEVIATIONS);
});

test("times are compared by their ranks, so that a pause of the machine counts as one", () => {
  const times = (n: number, from: number): Float64Array => Float64Array.from({ length: n }, (_, k) => from + k);
  expect(rankZ(times(20, 0), times(20, 0))).toBe(0);
  expect(rankZ(times(20, 100), times(20, 0))).toBeGreaterThan(5);
  expect(rankZ(times(20, 0), times(20, 100))).toBeLessThan(-5);
  const paused = times(20, 0);
  paused[3] = 1e9;
  expect(Math.abs(rankZ(paused, times(20, 0)))).toBeLessThan(1);
});
