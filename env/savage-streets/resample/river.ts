import { bits, lowest } from "../../core/bits.js";
import type { StateView } from "../../core/layout.js";
import { isArmed, LANDING, type Tables } from "../data.js";
import * as publicLog from "../public-log.js";
import * as state from "../state.js";
import type { Assignment } from "./assignment.js";
import * as networks from "./network.js";
import { unseenUnits } from "./reader.js";

// own constants, for speed: see core/layout.ts
const { ENTRY, entryAt, flagsIn, idIn, ONLY, reachIn, turnIn, typeIn } = publicLog;
const { AREAS, GERMANS, L, SOVIETS } = state;
const { ON_MAP } = networks;

const ALL = 0x7fffffff;

/**
 * What the end of a landing step tells of the units at the river: that one could have landed (`hold`), or that none could.
 * Rule: SS 2.2; ruling R7.
 */
export class River {
  private readonly red: number;
  private readonly guns: number;
  /** Units due by a turn. */
  private readonly due = new Int32Array(10);

  constructor(
    tables: Tables,
    private readonly assignment: Assignment,
  ) {
    let red = 0;
    let guns = 0;
    for (let k = 0; k < SOVIETS; k++) {
      if (tables.data.red[GERMANS + k] === 1) red |= 1 << k;
      if (isArmed(tables.data, GERMANS + k)) guns |= 1 << k;
      const due = tables.data.entryTurn[GERMANS + k]!;
      for (let t = due; t >= 1 && t <= 9; t++) this.due[t]! |= 1 << k;
    }
    this.red = red;
    this.guns = guns;
  }

  /** Does the assignment fit all that was seen of it? @param mapped the counter of each unit that lies face-down, or -1 */
  fits(s: StateView, mapped: Int32Array): boolean {
    const { net } = this.assignment;
    for (let i = 0; i < net.tries; i++) if (!this.triesFit(s, i, mapped)) return false;
    for (let r = 0; r < net.rivers; r++) {
      const waiting = this.waiting(s, net.river[r]!, mapped);
      if (!this.stepFits(s, net.river[r]!, waiting, this.able(entryAt(s, net.river[r]!), r, waiting))) return false;
    }
    return true;
  }

  /** Was it a gun that was turned away in landing `i`, of those with a check? Nothing else had room. Rule: SS 1.21 */
  private byGun(i: number): boolean {
    return !this.assignment.stacking.takes(this.assignment.net.tryCheck[i]!, false);
  }

  /** Units that may have been turned away in the landing of a public log entry. */
  triers(entry: number): number {
    const { net } = this.assignment;
    for (let i = 0; i < net.tries; i++) if (net.tryEntry[i] === entry && this.byGun(i)) return this.guns;
    return ALL;
  }

  /** Were there guns enough for the landings of that turn up to `i` that only guns had room for? */
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
   * or were lost on the way later. The log may begin amid a game, so it need not tell what became of the others.
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
  private able(w: number, r: number, waiting: number): number {
    const { net, stacking } = this.assignment;
    let able = 0;
    for (let m = waiting; m !== 0; m &= m - 1) {
      const k = lowest(m);
      for (let reach = reachIn(w, (this.red >> k) & 1); reach !== 0; reach &= reach - 1)
        if (stacking.takes(net.riverCheck[r * AREAS + lowest(reach)]!, ((this.guns >> k) & 1) === 1)) able |= 1 << k;
    }
    return able;
  }

  /** Can those turned away in that step have been such that somebody (`hold`) or nobody was left who could land? */
  private stepFits(s: StateView, i: number, waiting: number, able: number): boolean {
    let [tries, triesRed, triesBlack] = [0, 0, 0];
    for (let j = i - 1; j >= 0 && typeIn(entryAt(s, j)) === ENTRY.land; j--) {
      const flags = flagsIn(entryAt(s, j));
      if (turnIn(entryAt(s, j)) !== turnIn(entryAt(s, i)) || (flags & 3) !== LANDING.away) continue;
      tries++;
      if (flags >> 2 === ONLY.red) triesRed++;
      else if (flags >> 2 === ONLY.black) triesBlack++;
    }
    const red = bits(waiting & this.red);
    const black = bits(waiting & ~this.red);
    const ableRed = bits(able & this.red);
    const ableBlack = bits(able & ~this.red);
    const held = typeIn(entryAt(s, i)) === ENTRY.hold;
    for (let t = Math.max(triesRed, tries - black); t <= Math.min(red, tries - triesBlack); t++)
      if (
        held ? (ableRed > 0 && t < red) || (ableBlack > 0 && tries - t < black) : t >= ableRed && tries - t >= ableBlack
      )
        return true;
    return false;
  }
}
