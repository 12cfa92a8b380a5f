import {
  type Dice,
  expectedReturns,
  type Game,
  newState,
  NOBODY,
  Rng,
  sameStream,
  type Seed,
  SeededDice,
  type State,
  type StateView,
} from "../../env/index.js";
import type { Net } from "../nets/net.js";
import { ValueSums } from "../report/value-sums.js";
import type { RolloutBuffer } from "./rollout-buffer.js";

/**
 * Measures the luck of every roll while games are played, so that it can be taken out of advantages (compare AIVAT,
 * Burch et al. 2018): the value after the roll less the mean of that and of the values after `alternatives` other rolls
 * of the same dice. All of them have the same distribution, so the difference has mean 0 whatever the values are; with
 * good values it is most of what a roll does to an advantage.
 */
export class RollLuck {
  private readonly before: State;
  private readonly other: State;
  private readonly dice: Dice = new SeededDice();
  private readonly rng: Rng;
  private readonly mask: Uint8Array;
  /**
   * Rolls since the last `flush`. By roll: its luck for player 0, and the sample that it follows, by player; -1 for
   * none.
   */
  private rolls = 0;
  private readonly luck: Float64Array;
  private readonly follows: Int32Array;
  private readonly values: ValueSums;

  /**
   * @param games most games in which dice may be rolled between two calls of `flush`, once each
   * @param seed of the other rolls; must not be that of a game
   */
  constructor(
    readonly game: Game,
    net: Net,
    private readonly alternatives: number,
    games: number,
    seed: Seed,
  ) {
    this.before = newState(game.stateSize);
    this.other = newState(game.stateSize);
    this.rng = new Rng(seed);
    this.mask = new Uint8Array(game.actions.length);
    this.luck = new Float64Array(games);
    this.follows = new Int32Array(games * game.players.length);
    this.values = new ValueSums(
      game,
      async (observation, mask, n) => (await net.evaluate(observation, mask, n)).value,
      this.luck,
      games * (alternatives + 1),
      (s, out) => expectedReturns(game, s, out),
    );
  }

  /** Remembers a position in which an action is about to be played. */
  note(state: StateView): void {
    for (let i = 0; i < this.before.length; i++) this.before[i] = state[i]!;
  }

  /**
   * True when the noted position's action and the forced ones after it have rolled dice.
   *
   * @param state the position after them
   */
  rolled(state: StateView): boolean {
    return !sameStream(this.before, state);
  }

  /**
   * Adds the luck of the noted position's action, if dice were rolled.
   *
   * @param state the position after it and the forced ones
   * @param samples the sample that the roll follows, by player; undefined for none
   */
  add(action: number, state: State, samples: readonly (number | undefined)[]): void {
    const { before, other, alternatives, values } = this;
    if (!this.rolled(state)) return;
    const roll = this.rolls++;
    const P = samples.length;
    for (let p = 0; p < P; p++) this.follows[roll * P + p] = samples[p] ?? -1;
    this.luck[roll] = 0;
    const share = 1 / (alternatives + 1);
    values.put(state, roll, 1 - share);
    for (let k = 0; k < alternatives; k++) {
      other.set(before);
      this.rng.freshStream(other);
      this.playOn(other, action);
      values.put(other, roll, -share);
    }
  }

  /** Plays an action and the forced ones after it, as a batch does. */
  private playOn(s: State, action: number): void {
    const { game, dice, mask } = this;
    for (let next = action; ;) {
      dice.begin(s);
      game.apply(s, next, dice);
      if (game.actor(s) === NOBODY || game.legalMask(s, mask, 0, true) !== 1) return;
      next = mask.indexOf(1);
    }
  }

  /** Values all positions, and writes each player's luck in the rolls into the samples that they follow. */
  async flush(samples: RolloutBuffer): Promise<void> {
    await this.values.flush();
    const { luck, follows } = this;
    const P = this.game.players.length;
    for (let roll = 0; roll < this.rolls; roll++)
      for (let p = 0; p < P; p++) {
        const k = follows[roll * P + p]!;
        if (k >= 0) samples.luck[k]! += p === 0 ? luck[roll]! : -luck[roll]!;
      }
    this.rolls = 0;
  }
}
