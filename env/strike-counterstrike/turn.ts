import type { Dice } from "../core/dice.js";
import { InvariantError } from "../core/errors.js";
import { newState, RNG_WORDS, type State, type StateView } from "../core/layout.js";
import * as actions from "./actions.js";
import * as data from "./data.js";
import { fightRound, killUnits, openRound, takeGermanLosses, withdraw } from "./rules/combat.js";
import { redrawFront, surveyFront } from "./rules/front.js";
import { countForce } from "./rules/garrison.js";
import { activate, mayActivate, mayEnter, moveTo } from "./rules/movement.js";
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
import * as state from "./state.js";
import type { World } from "./state.js";

// own constants, for speed: see core/layout.ts
const { ARMY, COMMIT, CONCEDE, DONE, firstHex, HOLD, LOSE, PRESS, STOP, WITHDRAW } = actions;
const { MECH, SEC } = data;
const {
  activeArmy,
  BATTLE,
  endActivation,
  finish,
  GARRISON,
  GARRISONED,
  hexOfArmy,
  isOver,
  P,
  POOL,
  R,
  setGerman,
  setMarker,
  TRACK,
} = state;

/** The set-up before the first draw, the same in every game. Rule: SC 3.2 to SC 3.6 */
export function setUp(w: World): State {
  const { L, t } = w;
  const s = newState(L.size);
  s[L.turn] = 1;
  s[L.purge] = -1;
  s[L.engineer] = t.engineer.strength;
  s[L.interceptor] = 1;
  for (let a = 0; a < w.armies; a++) {
    const army = t.armies[a]!;
    s[L.armyHex + a] = army.setup >= 0 ? army.setup : TRACK;
    s[L.armySteps + a] = army.setup >= 0 ? army.strength : 0;
  }
  for (let h = 0; h < w.hexes; h++) setGerman(w, s, h, t.startGerman[h]!);
  for (let c = 0; c < w.counters; c++) {
    const { enters } = t.counters[c]!;
    if (enters > 0) toBox(w, s, c, enters);
    else {
      layOpen(w, s, c, POOL);
      s[L.poolSize]!++;
    }
  }
  surveyFront(w, s);
  s[L.phase] = P.setup;
  return s;
}

/** Draws the front line; the first decision is who hosts 1E. Rule: SC 3.4, SC 3.5 */
export function startGame(w: World, ready: State, s: State, dice: Dice): void {
  s.set(ready.subarray(RNG_WORDS), RNG_WORDS); // all but the random stream
  redrawFront(w, s, dice);
}

/** Carries out a legal action and runs on to the next decision. Rule: SC 5.2 */
export function play(w: World, s: State, action: number, concede: boolean, dice: Dice): void {
  const { L } = w;
  const army = action - ARMY;
  const hex = action - firstHex(w.t);
  switch (s[L.phase]) {
    case P.setup: // SC 3.5
      s[L.host] = army + 1;
      s[L.phase] = P.activate;
      break;
    case P.replace:
      if (action === DONE) afterReplacements(w, s);
      else replaceStep(w, s, army);
      break;
    case P.enter:
      enterArmy(w, s, action === DONE ? -1 : hex);
      break;
    case P.partisan:
      convert(w, s, action === DONE ? -1 : hex, dice);
      break;
    case P.activate:
      if (action === DONE) administer(w, s, dice);
      else if (action === CONCEDE && concede)
        finish(w, s, R.concede); // Rule: SC 5.4
      else activate(w, s, army);
      break;
    case P.move:
      if (action === STOP) endActivation(w, s);
      else moveTo(w, s, hex, dice);
      break;
    case P.commit: // SC 10.11
      if (action === COMMIT) {
        s[L.committed] = 1;
        s[L.interceptor] = 0;
      }
      fightRound(w, s, dice);
      break;
    case P.losses: // SC 10.14
      killUnits(w, s, action - LOSE, 1);
      s[L.hits]!--;
      takeGermanLosses(w, s, s[L.stage]!, dice);
      break;
    case P.press: // Rule: SC 9.3, 9.5
      if (action === PRESS) {
        s[L.mp]! -= w.t.extraRoundCost;
        s[L.round]!++;
        openRound(w, s, dice);
      } else withdraw(w, s);
      break;
    case P.attach: // SC 6.3
      s[L.host] = army + 1;
      endTurn(w, s, dice);
      break;
    default:
      throw new InvariantError("strike-counterstrike: an action came after the end");
  }
}

