import { type Game, newState, Rng, type Seed, type State } from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";

/**
 * A scripted player that looks at one complete state at a time: the sample of its seat's knowledge. Right for games
 * without hidden information, where every sample has the true board; elsewhere it plays one guess.
 */
export abstract class StatePolicy implements Agent {
  private readonly state: State;
  protected readonly rng: Rng;

  constructor(
    readonly name: string,
    game: Game,
    seed: Seed,
  ) {
    this.state = newState(game.stateSize);
    this.rng = new Rng(seed);
  }

  /**
   * @param mask uint8, the row begins at `at`
   * @returns an action whose mask byte is set
   */
  abstract choose(s: State, actor: number, mask: Uint8Array, at: number): number;

  act(decisions: Decisions, out: Int32Array): void {
    const A = decisions.game.actions.length;
    for (let i = 0; i < decisions.size; i++) {
      decisions.sample(i, this.state, this.rng);
      out[i] = this.choose(this.state, decisions.actors[i]!, decisions.mask, i * A);
    }
  }
}
