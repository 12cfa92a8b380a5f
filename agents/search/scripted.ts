import {
  type Game,
  type JsonObject,
  KesselError,
  newObservation,
  type Observation,
  type Rng,
  type Seed,
  type State,
  writeKnown,
} from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";
import { makeHeuristic } from "../heuristics/index.js";

/** The decision of one simulated game as its seat sees it. */
class ImaginedDecision implements Decisions {
  readonly size = 1;
  readonly actors = new Int32Array(1);
  readonly mask: Uint8Array;
  private readonly buffer: Observation;
  private written = false;

  constructor(
    readonly game: Game,
    readonly state: State,
  ) {
    this.mask = new Uint8Array(game.actions.length);
    this.buffer = newObservation(game.observation);
  }

  /** Written on first use: many heuristics read the state instead. */
  get observation(): Observation {
    if (!this.written) this.game.observe(this.state, this.actors[0]!, this.buffer);
    this.written = true;
    return this.buffer;
  }

  /** The state has changed; `actor` decides now. */
  turnTo(actor: number): void {
    this.actors[0] = actor;
    this.written = false;
  }

  view(): JsonObject {
    return this.game.view(this.state, this.actors[0]!);
  }

  sample(_row: number, out: State, rng: Rng): boolean {
    return this.game.resample(this.state, this.actors[0]!, out, rng);
  }

  known(_row: number, out: State): void {
    writeKnown(this.game, this.state, this.actors[0]!, out);
  }
}

/** A heuristic that plays in a simulated game. */
export class ImaginedHeuristic {
  private readonly seen: ImaginedDecision;
  private readonly choice = new Int32Array(1);
  private readonly player: Agent;

  /**
   * @param name `heuristic:NAME`
   * @param state the simulated game, written by the search
   */
  constructor(
    name: string,
    private readonly game: Game,
    state: State,
    seed: Seed,
  ) {
    this.seen = new ImaginedDecision(game, state);
    this.player = makeHeuristic(name.slice("heuristic:".length), { game, seed }) as Agent;
  }

  /** Its action for `actor`, which has a choice. @param mask uint8 [A], the legal actions; computed when left out */
  choose(actor: number, mask?: Uint8Array): number {
    const { seen, player, choice } = this;
    if (mask === undefined) this.game.legalMask(seen.state, seen.mask, 0);
    else seen.mask.set(mask);
    seen.turnTo(actor);
    if (player.act(seen, choice) !== undefined)
      throw new KesselError("bad-agent", `${player.name} does not answer at once, so search can't ask it`);
    return choice[0]!;
  }
}
