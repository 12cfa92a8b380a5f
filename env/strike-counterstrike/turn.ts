import type { Dice } from "../core/dice/dice.js";
import { InvariantError } from "../core/errors.js";
import { newState, RNG_WORDS, type State, type StateView } from "../core/layout.js";
import { ARMY, COMMIT, CONCEDE, DONE, firstHex, HOLD, LOSE, PRESS, STOP, WITHDRAW } from "./actions.js";
import { MECH, SEC } from "./data.js";
import { fightRound, loseUnit, openRound, takeGermanLosses, withdraw } from "./rules/combat.js";
import { interceptorSent, pressedOn } from "./events/battle.js";
import { garrisonLeft } from "./events/front.js";
import * as told from "./events/turn.js";
import { redrawFront, surveyFront } from "./rules/front.js";
import { countForce } from "./rules/garrison.js";
import { activate, mayActivate, mayEnter, moveTo, stop } from "./rules/movement.js";
import { layOpen, toBox, toPool } from "./rules/pool.js";
import {
  afterReplacements,
  closeEntries,
  convert,
  enterArmy,
  germanPhase,
  mayConvert,
  mayEnterMap,
  mayReplace,
  replaceStep,
  sovietPhase,
} from "./rules/reinforcement.js";
import { checkVictory, K_CHECK } from "./rules/victory.js";
import { BATTLE, GARRISON, GARRISONED, PHASE, POOL, RESULT, TRACK } from "./layout.js";
import { activeArmy, finish, hexOfArmy, isOver, setGerman, setMarker } from "./state.js";
import type { Tables } from "./data.js";

/** The set-up before the first draw, the same in every game. Rule: SC 3.2 to SC 3.6 */
export function setUpState(tables: Tables): State {
  const { L } = tables;
  const s = newState(L.size);
  s[L.turn] = 1;
  s[L.purge] = -1;
  s[L.engineer] = tables.engineer.strength;
  s[L.interceptor] = 1;
  for (let a = 0; a < tables.armyCount; a++) {
    const army = tables.armies[a]!;
    s[L.armyHex + a] = army.setup >= 0 ? army.setup : TRACK;
    s[L.armySteps + a] = army.setup >= 0 ? army.strength : 0;
  }
  for (let h = 0; h < tables.hexCount; h++) setGerman(tables, s, h, tables.startGerman[h]!);
  for (let c = 0; c < tables.counterCount; c++) {
    const { enters } = tables.counters[c]!;
    if (enters > 0) toBox(tables, s, c, enters);
    else {
      layOpen(tables, s, c, POOL);
      s[L.poolSize]!++;
    }
  }
  surveyFront(tables, s);
  s[L.phase] = PHASE.setup;
  return s;
}

/** Draws the front line; the first decision is who hosts 1E. Rule: SC 3.4, SC 3.5 */
export function startGame(tables: Tables, setUp: State, s: State, dice: Dice): void {
  s.set(setUp.subarray(RNG_WORDS), RNG_WORDS); // all but the random stream
  redrawFront(tables, s, dice);
}

/** Carries out a legal action and runs on to the next decision. Rule: SC 5.2 */
export function applyAction(tables: Tables, s: State, action: number, dice: Dice): void {
  const { L, narrator } = tables;
  const army = action - ARMY;
  const hex = action - firstHex(tables);
  switch (s[L.phase]) {
    case PHASE.setup: // SC 3.5
      s[L.host] = army + 1;
      if (narrator !== null) told.engineerJoined(tables, s, army, true);
      s[L.phase] = PHASE.activate;
      break;
    case PHASE.replace:
      if (action === DONE) afterReplacements(tables, s);
      else replaceStep(tables, s, army);
      break;
    case PHASE.enter:
      enterArmy(tables, s, action === DONE ? -1 : hex);
      break;
    case PHASE.partisan:
      convert(tables, s, action === DONE ? -1 : hex, dice);
      break;
    case PHASE.activate:
      if (action === DONE) administer(tables, s, dice);
      else if (action === CONCEDE && tables.mayConcede)
        finish(tables, s, RESULT.concede); // Rule: SC 5.4
      else activate(tables, s, army);
      break;
    case PHASE.move:
      if (action === STOP) stop(tables, s);
      else moveTo(tables, s, hex, dice);
      break;
    case PHASE.commit: // SC 10.11
      if (action === COMMIT) {
        s[L.committed] = 1;
        if (!tables.spentWhenFired) s[L.interceptor] = 0; // ruling R12
        if (narrator !== null) interceptorSent(tables, s);
      }
      fightRound(tables, s, dice);
      break;
    case PHASE.losses: // SC 10.14
      loseUnit(tables, s, action - LOSE);
      takeGermanLosses(tables, s, s[L.stage]!, dice);
      break;
    case PHASE.press: // Rule: SC 9.3, SC 9.5
      if (action === PRESS) {
        s[L.mp]! -= tables.extraRoundCost;
        s[L.round]!++;
        if (narrator !== null) pressedOn(tables, s);
        openRound(tables, s, dice);
      } else withdraw(tables, s, "SC 9.5");
      break;
    case PHASE.attach: // SC 6.3
      s[L.host] = army + 1;
      if (narrator !== null) told.engineerJoined(tables, s, army, false);
      endTurn(tables, s, dice);
      break;
    default:
      throw new InvariantError("strike-counterstrike: an action came after the end");
  }
  if (narrator !== null && isOver(tables, s)) told.gameEnded(tables, s);
}

