import { lowest } from "../../core/bits.js";
import type { Rng } from "../../core/dice/rng.js";
import { type AreaId, AREAS, CHITS, FIRST_AREA, GERMANS, PUBLIC_LOG_WORDS, SOVIETS, UNITS } from "../state.js";
import { Checks } from "./checks.js";
import { MovePairs } from "./move-pairs.js";

/** Most face-down counters in one public log: those of the start, landings, chits placed, re-flips of 8 turns. */
export const COUNTERS = SOVIETS + CHITS + SOVIETS + 30 + 8 * SOVIETS;
/** Most visits, and so most departures: every counter begins with one, every public log entry begins one at most. */
export const VISITS = COUNTERS + PUBLIC_LOG_WORDS;

/** `candidates` of a chit; otherwise it is a mask of the units that a counter may be. */
export const IS_CHIT = 1 << SOVIETS;
/** The reveal of counters that are still on the map. */
export const ON_MAP = 0;
const NONE = -1;
const TURNS = 10;
/** Above the number of counters that come in one entry. */
const MANY = 64;
/** `id` of a chit in `addReveal`. */
export const CHIT = SOVIETS;

/**
 * The public log as a network for *counters*: face-down counters without names. A counter is born, and is in one area
 * after the other: its *visits*. Each begins by birth or by an anonymous move and ends by a *departure*: an anonymous
 * move, which begins the next visit, a *reveal* (what the counter turned out to be) or, on the map still, the end. The
 * public log gives the areas and times of all visits and departures, but not which departure ends a visit.
 * Visits of one area between two moments when it holds no counter form a *group*, and some departure of the group ends
 * each.
 */
export class Network {
  counters = 0;
  visits = 0;
  departures = 0;
  groups = 0;
  reveals = 0;
  /** True when some moves fit some counters only. */
  hasRestrictedMoves = false;

  // counters
  readonly candidates = new Int32Array(COUNTERS);
  /**
   * Unit of a counter that is named from birth, otherwise -1; the reveal in which such a one ends (others: the map).
   */
  readonly named = new Int8Array(COUNTERS);
  readonly reservedReveal = new Int16Array(COUNTERS);
  /** Public log entry of birth; first visit. */
  readonly born = new Int16Array(COUNTERS);
  readonly birth = new Int16Array(COUNTERS);
  /** The turn in which a unit without a name landed, otherwise 0; equal for counters that can be the same. */
  readonly landingTurn = new Uint8Array(COUNTERS);
  readonly interchangeClass = new Int32Array(COUNTERS);
  /** Those of unknown class at the start of the public log. */
  readonly unknown = new Int16Array(COUNTERS);
  unknowns = 0;
  private unknownMask = 0;

  // visits
  readonly visitArea = new Uint8Array(VISITS);
  readonly visitTime = new Int16Array(VISITS);
  /** Turn of the move it began by, 0 for a birth; its public log entry. */
  readonly visitTurn = new Uint8Array(VISITS);
  readonly visitEntry = new Int16Array(VISITS);
  /** When it began, for its place in the stack: counters that came in one entry have an order too. */
  readonly visitKey = new Int32Array(VISITS);
  /** The departure that it began by, or -1; the counter born, or -1. */
  readonly by = new Int16Array(VISITS);
  readonly counterOf = new Int16Array(VISITS);
  /** Checks of its area before it began. */
  readonly visitChecks = new Uint8Array(VISITS);

  // departures
  readonly departureArea = new Uint8Array(VISITS);
  readonly departureTime = new Int16Array(VISITS);
  /** Moves: class and SMG mark as in the public log. */
  readonly departureFlags = new Uint8Array(VISITS);
  /** The visit that it begins, or -1; otherwise the reveal that it leads to. */
  readonly to = new Int16Array(VISITS);
  readonly revealOf = new Int16Array(VISITS);
  readonly departureChecks = new Uint8Array(VISITS);

  /** Departures by groups, in their order of time; where each group begins. */
  readonly member = new Int16Array(VISITS);
  readonly groupFrom = new Int16Array(VISITS + 1);
  readonly groupOf = new Int16Array(VISITS);
  /**
   * Places in `member` of departures that are no ends and have others behind them in their group; how many there are
   * from each on.
   */
  choices = 0;
  readonly choice = new Int16Array(VISITS);
  readonly others = new Int16Array(VISITS);

  // reveals
  /** The unit as a mask, `IS_CHIT` for a chit; nothing where a named counter ends, and for the map. */
  readonly revealMask = new Int32Array(COUNTERS + 1);
  /** 1 when it was armour or an anti-tank unit: a *gun*. */
  readonly revealGun = new Uint8Array(COUNTERS + 1);
  /** Kind of a chit that turned up, otherwise -1. */
  readonly revealKind = new Int8Array(COUNTERS + 1);
  /** Its departure; its public log entry. */
  readonly revealDeparture = new Int16Array(COUNTERS + 1);
  readonly revealEntry = new Int16Array(COUNTERS + 1);

