import type { Game, Seed, State } from "../../../env/index.js";
import { StatePolicy } from "../scripted-policy.js";
import { Drainer } from "./drainer.js";
import { Encircler } from "./encircler.js";

/** Turns on which the pool is attacked: the withdrawal after turn 3 draws a whole new front from it. Rule: SC 4.4 */
const FIRST = 2;
const LAST = 3;

/** Drains the pool while the German withdrawal is to come, and plans rings before and after. */
export class Squeezer extends StatePolicy {
  /** Word of the state that counts turns. */
  private readonly turn: number;
  private readonly drainer: Drainer;
  private readonly encircler: Encircler;

  constructor(name: string, game: Game, seed: Seed) {
    super(name, game, seed);
    this.turn = game.fields.find((f) => f.name === "turn")!.offset;
    this.drainer = new Drainer(name, game, seed, 0.2, 0.2);
    this.encircler = new Encircler(name, game, seed);
  }

  override choose(s: State, actor: number, mask: Uint8Array, at: number): number {
    const turn = s[this.turn]!;
    return (turn >= FIRST && turn <= LAST ? this.drainer : this.encircler).choose(s, actor, mask, at);
  }
}
