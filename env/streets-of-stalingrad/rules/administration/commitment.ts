import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import type { Division } from "../../schedule.js";
import * as events from "../../events/administration.js";
import { ASK_COMMIT, F_ACTOR, F_FLAG, F_STEP, FRAME_WORDS, OUT } from "../../layout.js";
import { GERMAN } from "../../roster.js";
import { pop, push, put, topFrame } from "../../state.js";
import type { Tables } from "../../state.js";
import { isDue } from "../../divisions.js";

/** The division that is asked about. */
export const askedDivision = ({ layout, setting }: Tables, s: StateView): Division =>
  setting.divisions[s[topFrame({ layout } as Tables, s) + F_STEP]!]!;

/**
 * The German side is asked for the next division that it may refuse. Ruling R64
 *
 * @returns false when there is none
 */
export function offerDivision(tables: Tables, s: State): boolean {
  const frame = topFrame(tables, s);
  const { divisions } = tables.setting;
  if (s[frame + F_ACTOR] !== GERMAN) return false;
  for (let i = s[frame + F_FLAG]!; i < divisions.length; i++) {
    if (!isDue(tables, s, divisions[i]!)) continue;
    s[frame + F_FLAG] = i + 1;
    s[push(tables, s, ASK_COMMIT, GERMAN) + F_STEP] = i;
    return true;
  }
  s[frame + F_FLAG] = 0;
  return false;
}

/**
 * The German side takes a division, which comes with the arrivals of the turn, or refuses it for good. Rule: SOS 3.5
 */
export function decideCommitment(tables: Tables, s: State, comes: boolean, play: Play): void {
  const division = askedDivision(tables, s);
  if (play.narrator !== null) events.committed(division.name, division.points, comes, play);
  if (!comes) for (const u of division.units) put(tables, s, u, OUT);
  pop(tables, s);
}

/** Below the question the stage remembers how many divisions were asked about. */
export const noteAsked = (s: State, frame: number, i: number): void => {
  s[frame - FRAME_WORDS + F_FLAG] = i + 1;
};
