import { beforeEach, expect, test } from "vitest";
import { type Pacer, Rests } from "../../server/rests.js";

/** Bytes that take 100 ms. */
const LARGE = 2_000_000;

let rests: Rests;
beforeEach(() => {
  rests = new Rests();
  rests.hear("quiet", 0);
  rests.hear("greedy", 0);
});

test("who held the thread for longer than 2 ms waits 100 times as long, after 50 ms of it, and at most 3 s", () => {
  rests.held("greedy", 2, 0);
  rests.held("greedy", 40, 0);
  expect(rests.left("greedy", 0)).toBeLessThanOrEqual(0);
  rests.held("greedy", 15, 0);
  expect(rests.left("greedy", 0)).toBe(500);
  expect(rests.left("quiet", 0)).toBe(0);
  rests.held("greedy", 1000, 0);
  expect(rests.left("greedy", 0)).toBe(3000);
});

test("what a pacer is told of costs what it would have on its way in", () => {
  const { rests: real, pacer } = pacing();
  expect(pacer.isAlone("greedy")).toBe(false);
  pacer.came("greedy", LARGE);
  const left = real.left("greedy", performance.now());
  expect(left).toBeGreaterThan(50);
  expect(left).toBeLessThanOrEqual(100);
});

/** Two that have just asked, by the clock that a pacer goes by. */
function pacing(): { rests: Rests; pacer: Pacer } {
  const own = new Rests();
  for (const client of ["quiet", "greedy"]) own.hear(client, performance.now());
  return { rests: own, pacer: own.pacer() };
}

test("what comes back is a hundredth of the time, and no more than 50 ms", () => {
  rests.held("greedy", 50, 0);
  rests.hear("quiet", 1000);
  rests.hear("greedy", 1000);
  rests.held("greedy", 20, 1000);
  expect(rests.left("greedy", 1000)).toBe(1000);
  rests.hear("quiet", 100_000);
  rests.held("greedy", 51, 100_000);
  expect(rests.left("greedy", 100_000)).toBe(100);
});

test.each([
  ["messages that come in", (bytes: number, now: number) => rests.came("greedy", bytes, now)],
  ["replies", (bytes: number, now: number) => rests.replied("greedy", bytes, now)],
])("large %s cost their bytes at 20 megabytes a second, small ones nothing", (_, pass) => {
  pass(4096, 0);
  expect(rests.left("greedy", 0)).toBe(0);
  pass(LARGE, 0);
  pass(LARGE, 50);
  expect(rests.left("greedy", 50)).toBe(150);
});

test("a reply that is being made is waited for as long as the latest, and what was too much counts for later ones", () => {
  rests.replied("greedy", LARGE, 0);
  rests.expect("greedy", 0);
  expect(rests.left("greedy", 0)).toBe(200);
  rests.replied("greedy", LARGE / 2, 0);
  expect(rests.left("greedy", 0)).toBe(200);
  rests.replied("greedy", LARGE, 0);
  expect(rests.left("greedy", 0)).toBe(250);
});

test("nobody waits while nobody else asks, and nothing that was done then is waited for later", () => {
  rests.replied("greedy", 10 * LARGE, 0);
  expect(rests.left("greedy", 0)).toBe(1000);
  rests.hear("greedy", 5000);
  expect(rests.left("greedy", 5000)).toBe(0);
  rests.held("greedy", 1000, 5000);
  rests.came("greedy", 10 * LARGE, 5000);
  rests.expect("greedy", 5000);
  rests.replied("greedy", 10 * LARGE, 5000);
  rests.hear("quiet", 5001);
  expect(rests.left("greedy", 5001)).toBe(0);
});

test("who held the thread for so long that nobody could be heard meanwhile is not alone for that", () => {
  rests.held("greedy", 1500, 1500);
  rests.hear("quiet", 1501);
  expect(rests.left("greedy", 1501)).toBe(2999);
});

test("waits of up to 5 ms are put off until they come to more", () => {
  rests.came("greedy", 100_000, 0);
  expect(rests.left("greedy", 0)).toBe(0);
  rests.came("greedy", 20_000, 0);
  expect(rests.left("greedy", 0)).toBe(6);
});

test("nothing is kept of those who have waited, whatever comes later", () => {
  rests.replied("greedy", LARGE, 0);
  rests.expect("greedy", 0);
  rests.sweep(201);
  rests.hear("quiet", 500);
  rests.replied("greedy", LARGE, 500);
  expect(rests.left("greedy", 500)).toBe(100);
  rests.sweep(601);
  rests.expect("greedy", 602);
  expect(rests.left("greedy", 602)).toBe(0);
});
