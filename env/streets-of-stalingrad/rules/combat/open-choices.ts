import type { State, StateView } from "../../../core/layout.js";
import {
  ASK_AFTER_CHOICE,
  ASK_AFTER_HEX,
  ASK_AFTER_UNIT,
  ASK_LOSS,
  ATTACKER,
  CAUSE_COUNTER,
  CAUSE_COUNTER_LOST,
  CAUSE_DEFENSE,
  CAUSE_OPPORTUNITY,
  CAUSE_SACRIFICE,
  COUNTER,
  EXPOSED,
  F_ACTOR,
  F_ASK,
  F_CAUSE,
  F_FLAG,
  F_NEED,
  F_STEPS,
  FIRST_LOSS,
  FRAME_WORDS,
  LEFT,
} from "../../layout.js";
import * as state from "../../state.js";
import { frameHex, give, has, placeOf, take } from "../../state.js";
import type { Tables } from "../../state.js";
import { isTarget } from "../movement/opportunity.js";
import { canBeTaken, isBombed } from "../units/losses.js";
import { isGivenUp, leaves } from "./after.js";

/**
 * Among whom losses are chosen, and who has still to retreat, depends on what the units are: only the
 * owner of face-down counters knows it. The two functions hide that and write it again for a deal.
 */

/** Removes the marks of an unseen unit. A unit that has retreated one of two hexes was seen. */
export function hideChoices(tables: Tables, s: State, unit: number): void {
  take(tables, s, unit, EXPOSED | FIRST_LOSS);
  if (!has(tables, s, unit, LEFT)) return;
  const frame = afterFrame(tables, s);
  if (frame < 0 || placeOf(tables, s, unit) === frameHex(s, frame)) take(tables, s, unit, LEFT);
}

/**
 * Marks the unseen units as the rules mark units of their kinds.
 *
 * @param unseen the slots of the units that the viewer doesn't see
 * @returns false when nothing would be left to choose
 */
export function markChoices(tables: Tables, s: State, unseen: readonly number[]): boolean {
  const depth = s[tables.layout.depth]!;
  if (depth === 0) return true;
  const top = state.topFrame(tables, s);
  const after = afterFrame(tables, s);
  const loses = s[top + F_ASK] === ASK_LOSS;
  if (!loses && after < 0) return true;
  const { side } = tables.roster;
  for (const u of unseen) {
    if (loses && side[u] === s[top + F_ACTOR] && isExposed(tables, s, u, top)) give(tables, s, u, EXPOSED);
    if (
      after >= 0 &&
      side[u] === s[after + F_ACTOR] &&
      placeOf(tables, s, u) === frameHex(s, after) &&
      leaves(tables, s, u, frameHex(s, after), s[after + F_STEPS]!, s[after + F_FLAG] === 1)
    )
      give(tables, s, u, LEFT);
  }
  return !loses || countOf(tables, s, EXPOSED) > s[top + F_NEED]!;
}

function isExposed(tables: Tables, s: StateView, unit: number, frame: number): boolean {
  const { roster } = tables;
  const hex = frameHex(s, frame);
  const cause = s[frame + F_CAUSE];
  if (cause === CAUSE_OPPORTUNITY) return isTarget(tables, s, unit, hex);
  if (cause === CAUSE_COUNTER_LOST) return has(tables, s, unit, COUNTER);
  if (placeOf(tables, s, unit) !== hex) return false;
  if (cause === CAUSE_DEFENSE) return has(tables, s, unit, ATTACKER) && roster.lossUnit[unit] === 1;
  if (cause === CAUSE_SACRIFICE) return leaves(tables, s, unit, hex, 1) && isGivenUp(tables, s, unit, hex);
  if (cause === CAUSE_COUNTER) return roster.lossUnit[unit] === 1;
  return canBeTaken(tables, unit, roster.side[unit]!, isBombed(tables, s));
}

function countOf(tables: Tables, s: StateView, flag: number): number {
  let n = 0;
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, flag)) n++;
  return n;
}

/** The frame of a hex whose defenders leave; -1 when there is none. */
function afterFrame({ layout }: Tables, s: StateView): number {
  for (let i = s[layout.depth]! - 1; i >= 0; i--) {
    const frame = layout.frames + i * FRAME_WORDS;
    const ask = s[frame + F_ASK];
    if (ask === ASK_AFTER_CHOICE || ask === ASK_AFTER_UNIT || ask === ASK_AFTER_HEX) return frame;
  }
  return -1;
}
