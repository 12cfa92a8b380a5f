import { z } from "zod";
import { type Game, type Observation, type Seed, TENSORS, type TensorName, tensorSizes } from "../env/index.js";
import { tf } from "./backend.js";
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

/** Logit of an illegal action: its probability is exactly 0 in float32. */
export const ILLEGAL = -1e9;

export type Inputs = Readonly<Record<TensorName, tf.Tensor2D>>;

/** A policy-value net for one game: weights, and the net on TensorFlow.js. `startBackend` comes first. */
export class Net {
  readonly params: Params;
  readonly variables: readonly tf.Variable[];
  private readonly architecture: Architecture;
  private readonly byName: ReadonlyMap<string, tf.Variable>;

  constructor(
    readonly game: Game,
    readonly spec: NetSpec,
    seed: Seed,
  ) {
    this.architecture = mlp(game, spec.hidden);
    this.params = new Params(this.architecture.params);
    this.params.start(seed);
    this.variables = this.params.specs.map((s) => {
      const first = tf.tensor(this.params.views.get(s.name)!, [...s.shape]);
      const variable = tf.variable(first);
      first.dispose(); // the variable has its own reference
      return variable;
    });
    this.byName = new Map(this.params.specs.map((s, i) => [s.name, this.variables[i]!]));
  }

  /** Sends the weights in `params` to the backend; to be called when they have changed. */
  upload(): void {
    this.params.specs.forEach((s, i) => {
      const fresh = tf.tensor(this.params.views.get(s.name)!, [...s.shape]);
      this.variables[i]!.assign(fresh);
      fresh.dispose();
    });
  }

  /** Runs the net. To be called inside `tf.tidy`. */
  forward(inputs: Inputs): Heads<tf.Tensor2D> {
    const get = (name: string): tf.Tensor => this.byName.get(name)!;
    return this.architecture.build<tf.Tensor2D>({
      input: (name) => inputs[name],
      concat: (parts) => tf.concat2d([...parts], 1),
      dense: (x, layer) => tf.add(tf.matMul(x, get(`${layer}/w`) as tf.Tensor2D), get(`${layer}/b`)),
      relu: (x) => tf.relu(x),
      tanh: (x) => tf.tanh(x),
    });
  }

  /** The same net written with other operations. */
  build<X>(ops: Ops<X>): Heads<X> {
    return this.architecture.build(ops);
  }

  dispose(): void {
    for (const v of this.variables) v.dispose();
  }
}

/** The first `n` rows of observation buffers as tensors. To be called inside `tf.tidy`. */
export function inputsOf(game: Game, observation: Observation, n: number): Inputs {
  const sizes = tensorSizes(game.observation);
  const tensor = (t: TensorName) => tf.tensor2d(observation[t].subarray(0, n * sizes[t]), [n, sizes[t]]);
  return { globals: tensor("globals"), map: tensor("map"), units: tensor("units"), decision: tensor("decision") };
}

/** Logits with illegal actions at `ILLEGAL`. @param mask uint8 [n, A] */
export function masked(logits: tf.Tensor2D, mask: Uint8Array, n: number): tf.Tensor2D {
  const A = logits.shape[1];
  const shift = new Float32Array(n * A);
  for (let i = 0; i < shift.length; i++) shift[i] = mask[i] === 1 ? 0 : ILLEGAL;
  return tf.add(logits, tf.tensor2d(shift, [n, A]));
}

/** Policy `[n, A]` (illegal actions at `ILLEGAL`) and value `[n]` of the first `n` rows. */
export function evaluate(net: Net, observation: Observation, mask: Uint8Array, n: number): { policy: Float32Array; value: Float32Array } {
  const [p, v] = tf.tidy(() => {
    const { logits, value } = net.forward(inputsOf(net.game, observation, n));
    return [masked(logits, mask, n), value];
  });
  const result = { policy: p.dataSync<"float32">(), value: v.dataSync<"float32">() };
  tf.dispose([p, v]);
  return result;
}
