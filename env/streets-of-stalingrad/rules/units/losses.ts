import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { unitBase } from "../../actions.js";
import { KINDS } from "../../schema.js";
import {
  ABOARD,
  ASK_ATTACK_UNIT,
  ASK_LOSS,
  BEREFT,
  CAUSE_ATTACK,
  CAUSE_BOMBARDMENT,
  CAUSE_DEFENSE,
  CAUSE_OPPORTUNITY,
  CAUSE_SACRIFICE,
  COMMIT_CLEARED,
  DEAD,
  DRM_SNIPER,
  EXPOSED,
  F_CAUSE,
  F_COMMIT,
  F_FLAG,
  F_LEADER,
  F_NEED,
  F_TABLE,
  FIRST_LOSS,
  FRIENDLY_MINE,
  GROUP,
  GUN_PHASE_SHIFT,
  KNOWN,
  NEW_PIN,
  PINNED,
  SPENT,
  TASK_BITS,
  TOOK_CHIEF,
  TOOK_TROOP,
  type UnitId,
} from "../../layout.js";
import * as events from "../../events/common.js";
import { DE, LOSSES } from "../../charts.js";
import { CHIEF, TROOP } from "../../roster.js";
import {
  anyHas,
  firstIn,
  frameOf,
  give,
  has,
  nextIn,
  placeOf,
  pop,
  push,
  put,
  setExtra,
  takeAll,
  topFrame,
} from "../../state.js";
import type { Tables } from "../../state.js";
import { chiefIn, hasCommandIn, leads } from "./command.js";
import { isArmyLeader, isLeaderless, noteLeader } from "./army.js";
import { goBack } from "./boxes.js";
import { BRIDGE } from "./bridges.js";
import { sink } from "./flotilla.js";
import { MINE } from "./mines.js";
import { quitTask } from "./tasks.js";
import { isArmored, isVehicle } from "./units.js";
import { REPAIR } from "./workshop.js";
import { leaveWreck, mayStay, WRECK } from "./wrecks.js";
import { noteZone } from "./zoc.js";

const kinds = (...names: (typeof KINDS)[number][]) => names.map((k) => KINDS.indexOf(k));
const SNIPER = KINDS.indexOf("sniper");
const OP = KINDS.indexOf("op");
/** Units lost so far in a loss frame are in the bits above what a sniper adds. */
export const LOST_SHIFT = 4;
const SNIPER_BITS = 15;
const FALLS_ALONE = kinds("op", "fortification", "transport");
/** Whom a P leaves alone. Rule: SOS 9.113, SOS 9.881, SOS 18.14 */
export const FEELS_NO_PIN = kinds("leader", "commissar", "fortification", "minefield", "bridge", "tank-repair");

/** A counter leaves the game. */
export function eliminate(tables: Tables, s: State, unit: number, reason: events.LossReason, play: Play): void {
  if (play.narrator !== null) events.lost(tables, s, unit, reason, play);
  // lost counters are open
  const { roster } = tables;
  if (roster.zocUnit[unit] === 1 && placeOf(tables, s, unit) >= 0)
    noteZone(tables, s, roster.side[unit]!, placeOf(tables, s, unit));
  bereave(tables, s, unit);
  if ((s[tables.layout.work + unit]! & TASK_BITS) !== 0) quitTask(tables, s, unit, play);
  if (roster.kind[unit] === MINE && placeOf(tables, s, unit) >= 0)
    s[tables.layout.hexState + placeOf(tables, s, unit)]! &= ~FRIENDLY_MINE;
  if (roster.boat[unit] === 1) {
    sink(tables, s, unit, play);
    return;
  }
  const hex = placeOf(tables, s, unit);
  const army = isArmyLeader(tables, unit);
  const unled = army && isLeaderless(tables, s, roster.side[unit]!);
  const markers = s[tables.layout.flags + unit]!;
  const rides = roster.transport[unit] === 1 && has(tables, s, unit, GROUP) ? passengersOf(tables, s, unit) : null;
  put(tables, s, unit, DEAD);
  if (army) noteLeader(tables, s, unit, unled, play);
  for (const u of rides ?? []) eliminate(tables, s, u, "transport", play);
  if ((reason === "combat" || reason === "sacrifice") && mayStay(tables, unit, hex))
    leaveWreck(tables, s, unit, hex, markers, play);
  // an OP comes back after the next bombardment, not after this one; who is lost now is exchanged from the next turn
  // on. Rule: SOS 14.98, SOS 20.1
  if (roster.kind[unit] === OP || (tables.administers && s[tables.layout.phase] === 1))
    setExtra(tables, s, unit, GUN_PHASE_SHIFT, s[tables.layout.phase]!);
}

