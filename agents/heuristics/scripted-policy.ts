import { type Game, newState, Rng, type Seed, type State } from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";

/** A scripted player that looks at one state at a time. */
abstract class ScriptedPolicy implements Agent {
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
   * @param mask uint8, the row begins at `at`
   * @returns an action whose mask byte is set
   */
  abstract choose(s: State, actor: number, mask: Uint8Array, at: number): number;

  /** Writes the state that the player looks at for row `i`. */
  protected abstract look(decisions: Decisions, i: number, out: State): void;

  act(decisions: Decisions, out: Int32Array): void {
    const A = decisions.game.actions.length;
    for (let i = 0; i < decisions.size; i++) {
      this.look(decisions, i, this.state);
      out[i] = this.choose(this.state, decisions.actors[i]!, decisions.mask, i * A);
    }
  }
}

/**
 * Looks at a complete state: a sample of its seat's knowledge. Right for games without hidden information, where every
 * sample has the true board; elsewhere it plays one guess.
 */
export abstract class StatePolicy extends ScriptedPolicy {
  protected look(decisions: Decisions, i: number, out: State): void {
    decisions.sample(i, out, this.rng);
  }
}

/**
 * Looks at the state as its seat knows it (`Decisions.known`): no guess at what is hidden, and nothing to sample. For
 * games with `redact`.
 */
export abstract class KnownPolicy extends ScriptedPolicy {
  protected look(decisions: Decisions, i: number, out: State): void {
    decisions.known(i, out);
  }
}
