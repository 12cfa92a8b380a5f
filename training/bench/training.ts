import type { Game } from "../../env/index.js";
import { netSchema, weightCount } from "../nets/architecture.js";
import type { BackendChoice } from "../nets/backend.js";
import type { Measure } from "./core.js";
import type { TrainingBench } from "./training-worker.js";
import { allReduceMemory } from "../learn/allreduce.js";
import { Pool } from "../report/pool.js";
import { ppoSchema } from "../learn/ppo.js";

/** About 0.3 million weights in Pocket Stalingrad. */
const NET = { kind: "mlp", hidden: [256, 256] };
const MINIBATCH = ppoSchema.parse({}).minibatch;

/** Training throughput in samples per second: one thread on each library, and two threads with averaged gradients. */
export async function trainingMeasures(game: Game, cleanups: (() => unknown)[]): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [name, backend, learners] of [
    ["one learner, ONNX Runtime", "onnx", 1],
    ["two learners, ONNX Runtime", "onnx", 2],
    ["one learner, WebAssembly", "wasm", 1],
  ] satisfies [string, BackendChoice, number][])
    measures.push(await measure(`training, ${name}, minibatch of ${MINIBATCH}`, game, backend, learners, cleanups));
  return measures;
}

async function measure(
  name: string,
  game: Game,
  backend: BackendChoice,
  learners: number,
  cleanups: (() => unknown)[],
): Promise<Measure> {
  const start: TrainingBench = {
    game: game.type.id,
    net: NET,
    minibatch: MINIBATCH,
    backend,
    memory: learners === 1 ? null : allReduceMemory(learners, weightCount(game, netSchema.parse(NET))),
  };
  const pools = Array.from(
    { length: learners },
    () => new Pool<number, number>(1, new URL("./training-worker.ts", import.meta.url), start),
  );
  cleanups.push(() => Promise.all(pools.map((p) => p.close())));
  const step = async (): Promise<number> =>
    (await Promise.all(pools.map((p, rank) => p.run(rank)))).reduce((a, b) => a + b);
  await step();
  return {
    name,
    unit: "samples",
    kind: "rate",
    run: async (seconds) => {
      const began = performance.now();
      let count = 0;
      do count += await step();
      while (performance.now() - began < 1000 * seconds);
      return { count, seconds: (performance.now() - began) / 1000, cpu: null };
    },
  };
}
