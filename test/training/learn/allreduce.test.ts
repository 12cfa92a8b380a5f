import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { KesselError, loadGame } from "../../../env/index.js";
import { weightCount } from "../../../training/nets/architecture.js";
import { startBackend } from "../../../training/nets/backend.js";
import {
  type AllReduce,
  allReduceMemory,
  SharedMemoryAllReduce,
  SINGLE_LEARNER,
} from "../../../training/learn/allreduce.js";
import { ExpertIteration, expertSchema } from "../../../training/learn/expert.js";
import { Ppo, ppoSchema } from "../../../training/learn/ppo.js";
import { Pool } from "../../../training/report/pool.js";
import { parseRun, RunFolder, type SelfPlayRunConfig, selfPlayRunSchema } from "../../../training/runs/run-folder.js";
import { trainSelfPlay } from "../../../training/runs/train-self-play.js";
import { NET, type Part } from "./allreduce-worker.js";
import { nim as toyNim } from "../nim.js";
import { raceGame } from "../arena/race.js";
import { nightlyUnless } from "../../nightly.js";

test("steps of two learners with unequal parts are the steps of one learner with all of it", async () => {
  const game = raceGame();
  const memory = allReduceMemory(2, weightCount(game, { ...NET, hidden: [...NET.hidden] }));
  const pool = new Pool<Part, { weights: Float32Array; losses: Record<string, number> }>(
    3,
    new URL("./allreduce-worker.ts", import.meta.url),
    null,
  );
  const [whole, ...parts] = await Promise.all([
    pool.run({ rank: 0, from: 0, rows: 60, memory: null }),
    pool.run({ rank: 0, from: 0, rows: 22, memory }),
    pool.run({ rank: 1, from: 22, rows: 38, memory }),
  ]);
  await pool.close();
  for (const { weights, losses } of parts) {
    for (const [name, x] of Object.entries(whole.losses)) expect(losses[name]).toBeCloseTo(x, 5);
    weights.forEach((w, i) => expect(w).toBeCloseTo(whole.weights[i]!, 5));
  }
  expect(parts[1]!.weights).toEqual(parts[0]!.weights); // to the last bit
});

describe("all-reduce between threads", () => {
  const memory = () => allReduceMemory(2, 4);
  /** Runs the code with `control` and `numbers` of a group in a thread. */
  const other = (code: string, m: ReturnType<typeof memory>) => new Worker(code, { eval: true, workerData: m });

  test("a learner that is woken too early waits on for what the others have", async () => {
    const m = memory();
    // the last to arrive in the round before was held up: it wakes who waits for this one, then adds its 5 and arrives
    const worker = other(
      `const { workerData: m } = require("node:worker_threads"); const c = new Int32Array(m.control);
       const sums = new Float64Array(m.sums); let n = 0;
       const late = setInterval(() => {
         if (n++ < 10) return void Atomics.notify(c, 1);
         sums[sums.length / 4] = 5; Atomics.store(c, 0, 0); Atomics.add(c, 1, 1); Atomics.notify(c, 1); clearInterval(late);
       }, 20);`,
      m,
    );
    const x = Float64Array.of(2);
    new SharedMemoryAllReduce(m, 0).sum(x);
    expect([...x]).toEqual([7]);
    await worker.terminate();
  });

  test("a learner that failed releases those who wait for it", async () => {
    const m = memory();
    // what SharedGroup.fail does, a moment after the other one has begun to wait
    const worker = other(
      'const { workerData: m } = require("node:worker_threads"); const c = new Int32Array(m.control); setTimeout(() => { Atomics.store(c, 2, 1); Atomics.add(c, 1, 1); Atomics.notify(c, 1); }, 100);',
      m,
    );
    expect(() => new SharedMemoryAllReduce(m, 0).sum(Float64Array.of(1))).toThrow("another learner has failed");
    await worker.terminate();
  });

  test("one that failed before is not waited for", () => {
    const m = memory();
    new SharedMemoryAllReduce(m, 1).fail();
    expect(() => new SharedMemoryAllReduce(m, 0).sum(Float64Array.of(1))).toThrow("another learner has failed");
  });
});

