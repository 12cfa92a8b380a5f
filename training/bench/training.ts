import type { Game } from "../../env/index.js";
import { netSchema, weightCount } from "../nets/architecture.js";
import type { BackendChoice } from "../nets/backend.js";
import type { Measure } from "./core.js";
import type { TrainingBench } from "./training-worker.js";
import { groupMemory } from "../learn/allreduce.js";
import { Pool } from "../report/pool.js";
import { ppoSchema } from "../learn/ppo.js";

/** About 0.3 million weights in Pocket Stalingrad. */
export const NET = { kind: "mlp", hidden: [256, 256] };
export const MINIBATCH = ppoSchema.parse({}).minibatch;

/** Samples learnt from in a second: by one thread on each library, and by two that average their gradients. */
export async function trainingMeasures(game: Game, closing: (() => unknown)[]): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [name, backend, learners] of [
    ["one learner, ONNX Runtime", "onnx", 1],
    ["two learners, ONNX Runtime", "onnx", 2],
    ["one learner, WebAssembly", "wasm", 1],
  ] satisfies [string, BackendChoice, number][])
    measures.push(await measure(`training, ${name}, minibatch of ${MINIBATCH}`, game, backend, learners, closing));
  return measures;
}

async function measure(
  name: string,
  game: Game,
  backend: BackendChoice,
  learners: number,
  closing: (() => unknown)[],
): Promise<Measure> {
  const start: TrainingBench = {
    game: game.type.id,
    backend,
    memory: learners === 1 ? null : groupMemory(learners, weightCount(game, netSchema.parse(NET))),
  };
  const pools = Array.from(
    { length: learners },
    () => new Pool<number, number>(1, new URL("./training-worker.ts", import.meta.url), start),
  );
  closing.push(() => Promise.all(pools.map((p) => p.close())));
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
