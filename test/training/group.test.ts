import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { loadGame } from "../../env/index.js";
import { startBackend } from "../../training/backend.js";
import { type Group, groupMemory, SharedGroup } from "../../training/group.js";
import { imitation } from "../../training/imitate.js";
import { feedOf, Learner } from "../../training/learner.js";
import { Net } from "../../training/net.js";
import { parseRun, ppoRunSchema, RunFolder } from "../../training/run.js";
import { Minibatch } from "../../training/samples.js";
import { trainPpo } from "../../training/train-ppo.js";
import { randomSamples } from "./models.js";
import { raceGame } from "./race.js";

test("a step of two learners with unequal parts is the step of one learner with all of it", async () => {
  await startBackend("onnx");
  const game = raceGame();
  const samples = await randomSamples(game, 10);
  const objective = imitation(game, 0.5);
  const order = Int32Array.from({ length: 60 }, (_, i) => i);
  const loaded = (from: number, n: number) => {
    const batch = new Minibatch(game, n);
    batch.load(samples, order, from, n);
    return feedOf(batch, n);
  };
  const net = () => new Net(game, { kind: "mlp", hidden: [16] }, "same");
  let first = new Float64Array(0);
  const recording: Group = { rank: 0, size: 2, sum: (x) => void (first = Float64Array.from(x)) };
  const adding: Group = { rank: 1, size: 2, sum: (x) => x.forEach((_, i) => (x[i]! += first[i]!)) };
  const whole = new Learner(net(), 1);
  const losses = await whole.step(objective, loaded(0, 60), 0.01);
  await new Learner(net(), 1, recording).step(objective, loaded(0, 22), 0.01);
  const second = new Learner(net(), 1, adding);
  const shared = await second.step(objective, loaded(22, 38), 0.01);
  for (const [name, x] of Object.entries(losses)) expect(shared[name]).toBeCloseTo(x, 5);
  second.net.params.all.forEach((w, i) => expect(w).toBeCloseTo(whole.net.params.all[i]!, 5));
});

describe("a group of threads", () => {
  const memory = () => groupMemory(2, 4);
  /** Runs the code with `control` and `numbers` of a group in a thread. */
  const other = (code: string, m: ReturnType<typeof memory>) => new Worker(code, { eval: true, workerData: m });

  test("a learner that failed releases those who wait for it", async () => {
    const m = memory();
    // what SharedGroup.fail does, a moment after the other one has begun to wait
    const worker = other('const { workerData: m } = require("node:worker_threads"); const c = new Int32Array(m.control); setTimeout(() => { Atomics.store(c, 2, 1); Atomics.add(c, 1, 1); Atomics.notify(c, 1); }, 100);', m);
    expect(() => new SharedGroup(m, 0).sum(Float64Array.of(1))).toThrow("another learner of the group has failed");
    await worker.terminate();
  });

  test("one that failed before is not waited for", () => {
    const m = memory();
    new SharedGroup(m, 1).fail();
    expect(() => new SharedGroup(m, 0).sum(Float64Array.of(1))).toThrow("another learner of the group has failed");
  });
});

describe("a run with two learners", () => {
  const game = loadGame("pocket-stalingrad", {});
  const config = parseRun(ppoRunSchema, {
    method: "ppo",
    game: "pocket-stalingrad",
    seed: "pair",
    checkpointEvery: 1,
    evaluate: { every: 100, games: 2 },
    ppo: { learners: 2, net: { kind: "mlp", hidden: [16] }, updates: 4, games: 7, minibatch: 128, selfPlay: 0.5, snapshotEvery: 2, opponents: ["random", "heuristic:first-keep"] },
  });
  const folder = () => mkdtempSync(join(tmpdir(), "kessel-pair-"));
  const end = (path: string) => readFileSync(join(path, "checkpoint.bin")).toString("base64");

  async function run(path: string, stopAt: number, resume = false): Promise<void> {
    await trainPpo(game, config, new RunFolder(path), resume, { update: () => undefined, stopping: () => ++updates === stopAt });
  }
  let updates = 0;

  test("is determined by its seed, also when it is stopped and resumed", async () => {
    await startBackend("onnx");
    const [a, b] = [folder(), folder()];
    await run(a, 0);
    updates = 0;
    await run(b, 2);
    updates = 100;
    await run(b, 0, true);
    expect(end(b)).toBe(end(a));
  });
});
