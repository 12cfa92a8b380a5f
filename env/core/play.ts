import { type Dice, ScriptedDice } from "./dice/dice.js";
import { type EventKind, eventMaker, type Happening, type Narrator } from "./narration.js";

/**
 * What the rules need beside the state to carry out an action: the dice, and the narrator if anybody listens. A game
 * makes one `Play` and fills it for each action, so that carrying out an action allocates nothing.
 */
export class Play {
  narrator: Narrator | null = null;

  /** @param dice default: none, so an action that rolls throws an error */
  constructor(public dice: Dice = new ScriptedDice([])) {}

  begin(dice: Dice, narrator: Narrator | null): this {
    this.dice = dice;
    this.narrator = narrator;
    return this;
  }
}

/**
 * How the rules of a game report events of its kinds: `eventOf` makes one, `say` reports one that every viewer may
 * know. Rules call `say` only while there is a narrator.
 */
export function voiceOf<K extends string>(kinds: Readonly<Record<K, EventKind>>) {
  const eventOf = eventMaker(kinds);
  const say = (play: Play, what: K, happening: Happening): void => play.narrator!.tell(eventOf(what, happening));
  return { eventOf, say };
}
