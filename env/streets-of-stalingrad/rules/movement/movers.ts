import type { StateView } from "../../../core/layout.js";
import { BANK_SHIFT, CARRIED, GROUP, ISOLATED, MOVE_DEPLOY, MOVE_RESERVES, MOVE_RETREAT } from "../../layout.js";
import { NO_BANK } from "../../map/banks.js";
import { GERMAN, SOVIET } from "../../roster.js";
import { extraOf, has, nextIn, placeOf, type Tables } from "../../state.js";
import { isUnled } from "../units/army.js";
import { isArmored, isVehicle, printedMp } from "../units/units.js";
import { railAllowance } from "./trains.js";

/**
 * How far a group or a unit may go: half MP of the slowest member and its class, and of the others if they pay
 * differently.
 */
export interface Movers {
  side: number;
  unit: number;
  vehicle: boolean;
  allowance: number;
  /** Half MP of the slowest member of the other class, -1: there is none. */
  other: number;
  move: number;
  /** Bank of the vehicles at the start (rules R18). */
  bank: number;
  /** Leaders and OPs alone: no ground holds them up. */
  chiefs: boolean;
  /** Leaders alone: no pin holds them. Rule: SOS 18.14 */
  leaders: boolean;
  /**
   * Motorised or towed: in a retreat they don't leave a hex under shells, others only pay in the attacked one. Rule:
   * SOS 9.48
   */
  towed: boolean;
  /** True when they may be in a hex without other units. Null: not computed yet. */
  fitAlone: boolean | null;
  /** The unit, or the only member of the group where nobody can ride with it; -1: several. */
  only: number;
  /** Stack units among them, -1: others are, too. */
  stack: number;
  /** True when one of them lifts the stacking limit. */
  lifts: boolean;
  /** A train, for which rails alone count. Rule: SOS 16.61 */
  rail: boolean;
  /** Transports, and all others on them: no zone of control stops them. Rule: SOS 16.46 */
  rides: boolean;
  /** A leader alone who was cut off when the phase began; null: not asked yet. Rule: SOS 18.32 */
  slips: boolean | null;
  /** The hex that they leave without a stack unit of their side, -1 none; null: not asked yet. */
  left: number | null;
}

export const newMovers = (): Movers => ({
  side: GERMAN,
  unit: -1,
  vehicle: false,
  allowance: -1,
  other: -1,
  move: 0,
  bank: NO_BANK,
  chiefs: true,
  leaders: true,
  towed: false,
  fitAlone: null,
  only: -1,
  stack: 0,
  lifts: false,
  rail: false,
  rides: false,
  slips: null,
  left: null,
});

/**
 * Half MP of a unit: printed, then halved or quartered, fractions up; a deploying one's are doubled. Leaders and OPs
 * are never halved. Rule: SOS 8.01, SOS 8.03, SOS 8.05, SOS 8.21, SOS 9.48, SOS 14.92, SOS 18.15, SOS 18.51, SOS 18.53,
 * SOS 19.5, ruling R11
 *
 * @param move one of `MOVES`
 */
export function allowanceOf(tables: Tables, s: StateView, unit: number, move: number): number {
  const { layout, roster } = tables;
  if (roster.train[unit] === 1) return railAllowance(tables, s);
  let parts = 1;
  if (move === MOVE_RETREAT) parts = 4;
  else if (roster.chief[unit] === 0) {
    const phase = s[layout.phase]!;
    if (move === MOVE_RESERVES || phase === 7 || phase === 14) parts = 2;
    if (s[layout.turn] === 1 && roster.side[unit] === SOVIET) parts *= 2;
    if ((s[layout.work + unit]! & ISOLATED) !== 0) parts *= 2;
    if (tables.armyLeaders && isUnled(tables, s, unit)) parts *= 2;
  }
  const mp = Math.ceil(printedMp(tables, s, unit) / parts);
  return move === MOVE_DEPLOY ? mp * 4 : mp * 2;
}

/** The lowest slot of the group, -1: no unit of it is left. */
export function firstOfGroup(tables: Tables, s: StateView): number {
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, GROUP)) return u;
  return -1;
}

/** The next slot of the group, which is in one place; -1 none. */
export function nextOfGroup(tables: Tables, s: StateView, unit: number): number {
  if (placeOf(tables, s, unit) >= 0) {
    for (let u = nextIn(tables, s, unit); u >= 0; u = nextIn(tables, s, u)) if (has(tables, s, u, GROUP)) return u;
    return -1;
  }
  for (let u = unit + 1; u < tables.units; u++) if (has(tables, s, u, GROUP)) return u;
  return -1;
}

/**
 * The movers that a reach is made for. Leaders and OPs who go with others are no burden: no ground costs them more.
 * Rule: SOS 8.06, SOS 14.92, SOS 18.16, ruling R13
 *
 * @param unit one unit, -1: all with GROUP
 * @param m what is written over
 */
export function moversOf(tables: Tables, s: StateView, unit: number, move: number, m = newMovers()): Movers {
  const { roster } = tables;
  const { work } = tables.layout;
  let walks = false;
  m.side = GERMAN;
  m.unit = unit;
  m.vehicle = false;
  m.allowance = -1;
  m.other = -1;
  m.move = move;
  m.bank = NO_BANK;
  m.chiefs = true;
  m.leaders = true;
  m.towed = false;
  m.fitAlone = null;
  m.only = unit;
  m.stack = 0;
  m.lifts = false;
  m.rail = false;
  m.rides = false;
  m.slips = null;
  m.left = null;
  let members = 0;
  for (let u = unit >= 0 ? unit : firstOfGroup(tables, s); u >= 0; u = unit >= 0 ? -1 : nextOfGroup(tables, s, u)) {
    m.only = ++members === 1 && (unit >= 0 || roster.transport[u] === 0) ? u : -1;
    m.side = roster.side[u]!;
    if (roster.stackUnit[u] === 0) m.stack = -1;
    else if (m.stack >= 0) m.stack++;
    if (roster.liftsLimit[u] === 1) m.lifts = true;
    if (roster.train[u] === 1) m.rail = true;
    if (roster.leader[u] === 0) m.leaders = false;
    if (roster.transport[u] === 1) m.rides = true;
    else if (roster.rider[u] !== 0 && unit < 0 && (s[work + u]! & CARRIED) !== 0) continue;
    else walks = true;
    if (roster.chief[u] === 1 && !m.chiefs) continue;
    if (roster.chief[u] === 0 && m.chiefs) {
      m.chiefs = false;
      m.allowance = -1; // leaders and OPs met before only ride along
    }
    const mine = allowanceOf(tables, s, u, move);
    const vehicle = isVehicle(tables, s, u);
    if (vehicle && !isArmored(tables, s, u)) m.towed = true;
    if (vehicle) m.bank = extraOf(tables, s, u, BANK_SHIFT);
    if (m.allowance < 0) {
      m.allowance = mine;
      m.vehicle = vehicle;
    } else if (vehicle === m.vehicle) m.allowance = Math.min(m.allowance, mine);
    else m.other = m.other < 0 ? mine : Math.min(m.other, mine);
  }
  if (walks) m.rides = false;
  if (m.other >= 0 && m.other < m.allowance) {
    [m.allowance, m.other] = [m.other, m.allowance];
    m.vehicle = !m.vehicle;
  }
  return m;
}

/** True when banks restrict where the movers go. */
export const withBanks = ({ board }: Tables, m: Movers): boolean => board.banks.any && (m.vehicle || m.other >= 0);
