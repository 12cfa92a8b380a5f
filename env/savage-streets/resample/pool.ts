import type { StateView } from "../../core/layout.js";
import type { Rng } from "../../core/rng.js";
import * as state from "../state.js";
import * as scripts from "./script.js";
import type { Script } from "./script.js";

// own constants, for speed: see core/layout.ts
const { L, LEDGER_WORDS, phaseOf, turnOf } = state;
const { OP } = scripts;

/** First stories of one view. */
export const STORIES = 32;
/** Views whose stories are kept, as a power of two. */
const VIEWS = 256;
/** Longest story that is kept, counted in tokens named; what a token is named by takes a byte. */
const LENGTH = 256;
const KEY = LEDGER_WORDS + 5;

/** What is known about a story. */
export const STORY = { untold: 0, told: 1, impossible: 2 } as const;

/**
 * The first stories of the views met last: telling one that fits is the costly part of a sample. A view has `STORIES` of
 * them, each told with a random stream made from the view and its number, so that a sample is the same whether its story
 * was kept or is told again.
 */
export class Pool {
  private readonly keys = new Int32Array(VIEWS * KEY);
  private readonly known = new Uint8Array(VIEWS * STORIES);
  private readonly tokens = new Uint8Array(VIEWS * STORIES * LENGTH);
  private readonly key = new Int32Array(KEY);
  private words = 0;
  private at = 0;
  /** The view as two numbers. */
  private one = 0;
  private other = 0;
  private readonly seed = [0, 0, 0, 0];

  /**
   * Turns to a view: all that stories are told from.
   *
   * @param unknown chits among the counters of unknown class at the start
   * @param open units that are face-down or waiting, as a mask of Soviet slots
   */
  turnTo(s: StateView, unknown: number, open: number): void {
    const { key, keys } = this;
    const n = s[L.ledgerN]!;
    key[0] = n;
    key[1] = turnOf(s);
    key[2] = phaseOf(s);
    key[3] = unknown;
    key[4] = open;
    for (let i = 0; i < n; i++) key[5 + i] = s[L.ledger + i]!;
    this.words = 5 + n;
    let a = 1;
    let b = 2;
    for (let i = 0; i < this.words; i++) {
      a = scatter(a ^ key[i]!);
      b = scatter(b + key[i]! + a);
    }
    this.one = a;
    this.other = b;
    this.at = a & (VIEWS - 1);
    const from = this.at * KEY;
    let same = true;
    for (let i = 0; i < this.words && same; i++) same = keys[from + i] === key[i];
    if (same) return;
    keys.set(key.subarray(0, this.words), from);
    this.known.fill(STORY.untold, this.at * STORIES, (this.at + 1) * STORIES);
  }

  /** Sets `rng` to the stream that story `j` is told with. */
  begin(j: number, rng: Rng): void {
    const { seed, one, other } = this;
    for (let k = 0; k < 4; k++) seed[k] = scatter((k % 2 === 0 ? one : other) + Math.imul(4 * j + k + 1, 0x9e3779b1));
    seed[3]! |= 1; // a stream must not be all zero
    rng.restore(seed);
  }

  /** What is known about story `j`, as a code of `STORY`. */
  ask(j: number): number {
    return this.known[this.at * STORIES + j]!;
  }

  forbid(j: number): void {
    this.known[this.at * STORIES + j] = STORY.impossible;
  }

  /** Keeps story `j` if it isn't too long. */
  keep(j: number, script: Script, mover: Int32Array, slot: Int32Array): void {
    if (script.tokens > 256 || script.moves + script.slots > LENGTH) return;
    const { tokens } = this;
    const story = this.at * STORIES + j;
    let at = story * LENGTH;
    for (let i = 0; i < script.ops; i++) if (script.op[i] === OP.move) tokens[at++] = mover[i]!;
    at = story * LENGTH + script.moves;
    for (let k = 0; k < script.tokens; k++) if (slot[k]! >= 0) tokens[at + slot[k]!] = k;
    this.known[story] = STORY.told;
  }

  /** Reads story `j`: who did each move and loss, and the slot of each token. */
  tell(j: number, script: Script, mover: Int32Array, slot: Int32Array): void {
    const { tokens } = this;
    let at = (this.at * STORIES + j) * LENGTH;
    const slots = at + script.moves;
    for (let i = 0; i < script.ops; i++) {
      if (script.op[i] === OP.move) mover[i] = tokens[at++]!;
      else if (script.op[i] === OP.take) mover[i] = tokens[slots + script.what[i]!]!;
    }
    slot.fill(-1, 0, script.tokens);
    for (let q = 0; q < script.slots; q++) slot[tokens[slots + q]!] = q;
  }
}

/** Makes 32 bits of 32 bits, one to one, so that a change of any one changes half of them (the finalizer of MurmurHash3). */
function scatter(word: number): number {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
