import * as bitwise from "../core/bits.js";
import { Cuts } from "../core/articulation.js";
import type { NameOf } from "../core/dice.js";
import { layout, type State, type StateView } from "../core/layout.js";
import type { Tables } from "./data.js";

// own constants, for speed: see core/layout.ts
const { bitWords, nthBit, setBit } = bitwise;

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
export const P = Object.fromEntries(PHASES.map((p, i) => [p, i])) as Record<PhaseName, number>;

/** How a game ended; "" while it goes on. */
export const RESULTS = ["", "turn1", "turn3", "turn6", "draw", "territory", "sudden-death", "concede"] as const;
export type ResultName = (typeof RESULTS)[number];
export const R = Object.fromEntries(RESULTS.map((r, i) => [r, i])) as Record<ResultName, number>;

/** `armyHex` of an army that is off the map: destroyed, or a reinforcement to come. Rule: SC 2.6, 7.1 */
export const DEAD = -1;
export const TRACK = -2;

/** `marker` of a hex where a garrison stands that survived a battle. Rule: SC 8.9 */
export const GARRISONED = -1;

/** `place` of a German counter. */
export const POOL = 0;
export const FACE_DOWN = 1;
export const GARRISON = 2; // `site` is the hex
export const BATTLE = 3; // in the battle hex or the breakout, unit or support
export const HAND = 4; // drawn and not placed yet; never outlasts an action
export const REMOVED = 5;
export const BOX = 8; // + turn; `site` is its place in the box, from 0

/** `partisan` before it arrives and after it has left; else 2 + the hex it holds unlinked. */
export const P_TRACK = 0;
export const P_GONE = 1;
export const P_HEX = 2;

/** Which losses the player is choosing: after step 1 or after step 4 of a round. */
export const STAGE_A = 1;
export const STAGE_B = 2;

function makeLayout(armies: number, hexes: number, counters: number) {
  return layout({
    turn: 1, // 1..6
    phase: 1, // index into PHASES
    result: 1, // index into RESULTS
    clock: 1, // rises with each draw and each arrival in the pool (spec section 7)
    purge: 1, // clock of Phase I of turn 3 while Guderian lies face down, else -1 (ruling R15)
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

export type L = ReturnType<typeof makeLayout>;

/** What rules work with beside the state: data, the layout that fits it, scratch space. Used by one thread. */
export class World {
  readonly L: L;
  readonly cuts: Cuts;
  readonly armies: number;
  readonly hexes: number;
  readonly counters: number;
  /** Words of a bit set of hexes, of counters. */
  readonly hexWords: number;
  readonly counterWords: number;
  /** How many units of each class, then markers of each support kind, a count found (`countForce`). */
  readonly force = new Int32Array(4 + 6);
  /** Names the counter that a draw from the pool takes. */
  readonly nameOf: NameOf;

  constructor(readonly t: Tables) {
    this.armies = t.armies.length;
    this.hexes = t.hexes;
    this.counters = t.counters.length;
    this.hexWords = bitWords(this.hexes);
    this.counterWords = bitWords(this.counters);
    this.L = makeLayout(this.armies, this.hexes, this.counters);
    this.cuts = new Cuts(t.grid, t.west);
    this.nameOf = (s, i) => t.counters[this.poolSlot(s, i)]!.id;
  }

  /** The `i`-th counter of the pool in slot order, which nobody sees: draws are uniform whatever the order. */
  poolSlot(s: StateView, i: number): number {
    return nthBit(s, this.L.poolBits, i);
  }
}

export const isGerman = (w: World, s: StateView, hex: number): boolean => s[w.L.german + hex] === 1;
export const markerAt = (w: World, s: StateView, hex: number): number => s[w.L.marker + hex]!;
export const cutAt = (w: World, s: StateView, hex: number): number => s[w.L.cut + hex]!;
export const placeOf = (w: World, s: StateView, slot: number): number => s[w.L.place + slot]!;
export const hexOfArmy = (w: World, s: StateView, army: number): number => s[w.L.armyHex + army]!;
export const stepsOf = (w: World, s: StateView, army: number): number => s[w.L.armySteps + army]!;
/** The moving force, -1 none. */
export const activeArmy = (w: World, s: StateView): number => s[w.L.active]! - 1;
export const battleHex = (w: World, s: StateView): number => s[w.L.battleHex]! - 1;
/** The hex that the partisan marker holds alone, -1 none. */
export const partisanHex = (w: World, s: StateView): number => s[w.L.partisan]! - P_HEX;

/** Says where a counter is. */
export function setPlace(w: World, s: State, slot: number, place: number): void {
  const { L } = w;
  s[L.place + slot] = place;
  setBit(s, L.poolBits, slot, place === POOL);
  setBit(s, L.openBits, slot, place > FACE_DOWN);
}

/** Says what lies in a hex: 0, slot + 1 of a counter face down, GARRISONED. */
export function setMarker(w: World, s: State, hex: number, marker: number): void {
  const { L } = w;
  s[L.marker + hex] = marker;
  setBit(s, L.markerBits, hex, marker > 0);
}

/** Says who controls a hex: 1 the Germans, 0 the Soviets. */
export function setGerman(w: World, s: State, hex: number, german: number): void {
  const { L } = w;
  s[L.german + hex] = german;
  setBit(s, L.germanBits, hex, german === 1);
}

/** Says which Soviet area a hex touches: -1, 0, 1, 2 as in `front`. */
export function setFront(w: World, s: State, hex: number, touch: number): void {
  const { L } = w;
  s[L.front + hex] = touch;
  setBit(s, L.frontBits, hex, touch === 1);
}

/** The army in a hex, -1 none. Rule: SC 2.2, SC 6.1, SC 6.2 */
export function armyIn(w: World, s: StateView, hex: number): number {
  const { armyHex } = w.L;
  for (let a = 0; a < w.armies; a++) if (s[armyHex + a] === hex) return a;
  return -1;
}

/** Steps of the moving force, 1E included. */
export function forceSteps(w: World, s: StateView): number {
  const { L } = w;
  const army = s[L.active]! - 1;
  return s[L.armySteps + army]! + (s[L.host] === army + 1 ? s[L.engineer]! : 0);
}

/** Clears the fields of the battle. */
export function clearBattle(w: World, s: State): void {
  const { L } = w;
  if (s[L.pocketSize] !== 0) for (let h = 0; h < w.hexes; h++) s[L.pocket + h] = 0;
  for (let i = L.battleHex; i <= L.pocketSize; i++) s[i] = 0;
}

/** The force is done for the turn. Rule: SC 9.8 */
export function endActivation(w: World, s: State): void {
  const { L } = w;
  s[L.armyStopped + activeArmy(w, s)] = 1;
  s[L.active] = 0;
  s[L.mp] = 0;
  s[L.phase] = P.activate;
}

/** Ends the game. */
export function finish(w: World, s: State, result: number): void {
  s[w.L.result] = result;
  s[w.L.phase] = P.over;
}

export const isOver = (w: World, s: StateView): boolean => s[w.L.result] !== 0;
