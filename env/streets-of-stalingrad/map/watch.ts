import { hasBit, setBit } from "../../core/bits.js";
import type { Lines } from "./lines.js";

/** Which hexes are seen from a set of hexes. Answers are kept while the set stays as it is. */
export class Watch {
  private readonly from: Int32Array;
  private readonly next: Int32Array;
  private readonly known: Int32Array;
  private readonly seen: Int32Array;

  /** Units that look out from behind a wall, of which `noteWatchers` says how many there are. */
  readonly walled: Int16Array;

  /** @param units of both sides */
  constructor(
    private readonly lines: Lines,
    units: number,
  ) {
    this.walled = new Int16Array(units);
    this.from = new Int32Array(lines.words);
    this.next = new Int32Array(lines.words);
    this.known = new Int32Array(lines.words);
    this.seen = new Int32Array(lines.words);
  }

  /** Begins a new set: add its hexes, then close it. */
  begin(): void {
    this.next.fill(0);
  }
  add(hex: number): void {
    this.next[hex >> 5]! |= 1 << hex;
  }
  close(): void {
    const { from, known, next } = this;
    for (let w = 0; w < next.length; w++)
      if (from[w] !== next[w]) {
        from.set(next);
        known.fill(0);
        return;
      }
  }

  /** True when a hex is seen from any of the set. */
  sees(hex: number): boolean {
    if (!hasBit(this.known, 0, hex)) {
      setBit(this.known, 0, hex, true);
      setBit(this.seen, 0, hex, this.lines.hasAny(hex, this.from));
    }
    return hasBit(this.seen, 0, hex);
  }
}
