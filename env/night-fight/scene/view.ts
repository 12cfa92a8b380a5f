import type { PHASES } from "../state.js";

export interface UnitDoc {
  readonly hex: string;
  readonly moved?: boolean;
  readonly fired?: boolean;
  readonly supp?: boolean;
  readonly seen?: boolean;
  /** Counters face down in one hex, in the player's view. */
  readonly count?: number;
}
/** The part of the player's view that the scene reads: see `writeView`. */
export interface View {
  readonly turn: number;
  readonly phase: (typeof PHASES)[number];
  readonly budget: number;
  readonly reinstated: Readonly<Record<string, boolean>>;
  readonly columns: readonly string[];
  readonly wrecks: Readonly<Record<string, number>>;
  readonly flares: readonly string[];
  readonly exited: number;
  readonly active?: { unit: string; mp?: number; target?: string };
  readonly ace?: string;
  readonly result?: number;
  readonly german: Readonly<Record<string, UnitDoc>>;
  readonly soviet: Readonly<Record<string, UnitDoc>>;
}
