import { beforeEach, expect, test } from "vitest";
import { Rests } from "../../server/rests.js";

/** Bytes that take 100 ms. */
const LARGE = 2_000_000;

let rests: Rests;
beforeEach(() => {
  rests = new Rests();
  rests.hear("quiet", 0);
  rests.hear("greedy", 0);
});

test("who held the thread for longer than 2 ms waits 30 times as long, at most 3 s", () => {
  rests.held("greedy", 2, 0);
  expect(rests.left("greedy", 0)).toBe(0);
  rests.held("greedy", 10, 0);
  expect(rests.left("greedy", 0)).toBe(300);
  expect(rests.left("quiet", 0)).toBe(0);
  rests.held("greedy", 1000, 0);
  expect(rests.left("greedy", 0)).toBe(3000);
});

test("large replies cost their bytes at 20 megabytes a second, small ones nothing", () => {
  rests.replied("greedy", 0, 4095, 0);
  expect(rests.left("greedy", 0)).toBe(0);
  rests.replied("greedy", 0, LARGE, 0);
  rests.replied("greedy", 0, LARGE, 0);
  expect(rests.left("greedy", 0)).toBe(200);
});

test("a reply that is being made is expected to cost what the latest did, and settled when it is there", () => {
  rests.replied("greedy", 0, LARGE, 0);
  const expected = rests.expect("greedy", 0);
  expect(expected).toBe(100);
  expect(rests.left("greedy", 0)).toBe(200);
  rests.replied("greedy", expected, LARGE / 2, 0);
  expect(rests.left("greedy", 0)).toBe(150);
  expect(rests.expect("greedy", 0)).toBe(50);
});

test("nobody waits while nobody else asks", () => {
  rests.replied("greedy", 0, 10 * LARGE, 0);
  rests.hear("greedy", 1001);
  expect(rests.left("greedy", 1001)).toBe(0);
  rests.hear("quiet", 1002);
  expect(rests.left("greedy", 1002)).toBe(-2);
});

test("nothing is kept of those who have waited, whatever comes later", () => {
  rests.replied("greedy", 0, LARGE, 0);
  const expected = rests.expect("greedy", 0);
  rests.sweep(201);
  rests.replied("greedy", expected, LARGE, 500);
  rests.sweep(501);
  expect(rests.expect("greedy", 502)).toBe(0);
});
