import type { Play } from "../core/play.js";
import type { State } from "../core/layout.js";
import { KINDS } from "./schema.js";
import {
  AA_FIRED,
  ASK_ADMIN_END,
  ASK_ARRIVE_BOX,
  ASK_ATTACK_TARGET,
  ASK_BOMB_TARGET,
  ASK_BREAKTHROUGH,
  ASK_FLOTILLA,
  ASK_INFIL,
  ASK_MARK,
  ASK_MOVE_SELECT,
  ASK_REPLACE,
  ASK_SETUP,
  ATTACKED,
  BARRAGED,
  DEF_FIRED,
  FIRED_AF,
  FRESH,
  GUN_PHASE_SHIFT,
  isBox,
  isLost,
  LIES_OPEN,
  MARK_ATTACK,
  MARK_DONE,
  MODE_CHANGED,
  NEW_PIN,
  NO_MOVE,
  NO_MOVE_NEXT,
  NO_SPOT,
  OP_FIRED,
  OP_PHASE_SHIFT,
  ORDERED,
  PIN_HELD,
  PINNED,
  UNPINNED,
  RESERVE,
  SPENT,
  STAGE_ARRIVE,
  STAGE_ATTACK,
  STAGE_BREAKTHROUGH,
  STAGE_DEPLOY,
  STAGE_END,
  STAGE_FLOTILLA,
  STAGE_INFILTRATE,
  STAGE_MARK,
  STAGE_NORMAL,
  STAGE_PLOT_FIRST,
  STAGE_PLOT_SECOND,
  STAGE_RESOLVE,
  STAGE_RESERVES,
  STAGE_SETUP,
  UNREADY,
  ZONE_SHIFT,
} from "./layout.js";
import * as events from "./events/common.js";
import { GERMAN, SOVIET } from "./roster.js";
import { endBreakthroughs } from "./rules/movement/breakthrough.js";
import { finishTasks, goOnWithTasks } from "./rules/movement/engineering.js";
import { clearCrossings } from "./rules/movement/crossing.js";
import { endReturns, resumeCommand } from "./rules/units/army.js";
import { clearVolga } from "./rules/units/boxes.js";
import { breakDown } from "./rules/units/breakdown.js";
import { isAtRest, restBoats, returnBoats } from "./rules/units/flotilla.js";
import { saveAmmunition } from "./rules/administration/ammunition.js";
import { clearSky } from "./rules/administration/weather.js";
import { clearMissions } from "./rules/artillery/missions.js";
import { displaceBereft } from "./rules/units/leaders.js";
import { turnDown } from "./rules/units/hidden.js";
import { noteSupply } from "./rules/units/supply.js";
import { restTransports } from "./rules/movement/transports.js";
import { noteFriends } from "./rules/units/mines.js";
import { stopTasks } from "./rules/units/tasks.js";
import { noteZones } from "./rules/units/zoc.js";
import { nameReserves } from "./rules/movement/reserves.js";
import * as state from "./state.js";
import { finish, give, has, markOf, placeOf, pop, push, setExtra, setMark, take, takeAll } from "./state.js";
import type { Tables } from "./state.js";

const OP = KINDS.indexOf("op");
export const PHASES = 15;
const LAST_GERMAN = 8;

const MOVES = [STAGE_BREAKTHROUGH, STAGE_NORMAL, STAGE_DEPLOY, STAGE_MARK];
/** No unit deploys. */
const EXPLOIT_MOVEMENT = [STAGE_BREAKTHROUGH, STAGE_NORMAL, STAGE_MARK];
/** The Soviet flotilla comes first. Rule: SOS 16.53 */
const ATTACK = [STAGE_FLOTILLA, STAGE_ATTACK];
/** Herman before it. Rule: SOS 13.4 */
const LAST_ATTACK = [STAGE_INFILTRATE, ...ATTACK];
/** Both sides plot, one after the other, before any die is thrown. Ruling R24. */
const BOMBARDMENT = [STAGE_PLOT_FIRST, STAGE_PLOT_SECOND, STAGE_RESOLVE];

