import type { Brand } from "../core/brand.js";
import { actionSpace, type Decision as CoreDecision, type Single } from "../core/decision.js";
import type { StateView } from "../core/layout.js";
import actionData from "./data/actions.json" with { type: "json" };
import { type AreaId, CITY_FIRST, CITY_LAST, type SideId, type Tables, VOLGA, Z } from "./data.js";

export const ACTIONS: readonly string[] = actionData.actions;

/** Two of the areas Z and 1 to 5: `from * 5 + (to, with from left out)`. */
export type PairId = Brand<"pair">;

/** What the numbers in each range of the action space stand for, in the order of `data/actions.json`. */
export type Ranges = {
  readonly done: Single;
  readonly roll: Single;
  /** Number of a unit die. */
  readonly keepUnit: number;
  /** COMMAND, TACTICS or RATT. */
  readonly keepDie: number;
  /** Number of a unit die. */
  readonly place: number;
  readonly reroll: Single;
  /** 6 is the own Area 6 of either side. */
  readonly lose: AreaId;
  readonly fort: AreaId;
  /** How many. */
  readonly announce: number;
  readonly air: AreaId;
  readonly cancel: Single;
  /** How many. */
  readonly reduce: number;
  readonly raze: Single;
  readonly sturm: AreaId;
  readonly cross: AreaId;
  readonly ratzel: PairId;
  readonly out: AreaId;
  readonly in: AreaId;
  readonly arty: AreaId;
  readonly artyOff: Single;
  readonly pioneer: Single;
  readonly fight: Single;
  readonly guardsZ: AreaId;
  readonly guardsVolga: AreaId;
};

/** A decision; carrying an action out gives the next step (`steps.ts`). */
export interface Decision extends CoreDecision<Tables, Ranges, number> {
  /** The side that decides. Absent: nobody. */
  readonly by?: (tables: Tables, s: StateView) => SideId;
  /** The side in whose player turn it is asked. Absent: in any. */
  readonly turnOf?: (s: StateView) => SideId | null;
}

const CITIES = [CITY_FIRST, CITY_LAST] as const;

export const SPACE = actionSpace<Ranges>({
  done: 1,
  roll: 1,
  keepUnit: [1, 6],
  keepDie: 3,
  place: [1, 6],
  reroll: 1,
  lose: [Z, VOLGA],
  fort: CITIES,
  announce: [1, 6],
  air: [CITY_FIRST, VOLGA],
  cancel: 1,
  reduce: [1, 5],
  raze: 1,
  sturm: CITIES,
  cross: CITIES,
  ratzel: 30,
  out: CITIES,
  in: CITIES,
  arty: CITIES,
  artyOff: 1,
  pioneer: 1,
  fight: 1,
  guardsZ: CITIES,
  guardsVolga: CITIES,
});

/** First index of each range of the flat action space. */
export const DONE = SPACE.first.done;
export const ROLL = SPACE.first.roll;
export const KEEP_UNIT = SPACE.first.keepUnit;
export const KEEP_SPECIAL_DIE = SPACE.first.keepDie;
export const PLACE = SPACE.first.place;
export const REROLL = SPACE.first.reroll;
export const LOSE = SPACE.first.lose;
export const FORT = SPACE.first.fort;
export const ANNOUNCE = SPACE.first.announce;
export const AIR_TARGET = SPACE.first.air;
export const CANCEL = SPACE.first.cancel;
export const REDUCE = SPACE.first.reduce;
export const RAZE = SPACE.first.raze;
export const STURM_TO = SPACE.first.sturm;
export const CROSS = SPACE.first.cross;
export const RATZEL = SPACE.first.ratzel;
export const OUT = SPACE.first.out;
export const IN = SPACE.first.in;
export const ARTY = SPACE.first.arty;
export const ARTY_OFF = SPACE.first.artyOff;
export const PIONEER = SPACE.first.pioneer;
export const FIGHT = SPACE.first.fight;
export const GUARDS_Z = SPACE.first.guardsZ;
export const GUARDS_VOLGA = SPACE.first.guardsVolga;

/** City area of an action of the range that begins with `first`. */
export const cityOf = (action: number, first: number): AreaId => (action - first + CITY_FIRST) as AreaId;

export const ratzelFrom = (pair: PairId): AreaId => Math.floor(pair / 5) as AreaId;
export const ratzelTo = (pair: PairId): AreaId => {
  const from = ratzelFrom(pair);
  const k = pair % 5;
  return (k < from ? k : k + 1) as AreaId;
};
