import type { Dice } from "../core/dice.js";
import { InvariantError } from "../core/errors.js";
import type { State } from "../core/layout.js";
import * as data from "./data.js";
import type { Tables } from "./data.js";
import {
  chooseAir,
  chooseAirRaze,
  chooseAnnounce,
  chooseCancel,
  chooseReduce,
  chooseSturm,
  continueAir,
  openAnnounce,
  openSturm,
} from "./rules/air.js";
import {
  attrition,
  beginCombat,
  chooseArtillery,
  chooseAttritionRaze,
  chooseFight,
  choosePioneer,
  nextArea,
  openEndWindow,
  openFight,
  openPioneer,
} from "./rules/combat.js";
import {
  chooseCross,
  chooseDeployIn,
  chooseDeployOut,
  chooseRatzel,
  openCross,
  openDeploy,
  openDeployIn,
  openRatzel,
} from "./rules/infiltration.js";
import {
  beginInfiltration,
  chooseFortify,
  chooseLose,
  choosePlace,
  resolveCommandDie,
  resolveRattDie,
  resolveTacticsDie,
  resolveUnitDice,
} from "./rules/resolve.js";
import { applyOutcome, beginPlayerTurn, chooseDice, chooseReroll } from "./rules/roll.js";
import { capture, chooseGuards, openVictory } from "./rules/victory.js";
import * as state from "./state.js";
import * as S from "./steps.js";

// own constants, for speed: see core/layout.ts
const { AREAS } = data;
const { AIR, GERMAN, K, L, SOVIET } = state;

/** Set-up and the first Soviet reinforcements. Rule: PS Setup, PS Components, PS Area 5, ruling R10 */
export function startGame(t: Tables, s: State): void {
  s[L.turn] = 1;
  s[L.reserve] = t.unitsPerSide;
  s[L.reserve + 1] = t.unitsPerSide;
  s[L.max6] = t.start.max[0];
  s[L.max6 + 1] = t.start.max[1];
  for (const area of t.start.fort) s[L.fort + area] = 1;
  for (const { side, area, n } of t.start.units) {
    s[L.units + side * AREAS + area] = n;
    s[L.reserve + side]! -= n;
  }
  beginPlayerTurn(t, s, SOVIET);
}

/** Carries out a legal action and runs to the next decision. */
export function play(t: Tables, s: State, action: number, dice: Dice): void {
  run(t, s, choose(t, s, action, dice));
}

/** Goes on from a chance node. */
export function playOutcome(t: Tables, s: State, index: number): void {
  run(t, s, applyOutcome(s, index));
}

function choose(t: Tables, s: State, action: number, dice: Dice): number {
  switch (s[L.kind]) {
    case K.dice:
      return chooseDice(s, action, dice);
    case K.place:
      return choosePlace(s, action);
    case K.reroll:
      return chooseReroll(s, action, dice);
    case K.lose:
      return chooseLose(t, s, action);
    case K.fortify:
      return chooseFortify(t, s, action);
    case K.announce:
      return chooseAnnounce(t, s, action);
    case K.reduce:
      return chooseReduce(t, s, action);
    case K.air:
      return chooseAir(t, s, action);
    case K.cancel:
      return chooseCancel(t, s, action);
    case K.raze:
      return s[L.source] === AIR ? chooseAirRaze(s, action) : chooseAttritionRaze(s, action);
    case K.sturm:
      return chooseSturm(t, s, action);
    case K.cross:
      return chooseCross(t, s, action);
    case K.ratzel:
      return chooseRatzel(t, s, action);
    case K.deployOut:
      return chooseDeployOut(t, s, action);
    case K.deployIn:
      return chooseDeployIn(t, s, action);
    case K.artillery:
      return chooseArtillery(t, s, action);
    case K.fight:
      return chooseFight(t, s, action);
    case K.pioneer:
      return choosePioneer(t, s, action);
    case K.guards:
      return chooseGuards(t, s, action);
    default:
      throw new InvariantError(`pocket-stalingrad: an action came at decision kind ${s[L.kind]}`);
  }
}

/** Runs steps until one waits for a decision. Rule: PS Turn sequence, PS 4, PS 6 */
function run(t: Tables, s: State, from: number): void {
  let step = from;
  while (step !== S.WAIT) step = next(t, s, step);
}

function next(t: Tables, s: State, step: number): number {
  switch (step) {
    case S.UNITS:
      return resolveUnitDice(t, s);
    case S.COMMAND_DIE:
      return resolveCommandDie(t, s);
    case S.RATT_DIE:
      return resolveRattDie(t, s);
    case S.TACTICS_DIE:
      return resolveTacticsDie(t, s);
    case S.INFILTRATION:
      return beginInfiltration(s);
    case S.ANNOUNCE_STEP:
      return openAnnounce(t, s);
    case S.AIR_STEP:
      return continueAir(t, s);
    case S.STURM_STEP:
      return openSturm(t, s);
    case S.CROSS_STEP:
      return openCross(t, s);
    case S.RATZEL_STEP:
      return openRatzel(t, s);
    case S.DEPLOY_STEP:
      return openDeploy(t, s);
    case S.DEPLOY_IN_STEP:
      return openDeployIn(t, s);
    case S.END_PLAYER_TURN:
      if (s[L.active] === GERMAN) return beginCombat(t, s);
      beginPlayerTurn(t, s, GERMAN);
      return S.WAIT;
    case S.FIGHT_STEP:
      return openFight(t, s);
    case S.PIONEER_STEP:
      return openPioneer(t, s);
    case S.ATTRITION_STEP:
      return attrition(s);
    case S.NEXT_AREA:
      return nextArea(t, s);
    case S.END_WINDOW:
      return openEndWindow(t, s);
    case S.VICTORY:
      return openVictory(t, s);
    case S.CAPTURE:
      return capture(t, s);
    default:
      throw new InvariantError(`pocket-stalingrad: there is no step ${step}`);
  }
}
