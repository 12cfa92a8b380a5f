import type { Written } from "../../core/schema.js";
import type { Doc } from "../notation/read.js";

type Position = Written<Doc>;

export type UnitDoc = { readonly hex: string } & Omit<Doc["german"][string] & Doc["soviet"][string], "hex"> & {
    /** Counters face down in one hex, in the player's view. */
    readonly count?: number;
  };

/** What an open decision holds that the scene shows: see `Held` of the decisions. */
interface Active {
  readonly unit: string;
  readonly mp?: number;
  readonly target?: string;
}

/** The player's view as the scene reads it: see `writeView`. */
export type View = Omit<Position, "german" | "soviet" | "active" | "ace" | "result"> & {
  readonly german: Readonly<Record<string, UnitDoc>>;
  readonly soviet: Readonly<Record<string, UnitDoc>>;
  readonly active?: Active;
  readonly ace?: string;
  readonly result?: number;
};
