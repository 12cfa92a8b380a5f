import { AUXILIARY, AUXILIARY_LAYER, type Auxiliary } from "./auxiliary.js";
import { atomAt, type Heads, type Matrix, type NetOps } from "./net-ops.js";
import type { ParamSpec } from "./params.js";

// Layers that nets of every kind are made of.

/** Weights and bias of a fully connected layer. */
export function dense(
  name: string,
  from: number,
  to: number,
  deviation: number,
  pieces: readonly number[] = [from],
): ParamSpec[] {
  return [
    { name: `${name}/w`, shape: [from, to], deviation, pieces },
    { name: `${name}/b`, shape: [to], deviation: 0, pieces: [1] },
  ];
}

/** Standard deviation of He et al. (2015), which keeps the variance of signals through ReLU layers. */
export const he = (from: number): number => Math.sqrt(2 / from);
/** Heads start near zero: a nearly uniform policy and values near 0. */
export const HEAD = 0.01;

/** Fully connected layers `hidden0`, `hidden1`, ... after `pieces` of such widths. */
export function layers(pieces: readonly number[], hidden: readonly number[]): ParamSpec[] {
  const before = [pieces, ...hidden.map((width) => [width])];
  return hidden.flatMap((to, i) => {
    const from = before[i]!.reduce((n, d) => n + d, 0);
    return dense(`hidden${i}`, from, to, he(from), before[i]);
  });
}

export function applyLayers<X>(ops: NetOps<X>, x: X, hidden: readonly number[]): X {
  return hidden.reduce((y, _, i) => ops.relu(ops.dense(y, `hidden${i}`)), x);
}

/** The layer of a value. One of another kind, or in other atoms, has another name: the one can't become the other. */
export const valueLayer = (atoms: number | undefined): string => (atoms === undefined ? "value" : `value${atoms}`);

/** The value from the trunk's output `[B, last]`. */
export function valueHead<X>(
  ops: NetOps<X>,
  trunk: X,
  atoms: number | undefined,
): Pick<Heads<X>, "value" | "distribution"> {
  const y = ops.dense(trunk, valueLayer(atoms));
  if (atoms === undefined) return { value: ops.tanh(y) };
  const logps = ops.logSoftmax(y);
  const mean: Matrix = {
    rows: atoms,
    columns: 1,
    data: Float32Array.from({ length: atoms }, (_, i) => atomAt(i, atoms)),
  };
  return { value: ops.matMul(ops.exp(logps), mean), distribution: { logps, atoms } };
}

/** Auxiliary layers that read the trunk alone. */
export const trunkAuxiliary = (last: number, names: readonly Auxiliary[]): ParamSpec[] =>
  names.flatMap((name) => (AUXILIARY[name].table === null ? dense(AUXILIARY_LAYER + name, last, 1, HEAD) : []));
