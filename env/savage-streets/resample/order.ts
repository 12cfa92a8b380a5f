import * as networks from "./network.js";
import type { Network } from "./network.js";

const { ON_MAP } = networks;

/** Of what lay there when the public log began, and so is not known. */
const UNKNOWN = -1;

/**
 * The stacks of the solitaire game in an assignment. They are in the order in which counters came; turning over
 * moves nobody. Soviet movement goes through each from the bottom up, so those that move out of one come in that order.
 * Ruling R36.
 */
export class StackOrder {
  private net!: Network;

  /** @param visitOf the visit that each departure ends, which may change later */
  constructor(private readonly visitOf: Int16Array) {}

  begin(net: Network): void {
    this.net = net;
  }

  /** When the counter of visit `x` came to its place in the stack, or `UNKNOWN`. */
  arrival(x: number): number {
    const { net } = this;
    const k = net.counterOf[x]!;
    if (k < 0 || net.named[k]! < 0) return net.visitKey[x]!;
    return net.upMoveBefore[k]! >= 0 ? net.keyOf(net.upMoveBefore[k]!) : this.arrivalAtReveal(net.revealBefore[k]!);
  }

  /** The same for a face-up unit. */
  arrivalOfUnit(id: number): number {
    const { net } = this;
    return net.lastUpMove[id]! >= 0 ? net.keyOf(net.lastUpMove[id]!) : this.arrivalAtReveal(net.lastReveal[id]!);
  }

  private arrivalAtReveal(reveal: number): number {
    return reveal > ON_MAP ? this.arrival(this.visitOf[this.net.revealDeparture[reveal]!]!) : UNKNOWN;
  }

  /** Moves out of a stack before one that lay below. */
  broken(): number {
    const { movePairs } = this.net;
    let n = 0;
    for (let i = 0; i < movePairs.count; i++) {
      const one = this.arrivalOfMove(movePairs.before[i]!);
      const other = this.arrivalOfMove(movePairs.behind[i]!);
      if (one >= other && other !== UNKNOWN) n++;
    }
    return n;
  }

  private arrivalOfMove(move: number): number {
    const { upMoved, upShown } = this.net.movePairs;
    if (move >= 0) return this.arrival(this.visitOf[move]!);
    const up = -1 - move;
    return upMoved[up]! >= 0 ? upMoved[up]! : this.arrivalAtReveal(upShown[up]!);
  }
}
