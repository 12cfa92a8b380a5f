import type { Play } from "../../core/play.js";
import { multisets6 } from "../../core/dice/enumerating-dice.js";
import type { ChanceOutcome } from "../../core/game.js";
import type { State, StateView } from "../../core/layout.js";
import * as events from "../events/dice.js";
import { KEEP_SPECIAL_DIE, KEEP_UNIT, ROLL } from "../actions.js";
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
  activeOf,
  actorOf,
  NO_SIDE,
} from "../state.js";
import { RATT_DIE, UNITS, WAIT } from "../steps.js";
import type { SideId } from "../data.js";

const UNIT_DICE = 5;

/** Reinforcements, then the dice are taken up. Rule: PS 1, rulings R13, R14 */
export function beginPlayerTurn(tables: Tables, s: State, side: SideId, play: Play): void {
  s[L.active] = side;
  const own = area6(side);
  const n = Math.min(tables.reinforcements[side]!, room(tables, s, side, own), reserveOf(s, side));
  for (let i = 0; i < n; i++) addUnit(s, side, own);
  clearDice(s);
  if (play.narrator !== null) {
    events.tellPlayerTurn(s, side, play);
    events.tellReinforcements(tables, side, own, n, play);
  }
  ask(s, DECISION.dice, side);
}

function keptUnitDice(s: StateView): number {
  let n = 0;
  for (let f = 0; f < 6; f++) n += s[L.kept + f]!;
  return n;
}

/** Dice that may be kept, and whether to throw. Rule: PS 2, rulings R14, R15, R16 */
export function markDice(_tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  let kept = 0;
  for (let f = 0; f < 6; f++) {
    kept += s[L.kept + f]!;
    if (s[L.loose + f]! > 0) {
      mask[at + KEEP_UNIT + f] = 1;
      n++;
    }
  }
  for (let d = 0; d < 3; d++) {
    kept += s[L.keptSpecialDice + d]!;
    if (s[L.looseSpecialDice + d]! > 0) {
      mask[at + KEEP_SPECIAL_DIE + d] = 1;
      n++;
    }
  }
  // ruling R14: the first throw is an action too
  if ((n === 0 && kept === 0) || (n > 0 && s[L.picked] === 1)) {
    mask[at + ROLL] = 1;
    n++;
  }
  return n;
}

/** Keeps all loose unit dice of one number. Rule: PS 2, ruling R15 */
export function keepUnits(_tables: Tables, s: State, face: number, play: Play): number {
  const f = face - 1;
  if (play.narrator !== null) events.tellKeepUnits(activeOf(s), face, s[L.loose + f]!, play);
  s[L.kept + f]! += s[L.loose + f]!;
  s[L.loose + f] = 0;
  return afterKeeping(s);
}

/** Keeps the Command, Tactics or Ratt die. Rule: PS 2, ruling R16 */
export function keepSpecial(_tables: Tables, s: State, d: number, play: Play): number {
  if (play.narrator !== null) events.tellKeepSpecial(activeOf(s), d, s[L.looseSpecialDice + d]!, play);
  s[L.keptSpecialDice + d] = s[L.looseSpecialDice + d]!;
  s[L.looseSpecialDice + d] = 0;
  return afterKeeping(s);
}

function afterKeeping(s: State): number {
  s[L.picked] = 1;
  for (let f = 0; f < 6; f++) if (s[L.loose + f]! > 0) return WAIT;
  for (let d = 0; d < 3; d++) if (s[L.looseSpecialDice + d]! > 0) return WAIT;
  return UNITS;
}

/** Throws all dice not kept, in the order units, Command, Tactics, Ratt. Rule: PS 2 */
export function roll(tables: Tables, s: State, play: Play): number {
  const k = UNIT_DICE - keptUnitDice(s);
  for (let f = 0; f < 6; f++) s[L.loose + f] = 0;
  for (let d = 0; d < 3; d++) s[L.looseSpecialDice + d] = 0;
  s[L.picked] = 0;
  if (s[L.explicit] === 1) {
    let awaiting = k > 0 ? AWAIT_UNITS : 0;
    for (let d = 0; d < 3; d++) if (s[L.keptSpecialDice + d] === 0) awaiting |= AWAIT_SPECIAL[d]!;
    ask(s, DECISION.chance, NO_SIDE);
    s[L.awaiting] = awaiting;
    return WAIT;
  }
  if (k > 0) play.dice.throw6(k, s, L.loose);
  for (let d = 0; d < 3; d++) if (s[L.keptSpecialDice + d] === 0) s[L.looseSpecialDice + d] = play.dice.d6();
  if (play.narrator !== null) events.tellThrow(tables, s, activeOf(s), play);
  return WAIT;
}

/** Pavlov's House: one forced re-roll of the Ratt die. Rule: PS Area 2, ruling R8 */
export function reroll(tables: Tables, s: State, play: Play): number {
  if (s[L.explicit] === 1) {
    ask(s, DECISION.chance, NO_SIDE);
    s[L.awaiting] = AWAIT_REROLL;
    return WAIT;
  }
  s[L.keptSpecialDice + RATT] = play.dice.d6();
  if (play.narrator !== null) events.tellReroll(tables, s, actorOf(s), play);
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
export function applyOutcome(tables: Tables, s: State, index: number, play: Play): number {
  const awaiting = s[L.awaiting]!;
  if (awaiting === AWAIT_REROLL) {
    s[L.keptSpecialDice + RATT] = index + 1;
    if (play.narrator !== null) events.tellReroll(tables, s, controller(s, tables.pavlov), play);
    return RATT_DIE;
  }
  let settled = AWAIT_UNITS;
  if (awaiting & AWAIT_UNITS) {
    const { counts } = multisets6(UNIT_DICE - keptUnitDice(s))[index]!;
    for (let f = 0; f < 6; f++) s[L.loose + f] = counts[f]!;
    if (play.narrator !== null) events.tellUnitThrow(tables, s, activeOf(s), play);
  } else {
    const d = AWAIT_SPECIAL.findIndex((bit) => (awaiting & bit) !== 0);
    settled = AWAIT_SPECIAL[d]!;
    s[L.looseSpecialDice + d] = index + 1;
    if (play.narrator !== null) events.tellSpecialThrow(tables, activeOf(s), d, index + 1, play);
  }
  const left = awaiting & ~settled;
  if (left === 0) ask(s, DECISION.dice, activeOf(s));
  else s[L.awaiting] = left;
  return WAIT;
}
