import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import * as events from "../../events/works.js";
import { FRIENDLY_MINE, KNOWN } from "../../layout.js";
import { enemyOf, firstIn, give, has, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { KINDS } from "../../schema.js";

export const MINE = KINDS.indexOf("minefield");

/** What a minefield does to who enters its hex: it ends the move, or costs more MP. */
export const STOPS_HERE = 1;
export const PASSES = 2;
/** Half MP that a minefield costs whom friends in its hex lead through. Rule: SOS 17.22 */
export const MINE_COST = 4;

/** True when a minefield of a side is in a hex. @param known counts only one that the enemy knows of */
export function isMinedBy(tables: Tables, s: StateView, side: number, hex: number, known = false): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && roster.kind[u] === MINE) return !known || has(tables, s, u, KNOWN);
  return false;
}

/**
 * Notes for one reach of a side which minefields that it knows of end a move, and which let it pass. Rule: SOS 17.22,
 * ruling R66
 */
export function noteMines(tables: Tables, s: StateView, side: number): void {
  const { layout, mined, roster } = tables;
  if (tables.mines > 0) mined.fill(0);
  tables.mines = 0;
  for (const mine of roster.mines) {
    const hex = placeOf(tables, s, mine);
    if (hex < 0 || (roster.side[mine] !== side && !has(tables, s, mine, KNOWN))) continue;
    const friendly = roster.side[mine] === side && (s[layout.hexState + hex]! & FRIENDLY_MINE) !== 0;
    if (!friendly) mined[hex] = STOPS_HERE;
    else if (mined[hex] === 0) mined[hex] = PASSES;
    tables.works[hex] = 1;
    tables.mines++;
  }
}

/** True when a minefield, seen or not, ends the move of a unit that has entered its hex. Rule: SOS 17.22, ruling R66 */
export function stopsInMines(tables: Tables, s: StateView, side: number, hex: number): boolean {
  if (tables.roster.mines.length === 0) return false;
  if (isMinedBy(tables, s, enemyOf(side), hex)) return true;
  return isMinedBy(tables, s, side, hex) && (s[tables.layout.hexState + hex]! & FRIENDLY_MINE) === 0;
}

/** True when a combat unit of a minefield's side is with it. Rule: SOS 17.21 */
export function isGuarded(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && roster.stackUnit[u] === 1) return true;
  return false;
}

/** Notes which minefields of a side have a friend in their hex as a phase begins. Rule: SOS 17.22 */
export function noteFriends(tables: Tables, s: State, side: number): void {
  const { layout, roster } = tables;
  for (const mine of roster.mines) {
    const hex = placeOf(tables, s, mine);
    if (hex < 0 || roster.side[mine] !== side) continue;
    if (isGuarded(tables, s, side, hex)) s[layout.hexState + hex]! |= FRIENDLY_MINE;
    else s[layout.hexState + hex]! &= ~FRIENDLY_MINE;
  }
}

/**
 * Combat units of a side have come to a hex: minefields that nobody guards there and beside it are shown. Rule: SOS
 * 17.21
 */
export function showMines(tables: Tables, s: State, side: number, hex: number, play: Play): void {
  const { board, roster } = tables;
  for (const mine of roster.mines) {
    const at = placeOf(tables, s, mine);
    if (at < 0 || roster.side[mine] === side || has(tables, s, mine, KNOWN)) continue;
    if ((at !== hex && board.sideTo(at, hex) < 0) || isGuarded(tables, s, roster.side[mine]!, at)) continue;
    if (!isGuarded(tables, s, side, hex)) return; // no combat unit has come
    give(tables, s, mine, KNOWN);
    if (play.narrator !== null) events.finds(tables, s, mine, play);
  }
}