/** Stages of each phase from 1 on, in order; none: it has no decision. Rule: SOS 4.3 */
export const STAGES_OF: readonly (readonly number[])[] = [
  [STAGE_END],
  BOMBARDMENT,
  [STAGE_ARRIVE, ...MOVES],
  [STAGE_RESERVES],
  ATTACK,
  BOMBARDMENT,
  EXPLOIT_MOVEMENT,
  ATTACK,
  BOMBARDMENT,
  [STAGE_ARRIVE, STAGE_FLOTILLA, ...MOVES],
  [STAGE_RESERVES],
  ATTACK,
  BOMBARDMENT,
  [STAGE_FLOTILLA, ...EXPLOIT_MOVEMENT],
  LAST_ATTACK,
];
/** Stages that come before what the phase is for, where a game has anybody for them. */
const BEFORE: readonly number[] = [STAGE_ARRIVE, STAGE_INFILTRATE, STAGE_FLOTILLA];
/** True when a game has a stage. */
export const hasStage = ({ river, roster }: Tables, stage: number): boolean =>
  !BEFORE.includes(stage) ||
  (stage === STAGE_INFILTRATE ? roster.herman >= 0 : river.any && (stage === STAGE_ARRIVE || roster.hasBoats));
/** First stage of each phase from 1 on without arrivals and flotilla, -1 none. Rule: SOS 8.5 */
export const FIRST_STAGE = STAGES_OF.map((stages) => stages.find((stage) => !BEFORE.includes(stage)) ?? -1);

/** Side whose decision is at the root of each phase from 1 on. Rule: SOS 4.3 */
const PHASE_SIDE = [
  GERMAN,
  GERMAN,
  GERMAN,
  SOVIET,
  GERMAN,
  GERMAN,
  GERMAN,
  GERMAN,
  SOVIET,
  SOVIET,
  GERMAN,
  SOVIET,
  SOVIET,
  SOVIET,
  SOVIET,
] as const;
const PHASE_NAMES = [
  "administration",
  "bombardment",
  "German movement",
  "Soviet reserves",
  "German attack",
  "bombardment",
  "German exploit movement",
  "German exploit attack",
  "bombardment",
  "Soviet movement",
  "German reserves",
  "Soviet attack",
  "bombardment",
  "Soviet exploit movement",
  "Soviet exploit attack",
] as const;
export const phaseName = (phase: number): string => PHASE_NAMES[phase - 1]!;
export const sideOfPhase = (phase: number): 0 | 1 => PHASE_SIDE[phase - 1]!;
/** Side whose decision is at the root of a stage. Rule: SOS 14.48 */
export const sideOfStage = (phase: number, stage: number): number =>
  stage === STAGE_FLOTILLA || stage === STAGE_SETUP
    ? SOVIET
    : stage === STAGE_PLOT_SECOND
      ? state.enemyOf(sideOfPhase(phase))
      : sideOfPhase(phase);

/** Root decision of a stage. */
export const rootOf = ({ administers }: Tables, stage: number): number =>
  stage === STAGE_SETUP
    ? ASK_SETUP
    : stage === STAGE_END
      ? ASK_ADMIN_END
      : stage === STAGE_ARRIVE
        ? administers
          ? ASK_REPLACE
          : ASK_ARRIVE_BOX
        : stage === STAGE_FLOTILLA
          ? ASK_FLOTILLA
          : stage === STAGE_INFILTRATE
            ? ASK_INFIL
            : stage === STAGE_MARK
              ? ASK_MARK
              : stage === STAGE_ATTACK
                ? ASK_ATTACK_TARGET
                : stage === STAGE_BREAKTHROUGH
                  ? ASK_BREAKTHROUGH
                  : stage >= STAGE_PLOT_FIRST && stage <= STAGE_RESOLVE
                    ? ASK_BOMB_TARGET
                    : ASK_MOVE_SELECT;

/** The root decision of the stage is closed: the next stage, phase or turn begins. Rule: SOS 4.1, SOS 4.2, SOS 4.3 */
export function closeStage(tables: Tables, s: State, play: Play): void {
  const { layout } = tables;
  pop(tables, s);
  takeAll(tables, s, FRESH);
  const stages = STAGES_OF[s[layout.phase]! - 1]!;
  // Rule: SOS 8.22, SOS 8.23
  let i = stages.indexOf(s[layout.stage]!) + 1;
  while (i < stages.length && !hasStage(tables, stages[i]!)) i++;
  const next = stages[i];
  if (next === undefined) nextPhase(tables, s, play);
  else openStage(tables, s, next, play);
}

