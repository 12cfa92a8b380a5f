import type { StateView } from "../../../core/layout.js";
import { NO_BANK } from "../../map/banks.js";
import { EAST_BOXES, NO_ARROW } from "../../map/river.js";
import { SOVIET } from "../../roster.js";
import {
  ASK_ATTACK_UNIT,
  ATTACKER,
  boxOf,
  F_STUKAS,
  GROUP,
  isBox,
  ISOLATED,
  MARK_BITS,
  MARK_BREAKTHRU,
  MOVE_BREAKTHROUGH,
  MOVE_DEPLOY,
  MOVE_RETREAT,
  PINNED,
  targetIn,
} from "../../layout.js";
import { enemyOf, firstIn, frameHex, frameOf, has, markOf, nextIn, placeOf } from "../../state.js";
import type { Tables } from "../../state.js";
import { countBoats, crossingCost, hasRoom } from "./crossing.js";
import { beginDeployment, mayDeploy } from "./deployment.js";
import { BRIDGE, noteBridges } from "../units/bridges.js";
import { noteMines, STOPS_HERE } from "../units/mines.js";
import { ZOC, zocKnownTo } from "../units/zoc.js";
import { type Movers, withBanks } from "./movers.js";
import { interdictionCost, entryCostOf, CHIEF_COST, costOfStep } from "./step-cost.js";

/** Instead of a hex to go to: the best way to every hex is asked for; what every hex costs, no ways. */
export const EVERY_WAY = -1;
export const COSTS_ALONE = -2;

/**
 * Fills `tables.cost` (-1 not reached), `tables.from` and `tables.reached` with what the movers can reach from a hex,
 * as far as their side knows. Cheapest paths; among these the one of fewest hexes, then of the lowest hex numbers.
 * Units go through full hexes, never from one zone of control into another, but for armor that breaks through.
 * Rule: SOS 5.2, SOS 6.4, SOS 6.6, SOS 6.7, SOS 8.07, SOS 8.51, ruling R13
 *
 * @param spent half MP paid before
 * @param goal the search ends at this hex; or `EVERY_WAY`, `COSTS_ALONE`
 * @returns how many hexes are in `tables.reached`, the start first
 */
export function reach(tables: Tables, s: StateView, m: Movers, start: number, spent: number, goal = EVERY_WAY): number {
  beginOrders(tables, s, m.side, m.move);
  return search(tables, s, m, start, spent, goal, null);
}

/**
 * True when the movers can reach a hex that passes a test, other than the one they start from. The search ends at the
 * first one. Orders have been begun.
 */
export const reachesAny = (tables: Tables, s: StateView, m: Movers, start: number, passes: HexTest): boolean =>
  search(tables, s, m, start, 0, COSTS_ALONE, passes) === FOUND;

type HexTest = (tables: Tables, s: StateView, m: Movers, hex: number) => boolean;
const FOUND = -1;

function search(
  tables: Tables,
  s: StateView,
  m: Movers,
  start: number,
  spent: number,
  goal: number,
  passes: HexTest | null,
): number {
  const { bestNode, board, bucket, cost, from, inBucket, otherCost, reached, steps } = tables;
  const { banks } = board;
  cost.fill(-1);
  bucket.fill(-1);
  const left = m.allowance - spent;
  const ways = goal !== COSTS_ALONE || m.other >= 0; // what others pay hangs on the way
  let count = 1;
  reached[0] = start;
  const isPlain = !m.rail && !withBanks(tables, m) && m.other < 0 && isOrdinary(m.move) && !m.rides;
  const crosses = isBox(start);
  if (crosses && boxOf(start) < EAST_BOXES) openCrossings(tables, s, m, boxOf(start), left);
  else if (crosses) openEntries(tables, s, m, boxOf(start), left);
  else {
    const first = withBanks(tables, m) ? banks.node(start, m.bank) : start;
    cost[first] = 0;
    otherCost[first] = 0;
    steps[first] = 0;
    from[first] = -1;
    bestNode[start] = first;
    cost[start] = 0;
    from[start] = -1;
    steps[start] = 0;
    if (isPlain) expandPlain(tables, s, m, start, first, left, 0, ways);
    else expand(tables, s, m, start, first, left, 0, ways);
  }
  for (let c = 1; c <= left; c++)
    for (let n = bucket[c]!; n >= 0; n = bucket[c]!) {
      bucket[c] = inBucket[n]!;
      const h = banks.hexOf[n]!;
      if (n === h || cost[h]! < 0) {
        // the cheapest bank of a hex stands for it
        reached[count++] = h;
        bestNode[h] = n;
        cost[h] = c;
        from[h] = from[n]!;
        steps[h] = steps[n]!;
        otherCost[h] = otherCost[n]!;
        if (passes !== null && passes(tables, s, m, h)) return FOUND;
      }
      if (h === goal) return count;
      // nobody goes along the river
      if ((crosses && board.volga[h] === 1) || stops(tables, s, m, h)) continue;
      if (isPlain) expandPlain(tables, s, m, start, n, left, c, ways);
      else expand(tables, s, m, start, n, left, c, ways);
    }
  return count;
}

