import type { Play } from "../../core/play.js";
import type { NameOf } from "../../core/dice/dice.js";
import { InvariantError } from "../../core/errors.js";
import type { State } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { CLASS, ENTRY, record } from "../public-log.js";
import { askBreakthrough, closeBreakthrough, offerBreakthrough, takeFreeBreakthrough } from "../rules/breakthrough.js";
import { askChit, drawChits, firstInHand } from "../rules/chits.js";
import { continueCombat, startCombat } from "../rules/combat.js";
import { beginEvents, continueEvents, openEvents } from "../rules/events.js";
import { askGermanMove, endGermanMovement } from "../rules/german-movement.js";
import {
  askGermanExcess,
  askGermanReinforcement,
  askLanding,
  beginSovietReinforcement,
  recordStranded,
} from "../rules/reinforcement.js";
import {
  placeChitsByDice,
  solitaireExcess,
  solitaireMovement,
  solitaireReinforcement,
  solitaireSetup,
} from "../rules/solitaire.js";
import { askSovietExcess, endSovietMovement } from "../rules/soviet-movement.js";
import { endTurn } from "../rules/victory.js";
import { combatsDue } from "../events/combat.js";
import { setUpDone } from "../events/soviet.js";
import { phaseBegins } from "../events/turn.js";
import {
  AREAS,
  ask,
  combatAreaOf,
  DECISION,
  decisionOf,
  eventAreaOf,
  FIRST_AREA,
  FUTURE,
  GERMANS,
  germansIn,
  L,
  lowestArea,
  NO_AREA,
  PHASE,
  phaseOf,
  placeOf,
  sovietCounterIn,
  sovietsIn,
  turnOf,
  UNITS,
} from "../state.js";

/** Names of draws in scripts. */
export interface DrawNames {
  readonly chit: NameOf;
  readonly startUnit: NameOf;
  /** Waiting units without and with a red circle. */
  readonly waiting: readonly [NameOf, NameOf];
}

/** Starts a phase, up to its first decision. A position without a decision runs from here. */
export function beginPhase(tables: Tables, s: State, play: Play, names: DrawNames): void {
  switch (phaseOf(s)) {
    case PHASE.setup:
      if (tables.solo) solitaireSetup(tables, s, play, names.startUnit, names.chit);
      break;
    case PHASE.sovReinf:
      beginSovietReinforcement(tables, s, play);
      if (tables.solo) solitaireReinforcement(tables, s, play, names.waiting);
      break;
    case PHASE.chits:
      if (firstInHand(s) < 0) drawChits(tables, s, tables.data.draw, play, names.chit);
      if (tables.solo) placeChitsByDice(tables, s, play);
      break;
    case PHASE.sovMove:
      if (tables.solo) solitaireMovement(tables, s, play);
      break;
    case PHASE.events:
      beginEvents(s);
      break;
    default:
  }
}

function setPhase(s: State, phase: number, play: Play): void {
  s[L.phase] = phase;
  if (play.narrator !== null) phaseBegins(phase, play);
}

function enter(tables: Tables, s: State, phase: number, play: Play, names: DrawNames): void {
  setPhase(s, phase, play);
  beginPhase(tables, s, play, names);
}

/**
 * Runs on to the next decision or the end of the game. `fromPick`: the phase just got `pass` for its picks.
 * Rule: SS 1.4.
 */
