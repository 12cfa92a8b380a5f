import type { StateView } from "../../core/layout.js";
import { Rng } from "../../core/rng.js";
import type { Rules } from "../data.js";
import * as ledger from "../ledger.js";
import * as state from "../state.js";
import { Pool, STORY } from "./pool.js";
import * as scripts from "./script.js";
import { Script } from "./script.js";
import { ROW, Stacking } from "./stacking.js";

// own constants, for speed: see core/layout.ts
const { CLASS } = ledger;
const { AREAS, F, GERMANS, L, placeOf, SOVIETS, unitHas, WAITING } = state;
const { bitCount, CHIT_SLOT, IS_CHIT, mayBeSmg, OP, TOKENS } = scripts;

/** Sweeps in which a history must come to fit before it is told anew. */
const SWEEPS = 40;
/** Entries from which on a ledger is long: its stories are hard to find, so a view has some that are told again and again. */
const LONG = 64;
/** Sweeps that mix a story that fits. */
const MIXING = 4;
/** A change for the worse by one is taken once in so many times while nothing fits yet. */
const LAXITY = 16;
const GONE = -1;
/** What a sweep does, see `sweep`. */
const FIRST = 0;
const TOLD = 1;
const CHANGED = 2;
/** No turn in which a token has moved. */
const ANY_TURN = -1;

/**
 * Finds out at random which token made each anonymous move. Any choice among the unmoved counters of the area makes a
 * possible story but for what came to light later; a wrong story is mended by letting two tokens that lie together change
 * the rest of their ways. Every exchange proposed is as likely as its reverse, and once nothing is wrong only exchanges
 * that keep it so are made: a Markov chain whose stationary distribution is uniform over the consistent stories. Where the
 * ledger is long, the chain begins with one of a few stories that a view has once for all, see `Pool`.
 */
export class Replay {
  readonly script: Script;
  /** Where a token lies at the end, or `GONE`; the turn it last moved; when it came to where it is; its slot or -1. */
  readonly loc: Int8Array;
  readonly moved = new Uint8Array(TOKENS);
  readonly seq = new Int32Array(TOKENS);
  readonly slot = new Int32Array(TOKENS);
  /** 1 when a token made a move only an SMG company can make. */
  readonly smg = new Uint8Array(TOKENS);
  /** What does not fit in the last story, and the sweeps it took. */
  cost = 0;
  sweeps = 0;
  /** Ways: who goes it, and the other way round. A way is named after the token that went it in the last sweep. */
  private readonly rider = new Int32Array(TOKENS);
  private readonly way = new Int32Array(TOKENS);
  private readonly mover = new Int32Array(4096);
  private readonly lists = new Int32Array(AREAS * ROW);
  private readonly counts = new Int32Array(AREAS);
  private readonly index = new Int32Array(TOKENS);
  private readonly stacking: Stacking;
  /** Landed tokens without a name that lie on the map at the end, by the turn of landing; unseen units by entry turn. */
  private readonly ends = new Int32Array(10);
  private readonly unseen = new Int32Array(10);
  private readonly cohort = new Uint8Array(TOKENS);
  private readonly spare = new Int32Array(TOKENS);
  private mixing = false;
  private unknown = 0;
  private open = 0;
  private long = false;
  private readonly pool = new Pool();
  /** The stream that first stories are told with. */
  private readonly own = new Rng("first story");

  constructor(r: Rules) {
    this.script = new Script(r);
    this.stacking = new Stacking(this.script, r.solo ? 3 : 4, this.lists, this.counts);
    this.loc = this.stacking.loc;
  }

  /** Turns to a view. @param unknownChits how many counters of unknown class at the start of the ledger are chits */
  turnTo(s: StateView, unknownChits: number): void {
    this.unknown = unknownChits;
    this.open = 0;
    for (let k = 0; k < SOVIETS; k++) {
      const place = placeOf(s, GERMANS + k);
      if (place === WAITING || (place < AREAS && !unitHas(s, GERMANS + k, F.faceUp))) this.open |= 1 << k;
    }
    this.long = s[L.ledgerN]! > LONG;
    if (this.long) this.pool.turnTo(s, unknownChits, this.open);
  }

  /**
   * Tells a story that fits and mixes it: one told for this sample, or first story `j` of a view with a long ledger.
   *
   * @returns false when it was not found in time
   */
  run(s: StateView, j: number, rng: Rng): boolean {
    if (this.long ? !this.recall(s, j) : !this.find(s, rng)) return false;
    for (let k = 0; k < MIXING; k++) this.mix(rng);
    return true;
  }