/**
 * Phase IV: garrisons leave, the front is redrawn, flags are cleared, 1E may change its host; nothing German goes
 * anywhere. Rule: SC 3.9, SC 5.5, SC 8.9, SC 6.3, ruling R21
 */
function administer(tables: Tables, s: State, dice: Dice): void {
  const { L } = tables;
  if (tables.narrator !== null) told.administrationBegun(tables, s);
  for (let h = 0; h < tables.hexCount; h++)
    if (s[L.marker + h] === GARRISONED) {
      if (tables.narrator !== null) garrisonLeft(tables, s, h);
      setMarker(tables, s, h, 0);
      for (let c = 0; c < tables.counterCount; c++)
        if (s[L.place + c] === GARRISON && s[L.site + c] === h) toPool(tables, s, c);
    }
  if (!redrawFront(tables, s, dice)) return;
  for (let a = 0; a < tables.armyCount; a++) {
    s[L.armyStopped + a] = 0;
    s[L.armyFired + a] = 0;
  }
  if (s[L.engineer]! > 0 && s[L.turn]! < 6) s[L.phase] = PHASE.attach;
  else endTurn(tables, s, dice);
}

/** The check, then Phases I and II of the next turn. Rule: SC 5.1, SC 5.2, SC 5.3 */
function endTurn(tables: Tables, s: State, dice: Dice): void {
  const { L } = tables;
  if (!checkVictory(tables, s, dice)) return;
  if (s[L.turn] === K_CHECK) closeEntries(tables, s);
  s[L.turn]!++;
  if (tables.narrator !== null) told.turnBegun(tables, s);
  germanPhase(tables, s);
  sovietPhase(tables, s);
}

/** Writes 1 for each legal action; the mask is zero before. @returns how many */
export function setLegal(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  if (isOver(tables, s)) return 0;
  let n = 0;
  switch (s[tables.L.phase]) {
    case PHASE.setup:
    case PHASE.attach:
      for (let a = 0; a < tables.armyCount; a++) if (hexOfArmy(tables, s, a) >= 0) n += allow(mask, at + ARMY + a);
      return n;
    case PHASE.replace:
      for (let a = 0; a < tables.armyCount; a++) if (mayReplace(tables, s, a)) n += allow(mask, at + ARMY + a);
      return n + allow(mask, at + DONE);
    case PHASE.enter:
    case PHASE.partisan:
      n = setTargets(tables, s, mask, at + firstHex(tables), 1);
      return n > 0 ? n : allow(mask, at + DONE);
    case PHASE.activate:
      for (let a = 0; a < tables.armyCount; a++) if (mayActivate(tables, s, a)) n += allow(mask, at + ARMY + a);
      if (tables.mayConcede) n += allow(mask, at + CONCEDE);
      return n + allow(mask, at + DONE);
    case PHASE.move:
      return setTargets(tables, s, mask, at + firstHex(tables), 1) + allow(mask, at + STOP);
    case PHASE.commit:
      return allow(mask, at + COMMIT) + allow(mask, at + HOLD);
    case PHASE.losses:
      countForce(tables, s, BATTLE);
      for (let cls = MECH; cls <= SEC; cls++) if (tables.force[cls]! > 0) n += allow(mask, at + LOSE + cls);
      return n;
    case PHASE.press:
      return allow(mask, at + PRESS) + allow(mask, at + WITHDRAW);
    default:
      return 0;
  }
}

function allow(mask: Uint8Array, i: number): 1 {
  mask[i] = 1;
  return 1;
}

/** Writes 1 at `at + hex * stride` for each hex that the decision may name. @returns how many */
export function setTargets(
  tables: Tables,
  s: StateView,
  out: Uint8Array | Float32Array,
  at: number,
  stride: number,
): number {
  const { L } = tables;
  let n = 0;
  switch (s[L.phase]) {
    case PHASE.enter:
    case PHASE.partisan:
      for (let h = 0; h < tables.hexCount; h++)
        if (s[L.phase] === PHASE.enter ? mayEnterMap(tables, s, h) : mayConvert(tables, s, h)) {
          out[at + h * stride] = 1;
          n++;
        }
      return n;
    case PHASE.move: {
      const from = hexOfArmy(tables, s, activeArmy(tables, s)) * 6;
      for (let d = from; d < from + 6; d++) {
        const h = tables.grid.neighbours[d]!;
        if (h >= 0 && mayEnter(tables, s, h)) {
          out[at + h * stride] = 1;
          n++;
        }
      }
      return n;
    }
    default:
      return 0;
  }
}
