import * as state from "../state.js";
import * as networks from "./network.js";
import type { Network } from "./network.js";

const { AREAS } = state;
const { CHECKS, MOST_CHITS } = networks;

/**
 * The limits of stacking in an assignment: how full areas are at the checks, and what an exchange of ways would change.
 */
export class Stacking {
  /** Units and chits at each check, either face. */
  private readonly units = new Int16Array(AREAS * CHECKS);
  private readonly chits = new Int16Array(AREAS * CHECKS);
  private net!: Network;

  /** Starts on a network, whose checks hold no counters yet. */
  begin(net: Network): void {
    this.net = net;
    this.units.set(net.upUnits);
    this.chits.set(net.upChits);
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

  /** Counters above the limits, over all checks. */
  over(): number {
    let n = 0;
    for (let a = 0; a < AREAS; a++)
      for (let c = a * CHECKS; c < a * CHECKS + this.net.checkCount[a]!; c++) n += this.overfull(c);
    return n;
  }

  private overfull(c: number): number {
    return Math.max(0, this.units[c]! - this.net.mostUnits) + Math.max(0, this.chits[c]! - MOST_CHITS);
  }

  /**
   * Way `d` is gone by a unit more (`by` 1) or less and a chit less or more; way `e`, which leaves the same area later,
   * the opposite.
   *
   * @returns counters too many, more than before
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
      delta -= this.overfull(c);
      this.units[c]! += by;
      this.chits[c]! -= by;
      delta += this.overfull(c);
    }
    return delta;
  }
}