/**
 * Opens the banks that the movers can come to from a box of the East Bank, and Volga hexes from which they can attack.
 * Rule: SOS 8.24, SOS 8.63, SOS 8.67, SOS 8.69, rulings R17, R95, R120, R128
 */
function openCrossings(tables: Tables, s: StateView, m: Movers, box: number, left: number): void {
  const { board, closed, from, steps, zocSeen } = tables;
  const { banks } = board;
  countBoats(tables, s, m.unit);
  for (const way of tables.river.crossings[box] ?? []) {
    const { volga, bank, arrow } = way;
    const cost = crossingCost(tables, s, m.allowance, arrow) + interdictionCost(tables, s, m.side, volga);
    if (cost > left || !hasRoom(tables, s, way)) continue;
    if (m.move === MOVE_DEPLOY && !mayDeploy(tables, s, m, volga)) continue;
    from[volga] = -1;
    steps[volga] = 1;
    if (arrow === NO_ARROW ? closed[bank] === 1 : isBesideEnemy(tables, volga)) open(tables, volga, -1, cost, m);
    if (closed[bank] === 1) continue;
    if (zocSeen[volga] === 1 && tables.riverZones) continue;
    if (zocSeen[bank] === 1 && !mayEnterZoc(tables, s, m, bank, false)) continue;
    if (m.move === MOVE_DEPLOY && !mayDeploy(tables, s, m, bank)) continue;
    const landed = cost + interdictionCost(tables, s, m.side, bank);
    if (landed > left) continue;
    const d = board.sideTo(volga, bank);
    if ((m.vehicle || m.other >= 0) && arrow === NO_ARROW && board.steep[bank] === 1) continue;
    open(
      tables,
      withBanks(tables, m) ? banks.node(bank, banks.enter(volga, NO_BANK, d, bank)) : bank,
      volga,
      landed,
      m,
    );
  }
}

/** Opens the hexes by which the movers can come from a box off the map. Rule: SOS 8.46, SOS 21.2, ruling R133 */
function openEntries(tables: Tables, s: StateView, m: Movers, box: number, left: number): void {
  const { banks } = tables.board;
  const { bucket, closed, cost, from, inBucket, otherCost, steps, zocSeen } = tables;
  for (const hex of tables.river.entries[box]!) {
    const paid = entryCostOf(tables, s, m, hex, m.vehicle);
    const other = m.other < 0 ? 0 : entryCostOf(tables, s, m, hex, !m.vehicle);
    if (closed[hex] === 1 || paid === 0 || paid > left || (m.other >= 0 && (other === 0 || other > m.other))) continue;
    if (zocSeen[hex] === 1 && !mayEnterZoc(tables, s, m, hex, false)) continue;
    if (m.move === MOVE_DEPLOY && !mayDeploy(tables, s, m, hex)) continue;
    const node = withBanks(tables, m) ? banks.node(hex, NO_BANK) : hex;
    cost[node] = paid;
    inBucket[node] = bucket[paid]!;
    bucket[paid] = node;
    otherCost[node] = other;
    from[node] = -1;
    steps[node] = 1;
  }
}

/** True when a bank beside a Volga hex is closed by enemies. Ruling R120. */
function isBesideEnemy({ board, closed }: Tables, volga: number): boolean {
  for (let d = volga * 6; d < volga * 6 + 6; d++)
    if (board.neighbours[d]! >= 0 && closed[board.neighbours[d]!] === 1) return true;
  return false;
}

