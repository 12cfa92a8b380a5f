import { expect, test } from "vitest";
import { FairQueue } from "../../../server/threads/fair-queue.js";

/** Takes tasks for `ms` milliseconds; each is named by its client and how long it takes. */
function run(queue: FairQueue<number>, ms: number): Map<string, number> {
  const used = new Map<string, number>();
  for (let now = 0; now < ms;) {
    const taken = queue.next();
    if (taken === null) break;
    queue.spent(taken.client, taken.task);
    now += taken.task;
    used.set(taken.client, (used.get(taken.client) ?? 0) + taken.task);
  }
  return used;
}
const fill = (queue: FairQueue<number>, client: string, n: number, ms: number): void => {
  for (let k = 0; k < n; k++) queue.push(client, ms);
};

test("long tasks and many tasks bring a client no more than the same time as others", () => {
  const queue = new FairQueue<number>();
  fill(queue, "long", 100, 50);
  fill(queue, "many", 100_000, 0.1);
  fill(queue, "plain", 1000, 5);
  const used = run(queue, 3000);
  for (const client of ["long", "many", "plain"]) {
    expect(used.get(client), client).toBeGreaterThan(950);
    expect(used.get(client), client).toBeLessThan(1051);
  }
});

test("who asks now and then goes before who asks on and on", () => {
  const queue = new FairQueue<number>();
  fill(queue, "greedy", 100, 20);
  run(queue, 500);
  for (let k = 0; k < 10; k++) {
    queue.push("quiet", 1);
    expect(queue.next()).toEqual({ client: "quiet", task: 1 });
    queue.spent("quiet", 1);
    run(queue, 20);
  }
});

test("a pause saves nothing up: who comes back does not keep others waiting for it", () => {
  const queue = new FairQueue<number>();
  fill(queue, "back", 1, 1);
  fill(queue, "there", 1000, 10);
  run(queue, 5000);
  fill(queue, "back", 1000, 10);
  const used = run(queue, 400);
  expect(used.get("there")).toBeGreaterThanOrEqual(190);
});

test("tasks of one client keep their order, and those of unknown length take turns", () => {
  const queue = new FairQueue<string>();
  for (const task of ["a1", "a2", "a3"]) queue.push("a", task);
  for (const task of ["b1", "b2", "b3"]) queue.push("b", task);
  expect(Array.from({ length: 6 }, () => queue.next()!.task)).toEqual(["a1", "b1", "a2", "b2", "a3", "b3"]);
  expect(queue.next()).toBeNull();
  queue.push("a", "a4");
  expect(queue.clear()).toEqual(["a4"]);
  expect(queue.next()).toBeNull();
});
