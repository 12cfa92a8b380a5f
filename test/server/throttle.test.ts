import { beforeEach, expect, test } from "vitest";
import { Throttle } from "../../server/gate/throttle.js";

/** Bytes that take 100 ms. */
const LARGE = 2_000_000;

let throttle: Throttle;
beforeEach(() => {
  throttle = new Throttle();
  throttle.hear("quiet", 0);
  throttle.hear("greedy", 0);
});

test("who held the thread for longer than 2 ms waits 100 times as long, after 50 ms of it, and at most 3 s", () => {
  throttle.held("greedy", 2, 0);
  throttle.held("greedy", 40, 0);
  expect(throttle.left("greedy", 0)).toBeLessThanOrEqual(0);
  throttle.held("greedy", 15, 0);
  expect(throttle.left("greedy", 0)).toBe(500);
  expect(throttle.left("quiet", 0)).toBe(0);
  throttle.held("greedy", 1000, 0);
  expect(throttle.left("greedy", 0)).toBe(3000);
});

test("what comes back is a hundredth of the time, and no more than 50 ms", () => {
  throttle.held("greedy", 50, 0);
  throttle.hear("quiet", 1000);
  throttle.hear("greedy", 1000);
  throttle.held("greedy", 20, 1000);
  expect(throttle.left("greedy", 1000)).toBe(1000);
  throttle.hear("quiet", 100_000);
  throttle.held("greedy", 51, 100_000);
  expect(throttle.left("greedy", 100_000)).toBe(100);
});

test.each([
  ["messages that come in", (bytes: number, now: number) => throttle.came("greedy", bytes, now)],
  ["replies", (bytes: number, now: number) => throttle.replied("greedy", bytes, now)],
])("large %s cost their bytes at 20 megabytes a second, small ones nothing", (_, pass) => {
  pass(4096, 0);
  expect(throttle.left("greedy", 0)).toBe(0);
  pass(LARGE, 0);
  pass(LARGE, 50);
  expect(throttle.left("greedy", 50)).toBe(150);
});

test("a reply that is being made is waited for as long as the latest, and what was too much counts for later ones", () => {
  throttle.replied("greedy", LARGE, 0);
  throttle.expect("greedy", 0);
  expect(throttle.left("greedy", 0)).toBe(200);
  throttle.replied("greedy", LARGE / 2, 0);
  expect(throttle.left("greedy", 0)).toBe(200);
  throttle.replied("greedy", LARGE, 0);
  expect(throttle.left("greedy", 0)).toBe(250);
});

test("nobody waits while nobody else asks, and nothing that was done then is waited for later", () => {
  throttle.replied("greedy", 10 * LARGE, 0);
  expect(throttle.left("greedy", 0)).toBe(1000);
  throttle.hear("greedy", 5000);
  expect(throttle.left("greedy", 5000)).toBe(0);
  throttle.held("greedy", 1000, 5000);
  throttle.came("greedy", 10 * LARGE, 5000);
  throttle.expect("greedy", 5000);
  throttle.replied("greedy", 10 * LARGE, 5000);
  throttle.hear("quiet", 5001);
  expect(throttle.left("greedy", 5001)).toBe(0);
});

test("who held the thread for so long that nobody could be heard meanwhile is not alone for that", () => {
  throttle.held("greedy", 1500, 1500);
  throttle.hear("quiet", 1501);
  expect(throttle.left("greedy", 1501)).toBe(2999);
});

test("waits of up to 5 ms are put off until they come to more", () => {
  throttle.came("greedy", 100_000, 0);
  expect(throttle.left("greedy", 0)).toBe(0);
  throttle.came("greedy", 20_000, 0);
  expect(throttle.left("greedy", 0)).toBe(6);
});

test("nothing is kept of those who have waited, whatever comes later", () => {
  throttle.replied("greedy", LARGE, 0);
  throttle.expect("greedy", 0);
  throttle.sweep(201);
  throttle.hear("quiet", 500);
  throttle.replied("greedy", LARGE, 500);
  expect(throttle.left("greedy", 500)).toBe(100);
  throttle.sweep(601);
  throttle.expect("greedy", 602);
  expect(throttle.left("greedy", 602)).toBe(0);
});
