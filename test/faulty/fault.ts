import type { GameType, Options } from "../../env/index.js";
import type { Code } from "../conformance/complaints.js";
import { type Ambush, ambush, SLOTS } from "../toys/ambush.js";
import { type Patrol, patrol } from "../toys/patrol.js";
import { type Race, race } from "../toys/race.js";

/** A toy broken in one promise, and the complaint it earns. */
export interface Fault {
  readonly code: Code;
  readonly is: string;
  readonly type: GameType;
}

type Toy = Race | Ambush | Patrol;
/** What is written of a toy beside its code. */
type Changed = Partial<Pick<GameType, "rules" | "guide" | "orders">>;

function broken(
  code: Code,
  is: string,
  base: GameType,
  make: (type: GameType, options: Options) => Toy,
  changed: Changed = {},
): Fault {
  const type: GameType = { ...base, ...changed, load: (options) => make(type, options) };
  return { code, is, type };
}
export const inRace = (code: Code, is: string, Broken: typeof Race, changed?: Changed) =>
  broken(code, is, race, (t, o) => new Broken(t, o), changed);
export const inAmbush = (code: Code, is: string, Broken: typeof Ambush) =>
  broken(code, is, ambush, (t, o) => new Broken(t, o));
export const inPatrol = (code: Code, is: string, Broken: typeof Patrol) =>
  broken(code, is, patrol, (t, o) => new Broken(t, o));
/** First counter of the side that `viewer` is not on, as an offset into the slots of Ambush. */
export const other = (viewer: number) => (viewer === 1 ? 0 : SLOTS);
