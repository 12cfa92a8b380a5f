import type { Brand } from "../core/brand.js";
import { layout } from "../core/layout.js";

/** An area by index, 0..13; from `AREAS` on a unit or a chit is off the map, such as `DEAD` or `PILE`. */
export type AreaId = Brand<"area">;
/** A unit by slot: Germans 0..26, Soviets 27..57. */
export type UnitId = Brand<"unit">;
/** An event chit by slot. */
export type ChitId = Brand<"chit">;
/** A chit numbered among all counters: its slot and `UNITS`. */
export type ChitCounter = Brand<"chit counter">;
export type CounterId = UnitId | ChitCounter;
/** A kind of chits, a code of `CHIT`; a type of units, a code of `TYPE`. */
export type ChitKind = Brand<"chit kind">;
export type UnitType = Brand<"unit type">;
export type SideId = Brand<"side">;

export const FIRST_AREA = 0 as AreaId;
export const FIRST_UNIT = 0 as UnitId;
export const FIRST_CHIT = 0 as ChitId;
export const NO_AREA = -1 as AreaId;
export const NO_UNIT = -1 as UnitId;
export const NO_CHIT = -1 as ChitId;
export const NO_CHIT_KIND = -1 as ChitKind;

export const AREAS = 14;
/** How many Germans there are, and so the first Soviet. */
export const GERMANS = 27 as UnitId;
export const SOVIETS = 31;
/** The Soviet unit with `k` others before it. */
export const sovietOf = (k: number): UnitId => (GERMANS + k) as UnitId;
export const UNITS = GERMANS + SOVIETS;
export const CHITS = 20;

/** Players by index. In the solitaire game only `GERMAN` is one. */
export const GERMAN = 0 as SideId;
export const SOVIET = 1 as SideId;

/** Where a unit is: 0..13 an area by index, or one of these. */
export const FUTURE = 14 as AreaId;
export const WAITING = 15 as AreaId;
export const DEAD = 16 as AreaId;
/** Where a chit is: 0..13 an area by index, or one of these. */
export const PILE = 14 as AreaId;
export const HAND = 15 as AreaId;

/** Bits of `unitFlags` and `chitFlags`. */
export const FLAG = {
  depleted: 1,
  suppressed: 2, // SS 7.1
  moved: 4, // moved or tried in this phase
  commandFailed: 8, // command roll failed, SS 10.51
  brokeThrough: 16, // broke through this turn, SS 7.31
  faceUp: 32,
  revealedThisTurn: 64, // turned face-up this turn, SS 9.3
  triedLanding: 128, // tried to land this turn, SS 2.2
} as const;

/** Codes of `control`; lettered areas have none. */
export const CONTROL = { none: 0, soviet: 1, german: 2, contested: 3 } as const;

export const PHASE = {
  setup: 0,
  gerReinf: 1,
  sovReinf: 2,
  chits: 3,
  sovMove: 4,
  gerMove: 5,
  events: 6,
  combat: 7,
  over: 8,
} as const;
export const PHASE_NAMES = [
  "setup",
  "ger-reinf",
  "sov-reinf",
  "chits",
  "sov-move",
  "ger-move",
  "events",
  "combat",
  "over",
] as const;

/** Codes of `cbStage`, in the order of a combat (ruling R19). */
export const STAGE = { stuka: 0, at: 1, decl: 2, mods: 3, sovHits: 4, gerHits: 5, fin: 6 } as const;
export const STAGE_NAMES = ["stuka", "at", "decl", "mods", "shits", "ghits", "fin"] as const;

/** Answer to a yes-or-no decision of a combat. */
export const ANSWER = { open: 0, no: 1, yes: 2 } as const;

/** Codes of `gerHits`. */
export const HIT = { base: 0, extra: 1, counterattack: 2 } as const;
export const HIT_NAMES = ["base", "extra", "ca"] as const;

/** Kinds of decisions; `DECISION.none` while the machine runs. */
export const DECISION = {
  none: 0,
  setupPlace: 1,
  gerPlace: 2,
  gerExcess: 3,
  reinfPick: 4,
  reinfArea: 5,
  chitPlace: 6,
  sovPick: 7,
  sovDest: 8,
  sovExcess: 9,
  gerPick: 10,
  gerStep: 11,
  cmdArea: 12,
  cmdUnit: 13,
  sniperTarget: 14,
  molotovTarget: 15,
  ambushTarget: 16,
  combatArea: 17,
  stuka: 18,
  atTarget: 19,
  schwere: 20,
  pionier: 21,
  engineer: 22,
  diePionier: 23,
  dieArmor: 24,
  dieEngineer: 25,
  sovHit: 26,
  gerHit: 27,
  btDest: 28,
  btUnit: 29,
} as const;

