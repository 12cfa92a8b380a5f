import type { Play } from "../core/play.js";
import { InvariantError } from "../core/errors.js";
import type { State } from "../core/layout.js";
import { AREAS } from "./data.js";
import type { Tables } from "./data.js";
import { continueAir, openAnnounce, openSturm } from "./rules/air.js";
import { attrition, beginCombat, nextArea, openEndWindow, openFight, openPioneer } from "./rules/combat.js";
import { openCross, openDeploy, openDeployIn, openRatzel } from "./rules/infiltration.js";
import {
  beginInfiltration,
  resolveCommandDie,
  resolveRattDie,
  resolveTacticsDie,
  resolveUnitDice,
} from "./rules/resolve.js";
import { applyOutcome, beginPlayerTurn } from "./rules/roll.js";
import { capture, openVictory } from "./rules/victory.js";
import { GERMAN, L, SOVIET } from "./state.js";
import { decisions } from "./decisions/index.js";
import * as steps from "./steps.js";

/** Set-up and the first Soviet reinforcements. Rule: PS Setup, PS Components, PS Area 5, ruling R10 */
export function startGame(tables: Tables, s: State, play: Play): void {
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
  beginPlayerTurn(tables, s, SOVIET, play);
}

/** Carries out a legal action and runs to the next decision. */
export function applyAction(tables: Tables, s: State, action: number, play: Play): void {
  run(tables, s, decisions.apply(tables, s, s[L.kind]!, action, play), play);
}

/** Goes on from a chance node. */
export function applyChanceOutcome(tables: Tables, s: State, index: number, play: Play): void {
  run(tables, s, applyOutcome(tables, s, index, play), play);
}

/** Runs steps until one waits for a decision. Rule: PS Turn sequence, PS 4, PS 6 */
function run(tables: Tables, s: State, from: number, play: Play): void {
  let step = from;
  while (step !== steps.WAIT) step = next(tables, s, step, play);
}

function next(tables: Tables, s: State, step: number, play: Play): number {
  switch (step) {
    case steps.UNITS:
      return resolveUnitDice(tables, s, play);
    case steps.COMMAND_DIE:
      return resolveCommandDie(tables, s, play);
    case steps.RATT_DIE:
      return resolveRattDie(tables, s, play);
    case steps.TACTICS_DIE:
      return resolveTacticsDie(tables, s, play);
    case steps.INFILTRATION:
      return beginInfiltration(s, play);
    case steps.ANNOUNCE_STEP:
      return openAnnounce(tables, s);
    case steps.AIR_STEP:
      return continueAir(tables, s);
    case steps.STURM_STEP:
      return openSturm(tables, s);
    case steps.CROSS_STEP:
      return openCross(tables, s);
    case steps.RATZEL_STEP:
      return openRatzel(tables, s, play);
    case steps.DEPLOY_STEP:
      return openDeploy(tables, s, play);
    case steps.DEPLOY_IN_STEP:
      return openDeployIn(tables, s, play);
    case steps.PLAYER_TURN_END:
      if (s[L.active] === GERMAN) return beginCombat(tables, s, play);
      beginPlayerTurn(tables, s, GERMAN, play);
      return steps.WAIT;
    case steps.FIGHT_STEP:
      return openFight(tables, s, play);
    case steps.PIONEER_STEP:
      return openPioneer(tables, s);
    case steps.ATTRITION_STEP:
      return attrition(tables, s, play);
    case steps.NEXT_AREA:
      return nextArea(tables, s);
    case steps.END_WINDOW:
      return openEndWindow(tables, s);
    case steps.VICTORY:
      return openVictory(tables, s);
    case steps.CAPTURE:
      return capture(tables, s, play);
    default:
      throw new InvariantError(`pocket-stalingrad: there is no step ${step}`);
  }
}
