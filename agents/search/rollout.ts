import {
  expectedReturns,
  type Game,
  newState,
  NOBODY,
  Rng,
  SeededDice,
  type Seed,
  type State,
  type StateView,
} from "../../env/index.js";
import { OUTLOOKS } from "../heuristics/outlooks.js";
import { pickLegal } from "../random.js";
import type { SearchOptions } from "./options.js";
import { ImaginedHeuristic } from "./scripted.js";
import { NONE } from "./tree.js";

/** Plays a simulated game on from a leaf and returns its value. */
export class Rollout {
  /** The state that is played on: the search writes it, and steps it in its tree. */
  readonly state: State;
  /** The rollout policy's choice at the first decision of the last `value`; NONE without a heuristic or a decision. */
  firstChoice = NONE;
  private readonly dice = new SeededDice();
  private readonly mask: Uint8Array;
  private readonly returns: Float32Array;
  private readonly rolloutPolicy: ImaginedHeuristic | null;
  private readonly rng: Rng;
  private readonly estimate: (s: StateView) => number;
  /** Word of the state that counts turns. */
  private readonly turn: number;

  constructor(
    private readonly game: Game,
    private readonly options: SearchOptions,
    seed: Seed,
  ) {
    this.state = newState(game.stateSize);
    this.mask = new Uint8Array(game.actions.length);
    this.returns = new Float32Array(game.players.length);
    this.rng = new Rng(`${seed}/rollout`);
    this.estimate = estimateOf(game, options.potential);
    this.rolloutPolicy =
      options.rollout === "random" ? null : new ImaginedHeuristic(options.rollout, game, this.state, `${seed}/rollout`);
    this.turn = game.fields.find((f) => f.name === "turn")?.offset ?? 0;
  }

  /** Return of the first player: at the end of the game, or an estimate where the rollout stops. */
  value(): number {
    const { game, state, mask } = this;
    const { depth, turns } = this.options;
    const lastTurn = turns === Infinity ? Infinity : state[this.turn]! + turns - 1;
    this.firstChoice = NONE;
    for (let played = 0; ; played++) {
      const actor = game.actor(state);
      if (actor === NOBODY) {
        expectedReturns(game, state, this.returns);
        return this.returns[0]!;
      }
      if (played >= depth || state[this.turn]! > lastTurn) return Math.max(-0.99, Math.min(0.99, this.estimate(state)));
      const legal = game.legalMask(state, mask, 0, played > 0);
      if (legal === 1) this.apply(mask.indexOf(1));
      else {
        const action = this.choose(actor);
        if (this.firstChoice === NONE && this.rolloutPolicy !== null) this.firstChoice = action;
        this.apply(action);
      }
    }
  }

  /** The current turn of the game, 0 where none are counted. */
  turnNow(): number {
    return this.turn === 0 ? 0 : this.state[this.turn]!;
  }

  apply(action: number): void {
    this.dice.begin(this.state);
    this.game.apply(this.state, action, this.dice);
  }

  private choose(actor: number): number {
    if (this.rolloutPolicy === null) return pickLegal(this.mask, 0, this.mask.length, this.rng);
    return this.rolloutPolicy.choose(actor, this.mask);
  }
}

function estimateOf(game: Game, name: string | null): (s: StateView) => number {
  if (name === null) return () => 0;
  return name === "outlook" ? OUTLOOKS[game.type.id]!(game) : game.potentials[name]!;
}
