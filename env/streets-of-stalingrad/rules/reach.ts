import type { StateView } from "../../core/layout.js";
import { GERMAN, SOVIET } from "../roster.js";
import * as words from "../layout.js";
import * as state from "../state.js";
import type { Tables } from "../state.js";
import { inKnownZoc, isBlocked } from "./zoc.js";

// own constants, for speed: see core/layout.ts
const { GROUP, MOVE_NORMAL, MOVE_RETREAT, PINNED } = words;
const { enemyOf, firstIn, has, nextIn } = state;

/** How far a group or a unit may go: half MP of the slowest member and its class, and of the others if they pay differently. */
export interface Movers {
  side: number;
  unit: number;
  vehicle: boolean;
  allowance: number;
  /** Half MP of the slowest member of the other class, -1: there is none. */
  other: number;
  move: number;
}

/**
 * Half MP of a unit: printed, then halved or quartered, fractions up. Rule: SOS 8.01, SOS 8.03, SOS 8.05, SOS 9.48, ruling R11
 *
 * @param move one of `MOVES`
 */
export function allowanceOf(tables: Tables, s: StateView, unit: number, move: number): number {
  const { layout, roster } = tables;
  let parts = 1;
  if (move === MOVE_RETREAT) parts = 4;
  else {
    const phase = s[layout.phase]!;
    if (move !== MOVE_NORMAL || phase === 7 || phase === 14) parts = 2;
    if (s[layout.turn] === 1 && roster.side[unit] === SOVIET) parts *= 2;
  }
  return Math.ceil(roster.mp[unit]! / parts) * 2;
}

/** The movers that a reach is made for. Rule: SOS 8.06, ruling R13 @param unit one unit, -1: all with GROUP */
export function moversOf(tables: Tables, s: StateView, unit: number, move: number): Movers {
  const { roster } = tables;
  const m: Movers = { side: GERMAN, unit, vehicle: false, allowance: -1, other: -1, move };
  for (let u = unit >= 0 ? unit : 0; u < (unit >= 0 ? unit + 1 : tables.units); u++) {
    if (unit < 0 && !has(tables, s, u, GROUP)) continue;
    m.side = roster.side[u]!;
    const mine = allowanceOf(tables, s, u, move);
    const vehicle = roster.vehicle[u] === 1;
    if (m.allowance < 0) {
      m.allowance = mine;
      m.vehicle = vehicle;
    } else if (vehicle === m.vehicle) m.allowance = Math.min(m.allowance, mine);
    else m.other = m.other < 0 ? mine : Math.min(m.other, mine);
  }
  if (m.other >= 0 && m.other < m.allowance) {
    [m.allowance, m.other] = [m.other, m.allowance];
    m.vehicle = !m.vehicle;
  }
  return m;
}

/** Half MP to step from a hex over a side, 0 where a class can't. Rule: SOS 8.04, SOS 8.11, SOS 14.84 */
export function stepCost(
  tables: Tables,
  s: StateView,
  side: number,
  from: number,
  d: number,
  vehicle: boolean,
): number {
  const { board, layout } = tables;
  const base = (vehicle ? board.vehicleCost : board.footCost)[from * 6 + d]!;
  if (base === 0) return 0;
  const bomb = s[layout.bombs + enemyOf(side) * tables.hexes + board.neighbours[from * 6 + d]!]!;
  return bomb === 0 ? base : base + 2 * Math.floor((bomb & 0xfff) / 5);
}

/**
 * Fills `tables.cost` (-1 not reached), `tables.from` and `tables.reached` with what the movers can reach from a hex, as far as
 * their side can tell. Cheapest ways; among these the one of fewest hexes, then of the lowest hex numbers. Units go through full hexes, never from one zone
 * of control into another. Rule: SOS 5.2, SOS 6.4, SOS 6.7, SOS 8.07, ruling R13
 *
 * @param spent half MP paid before
 * @returns how many hexes stand in `tables.reached`, the start first
 */