function openStage(tables: Tables, s: State, stage: number, play: Play): void {
  const { layout } = tables;
  const side = sideOfStage(s[layout.phase]!, stage);
  const begun = BEFORE.includes(s[layout.stage]!);
  s[layout.stage] = stage;
  if (stage === STAGE_RESERVES) nameReserves(tables, s, side);
  push(tables, s, rootOf(tables, stage), side);
  if (play.narrator !== null) {
    if (stage === STAGE_MARK) events.markingBegins(side, play);
    else if (stage === STAGE_PLOT_SECOND || stage === STAGE_RESOLVE)
      events.plotGoesOn(stage === STAGE_RESOLVE, side, play);
    else if (stage !== FIRST_STAGE[s[layout.phase]! - 1] && !BEFORE.includes(stage))
      events.stageBegins(stage === STAGE_DEPLOY, side, play);
    else if (!begun)
      events.phaseBegins(s[layout.phase]!, phaseName(s[layout.phase]!), sideOfPhase(s[layout.phase]!), play);
  }
}

function nextPhase(tables: Tables, s: State, play: Play): void {
  const { layout } = tables;
  for (;;) {
    endPhase(tables, s, s[layout.phase]!, play);
    if (s[layout.phase] === PHASES) {
      if (s[layout.turn]! >= s[layout.lastTurn]!) {
        finish(tables, s);
        if (play.narrator !== null) events.ends(tables, s, false, play);
        return;
      }
      s[layout.turn]!++;
      s[layout.phase] = 1;
      if (play.narrator !== null) events.turnBegins(tables, s, play);
      clearSky(tables, s);
      resumeCommand(tables, s);
      forgetLosses(tables, s);
      if (tables.ammunition) saveAmmunition(tables, s, play);
      takeAll(tables, s, FIRED_AF); // Rule: SOS 14.03
      if (tables.roster.hasBoats) restBoats(tables, s);
      for (let u = 0; u < tables.units; u++) if (placeOf(tables, s, u) >= 0) setExtra(tables, s, u, GUN_PHASE_SHIFT, 0);
    } else s[layout.phase]!++;
    const phase = s[layout.phase]!;
    beginPhase(tables, s, phase, play);
    const stages = STAGES_OF[phase - 1]!;
    let i = 0;
    while (!hasStage(tables, stages[i]!)) i++;
    const stage = stages[i]!;
    if (stage >= 0 && (stage !== STAGE_PLOT_FIRST || tables.missions > 0)) {
      openStage(tables, s, stage, play);
      displaceBereft(tables, s, play); // before anything else of the phase
      if (phase === BREAKDOWNS) breakDown(tables, s, play);
      return;
    }
  }
}

/** The main movement of the Soviet side. Rule: SOS 16.33 */
const BREAKDOWNS = 10;

/** Who was lost in the turn before may be exchanged now. Ruling R125 */
function forgetLosses(tables: Tables, s: State): void {
  for (let u = 0; u < tables.units; u++)
    if (isLost(placeOf(tables, s, u)) && tables.roster.kind[u] !== OP) setExtra(tables, s, u, GUN_PHASE_SHIFT, 0);
}

/** Pins on top are removed when the other bombardments begin. Rule: SOS 9.114 */
function beginPhase(tables: Tables, s: State, phase: number, play: Play): void {
  const side = sideOfPhase(phase);
  if (MOVES_OF[side].includes(phase as never)) finishTasks(tables, s, side, play);
  noteFriends(tables, s, GERMAN);
  noteFriends(tables, s, SOVIET);
  noteSupply(tables, s, play);
  noteZones(tables, s);
  if (phase !== 6 && phase !== 9 && phase !== 13) return;
  // batteries that were pinned in a box wait for phase 9. Rule: SOS 14.49, ruling R25
  const boxed = phase !== 6;
  if (play.narrator !== null) events.pinsOff(tables, s, boxed, play);
  for (let u = 0; u < tables.units; u++)
    // a flotilla unit that was driven off keeps its pin for the turn. Ruling R106
    if (!has(tables, s, u, PIN_HELD) && (isBox(placeOf(tables, s, u)) ? boxed && !isAtRest(tables, s, u) : true))
      takeMarkers(tables, s, u, PINNED);
}

