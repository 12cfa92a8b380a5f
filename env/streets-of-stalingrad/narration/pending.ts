import type { Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { unitsWith } from "../events/words.js";
import * as words from "../layout.js";
import { stukasIn } from "../rules/combat/participants.js";
import { attackOf, hasArmor } from "../rules/units/armor.js";
import { actorOf, enemyOf, placeOf, type Tables } from "../state.js";
import { columnText, type Danger } from "./numbers.js";

/** Text and effects of a choice. */
export interface Meaning {
  readonly text: string;
  readonly places?: readonly string[];
  readonly units?: readonly string[];
  readonly cost?: number;
  readonly ends?: "phase" | "turn";
  readonly warning?: string | null;
}

/** The pending decision, as its choices read it. */
export interface Pending {
  readonly tables: Tables;
  /** The state as the actor knows it. */
  readonly s: StateView;
  readonly viewer: Viewer;
  readonly side: number;
  readonly ask: number;
  readonly frame: number;
  /** Hex of the frame, -1 none. */
  readonly hex: number;
  /** Legal units and hexes. */
  readonly units: readonly number[];
  readonly hexes: readonly number[];
  /** Opportunity fire and unseen counters on the way, by hex. */
  readonly dangers: Map<number, Danger>;
}

export const allUnits = (tables: Tables): number[] => Array.from({ length: tables.units }, (_, u) => u);

/** Points against a hex of the attackers picked and these. */
export function attackSum(tables: Tables, s: StateView, hex: number, more: readonly number[]): string {
  const all = [...new Set([...unitsWith(tables, s, words.ATTACKER), ...more])];
  const armor = hasArmor(tables, s, enemyOf(actorOf(tables, s)), hex, true);
  return `Then ${columnText(
    tables,
    all.reduce((sum, u) => sum + attackOf(tables, s, u, hex, armor), stukasIn(tables, s) * tables.stukaAf),
  )}`;
}

/** Units of a side beside a hex that are neither pinned nor spent. */
export const unitsBeside = (tables: Tables, s: StateView, side: number, hex: number): number[] =>
  allUnits(tables).filter(
    (u) =>
      tables.roster.side[u] === side &&
      placeOf(tables, s, u) >= 0 &&
      tables.board.sideTo(placeOf(tables, s, u), hex) >= 0 &&
      (s[tables.layout.flags + u]! & (words.PINNED | words.SPENT)) === 0,
  );
