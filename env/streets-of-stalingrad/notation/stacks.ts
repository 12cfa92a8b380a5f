import type { State, StateView } from "../../core/layout.js";
import { SIDES } from "../roster.js";
import { KINDS } from "../schema.js";
import type { Tables } from "../state.js";
import { firstIn, nextIn, placeOf } from "../state.js";
import { refuse } from "../names.js";
import type { PositionDoc } from "./schema.js";

/** Does a leader share its hex with one of its side that comes before it? */
export function isSecondLeader(tables: Tables, s: StateView, unit: number): boolean {
  const { roster } = tables;
  if (roster.leader[unit] === 0) return false;
  for (let u = firstIn(tables, s, placeOf(tables, s, unit)); u >= 0 && u < unit; u = nextIn(tables, s, u))
    if (roster.leader[u] === 1 && roster.side[u] === roster.side[unit]) return true;
  return false;
}

/**
 * What may not stand together. The limits of stacking are none of it: who was pinned or stopped in a full hex, or lost
 * the tank that raised its limit, stays there until it can move, and nothing in a position tells why.
 * A second leader says so with `stopped`. Rule: SOS 5.5, SOS 5.8, SOS 8.08, ruling R6
 */
export function checkStacks(tables: Tables, s: State, units: NonNullable<PositionDoc["units"]>): void {
  const { board, roster } = tables;
  for (let h = 0; h < tables.hexes; h++) {
    const fights = [false, false];
    const leaders = [0, 0];
    const works = new Map<number, number>();
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      const side = roster.side[u]!;
      if (roster.zocUnit[u] === 1) fights[side] = true;
      if (roster.blind[u] === 1) works.set(roster.kind[u]!, (works.get(roster.kind[u]!) ?? 0) + 1);
      if (roster.leader[u] === 0) continue;
      const { id } = roster.counters[u]!;
      if (units[id]?.stopped !== true) leaders[side]!++;
      else if (!isSecondLeader(tables, s, u)) refuse(`units.${id}.stopped`, "no other leader was there before it");
    }
    // Rule: SOS 5.5, SOS 17.11, SOS 17.21, SOS 17.33
    for (const [kind, n] of works) if (n > 1) refuse("units", `hex ${board.ids[h]} has two of a ${KINDS[kind]!}`);
    if (fights[0]! && fights[1]!) refuse("units", `both sides stand in hex ${board.ids[h]}`);
    for (const side of [0, 1] as const)
      if (leaders[side]! > 1) refuse("units", `hex ${board.ids[h]} has two ${SIDES[side]} leaders`);
  }
}