function takeMarkers(tables: Tables, s: State, unit: number, bits: number): void {
  if (!has(tables, s, unit, bits)) return;
  take(tables, s, unit, bits);
  give(tables, s, unit, UNPINNED);
}

/** Own movement, reserves and exploit phases of the sides. */
const MOVES_OF = [
  [3, 7, 11],
  [4, 10, 14],
] as const;
const MAIN_MOVES = [3, 10] as const;

/**
 * Who could not move may now; OPs that moved spot again after the phase that follows. Rule: SOS 14.12, SOS 14.95, SOS
 * 14.96
 */
function endMoves(tables: Tables, s: State, phase: number): void {
  const { roster } = tables;
  for (let u = 0; u < tables.units; u++) {
    const side = roster.side[u]!;
    const ends = roster.kind[u] === OP ? MOVES_OF[side as 0 | 1].includes(phase as never) : MAIN_MOVES[side] === phase;
    if (ends && !has(tables, s, u, NO_MOVE_NEXT)) take(tables, s, u, NO_MOVE);
    else if (ends) take(tables, s, u, NO_MOVE_NEXT);
    if (!has(tables, s, u, ORDERED)) take(tables, s, u, NO_SPOT);
  }
}

/** Attacks after which nobody stays on the Volga. Rule: SOS 8.70, ruling R17 */
const VOLGA_CLEARED = [12, 15];

/** Markers that end with a phase. Rule: SOS 7.6, SOS 9.18, SOS 9.115 */
function endPhase(tables: Tables, s: State, phase: number, play: Play): void {
  const { layout } = tables;
  goOnWithTasks(tables, s, play);
  restTransports(tables, s);
  if (tables.roster.hasBoats) returnBoats(tables, s, play);
  if (tables.river.any && VOLGA_CLEARED.includes(phase)) clearVolga(tables, s, play);
  if (play.narrator !== null && (phase === LAST_GERMAN || phase === PHASES))
    events.allMarkersOff(tables, s, phase === PHASES, play);
  endMoves(tables, s, phase);
  endReturns(tables, s);
  if (tables.river.any) clearCrossings(tables, s);
  takeAll(tables, s, ORDERED | OP_FIRED | DEF_FIRED | RESERVE | MODE_CHANGED | AA_FIRED | NEW_PIN);
  clearMissions(tables, s);
  endBreakthroughs(tables, s, sideOfPhase(phase), play);
  // no marker keeps zones of control off any more
  stopTasks(tables, s, GERMAN, play);
  stopTasks(tables, s, SOVIET, play);
  for (let u = 0; u < tables.units; u++) if (placeOf(tables, s, u) >= 0) setExtra(tables, s, u, ZONE_SHIFT, 0);
  const attack = FIRST_STAGE[phase - 1] === STAGE_ATTACK;
  const last = phase === LAST_GERMAN || phase === PHASES;
  for (let h = 0; h < tables.hexes; h++) {
    s[layout.hexState + h]! &= ~(ATTACKED | BARRAGED);
    // an order to attack that could not be carried out lapses. Ruling R20.
    if (attack && markOf(tables, s, h) === MARK_ATTACK) {
      setMark(tables, s, h, MARK_DONE);
      if (play.narrator !== null && !last) events.lapses(tables, h, play);
    }
    if (last) setMark(tables, s, h, 0);
    for (let i = h; i < 2 * tables.hexes; i += tables.hexes)
      if (s[layout.bombs + i]! >> 16 === phase) s[layout.bombs + i] = 0;
  }
  for (let u = 0; last && u < tables.units; u++)
    if (phase === PHASES || !isBox(placeOf(tables, s, u))) takeMarkers(tables, s, u, PINNED | SPENT | PIN_HELD);
  // who fired at movers has shown himself until the enemy has attacked. Rule: SOS 7.6
  for (let u = 0; attack && u < tables.units; u++)
    if (tables.roster.side[u] !== sideOfPhase(phase)) take(tables, s, u, LIES_OPEN);
  turnDown(tables, s, play);
  if (!attack) return;
  takeAll(tables, s, UNREADY); // Ruling R41
  for (let u = 0; u < tables.units; u++) if (placeOf(tables, s, u) >= 0) setExtra(tables, s, u, OP_PHASE_SHIFT, 0);
}