/** Phase IV: garrisons leave, the front is redrawn, flags are cleared, 1E may change its host. Rule: SC 5.5, SC 8.9, SC 6.3, ruling R21 */
function administer(w: World, s: State, dice: Dice): void {
  const { L } = w;
  for (let h = 0; h < w.hexes; h++)
    if (s[L.marker + h] === GARRISONED) {
      setMarker(w, s, h, 0);
      for (let c = 0; c < w.counters; c++) if (s[L.place + c] === GARRISON && s[L.site + c] === h) toPool(w, s, c);
    }
  if (!redrawFront(w, s, dice)) return;
  for (let a = 0; a < w.armies; a++) {
    s[L.armyStopped + a] = 0;
    s[L.armyFired + a] = 0;
  }
  if (s[L.engineer]! > 0 && s[L.turn]! < 6) s[L.phase] = P.attach;
  else endTurn(w, s, dice);
}

/** The check, then Phases I and II of the next turn. Rule: SC 5.2, SC 5.3 */
function endTurn(w: World, s: State, dice: Dice): void {
  const { L } = w;
  if (!checkVictory(w, s, dice)) return;
  if (s[L.turn] === K_CHECK) closeEntries(w, s);
  s[L.turn]!++;
  germanPhase(w, s);
  sovietPhase(w, s);
}

/** Writes 1 for each legal action; the mask is zero before. @returns how many */
export function setLegal(w: World, s: StateView, concede: boolean, mask: Uint8Array, at: number): number {
  if (isOver(w, s)) return 0;
  let n = 0;
  switch (s[w.L.phase]) {
    case P.setup:
    case P.attach:
      for (let a = 0; a < w.armies; a++) if (hexOfArmy(w, s, a) >= 0) n += set(mask, at + ARMY + a);
      return n;
    case P.replace:
      for (let a = 0; a < w.armies; a++) if (mayReplace(w, s, a)) n += set(mask, at + ARMY + a);
      return n + set(mask, at + DONE);
    case P.enter:
    case P.partisan:
      n = setTargets(w, s, mask, at + firstHex(w.t), 1);
      return n > 0 ? n : set(mask, at + DONE);
    case P.activate:
      for (let a = 0; a < w.armies; a++) if (mayActivate(w, s, a)) n += set(mask, at + ARMY + a);
      if (concede) n += set(mask, at + CONCEDE);
      return n + set(mask, at + DONE);
    case P.move:
      return setTargets(w, s, mask, at + firstHex(w.t), 1) + set(mask, at + STOP);
    case P.commit:
      return set(mask, at + COMMIT) + set(mask, at + HOLD);
    case P.losses:
      countForce(w, s, BATTLE);
      for (let cls = MECH; cls <= SEC; cls++) if (w.force[cls]! > 0) n += set(mask, at + LOSE + cls);
      return n;
    case P.press:
      return set(mask, at + PRESS) + set(mask, at + WITHDRAW);
    default:
      return 0;
  }
}

function set(mask: Uint8Array, i: number): 1 {
  mask[i] = 1;
  return 1;
}

/** Writes 1 at `at + hex * stride` for each hex that the decision may name. @returns how many */
export function setTargets(w: World, s: StateView, out: Uint8Array | Float32Array, at: number, stride: number): number {
  const { L } = w;
  let n = 0;
  switch (s[L.phase]) {
    case P.enter:
    case P.partisan:
      for (let h = 0; h < w.hexes; h++)
        if (s[L.phase] === P.enter ? mayEnterMap(w, s, h) : mayConvert(w, s, h)) {
          out[at + h * stride] = 1;
          n++;
        }
      return n;
    case P.move: {
      const from = hexOfArmy(w, s, activeArmy(w, s)) * 6;
      for (let d = from; d < from + 6; d++) {
        const h = w.t.grid.neighbours[d]!;
        if (h >= 0 && mayEnter(w, s, h)) {
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
