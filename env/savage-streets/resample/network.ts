import type { Rng } from "../../core/rng.js";
import * as state from "../state.js";

// own constants, for speed: see core/layout.ts
const { AREAS, CHITS, GERMANS, LEDGER_WORDS, SOVIETS, UNITS } = state;

/** Most face-down counters in one ledger: those of the start, landings, chits placed, re-flips of 8 turns. */
export const TOKENS = SOVIETS + CHITS + SOVIETS + 30 + 8 * SOVIETS;
/** Before and after the Soviet movement of each turn. */
export const CHECKS = 18;
/** Most stays, and so most exits: every token begins with one, every ledger entry begins one at most. */
export const STAYS = TOKENS + LEDGER_WORDS;
/** Most chits that an area keeps. */
export const MOST_CHITS = 3;

/** `cand` of a chit; else it is a mask of the units that a token may be. */
export const IS_CHIT = 1 << SOVIETS;
/** The slot of those that are not gone. */
export const ON_MAP = 0;
const NONE = -1;
/** `id` of a chit in `lose`. */
export const CHIT = SOVIETS;

/**
 * The ledger as a network for *tokens*: face-down counters without names. A token is born, and lies in one area after the
 * other: its *stays*. Each begins by birth or by an anonymous move and ends by an *exit*: an anonymous move, which begins
 * the next stay, a *slot* (what the counter turned out to be) or, on the map still, the end. The ledger tells areas and
 * times of all stays and exits; which exit a stay ends by it does not tell. Stays of one area between two moments when it
 * holds no token form a *group*, and some exit of the group ends each.
 */
export class Network {
  tokens = 0;
  stays = 0;
  exits = 0;
  groups = 0;
  slots = 0;
  /** Do some moves fit some tokens only? */
  special = false;
  /** Is there any cell? */
  tight = false;

  // tokens
  readonly cand = new Int32Array(TOKENS);
  /** Unit of a token that is named from birth, else -1; the slot in which such a one ends (others: the map). */
  readonly named = new Int8Array(TOKENS);
  readonly want = new Int16Array(TOKENS);
  /** Ledger entry of birth; first stay. */
  readonly born = new Int16Array(TOKENS);
  readonly birth = new Int16Array(TOKENS);
  /** The turn in which a unit without a name landed, else 0; equal for tokens that can be the same. */
  readonly cohort = new Uint8Array(TOKENS);
  readonly alike = new Int32Array(TOKENS);
  /** Those of unknown class at the start of the ledger. */
  readonly unknown = new Int16Array(TOKENS);
  unknowns = 0;
  private unknownMask = 0;

  // stays
  readonly stayArea = new Uint8Array(STAYS);
  readonly stayTime = new Int16Array(STAYS);
  /** Turn of the move it began by, 0 for a birth; its ledger entry. */
  readonly stayTurn = new Uint8Array(STAYS);
  readonly stayEntry = new Int16Array(STAYS);
  /** The exit that it began by, or -1; the token born, or -1. */
  readonly by = new Int16Array(STAYS);
  readonly tokenOf = new Int16Array(STAYS);
  /** Cells of its area when it began. */
  readonly stayCell = new Uint8Array(STAYS);

  // exits
  readonly exitArea = new Uint8Array(STAYS);
  readonly exitTime = new Int16Array(STAYS);
  /** Moves: class and SMG mark as in the ledger. */
  readonly exitFlags = new Uint8Array(STAYS);
  /** The stay that it begins, or -1; else the slot that it leads to. */
  readonly to = new Int16Array(STAYS);
  readonly slotOf = new Int16Array(STAYS);
  readonly exitCell = new Uint8Array(STAYS);

  /** Exits by groups, in their order of time; where each group begins. */
  readonly member = new Int16Array(STAYS);
  readonly groupFrom = new Int16Array(STAYS + 1);
  readonly groupOf = new Int16Array(STAYS);
  /** Places in `member` of exits that are no ends and have others behind them in their group; how many there are from each on. */
  choices = 0;
  readonly choice = new Int16Array(STAYS);
  readonly others = new Int16Array(STAYS);

  // slots
  /** The unit as a mask, `IS_CHIT` for a chit; nothing where a named token ends, and for the map. */
  readonly slotMask = new Int32Array(TOKENS + 1);
  /** Kind of a chit that turned up, else -1. */
  readonly slotKind = new Int8Array(TOKENS + 1);

  /**
   * A *cell* is an area at a moment when the limits of stacking hold, if some story could break them there. Cells of area
   * `a` are numbered from `a * CHECKS`. Face-up units and chits in each.
   */
  readonly cells = new Uint8Array(AREAS);
  readonly upUnits = new Int16Array(AREAS * CHECKS);
  readonly upChits = new Int16Array(AREAS * CHECKS);

  /** Units by entry turn that are face-down or waiting, without those that a token names. */
  readonly unseen = new Int32Array(10);
  /** Entry of a face-up unit's last move (for solitaire stacks), -1 for none since it was shown, and the slot it was shown in. */
  readonly upSeq = new Int32Array(SOVIETS);
  readonly lastSlot = new Int32Array(SOVIETS);
  /** The same two of a named token, from the time when it was face-up. */
  readonly seqBefore = new Int16Array(TOKENS);
  readonly slotBefore = new Int16Array(TOKENS);

