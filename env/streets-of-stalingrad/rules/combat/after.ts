import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { allow, HEX, RETREAT, SACRIFICE, unitBase } from "../../actions.js";
import { RETREATS, RETREATS_OR_LOSES, STAYS } from "../../map/board.js";
import { KINDS } from "../../schema.js";
import {
  ASK_AFTER_CHOICE,
  ASK_AFTER_HEX,
  ASK_AFTER_UNIT,
  ASK_ATTACK_UNIT,
  BANK_SHIFT,
  CAUSE_SACRIFICE,
  COMMIT_CLEARED,
  COMMIT_GAVE_WAY,
  EXPOSED,
  F_ACTOR,
  F_ASK,
  F_COMMIT,
  F_FLAG,
  F_NEED,
  F_STEPS,
  F_UNIT,
  GROUP,
  LEFT,
  MARK_ATTACK,
  F_THEN,
  STAGE_BREAKTHROUGH,
  THEN,
  type HexId,
  type UnitId,
} from "../../layout.js";
import * as toldCombat from "../../events/combat.js";
import * as events from "../../events/common.js";
import {
  anyHas,
  enemyOf,
  extraOf,
  firstIn,
  frameHex,
  frameOf,
  frameUnit,
  give,
  has,
  markingSide,
  markOf,
  nextIn,
  placeOf,
  pop,
  push,
  take,
  takeAll,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { moveUnit, tellMixed } from "../units/hidden.js";
import { checkLeader, displace, settleLosses, survives } from "../units/leaders.js";
import { dropHelpless, eliminate, takeLosses } from "../units/losses.js";
import { leaderIn } from "../movement/reserves.js";
import { fits } from "../units/stacking.js";
import { mayCross } from "../units/units.js";
import { arrive } from "../movement/walk.js";
import { inKnownZoc, isBlocked } from "../units/zoc.js";

const kinds = (...names: (typeof KINDS)[number][]) => names.map((k) => KINDS.indexOf(k));
const FORT = KINDS.indexOf("fortification");
const MAKES_NO_CHOICE = kinds(
  "leader",
  "commissar",
  "op",
  "fortification",
  "minefield",
  "bridge",
  "tank-repair",
  "immobilized-tank",
);
const FOLLOWS = kinds("leader", "commissar", "op");

/**
 * The defenders of a hex have to leave it, or may choose to. After a P all units on open ground go, elsewhere the owner
 * may keep the hex for one unit. NKVD units without a leader go from every hex, in built-up hexes they alone. Rule: SOS
 * 9.87, SOS 9.88, SOS 9.883, SOS 9.884, SOS 12.6, rulings R38, R39, R55, R92
 *
 * @param steps hexes to go: 1 after a P, 2 after a counter-attack
 */
export function openAfter(tables: Tables, s: State, side: number, hex: number, steps: number, play: Play): void {
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side && leaves(tables, s, u, hex, steps)) give(tables, s, u, LEFT);
  if (!anyHas(tables, s, LEFT)) return;
  const ground = steps === 2 ? RETREATS : groundOf(tables, s, hex);
  const chooses =
    ground === STAYS
      ? leaderIn(tables, s, hex, false)
      : ground === RETREATS_OR_LOSES && !(isUnsteady(tables, s, hex) && stayers(tables, s, hex) === 0);
  const frame = push(tables, s, chooses ? ASK_AFTER_CHOICE : ASK_AFTER_UNIT, side, hex);
  s[frame + F_STEPS] = steps;
  if (play.narrator !== null)
    toldCombat.leaves(tables, side, hex, ruleOf(steps), chooses ? "may" : "must", steps, play);
}

/**
 * True when a defender of a hex has to leave it, or may.
 *
 * @param steps as in `openAfter`
 * @param nkvd the others stay for a unit that was given up
 */
export function leaves(tables: Tables, s: StateView, unit: number, hex: number, steps: number, nkvd = false): boolean {
  if (MAKES_NO_CHOICE.includes(tables.roster.kind[unit]!)) return false;
  if (nkvd) return tables.roster.nkvd[unit] === 1;
  return steps === 2 || groundOf(tables, s, hex) !== STAYS || tables.roster.nkvd[unit] === 1;
}

