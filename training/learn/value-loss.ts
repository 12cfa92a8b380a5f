import { atomAt, type Heads, type LossOps, type Matrix } from "../nets/net-ops.js";

/**
 * What a value's prediction of returns costs, for the target `[B, 1]`. Of one number it is the squared error; of a
 * distribution the cross-entropy with the two atoms next to the target, which share the weight so that their mean is
 * the target.
 *
 * @returns `loss` to minimise, and the mean squared `error`, which means the same for both kinds
 */
export function valueLoss<X>(
  ops: LossOps<X>,
  { value, distribution }: Pick<Heads<X>, "value" | "distribution">,
  target: X,
): { loss: X; error: X } {
  const difference = ops.sub(value, target);
  const error = ops.mean(ops.mul(difference, difference));
  if (distribution === undefined) return { loss: error, error };
  const { logps, atoms } = distribution;
  const likely = ops.sumRows(ops.mul(logps, twoHot(ops, target, atoms)));
  return { loss: ops.scale(ops.mean(likely), -1), error };
}

/**
 * Weights `[B, atoms]`, 1 in all, of the atoms next to each target; a target outside -1..1 counts as the nearer end.
 */
function twoHot<X>(ops: LossOps<X>, target: X, atoms: number): X {
  const perAtom = (atoms - 1) / 2;
  const inside = ops.clip(target, -1, 1);
  const one = ops.addScalar(ops.scale(inside, 0), 1);
  // distance to each atom, in steps from one atom to the next
  const data = new Float32Array(2 * atoms).fill(perAtom, 0, atoms);
  for (let i = 0; i < atoms; i++) data[atoms + i] = -perAtom * atomAt(i, atoms);
  const distances: Matrix = { rows: 2, columns: atoms, data };
  const d = ops.matMul(ops.concat([inside, one]), distances);
  const far = ops.add(ops.relu(d), ops.relu(ops.scale(d, -1)));
  return ops.relu(ops.addScalar(ops.scale(far, -1), 1));
}