  readonly checks: Checks;
  /**
   * Guns that are face-down or waiting, and no counter names. Each has a *place*: an end of a visit on the map, in the
   * order of `ends`, or behind these one for each unit that waits.
   */
  readonly gun = new Int8Array(SOVIETS);
  gunCount = 0;
  readonly ends = new Int16Array(COUNTERS);
  endCount = 0;
  waiting = 0;

  readonly movePairs = new MovePairs(VISITS);
  /** Landings that were turned away where perhaps only a gun had room: public log entries, and checks of that. */
  tries = 0;
  readonly tryEntry = new Int16Array(PUBLIC_LOG_WORDS);
  readonly tryCheck = new Int16Array(PUBLIC_LOG_WORDS);

  /** Landing steps whose end is informative: public log entries, and the checks of each area's contents then. */
  rivers = 0;
  readonly river = new Int16Array(TURNS);
  readonly riverCheck = new Int16Array(TURNS * AREAS);

  /** Units by entry turn that are face-down or waiting, without those that a counter names. */
  readonly unseen = new Int32Array(10);
  /**
   * Entry of a face-up unit's last move (for solitaire stacks), -1 for none since it was shown, and the reveal it was
   * shown in.
   */
  readonly lastUpMove = new Int32Array(SOVIETS);
  readonly lastReveal = new Int32Array(SOVIETS);
  /** The same two of a named counter, from the time when it was face-up. */
  readonly upMoveBefore = new Int16Array(COUNTERS);
  readonly revealBefore = new Int16Array(COUNTERS);

  private time = 0;
  /**
   * Counters now in each area, and those of them that have moved this turn; the departures of its group so far, linked
   * from the last one back.
   */
  private readonly count = new Int32Array(AREAS);
  private readonly arrived = new Int32Array(AREAS);
  private readonly lastDeparture = new Int32Array(AREAS);
  private readonly size = new Int32Array(AREAS);
  private readonly previous = new Int16Array(VISITS);

  /**
   * @param bare most units that an area keeps without a gun; `mostUnits` with one; `smgMask` SMG companies, `guns`
   *   and units `atStart` as masks of Soviet slots
   */
  constructor(
    bare: number,
    readonly mostUnits: number,
    readonly smgMask: number,
    readonly guns: number,
    readonly atStart: number,
  ) {
    this.revealKind[ON_MAP] = NONE;
    this.checks = new Checks(this.count, bare, mostUnits);
  }

  clear(): void {
    this.counters = this.visits = this.departures = this.groups = this.choices = this.unknowns = this.time = 0;
    this.reveals = 1;
    this.hasRestrictedMoves = false;
    this.rivers = this.tries = 0;
    this.movePairs.clear();
    this.count.fill(0);
    this.arrived.fill(0);
    this.lastDeparture.fill(NONE);
    this.size.fill(0);
    this.checks.clear();
    this.lastUpMove.fill(NONE);
    this.lastReveal.fill(NONE);
  }

  /** A counter in area `a` from public log entry `entry` on. @param named the unit it is, or -1 */
  addCounter(a: AreaId, candidates: number, named: number, entry: number): number {
    const k = this.counters++;
    this.candidates[k] = candidates;
    this.named[k] = named;
    this.reservedReveal[k] = ON_MAP;
    this.born[k] = entry;
    this.birth[k] = this.visits;
    this.time += 2;
    this.addVisit(a, 0, entry, NONE, k);
    return k;
  }

  /** Such a one whose class only `dealStart` settles. @param candidates the units that it may be */
  addUnknown(a: AreaId, candidates: number, entry: number): void {
    this.unknownMask = candidates;
    this.unknown[this.unknowns++] = this.addCounter(a, candidates, NONE, entry);
  }

  /** A movement phase begins or ends: nobody moves twice in one. */
  turnOver(): void {
    this.time += 2;
    this.arrived.fill(0);
    this.movePairs.turnOver();
  }

  /** A face-up unit moves out of the stack of area `a`. Solo only. */
  addUpMove(a: AreaId, id: number): void {
    const moved = this.lastUpMove[id]!;
    this.movePairs.addUp(a, moved >= 0 ? this.keyOf(moved) : NONE, this.lastReveal[id]!);
  }

  /** The last departure was a move out of such a stack. */
  addDownMove(a: AreaId, chit: boolean): void {
    this.movePairs.addDown(a, chit, this.departures - 1);
  }

  /** When something came in a public log entry, for places in stacks. */
  keyOf(entry: number): number {
    return entry * MANY;
  }

  /** Some counter goes from `a` to `b`. */
  addMove(a: AreaId, b: AreaId, turn: number, entry: number, flags: number): void {
    const e = this.addDeparture(a, this.time, ON_MAP);
    this.departureFlags[e] = flags;
    if (flags !== 0) this.hasRestrictedMoves = true;
    if (this.count[a] === this.arrived[a]) this.closeGroup(a, 0); // those that have moved stay
    this.arrived[b]!++;
    this.to[e] = this.addVisit(b, turn, entry, e, NONE);
  }