  /** Tells first story `j`, by heart if it is known. */
  private recall(s: StateView, j: number): boolean {
    const { script, pool, own } = this;
    if (pool.ask(j) === STORY.impossible) return false;
    pool.begin(j, own);
    if (pool.ask(j) === STORY.told) {
      script.read(s, own, this.unknown);
      this.cohorts();
      pool.tell(j, script, this.mover, this.slot);
      this.sweep(own, TOLD);
      this.measure();
      return true;
    }
    const found = this.find(s, own);
    if (found) pool.keep(j, script, this.mover, this.slot);
    else pool.forbid(j);
    return found;
  }

  /** Tells a story that fits. @returns false when none was found in time */
  private find(s: StateView, rng: Rng): boolean {
    this.script.read(s, rng, this.unknown);
    this.cohorts();
    this.settle(rng);
    for (this.sweeps = 1; this.cost > 0 && this.sweeps < SWEEPS; this.sweeps++) {
      this.mixing = false;
      this.sweep(rng, CHANGED);
      this.measure();
    }
    return this.cost === 0;
  }

  /** Goes on from a story that fits to another one that does. */
  mix(rng: Rng): void {
    this.mixing = true;
    this.sweep(rng, CHANGED);
  }

  /** Tells the first story of the script, at random. */
  settle(rng: Rng): void {
    this.slot.fill(-1, 0, this.script.tokens);
    this.sweep(rng, FIRST);
    this.measure();
  }

  /** By entry turn, how many units are face-down or waiting and not named by a token; tokens by the turn they landed in. */
  private cohorts(): void {
    const { script, unseen, cohort } = this;
    let named = 0;
    for (let k = 0; k < script.tokens; k++) {
      if (script.named[k]! >= 0 && script.want[k] === -1) named |= 1 << script.named[k]!;
      const c = script.cand[k]!;
      cohort[k] = 0;
      if (c === IS_CHIT || script.named[k]! >= 0 || (c & script.startMask) !== 0) continue;
      let t = 1;
      while ((c & ~script.due[t]!) !== 0) t++;
      cohort[k] = t;
    }
    for (let t = 1; t <= 9; t++) unseen[t] = bitCount(this.open & ~named & script.due[t]!);
  }

  /** Does a token fit the slot it ends in (-1: the map)? */
  private fits(token: number, slot: number): boolean {
    const { script } = this;
    const cand = script.cand[token]!;
    if (cand === IS_CHIT) return slot < 0 || script.slotId[slot] === CHIT_SLOT;
    if (script.want[token]! >= -1) return slot === script.want[token];
    if (slot < 0) return true;
    const id = script.slotId[slot]!;
    return id < CHIT_SLOT && script.slotNamed[slot] === 0 && ((cand >> id) & 1) === 1;
  }

  private mayLeadSmg(token: number): boolean {
    const { script } = this;
    return script.cand[token] !== IS_CHIT && (script.cand[token]! & script.smgMask) !== 0;
  }

  /** Counts from scratch what does not fit. */
  private measure(): void {
    const { script } = this;
    let cost = 0;
    this.ends.fill(0);
    for (let k = 0; k < script.tokens; k++) {
      if (!this.fits(k, this.slot[k]!) || (this.smg[k] === 1 && !this.mayLeadSmg(k))) cost++;
      if (this.slot[k]! < 0) this.ends[this.cohort[k]!]!++;
    }
    this.cost = cost + this.stacking.over() + this.crowding(0, 0);
  }

  /** More tokens of early landings left on the map than units they could be; with one of cohort `less` less and `more` more. */
  private crowding(less: number, more: number): number {
    let sum = 0;
    let over = 0;
    for (let t = 1; t <= 9; t++) {
      sum += this.ends[t]! + (t === more ? 1 : 0) - (t === less ? 1 : 0);
      over += Math.max(0, sum - this.unseen[t]!);
    }
    return over;
  }

