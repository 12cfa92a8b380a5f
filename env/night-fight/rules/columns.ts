import type { Play } from "../../core/play.js";
import type { State, StateView } from "../../core/layout.js";
import {
  COLUMNS,
  GERMANS,
  HEXES,
  type UnitId,
  type HexId,
  type ColumnId,
  FIRST_UNIT,
  FIRST_HEX,
  FIRST_COLUMN,
  NO_HEX,
} from "../data.js";
import type { Tables } from "../data.js";
import { makeKnown } from "../contacts.js";
import * as events from "../events/index.js";
import { columnOf, germansIn, GONE, L, OFF, onMap, placeOf, setColumn, setPlace, turnOf } from "../state.js";
import { drawReserve } from "./reserve.js";

/** Start of a turn: column 1, then 2. Rule: NF reconstructed columns, ruling N7 */
export function moveColumns(tables: Tables, s: State, play: Play): void {
  if (turnOf(s) < tables.columnRules.firstTurn) return;
  for (let c = FIRST_COLUMN; c < COLUMNS; c++) {
    if (columnOf(s, c) === GONE) continue;
    const die = play.dice.d6();
    const before = columnOf(s, c);
    let entryDie = 0;
    // ruling N7: without a German unit to approach, it stays where it is, on the map or off
    const stays = nearestGerman(tables, s, FIRST_HEX) < 0;
    if (!stays && before === OFF) {
      if (tables.enterOn[die] === 1) {
        entryDie = play.dice.d6();
        enter(tables, s, c, entryDie);
      }
    } else if (!stays && tables.moveOn[die] === 1) march(tables, s, c);
    if (play.narrator !== null) events.tellColumn(tables, s, c, before, die, entryDie, play);
    if (stays) continue;
    if (columnOf(s, c) >= 0 && besideGerman(tables, s, columnOf(s, c))) deploy(tables, s, c, play);
  }
}

/** Enters at the entry hex of the die, or at the next in the list without Germans. Ruling N7 */
function enter(tables: Tables, s: State, c: ColumnId, die: number): void {
  const n = tables.columnEntries.length;
  for (let i = 0; i < n; i++) {
    const h = tables.columnEntries[(die - 1 + i) % n]!;
    if (germansIn(s, h) === 0) {
      setColumn(s, c, h);
      return;
    }
  }
}

/** Up to three hexes, each the nearest to the nearest German, until beside one; ties to the lowest hex. */
function march(tables: Tables, s: State, c: ColumnId): void {
  const { neighbours } = tables.grid;
  for (let moved = 0; moved < tables.columnRules.moveHexes; moved++) {
    const from = columnOf(s, c);
    if (besideGerman(tables, s, from)) return;
    const goal = nearestGerman(tables, s, from);
    let best = NO_HEX;
    for (let d = from * 6; d < from * 6 + 6; d++) {
      const h = neighbours[d]!;
      if (h < 0 || tables.ablaze[h] === 1) continue;
      if (best >= 0) {
        const less = tables.distance[h * HEXES + goal]! - tables.distance[best * HEXES + goal]!;
        if (less > 0 || (less === 0 && h > best)) continue;
      }
      best = h;
    }
    if (best < 0) return;
    setColumn(s, c, best);
  }
}

/** Hex of the German unit nearest to `from`, the lowest of equals; -1 when none is on the map. */
function nearestGerman(tables: Tables, s: StateView, from: HexId): HexId {
  let best = NO_HEX;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    if (!onMap(s, u)) continue;
    const h = placeOf(s, u);
    if (best >= 0) {
      const less = tables.distance[from * HEXES + h]! - tables.distance[from * HEXES + best]!;
      if (less > 0 || (less === 0 && h > best)) continue;
    }
    best = h;
  }
  return best;
}

function besideGerman(tables: Tables, s: StateView, h: HexId): boolean {
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if (onMap(s, u) && tables.distance[h * HEXES + placeOf(s, u)] === 1) return true;
  return false;
}

/**
 * The marker is replaced by units drawn blind, without dummies, which are spotted where it stood.
 * Rule: NF reconstructed columns, NF 11.1 (8.5)
 */
export function deploy(tables: Tables, s: State, c: ColumnId, play: Play): void {
  const h = columnOf(s, c);
  setColumn(s, c, GONE);
  const drawn: UnitId[] | null = play.narrator === null ? null : [];
  for (let i = 0; i < tables.columnRules.unitsEach; i++) {
    const u = drawReserve(tables, s, play.dice, false);
    if (u < 0) break;
    makeKnown(tables, s, u);
    setPlace(s, u, h);
    s[L.drawnForColumns]!++;
    drawn?.push(u);
  }
  if (drawn !== null) events.tellColumnDeploys(tables, c, h, drawn, play);
}
