import type { State, StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import * as state from "../state.js";
import { joinedToEntry } from "./counters.js";

// own constants, for speed: see core/layout.ts
const { AREAS, clearUnit, CONTROL, controlOf, FLAG, GERMAN, L, PHASE, SOVIET, sovietCounterIn, turnOf, UNITS } = state;

/** Marks of the turn go, then victory is judged, else the next turn begins. Rule: SS 8.1, 8.2; ruling R40: 8.1 first. */
export function endTurn(tables: Tables, s: State): void {
  for (let u = 0; u < UNITS; u++)
    clearUnit(s, u, FLAG.suppressed | FLAG.brokeThrough | FLAG.revealedThisTurn | FLAG.triedLanding);
  s[L.freeBreakthroughs] = 0;
  s[L.stuka] = 1;
  if (!anySovietCounter(s)) finish(s, GERMAN);
  else if (turnOf(s) === 9) finish(s, holdsLandings(tables, s) ? GERMAN : SOVIET);
  else {
    s[L.turn]!++;
    s[L.phase] = PHASE.gerReinf;
  }
}

function finish(s: State, winner: number): void {
  s[L.result] = winner + 1;
  s[L.phase] = PHASE.over;
}

function anySovietCounter(s: StateView): boolean {
  for (let a = 0; a < AREAS; a++) if (sovietCounterIn(s, a)) return true;
  return false;
}

/** Are both goals German and joined to an entry area? Rule: SS 8.2. */
function holdsLandings(tables: Tables, s: StateView): boolean {
  const joined = joinedToEntry(tables, s);
  const [x, y] = tables.data.goals;
  return (
    controlOf(s, x) === CONTROL.german &&
    controlOf(s, y) === CONTROL.german &&
    ((joined >> x) & (joined >> y) & 1) === 1
  );
}
