import type { JsonObject } from "../../core/game.js";

interface AreaDoc {
  readonly control: "S" | "G" | "C" | null;
  readonly german: readonly string[];
  readonly soviet: readonly string[];
  readonly chits: readonly string[];
  readonly faceDown?: number;
  readonly faceDownUnits?: number;
  readonly faceDownChits?: number;
}
export interface CombatDoc {
  readonly area: string;
  readonly germanDice: readonly number[];
  readonly sovietDice: readonly number[];
  readonly totals: readonly [number, number] | null;
  readonly winner: "G" | "S" | null;
  readonly sovietHits: number;
  readonly germanHits: readonly string[];
}
/** The part of a view that the scene reads: see `germanView` and `writePosition`. */
export interface View {
  readonly turn: number;
  readonly phase: string;
  readonly result: "G" | "S" | null;
  readonly options: Readonly<Record<string, boolean>>;
  readonly stuka: boolean;
  readonly schwereAvailable: boolean;
  readonly pending: readonly string[];
  readonly free: readonly string[];
  readonly breakthrough: { area: string; dest: string | null; units: readonly string[] } | null;
  readonly combat: CombatDoc | null;
  readonly ledger: readonly JsonObject[];
  readonly areas: Readonly<Record<string, AreaDoc>>;
  readonly hand?: readonly string[];
  readonly pile?: readonly string[];
  readonly waiting?: readonly string[];
  readonly handCount?: number;
  readonly pileCount?: number;
  readonly waitingCount?: number;
  readonly future: readonly string[];
  readonly dead: readonly string[];
  readonly events: { area: string } | null;
  readonly decision: {
    actor: "G" | "S";
    kind: string;
    unit?: string;
    area?: string;
    chit?: string;
    mp?: number;
  } | null;
}
export const SIDE_NAMES = { G: "German", S: "Soviet" } as const;