  /**
   * Some counter of `a` is gone: it was what a new reveal says.
   *
   * @param id the Soviet slot of a unit, or `CHIT`
   * @param kind of a chit that turned up, otherwise -1
   * @returns the reveal
   */
  addReveal(a: AreaId, id: number, kind: number, entry: number): number {
    const q = this.reveals++;
    this.revealMask[q] = 1 << id;
    this.revealGun[q] = (this.guns >> id) & 1;
    this.revealKind[q] = kind;
    this.revealEntry[q] = entry;
    this.revealDeparture[q] = this.addDeparture(a, this.time + 1, q);
    this.arrived[a] = 0; // some of them may be gone
    if (this.count[a] === 0) this.closeGroup(a, 0);
    return q;
  }

  /** Keeps a reveal for a counter. */
  reserve(reveal: number, counter: number): void {
    this.revealMask[reveal] = 0;
    this.reservedReveal[counter] = reveal;
  }

  /** A unit was turned away from area `a`. @param units face-up ones there; `chits`, `guns` likewise */
  addTry(a: AreaId, units: number, chits: number, guns: number, entry: number): void {
    const check = this.checks.addTry(a, units, chits, guns);
    if (check < 0) return;
    this.tryEntry[this.tries] = entry;
    this.tryCheck[this.tries++] = check;
  }

  private addVisit(a: AreaId, turn: number, entry: number, by: number, counter: number): number {
    const x = this.visits++;
    this.visitArea[x] = a;
    this.visitTime[x] = this.time;
    this.visitTurn[x] = turn;
    this.visitEntry[x] = entry;
    this.visitKey[x] = x > 0 && this.visitEntry[x - 1] === entry ? this.visitKey[x - 1]! + 1 : this.keyOf(entry);
    this.by[x] = by;
    this.counterOf[x] = counter;
    this.visitChecks[x] = this.checks.next(a);
    this.count[a]!++;
    return x;
  }

  private addDeparture(a: AreaId, time: number, reveal: number): number {
    const e = this.departures++;
    this.departureArea[e] = a;
    this.departureTime[e] = time;
    this.departureFlags[e] = 0;
    this.to[e] = NONE;
    this.revealOf[e] = reveal;
    this.departureChecks[e] = this.checks.next(a);
    this.previous[e] = this.lastDeparture[a]!;
    this.lastDeparture[a] = e;
    this.size[a]!++;
    this.count[a]!--;
    return e;
  }

  /** Closes the group of an area that holds no counter any more. @param ends departures at its end that are ends */
  private closeGroup(a: AreaId, ends: number): void {
    const n = this.size[a]!;
    if (n === 0) return;
    const g = this.groups++;
    const from = g === 0 ? 0 : this.groupFrom[g]!;
    this.groupFrom[g] = from;
    this.groupFrom[g + 1] = from + n;
    for (let p = 0; p < n - ends && p < n - 1; p++) {
      this.choice[this.choices] = from + p;
      this.others[this.choices++] = n - p;
    }
    for (let p = from + n - 1, e = this.lastDeparture[a]!; p >= from; p--, e = this.previous[e]!) {
      this.member[p] = e;
      this.groupOf[e] = g;
    }
    this.lastDeparture[a] = NONE;
    this.size[a] = 0;
  }

  /** Makes a random subset of the counters of unknown class at the start chits. */
  dealStart(chits: number, rng: Rng): void {
    let left = chits;
    for (let i = 0; i < this.unknowns; i++) {
      const chit = left > 0 && rng.below(this.unknowns - i) < left;
      if (chit) left--;
      this.makeStart(i, chit);
    }
  }

  /** Makes the `i`-th counter of unknown class at the start a chit or a unit. */
  makeStart(i: number, chit: boolean): void {
    const counter = this.unknown[i]!;
    this.candidates[counter] = this.interchangeClass[counter] = chit ? IS_CHIT : this.unknownMask;
  }

  isChit(counter: number): boolean {
    return this.candidates[counter] === IS_CHIT;
  }

  /** Ends the visits of all that are on the map still. */
  end(): void {
    this.endCount = 0;
    for (let a = FIRST_AREA; a < AREAS; a++) {
      const ends = this.count[a]!;
      for (let k = 0; k < ends; k++) this.ends[this.endCount++] = this.addDeparture(a, this.time + 1, ON_MAP);
      this.closeGroup(a, ends);
    }
    this.movePairs.end(this);
  }

  /** @param guns those that are face-down or waiting, and no counter names, as a mask; `waiting` units that wait */
  setGuns(guns: number, waiting: number): void {
    this.gunCount = 0;
    if (this.checks.askGuns) for (let m = guns; m !== 0; m &= m - 1) this.gun[this.gunCount++] = lowest(m);
    this.waiting = waiting;
  }
}

/** Most counters that can ever be in one area. */
export const ROW = UNITS - GERMANS + CHITS;