/** A node is reached over the river, if not for less before. */
function open(tables: Tables, node: number, through: number, total: number, m: Movers): void {
  const { bucket, cost, from, inBucket, otherCost, steps } = tables;
  const before = cost[node]!;
  if (before >= 0 && before <= total) return;
  if (before >= 0) unlink(tables, node, before);
  cost[node] = total;
  inBucket[node] = bucket[total]!;
  bucket[total] = node;
  otherCost[node] = m.other < 0 ? 0 : total + (m.other - m.allowance) / 2;
  from[node] = through;
  steps[node] = through < 0 ? 1 : 2;
}

/** True when every step of the move costs what is printed, except for what is in the hex. */
const isOrdinary = (move: number): boolean => move !== MOVE_BREAKTHROUGH && move !== MOVE_RETREAT;

/** Bank on which the vehicles of the last reach come to a hex. */
export const bankReached = ({ bestNode, board }: Tables, hex: number): number => board.banks.bankOf[bestNode[hex]!]!;

/**
 * The same as `expand` of units of one class in an ordinary move that no banks bear on. Most reaches are made of it.
 */
function expandPlain(
  tables: Tables,
  s: StateView,
  m: Movers,
  start: number,
  h: number,
  left: number,
  c: number,
  ways: boolean,
): void {
  const { board, bucket, closed, cost, from, hexes, inBucket, layout, otherCost, steps, works, zocSeen } = tables;
  const { neighbours } = board;
  const printed = m.vehicle ? board.vehicleCost : board.footCost;
  const bombs = layout.bombs + enemyOf(m.side) * hexes;
  const deploys = m.move === MOVE_DEPLOY;
  const zocCloses = deploys || (!m.chiefs && zocSeen[h] === 1);
  for (let d = 0, i = h * 6; d < 6; d++, i++) {
    const to = neighbours[i]!;
    if (to < 0 || to === start || closed[to] === 1) continue;
    let step = printed[i]!;
    if (step === 0) continue;
    if (m.chiefs) step = CHIEF_COST;
    if (zocSeen[to] === 1 && (zocCloses || (m.chiefs && !mayEnterZoc(tables, s, m, to, false)))) continue;
    if (works[to] === 1 || s[bombs + to] !== 0 || (s[layout.hexState + to]! & MARK_BITS) === MARK_BREAKTHRU)
      step = costOfStep(tables, s, m, h, NO_BANK, d, m.vehicle, zocSeen[h] === 1, zocSeen[to] === 1);
    const total = c + step;
    const before = cost[to]!;
    if (step === 0 || total > left) continue;
    if (before >= 0 && (before < total || (before === total && !(ways && isBetter(tables, h, to))))) continue;
    if (deploys && !mayDeploy(tables, s, m, to)) continue;
    if (before !== total) {
      if (before > total) unlink(tables, to, before);
      cost[to] = total;
      inBucket[to] = bucket[total]!;
      bucket[total] = to;
    }
    otherCost[to] = 0;
    steps[to] = steps[h]! + 1;
    from[to] = h;
  }
}

