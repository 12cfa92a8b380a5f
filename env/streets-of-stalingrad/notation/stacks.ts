import type { StateView } from "../../core/layout.js";
import { refuse } from "../names.js";
import { SIDES } from "../roster.js";
import type { Tables } from "../state.js";
import { firstIn, nextIn, placeOf } from "../state.js";
import type { PositionDoc } from "./schema.js";

/** True when a leader shares its hex with one of its side that comes before it. */
export function isSecondLeader(tables: Tables, s: StateView, unit: number): boolean {
  const { roster } = tables;
  if (roster.leader[unit] === 0) return false;
  for (let u = firstIn(tables, s, placeOf(tables, s, unit)); u >= 0 && u < unit; u = nextIn(tables, s, u))
    if (roster.leader[u] === 1 && roster.side[u] === roster.side[unit]) return true;
  return false;
}

/** A second leader in a hex is one that was stopped there, and its document says so. Rule: SOS 8.08, ruling R6 */
export function checkLeaders(tables: Tables, s: StateView, units: NonNullable<PositionDoc["units"]>): void {
  const { board, roster } = tables;
  for (let h = 0; h < tables.hexes; h++) {
    const leaders = [0, 0];
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.leader[u] === 0) continue;
      const { id } = roster.counters[u]!;
      if (units[id]?.stopped !== true) leaders[roster.side[u]!]!++;
      else if (!isSecondLeader(tables, s, u)) refuse(`units.${id}.stopped`, "no other leader was there before it");
    }
    for (const side of [0, 1] as const)
      if (leaders[side]! > 1) refuse("units", `hex ${board.ids[h]} has two ${SIDES[side]} leaders`);
  }
}
