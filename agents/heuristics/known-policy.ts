import { type Game, newState, Rng, type Seed, type State } from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";

/**
 * A scripted player that looks at one state at a time as its seat knows it (`Decisions.known`): no guess at what is
 * hidden, and nothing to sample. For games with `redact`.
 */
export abstract class KnownPolicy implements Agent {
  protected readonly rng: Rng;
  private readonly state: State;

  constructor(
    readonly name: string,
    game: Game,
    seed: Seed,
  ) {
    this.state = newState(game.stateSize);
    this.rng = new Rng(seed);
  }

  /**
   * @param s the state as `actor` knows it
   * @param mask uint8, the row begins at `at`
   * @returns an action whose mask byte is set
   */
  abstract choose(s: State, actor: number, mask: Uint8Array, at: number): number;

  act(decisions: Decisions, out: Int32Array): void {
    const A = decisions.game.actions.length;
    for (let i = 0; i < decisions.size; i++) {
      decisions.known(i, this.state);
      out[i] = this.choose(this.state, decisions.actors[i]!, decisions.mask, i * A);
    }
  }
}