/** Who rides on a transport: of each sort the one of its rank. Rule: SOS 16.48, ruling R104 */
function passengersOf(tables: Tables, s: StateView, unit: number): number[] {
  const { layout, roster } = tables;
  return [TROOP, CHIEF].flatMap((sort) => {
    const took = sort === TROOP ? TOOK_TROOP : TOOK_CHIEF;
    if ((s[layout.work + unit]! & took) === 0) return [];
    const carriers = roster.transports.filter(
      (t) => has(tables, s, t, GROUP) && (s[layout.work + t]! & took) !== 0 && t < unit,
    );
    const riders: number[] = [];
    for (let u = roster.germans; u < tables.units; u++)
      if (roster.rider[u] === sort && (s[layout.work + u]! & ABOARD) !== 0) riders.push(u);
    return riders.slice(carriers.length, carriers.length + 1);
  });
}

/**
 * Units were lost in a hex where no other is left that fights: transports under way are lost there, too, with whoever
 * rides on them; for them nobody throws. Rule: SOS 16.48, SOS 16.49, ruling R104
 */
export function dropTransports(tables: Tables, s: State, owner: number, hex: number, play: Play): void {
  const { roster } = tables;
  if (roster.transports.length === 0 || hasLossUnit(tables, s, owner, hex)) return;
  for (const t of roster.transports)
    if (placeOf(tables, s, t) === hex && has(tables, s, t, GROUP)) eliminate(tables, s, t, "alone", play);
}

/**
 * The last of a leader's command in his hex is lost: when the phase ends he has to go to others of it. Rule: SOS 18.1
 */
export function bereave(tables: Tables, s: State, unit: number): void {
  const { roster } = tables;
  const hex = placeOf(tables, s, unit);
  if (hex < 0 || roster.stackUnit[unit] === 0) return;
  const leader = chiefIn(tables, s, roster.side[unit]!, hex);
  if (leader >= 0 && leads(tables, leader, unit) && !hasCommandIn(tables, s, leader, unit))
    give(tables, s, leader, BEREFT);
}

/**
 * Takes losses among the units with EXPOSED: all of them when the result leaves no choice, otherwise their owner is
 * asked. Rule: SOS 9.58, SOS 9.81, SOS 9.82, SOS 11.9, SOS 12.8, ruling R75
 *
 * @param need units to lose
 * @param pins a P follows (D1P)
 * @returns true when a decision is open now; otherwise everything is done but the P
 */
export function takeLosses(
  tables: Tables,
  s: State,
  owner: number,
  hex: number,
  need: number,
  cause: number,
  pins: boolean,
  play: Play,
): boolean {
  const { losses } = tables;
  const sniper = cause === CAUSE_OPPORTUNITY || cause === CAUSE_DEFENSE ? -tables.drms[DRM_SNIPER]! : 0;
  losses.units = 0;
  const wrecks = pins ? loseWrecks(tables, s, owner, hex, play) : 0;
  if (need === LOSSES[DE] && (cause === CAUSE_ATTACK || cause === CAUSE_BOMBARDMENT))
    loseRepairs(tables, s, owner, hex, play);
  if (need > 0 && exposed(tables, s, false) <= need) {
    losses.sniper = sniper;
    loseAll(tables, s, reasonOf(cause), play);
  } else if (need > 0) {
    const frame = push(tables, s, ASK_LOSS, owner, hex);
    s[frame + F_NEED] = need;
    s[frame + F_CAUSE] = cause;
    s[frame + F_FLAG] = pins ? 1 : 0;
    s[frame + F_LEADER] = sniper | (wrecks << LOST_SHIFT);
    return true;
  }
  losses.units += wrecks;
  if (wrecks > 0) losses.hex = hex;
  takeAll(tables, s, EXPOSED | FIRST_LOSS);
  return false;
}

/** A P takes immobilised tanks before anybody else is lost. Rule: SOS 16.37, ruling R51 @returns how many */
function loseWrecks(tables: Tables, s: State, owner: number, hex: number, play: Play): number {
  const { river, roster } = tables;
  let n = 0;
  for (let u = firstIn(tables, s, hex), next = -1; u >= 0 && river.open; u = next as UnitId) {
    next = nextIn(tables, s, u);
    if (roster.side[u] !== owner || roster.kind[u] !== WRECK) continue;
    eliminate(tables, s, u, "wreck", play);
    n++;
  }
  return n;
}

