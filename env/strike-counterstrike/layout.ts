import { bitWords } from "../core/bits.js";
import type { Brand } from "../core/brand.js";
import { layout } from "../core/layout.js";

/** A hex: its place in the map file. Below 0 for none, or `DEAD` or `TRACK` for an army off the map. */
export type HexId = Brand<"hex">;
/** A Soviet army: its place in the units file, and so its slot. Below 0 for none. */
export type ArmyId = Brand<"army">;
/** A German counter: its slot. Below 0 for none. */
export type CounterId = Brand<"counter">;
/** A class of German counters. */
export type ClassId = Brand<"class">;

export const FIRST_HEX = 0 as HexId;
export const NO_HEX = -1 as HexId;
export const FIRST_ARMY = 0 as ArmyId;
export const NO_ARMY = -1 as ArmyId;
export const FIRST_COUNTER = 0 as CounterId;
export const NO_COUNTER = -1 as CounterId;

/** The decisions of a turn, as positions and the `decision` tensor name them. Rule: SC 5.1 */
export const PHASES = [
  "setup",
  "replace",
  "enter",
  "partisan",
  "activate",
  "move",
  "commit",
  "losses",
  "press",
  "attach",
  "over",
] as const;
export type PhaseName = (typeof PHASES)[number];
export const PHASE = Object.fromEntries(PHASES.map((p, i) => [p, i])) as Record<PhaseName, number>;

/** How a game ended; "" while it goes on. */
export const RESULTS = ["", "turn1", "turn3", "turn6", "draw", "territory", "sudden-death", "concede"] as const;
export type ResultName = (typeof RESULTS)[number];
export const RESULT = Object.fromEntries(RESULTS.map((r, i) => [r, i])) as Record<ResultName, number>;

/** `armyHex` of an army that is off the map: destroyed, or a reinforcement to come. Rule: SC 2.6, SC 7.1 */
export const DEAD = -1 as HexId;
export const TRACK = -2 as HexId;

/** `marker` of a hex whose garrison survived a battle. Rule: SC 8.9 */
export const GARRISONED = -1;

/** `place` of a German counter. */
export const POOL = 0;
export const FACE_DOWN = 1;
export const GARRISON = 2; // `site` is the hex
export const BATTLE = 3; // in the battle hex or the breakout, unit or support
export const DRAWN = 4; // drawn and not placed yet; never outlasts an action
export const REMOVED = 5;
export const BOX = 8; // + turn; `site` is its place in the box, from 0

/** `partisan` before it arrives and after it has left; otherwise 2 + the hex it holds unlinked. */
export const PARTISAN_ON_TRACK = 0;
export const PARTISAN_GONE = 1;
export const PARTISAN_HEX = 2;

/** The losses that the player chooses: after step 1 or after step 4 of a round. */
export const AFTER_FIRST_FIRE = 1;
export const AFTER_MAIN_FIRE = 2;

/** Fields of a state. */
export function makeLayout(armies: number, hexes: number, counters: number) {
  return layout({
    turn: 1, // 1..6
    phase: 1, // index into PHASES
    result: 1, // index into RESULTS
    clock: 1, // rises with each draw and each arrival in the pool
    purge: 1, // clock of Phase I of turn 3 while Guderian is face down, else -1 (ruling R15)
    active: 1, // army slot + 1 of the moving force, 0 none
    mp: 1, // movement points it has left
    replacements: 1, // steps left to give, 0 outside the phase
    host: 1, // army slot + 1 that 1E rides with, 0 none
    engineer: 1, // steps of 1E
    interceptor: 1, // 1 ready, 0 spent this turn
    partisan: 1, // P_TRACK, P_GONE, P_HEX + hex
    battleHex: 1, // hex + 1, 0 none; the fields up to `committed` belong to the battle
    from: 1, // hex + 1 the force came from
    relief: 1, // 1 in a break-in battle (SC 8.4)
    round: 1,
    hits: 1, // hits on the Germans still to be taken
    stage: 1, // 0, STAGE_A, STAGE_B
    shockFirst: 1, // 1: the army fires in step 1 of this round
    committed: 1, // 1: VI IC flies in this round
    pocketSize: 1, // hexes that the fall of the battle hex would cut off
    poolSize: 1, // counted, as all that follow
    faceDown: 1, // markers on the map
    forts: 1, // fortified localities held
    westHeld: 1, // hexes held that count as western
    kHeld: 1, // K-Line hexes held
    beside: 1, // German hexes that touch Moscow or Tula
    boxed: 8, // counters in the box of each turn
    armyHex: armies, // hex, DEAD, TRACK
    armySteps: armies,
    armyStopped: armies, // 0, 1
    armyFired: armies, // 0, 1: a shock army has used its first fire this turn (ruling R11)
    german: hexes, // 1 German control, 0 Soviet
    germanBits: bitWords(hexes), // the same, a bit a hex
    marker: hexes, // 0 none, slot + 1 of the counter face down, GARRISONED
    markerBits: bitWords(hexes), // a bit for each hex with a counter face down
    placed: hexes, // clock when that marker was placed
    front: hexes, // -1 Soviet; German: 1 touches the main Soviet area, 2 the unlinked partisan hex only, 0 neither
    frontBits: bitWords(hexes), // a bit for each hex with a 1 there
    cut: hexes, // German hexes with a way west: hexes that would lose theirs if this fell; -1 other hexes
    pocket: hexes, // 1: in the cut set of the battle
    place: counters, // POOL, FACE_DOWN, ...
    poolBits: bitWords(counters), // a bit for each counter in the pool
    openBits: bitWords(counters), // a bit for each that is neither there nor face down
    site: counters, // see `place`; else 0
    entered: counters, // clock of the last arrival in the pool while unseen, else 0
  });
}

/** Where each field begins. `L` in rules, as everywhere in the project. */
export type StateLayout = ReturnType<typeof makeLayout>;
