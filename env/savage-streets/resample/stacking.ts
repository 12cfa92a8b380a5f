import * as state from "../state.js";
import * as checks from "./checks.js";
import type { Checks } from "./checks.js";
import type { Network } from "./network.js";
import { FIRST_AREA } from "../state.js";

const { AREAS } = state;
const { CHECK, CHECKS, MOST_CHITS } = checks;

/**
 * The limits of stacking in an assignment: how full areas are at the checks, and what an exchange of ways would change.
 */
export class Stacking {
  /** Units, chits and guns at each check, either face. */
  private readonly units = new Int16Array(AREAS * CHECKS);
  private readonly chits = new Int16Array(AREAS * CHECKS);
  private readonly guns = new Int16Array(AREAS * CHECKS);
  /** By how many counters each check is missed, since all were counted (`over`). */
  private readonly missed = new Int16Array(AREAS * CHECKS);
  private net!: Network;
  private checks!: Checks;

  /** Starts on a network, whose checks hold no counters yet. */
  begin(net: Network): void {
    this.net = net;
    const checks = (this.checks = net.checks);
    for (let a = FIRST_AREA; a < AREAS; a++)
      for (let c = a * CHECKS; c < a * CHECKS + checks.count[a]!; c++) {
        this.units[c] = checks.upUnits[c]!;
        this.chits[c] = checks.upChits[c]!;
        this.guns[c] = checks.upGuns[c]!;
      }
  }

  /** Adds a counter's path from its first visit on. @returns its last departure */
  add(first: number, departureOf: Int16Array, chit: boolean): number {
    const { net } = this;
    const counts = chit ? this.chits : this.units;
    for (let x = first; ;) {
      const e = departureOf[x]!;
      const row = net.visitArea[x]! * CHECKS;
      for (let c = row + net.visitChecks[x]!; c < row + net.departureChecks[e]!; c++) counts[c]!++;
      x = net.to[e]!;
      if (x < 0) return e;
    }
  }

  /** Counts all checks from scratch. @returns by how many counters they are missed */
  over(): number {
    let n = 0;
    for (let a = FIRST_AREA; a < AREAS; a++)
      for (let c = a * CHECKS; c < a * CHECKS + this.checks.count[a]!; c++) n += this.missed[c] = this.amiss(c);
    return n;
  }

  /** By how many counters a check is missed. Rule: SS 1.21; ruling R11: units are reduced before chits. */
  private amiss(c: number): number {
    const kind = this.checks.kind[c]!;
    const chits = this.chits[c]! - MOST_CHITS;
    if (kind === CHECK.limits) return this.crowd(c) + Math.max(0, chits);
    if (kind === CHECK.chitExcess) return this.crowd(c) + Math.max(0, 1 - chits);
    if (kind === CHECK.count) return 0;
    if (kind === CHECK.unitExcess || chits <= 0) {
      const room = this.room(c);
      return kind === CHECK.unitExcess ? room : Math.min(room, 1 - chits);
    }
    return 0;
  }

  /**
   * The contents at a check have changed. @returns by how many counters more it is missed
   */
  private recount(c: number): number {
    const before = this.missed[c]!;
    return (this.missed[c] = this.amiss(c)) - before;
  }

  /** Units above the limit. */
  private crowd(c: number): number {
    return Math.max(0, this.units[c]! - this.most(c));
  }

  /** Units more that break the limit. */
  private room(c: number): number {
    return Math.max(0, 1 + this.most(c) - this.units[c]!);
  }

  /** True when the area of a check has room for one more unit. @param gun true when that one is a gun */
  takes(c: number, gun: boolean): boolean {
    return this.units[c]! < (gun ? this.checks.mostArmed[c]! : this.most(c));
  }

  private most(c: number): number {
    return this.guns[c] === 0 ? this.checks.mostBare[c]! : this.checks.mostArmed[c]!;
  }

  /**
   * The counter whose way begins with visit `first` counts as `by` guns more: up to departure `last`, before check
   * `until` of its area, if that is on its way.
   *
   * @returns by how many counters more the checks are missed
   */
  arm(first: number, by: number, departureOf: Int16Array, last = -1, until = 0): number {
    if (by === 0) return 0;
    const { net, guns } = this;
    let delta = 0;
    for (let x = first; x >= 0;) {
      const e = departureOf[x]!;
      const row = net.visitArea[x]! * CHECKS;
      const end = row + (e === last ? until : net.departureChecks[e]!);
      for (let c = row + net.visitChecks[x]!; c < end; c++) {
        guns[c]! += by;
        delta += this.recount(c);
      }
      if (e === last) break;
      x = net.to[e]!;
    }
    return delta;
  }

  /**
   * Way `d` is used by one more unit (`by` 1) or one less, and by one chit less or more. For way `e`, which leaves the
   * same area later, it is the opposite.
   *
   * @returns by how many counters more the checks are missed
   */
  shift(d: number, e: number, by: number, departureOf: Int16Array): number {
    const row = this.net.departureArea[d]! * CHECKS;
    return (
      this.rangeOfChecks(row + this.net.departureChecks[d]!, row + this.net.departureChecks[e]!, -by) +
      this.way(d, by, departureOf) +
      this.way(e, -by, departureOf)
    );
  }

  /** The visits behind departure `e`. */
  private way(e: number, by: number, departureOf: Int16Array): number {
    const { net } = this;
    let delta = 0;
    for (let x = net.to[e]!; x >= 0;) {
      const f = departureOf[x]!;
      const row = net.visitArea[x]! * CHECKS;
      delta += this.rangeOfChecks(row + net.visitChecks[x]!, row + net.departureChecks[f]!, by);
      x = net.to[f]!;
    }
    return delta;
  }

  private rangeOfChecks(from: number, to: number, by: number): number {
    let delta = 0;
    for (let c = from; c < to; c++) {
      this.units[c]! += by;
      this.chits[c]! -= by;
      delta += this.recount(c);
    }
    return delta;
  }
}
