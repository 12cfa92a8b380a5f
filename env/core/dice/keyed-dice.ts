import { createHmac } from "node:crypto";
import { type Dice, type NameOf, SeededDice } from "./dice.js";
import { KesselError } from "../errors.js";
import type { State } from "../layout.js";

const KEY_BYTES = 32;
const BLOCK_WORDS = 16;
/** Words in a state's stream: three name the stream, the fourth counts the words drawn from it. */
const COUNTER = 3;
const ROUNDS = 20;

/** The key of a run's dice, from its secret. */
export const diceKeyOf = (secret: string): Uint8Array => createHmac("sha256", secret).update("dice").digest();

/**
 * Dice for games against agents that nobody trusts: ChaCha20 (RFC 8439) under a key that is not in the state. Words
 * 0..2 of the state are the nonce and word 3 counts, so states are copied, saved and resampled as with `SeededDice`;
 * but dice that were seen reveal nothing about those to come. Whoever may start the same seed again under the same key
 * sees its dice again.
 */
export class KeyedDice implements Dice {
  private s: State = new Int32Array(COUNTER + 1);
  /** Constants, key, block counter, nonce. */
  private readonly input = new Int32Array(BLOCK_WORDS);
  private readonly block = new Int32Array(BLOCK_WORDS);
  private filled = false;

  /** @param key 32 bytes. @throws KesselError `bad-option` */
  constructor(key: Uint8Array) {
    if (key.byteLength !== KEY_BYTES)
      throw new KesselError("bad-option", `a key of dice has ${KEY_BYTES} bytes, not ${key.byteLength}`);
    const bytes = new DataView(key.buffer, key.byteOffset, key.byteLength);
    this.input.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]); // "expand 32-byte k"
    for (let i = 0; i < 8; i++) this.input[4 + i] = bytes.getInt32(4 * i, true);
  }

  begin(s: State): void {
    this.s = s;
  }

  d6(): number {
    return this.below(6) + 1;
  }

  d10(): number {
    return this.below(10) + 1;
  }

  draw(n: number, _nameOf: NameOf): number {
    return this.below(n);
  }

  sum6(accept: number): number {
    for (;;) {
      const sum = this.d6() + this.d6();
      if ((accept >> sum) & 1) return sum;
    }
  }

  throw6(k: number, out: State, at: number): void {
    for (let i = 0; i < k; i++) out[at + this.d6() - 1]!++;
  }

  /** Uniform whole number in 0..n-1, without bias, as `nextBelow` draws it. */
  private below(n: number): number {
    for (;;) {
      const r = this.word();
      const k = r % (n >>> 0);
      if (!(r - k > 4294967296 - n)) return k;
    }
  }

  private word(): number {
    const { s, input } = this;
    const count = s[COUNTER]!++;
    const number = count >>> 4;
    if (!this.filled || input[12] !== number || input[13] !== s[0] || input[14] !== s[1] || input[15] !== s[2]) {
      input[12] = number;
      input[13] = s[0]!;
      input[14] = s[1]!;
      input[15] = s[2]!;
      chachaBlock(input, this.block);
      this.filled = true;
    }
    return this.block[count & 15]! >>> 0;
  }
}

/** Dice under a key; without one, those of the stream in the state. */
export const diceFor = (key: Uint8Array | null | undefined): Dice => (key ? new KeyedDice(key) : new SeededDice());

/** One block of ChaCha20. @param input int32 [16]. @param out int32 [16] */
function chachaBlock(input: Int32Array, out: Int32Array): void {
  out.set(input);
  for (let round = 0; round < ROUNDS; round += 2) {
    quarter(out, 0, 4, 8, 12);
    quarter(out, 1, 5, 9, 13);
    quarter(out, 2, 6, 10, 14);
    quarter(out, 3, 7, 11, 15);
    quarter(out, 0, 5, 10, 15);
    quarter(out, 1, 6, 11, 12);
    quarter(out, 2, 7, 8, 13);
    quarter(out, 3, 4, 9, 14);
  }
  for (let i = 0; i < BLOCK_WORDS; i++) out[i] = out[i]! + input[i]!;
}

function quarter(x: Int32Array, a: number, b: number, c: number, d: number): void {
  x[a] = x[a]! + x[b]!;
  x[d] = rotated(x[d]! ^ x[a]!, 16);
  x[c] = x[c]! + x[d]!;
  x[b] = rotated(x[b]! ^ x[c]!, 12);
  x[a] = x[a]! + x[b]!;
  x[d] = rotated(x[d]! ^ x[a]!, 8);
  x[c] = x[c]! + x[d]!;
  x[b] = rotated(x[b]! ^ x[c]!, 7);
}

const rotated = (x: number, by: number): number => (x << by) | (x >>> (32 - by));
