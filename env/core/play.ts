import { type Dice, ScriptedDice } from "./dice/dice.js";
import type { Narrator } from "./narration.js";

/**
 * What the rules need beside the state to carry out an action: the dice, and the narrator if anybody listens. A game makes
 * one `Play` and fills it for each action, so that carrying out an action allocates nothing.
 */
export class Play {
  narrator: Narrator | null = null;

  /** @param dice by default there are none, and an action that needs some throws */
  constructor(public dice: Dice = new ScriptedDice([])) {}

  begin(dice: Dice, narrator: Narrator | null): this {
    this.dice = dice;
    this.narrator = narrator;
    return this;
  }
}
