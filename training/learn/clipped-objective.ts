import type { Game } from "../../env/index.js";
import { type Auxiliary, auxiliaryWidth } from "../nets/auxiliary.js";
import type { Objective } from "../nets/engine.js";
import type { Heads, LossOps } from "../nets/net-ops.js";
import { valueLoss } from "./value-loss.js";

/** Parameters of the loss, see `ppoSchema`. */
export interface ClippedWeights {
  readonly clip: number;
  readonly valueWeight: number;
  readonly auxiliaryWeight: number;
  /** Null: the policy is drawn to none. */
  readonly magnet: { readonly weight: number } | null;
}

/**
 * The clipped surrogate objective of PPO (Schulman et al. 2017). Its scalar is the entropy weight; it also reports
 * `entropy` and `kl`, and with a magnet, whose logits are a column, the divergence from that policy as `apart`.
 */
export function clippedObjective(
  game: Game,
  { clip, valueWeight, auxiliaryWeight, magnet }: ClippedWeights,
  auxiliary: readonly Auxiliary[] = [],
): Objective {
  return {
    columns: {
      chosen: game.actions.length,
      logp: 1,
      advantage: 1,
      target: 1,
      ...(magnet === null ? {} : { magnet: game.actions.length }),
      ...Object.fromEntries(auxiliary.map((name) => [name, auxiliaryWidth(game, name)])),
    },
    scalars: ["entropy"],
    build: <X>(ops: LossOps<X>, { logits, auxiliary: predict, ...heads }: Heads<X>) => {
      const logps = ops.logSoftmax(logits);
      const change = ops.sub(ops.sumRows(ops.mul(logps, ops.column("chosen"))), ops.column("logp"));
      const ratio = ops.exp(change);
      const advantage = ops.column("advantage");
      const clipped = ops.clip(ratio, 1 - clip, 1 + clip);
      const policy = ops.scale(ops.mean(ops.min(ops.mul(ratio, advantage), ops.mul(clipped, advantage))), -1);
      const { loss, error } = valueLoss(ops, heads, ops.column("target"));
      const entropy = ops.scale(ops.mean(ops.sumRows(ops.mul(ops.exp(logps), logps))), -1);
      // the estimator mean(ratio - 1 - log ratio), which is never negative
      const kl = ops.mean(ops.sub(ops.addScalar(ratio, -1), change));
      let total = ops.sub(ops.add(policy, ops.scale(loss, valueWeight)), ops.mul(entropy, ops.scalar("entropy")));
      const more: Partial<Record<Auxiliary | "apart", X>> = {};
      if (magnet !== null) {
        const drift = ops.sub(logps, ops.logSoftmax(ops.column("magnet")));
        more.apart = ops.mean(ops.sumRows(ops.mul(ops.exp(logps), drift)));
        total = ops.add(total, ops.scale(more.apart, magnet.weight));
      }
      for (const name of auxiliary) {
        const difference = ops.sub(predict!(name), ops.column(name));
        const squared = ops.mean(ops.mul(difference, difference));
        total = ops.add(total, ops.scale(squared, auxiliaryWeight));
        more[name] = squared;
      }
      return { total, policy, value: error, entropy, kl, ...more };
    },
  };
}
