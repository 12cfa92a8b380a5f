import { type Dice, layout, NOBODY, type Observation, type Rng, type State, type StateView } from "../../env/index.js";
import { range, Toy } from "./toy.js";

const L = layout({ coin: 1, chosen: 1, dealt: 1 });

/** A choice as the game carried it out: the arm, the coin that lay there, and whether a search had dealt that world. */
export interface Choice {
  readonly arm: number;
  readonly coin: number;
  readonly dealt: boolean;
}

/**
 * One player, one decision: an arm, whose return depends on a coin that nobody sees. The coin shows 0 in three games of
 * four.
 */
export class Bandit extends Toy {
  readonly players = ["player"];
  readonly actions: readonly string[];
  readonly maxDecisions = 1;
  /** All choices carried out, in searches and games. */
  readonly choices: Choice[] = [];

  /**
   * @param table returns of each arm by what the coin shows
   * @param late the coin is thrown when an arm is chosen, not before
   */
  constructor(
    private readonly table: readonly (readonly [number, number])[],
    private readonly late = false,
  ) {
    super("toy-bandit", "Bandit", "Choose an arm.", L, [{ name: "any", range, norm: "1" }]);
    this.actions = table.map((_, i) => `arm ${i}`);
  }

  start(s: State, dice: Dice): void {
    if (!this.late) this.throwCoin(s, dice);
  }

  private throwCoin(s: State, dice: Dice): void {
    s[L.coin] = dice.draw(4, (_, i) => `coin ${i}`) === 3 ? 1 : 0;
  }

  actor(s: StateView): number {
    return s[L.chosen] === 0 ? 0 : NOBODY;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    const legal = s[L.chosen] === 0 ? 1 : 0;
    mask.fill(legal, at, at + this.actions.length);
    return legal * this.actions.length;
  }

  apply(s: State, action: number, dice: Dice): void {
    if (this.late) this.throwCoin(s, dice);
    this.choices.push({ arm: action, coin: s[L.coin]!, dealt: s[L.dealt] === 1 });
    s[L.chosen] = action + 1;
  }

  returns(s: StateView, out: Float32Array): void {
    out[0] = s[L.chosen] === 0 ? 0 : this.table[s[L.chosen]! - 1]![s[L.coin]! as 0 | 1];
  }

  observe(_s: StateView, _viewer: number, out: Observation): void {
    for (const tensor of [out.globals, out.map, out.units, out.decision]) tensor.fill(1);
  }

  protected override deal(out: State, _player: number, rng: Rng): void {
    out[L.coin] = rng.below(4) === 3 ? 1 : 0;
    out[L.dealt] = 1;
  }
}