  /**
   * Goes through the whole script once.
   *
   * @param how `FIRST` makes the choices in the first place, at random; `TOLD` has been told them; `CHANGED` proposes an
   *   exchange at every choice
   */
  private sweep(rng: Rng, how: number): void {
    const { script, rider, way, slot, spare } = this;
    if (how !== CHANGED) for (let k = 0; k < script.tokens; k++) way[k] = rider[k] = k;
    this.stacking.begin(how !== CHANGED);
    this.counts.fill(0);
    this.smg.fill(0, 0, script.tokens);
    this.loc.fill(GONE, 0, script.tokens);
    for (let i = 0; i < script.ops; i++) {
      const a = script.area[i]!;
      switch (script.op[i]) {
        case OP.birth: {
          const k = script.what[i]!;
          this.moved[k] = 0;
          this.put(k, a, script.entryOf[i]!);
          break;
        }
        case OP.move: {
          const k = this.ride(i, a, script.turn[i]!, script.flags[i]! & 3, how, rng);
          this.drop(k);
          this.put(k, script.second[i]!, script.entryOf[i]!);
          this.moved[k] = script.turn[i]!;
          if (mayBeSmg(script.flags[i]!)) this.smg[k] = 1;
          break;
        }
        case OP.take: {
          const k = this.ride(i, a, ANY_TURN, CLASS.any, how, rng);
          this.drop(k);
          if (how === FIRST) slot[k] = script.what[i]!;
          break;
        }
        case OP.reveal:
          this.reveal(i, a, how, rng);
          break;
        default:
          this.stacking.pass(script.second[i]!, how !== CHANGED);
      }
    }
    if (how !== CHANGED) return;
    // ways are named after whoever went them now
    for (let k = 0; k < script.tokens; k++) spare[k] = slot[way[k]!]!;
    for (let k = 0; k < script.tokens; k++) {
      slot[k] = spare[k]!;
      way[k] = rider[k] = k;
    }
  }

  private put(k: number, a: number, i: number): void {
    this.loc[k] = a;
    this.seq[k] = i;
    this.index[k] = this.counts[a]!;
    this.lists[a * ROW + this.counts[a]!] = k;
    this.counts[a]!++;
  }

  private drop(k: number): void {
    const a = this.loc[k]!;
    const last = this.lists[a * ROW + --this.counts[a]!]!;
    this.lists[a * ROW + this.index[k]!] = last;
    this.index[last] = this.index[k]!;
    this.loc[k] = GONE;
  }

  /** A random token of `a` that has not moved this turn, of a class if one is known. */
  private pick(a: number, turn: number, cls: number, rng: Rng): number {
    const n = this.counts[a]!;
    for (let tries = 0; tries < 8; tries++) {
      const k = this.lists[a * ROW + rng.below(n)]!;
      if (this.mayMove(k, turn, cls)) return k;
    }
    let open = 0;
    for (let p = 0; p < n; p++) if (this.mayMove(this.lists[a * ROW + p]!, turn, cls)) open++;
    let left = rng.below(Math.max(1, open));
    for (let p = 0; p < n; p++) {
      const k = this.lists[a * ROW + p]!;
      if (this.mayMove(k, turn, cls) && left-- === 0) return k;
    }
    return this.lists[a * ROW]!;
  }

  private mayMove(k: number, turn: number, cls: number): boolean {
    return this.moved[k] !== turn && (cls === CLASS.any || (cls === CLASS.chit) === (this.script.cand[k] === IS_CHIT));
  }

  /** Who does op `i` in `a`: the first time anybody, else who did it before unless he exchanges ways. */
  private ride(i: number, a: number, turn: number, cls: number, how: number, rng: Rng): number {
    if (how === TOLD) return this.mover[i]!;
    if (how === FIRST) return (this.mover[i] = this.pick(a, turn, cls, rng));
    const k = this.mend(this.rider[this.mover[i]!]!, a, turn, cls, i);
    return (this.mover[i] = this.propose(k, this.pick(a, turn, cls, rng), i, rng));
  }

  /** While something is wrong: the token of `a` whose exchange with `p` mends most goes on as `p` would. @returns who goes on */
  private mend(p: number, a: number, turn: number, cls: number, i: number): number {
    if (this.mixing || this.cost === 0) return p;
    const wrong = this.wrong(p);
    let best = p;
    let least = 0;
    for (let j = 0; j < this.counts[a]!; j++) {
      const q = this.lists[a * ROW + j]!;
      if (q === p || !(wrong || this.wrong(q)) || !this.mayMove(q, turn, cls)) continue;
      const delta = this.change(p, q, this.way[p]!, this.way[q]!, i);
      if (delta >= least) continue;
      least = delta;
      best = q;
    }
    if (best === p) return p;
    this.exchange(p, best, this.way[p]!, this.way[best]!);
    this.cost += least;
    return best;
  }

