import type { State } from "../../core/layout.js";
import * as words from "../layout.js";
import { SIDES } from "../roster.js";
import { isOverfull } from "../rules/stacking.js";
import { inKnownZoc } from "../rules/zoc.js";
import type { Tables } from "../state.js";
import { firstIn, has, nextIn } from "../state.js";
import { refuse } from "./schema.js";

/**
 * What may not stand together. A side may exceed its limit where it was pinned, stopped or is retreating.
 * Rule: SOS 5.1 to SOS 5.8, SOS 8.08
 */
export function checkStacks(tables: Tables, s: State): void {
  const { board, roster } = tables;
  for (let h = 0; h < tables.hexes; h++) {
    const fights = [false, false];
    const leaders = [0, 0];
    let excused = false;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      const side = roster.side[u]!;
      if (roster.zocUnit[u] === 1) fights[side] = true;
      if (roster.leader[u] === 1) leaders[side]!++;
      if (has(tables, s, u, words.PINNED | words.LEFT | words.GROUP)) excused = true;
    }
    if (fights[0]! && fights[1]!) refuse("units", `both sides stand in hex ${board.ids[h]}`);
    for (const side of [0, 1] as const) {
      if (leaders[side]! > 1) refuse("units", `hex ${board.ids[h]} has two ${SIDES[side]} leaders`);
      if (isOverfull(tables, s, side, h) && !excused && !inKnownZoc(tables, s, side, h))
        refuse("units", `hex ${board.ids[h]} has more ${SIDES[side]} units than it may hold`);
    }
  }
}
