import { bitWords, hasBit, lowest } from "../../core/bits.js";

/**
 * Yes-or-no answers about pairs of hexes, as bits. A row, one a hex, is made when it is first asked for, and an answer
 * in it found out when it is needed: nothing on the map changes.
 */
export class Lines {
  /** Words of a set of hexes. */
  readonly words: number;
  /** By hex: which answers are known, then which of them are yes. */
  private readonly rows: (Int32Array | undefined)[];
  /** By hex: 1 when all answers of its row are known. */
  private readonly whole: Uint8Array;

  /**
   * @param size hexes
   * @param distance hexes from one to another
   * @param range farther hexes than this from one have the answer no
   * @param find finds an answer out
   */
  constructor(
    private readonly size: number,
    private readonly distance: (a: number, b: number) => number,
    private readonly range: (a: number) => number,
    private readonly find: (a: number, b: number) => boolean,
  ) {
    this.words = bitWords(size);
    this.rows = new Array<Int32Array | undefined>(size).fill(undefined);
    this.whole = new Uint8Array(size);
  }

  has(a: number, b: number): boolean {
    const row = (this.rows[a] ??= this.open(a));
    return hasBit(row, 0, b) ? hasBit(row, this.words, b) : this.learn(row, a, b);
  }

  /** True when the answer is yes for any hex of a set. */
  hasAny(a: number, set: Int32Array): boolean {
    const { words } = this;
    const row = (this.rows[a] ??= this.open(a));
    for (let w = 0; w < words; w++) if ((set[w]! & row[words + w]!) !== 0) return true;
    for (let w = 0; w < words; w++)
      for (let open = set[w]! & ~row[w]!; open !== 0; open &= open - 1)
        if (this.learn(row, a, w * 32 + lowest(open))) return true;
    return false;
  }

  /** Adds all hexes for which the answer is yes to a set. */
  addTo(a: number, set: Int32Array): void {
    const { words } = this;
    const row = (this.rows[a] ??= this.open(a));
    if (this.whole[a] === 0) this.complete(a, row);
    for (let w = 0; w < words; w++) set[w]! |= row[words + w]!;
  }

  private complete(a: number, row: Int32Array): void {
    for (let b = 0; b < this.size; b++) if (!hasBit(row, 0, b)) this.learn(row, a, b);
    this.whole[a] = 1;
  }

  private open(a: number): Int32Array {
    const row = new Int32Array(2 * this.words);
    const range = this.range(a);
    for (let b = 0; b < this.size; b++) if (this.distance(a, b) > range) row[b >> 5]! |= 1 << b;
    return row;
  }

  private learn(row: Int32Array, a: number, b: number): boolean {
    const yes = this.find(a, b);
    row[b >> 5]! |= 1 << b;
    if (yes) row[this.words + (b >> 5)]! |= 1 << b;
    return yes;
  }
}
