import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { DONE, HEX } from "../../actions.js";
import { F_ACTOR, MARK_ATTACK, PIN_HELD, PINNED, SPENT, type HexId } from "../../layout.js";
import * as events from "../../events/common.js";
import { enemyOf, firstIn, give, has, isFirstOf, markOf, nextIn, placeOf, setMark, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { armyMayAttack } from "../units/army.js";
import { isIn } from "../units/bridges.js";
import { isLeaderAlone } from "../units/command.js";

/**
 * Decision `mark.hex`: enemy hexes beside an infantry-type unit that could attack. Rule: SOS 9.64, SOS 18.17, ruling
 * R138
 */
export function fillMarks(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { roster } = tables;
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  if (!armyMayAttack(tables, s, side)) return 0; // Rule: SOS 18.52, SOS 18.54
  let n = 0;
  for (let u = roster.first(enemyOf(side)); u < roster.end(enemyOf(side)); u++) {
    const hex = placeOf(tables, s, u);
    if (
      hex < 0 ||
      !isFirstOf(tables, s, u, hex) ||
      !isIn(tables, s, enemyOf(side), hex) ||
      markOf(tables, s, hex) === MARK_ATTACK
    )
      continue;
    if (!isThreatened(tables, s, side, hex) || isLeaderAlone(tables, s, side, hex)) continue;
    mask[at + HEX + hex] = 1;
    n++;
  }
  if (n === 0) return 0;
  mask[at + DONE] = 1;
  return n + 1;
}

function isThreatened(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { board, roster } = tables;
  for (let d = hex * 6; d < hex * 6 + 6; d++) {
    const h = board.neighbours[d]!;
    if (h < 0) continue;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u))
      if (roster.side[u] === side && roster.infantryType[u] === 1 && !has(tables, s, u, PINNED | SPENT)) return true;
  }
  return false;
}

/** Puts an attack marker on a hex; pins in the hex are then under it. Rule: SOS 9.64, SOS 9.114 */
export function markHex(tables: Tables, s: State, hex: HexId, play: Play): void {
  const side = s[topFrame(tables, s) + F_ACTOR]!;
  setMark(tables, s, hex, MARK_ATTACK);
  if (play.narrator !== null) events.marks(tables, s, side, hex, play);
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] !== side && has(tables, s, u, PINNED)) give(tables, s, u, PIN_HELD);
}