  private wrong(token: number): boolean {
    return !this.fits(token, this.slot[this.way[token]!]!) || (this.smg[token] === 1 && !this.mayLeadSmg(token));
  }

  /** Proposes that `q` goes on as `p` would from op `i` on, and the other way round. @returns who goes on */
  private propose(p: number, q: number, i: number, rng: Rng): number {
    if (p === q) return p;
    const wp = this.way[p]!;
    const wq = this.way[q]!;
    const delta = this.change(p, q, wp, wq, i);
    if (delta > 0 && (this.mixing || delta > 3 || rng.below(LAXITY ** delta) !== 0)) return p;
    this.exchange(p, q, wp, wq);
    this.cost += delta;
    return q;
  }

  private change(p: number, q: number, wp: number, wq: number, i: number): number {
    const { script } = this;
    if (script.cand[p] === script.cand[q] && script.named[p]! < 0 && script.named[q]! < 0 && this.cohort[p] === this.cohort[q]) return 0; // alike
    const sp = this.slot[wp]!;
    const sq = this.slot[wq]!;
    let delta = (this.fits(q, sp) ? 0 : 1) + (this.fits(p, sq) ? 0 : 1) - (this.fits(p, sp) ? 0 : 1) - (this.fits(q, sq) ? 0 : 1);
    if (mayBeSmg(script.flags[i]!)) delta += (this.mayLeadSmg(q) ? 0 : 1) - (this.mayLeadSmg(p) ? 0 : 1);
    if (this.mixing && delta > 0) return delta; // nothing is wrong yet, so nothing else can make up for it
    const cp = this.cohort[p]!;
    const cq = this.cohort[q]!;
    if (cp !== cq && sp < 0 !== sq < 0) delta += (sp < 0 ? this.crowding(cp, cq) : this.crowding(cq, cp)) - this.crowding(0, 0);
    const chitP = script.cand[p] === IS_CHIT;
    if (chitP !== (script.cand[q] === IS_CHIT)) delta += this.stacking.shift(wp, wq, chitP ? 1 : -1, false);
    return delta;
  }

  private exchange(p: number, q: number, wp: number, wq: number): void {
    const { script } = this;
    const chitP = script.cand[p] === IS_CHIT;
    if (chitP !== (script.cand[q] === IS_CHIT)) this.stacking.shift(wp, wq, chitP ? 1 : -1, true);
    const cp = this.cohort[p]!;
    const cq = this.cohort[q]!;
    if (this.slot[wp]! < 0 !== this.slot[wq]! < 0) {
      this.ends[this.slot[wp]! < 0 ? cp : cq]!--;
      this.ends[this.slot[wp]! < 0 ? cq : cp]!++;
    }
    this.rider[wp] = q;
    this.rider[wq] = p;
    this.way[p] = wq;
    this.way[q] = wp;
  }

  private reveal(i: number, a: number, how: number, rng: Rng): void {
    const { script } = this;
    const n = this.counts[a]!;
    const from = script.what[i]!;
    if (how === CHANGED) for (let p = 0; p < n; p++) this.propose(this.mend(this.lists[a * ROW + p]!, a, ANY_TURN, CLASS.any, i), this.lists[a * ROW + rng.below(n)]!, i, rng);
    for (let p = 0; p < n; p++) {
      const k = this.lists[a * ROW + p]!;
      this.loc[k] = GONE;
      if (how === FIRST) this.slot[k] = from + p;
    }
    this.counts[a] = 0;
  }

  /** When a token came to its place in the stack: turning over does not move it. */
  seqOf(k: number): number {
    const { script } = this;
    if (script.named[k]! < 0 || this.seq[k] !== script.born[k]) return this.seq[k]!;
    return script.seqBefore[k]! >= 0 ? script.seqBefore[k]! : this.seqInSlot(script.slotBefore[k]!);
  }

  /** The same for a face-up unit. */
  upSeqOf(id: number): number {
    const { script } = this;
    return script.upSeq[id]! >= 0 ? script.upSeq[id]! : this.seqInSlot(script.lastSlot[id]!);
  }

  private seqInSlot(slot: number): number {
    if (slot >= 0) for (let k = 0; k < this.script.tokens; k++) if (this.slot[k] === slot) return this.seqOf(k);
    return -1;
  }
}