const ruleOf = (steps: number): string => (steps === 2 ? "SOS 12.6" : "SOS 9.87");

/** What a P asks in a hex: a fort on open ground lets its owner choose. Rule: SOS 9.88 */
function groundOf(tables: Tables, s: StateView, hex: number): number {
  const ground = tables.board.retreatOnP[hex]!;
  if (ground !== RETREATS) return ground;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.kind[u] === FORT) return RETREATS_OR_LOSES;
  return ground;
}

/** Decision `after.choice`: `sacrifice` keeps the hex if another stack unit remains. Ruling R38. */
export function fillChoice(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  if (anyCanGo(tables, s)) n += allow(mask, at + RETREAT);
  if (maySacrifice(tables, s)) n += allow(mask, at + SACRIFICE);
  return n;
}

function maySacrifice(tables: Tables, s: StateView): boolean {
  const { roster } = tables;
  const hex = frameHex(s, topFrame(tables, s));
  if (isUnsteady(tables, s, hex)) return stayers(tables, s, hex) > 0; // one of those who go may be given up
  let stack = 0;
  let given = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.stackUnit[u] === 0) continue;
    stack++;
    if (has(tables, s, u, LEFT) && isGivenUp(tables, s, u, hex)) given++;
  }
  return given > 0 && stack > 1;
}

/** True when NKVD units are in a hex, and no leader keeps them there. Rule: SOS 9.884, SOS 16.86 */
const isUnsteady = (tables: Tables, s: StateView, hex: number): boolean =>
  nkvdIn(tables, s, hex) > 0 && !leaderIn(tables, s, hex, false);

function nkvdIn(tables: Tables, s: StateView, hex: number): number {
  let n = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) n += tables.roster.nkvd[u]!;
  return n;
}

/** Stack units of a hex that are not of the NKVD. */
function stayers(tables: Tables, s: StateView, hex: number): number {
  const { roster } = tables;
  let n = 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.stackUnit[u] === 1 && roster.nkvd[u] === 0) n++;
  return n;
}

/**
 * True when a defender can be given up so that the others stay. Where a leader keeps NKVD units it is one of these.
 * Rule: SOS 9.88, SOS 9.884, ruling R55
 */
export const isGivenUp = (tables: Tables, s: StateView, unit: number, hex: number): boolean =>
  tables.roster.stackUnit[unit] === 1 &&
  (tables.roster.nkvd[unit] === 1 || nkvdIn(tables, s, hex) === 0 || !leaderIn(tables, s, hex, false));

/**
 * The owner keeps the hex and gives up a unit. NKVD units that no leader keeps go all the same. Rule: SOS 9.88, SOS
 * 9.884
 */
export function sacrifice(tables: Tables, s: State, play: Play): void {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  takeAll(tables, s, EXPOSED);
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, LEFT) && isGivenUp(tables, s, u, hex)) give(tables, s, u, EXPOSED);
  const goes = isUnsteady(tables, s, hex);
  for (let u = 0; u < tables.units; u++) if (!goes || tables.roster.nkvd[u] === 0) take(tables, s, u, LEFT);
  if (play.narrator !== null) toldCombat.leaves(tables, side, hex, "SOS 9.88", "stays", 0, play);
  if (goes) {
    s[frame + F_ASK] = ASK_AFTER_UNIT;
    s[frame + F_FLAG] = 1;
  } else pop(tables, s);
  if (!takeLosses(tables, s, side, hex, 1, CAUSE_SACRIFICE, false, play)) checkLeader(tables, s, side, play);
}

/** The owner retreats. */
export function chooseRetreat(tables: Tables, s: State, play: Play): void {
  const frame = topFrame(tables, s);
  s[frame + F_ASK] = ASK_AFTER_UNIT;
  if (play.narrator !== null)
    toldCombat.leaves(tables, s[frame + F_ACTOR]!, frameHex(s, frame), "SOS 9.88", "goes", s[frame + F_STEPS]!, play);
}

/** Decision `after.unit`: the unit that goes next. */
export function fillUnits(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  let n = 0;
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, LEFT) && hasWayOut(tables, s, u)) n += allow(mask, at + unitBase(tables.hexes) + u);
  return n;
}

