import type { Brand } from "../../core/brand.js";

/** Counters in one numbering: Germans 0..19, Soviets 20..43. */
export type UnitId = Brand<"unit">;
/** A hex; below 0 where a counter is off the map, such as `POOL`. */
export type HexId = Brand<"hex">;
/** A mobile column of the Soviets. */
export type ColumnId = Brand<"column">;
/** A type of counters: 0..7 German, 8..12 Soviet. */
export type TypeId = Brand<"type">;
/** A gun that ammunition can restore: an index into `RESTORABLE`. */
export type GunId = Brand<"gun">;

export const FIRST_UNIT = 0 as UnitId;
export const FIRST_HEX = 0 as HexId;
export const FIRST_COLUMN = 0 as ColumnId;
export const SECOND_COLUMN = 1 as ColumnId;
export const FIRST_TYPE = 0 as TypeId;
export const FIRST_GUN = 0 as GunId;
export const NO_UNIT = -1 as UnitId;
export const NO_HEX = -1 as HexId;

/** Sizes of the action space and the observation; data of other sizes are refused. */
export const HEXES = 320;
/** How many Germans there are, and so the first Soviet. */
export const GERMANS = 20 as UnitId;
export const SOVIETS = 24;
export const UNITS = GERMANS + SOVIETS;
/** The Soviet counter with `k` others before it. */
export const sovietOf = (k: number): UnitId => (GERMANS + k) as UnitId;
export const COLUMNS = 2;

export const GERMAN_TYPES = ["vs", "panther", "gren", "jagd", "stug", "marder", "sdk", "truck"] as const;
export const SOVIET_TYPES = ["rifle", "atgun", "t34", "hunter", "dummy"] as const;
/** Types whose gun a truck's ammunition can restore, in the order of the state's `reinstated`. */
export const RESTORABLE = ["jagd", "stug"] as const;
export const TRUCK = GERMAN_TYPES.indexOf("truck") as TypeId;

/** Results of an attack, as the results table holds them. */
export const NOTHING = 0;
export const SUPPRESS = 1;
export const ELIMINATE = 2;

/** Kinds of ground, in the order of `Tables.terrain`. */
export const TERRAINS = ["clear", "woods", "town"] as const;
/** Weights of vehicles, from code 1. */
export const WEIGHTS = ["light", "medium", "heavy"] as const;
/** `weight` of a counter from which on only anti-tank units may attack it. */
export const MEDIUM = 2;
