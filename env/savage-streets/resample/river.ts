import { bits, lowest } from "../../core/bits.js";
import type { StateView } from "../../core/layout.js";
import { isArmed, LANDING, type Tables } from "../data.js";
import { ENTRY, entryAt, flagsIn, idIn, ONLY, reachIn, turnIn, typeIn } from "../public-log.js";
import { AREAS, GERMANS, L, sovietOf, SOVIETS } from "../state.js";
import type { Assignment } from "./assignment.js";
import { ON_MAP } from "./network.js";
import { unseenUnits } from "./reader.js";

const ALL = 0x7fffffff;
/**
 * Sets of kinds of units: with a black or red circle, then guns with one. Whether a unit could land is the same for all
 * of a kind.
 */
const KINDS = { any: 0b1111, black: 0b0101, red: 0b1010, gun: 0b1100 } as const;

/**
 * What the end of a landing step shows of the units at the river: that one could have landed (`hold`), or that none
 * could.
 * Rule: SS 2.2; ruling R7.
 */
export class River {
  private readonly red: number;
  private readonly guns: number;
  /** Units due by a turn; units of each kind. */
  private readonly due = new Int32Array(10);
  private readonly members = new Int32Array(4);
  /**
   * Of a landing step: who was turned away, by sets of kinds; those who wait and have not tried; kinds that could land.
   */
  private readonly tries = new Int32Array(KINDS.any + 1);
  private readonly left = new Int32Array(4);
  private able = 0;

  constructor(
    tables: Tables,
    private readonly assignment: Assignment,
  ) {
    let red = 0;
    let guns = 0;
    for (let k = 0; k < SOVIETS; k++) {
      if (tables.data.red[sovietOf(k)] === 1) red |= 1 << k;
      if (isArmed(tables.data, sovietOf(k))) guns |= 1 << k;
      const due = tables.data.entryTurn[sovietOf(k)]!;
      for (let t = due; t >= 1 && t <= 9; t++) this.due[t]! |= 1 << k;
    }
    this.red = red;
    this.guns = guns;
    this.members.set([ALL & ~red & ~guns, red & ~guns, guns & ~red, red & guns]);
  }

  /**
   * True when the assignment fits all that was seen of it.
   *
   * @param mapped the counter of each unit that is face-down, or -1
   */
  fits(s: StateView, mapped: Int32Array): boolean {
    const { net } = this.assignment;
    for (let i = 0; i < net.tries; i++) if (!this.triesFit(s, i, mapped)) return false;
    for (let r = 0; r < net.rivers; r++) {
      const waiting = this.waiting(s, net.river[r]!, mapped);
      if (!this.stepFits(s, net.river[r]!, waiting, this.couldLand(entryAt(s, net.river[r]!), r, waiting)))
        return false;
    }
    return true;
  }

  /** True when a gun was turned away in landing `i`, one of those with a check. Nothing else had room. Rule: SS 1.21 */
  private byGun(i: number): boolean {
    return !this.assignment.stacking.takes(this.assignment.net.tryCheck[i]!, false);
  }

  /** Units that may have been turned away in the landing of a public log entry. */
  triers(entry: number): number {
    const { net } = this.assignment;
    for (let i = 0; i < net.tries; i++) if (net.tryEntry[i] === entry && this.byGun(i)) return this.guns;
    return ALL;
  }

  /** True when there were enough guns for the landings of that turn up to `i` that had room for guns only. */
  private triesFit(s: StateView, i: number, mapped: Int32Array): boolean {
    if (!this.byGun(i)) return true;
    const { net } = this.assignment;
    const turn = turnIn(entryAt(s, net.tryEntry[i]!));
    let n = 0;
    for (let j = i; j >= 0 && turnIn(entryAt(s, net.tryEntry[j]!)) === turn; j--) if (this.byGun(j)) n++;
    return bits(this.waiting(s, net.tryEntry[i]!, mapped) & this.guns) >= n;
  }