function anyCanGo(tables: Tables, s: StateView): boolean {
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, LEFT) && hasWayOut(tables, s, u)) return true;
  return false;
}

/** A unit is named; its hex is asked next. */
export function nameUnit(tables: Tables, s: State, unit: UnitId): void {
  const frame = topFrame(tables, s);
  s[frame + F_ASK] = ASK_AFTER_HEX;
  s[frame + F_UNIT] = unit + 1;
}

/** Decision `after.hex`. */
export function fillHexes(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const { board } = tables;
  const unit = frameUnit(s, topFrame(tables, s));
  const from = placeOf(tables, s, unit) * 6;
  let n = 0;
  for (let d = from; d < from + 6; d++)
    if (mayGo(tables, s, unit, d)) n += allow(mask, at + HEX + board.neighbours[d]!);
  return n;
}

function hasWayOut(tables: Tables, s: StateView, unit: number): boolean {
  const from = placeOf(tables, s, unit) * 6;
  for (let d = from; d < from + 6; d++) if (mayGo(tables, s, unit, d)) return true;
  return false;
}

/**
 * True when a retreating unit may go over a side of its hex. The first of two steps must leave a second. Rule: SOS
 * 9.87, rulings R38, R39
 */
function mayGo(tables: Tables, s: StateView, unit: number, edge: number): boolean {
  const { board } = tables;
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const at = placeOf(tables, s, unit);
  if (!isOpen(tables, s, unit, edge)) return false;
  const to = board.neighbours[edge]!;
  if (s[frame + F_STEPS] === 1)
    return isQuiet(tables, s, unit, to) && fits(tables, s, tables.roster.side[unit]!, to, unit);
  const distance = board.distance(hex, at);
  if (board.distance(hex, to) <= distance) return false;
  if (distance === 1) return fits(tables, s, tables.roster.side[unit]!, to, unit);
  const bank = board.banks.enter(at, extraOf(tables, s, unit, BANK_SHIFT), edge % 6, to);
  for (let e = to * 6; e < to * 6 + 6; e++) {
    const second = board.neighbours[e]!;
    if (second < 0 || board.distance(hex, second) !== 2 || !isOpen(tables, s, unit, e, bank)) continue;
    if (fits(tables, s, tables.roster.side[unit]!, second, unit)) return true;
  }
  return false;
}

/** True when a unit can enter the hex over a side, free of enemies and their zones of control; `bank` is mayCross's. */
function isOpen(tables: Tables, s: StateView, unit: number, edge: number, bank?: number): boolean {
  const { board, roster } = tables;
  const to = board.neighbours[edge]!;
  if (to < 0 || !mayCross(tables, s, unit, (edge / 6) | 0, edge % 6, bank)) return false;
  return !isBlocked(tables, s, roster.side[unit]!, to) && !inKnownZoc(tables, s, roster.side[unit]!, to);
}

/** True when a hex is neither going to be attacked nor under bombardment by the enemy. Rule: SOS 9.87 */
function isQuiet(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const enemy = enemyOf(tables.roster.side[unit]!);
  if (s[tables.layout.bombs + enemy * tables.hexes + hex] !== 0) return false;
  return markOf(tables, s, hex) !== MARK_ATTACK || markingSide(tables, s) !== enemy;
}

/** The unit named goes one hex. */
export function goTo(tables: Tables, s: State, hex: HexId, play: Play): void {
  const { board } = tables;
  const frame = topFrame(tables, s);
  const unit = frameUnit(s, frame);
  const from = frameHex(s, frame);
  give(tables, s, unit, GROUP);
  const at = placeOf(tables, s, unit);
  moveUnit(tables, s, unit, hex, play);
  if (play.narrator !== null) events.goes(tables, s, unit, at, "retreats", play);
  tellMixed(tables, play);
  arrive(tables, s, tables.roster.side[unit]!, hex, play);
  take(tables, s, unit, GROUP);
  const steps = s[frame + F_STEPS]!;
  if (steps === 2 && board.distance(from, hex) < 2) {
    if (!hasWayOut(tables, s, unit)) lose(tables, s, frame, unit, play); // a zone of control was announced
    return;
  }
  take(tables, s, unit, LEFT);
  noteGone(s, frame, unit);
  s[frame + F_ASK] = ASK_AFTER_UNIT;
  s[frame + F_UNIT] = 0;
}

