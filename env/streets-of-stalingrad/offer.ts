import { RNG_WORDS, type State, type StateView } from "../core/layout.js";

const BYTES = 4;
/** Time and the first frames stand in front of the words from here on; positions seldom differ only behind. */
const FRONT = 64;

/**
 * The decision that play came to last. `proceed` has to find its legal actions to know that there is something to
 * choose; who asks for them next, as every batch does, need not have them found again. The whole position but the
 * random stream is compared, since anybody may write a state.
 */
export class Offer {
  /** Legal actions, uint8 [A]. */
  readonly mask: Uint8Array;
  private count = -1;
  private readonly position: State;
  private readonly bytes: Buffer;
  /** The memory that the state asked about lies in, as bytes: the states of a batch share one. */
  private memory: Buffer;

  /** @param actions A @param words of a state */
  constructor(actions: number, words: number) {
    this.mask = new Uint8Array(actions);
    this.position = new Int32Array(words);
    this.bytes = Buffer.from(this.position.buffer);
    this.memory = this.bytes;
  }

  /** Nothing is known until `keep`; `mask` may be written. */
  forget(): void {
    this.count = -1;
  }

  /** `mask` has the `count` legal actions of `s`. */
  keep(s: State, count: number): void {
    this.position.set(s);
    this.count = count;
  }

  /** How many actions are legal in `s`, when `mask` has them; else -1. */
  countFor(s: StateView): number {
    if (this.count < 0) return -1;
    for (let i = RNG_WORDS; i < FRONT; i++) if (s[i] !== this.position[i]) return -1;
    const { buffer, byteOffset, byteLength } = s as State;
    if (this.memory.buffer !== buffer) this.memory = Buffer.from(buffer);
    const from = RNG_WORDS * BYTES;
    const order = this.memory.compare(this.bytes, from, byteLength, byteOffset + from, byteOffset + byteLength);
    return order === 0 ? this.count : -1;
  }
}