  /**
   * Units at the river when public log entry `i` was written, those turned away included: that wait now, or came ashore
   * or were lost on the way later. The log may begin amid a game, so the fate of the others may be missing from it.
   */
  private waiting(s: StateView, i: number, mapped: Int32Array): number {
    const { net, reveal } = this.assignment;
    let waiting = unseenUnits(s);
    for (let k = 0; k < SOVIETS; k++) if (mapped[k]! >= 0 && !this.landedBehind(s, mapped[k]!, i)) waiting &= ~(1 << k);
    for (let k = 0; k < net.counters; k++)
      if (reveal[k]! > ON_MAP && this.landedBehind(s, k, i)) waiting |= net.revealMask[reveal[k]!]!;
    for (let j = i + 1; j < s[L.publicLogLength]!; j++)
      if (typeIn(entryAt(s, j)) === ENTRY.land && (flagsIn(entryAt(s, j)) & 3) === LANDING.eliminated)
        waiting |= 1 << (idIn(entryAt(s, j)) - 1 - GERMANS);
    return waiting & this.due[turnIn(entryAt(s, i))]!;
  }

  private landedBehind(s: StateView, counter: number, i: number): boolean {
    const born = this.assignment.net.born[counter]!;
    return born > i && typeIn(entryAt(s, born)) === ENTRY.land;
  }

  /** Those of the waiting units that had an area with room. */
  private couldLand(w: number, r: number, waiting: number): number {
    const { net, stacking } = this.assignment;
    let able = 0;
    for (let m = waiting; m !== 0; m &= m - 1) {
      const k = lowest(m);
      for (let reach = reachIn(w, (this.red >> k) & 1); reach !== 0; reach &= reach - 1)
        if (stacking.takes(net.riverCheck[r * AREAS + lowest(reach)]!, ((this.guns >> k) & 1) === 1)) able |= 1 << k;
    }
    return able;
  }

  /** True when the units turned away in that step can have left somebody (`hold`) or nobody who could land. */
  private stepFits(s: StateView, i: number, waiting: number, able: number): boolean {
    const { tries, left, members } = this;
    tries.fill(0);
    for (let j = i - 1; j >= 0 && typeIn(entryAt(s, j)) === ENTRY.land; j--) {
      const flags = flagsIn(entryAt(s, j));
      if (turnIn(entryAt(s, j)) !== turnIn(entryAt(s, i)) || (flags & 3) !== LANDING.away) continue;
      const circle = flags >> 2 === ONLY.red ? KINDS.red : flags >> 2 === ONLY.black ? KINDS.black : KINDS.any;
      tries[circle & (this.triers(j) === ALL ? KINDS.any : KINDS.gun)]!++;
    }
    this.able = 0;
    for (let c = 0; c < members.length; c++) {
      left[c] = bits(waiting & members[c]!);
      if ((able & members[c]!) !== 0) this.able |= 1 << c;
    }
    return this.share(KINDS.any, tries[KINDS.any]!, 0, typeIn(entryAt(s, i)) === ENTRY.hold);
  }

  /**
   * Tries every way of sharing out landings that were turned away among those who wait, until one fits.
   *
   * @param n number of landings to share out among `kinds`, from number `from` on, then those of the sets below
   */
  private share(kinds: number, n: number, from: number, held: boolean): boolean {
    const { tries, left } = this;
    if (kinds === 0) {
      let stay = false;
      for (let c = 0; c < left.length; c++) if ((this.able >> c) & 1 && left[c]! > 0) stay = true;
      return stay === held;
    }
    if (n === 0) return this.share(kinds - 1, tries[kinds - 1]!, 0, held);
    for (let c = from; c < left.length; c++) {
      if (((kinds >> c) & 1) === 0 || left[c] === 0) continue;
      left[c]!--;
      const fits = this.share(kinds, n - 1, c, held);
      left[c]!++;
      if (fits) return true;
    }
    return false;
  }
}
