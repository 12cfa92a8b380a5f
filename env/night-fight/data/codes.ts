/** Sizes of the action space and the observation; data of other sizes are refused. */
export const HEXES = 320;
export const GERMANS = 20;
export const SOVIETS = 24;
/** Counters in one numbering: Germans 0..19, Soviets 20..43. */
export const UNITS = GERMANS + SOVIETS;
export const COLUMNS = 2;

export const GERMAN_TYPES = ["vs", "panther", "gren", "jagd", "stug", "marder", "sdk", "truck"] as const;
export const SOVIET_TYPES = ["rifle", "atgun", "t34", "hunter", "dummy"] as const;
/** Types whose gun a truck's ammunition can restore, in the order of the state's `reinstated`. */
export const RESTORABLE = ["jagd", "stug"] as const;
export const TRUCK = GERMAN_TYPES.indexOf("truck");

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
