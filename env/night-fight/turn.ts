import type { Dice } from "../core/dice.js";
import { InvariantError } from "../core/errors.js";
import type { State } from "../core/layout.js";
import * as actions from "./actions.js";
import * as data from "./data.js";
import type { Tables } from "./data.js";
import { moveColumns } from "./rules/columns.js";
import { attack, targetIn } from "./rules/combat.js";
import { beginMove, endMove, enterHex, exitMap } from "./rules/movement.js";
import { buy, placeAce, reinstate } from "./rules/purchase.js";
import { endTurn, sovietStep } from "./rules/soviet.js";
import { spot } from "./rules/spotting.js";
import { rollVictory } from "./rules/victory.js";
import * as state from "./state.js";

// own constants, for speed: see core/layout.ts
const { BUY_TYPE, DONE, EXIT, FIRE_AGAIN, HEX, REINSTATE_GUN, STOP, UNIT } = actions;
const { GERMANS } = data;
const {
  activeOf,
  BUY,
  clearFlags,
  endActivity,
  FIRE,
  FIRED,
  FOLLOW,
  L,
  MOVE,
  OVER,
  phaseOf,
  REINSTATE,
  setFlag,
  setPhase,
  STEP,
  SUPPRESSED,
  TARGET,
  targetOf,
  turnOf,
} = state;

/** Carries out a legal action and what the rules do before the next decision. Rule: NF reconstructed turn */
export function play(t: Tables, s: State, action: number, dice: Dice): void {
  switch (phaseOf(s)) {
    case BUY:
      if (action === DONE) setPhase(s, REINSTATE);
      else buy(t, s, action - BUY_TYPE);
      return;
    case REINSTATE:
      if (action !== DONE) return reinstate(t, s, action - REINSTATE_GUN);
      placeAce(t, s);
      return beginTurn(t, s, dice);
    case MOVE:
      if (action === DONE) setPhase(s, FIRE);
      else beginMove(t, s, action - UNIT);
      return;
    case STEP:
      if (action === STOP) endMove(s);
      else if (action === EXIT) exitMap(t, s, dice);
      else enterHex(t, s, action - HEX, dice);
      return;
    case FIRE:
      if (action === DONE) return sovietTurn(t, s, dice);
      s[L.active] = action - UNIT;
      setPhase(s, TARGET);
      return;
    case TARGET:
      if (action === STOP) endFire(s);
      else engage(t, s, action - HEX, dice);
      return;
    case FOLLOW:
      if (action === FIRE_AGAIN) attack(t, s, activeOf(s), targetIn(t, s, activeOf(s), targetOf(s)), dice);
      return endFire(s);
    default:
      throw new InvariantError(`night-fight: no action is possible in phase ${phaseOf(s)}`);
  }
}

/** Attacks what may be attacked in the hex, else looks for what lies there. Rule: NF reconstructed fire */
function engage(t: Tables, s: State, h: number, dice: Dice): void {
  const u = activeOf(s);
  const target = targetIn(t, s, u, h);
  if (target >= 0) attack(t, s, u, target, dice);
  else if (spot(t, s, u, h, dice) && targetIn(t, s, u, h) >= 0) {
    s[L.target] = h;
    setPhase(s, FOLLOW);
    return;
  }
  endFire(s);
}

function endFire(s: State): void {
  setFlag(s, activeOf(s), FIRED);
  endActivity(s, FIRE);
}

function beginTurn(t: Tables, s: State, dice: Dice): void {
  setPhase(s, MOVE);
  moveColumns(t, s, dice);
}

/** German fire is over: the Soviets act, the turn ends. Rule: NF reconstructed results, NF 11.3 */
function sovietTurn(t: Tables, s: State, dice: Dice): void {
  for (let u = 0; u < GERMANS; u++) clearFlags(s, u, SUPPRESSED);
  sovietStep(t, s, dice);
  if (phaseOf(s) === OVER) return;
  endTurn(s);
  if (turnOf(s) >= t.rules.turns) return rollVictory(t, s, dice);
  s[L.turn]!++;
  beginTurn(t, s, dice);
}
