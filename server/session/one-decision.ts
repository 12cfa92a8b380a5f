import type { Decisions } from "../../agents/agent.js";
import {
  type Env,
  type Game,
  type JsonObject,
  newObservation,
  type Observation,
  type Rng,
  type State,
  writeKnown,
} from "../../env/index.js";

/** One waiting decision as agents take it. */
export class OneDecision implements Decisions {
  readonly size = 1;
  readonly game: Game;
  readonly actors: Int32Array;
  readonly mask: Uint8Array;
  readonly observation: Observation;
  readonly rows: Int32Array;

  /** @param row number of the game, where an agent plays several */
  constructor(
    private readonly env: Env,
    row = 0,
  ) {
    this.rows = Int32Array.of(row);
    this.game = env.game;
    this.actors = Int32Array.of(env.actor);
    this.mask = env.mask.slice();
    this.observation = newObservation(env.game.observation);
    env.game.observe(env.state, env.actor, this.observation);
  }

  /** The whole state, for an agent that is run in another thread. Only what runs it may ask. */
  get state(): State {
    return this.env.state;
  }

  view(_i: number): JsonObject {
    return this.game.view(this.env.state, this.actors[0]!);
  }

  sample(_i: number, out: State, rng: Rng): boolean {
    return this.game.resample(this.env.state, this.actors[0]!, out, rng);
  }

  known(_i: number, out: State): void {
    writeKnown(this.game, this.env.state, this.actors[0]!, out);
  }
}
