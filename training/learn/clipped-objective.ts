import { type Game, tensorSizes } from "../../env/index.js";
import { AUXILIARY, type Auxiliary } from "../nets/architecture.js";
import type { Objective } from "../nets/engine.js";
import type { Heads, LossOps } from "../nets/net-ops.js";

/** Values of a run's configuration, see `ppoSchema`. */
export interface ClippedWeights {
  readonly clip: number;
  readonly valueWeight: number;
  readonly auxiliaryWeight: number;
}

/** The clipped objective, with the weight of the entropy as a scalar; reports entropy and the distance moved as `kl`. */
export function clippedObjective(
  game: Game,
  { clip, valueWeight, auxiliaryWeight }: ClippedWeights,
  auxiliary: readonly Auxiliary[] = [],
): Objective {
  const sizes = tensorSizes(game.observation);
  return {
    columns: {
      chosen: game.actions.length,
      logp: 1,
      advantage: 1,
      target: 1,
      ...Object.fromEntries(auxiliary.map((name) => [name, sizes[AUXILIARY[name]]])),
    },
    scalars: ["entropy"],
    build: <X>(ops: LossOps<X>, { logits, value, auxiliary: foretell }: Heads<X>) => {
      const logps = ops.logSoftmax(logits);
      const change = ops.sub(ops.sumRow(ops.mul(logps, ops.column("chosen"))), ops.column("logp"));
      const ratio = ops.exp(change);
      const advantage = ops.column("advantage");
      const clipped = ops.clip(ratio, 1 - clip, 1 + clip);
      const policy = ops.scale(ops.mean(ops.min(ops.mul(ratio, advantage), ops.mul(clipped, advantage))), -1);
      const surprise = ops.sub(value, ops.column("target"));
      const error = ops.mean(ops.mul(surprise, surprise));
      const entropy = ops.scale(ops.mean(ops.sumRow(ops.mul(ops.exp(logps), logps))), -1);
      // the mean of ratio - 1 - log ratio, which is never negative
      const kl = ops.mean(ops.sub(ops.shift(ratio, -1), change));
      let total = ops.sub(ops.add(policy, ops.scale(error, valueWeight)), ops.mul(entropy, ops.scalar("entropy")));
      const errors: Partial<Record<Auxiliary, X>> = {};
      for (const name of auxiliary) {
        const off = ops.sub(foretell!(name), ops.column(name));
        const squared = ops.mean(ops.mul(off, off));
        total = ops.add(total, ops.scale(squared, auxiliaryWeight));
        errors[name] = squared;
      }
      return { total, policy, value: error, entropy, kl, ...errors };
    },
  };
}
