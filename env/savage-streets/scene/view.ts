import type { Written } from "../../core/schema.js";
import type { PositionDocument } from "../notation/schema.js";

type Position = Written<PositionDocument>;
export type CombatDoc = NonNullable<Position["combat"]>;

/** What is hidden, by side: names in its own view, counts in the other's. */
type Named = Partial<Pick<Position, "hand" | "pile" | "waiting">>;
interface Counted {
  readonly handCount?: number;
  readonly pileCount?: number;
  readonly waitingCount?: number;
}
type AreaDoc = Position["areas"][string] & {
  readonly faceDown?: number;
  readonly faceDownUnits?: number;
  readonly faceDownChits?: number;
};

/** What an open decision holds that the scene shows: see `Held` in decisions/held.ts. */
interface Asked {
  readonly unit?: string;
  readonly chit?: string;
  readonly mp?: number;
}

/** A view as the scene reads it: see `germanView` and `writePosition`. */
export type View = Omit<Position, "areas" | "decision" | keyof Named> &
  Named &
  Counted & {
    readonly areas: Readonly<Record<string, AreaDoc>>;
    readonly decision: (NonNullable<Position["decision"]> & Asked) | null;
  };

export const SIDE_NAMES = { G: "German", S: "Soviet" } as const;
