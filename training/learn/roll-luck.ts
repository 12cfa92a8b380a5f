import {
  type Dice,
  expectedReturns,
  type Game,
  newState,
  NOBODY,
  observationRows,
  type ObservationRows,
  Rng,
  RNG_WORDS,
  type Seed,
  SeededDice,
  type State,
  type StateView,
} from "../../env/index.js";
import type { Net } from "../nets/net.js";
import type { RolloutBuffer } from "./rollout-buffer.js";

/**
 * Measures the luck of every roll while games are played, so that it can be taken out of advantages (compare AIVAT, Burch
 * et al. 2018): the value after the roll less the mean of that and of the values after `alternatives` other rolls of the
 * same dice. All of them have the same distribution, so the difference has mean 0 whatever the values are; with good
 * values it is most of what a roll does to an advantage.
 */
export class RollLuck {
  private readonly before: State;
  private readonly other: State;
  private readonly dice: Dice = new SeededDice();
  private readonly rng: Rng;
  private readonly rows: ObservationRows;
  private readonly mask: Uint8Array;
  private readonly scratchMask: Uint8Array;
  private readonly returns: Float32Array;
  /** Rolls since the last `flush`, and the positions of them all that need the net's value. */
  private rolls = 0;
  private positions = 0;
  /** By roll: what is known of its luck for player 0, and the sample that it follows, by player; -1 for none. */
  private readonly luck: Float64Array;
  private readonly follows: Int32Array;
  /** By position: its roll, and the weight of its value in the roll's luck, as the actor sees it. */
  private readonly rollOf: Int32Array;
  private readonly weight: Float64Array;

  /**
   * @param games most games in which dice may be rolled between two calls of `flush`, once each
   * @param seed of the other rolls; must not be that of a game
   */
  constructor(
    readonly game: Game,
    private readonly net: Net,
    private readonly alternatives: number,
    games: number,
    seed: Seed,
  ) {
    const P = game.players.length;
    const A = game.actions.length;
    const most = games * (alternatives + 1);
    this.before = newState(game.stateSize);
    this.other = newState(game.stateSize);
    this.rng = new Rng(seed);
    this.rows = observationRows(game, most);
    this.mask = new Uint8Array(most * A);
    this.scratchMask = new Uint8Array(A);
    this.returns = new Float32Array(P);
    this.luck = new Float64Array(games);
    this.follows = new Int32Array(games * P);
    this.rollOf = new Int32Array(most);
    this.weight = new Float64Array(most);
  }

  /** Remembers a position in which an action is about to be played. */
  note(state: StateView): void {
    for (let i = 0; i < this.before.length; i++) this.before[i] = state[i]!;
  }

  /**
   * Adds the luck of the noted position's action, if it and the forced ones after it rolled dice.
   *
   * @param state the position after them
   * @param samples the sample that the roll follows, by player; undefined for none
   */
  add(action: number, state: State, samples: readonly (number | undefined)[]): void {
    const { before, other, alternatives } = this;
    let rolled = false;
    for (let w = 0; w < RNG_WORDS; w++) rolled ||= before[w] !== state[w];
    if (!rolled) return;
    const roll = this.rolls++;
    const P = samples.length;
    for (let p = 0; p < P; p++) this.follows[roll * P + p] = samples[p] ?? -1;
    this.luck[roll] = 0;
    const share = 1 / (alternatives + 1);
    this.addValue(roll, state, 1 - share);
    for (let k = 0; k < alternatives; k++) {
      other.set(before);
      this.rng.freshStream(other);
      this.playOn(other, action);
      this.addValue(roll, other, -share);
    }
  }

  /** Plays an action and the forced ones after it, as a batch does. */
  private playOn(s: State, action: number): void {
    const { game, dice, scratchMask } = this;
    for (let next = action; ;) {
      dice.begin(s);
      game.apply(s, next, dice);
      if (game.actor(s) === NOBODY || game.legalMask(s, scratchMask, 0) !== 1) return;
      next = scratchMask.indexOf(1);
    }
  }

  private addValue(roll: number, s: State, weight: number): void {
    const { game } = this;
    const actor = game.actor(s);
    if (actor === NOBODY) {
      expectedReturns(game, s, this.returns);
      this.luck[roll]! += weight * this.returns[0]!;
      return;
    }
    const k = this.positions++;
    game.observe(s, actor, this.rows.rows[k]!);
    game.legalMask(s, this.mask, k * game.actions.length);
    this.rollOf[k] = roll;
    this.weight[k] = actor === 0 ? weight : -weight;
  }

  /** Values all positions, and writes the luck of the rolls into the samples that they follow, for each player his. */
  async flush(samples: RolloutBuffer): Promise<void> {
    if (this.rolls === 0) return;
    const { luck, follows, rollOf, weight } = this;
    if (this.positions > 0) {
      const { value } = await this.net.evaluate(this.rows.all, this.mask, this.positions);
      for (let k = 0; k < this.positions; k++) luck[rollOf[k]!]! += weight[k]! * value[k]!;
    }
    const P = this.game.players.length;
    for (let roll = 0; roll < this.rolls; roll++)
      for (let p = 0; p < P; p++) {
        const k = follows[roll * P + p]!;
        if (k >= 0) samples.luck[k]! += p === 0 ? luck[roll]! : -luck[roll]!;
      }
    this.rolls = 0;
    this.positions = 0;
  }
}