/** A P, or a result that takes all, takes a repair unit, which is no combat unit. Rule: SOS 16.73, ruling R107 */
function loseRepairs(tables: Tables, s: State, owner: number, hex: number, play: Play): void {
  const { roster } = tables;
  let n = 0;
  for (let u = firstIn(tables, s, hex), next = -1; u >= 0; u = next as UnitId) {
    next = nextIn(tables, s, u);
    if (roster.side[u] !== owner || roster.kind[u] !== REPAIR) continue;
    eliminate(tables, s, u, "repair", play);
    n++;
  }
  const attack = n === 0 ? -1 : frameOf(tables, s, ASK_ATTACK_UNIT);
  if (attack >= 0) s[attack + F_COMMIT]! |= COMMIT_CLEARED;
}

/** Whoever is exposed is lost. */
function loseAll(tables: Tables, s: State, reason: events.LossReason, play: Play): void {
  const { losses } = tables;
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, EXPOSED)) continue;
    losses.units += tables.roster.lossUnit[u]!; // mines and bridges are no combat units. Rule: SOS 9.81
    losses.hex = placeOf(tables, s, u);
    eliminate(tables, s, u, reason, play);
  }
}

const reasonOf = (cause: number): events.LossReason => (cause === CAUSE_SACRIFICE ? "sacrifice" : "combat");

/** How many units have EXPOSED, or of them are neither snipers nor works. */
function exposed(tables: Tables, s: StateView, butSnipers: boolean): number {
  const { roster } = tables;
  let n = 0;
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, EXPOSED) && !(butSnipers && (roster.kind[u] === SNIPER || roster.lossUnit[u] === 0))) n++;
  return n;
}

/**
 * Decision `loss.pick`: who was committed is the first, snipers are the last; bombs hit in an order of their own. Rule:
 * SOS 9.58, SOS 9.82, SOS 14.81, SOS 16.16
 */
export function fillLosses(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  const spared = exposed(tables, s, true) > 0;
  const open = anyHas(tables, s, FIRST_LOSS) ? FIRST_LOSS : EXPOSED;
  const bombed = open === EXPOSED && isBombed(tables, s); // who goes with a bridge is free
  let first = Infinity;
  if (bombed)
    for (let u = 0; u < tables.units; u++)
      if (has(tables, s, u, EXPOSED)) first = Math.min(first, bombRank(tables, s, u));
  let n = 0;
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, open) || (spared && tables.roster.kind[u] === SNIPER)) continue;
    if (bombed && bombRank(tables, s, u) !== first) continue;
    mask[at + unitBase(tables.hexes) + u] = 1;
    n++;
  }
  return n;
}

/** True when only guns and Stukas take the losses, in a bombardment or an attack phase. Rule: SOS 14.41, SOS 14.42 */
export function isBombed(tables: Tables, s: StateView): boolean {
  const cause = s[topFrame(tables, s) + F_CAUSE];
  if (cause !== CAUSE_ATTACK) return cause === CAUSE_BOMBARDMENT;
  return s[frameOf(tables, s, ASK_ATTACK_UNIT) + F_TABLE] !== 0;
}

/** Whoever of a side a result in a hex can take. @param bombs guns and Stukas alone. Rule: SOS 9.81, SOS 14.81 */
export function expose(tables: Tables, s: State, side: number, hex: number, bombs: boolean): void {
  takeAll(tables, s, EXPOSED);
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (canBeTaken(tables, u, side, bombs)) give(tables, s, u, EXPOSED);
}

/**
 * True when a result can take a unit of a side, its minefield if the owner names it, or with bombs a bridge of either
 * side. Rule: SOS 9.81, SOS 9.82, SOS 14.81, SOS 17.13
 */
export function canBeTaken({ roster }: Tables, unit: number, side: number, bombs: boolean): boolean {
  if (roster.kind[unit] === BRIDGE) return bombs;
  return roster.side[unit] === side && (roster.lossUnit[unit] === 1 || roster.kind[unit] === MINE);
}

/** The order in which bombs hit. Rule: SOS 14.47, SOS 14.81, ruling R75 */
function bombRank(tables: Tables, s: StateView, unit: number): number {
  const kind = tables.roster.kind[unit];
  if (kind === MINE) return 0;
  if (kind === BRIDGE) return 1;
  return kind === SNIPER ? 4 : isArmored(tables, s, unit) ? 3 : 2;
}

