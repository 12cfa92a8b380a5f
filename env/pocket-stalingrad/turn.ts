import type { Dice } from "../core/dice/dice.js";
import { InvariantError } from "../core/errors.js";
import type { State } from "../core/layout.js";
import { AREAS } from "./data.js";
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
import { AIR, GERMAN, DECISION, L, SOVIET } from "./state.js";
import * as steps from "./steps.js";

/** Set-up and the first Soviet reinforcements. Rule: PS Setup, PS Components, PS Area 5, ruling R10 */
export function startGame(tables: Tables, s: State): void {
  s[L.turn] = 1;
  s[L.reserve] = tables.unitsPerSide;
  s[L.reserve + 1] = tables.unitsPerSide;
  s[L.max6] = tables.start.max[0];
  s[L.max6 + 1] = tables.start.max[1];
  for (const area of tables.start.fort) s[L.fort + area] = 1;
  for (const { side, area, n } of tables.start.units) {
    s[L.units + side * AREAS + area] = n;
    s[L.reserve + side]! -= n;
  }
  beginPlayerTurn(tables, s, SOVIET);
}

/** Carries out a legal action and runs to the next decision. */
export function applyAction(tables: Tables, s: State, action: number, dice: Dice): void {
  run(tables, s, choose(tables, s, action, dice));
}

/** Goes on from a chance node. */
export function applyChanceOutcome(tables: Tables, s: State, index: number): void {
  run(tables, s, applyOutcome(tables, s, index));
}

function choose(tables: Tables, s: State, action: number, dice: Dice): number {
  switch (s[L.kind]) {
    case DECISION.dice:
      return chooseDice(tables, s, action, dice);
    case DECISION.place:
      return choosePlace(tables, s, action);
    case DECISION.reroll:
      return chooseReroll(tables, s, action, dice);
    case DECISION.lose:
      return chooseLose(tables, s, action);
    case DECISION.fortify:
      return chooseFortify(tables, s, action);
    case DECISION.announce:
      return chooseAnnounce(tables, s, action);
    case DECISION.reduce:
      return chooseReduce(tables, s, action);
    case DECISION.air:
      return chooseAir(tables, s, action);
    case DECISION.cancel:
      return chooseCancel(tables, s, action);
    case DECISION.raze:
      return s[L.source] === AIR ? chooseAirRaze(tables, s, action) : chooseAttritionRaze(tables, s, action);
    case DECISION.sturm:
      return chooseSturm(tables, s, action);
    case DECISION.cross:
      return chooseCross(tables, s, action);
    case DECISION.ratzel:
      return chooseRatzel(tables, s, action);
    case DECISION.deployOut:
      return chooseDeployOut(tables, s, action);
    case DECISION.deployIn:
      return chooseDeployIn(tables, s, action);
    case DECISION.artillery:
      return chooseArtillery(tables, s, action);
    case DECISION.fight:
      return chooseFight(tables, s, action);
    case DECISION.pioneer:
      return choosePioneer(tables, s, action);
    case DECISION.guards:
      return chooseGuards(tables, s, action);
    default:
      throw new InvariantError(`pocket-stalingrad: an action came at decision kind ${s[L.kind]}`);
  }
}

/** Runs steps until one waits for a decision. Rule: PS Turn sequence, PS 4, PS 6 */
function run(tables: Tables, s: State, from: number): void {
  let step = from;
  while (step !== steps.WAIT) step = next(tables, s, step);
}

function next(tables: Tables, s: State, step: number): number {
  switch (step) {
    case steps.UNITS:
      return resolveUnitDice(tables, s);
    case steps.COMMAND_DIE:
      return resolveCommandDie(tables, s);
    case steps.RATT_DIE:
      return resolveRattDie(tables, s);
    case steps.TACTICS_DIE:
      return resolveTacticsDie(tables, s);
    case steps.INFILTRATION:
      return beginInfiltration(tables, s);
    case steps.ANNOUNCE_STEP:
      return openAnnounce(tables, s);
    case steps.AIR_STEP:
      return continueAir(tables, s);
    case steps.STURM_STEP:
      return openSturm(tables, s);
    case steps.CROSS_STEP:
      return openCross(tables, s);
    case steps.RATZEL_STEP:
      return openRatzel(tables, s);
    case steps.DEPLOY_STEP:
      return openDeploy(tables, s);
    case steps.DEPLOY_IN_STEP:
      return openDeployIn(tables, s);
    case steps.PLAYER_TURN_END:
      if (s[L.active] === GERMAN) return beginCombat(tables, s);
      beginPlayerTurn(tables, s, GERMAN);
      return steps.WAIT;
    case steps.FIGHT_STEP:
      return openFight(tables, s);
    case steps.PIONEER_STEP:
      return openPioneer(tables, s);
    case steps.ATTRITION_STEP:
      return attrition(tables, s);
    case steps.NEXT_AREA:
      return nextArea(tables, s);
    case steps.END_WINDOW:
      return openEndWindow(tables, s);
    case steps.VICTORY:
      return openVictory(tables, s);
    case steps.CAPTURE:
      return capture(tables, s);
    default:
      throw new InvariantError(`pocket-stalingrad: there is no step ${step}`);
  }
}
