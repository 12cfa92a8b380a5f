import { type Game, Rng, type Seed } from "../../../env/index.js";
import { DONE, PASS } from "../../../env/streets-of-stalingrad/actions.js";
import type { Agent, Decisions } from "../../agent.js";

/** A random legal action. `done` and `pass` are twice as likely as others, so that orders end. */
export class RandomLegal implements Agent {
  readonly name = "heuristic:random-legal";
  private readonly rng: Rng;

  constructor(_game: Game, seed: Seed) {
    this.rng = new Rng(seed);
  }

  act({ game, size, mask }: Decisions, out: Int32Array): void {
    const A = game.actions.length;
    for (let i = 0; i < size; i++) {
      const at = i * A;
      let n = mask[at + DONE]! + mask[at + PASS]!;
      for (let a = 0; a < A; a++) n += mask[at + a]!;
      out[i] = pick(mask, at, this.rng.below(n));
    }
  }
}

/** The legal action for a random integer below the sum of all weights. */
function pick(mask: Uint8Array, at: number, left: number): number {
  let a = 0;
  for (;;) {
    if (mask[at + a] === 1) left -= a === DONE || a === PASS ? 2 : 1;
    if (left < 0) return a;
    a++;
  }
}
