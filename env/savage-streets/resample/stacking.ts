import * as state from "../state.js";
import * as networks from "./network.js";
import type { Network } from "./network.js";

const { AREAS } = state;
const { CHECKS, MOST_CHITS } = networks;

/** The limits of stacking in a story: how full the cells are, and what an exchange of ways would change. */
export class Stacking {
  /** Units and chits in each cell, either face. */
  private readonly units = new Int16Array(AREAS * CHECKS);
  private readonly chits = new Int16Array(AREAS * CHECKS);
  private net!: Network;

  /** Turns to a network, whose cells hold no tokens yet. */
  begin(net: Network): void {
    this.net = net;
    this.units.set(net.upUnits);
    this.chits.set(net.upChits);
  }

  /** A token's way from its first stay on. @returns its last exit */
  add(first: number, exitOf: Int16Array, chit: boolean): number {
    const { net } = this;
    const counts = chit ? this.chits : this.units;
    for (let x = first; ;) {
      const e = exitOf[x]!;
      const row = net.stayArea[x]! * CHECKS;
      for (let c = row + net.stayCell[x]!; c < row + net.exitCell[e]!; c++) counts[c]!++;
      x = net.to[e]!;
      if (x < 0) return e;
    }
  }

  /** Counters too many, over all cells. */
  over(): number {
    let n = 0;
    for (let a = 0; a < AREAS; a++)
      for (let c = a * CHECKS; c < a * CHECKS + this.net.cells[a]!; c++) n += this.overfull(c);
    return n;
  }

  private overfull(c: number): number {
    return Math.max(0, this.units[c]! - this.net.mostUnits) + Math.max(0, this.chits[c]! - MOST_CHITS);
  }

  /**
   * Way `d` is gone by a unit more (`by` 1) or less and a chit less or more; way `e`, which leaves the same area later, the
   * opposite.
   *
   * @returns counters too many, more than before
   */
  shift(d: number, e: number, by: number, exitOf: Int16Array): number {
    const row = this.net.exitArea[d]! * CHECKS;
    return (
      this.cells(row + this.net.exitCell[d]!, row + this.net.exitCell[e]!, -by) +
      this.way(d, by, exitOf) +
      this.way(e, -by, exitOf)
    );
  }

  /** The stays behind exit `e`. */
  private way(e: number, by: number, exitOf: Int16Array): number {
    const { net } = this;
    let delta = 0;
    for (let x = net.to[e]!; x >= 0;) {
      const f = exitOf[x]!;
      const row = net.stayArea[x]! * CHECKS;
      delta += this.cells(row + net.stayCell[x]!, row + net.exitCell[f]!, by);
      x = net.to[f]!;
    }
    return delta;
  }

  private cells(from: number, to: number, by: number): number {
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
