import type { Dice } from "../core/dice/dice.js";
import type { State } from "../core/layout.js";
import { GERMANS, type HexId, FIRST_UNIT } from "./data.js";
import type { Tables } from "./data.js";
import { moveColumns } from "./rules/columns.js";
import { attack, targetIn } from "./rules/combat.js";
import { endTurn, flareStep, sovietStep } from "./rules/soviet.js";
import { spot } from "./rules/spotting.js";
import { rollVictory } from "./rules/victory.js";
import * as told from "./events/index.js";
import {
  activeOf,
  clearFlags,
  endActivity,
  FIRE,
  FIRED,
  FOLLOW,
  L,
  MOVE,
  OVER,
  phaseOf,
  setFlag,
  setPhase,
  SUPPRESSED,
  targetOf,
  turnOf,
} from "./state.js";

/** Attacks a target in the hex if there is one, else spots there. Rule: NF reconstructed fire */
export function engage(tables: Tables, s: State, h: HexId, dice: Dice): void {
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

/** Fires at what the active unit has just found. Rule: NF reconstructed fire */
export function fireAgain(tables: Tables, s: State, dice: Dice): void {
  attack(tables, s, activeOf(s), targetIn(tables, s, activeOf(s), targetOf(s)), dice);
  endFire(tables, s);
}

/** Movement is over. Rule: NF reconstructed turn */
export function beginFire(tables: Tables, s: State, dice: Dice): void {
  setPhase(s, FIRE);
  if (tables.narrator !== null) told.tellFirePhase(tables);
  if (tables.flareBeforeFire) flareStep(tables, s, dice);
}

export function endFire(tables: Tables, s: State): void {
  setFlag(s, activeOf(s), FIRED);
  if (tables.narrator !== null) told.tellFired(tables, activeOf(s));
  endActivity(s, FIRE);
}

/** The columns, then movement. Rule: NF reconstructed turn */
export function beginTurn(tables: Tables, s: State, dice: Dice): void {
  setPhase(s, MOVE);
  if (tables.narrator !== null) told.tellTurn(tables, s);
  moveColumns(tables, s, dice);
}

/** German fire is over: the Soviets act, the turn ends. Rule: NF reconstructed results, NF 11.3 */
export function sovietTurn(tables: Tables, s: State, dice: Dice): void {
  for (let u = FIRST_UNIT; u < GERMANS; u++) clearFlags(s, u, SUPPRESSED);
  if (tables.narrator !== null) told.tellSovietStep(tables);
  sovietStep(tables, s, dice);
  if (phaseOf(s) === OVER) return;
  endTurn(tables, s);
  if (turnOf(s) >= tables.rules.turns) return rollVictory(tables, s, dice);
  s[L.turn]!++;
  beginTurn(tables, s, dice);
}
