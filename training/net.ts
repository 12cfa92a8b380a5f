import { z } from "zod";
import { type Game, type Observation, type Seed, TENSORS, tensorSizes } from "../env/index.js";
import { engine } from "./backend.js";
import type { Evaluation, Program } from "./engine.js";
import type { Heads, Ops } from "./ops.js";
import { Params, type ParamSpec } from "./params.js";

/** Which net, as it stands in a run's configuration. */
export const netSchema = z.strictObject({
  /** `mlp`: fully connected layers over all four tensors laid end to end. */
  kind: z.literal("mlp"),
  /** Width of each hidden layer. */
  hidden: z.array(z.number().int().min(1).max(4096)).min(1).max(8),
});
export type NetSpec = z.infer<typeof netSchema>;

/** An architecture for one game: its weights, and the net as a function over operations. */
interface Architecture {
  readonly params: readonly ParamSpec[];
  build<X>(ops: Ops<X>): Heads<X>;
}

function dense(name: string, from: number, to: number, deviation: number): ParamSpec[] {
  return [
    { name: `${name}/w`, shape: [from, to], deviation },
    { name: `${name}/b`, shape: [to], deviation: 0 },
  ];
}

/** He's deviation keeps the size of signals through layers of relu. */
const he = (from: number): number => Math.sqrt(2 / from);
/** Heads start near zero: every legal action about equally likely, every position about even. */
const HEAD = 0.01;

function mlp(game: Game, hidden: readonly number[]): Architecture {
  const sizes = tensorSizes(game.observation);
  const widths = [TENSORS.reduce((n, t) => n + sizes[t], 0), ...hidden];
  const last = widths.at(-1)!;
  return {
    params: [
      ...hidden.flatMap((to, i) => dense(`hidden${i}`, widths[i]!, to, he(widths[i]!))),
      ...dense("policy", last, game.actions.length, HEAD),
      ...dense("value", last, 1, HEAD),
    ],
    build: (ops) => {
      let x = ops.concat(TENSORS.map((t) => ops.input(t)));
      for (let i = 0; i < hidden.length; i++) x = ops.relu(ops.dense(x, `hidden${i}`));
      return { logits: ops.dense(x, "policy"), value: ops.tanh(ops.dense(x, "value")) };
    },
  };
}

/** A policy-value net for one game: its weights, and the net as a program of the engine. `startBackend` comes first. */
export class Net {
  readonly params: Params;
  readonly program: Program;
  private readonly architecture: Architecture;

  constructor(
    readonly game: Game,
    readonly spec: NetSpec,
    seed: Seed,
  ) {
    this.architecture = mlp(game, spec.hidden);
    this.params = new Params(this.architecture.params);
    this.params.start(seed);
    this.program = engine().program(this);
  }

  /** Writes the net down with other operations. */
  build<X>(ops: Ops<X>): Heads<X> {
    return this.architecture.build(ops);
  }

  /** To be called when the weights in `params` have changed. */
  upload(): void {
    this.program.upload();
  }

  /** Runs the net on the first `n` rows. */
  evaluate(observation: Observation, mask: Uint8Array, n: number): Promise<Evaluation> {
    return this.program.evaluate(observation, mask, n);
  }

  dispose(): void {
    this.program.dispose();
  }
}
