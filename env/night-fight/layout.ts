import { layout } from "../core/layout.js";
import { COLUMNS, type HexId, HEXES, SOVIETS, UNITS } from "./data.js";

/** Phases in the order of the `decision` tensor. */
export const PHASES = ["buy", "reinstate", "move", "step", "fire", "target", "follow", "over"] as const;
export const BUY = 0;
export const REINSTATE = 1;
export const MOVE = 2;
export const STEP = 3;
export const FIRE = 4;
export const TARGET = 5;
export const FOLLOW = 6;
export const OVER = 7;

/** Where a counter is when it isn't in a hex. */
export const POOL = -1 as HexId; // German not bought, or Soviet in the reserve
export const WAITING = -2 as HexId; // bought, off the map
export const EXITED = -3 as HexId;
export const DEAD = -4 as HexId;

/** Where a mobile column is when it isn't in a hex. */
export const OFF = -1 as HexId;
export const GONE = -2 as HexId;

export const MOVED = 1;
export const FIRED = 2;
export const SUPPRESSED = 4;
export const SEEN = 8;

export const GROUND_WORDS = HEXES / 4;

export const L = layout({
  turn: 1, // 1..turns
  phase: 1, // index into PHASES
  budget: 1, // points not spent
  place: UNITS, // hex, or POOL .. DEAD
  flags: UNITS, // bits MOVED, FIRED, SUPPRESSED; SEEN for Soviet units turned up
  reinstated: 2, // 0, 1: JagdPanther, StuG have ammunition (NF 11.3 C)
  columns: COLUMNS, // hex, OFF or GONE
  ground: GROUND_WORDS, // wrecks and flares, see groundOf
  active: 1, // German that moves or fires, NO_UNIT
  mp: 1, // movement points the active unit has left
  target: 1, // hex of a follow-up fire, NO_HEX
  ace: 1, // German, NO_UNIT
  result: 1, // total of the victory roll, 0 before
  contacts: 1, // counters that are face down on the map
  contactHexes: SOVIETS, // their hexes, rising; NO_HEX after the last
  missedDice: SOVIETS * SOVIETS, // dice a counter would have missed at a contact that did not fire: see contacts.ts
  drawnForColumns: 1, // counters drawn for columns so far
});
