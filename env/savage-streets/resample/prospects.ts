import * as ledger from "../ledger.js";
import * as state from "../state.js";
import * as scripts from "./script.js";
import type { Script } from "./script.js";

// own constants, for speed: see core/layout.ts
const { CLASS } = ledger;
const { AREAS, LEDGER_WORDS, SOVIETS } = state;
const { CHECKS, CHIT_SLOT, IS_CHIT, mayBeSmg, OP, TOKENS } = scripts;

const OPS = LEDGER_WORDS + CHECKS + 2;
/** Class of chits. */
const CHIT = 0;
/** Classes at most: chits, units by name, landings of eight turns by circle, counters of the start by turn. */
const CLASSES = 1 + SOVIETS + 8 * 3 + 11;
const TURNS = 10;

/**
 * How well a counter of each class that lies in an area fits what came to light later, if each recorded move took any of
 * the counters that may have made it with equal chance: one pass backwards over the script. What all counters can do
 * together is left out of account, so a story told by it is a good first guess, no more.
 */
export class Prospects {
  /** Class of each token: tokens of a class fit the same slots and can be the same units. */
  readonly classOf = new Uint8Array(TOKENS);
  private classes = 0;
  /** By class: the units that tokens without a name may be, the bit of a named one, tokens of the class. */
  private readonly cand = new Int32Array(CLASSES);
  private readonly named = new Int32Array(CLASSES);
  private readonly tokens = new Int32Array(CLASSES);
  /** Counters that may have done an op, as far as their number is known: all unmoved ones of the class shown. */
  private readonly able = new Uint8Array(OPS);
  /** By op and class: prospects in its area behind it. */
  private readonly behind = new Float64Array(OPS * CLASSES);
  /** By turn, area and class: prospects behind the Soviet movement; and those at the op that the pass has come to. */
  private readonly evening = new Float64Array(TURNS * AREAS * CLASSES);
  private readonly now = new Float64Array(AREAS * CLASSES);
  /** Counters per area, units and chits apart where that is shown, and how many of them have moved this turn. */
  private readonly lying = new Int32Array(3 * AREAS);
  private readonly came = new Int32Array(3 * AREAS);

  read(script: Script): void {
    this.classify(script);
    this.count(script);
    this.backwards(script);
  }

  private classify(script: Script): void {
    const { classOf, cand, named, tokens } = this;
    this.classes = 1;
    cand[CHIT] = named[CHIT] = tokens[CHIT] = 0;
    for (let k = 0; k < script.tokens; k++) {
      const chit = script.cand[k] === IS_CHIT;
      const name = script.named[k]! < 0 ? 0 : 1 << script.named[k]!;
      const free = chit || name !== 0 ? 0 : script.cand[k]!;
      let c = 0;
      while (c < this.classes && (cand[c] !== free || named[c] !== name)) c++;
      if (c === this.classes) {
        this.classes++;
        cand[c] = free;
        named[c] = name;
        tokens[c] = 0;
      }
      classOf[k] = c;
      tokens[c]!++;
    }
  }

  /** Does a class fit a slot? */
  private fits(c: number, script: Script, slot: number): boolean {
    const id = script.slotId[slot]!;
    if (id === CHIT_SLOT) return c === CHIT;
    return (((script.slotNamed[slot] === 1 ? this.named[c]! : this.cand[c]!) >> id) & 1) === 1;
  }