export function reach(tables: Tables, s: StateView, m: Movers, start: number, spent: number): number {
  const { bucket, cost, from, inBucket, otherCost, reached, steps, zocSeen } = tables;
  cost.fill(-1);
  zocSeen.fill(0);
  bucket.fill(-1);
  const left = m.allowance - spent;
  cost[start] = 0;
  otherCost[start] = 0;
  steps[start] = 0;
  from[start] = -1;
  let count = 1;
  reached[0] = start;
  expand(tables, s, m, start, start, left, 0);
  for (let c = 1; c <= left; c++)
    for (let h = bucket[c]!; h >= 0; h = bucket[c]!) {
      bucket[c] = inBucket[h]!;
      reached[count++] = h;
      if (!stops(tables, s, m, h)) expand(tables, s, m, start, h, left, c);
    }
  return count;
}

/** Opens the neighbours of a hex whose cheapest way is certain. */
function expand(tables: Tables, s: StateView, m: Movers, start: number, h: number, left: number, c: number): void {
  const { board, bucket, cost, from, inBucket, otherCost, steps } = tables;
  const retreats = m.move === MOVE_RETREAT;
  for (let d = 0; d < 6; d++) {
    const n = board.neighbours[h * 6 + d]!;
    if (n < 0 || n === start) continue;
    let step = stepCost(tables, s, m.side, h, d, m.vehicle);
    if (step === 0) continue;
    // every unit may retreat one hex. Rule: SOS 9.48
    if (retreats && h === start && step > left) step = left;
    const total = c + step;
    if (total > left || (cost[n]! >= 0 && cost[n]! < total)) continue;
    let other = 0;
    if (m.other >= 0) {
      const theirs = stepCost(tables, s, m.side, h, d, !m.vehicle);
      if (theirs === 0) continue;
      other = otherCost[h]! + theirs;
      if (other > m.other) continue;
    }
    if (cost[n] === total && !isBetter(tables, h, n)) continue;
    if (isBlocked(tables, s, m.side, n)) continue;
    if (zocAt(tables, s, m.side, n) && (retreats || zocAt(tables, s, m.side, h))) continue;
    if (cost[n] !== total) {
      if (cost[n]! > total) unlink(tables, n, cost[n]!);
      cost[n] = total;
      inBucket[n] = bucket[total]!;
      bucket[total] = n;
    }
    otherCost[n] = other;
    steps[n] = steps[h]! + 1;
    from[n] = h;
  }
}

/** Takes a hex out of the list of its old cost. */
function unlink({ bucket, inBucket }: Tables, hex: number, cost: number): void {
  if (bucket[cost] === hex) bucket[cost] = inBucket[hex]!;
  else {
    let at = bucket[cost]!;
    while (inBucket[at] !== hex) at = inBucket[at]!;
    inBucket[at] = inBucket[hex]!;
  }
}

/** Is the way to `hex` through `through` better than the one it has, at the same cost? */
function isBetter(tables: Tables, through: number, hex: number): boolean {
  const { from, steps } = tables;
  if (steps[through]! + 1 !== steps[hex]!) return steps[through]! + 1 < steps[hex]!;
  let a = through;
  let b = from[hex]!;
  while (a !== b && from[a] !== from[b]) [a, b] = [from[a]!, from[b]!];
  return a < b;
}

/** Is a hex in an enemy zone of control that the side knows of? Kept for one reach. */
function zocAt(tables: Tables, s: StateView, side: number, hex: number): boolean {
  const { zocSeen } = tables;
  if (zocSeen[hex] === 0) zocSeen[hex] = inKnownZoc(tables, s, side, hex) ? 2 : 1;
  return zocSeen[hex] === 2;
}

/** Must the movers end in a hex, by what they know? Rule: SOS 6.5, SOS 8.09, SOS 9.111, ruling R28 */
export function stops(tables: Tables, s: StateView, m: Movers, hex: number): boolean {
  return zocAt(tables, s, m.side, hex) || pinsNewcomers(tables, s, m.side, hex);
}

/** Does a pin marker in a hex hold whoever of the side enters? Rule: SOS 9.111, ruling R28 */
export function pinsNewcomers(tables: Tables, s: StateView, side: number, hex: number): boolean {
  if (tables.board.pinSpends[hex] === 1) return false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side && has(tables, s, u, PINNED) && !has(tables, s, u, GROUP)) return true;
  return false;
}
