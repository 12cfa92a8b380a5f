import type { Play } from "../core/play.js";
import { newState, RNG_WORDS, type State } from "../core/layout.js";
import { FIRST_ARMY, FIRST_COUNTER, FIRST_HEX, type Tables } from "./data.js";
import { garrisonLeft } from "./events/front.js";
import * as events from "./events/turn.js";
import { GARRISON, GARRISONED, PHASE, POOL, TRACK } from "./layout.js";
import { redrawFront, surveyFront } from "./rules/front.js";
import { layOpen, toBox, toPool } from "./rules/pool.js";
import { closeEntries, germanPhase, sovietPhase } from "./rules/reinforcement.js";
import { checkVictory, K_CHECK } from "./rules/victory.js";
import { setGerman, setMarker } from "./state.js";

/** The set-up before the first draw, the same in every game. Rule: SC 3.2 to SC 3.6 */
export function setUpState(tables: Tables): State {
  const { L } = tables;
  const s = newState(L.size);
  s[L.turn] = 1;
  s[L.purge] = -1;
  s[L.engineer] = tables.engineer.strength;
  s[L.interceptor] = 1;
  for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
    const army = tables.armies[a]!;
    s[L.armyHex + a] = army.setup >= 0 ? army.setup : TRACK;
    s[L.armySteps + a] = army.setup >= 0 ? army.strength : 0;
  }
  for (let h = FIRST_HEX; h < tables.hexCount; h++) setGerman(tables, s, h, tables.startGerman[h]!);
  for (let c = FIRST_COUNTER; c < tables.counterCount; c++) {
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
export function startGame(tables: Tables, setUp: State, s: State, play: Play): void {
  s.set(setUp.subarray(RNG_WORDS), RNG_WORDS); // all but the random stream
  redrawFront(tables, s, play);
}

/**
 * Phase IV: garrisons leave, the front is redrawn, flags are cleared, 1E may change its host; nothing German goes
 * anywhere. Rule: SC 3.9, SC 5.5, SC 8.9, SC 6.3, ruling R21
 */
export function administer(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  if (play.narrator !== null) events.administrationBegun(tables, s, play);
  for (let h = FIRST_HEX; h < tables.hexCount; h++)
    if (s[L.marker + h] === GARRISONED) {
      if (play.narrator !== null) garrisonLeft(tables, s, h, play);
      setMarker(tables, s, h, 0);
      for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
        if (s[L.place + c] === GARRISON && s[L.site + c] === h) toPool(tables, s, c, play);
    }
  if (!redrawFront(tables, s, play)) return;
  for (let a = FIRST_ARMY; a < tables.armyCount; a++) {
    s[L.armyStopped + a] = 0;
    s[L.armyFired + a] = 0;
  }
  if (s[L.engineer]! > 0 && s[L.turn]! < 6) s[L.phase] = PHASE.attach;
  else endTurn(tables, s, play);
}

/** The check, then Phases I and II of the next turn. Rule: SC 5.1, SC 5.2, SC 5.3 */
export function endTurn(tables: Tables, s: State, play: Play): void {
  const { L } = tables;
  if (!checkVictory(tables, s, play)) return;
  if (s[L.turn] === K_CHECK) closeEntries(tables, s, play);
  s[L.turn]!++;
  if (play.narrator !== null) events.turnBegun(tables, s, play);
  germanPhase(tables, s, play);
  sovietPhase(tables, s, play);
}
