/** Where things stand in the rows of `map` and `units`, and in the cache of a row (observer.ts). */

/** Places of the features in a row of `map`. */
export const SOVIET = 0;
export const MAIN_AREA = 1;
export const MARKER = 2;
export const UNITS_THERE = 3;
export const THERE = 4; // + class
export const ARMY = 7;
export const ARMY_STEPS = 8;
export const SHOCK = 9;
export const ENGINEER = 10;
export const HAS_MOVED = 11;
export const MOVES = 12;
export const BATTLE_HEX = 13;
export const ORIGIN = 14;
export const CUT = 15;
export const POCKET = 16;
export const TARGET = 17;
export const FM = 18;

/** Places of the features in a row of `units`. */
export const STEPS = 0;
export const ON_MAP = 1;
export const COLUMN = 2;
export const ROW = 3;
export const STOPPED = 4;
export const FIRED = 5;
export const ACTIVE = 6;
export const OUT = 7;
export const NEXT_BOX = 8;
export const LATER_BOX = 9;
export const UNSEEN = 10;
export const IN_BATTLE = 11;
export const IN_GARRISON = 12;
export const MAYBE_POOL = 13;
export const FU = 14;

/** Notes of an army: bits from the lowest on. `schema.ts` keeps data within them. */
export const A_HEX = 0; // hex + 1, 0 none
export const A_STEPS = 10;
export const A_ENGINEER = 17;
export const A_STOPPED = 23;
export const A_FIRED = 24;
export const A_ACTIVE = 25;
export const A_BATTLE = 26;
export const A_OUT = 27;
export const A_NEXT = 28;
export const A_LATER = 29;
export const HEX_MASK = 1023;

/** Notes of a counter: one of these, or its hex in the garrison there or in battle there. */
export const C_UNSEEN = 0;
export const C_UNDER_MARKER = 1; // unseen, and surely not in the pool
export const C_OUT = 2;
export const C_NEXT = 3;
export const C_LATER = 4;
export const C_GARRISON = 1024; // + hex
export const C_BATTLE = 2048; // + hex

/** Values of `place` in a state, boxes included. */
export const PLACES = 16;

/** Single words at the start of a row's cache; words by hex, army and counter come after them. */
export const N_WRITTEN = 0; // 1: the row has been written before
export const N_PARTISAN = 1; // hex + 1 that the partisan marker holds alone
export const N_BATTLE = 2; // hex + 1, as in the state
export const N_FROM = 3;
export const N_POCKET = 4; // 1: some hex is in the cut set of the battle
export const N_TARGETS = 5; // hex + 1 whose neighbours are all that may be targets, 0 none, -1 any hex
export const N_ENGINEER = 6; // the cache of its host, or -1 - its steps
export const N_INTERCEPTOR = 7;
export const N_MARKER = 8; // of the partisan marker: where it is
export const N_SEEN = 9; // + class: counters that lie open
export const N_WORDS = 13;
