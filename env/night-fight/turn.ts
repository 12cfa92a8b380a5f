import type { Play } from "../core/play.js";
import type { State } from "../core/layout.js";
import { GERMANS, type HexId, FIRST_UNIT } from "./data.js";
import type { Tables } from "./data.js";
import { moveColumns } from "./rules/columns.js";
import { attack, targetIn } from "./rules/combat.js";
import { endTurn, flareStep, sovietStep } from "./rules/soviet.js";
import { spot } from "./rules/spotting.js";
import { rollVictory } from "./rules/victory.js";
import * as events from "./events/index.js";
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

/** Attacks a target in the hex if there is one, otherwise spots there. Rule: NF reconstructed fire */
export function engage(tables: Tables, s: State, h: HexId, play: Play): void {
  const u = activeOf(s);
  const target = targetIn(tables, s, u, h);
  if (target >= 0) attack(tables, s, u, target, play);
  else if (spot(tables, s, u, h, play) && targetIn(tables, s, u, h) >= 0) {
    s[L.target] = h;
    setPhase(s, FOLLOW);
    return;
  }
  endFire(tables, s, play);
}

/** Fires at what the active unit has just found. Rule: NF reconstructed fire */
export function fireAgain(tables: Tables, s: State, play: Play): void {
  attack(tables, s, activeOf(s), targetIn(tables, s, activeOf(s), targetOf(s)), play);
  endFire(tables, s, play);
}

/** Movement is over. Rule: NF reconstructed turn */
export function beginFire(tables: Tables, s: State, play: Play): void {
  setPhase(s, FIRE);
  if (play.narrator !== null) events.tellFirePhase(play);
  if (tables.flareBeforeFire) flareStep(tables, s, play);
}

export function endFire(tables: Tables, s: State, play: Play): void {
  setFlag(s, activeOf(s), FIRED);
  if (play.narrator !== null) events.tellFired(tables, activeOf(s), play);
  endActivity(s, FIRE);
}

/** The columns, then movement. Rule: NF reconstructed turn */
export function beginTurn(tables: Tables, s: State, play: Play): void {
  setPhase(s, MOVE);
  if (play.narrator !== null) events.tellTurn(tables, s, play);
  moveColumns(tables, s, play);
}

/**
 * German fire is over: the Soviets act, the turn ends. Rule: NF reconstructed turn, NF reconstructed results, NF 11.3
 */
export function sovietTurn(tables: Tables, s: State, play: Play): void {
  for (let u = FIRST_UNIT; u < GERMANS; u++) clearFlags(s, u, SUPPRESSED);
  if (play.narrator !== null) events.tellSovietStep(play);
  sovietStep(tables, s, play);
  if (phaseOf(s) === OVER) return;
  endTurn(s, play);
  if (turnOf(s) >= tables.rules.turns) return rollVictory(tables, s, play);
  s[L.turn]!++;
  beginTurn(tables, s, play);
}