function lose(tables: Tables, s: State, frame: number, unit: number, play: Play): void {
  const side = s[frame + F_ACTOR]!;
  const at = placeOf(tables, s, unit);
  s[frame + F_ASK] = ASK_AFTER_UNIT;
  s[frame + F_UNIT] = 0;
  tables.losses.units = 0;
  tables.losses.sniper = 0;
  eliminateWithoutWay(tables, s, unit, at, play);
  settleLosses(tables, s, side, play); // a leader may be where it came to
}

/** A unit that can't retreat is lost in a hex, and counts for the leader there. Rule: SOS 9.83, SOS 9.87, SOS 18.33 */
function eliminateWithoutWay(tables: Tables, s: State, unit: number, hex: number, play: Play): void {
  const { losses } = tables;
  losses.units += tables.roster.lossUnit[unit]!;
  losses.hex = hex;
  eliminate(tables, s, unit, "no-way", play);
}

/**
 * No unit can go any more: the rest are eliminated, for which a leader throws, leaders follow, forts are given up.
 * Rule: SOS 9.83, SOS 9.87, SOS 9.881, SOS 18.33, SOS 18.34, ruling R38
 */
export function closeAfter(tables: Tables, s: State, play: Play): void {
  const { losses, roster } = tables;
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const side = s[frame + F_ACTOR]!;
  const first = s[frame + F_NEED]! - 1;
  const steps = s[frame + F_STEPS]!;
  losses.units = 0;
  losses.sniper = 0;
  let gone = 0;
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, LEFT)) {
      eliminateWithoutWay(tables, s, u, hex, play);
      gone++;
    }
  const attack = frameOf(tables, s, ASK_ATTACK_UNIT);
  if (first >= 0 && s[tables.layout.stage] === STAGE_BREAKTHROUGH) s[attack + F_COMMIT]! |= COMMIT_GAVE_WAY;
  if (steps === 1 && (first >= 0 || gone > 0)) s[attack + F_COMMIT]! |= COMMIT_CLEARED;
  const lives = survives(tables, s, side, play);
  const holds = isHeld(tables, s, side, hex);
  for (let u = firstIn(tables, s, hex); u >= 0 && !holds;) {
    const next = nextIn(tables, s, u);
    const follows = first >= 0 && roster.side[u] === side && FOLLOWS.includes(roster.kind[u]!);
    const to = follows ? roomFor(tables, s, frame, u) : -1;
    if (to >= 0) {
      give(tables, s, u, GROUP);
      moveUnit(tables, s, u, to, play);
      if (play.narrator !== null) events.goes(tables, s, u, hex, "retreats", play, true);
      tellMixed(tables, play);
      arrive(tables, s, side, to, play);
      take(tables, s, u, GROUP);
    }
    u = next;
  }
  pop(tables, s);
  if (holds) return;
  dropHelpless(tables, s, side, hex, play);
  // nobody retreated: who outlived them all goes to any unit of his command
  if (first < 0 && lives >= 0) displace(tables, s, lives, true, play);
}

/** True when a unit that holds a hex stays there. */
function isHeld(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && roster.holder[u] === 1) return true;
  return false;
}

/** A unit has gone: the first one, or one after it. Units of an overfull hex beyond those are forgotten. */
function noteGone(s: State, frame: number, unit: number): void {
  let word = frame + F_NEED;
  for (let i = 0; s[word] !== 0; i++) {
    if (i === THEN) return;
    word = frame + F_THEN + i;
  }
  s[word] = unit + 1;
}

/** Hex of the first unit that retreated with room for who follows; -1 none. Ruling R38. */
function roomFor(tables: Tables, s: StateView, frame: number, unit: number): number {
  const side = tables.roster.side[unit]!;
  for (let i = -1; i < THEN; i++) {
    const host = s[i < 0 ? frame + F_NEED : frame + F_THEN + i]! - 1;
    if (host >= 0 && fits(tables, s, side, placeOf(tables, s, host), unit)) return placeOf(tables, s, host);
  }
  return -1;
}