  /** How many counters each op can have been done by. */
  private count(script: Script): void {
    const { lying, came, able } = this;
    lying.fill(0);
    let turn = -1;
    for (let i = 0; i < script.ops; i++) {
      const a = script.area[i]!;
      switch (script.op[i]) {
        case OP.birth:
          lying[a]!++;
          lying[(script.cand[script.what[i]!] === IS_CHIT ? CLASS.chit : CLASS.unit) * AREAS + a]!++;
          break;
        case OP.move: {
          if (script.turn[i] !== turn) came.fill(0);
          turn = script.turn[i]!;
          const cls = script.flags[i]! & 3;
          const b = script.second[i]!;
          able[i] = lying[cls * AREAS + a]! - came[cls * AREAS + a]!;
          for (let c = cls; ; c = CLASS.any) {
            lying[c * AREAS + a]!--;
            lying[c * AREAS + b]!++;
            came[c * AREAS + b]!++;
            if (c === CLASS.any) break;
          }
          break;
        }
        case OP.take:
          able[i] = lying[a]!;
          lying[a]!--;
          lying[(script.slotId[script.what[i]!] === CHIT_SLOT ? CLASS.chit : CLASS.unit) * AREAS + a]!--;
          break;
        case OP.reveal:
          for (let c = 0; c < 3; c++) lying[c * AREAS + a] = 0;
          break;
        default:
      }
    }
  }

  private backwards(script: Script): void {
    const { now, behind, classes, named, evening, able } = this;
    for (let c = 0; c < classes; c++) now[c] = 1;
    for (let k = 0; k < script.tokens; k++) if (script.named[k]! >= 0) now[this.classOf[k]!] = script.want[k] === -1 ? 1 : 0;
    for (let a = 1; a < AREAS; a++) now.copyWithin(a * CLASSES, 0, classes);
    let turn = -1;
    for (let i = script.ops - 1; i >= 0; i--) {
      const op = script.op[i]!;
      if (op === OP.check) continue;
      if (op === OP.birth) {
        // a unit named here was another counter before
        const c = this.classOf[script.what[i]!]!;
        if (named[c] !== 0) for (let a = 0; a < AREAS; a++) now[a * CLASSES + c] = 0;
        continue;
      }
      const a = script.area[i]! * CLASSES;
      for (let c = 0; c < classes; c++) behind[i * CLASSES + c] = now[a + c]!;
      if (op === OP.move) {
        if (script.turn[i] !== turn) {
          turn = script.turn[i]!;
          evening.set(now, turn * AREAS * CLASSES);
        }
        const there = (turn * AREAS + script.second[i]!) * CLASSES;
        const cls = script.flags[i]! & 3;
        const share = 1 / Math.max(1, able[i]!);
        for (let c = 0; c < classes; c++) if (cls === CLASS.any || (cls === CLASS.chit) === (c === CHIT)) now[a + c] = share * this.going(i, c, there, script) + (1 - share) * now[a + c]!;
      } else this.ending(script, i, a, op === OP.take ? 1 / Math.max(1, able[i]!) : 1);
    }
  }

  private going(i: number, c: number, there: number, script: Script): number {
    if (mayBeSmg(script.flags[i]!) && (c === CHIT || ((this.cand[c]! | this.named[c]!) & script.smgMask) === 0)) return 0;
    return this.evening[there + c]!;
  }

  /** Counters of an area end in slots: each of them in one of as many with chance `share`, rarer kinds of slots counting more. */
  private ending(script: Script, i: number, a: number, share: number): void {
    const { now, classes, tokens } = this;
    const slots = script.op[i] === OP.take ? 1 : script.second[i]!;
    for (let c = 0; c < classes; c++) now[a + c]! *= 1 - share;
    for (let slot = script.what[i]!; slot < script.what[i]! + slots; slot++) {
      let fitting = 0;
      for (let c = 0; c < classes; c++) if (this.fits(c, script, slot)) fitting += tokens[c]!;
      for (let c = 0; c < classes; c++) if (this.fits(c, script, slot)) now[a + c]! += ((share / slots) * script.tokens) / fitting;
    }
  }

  /** How gladly token `k` does op `i` (a move or the loss of one counter): prospects if it does over those if it doesn't. */
  weight(script: Script, i: number, k: number): number {
    const c = this.classOf[k]!;
    const stays = this.behind[i * CLASSES + c]!;
    const goes =
      script.op[i] === OP.move
        ? this.going(i, c, (script.turn[i]! * AREAS + script.second[i]!) * CLASSES, script)
        : this.fits(c, script, script.what[i]!)
          ? 1
          : 0;
    return goes / Math.max(stays, 1e-9);
  }
}