/** Opens the neighbours of a node whose cheapest way is certain. */
function expand(
  tables: Tables,
  s: StateView,
  m: Movers,
  start: number,
  node: number,
  left: number,
  c: number,
  ways: boolean,
): void {
  const { board, bucket, closed, cost, from, inBucket, layout, otherCost, steps, works, zocSeen } = tables;
  const { banks, neighbours } = board;
  const h = banks.hexOf[node]!;
  const bank = banks.bankOf[node]!;
  const banked = withBanks(tables, m);
  const retreats = m.move === MOVE_RETREAT;
  const attacked = retreats ? frameHex(s, frameOf(tables, s, ASK_ATTACK_UNIT)) : -1;
  const printed = m.vehicle ? board.vehicleCost : board.footCost;
  const isPlain = !m.chiefs && !m.rail && m.move !== MOVE_BREAKTHROUGH && works[h] === 0;
  const fromZoc = zocSeen[h] === 1;
  const bombs = layout.bombs + enemyOf(m.side) * tables.hexes;
  for (let d = 0; d < 6; d++) {
    const to = neighbours[h * 6 + d]!;
    if (to < 0 || to === start || closed[to] === 1) continue;
    const toZoc = zocSeen[to] === 1;
    let step = printed[h * 6 + d]!;
    if (!isPlain || works[to] === 1 || markOf(tables, s, to) === MARK_BREAKTHRU || s[bombs + to] !== 0)
      step = costOfStep(tables, s, m, h, bank, d, m.vehicle, fromZoc, toZoc);
    else if (banked && m.vehicle && !banks.mayLeave(h, bank, d, m.side === SOVIET, true)) continue;
    if (step === 0) continue;
    if (retreats && m.towed && pointsOn(tables, s, m, h) >= SHELLS) continue;
    if (h === attacked) {
      // every unit may retreat one hex. Rule: SOS 9.48
      step = Math.min(left, step + 2 * Math.floor(pointsOn(tables, s, m, h) / SHELLS));
    }
    const n = banked ? banks.node(to, banks.enter(h, bank, d, to)) : to;
    const total = c + step;
    const before = cost[n]!;
    // Rule: SOS 8.04
    if (total > left || (before >= 0 && (before < total || (before === total && !ways)))) continue;
    let other = 0;
    if (m.other >= 0) {
      const theirs = costOfStep(tables, s, m, h, bank, d, !m.vehicle, fromZoc, toZoc);
      if (theirs === 0) continue;
      other = otherCost[node]! + theirs;
      if (other > m.other) continue;
    }
    if (before === total && !isBetter(tables, node, n)) continue;
    if (toZoc && !mayEnterZoc(tables, s, m, to, fromZoc)) continue;
    if (m.move === MOVE_DEPLOY && !mayDeploy(tables, s, m, to)) continue;
    if (before !== total) {
      if (before > total) unlink(tables, n, before);
      cost[n] = total;
      inBucket[n] = bucket[total]!;
      bucket[total] = n;
    }
    otherCost[n] = other;
    steps[n] = steps[node]! + 1;
    from[n] = node;
  }
}

/**
 * Notes where the enemies are for orders of a side, for `canStep` and `reachesAny`; it holds while nobody moves or is
 * seen.
 */
export function beginOrders(tables: Tables, s: StateView, side: number, move: number): void {
  lookForEnemies(tables, s, side, move);
  if (move === MOVE_DEPLOY) beginDeployment(tables, s, side);
}

/**
 * True when a unit that has not moved can enter the next hex on this side at all, by what its side knows. Orders have
 * been begun.
 */
export function canStep(tables: Tables, s: StateView, m: Movers, from: number, d: number): boolean {
  const { board, closed, zocSeen } = tables;
  const to = board.neighbours[from * 6 + d]!;
  if (to < 0 || closed[to] === 1) return false;
  const fromZoc = zocSeen[from] === 1;
  const toZoc = zocSeen[to] === 1;
  if (toZoc && !mayEnterZoc(tables, s, m, to, fromZoc)) return false;
  const step = costOfStep(tables, s, m, from, m.bank, d, m.vehicle, fromZoc, toZoc);
  if (step === 0 || step > m.allowance) return false;
  return m.move !== MOVE_DEPLOY || mayDeploy(tables, s, m, to);
}

/**
 * True when the movers may enter a zone of control. Rule: SOS 6.4, SOS 8.51, SOS 16.62
 *
 * @param fromZoc out of another
 */
function mayEnterZoc(tables: Tables, s: StateView, m: Movers, to: number, fromZoc: boolean): boolean {
  if (m.move === MOVE_RETREAT || m.move === MOVE_DEPLOY) return false;
  if (m.rides) return true;
  return m.chiefs ? isHeld(tables, s, m.side, to) || slips(tables, s, m) : m.move === MOVE_BREAKTHROUGH || !fromZoc;
}

/** True when a leader goes through zones of control alone. Rule: SOS 18.15, SOS 18.16, SOS 18.32, ruling R59 */
export const slips = (tables: Tables, s: StateView, m: Movers): boolean =>
  (m.slips ??=
    m.leaders &&
    m.only >= 0 &&
    m.move !== MOVE_RETREAT &&
    placeOf(tables, s, m.only) >= 0 &&
    (s[tables.layout.work + m.only]! & ISOLATED) !== 0);

/** Points of shells on a hex that hold up who retreats from it. Rule: SOS 9.48, ruling R69 */
const SHELLS = 5;
const pointsOn = (tables: Tables, s: StateView, m: Movers, hex: number): number => {
  const bomb = s[tables.layout.bombs + enemyOf(m.side) * tables.hexes + hex]!;
  // shells of this attack are on top of an interdiction
  return (bomb & 0xfff) + (((bomb >> 12) & 15) === 1 ? shellsAt(tables, s, hex) : 0);
};

