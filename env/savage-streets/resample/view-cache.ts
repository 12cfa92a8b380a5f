import type { StateView } from "../../core/layout.js";
import type { Rng } from "../../core/dice/rng.js";
import { AREAS, DECISION, decisionOf, L, phaseOf, PUBLIC_LOG_WORDS, SOVIETS, turnOf } from "../state.js";
import type { Network } from "./network.js";
import { type Reader, unseenUnits } from "./reader.js";

/** First assignments of one view with a long public log. */
export const CHAIN_STARTS = 32;
/**
 * Entries from which on a public log is long: its assignments are hard to find, so a view has some that are found again
 * and again.
 */
const LONG = 64;
/** Views that are kept. */
const VIEWS = 64;
/** Longest assignment that is kept, counted in visits. */
const LENGTH = 256;
/** Words of a view behind its public log. */
const HEAD = 6 + AREAS;

/** Status of an assignment. */
export const START = { open: 0, found: 1, impossible: 2 } as const;

/** What all samples of a view share: the network of its public log and its first assignments. */
export class View {
  /**
   * Public log, its length, turn, phase, the area that is overfull, what is face-up, chits among the counters of
   * unknown class at its start, units face-down or waiting.
   */
  readonly key = new Int32Array(PUBLIC_LOG_WORDS + HEAD);
  words = 0;
  /** The key as two numbers. */
  one = 0;
  other = 0;
  /** Time of the last use. */
  used = 0;
  private readonly known = new Uint8Array(CHAIN_STARTS);
  /** Departure of each visit, by assignments; and the classes dealt to counters of unknown class. */
  private readonly departures = new Uint8Array(CHAIN_STARTS * LENGTH);
  private readonly chits = new Uint8Array(CHAIN_STARTS * LENGTH);
  /** Place of each gun. */
  private readonly guns = new Int16Array(CHAIN_STARTS * SOVIETS);
  private readonly seed = [0, 0, 0, 0];

  constructor(readonly net: Network) {}

  get long(): boolean {
    return this.words - HEAD > LONG;
  }

  get unknownChits(): number {
    return this.key[this.words - 2]!;
  }

  /** Forgets its assignments. */
  clear(): void {
    this.known.fill(START.open);
  }

  /** Sets `rng` to the stream that assignment `j` is found with. */
  seedStart(j: number, rng: Rng): void {
    const { seed, one, other } = this;
    for (let k = 0; k < 4; k++) seed[k] = mixed((k % 2 === 0 ? one : other) + Math.imul(4 * j + k + 1, 0x9e3779b1));
    seed[3]! |= 1; // a stream must not be all zero
    rng.restore(seed);
  }

  /** What is known about assignment `j`, as a code of `START`. */
  startState(j: number): number {
    return this.known[j]!;
  }

  giveUp(j: number): void {
    this.known[j] = START.impossible;
  }

  /** Keeps assignment `j` if it isn't too long. */
  keepStart(j: number, departureOf: Int16Array, placeOfGun: Int16Array): void {
    const { net } = this;
    if (net.visits > LENGTH) return;
    for (let x = 0; x < net.visits; x++) this.departures[j * LENGTH + x] = departureOf[x]!;
    for (let i = 0; i < net.unknowns; i++) this.chits[j * LENGTH + i] = net.isChit(net.unknown[i]!) ? 1 : 0;
    for (let i = 0; i < net.gunCount; i++) this.guns[j * SOVIETS + i] = placeOfGun[i]!;
    this.known[j] = START.found;
  }

  /** Reads assignment `j` back. */
  recallStart(j: number, departureOf: Int16Array, placeOfGun: Int16Array): void {
    const { net } = this;
    for (let x = 0; x < net.visits; x++) departureOf[x] = this.departures[j * LENGTH + x]!;
    for (let i = 0; i < net.gunCount; i++) placeOfGun[i] = this.guns[j * SOVIETS + i]!;
    for (let i = 0; i < net.unknowns; i++) net.makeStart(i, this.chits[j * LENGTH + i] === 1);
  }
}

/**
 * The views met last. A search asks for hundreds of samples of one view: its public log is read once, and where that is
 * long, `CHAIN_STARTS` assignments are found, each with a random stream made from the view and its number. So a sample
 * is the same whether its assignment was kept or is found again.
 */
export class ViewCache {
  private readonly views: View[] = [];
  private readonly key = new Int32Array(PUBLIC_LOG_WORDS + HEAD);
  private clock = 0;

  constructor(private readonly reader: Reader) {}

  /**
   * @param unknown chits among the counters of unknown class at the start of the public log
   * @param up what is face-up in each area, as of `faceUp`
   */
  of(s: StateView, unknown: number, up: Int32Array): View {
    const { key, views } = this;
    const n = s[L.publicLogLength]!;
    let one = n;
    let other = 2;
    for (let i = 0; i < n; i++) key[i] = s[L.publicLog + i]!;
    key[n] = n;
    key[n + 1] = turnOf(s);
    key[n + 2] = phaseOf(s);
    key[n + 3] = decisionOf(s) === DECISION.sovExcess ? s[L.decisionArea]! : 0;
    key.set(up, n + 4);
    key[n + 4 + AREAS] = unknown;
    key[n + 5 + AREAS] = unseenUnits(s);
    const words = n + HEAD;
    for (let i = 0; i < words; i++) {
      one = Math.imul(one ^ key[i]!, 0x01000193);
      one ^= one >>> 15;
      other = Math.imul(other + key[i]!, 0x85ebca6b);
      other ^= other >>> 13;
    }
    let oldest: View | undefined;
    for (let i = 0; i < views.length; i++) {
      const view = views[i]!;
      if (view.one === one && view.other === other && view.words === words && same(view.key, key, words)) {
        view.used = ++this.clock;
        return view;
      }
      if (oldest === undefined || view.used < oldest.used) oldest = view;
    }
    let view = oldest;
    if (view === undefined || views.length < VIEWS) {
      view = new View(this.reader.network());
      views.push(view);
    }
    view.key.set(key.subarray(0, words));
    view.words = words;
    view.one = one;
    view.other = other;
    view.used = ++this.clock;
    view.clear();
    this.reader.read(s, view.net, up);
    return view;
  }
}

function same(a: Int32Array, b: Int32Array, words: number): boolean {
  for (let i = 0; i < words; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Makes 32 bits of 32 bits, one to one, so that a change of any one changes half of them (the finalizer of
 * MurmurHash3).
 */
function mixed(word: number): number {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