export function run(tables: Tables, s: State, play: Play, names: DrawNames, fromPick = false): void {
  let ending = fromPick;
  while (decisionOf(s) === DECISION.none) {
    switch (phaseOf(s)) {
      case PHASE.setup:
        if (!tables.solo && askSetup(tables, s)) return;
        if (!tables.solo)
          for (let a = FIRST_AREA; a < AREAS; a++)
            if (sovietsIn(s, a) > 0) record(s, ENTRY.init, a, 0, sovietsIn(s, a), CLASS.unit);
        if (play.narrator !== null) setUpDone(tables, s, play);
        setPhase(s, PHASE.gerReinf, play);
        break;
      case PHASE.gerReinf:
        if (!askGermanReinforcement(tables, s)) enter(tables, s, PHASE.sovReinf, play, names);
        break;
      case PHASE.sovReinf:
        if (tables.solo || ending || !askLanding(tables, s)) {
          if (!tables.solo && !ending) recordStranded(tables, s);
          enter(tables, s, PHASE.chits, play, names);
        }
        ending = false;
        break;
      case PHASE.chits:
        if (tables.solo || !askChit(tables, s, play)) {
          if (turnOf(s) > 1) enter(tables, s, PHASE.sovMove, play, names);
          else setPhase(s, PHASE.gerMove, play); // SS 4.1
        }
        break;
      case PHASE.sovMove:
        if (!tables.solo && !ending) ask(s, DECISION.sovPick);
        else if (tables.solo || !askSovietExcess(tables, s)) {
          if (tables.solo) solitaireExcess(tables, s, play);
          endSovietMovement(tables, s, play);
          setPhase(s, PHASE.gerMove, play);
          ending = false;
        }
        break;
      case PHASE.gerMove:
        if (!ending) askGermanMove(tables, s);
        else if (!askGermanExcess(tables, s)) {
          endGermanMovement(tables, s, play);
          enter(tables, s, PHASE.events, play, names);
          ending = false;
        }
        break;
      case PHASE.events:
        runEvents(tables, s, play);
        break;
      case PHASE.combat:
        runCombats(tables, s, play);
        break;
      case PHASE.over:
        return;
      default:
        throw new InvariantError(`savage-streets has no phase ${phaseOf(s)}`);
    }
  }
}

/** Asks where the next at-start unit goes; false when all have a place. Rule: SS 1.52. */
function askSetup(tables: Tables, s: State): boolean {
  for (let u = GERMANS; u < UNITS; u++) {
    if (tables.data.entryTurn[u] !== 0 || placeOf(s, u) !== FUTURE) continue;
    ask(s, DECISION.setupPlace, NO_AREA, u);
    return true;
  }
  return false;
}

/** Rule: SS 6.0: all revealed chits before the first combat. Ruling R18, option `dummy`. */
function runEvents(tables: Tables, s: State, play: Play): void {
  for (;;) {
    if (s[L.eventArea] !== 0) {
      if (continueEvents(tables, s, play)) return;
    } else if (s[L.breakthroughFrom] !== 0) return askBreakthrough(s);
    else if (tables.dummyAtOnce && s[L.freeBreakthroughs] !== 0)
      takeFreeBreakthrough(tables, s, lowestArea(s[L.freeBreakthroughs]!), play);
    else if (s[L.areaQueue] !== 0) {
      const a = lowestArea(s[L.areaQueue]!);
      s[L.areaQueue]! &= ~(1 << a);
      openEvents(tables, s, a, false, play);
    } else break;
  }
  for (let a = FIRST_AREA; a < AREAS; a++)
    if (germansIn(s, a) > 0 && sovietCounterIn(s, a)) s[L.pendingCombats]! |= 1 << a;
  setPhase(s, PHASE.combat, play);
  if (play.narrator !== null) combatsDue(tables, s, play);
}

/** Events after a breakthrough, the breakthrough itself, the combat under way, or the next one. Rule: SS 7.0. */
function runCombats(tables: Tables, s: State, play: Play): void {
  if (s[L.eventArea] !== 0) {
    const a = eventAreaOf(s);
    if (continueEvents(tables, s, play)) return;
    if (germansIn(s, a) > 0 && sovietCounterIn(s, a)) startCombat(tables, s, a, play);
  } else if (s[L.breakthroughFrom] !== 0) askBreakthrough(s);
  else if (s[L.combatArea] !== 0) {
    const a = combatAreaOf(s);
    if (continueCombat(tables, s, play)) return;
    if (s[L.breakthroughEarned] === 1) offerBreakthrough(tables, s, a, play);
    if (s[L.breakthroughFrom] === 0) closeBreakthrough(s);
  } else if (s[L.pendingCombats] !== 0 || s[L.freeBreakthroughs] !== 0) ask(s, DECISION.combatArea);
  else endTurn(tables, s, play);
}
