import { layout } from "../core/layout.js";
import { AREAS, type SideId } from "./data.js";

export const SOVIET = 0 as SideId;
export const GERMAN = 1 as SideId;
export const SIDES = ["soviet", "german"] as const;
/** `active` in the phases of neither side. */
export const NO_SIDE = 2 as SideId;

/** Rights that dice give for the rest of the turn, as bits. */
export const ARTILLERY = 1;
export const DEPLOY = 2;
export const GUARDS = 4;
export const PIONEERS = 8;
export const STURM = 16;
/** Not a right, but beside them: Breach is still to take its CMD (ruling R22). */
export const BREACH = 32;
export const RIGHT_NAMES = {
  artillery: ARTILLERY,
  deploy: DEPLOY,
  guards: GUARDS,
  pioneers: PIONEERS,
  sturm: STURM,
} as const;

/** Dice that aren't unit dice, by index. */
export const COMMAND = 0;
export const TACTICS = 1;
export const RATT = 2;
export const SPECIAL_DICE = ["command", "tactics", "ratt"] as const;

/** Kinds of decisions, in the order of the `decision` tensor. */
export const DECISION_KINDS = [
  "dice",
  "place",
  "reroll",
  "lose",
  "fortify",
  "announce",
  "reduce",
  "air",
  "cancel",
  "raze",
  "sturm",
  "cross",
  "ratzel",
  "deployOut",
  "deployIn",
  "artillery",
  "fight",
  "pioneer",
  "guards",
  "over",
  "chance",
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
export const DECISION = Object.freeze(
  Object.fromEntries(DECISION_KINDS.map((k, i) => [k, i])) as Record<DecisionKind, number>,
);

export const WINDOWS = ["before", "pioneer", "end"] as const;
export const BEFORE = 0;
export const AFTER_PIONEER = 1;
export const AT_END = 2;
export const AIR = 0;
export const ATTRITION = 1;
export const REASONS = ["", "sudden", "areas", "vp", "draw"] as const;

/** Parts of a throw that explicit chance still owes, as bits. */
export const AWAIT_UNITS = 1;
export const AWAIT_SPECIAL = [2, 4, 8] as const;
export const AWAIT_REROLL = 16;

export const L = layout({
  turn: 1, // 1..turns
  active: 1, // 0 Soviet, 1 German, 2 nobody (combat, victory, over)
  units: 2 * AREAS, // [side][area]
  reserve: 2, // markers not on the map; with `units` always 20 a side (ruling R4)
  max6: 2, // maximum of the Volga, of Gumrak
  fort: AREAS, // 0, 1
  shieldUsed: AREAS, // 0, 1: the Fortification has absorbed its kill of this turn (ruling R31)
  captured: AREAS, // 0 no, 1 Soviet, 2 German
  artillery: 1, // 0 aside, else area index
  night: 1, // 0, 1
  cmd: 2, // command points
  rights: 2, // bits ARTILLERY .. BREACH
  ratzel: 1, // 0, 1: Ratzel moves of this player turn not yet finished
  loose: 6, // unit dice of the latest throw not kept, per number
  kept: 6, // unit dice kept, per number
  looseSpecialDice: 3, // face of Command, Tactics, Ratt while loose, else 0
  keptSpecialDice: 3, // the same while kept
  picked: 1, // 0, 1: something was kept since the last throw
  kind: 1, // index into KINDS
  actor: 1, // side that decides; 2 for over and chance
  area: 1, // 0 none, else area index + 1: `area` of the decision
  attacks: 1, // air attacks left to assign
  paid: 1, // Gumrak units paid for in this air step
  left: 1, // units that may still infiltrate by Sturm
  surchargePaid: 1, // 0, 1
  kills: 1, // German kills that a raze would lower
  source: 1, // of a raze: AIR or ATTRITION
  window: 1, // of artillery: BEFORE, AFTER_PIONEER, AT_END
  passed: 1, // of artillery: bit per side
  pending: 6, // unit dice that wait for a place, per number
  explicit: 1, // 0, 1: stop at chance nodes
  awaiting: 1, // bits AWAIT_*
  winner: 1, // 0 none, 1 Soviet, 2 German
  reason: 1, // index into REASONS, 0 while the game goes on
});