/** Points of guns and Stukas that attack a hex now. */
function shellsAt(tables: Tables, s: StateView, hex: number): number {
  const attack = frameOf(tables, s, ASK_ATTACK_UNIT);
  let points = attack < 0 ? 0 : s[attack + F_STUKAS]! * tables.stukaAf;
  for (const gun of tables.roster.guns)
    if (has(tables, s, gun, ATTACKER) && targetIn(s[tables.layout.served + gun]!) === hex)
      points += tables.roster.af[gun]!;
  return points;
}

/** True when a combat unit of the side is in a hex, so leaders and OPs may enter. Rule: SOS 14.93, SOS 18.16 */
function isHeld(tables: Tables, s: StateView, side: number, hex: number): boolean {
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side && tables.roster.zocUnit[u] === 1) return true;
  return false;
}

/** Takes a node out of the list of its old cost. */
function unlink({ bucket, inBucket }: Tables, node: number, cost: number): void {
  if (bucket[cost] === node) bucket[cost] = inBucket[node]!;
  else {
    let at = bucket[cost]!;
    while (inBucket[at] !== node) at = inBucket[at]!;
    inBucket[at] = inBucket[node]!;
  }
}

/** True when the way to a node through another is better than its own, at the same cost. */
function isBetter(tables: Tables, through: number, node: number): boolean {
  const { board, from, steps } = tables;
  if (steps[through]! + 1 !== steps[node]!) return steps[through]! + 1 < steps[node]!;
  let a = through;
  let b = from[node]!;
  while (a !== b && from[a] !== from[b]) {
    a = from[a]!;
    b = from[b]!;
  }
  return board.banks.hexOf[a]! < board.banks.hexOf[b]!;
}

/**
 * Notes for one reach the hexes that enemies close to a side, and those in a zone of control that it knows of. Any
 * enemy counter closes a hex to who retreats. Rule: SOS 6.8, SOS 9.47
 */
function lookForEnemies(tables: Tables, s: StateView, side: number, move: number): void {
  const { board, closed, roster, zocSeen } = tables;
  closed.fill(0);
  zocSeen.fill(0);
  if (tables.mines + tables.bridges > 0) tables.works.fill(0);
  if (roster.mines.length > 0) noteMines(tables, s, side);
  if (roster.bridges.length > 0) noteBridges(tables, s);
  const end = roster.end(enemyOf(side));
  for (let u = roster.first(enemyOf(side)); u < end; u++) {
    const hex = placeOf(tables, s, u);
    if (hex < 0 || closed[hex] === 1 || roster.kind[u] === BRIDGE) continue;
    const known = zocKnownTo(tables, s, side, hex);
    if (known < ZOC && move !== MOVE_RETREAT) continue;
    closed[hex] = 1;
    if (known !== ZOC) continue;
    for (let d = hex * 6; d < hex * 6 + 6; d++) {
      const to = board.neighbours[d]!;
      if (to < 0 || zocSeen[to] === 1) continue;
      if (board.zocEnters[to] === 1 && markOf(tables, s, to) !== MARK_BREAKTHRU) zocSeen[to] = 1;
    }
  }
}

/**
 * True when the movers of the last reach must end in a hex, by what they know. Rule: SOS 6.5, SOS 8.09, SOS 9.111, SOS
 * 16.62, SOS 17.22, SOS 18.14, ruling R28
 */
export function stops(tables: Tables, s: StateView, m: Movers, hex: number): boolean {
  if (tables.mines > 0 && tables.mined[hex] === STOPS_HERE) return true;
  if (m.move !== MOVE_BREAKTHROUGH && tables.zocSeen[hex] === 1 && !(m.rides && m.move !== MOVE_RETREAT))
    if (!m.chiefs || !slips(tables, s, m)) return true;
  return !m.leaders && pinsNewcomers(tables, s, m.side, hex);
}

/** True when a pin marker in a hex holds units of the side that enter. Rule: SOS 9.111, ruling R28 */
export function pinsNewcomers(tables: Tables, s: StateView, side: number, hex: number): boolean {
  if (tables.board.pinSpends[hex] === 1) return false;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side && has(tables, s, u, PINNED) && !has(tables, s, u, GROUP)) return true;
  return false;
}