  private time = 0;
  /** Tokens now in each area, and those of them that have moved this turn; the exits of its group so far, linked from the last one back. */
  private readonly count = new Int32Array(AREAS);
  private readonly arrived = new Int32Array(AREAS);
  private readonly lastExit = new Int32Array(AREAS);
  private readonly size = new Int32Array(AREAS);
  private readonly previous = new Int16Array(STAYS);

  /** @param mostUnits most units that an area keeps; `smgMask` SMG companies as a mask of Soviet slots */
  constructor(
    readonly mostUnits: number,
    readonly smgMask: number,
  ) {
    this.slotKind[ON_MAP] = NONE;
  }

  clear(): void {
    this.tokens = this.stays = this.exits = this.groups = this.choices = this.unknowns = this.time = 0;
    this.slots = 1;
    this.special = this.tight = false;
    this.count.fill(0);
    this.arrived.fill(0);
    this.lastExit.fill(NONE);
    this.size.fill(0);
    this.cells.fill(0);
    this.upSeq.fill(NONE);
    this.lastSlot.fill(NONE);
  }

  /** A token in area `a` from ledger entry `entry` on. @param named the unit it is, or -1 */
  bear(a: number, cand: number, named: number, entry: number): number {
    const k = this.tokens++;
    this.cand[k] = cand;
    this.named[k] = named;
    this.want[k] = ON_MAP;
    this.born[k] = entry;
    this.birth[k] = this.stays;
    this.time += 2;
    this.stay(a, 0, entry, NONE, k);
    return k;
  }

  /** Such a one whose class only `dealStart` settles. @param cand the units that it may be */
  bearUnknown(a: number, cand: number, entry: number): void {
    this.unknownMask = cand;
    this.unknown[this.unknowns++] = this.bear(a, cand, NONE, entry);
  }

  /** A movement phase begins or ends: nobody moves twice in one. */
  turnOver(): void {
    this.time += 2;
    this.arrived.fill(0);
  }

  /** Some token goes from `a` to `b`. */
  move(a: number, b: number, turn: number, entry: number, flags: number): void {
    const e = this.exit(a, this.time, ON_MAP);
    this.exitFlags[e] = flags;
    if (flags !== 0) this.special = true;
    if (this.count[a] === this.arrived[a]) this.closeGroup(a, 0); // those that have moved stay
    this.arrived[b]!++;
    this.to[e] = this.stay(b, turn, entry, e, NONE);
  }

  /** Some token of `a` is gone: it was what a new slot says. @param id the Soviet slot of a unit, or `CHIT` @returns the slot */
  lose(a: number, id: number, kind: number): number {
    const q = this.slots++;
    this.slotMask[q] = 1 << id;
    this.slotKind[q] = kind;
    this.exit(a, this.time + 1, q);
    this.arrived[a] = 0; // some of them may be gone
    if (this.count[a] === 0) this.closeGroup(a, 0);
    return q;
  }

  /** Keeps a slot for a token. */
  reserve(slot: number, token: number): void {
    this.slotMask[slot] = 0;
    this.want[token] = slot;
  }

  /** The limits of stacking hold. @param units face-up ones by areas; `chits` likewise */
  check(units: Int8Array, chits: Int8Array): void {
    const { cells, count } = this;
    for (let a = 0; a < AREAS; a++) {
      const most = Math.max(count[a]! + units[a]! - this.mostUnits, count[a]! + chits[a]! - MOST_CHITS);
      if (most <= 0 || cells[a] === CHECKS) continue;
      const c = a * CHECKS + cells[a]!++;
      this.tight = true;
      this.upUnits[c] = units[a]!;
      this.upChits[c] = chits[a]!;
    }
  }

  private stay(a: number, turn: number, entry: number, by: number, token: number): number {
    const x = this.stays++;
    this.stayArea[x] = a;
    this.stayTime[x] = this.time;
    this.stayTurn[x] = turn;
    this.stayEntry[x] = entry;
    this.by[x] = by;
    this.tokenOf[x] = token;
    this.stayCell[x] = this.cells[a]!;
    this.count[a]!++;
    return x;
  }

  private exit(a: number, time: number, slot: number): number {
    const e = this.exits++;
    this.exitArea[e] = a;
    this.exitTime[e] = time;
    this.exitFlags[e] = 0;
    this.to[e] = NONE;
    this.slotOf[e] = slot;
    this.exitCell[e] = this.cells[a]!;
    this.previous[e] = this.lastExit[a]!;
    this.lastExit[a] = e;
    this.size[a]!++;
    this.count[a]!--;
    return e;
  }

  /** Closes the group of an area that holds no token any more. @param ends exits at its end that are ends */
  private closeGroup(a: number, ends: number): void {
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
    for (let p = from + n - 1, e = this.lastExit[a]!; p >= from; p--, e = this.previous[e]!) {
      this.member[p] = e;
      this.groupOf[e] = g;
    }
    this.lastExit[a] = NONE;
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
    const token = this.unknown[i]!;
    this.cand[token] = this.alike[token] = chit ? IS_CHIT : this.unknownMask;
  }

  isChit(token: number): boolean {
    return this.cand[token] === IS_CHIT;
  }

  /** Ends the stays of all that lie on the map still. */
  end(): void {
    for (let a = 0; a < AREAS; a++) {
      const ends = this.count[a]!;
      for (let k = 0; k < ends; k++) this.exit(a, this.time + 1, ON_MAP);
      this.closeGroup(a, ends);
    }
  }
}

/** Most tokens that can ever lie in one area. */
export const ROW = UNITS - GERMANS + CHITS;
