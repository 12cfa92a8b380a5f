import type { Play } from "../../core/play.js";
import type { State } from "../../core/layout.js";
import {
  type CounterId,
  FIRST_COUNTER,
  FIRST_HEX,
  GERMAN_COLUMN,
  type HexId,
  MECH,
  SEC,
  type Tables,
} from "../data.js";
import { BATTLE, GARRISON, GARRISONED } from "../layout.js";
import { defendersDrawn } from "../events/battle.js";
import { germansFired } from "../events/fire.js";
import { breakoutFailed, breakoutJoined, breakoutRolled, breakoutSucceeded } from "../events/front.js";
import { countersAt } from "../events/words.js";
import { battleHex, setMarker } from "../state.js";
import { fire, germanModifier, takeSovietLosses } from "./fire.js";
import { liftMarker } from "./front.js";
import { countForce, rollNumber } from "./garrison.js";
import { drawCounter, layOpen, goesOnWithPool, substituteFor, toNextBox, toPool } from "./pool.js";

/**
 * The pocketed Germans strike out of the pocket at the force that closed it: one half-round, no return fire.
 * Rule: SC 8.6, SC 8.7, SC 8.8, rulings R5, R6, R8, R9
 *
 * @returns 1 when the force is destroyed and the hex stays German, 0 when the breakout failed, -1 when the pool ran out
 */
export function breakOut(tables: Tables, s: State, play: Play): -1 | 0 | 1 {
  const { L, force } = tables;
  const { narrator } = play;
  const hex = battleHex(tables, s);
  const formed = formBreakout(tables, s, hex, play);
  if (narrator !== null) defendersDrawn(tables, s, true, play);
  if (!formed) return -1;
  countForce(tables, s, BATTLE);
  let hits = 0;
  for (let cls = MECH; cls <= SEC; cls++) {
    const modifier = germanModifier(tables, cls, hex, true, tables.breakoutModifier);
    const hitsOfClass = fire(tables, force[cls]!, GERMAN_COLUMN + cls, modifier, play);
    if (narrator !== null) germansFired(tables, s, cls, modifier, hitsOfClass, true, play);
    hits += hitsOfClass;
  }
  const succeeded = !takeSovietLosses(tables, s, hits, play);
  const inPocket: CounterId[] | null = narrator === null ? null : countersAt(tables, s, BATTLE);
  for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
    if (s[L.place + c] === BATTLE) {
      if (succeeded && tables.support[c] === 0) toPool(tables, s, c, play);
      else toNextBox(tables, s, c, play);
    }
  if (succeeded) {
    if (inPocket !== null) breakoutSucceeded(tables, s, inPocket, play);
    return 1;
  }
  clearPocket(tables, s, inPocket, play);
  if (inPocket !== null) breakoutFailed(tables, s, inPocket, play);
  return 0;
}

/**
 * Rolls for the size and brings the participants together: from the pocket first, then from the pool.
 *
 * @returns false when the pool ran out
 */
function formBreakout(tables: Tables, s: State, hex: HexId, play: Play): boolean {
  const { L } = tables;
  let wanted = 0;
  tables.faces.length = 0;
  for (let i = 0; i < s[L.pocketSize]!; i++) wanted += rollNumber(tables, tables.breakout, play);
  if (play.narrator !== null) breakoutRolled(tables, s, wanted, play);
  for (let h = FIRST_HEX; wanted > 0 && h < tables.hexCount; h++) {
    if (s[L.pocket + h] === 0) continue;
    const joined = joinFromHex(tables, s, h, wanted, hex, play);
    if (joined < 0) return false;
    wanted -= joined;
  }
  if (tables.drawBeyondPocket)
    for (; wanted > 0; wanted--) {
      const slot = drawCounter(tables, s, play);
      if (slot < 0 || !joinBreakout(tables, s, slot, hex, play) || !goesOnWithPool(tables, s)) return false;
    }
  return true;
}

/** All that is still in the pocket waits for the next turn. @param lost gets the counters. Rule: SC 8.8 */
function clearPocket(tables: Tables, s: State, lost: CounterId[] | null, play: Play): void {
  const { L } = tables;
  for (let h = FIRST_HEX; h < tables.hexCount; h++) {
    if (s[L.pocket + h] === 0) continue;
    if (s[L.marker + h]! > 0) {
      const slot = liftMarker(tables, s, h);
      lost?.push(slot);
      toNextBox(tables, s, slot, play);
    } else if (s[L.marker + h] === GARRISONED) {
      for (let c = FIRST_COUNTER; c < tables.counterCount; c++)
        if (s[L.place + c] === GARRISON && s[L.site + c] === h) {
          lost?.push(c);
          toNextBox(tables, s, c, play);
        }
      setMarker(tables, s, h, 0);
    }
  }
}

/**
 * Counters in a pocket hex take part, up to `wanted`. @returns how many, -1 when the pool ran out
 */
function joinFromHex(tables: Tables, s: State, h: HexId, wanted: number, battle: HexId, play: Play): number {
  const { L } = tables;
  if (s[L.marker + h]! > 0) {
    const slot = liftMarker(tables, s, h);
    if (play.narrator !== null) breakoutJoined(tables, h, [slot], play);
    return joinBreakout(tables, s, slot, battle, play) ? 1 : -1;
  }
  if (s[L.marker + h] !== GARRISONED) return 0;
  const names: CounterId[] | null = play.narrator === null ? null : [];
  let joined = 0;
  let stay = 0;
  for (let c = FIRST_COUNTER; c < tables.counterCount; c++) {
    if (s[L.place + c] !== GARRISON || s[L.site + c] !== h) continue;
    if (joined < wanted) {
      layOpen(tables, s, c, BATTLE);
      names?.push(c);
      joined++;
    } else stay++;
  }
  if (stay === 0) setMarker(tables, s, h, 0);
  if (names !== null) breakoutJoined(tables, h, names, play);
  return joined;
}

/** A counter takes part, or the one drawn in Guderian's place. @returns false when the pool ran out */
function joinBreakout(tables: Tables, s: State, slot: CounterId, battle: HexId, play: Play): boolean {
  if (play.narrator !== null && slot === tables.guderian) defendersDrawn(tables, s, true, play);
  const fights = substituteFor(tables, s, slot, battle, play);
  if (fights < 0) return false;
  layOpen(tables, s, fights, BATTLE);
  return fights === slot || goesOnWithPool(tables, s);
}
