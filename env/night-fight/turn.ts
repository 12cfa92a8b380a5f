import type { Dice } from "../core/dice/dice.js";
import { InvariantError } from "../core/errors.js";
import type { State } from "../core/layout.js";
import { BUY_TYPE, DONE, EXIT, FIRE_AGAIN, HEX, REINSTATE_GUN, STOP, UNIT } from "./actions.js";
import { GERMANS, type HexId, FIRST_UNIT, type UnitId, type TypeId, type GunId } from "./data.js";
import type { Tables } from "./data.js";
import { moveColumns } from "./rules/columns.js";
import { attack, targetIn } from "./rules/combat.js";
import { beginMove, endMove, enterHex, exitMap } from "./rules/movement.js";
import { buy, placeAce, reinstate } from "./rules/purchase.js";
import { endTurn, flareStep, sovietStep } from "./rules/soviet.js";
import { spot } from "./rules/spotting.js";
import { rollVictory } from "./rules/victory.js";
import * as told from "./events/index.js";
import {
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
} from "./state.js";

/** Carries out a legal action and what the rules do before the next decision. Rule: NF reconstructed turn */
export function applyAction(tables: Tables, s: State, action: number, dice: Dice): void {
  switch (phaseOf(s)) {
    case BUY:
      if (action === DONE) setPhase(s, REINSTATE);
      else buy(tables, s, (action - BUY_TYPE) as TypeId);
      return;
    case REINSTATE:
      if (action !== DONE) return reinstate(tables, s, (action - REINSTATE_GUN) as GunId);
      placeAce(tables, s);
      return beginTurn(tables, s, dice);
    case MOVE:
      if (action === DONE) beginFire(tables, s, dice);
      else beginMove(tables, s, (action - UNIT) as UnitId);
      return;
    case STEP:
      if (action === STOP) endMove(tables, s);
      else if (action === EXIT) exitMap(tables, s, dice);
      else enterHex(tables, s, (action - HEX) as HexId, dice);
      return;
    case FIRE:
      if (action === DONE) return sovietTurn(tables, s, dice);
      s[L.active] = action - UNIT;
      setPhase(s, TARGET);
      return;
    case TARGET:
      if (action === STOP) endFire(tables, s);
      else engage(tables, s, (action - HEX) as HexId, dice);
      return;
    case FOLLOW:
      if (action === FIRE_AGAIN) attack(tables, s, activeOf(s), targetIn(tables, s, activeOf(s), targetOf(s)), dice);
      return endFire(tables, s);
    default:
      throw new InvariantError(`night-fight: no action is possible in phase ${phaseOf(s)}`);
  }
}

/** Attacks a target in the hex if there is one, else spots there. Rule: NF reconstructed fire */
function engage(tables: Tables, s: State, h: HexId, dice: Dice): void {
  const u = activeOf(s);
  const target = targetIn(tables, s, u, h);
  if (target >= 0) attack(tables, s, u, target, dice);
  else if (spot(tables, s, u, h, dice) && targetIn(tables, s, u, h) >= 0) {
    s[L.target] = h;
    setPhase(s, FOLLOW);
    return;
  }
  endFire(tables, s);
}

function beginFire(tables: Tables, s: State, dice: Dice): void {
  setPhase(s, FIRE);
  if (tables.narrator !== null) told.tellFirePhase(tables);
  if (tables.flareBeforeFire) flareStep(tables, s, dice);
}

function endFire(tables: Tables, s: State): void {
  setFlag(s, activeOf(s), FIRED);
  if (tables.narrator !== null) told.tellFired(tables, activeOf(s));
  endActivity(s, FIRE);
}

function beginTurn(tables: Tables, s: State, dice: Dice): void {
  setPhase(s, MOVE);
  if (tables.narrator !== null) told.tellTurn(tables, s);
  moveColumns(tables, s, dice);
}

/** German fire is over: the Soviets act, the turn ends. Rule: NF reconstructed results, NF 11.3 */
function sovietTurn(tables: Tables, s: State, dice: Dice): void {
  for (let u = FIRST_UNIT; u < GERMANS; u++) clearFlags(s, u, SUPPRESSED);
  if (tables.narrator !== null) told.tellSovietStep(tables);
  sovietStep(tables, s, dice);
  if (phaseOf(s) === OVER) return;
  endTurn(tables, s);
  if (turnOf(s) >= tables.rules.turns) return rollVictory(tables, s, dice);
  s[L.turn]!++;
  beginTurn(tables, s, dice);
}
