import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { marksRemoved } from "../events/soviet.js";
import * as events from "../events/turn.js";
import {
  AREAS,
  clearUnit,
  CONTROL,
  controlOf,
  FIRST_AREA,
  FIRST_UNIT,
  FLAG,
  GERMAN,
  L,
  PHASE,
  SOVIET,
  sovietCounterIn,
  turnOf,
  UNITS,
} from "../state.js";
import { joinedToEntry } from "./counters.js";

export const LAST_TURN = 9;
const TURN_MARKS = FLAG.suppressed | FLAG.brokeThrough | FLAG.revealedThisTurn | FLAG.triedLanding;

/**
 * Removes the marks of the turn, then judges victory, or begins the next turn. Rule: SS 8.1, SS 8.2; ruling R40: SS 8.1
 * first.
 */
export function endTurn(tables: Tables, s: State, play: Play): void {
  if (play.narrator !== null)
    marksRemoved(tables, s, TURN_MARKS, "The turn is over: its marks are removed, suppressed units recover.", play);
  for (let u = FIRST_UNIT; u < UNITS; u++) clearUnit(s, u, TURN_MARKS);
  s[L.freeBreakthroughs] = 0;
  s[L.stuka] = 1;
  if (!anySovietCounter(s)) {
    finish(s, GERMAN);
    if (play.narrator !== null) events.victory(s, "SS 8.1", "No Soviet counter is left on the map", play);
  } else if (turnOf(s) === LAST_TURN) {
    const held = holdsLandings(tables, s);
    finish(s, held ? GERMAN : SOVIET);
    if (play.narrator !== null)
      events.victory(
        s,
        "SS 8.2",
        `The last turn is over and the landings are ${held ? "" : "not "}both German and joined to an entry area`,
        play,
      );
  } else {
    s[L.turn]!++;
    s[L.phase] = PHASE.gerReinf;
    if (play.narrator !== null) {
      events.turnBegins(s, play);
      events.phaseBegins(PHASE.gerReinf, play);
    }
  }
}

function finish(s: State, winner: number): void {
  s[L.result] = winner + 1;
  s[L.phase] = PHASE.over;
}

export function anySovietCounter(s: StateView): boolean {
  for (let a = FIRST_AREA; a < AREAS; a++) if (sovietCounterIn(s, a)) return true;
  return false;
}

/** True when both goals are German and joined to an entry area. Rule: SS 8.2. */
export function holdsLandings(tables: Tables, s: StateView): boolean {
  const joined = joinedToEntry(tables, s);
  const [x, y] = tables.data.goals;
  return (
    controlOf(s, x) === CONTROL.german &&
    controlOf(s, y) === CONTROL.german &&
    ((joined >> x) & (joined >> y) & 1) === 1
  );
}
