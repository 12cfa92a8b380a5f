import type { PhaseName } from "../layout.js";

/** The part of the player's view that the scene reads: see `writePosition`. */
export interface View {
  readonly turn: number;
  readonly phase: PhaseName;
  readonly armies: Readonly<Record<string, { hex: string; steps: number; stopped: boolean; fired: boolean }>>;
  readonly engineer: { host: string | null; steps: number };
  readonly front: Readonly<Record<string, string>>;
  readonly garrisons: Readonly<Record<string, readonly string[]>>;
  readonly track: Readonly<Record<string, readonly string[]>>;
  readonly removed: readonly string[];
  readonly interceptor: "ready" | "spent";
  readonly partisan: string;
  readonly replacements: number;
  readonly active?: { army: string; mp: number };
  readonly battle?: {
    hex: string;
    from: string;
    round: number;
    pocket: readonly string[];
    units: readonly string[];
    support: readonly string[];
    interceptor: boolean;
    hits: number;
  };
  readonly entered: Readonly<Record<string, number>>;
  readonly placed: Readonly<Record<string, number>>;
  readonly result?: string;
  readonly poolSize: number;
  readonly control: Readonly<Record<string, "german" | "soviet">>;
  readonly forts: number;
  readonly west: number;
  readonly kCount: number;
}