describe("the leading learner, while another one is awaited", () => {
  const memory = () => allReduceMemory(2, 4);
  /** A thread that advances as learner 1 does, `times` times, 20 ms apart, and then arrives. */
  const advancing = (m: ReturnType<typeof memory>, times: number) =>
    new Worker(
      `const { workerData: m } = require("node:worker_threads"); const c = new Int32Array(m.control); let n = 0;
       setInterval(() => { if (n++ < ${times}) Atomics.add(c, 4, 1); else if (n === ${times} + 2) { Atomics.add(c, 1, 1); Atomics.notify(c, 1); } }, 20);`,
      { eval: true, workerData: m },
    );

  test("gives up where it does nothing", () => {
    expect(() => new SharedMemoryAllReduce(memory(), 0, 50).sum(Float64Array.of(1))).toThrow(
      new KesselError(
        "time-limit",
        "the other learners have done nothing for 0 s; --resume goes on after the last checkpoint",
      ),
    );
  });

  test("waits while it is at work", async () => {
    const m = memory();
    const worker = advancing(m, 100);
    await once(worker, "online");
    const began = performance.now();
    new SharedMemoryAllReduce(m, 0, 800).sum(Float64Array.of(1));
    expect(performance.now() - began).toBeGreaterThan(1500);
    await worker.terminate();
  });

  test("is waited for without end by the others", async () => {
    const m = memory();
    const began = performance.now();
    const worker = advancing(m, 0); // the leader, which reports nothing and arrives after 60 ms
    expect(() => new SharedMemoryAllReduce(m, 1, 1).sum(Float64Array.of(1))).not.toThrow();
    expect(performance.now() - began).toBeGreaterThan(55);
    await worker.terminate();
  });
});

test.each(["ppo", "expert"] as const)(
  "a learner of %s reports that it is at work while it plays and while it learns",
  async (method) => {
    await startBackend("wasm");
    const at: string[] = [];
    let phase = "plays";
    const alone: AllReduce = {
      ...SINGLE_LEARNER,
      advance: () => void at.push(phase),
      sum: () => void (phase = "learns"), // the first sum comes when all games are over
    };
    const settings = { net: { kind: "mlp", hidden: [8] }, games: 8, minibatch: 16 };
    const trainer =
      method === "ppo"
        ? new Ppo(toyNim.load({}, {}), ppoSchema.parse(settings), "work", alone)
        : new ExpertIteration(toyNim.load({}, {}), expertSchema.parse({ ...settings, simulations: 4 }), "work", alone);
    const { steps } = await trainer.step();
    const count = (what: string) => at.filter((x) => x === what).length;
    expect(count("plays")).toBeGreaterThan(1); // a round of PPO, a run of the net in a search
    expect(count("learns")).toBe(steps);
  },
);

describe("a run with two learners", () => {
  const game = loadGame("pocket-stalingrad", {});
  const all = {
    game: "pocket-stalingrad",
    seed: "pair",
    checkpointEvery: 1,
    evaluate: { every: 100, games: 2 },
  };
  const ppo = parseRun(selfPlayRunSchema, {
    method: "ppo",
    ...all,
    ppo: {
      learners: 2,
      net: { kind: "mlp", hidden: [16] },
      updates: 4,
      games: 7,
      minibatch: 128,
      selfPlay: 0.5,
      snapshotEvery: 2,
      opponents: ["random", "heuristic:first-keep"],
    },
  });
  const expert = parseRun(selfPlayRunSchema, {
    method: "expert",
    ...all,
    expert: { learners: 2, net: { kind: "mlp", hidden: [16] }, updates: 4, games: 7, simulations: 8, minibatch: 64 },
  });
  const folder = () => mkdtempSync(join(tmpdir(), "kessel-pair-"));
  const end = (path: string) => readFileSync(join(path, "checkpoint.bin")).toString("base64");

  async function run(config: SelfPlayRunConfig, path: string, stopAt: number, resume = false): Promise<void> {
    await trainSelfPlay(game, config, new RunFolder(path), resume, {
      update: () => undefined,
      shouldStop: () => ++updates === stopAt,
    });
  }
  let updates = 0;

  test("that fails in the second ends with that one's own error", async () => {
    await startBackend("onnx");
    const nim = parseRun(selfPlayRunSchema, { ...ppo, game: "toy-nim", ppo: { learners: 2, updates: 2, games: 8 } });
    const train = trainSelfPlay(toyNim.load({}, {}), nim, new RunFolder(folder()), false, {
      update: () => undefined,
      shouldStop: () => false,
    });
    await expect(train).rejects.toThrow(/toy-nim/); // no worker knows the tests' games
  });

  for (const config of [ppo, expert])
    test(
      `of ${config.method} is determined by its seed, also when it is stopped and resumed`,
      nightlyUnless(config === ppo),
      async () => {
        await startBackend("onnx");
        const [a, b] = [folder(), folder()];
        updates = 100;
        await run(config, a, 0);
        updates = 0;
        await run(config, b, 2);
        updates = 100;
        await run(config, b, 0, true);
        expect(end(b)).toBe(end(a));
      },
    );
});
