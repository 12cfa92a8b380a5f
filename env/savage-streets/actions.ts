import { actionSpace, type Decision as CoreDecision, type Fault, type Single } from "../core/decision.js";
import type { Rng } from "../core/dice/rng.js";
import type { State, StateView } from "../core/layout.js";
import actionsFile from "./data/actions.json" with { type: "json" };
import type { Data, Tables } from "./data.js";
import { type AreaId, type ChitId, lowestArea, type SideId, type UnitId } from "./state.js";

/** What the numbers in each range of the action space stand for (`data/actions.json`). */
export type Ranges = {
  readonly pass: Single;
  readonly yes: Single;
  readonly area: AreaId;
  readonly unit: UnitId;
  readonly chit: ChitId;
  /** A die by its place in roll order. */
  readonly die: number;
};

/**
 * Deals what others can't know of a decision to `out`, the rest of which is dealt.
 *
 * @returns false where it can't come up
 */
export type Deal = (t: Tables, out: State, rng: Rng) => boolean;

/** A decision; carrying an action out may give true: the picks of the phase are over. */
export interface Decision extends CoreDecision<Tables, Ranges, boolean | void> {
  readonly by: SideId;
  /** Phases in which it comes up. */
  readonly phases: (t: Tables) => readonly number[];
  /** The stage of a combat in which it comes up. */
  readonly stage?: number;
  /** The only mode in which it comes up. */
  readonly mode?: "duel" | "solo";
  /** It comes up when the picks of its phase are over. */
  readonly afterPicks?: (s: StateView) => boolean;
  /** The decision whose answer opens it. */
  readonly opener?: number;
  /**
   * Why the game does not ask it here, or null. Absent, or with an `opener`: the game, run on without it, must ask it,
   * or its opener.
   */
  readonly unasked?: (t: Tables, s: StateView) => Fault | null;
  /** The public log shows others what was decided. */
  readonly logged?: boolean;
  readonly deal?: Deal;
}

export const SPACE = actionSpace<Ranges>(
  Object.fromEntries(actionsFile.blocks.map((b) => [b.text, b.count])) as Record<keyof Ranges, number>,
);

/** First action of each range. */
export const PASS = SPACE.first.pass;
export const YES = SPACE.first.yes;
export const AREA = SPACE.first.area;
export const UNIT = SPACE.first.unit;
export const CHIT_AT = SPACE.first.chit;
export const DIE = SPACE.first.die;

/** The strings of all actions, in index order. */
export function actionNames(data: Data): string[] {
  const lists: Readonly<Record<string, readonly string[]>> = {
    areas: data.areaIds,
    units: data.unitIds,
    chits: data.chitIds,
    dice: ["1", "2", "3", "4", "5", "6"],
  };
  return actionsFile.blocks.flatMap((b) => (b.each === null ? [b.text] : lists[b.each]!.map((x) => `${b.text} ${x}`)));
}

/** Marks the areas of a mask. @returns how many */
export function markAreas(mask: Uint8Array, at: number, areas: number): number {
  let n = 0;
  for (let m = areas; m !== 0; m &= m - 1) {
    mask[at + AREA + lowestArea(m)] = 1;
    n++;
  }
  return n;
}

export function markPass(mask: Uint8Array, at: number): number {
  mask[at + PASS] = 1;
  return 1;
}
