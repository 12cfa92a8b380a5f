import type { Dice } from "../../core/dice/dice.js";
import { multisets6 } from "../../core/dice/enumerating-dice.js";
import type { ChanceOutcome } from "../../core/game.js";
import type { State, StateView } from "../../core/layout.js";
import * as told from "../events/dice.js";
import { KEEP_SPECIAL_DIE, KEEP_UNIT, REROLL, ROLL } from "../actions.js";
import type { Tables } from "../data.js";
import {
  addUnit,
  area6,
  ask,
  AWAIT_REROLL,
  AWAIT_SPECIAL,
  AWAIT_UNITS,
  clearDice,
  controller,
  DECISION,
  L,
  RATT,
  reserveOf,
  room,
  SPECIAL_DICE,
} from "../state.js";
import { RATT_DIE, UNITS, WAIT } from "../steps.js";

const UNIT_DICE = 5;

/** Reinforcements, then the dice are taken up. Rule: PS 1, rulings R13, R14 */
export function beginPlayerTurn(tables: Tables, s: State, side: number): void {
  s[L.active] = side;
  const own = area6(side);
  const n = Math.min(tables.reinforcements[side]!, room(tables, s, side, own), reserveOf(s, side));
  for (let i = 0; i < n; i++) addUnit(s, side, own);
  clearDice(s);
  if (tables.narrator !== null) {
    told.tellPlayerTurn(tables, s, side);
    told.tellReinforcements(tables, side, own, n);
  }
  ask(s, DECISION.dice, side);
}

function keptUnitDice(s: StateView): number {
  let n = 0;
  for (let f = 0; f < 6; f++) n += s[L.kept + f]!;
  return n;
}

/** A decision of kind `dice`. Rule: PS 2, rulings R15, R16 */
export function chooseDice(tables: Tables, s: State, action: number, dice: Dice): number {
  if (action === ROLL) return roll(tables, s, dice);
  if (action < KEEP_SPECIAL_DIE) {
    const f = action - KEEP_UNIT;
    if (tables.narrator !== null) told.tellKeepUnits(tables, s[L.active]!, f + 1, s[L.loose + f]!);
    s[L.kept + f]! += s[L.loose + f]!;
    s[L.loose + f] = 0;
  } else {
    const d = action - KEEP_SPECIAL_DIE;
    if (tables.narrator !== null) told.tellKeepSpecial(tables, s[L.active]!, d, s[L.looseSpecialDice + d]!);
    s[L.keptSpecialDice + d] = s[L.looseSpecialDice + d]!;
    s[L.looseSpecialDice + d] = 0;
  }
  s[L.picked] = 1;
  for (let f = 0; f < 6; f++) if (s[L.loose + f]! > 0) return WAIT;
  for (let d = 0; d < 3; d++) if (s[L.looseSpecialDice + d]! > 0) return WAIT;
  return UNITS;
}

/** Throws all dice not kept, in the order units, Command, Tactics, Ratt. Rule: PS 2 */
function roll(tables: Tables, s: State, dice: Dice): number {
  const k = UNIT_DICE - keptUnitDice(s);
  for (let f = 0; f < 6; f++) s[L.loose + f] = 0;
  for (let d = 0; d < 3; d++) s[L.looseSpecialDice + d] = 0;
  s[L.picked] = 0;
  if (s[L.explicit] === 1) {
    let awaiting = k > 0 ? AWAIT_UNITS : 0;
    for (let d = 0; d < 3; d++) if (s[L.keptSpecialDice + d] === 0) awaiting |= AWAIT_SPECIAL[d]!;
    ask(s, DECISION.chance, 2);
    s[L.awaiting] = awaiting;
    return WAIT;
  }
  if (k > 0) dice.throw6(k, s, L.loose);
  for (let d = 0; d < 3; d++) if (s[L.keptSpecialDice + d] === 0) s[L.looseSpecialDice + d] = dice.d6();
  if (tables.narrator !== null) told.tellThrow(tables, s, s[L.active]!);
  return WAIT;
}

/** Pavlov's House: one forced re-roll of the Ratt die, or not. Rule: PS Area 2, ruling R8 */
export function chooseReroll(tables: Tables, s: State, action: number, dice: Dice): number {
  if (action !== REROLL) return RATT_DIE;
  if (s[L.explicit] === 1) {
    ask(s, DECISION.chance, 2);
    s[L.awaiting] = AWAIT_REROLL;
    return WAIT;
  }
  s[L.keptSpecialDice + RATT] = dice.d6();
  if (tables.narrator !== null) told.tellReroll(tables, s, s[L.actor]!);
  return RATT_DIE;
}

const D6 = [1, 2, 3, 4, 5, 6];

/** Outcomes of the first part awaited at a chance node. */
export function outcomesAwaited(s: StateView): ChanceOutcome[] {
  const awaiting = s[L.awaiting]!;
  if (awaiting & AWAIT_UNITS) {
    const k = UNIT_DICE - keptUnitDice(s);
    return multisets6(k).map((m) => ({ name: `units ${m.faces.join(",")}`, probability: m.weight / 6 ** k }));
  }
  const part =
    awaiting === AWAIT_REROLL ? "reroll" : SPECIAL_DICE[AWAIT_SPECIAL.findIndex((bit) => (awaiting & bit) !== 0)]!;
  return D6.map((face) => ({ name: `${part} ${face}`, probability: 1 / 6 }));
}

/** Settles the first part awaited; the decision goes on when none is left. */
export function applyOutcome(tables: Tables, s: State, index: number): number {
  const awaiting = s[L.awaiting]!;
  if (awaiting === AWAIT_REROLL) {
    s[L.keptSpecialDice + RATT] = index + 1;
    if (tables.narrator !== null) told.tellReroll(tables, s, controller(s, tables.pavlov));
    return RATT_DIE;
  }
  let settled = AWAIT_UNITS;
  if (awaiting & AWAIT_UNITS) {
    const { counts } = multisets6(UNIT_DICE - keptUnitDice(s))[index]!;
    for (let f = 0; f < 6; f++) s[L.loose + f] = counts[f]!;
    if (tables.narrator !== null) told.tellUnitThrow(tables, s, s[L.active]!);
  } else {
    const d = AWAIT_SPECIAL.findIndex((bit) => (awaiting & bit) !== 0);
    settled = AWAIT_SPECIAL[d]!;
    s[L.looseSpecialDice + d] = index + 1;
    if (tables.narrator !== null) told.tellSpecialThrow(tables, s[L.active]!, d, index + 1);
  }
  const left = awaiting & ~settled;
  if (left === 0) ask(s, DECISION.dice, s[L.active]!);
  else s[L.awaiting] = left;
  return WAIT;
}
