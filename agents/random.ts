import { Rng, type Seed } from "../env/index.js";
import type { Agent, Decisions } from "./agent.js";

/** Every legal action equally likely. */
export class RandomAgent implements Agent {
  readonly name = "random";
  private readonly rng: Rng;

  constructor(seed: Seed) {
    this.rng = new Rng(seed);
  }

  act(decisions: Decisions, out: Int32Array): void {
    const A = decisions.game.actions.length;
    for (let i = 0; i < decisions.size; i++) out[i] = pickLegal(decisions.mask, i * A, A, this.rng);
  }
}

/** A uniformly random set entry of `mask[at .. at + n - 1]`. */
export function pickLegal(mask: Uint8Array, at: number, n: number, rng: Rng): number {
  let count = 0;
  for (let a = 0; a < n; a++) count += mask[at + a]!;
  let k = rng.below(count);
  for (let a = 0; a < n; a++) if (mask[at + a] === 1 && k-- === 0) return a;
  throw new RangeError("no action is legal");
}