/** The owner names a loss. @returns true when the losses of this result are complete and their frame is gone */
export function loseOne(tables: Tables, s: State, unit: UnitId, play: Play): boolean {
  const frame = topFrame(tables, s);
  const { losses } = tables;
  const reason = reasonOf(s[frame + F_CAUSE]!);
  losses.hex = placeOf(tables, s, unit);
  eliminate(tables, s, unit, reason, play);
  s[frame + F_LEADER]! += tables.roster.lossUnit[unit]! << LOST_SHIFT;
  takeAll(tables, s, FIRST_LOSS);
  if (tables.roster.kind[unit] === BRIDGE) dropVehicle(tables, s, frame, losses.hex, play);
  s[frame + F_NEED]!--;
  if (s[frame + F_NEED]! > 0 && exposed(tables, s, false) > s[frame + F_NEED]!) return false;
  losses.units = s[frame + F_LEADER]! >> LOST_SHIFT;
  losses.sniper = s[frame + F_LEADER]! & SNIPER_BITS;
  if (s[frame + F_NEED]! > 0) loseAll(tables, s, reason, play);
  takeAll(tables, s, EXPOSED);
  pop(tables, s);
  return true;
}

/** MP of a vehicle that goes with the bridge it is on. Rule: SOS 17.14, ruling R57 */
const ON_BRIDGE = 24;

/** A bridge was bombed: one fast vehicle on it is lost besides; of several its owner names one. Rule: SOS 17.14 */
function dropVehicle(tables: Tables, s: State, frame: number, hex: number, play: Play): void {
  const { roster } = tables;
  let n = 0;
  let last = -1;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
    if (roster.mp[u]! < ON_BRIDGE || !isVehicle(tables, s, u)) continue;
    n++;
    last = u;
  }
  if (n === 1) {
    eliminate(tables, s, last, "bridge", play);
    s[frame + F_LEADER]! += roster.lossUnit[last]! << LOST_SHIFT;
  } else if (n > 1) {
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
      if (roster.mp[u]! >= ON_BRIDGE && isVehicle(tables, s, u)) give(tables, s, u, EXPOSED | FIRST_LOSS);
    s[frame + F_NEED]!++;
  }
}

/** True when a side has a unit in a hex that can satisfy a loss. Ruling R2. */
export function hasLossUnit(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { roster } = tables;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && roster.lossUnit[u] === 1) return true;
  return false;
}

/**
 * True if fire at a hex can hit a unit there: a unit that satisfies losses, or an OP, transport or repair unit without
 * such a unit beside it. Never a leader. Rule: SOS 9.81, SOS 14.97, SOS 16.48, SOS 16.73, SOS 18.17
 *
 * @param seen for a side that may not see all counters: one that is face down may satisfy losses
 */
export function canBeHit(tables: Tables, s: StateView, unit: number, hex: number, seen = false): boolean {
  const { roster } = tables;
  if (roster.lossUnit[unit] === 1) return true;
  if (roster.kind[unit] !== OP && roster.kind[unit] !== REPAIR && roster.transport[unit] === 0) return false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === roster.side[unit] && (roster.lossUnit[u] === 1 || (seen && !has(tables, s, u, KNOWN))))
      return false;
  return true;
}

/**
 * Counters that can't stay alone go with the last that could fight. Rule: SOS 9.82, SOS 16.48, SOS 16.49
 *
 * @returns how many go
 */
export function dropHelpless(tables: Tables, s: State, side: number, hex: number, play: Play): number {
  if (hasLossUnit(tables, s, side, hex)) return 0;
  const { roster } = tables;
  let n = 0;
  for (let u = firstIn(tables, s, hex); u >= 0;) {
    const next = nextIn(tables, s, u);
    if (roster.side[u] === side && FALLS_ALONE.includes(roster.kind[u]!)) {
      eliminate(tables, s, u, "alone", play);
      n++;
    }
    u = next;
  }
  return n;
}

/**
 * A P: everybody of a side in the hex but leaders is pinned, in built-up hexes spent. Rule: SOS 9.81, SOS 9.84,
 * SOS 9.111, SOS 11.11, ruling R28
 */
export function pinHex(tables: Tables, s: State, side: number, hex: number, play: Play): void {
  const { roster } = tables;
  const marker = tables.board.pinSpends[hex] === 1 ? SPENT : PINNED;
  loseRepairs(tables, s, side, hex, play);
  if (play.narrator !== null) {
    const units = events.thoseIn(tables, s, side, hex, FEELS_NO_PIN).filter((u) => !has(tables, s, u, marker));
    events.pinned(tables, s, units, hex, "SOS 9.81", marker, play);
  }
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === side && !FEELS_NO_PIN.includes(roster.kind[u]!)) {
      const late = roster.kind[u] === OP && marker === PINNED && !has(tables, s, u, PINNED);
      give(tables, s, u, late ? marker | NEW_PIN : marker);
    }
  if (tables.board.volga[hex] === 1) goBack(tables, s, hex, play); // Rule: SOS 8.70
}