/** Names of `DECISION`, by code. */
export const DECISION_NAMES = [
  "over",
  "setup-place",
  "ger-place",
  "ger-excess",
  "reinf-pick",
  "reinf-area",
  "chit-place",
  "sov-pick",
  "sov-dest",
  "sov-excess",
  "ger-pick",
  "ger-step",
  "cmd-area",
  "cmd-unit",
  "sniper-target",
  "molotov-target",
  "ambush-target",
  "combat-area",
  "stuka",
  "at-target",
  "schwere",
  "pionier",
  "engineer",
  "die-pionier",
  "die-armor",
  "die-engineer",
  "sov-hit",
  "ger-hit",
  "bt-dest",
  "bt-unit",
] as const;
export type DecisionName = (typeof DECISION_NAMES)[number];

/**
 * Words of the public log that may still come from `turn` on, whatever happens: per turn 31 reveals, 1 pass and 3 chits
 * placed; per turn with Soviet movement 51 moves and 31 re-flips; over the whole game 31 landings or drownings, 31
 * dead, and 50 chits (20 lying there, 30 placed) each revealed and returned. A unit whose landing fails is off the map,
 * so its entry replaces the move that it cannot make.
 */
export const publicLogNeed = (turn: number): number => (10 - turn) * 35 + Math.min(8, 10 - turn) * 82 + 31 + 31 + 100;

/**
 * Capacity of the public log: a whole game, the counts at its start (units and chits per area) and 3 set-up chits
 * (SS 10.22).
 */
export const PUBLIC_LOG_WORDS = publicLogNeed(1) + 2 * AREAS + 3;

/**
 * The whole state. "x + 1" fields hold 0 for none. Masks have a bit per area (bit = area index) or per chit slot.
 */
export const L = layout({
  unitPlace: UNITS, // 0..13 area, FUTURE, WAITING, DEAD
  unitFlags: UNITS, // bits FLAG
  unitRank: UNITS, // solo: place in the stack of Soviet units of its area, from 0 (ruling R36); else 0
  chitPlace: CHITS, // 0..13 area, PILE, HAND
  chitFlags: CHITS, // bits FLAG.faceUp and FLAG.moved
  chitRank: CHITS, // in the hand: draw order; solo: place in the stack of chits of its area; else 0
  control: AREAS, // CONTROL (SS 1.31)
  germans: AREAS, // German units there, kept in step with unitPlace
  soviets: AREAS, // Soviet units there
  chits: AREAS, // chits there, either face
  lastSeenArea: SOVIETS, // area + 1 where a Soviet unit last turned face-down (public memory)
  lastSeenTurn: SOVIETS, // turn in which it did
  turn: 1, // 1..9
  phase: 1, // PHASE
  result: 1, // 0 open, else player + 1 of the winner
  stuka: 1, // 1 available
  schwere: 1, // 1 not used yet (SS 9.6)
  pendingCombats: 1, // mask: areas with a combat to come
  freeBreakthroughs: 1, // mask: areas with a breakthrough by SS 6.7
  areaQueue: 1, // mask: events: areas left; solo German movement: closed areas
  eventArea: 1, // area + 1 whose events are resolved
  eventChitsLeft: 1, // mask of chits left there
  ambushTarget: CHITS, // ambush targets named: unit + 1
  eventsAfterBreakthrough: 1, // 1 when the area was entered by breakthrough
  commandArea: 1, // area + 1 open for command (SS 10.51)
  commandModifier: 1,
  breakthroughFrom: 1, // area + 1 left by breakthrough
  breakthroughTo: 1, // area + 1 it goes to; 0 while the choice is open
  breakthroughUnits: 1, // mask of German slots chosen
  combatArea: 1, // area + 1 of the combat; 0 none, then all cb fields are 0
  combatStage: 1, // STAGE
  combatStuka: 1, // ANSWER, and so the next three
  combatSchwere: 1,
  combatPionier: 1,
  combatEngineer: 1,
  gunTarget: SOVIETS, // SS 9.3: German unit + 1 aimed at, by shooter
  dieChoicesDone: 1, // bits 0 Pionier, 1 armour, 2 Engineer: die was asked for
  germanDice: 6, // in roll order, after modification
  germanDiceCount: 1,
  sovietDice: 6,
  sovietDiceCount: 1,
  germanTotal: 1,
  sovietTotal: 1,
  combatWinner: 1, // player + 1; 0 before the dice
  sovietLossesLeft: 1, // Soviet losses still to take
  germanHits: 8, // HIT, in order, the next one first
  germanHitCount: 1,
  hqMustTakeHit: 1, // an HQ still has to take a hit (SS 7.32)
  pionierMustTakeHit: 1, // a Pionier company still has to (SS 9.1)
  firstHitUnit: 1, // unit + 1 that took the regular hit
  engineerTakesNextLoss: 1, // the next Soviet loss is an Engineer (SS 9.1)
  breakthroughEarned: 1, // more hits than Soviet units
  decision: 1, // DECISION
  decisionUnit: 1, // unit + 1, or UNITS + chit + 1
  decisionArea: 1, // area + 1
  decisionChit: 1, // chit + 1
  decisionMp: 1,
  decisionIsFirstStep: 1,
  publicLogLength: 1,
  publicLog: PUBLIC_LOG_WORDS, // public-log.ts
});
