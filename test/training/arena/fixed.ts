import type { Agent, Decisions } from "../../../agents/agent.js";
import { Env, type Game } from "../../../env/index.js";

/** Always the first or (`last`) always the last legal action: no chance of its own. */
export class Fixed implements Agent {
  constructor(readonly name: string) {}

  act({ game, mask, size }: Decisions, out: Int32Array): void {
    const A = game.actions.length;
    for (let i = 0; i < size; i++) out[i] = choose(this.name, mask.subarray(i * A, (i + 1) * A));
  }
}
const choose = (name: string, mask: Uint8Array): number => (name === "last" ? mask.lastIndexOf(1) : mask.indexOf(1));

/** Plays one game by hand. @param seats names as `Fixed` has them @returns player 0's return */
export function playOut(game: Game, seed: string, seats: readonly string[]): number {
  const env = new Env(game);
  env.reset(seed);
  let result = 0;
  while (!env.terminated) result = env.step(choose(seats[env.actor]!, env.mask)).rewards[0]!;
  return result;
}
