import type { Rng } from "../../core/rng.js";
import * as ledger from "../ledger.js";
import * as networks from "./network.js";
import type { Network } from "./network.js";
import { Stacking } from "./stacking.js";

// own constants, for speed: see core/layout.ts
const { CLASS, SMG_MOVE } = ledger;
const { IS_CHIT, ON_MAP, STAYS, TOKENS } = networks;

/** Sweeps that mix a story that fits. */
const MIXING = 8;
/** One proposal in so many is a detour. */
const DETOURS = 4;
const DRAW = DETOURS / 4294967296;
const GONE = -1;

/**
 * A story: which exit ends each stay of the network. Any choice among the counters of the area that may go is a possible
 * story but for what came to light later. Another story comes from it when two tokens that lie together exchange the rest
 * of their ways, or (a *detour*) their ways up to where they next lie together. Every exchange proposed is as likely as its
 * reverse, and where nothing is wrong only exchanges that keep it so are made: a Markov chain whose stationary distribution
 * is uniform over the consistent stories.
 */
export class Story {
  /** After `mix`: where a token lies at the end, or `GONE`; the turn it last moved; when it came to where it is. */
  readonly loc = new Int8Array(TOKENS);
  readonly moved = new Uint8Array(TOKENS);
  readonly seq = new Int32Array(TOKENS);
  /** 1 when a token made a move only an SMG company can make. */
  readonly smg = new Uint8Array(TOKENS);
  /** The slot that a token ends in. */
  readonly slot = new Int16Array(TOKENS);
  /** The exit of each stay, and the other way round; the token whose stay it is. */
  readonly exitOf = new Int16Array(STAYS);
  readonly stayOf = new Int16Array(STAYS);
  readonly headOf = new Int16Array(STAYS);
  private readonly stacking = new Stacking();
  /** Landed tokens without a name that lie on the map at the end, by the turn of landing. */
  private readonly ends = new Int32Array(10);

  /** @param net the network, until another is set */
  constructor(public net: Network) {}

  /** Finds out the rest of a story whose `exitOf` is set. */
  retell(): void {
    const { net, exitOf, stayOf, headOf } = this;
    for (let x = 0; x < net.stays; x++) {
      const by = net.by[x]!;
      headOf[x] = by < 0 ? net.tokenOf[x]! : headOf[stayOf[by]!]!;
      stayOf[exitOf[x]!] = x;
    }
    this.count();
  }

  /** Counts stacks and ends from scratch. @returns how many are too many */
  count(): number {
    const { net, exitOf, stacking } = this;
    this.ends.fill(0);
    stacking.begin(net);
    for (let k = 0; k < net.tokens; k++) {
      const last = stacking.add(net.birth[k]!, exitOf, net.cand[k] === IS_CHIT);
      this.slot[k] = net.slotOf[last]!;
      if (this.slot[k] === ON_MAP) this.ends[net.cohort[k]!]!++;
    }
    return stacking.over() + this.crowding();
  }

  /** Goes on from a story that fits to another one that does. */
  mix(rng: Rng): void {
    for (let k = 0; k < MIXING; k++) this.sweep(rng);
    this.conclude();
  }

  /** The only story of a network without moves or slots. */
  settle(net: Network): void {
    this.net = net;
    for (let x = 0; x < net.stays; x++) this.exitOf[x] = x;
    this.slot.fill(ON_MAP, 0, net.tokens);
    this.conclude();
  }

  /** 1 when a token can't be what turned up in a slot, or is not where it must be. */
  misfit(token: number, slot: number): number {
    const { want, cand, slotMask } = this.net;
    return slot === want[token] || (cand[token]! & slotMask[slot]!) !== 0 ? 0 : 1;
  }

  /** What is wrong with a token that makes a move with such marks. */
  misstep(token: number, flags: number): number {
    if (flags === 0) return 0;
    const cand = this.net.cand[token]!;
    const cls = flags & 3;
    return (
      (cls !== CLASS.any && (cls === CLASS.chit) !== (cand === IS_CHIT) ? 1 : 0) +
      ((flags & SMG_MOVE) !== 0 && (cand & this.net.smgMask) === 0 ? 1 : 0)
    );
  }

  /** What is wrong with the moves of a token on the way from exit `e` on, before exit `end` if that lies on it. */
  private missteps(token: number, e: number, end = -1): number {
    const { net, exitOf } = this;
    let n = 0;
    for (let f = e, x = net.to[e]!; x >= 0 && f !== end; f = exitOf[x]!, x = net.to[f]!)
      n += this.misstep(token, net.exitFlags[f]!);
    return n;
  }

  /** What is wrong with a token on the way from exit `e` on, which ends in `slot`. */
  wrongs(token: number, e: number, slot: number): number {
    return this.misfit(token, slot) + (this.net.special ? this.missteps(token, e) : 0);
  }

  /** More tokens of early landings left on the map than units they could be. */
  crowding(): number {
    let sum = 0;
    let over = 0;
    for (let t = 1; t <= 9; t++) {
      sum += this.ends[t]!;
      if (sum > this.net.unseen[t]!) over += sum - this.net.unseen[t]!;
    }
    return over;
  }

  /** May the stays that end by exits `d` and `e` of a group exchange these? */
  valid(d: number, e: number): boolean {
    const { stayTime, exitTime } = this.net;
    return stayTime[this.stayOf[e]!]! < exitTime[d]! && stayTime[this.stayOf[d]!]! < exitTime[e]!;
  }

  /** The stays that end by exits `d` and `e` exchange these. */
  swap(d: number, e: number): void {
    const { net, stayOf, exitOf, headOf } = this;
    const x = stayOf[d]!;
    const y = stayOf[e]!;
    stayOf[d] = y;
    stayOf[e] = x;
    exitOf[x] = e;
    exitOf[y] = d;
    const p = headOf[x]!;
    const q = headOf[y]!;
    if (p === q) return;
    const end = this.slot[p]!;
    this.slot[p] = this.slot[q]!;
    this.slot[q] = end;
    for (let z = net.to[d]!; z >= 0; z = net.to[exitOf[z]!]!) headOf[z] = q;
    for (let z = net.to[e]!; z >= 0; z = net.to[exitOf[z]!]!) headOf[z] = p;
  }

  /** Proposes one exchange for every exit that somebody else may have taken. */
  private sweep(rng: Rng): void {
    const { choices, choice, others, member, alike } = this.net;
    const { stayOf, headOf } = this;
    for (let c = 0; c < choices; c++) {
      const at = choice[c]!;
      const draw = Math.floor(rng.word() * DRAW * others[c]!); // from the same numbers before and after, so it need not be even
      const d = member[at]!;
      const e = member[at + Math.floor(draw / DETOURS)]!;
      if (e === d || !this.valid(d, e)) continue;
      const p = headOf[stayOf[d]!]!;
      const q = headOf[stayOf[e]!]!;
      if (draw % DETOURS === 0) this.detour(d, e, p, q);
      else if (alike[p] === alike[q] || this.keepsFitting(d, e, p, q)) this.swap(d, e);
    }
  }

  /**
   * Would nothing be wrong if `p` at exit `d` and `q` at `e` exchanged these, as nothing is now? Then stacks and ends are
   * counted as after it.
   */
  private keepsFitting(d: number, e: number, p: number, q: number): boolean {
    const endP = this.slot[p]!;
    const endQ = this.slot[q]!;
    if (this.wrongs(q, d, endP) > 0 || this.wrongs(p, e, endQ) > 0) return false;
    const crowded = this.exchangeEnds(p, q, endP, endQ) > 0;
    const by = this.unitsMore(p, q);
    if (!crowded && (by === 0 || this.shift(d, e, by) === 0)) return true;
    if (!crowded) this.shift(d, e, -by);
    this.exchangeEnds(q, p, endP, endQ);
    return false;
  }

  /** Counts `q` at the end of the way that `p` went and the other way round. @returns the crowding of ends, if it may have changed */
  exchangeEnds(p: number, q: number, endP: number, endQ: number): number {
    const { cohort } = this.net;
    if (cohort[p] === cohort[q] || (endP === ON_MAP) === (endQ === ON_MAP)) return 0;
    this.ends[cohort[endP === ON_MAP ? p : q]!]!--;
    this.ends[cohort[endP === ON_MAP ? q : p]!]!++;
    return this.crowding();
  }

  /** Units more on the way of `p` once `q` goes it: 1, 0 or -1, and 0 where that can't be too many. */
  unitsMore(p: number, q: number): number {
    const { net } = this;
    return net.tight ? (net.cand[p] === IS_CHIT ? 1 : 0) - (net.cand[q] === IS_CHIT ? 1 : 0) : 0;
  }

  /**
   * Lets token `p`, which goes by exit `d`, and `q`, which goes by `e`, exchange their ways up to where they next lie
   * together, if nothing is wrong then. It is its own reverse: the exchange leaves that place as it is.
   */
  private detour(d: number, e: number, p: number, q: number): void {
    const { net, exitOf } = this;
    if (net.alike[p] === net.alike[q]) return;
    const { exitTime, groupOf, to } = net;
    let f = d;
    let g = e;
    do {
      // whoever goes first goes on
      const first = exitTime[f]! <= exitTime[g]!;
      const x = to[first ? f : g]!;
      if (x < 0) return;
      if (first) f = exitOf[x]!;
      else g = exitOf[x]!;
    } while (groupOf[f] !== groupOf[g] || !this.valid(f, g));
    if (net.special && this.missteps(q, d, f) + this.missteps(p, e, g) > 0) return;
    const by = this.unitsMore(p, q);
    if (by !== 0 && this.shift(d, e, by) + this.shift(f, g, -by) > 0) {
      this.shift(d, e, -by);
      this.shift(f, g, by);
      return;
    }
    this.swap(d, e);
    this.swap(f, g);
  }

  /** Counts stacks as after the exchange of exits `d` and `e`. @param by what `unitsMore` says @returns counters too many, more than before */
  shift(d: number, e: number, by: number): number {
    return d < e ? this.stacking.shift(d, e, by, this.exitOf) : this.stacking.shift(e, d, -by, this.exitOf);
  }

  /** Reads off where everybody is. */
  private conclude(): void {
    const { net, loc, moved, seq, slot, smg } = this;
    for (let k = 0; k < net.tokens; k++) {
      let x = net.birth[k]!;
      let e = this.exitOf[x]!;
      smg[k] = 0;
      while (net.to[e]! >= 0) {
        if ((net.exitFlags[e]! & SMG_MOVE) !== 0) smg[k] = 1;
        x = net.to[e]!;
        e = this.exitOf[x]!;
      }
      loc[k] = slot[k] === ON_MAP ? net.stayArea[x]! : GONE;
      moved[k] = net.stayTurn[x]!;
      seq[k] = net.stayEntry[x]!;
    }
  }

  /** When a token came to its place in the stack: turning over does not move it. */
  seqOf(k: number): number {
    const { net } = this;
    if (net.named[k]! < 0 || this.seq[k] !== net.born[k]) return this.seq[k]!;
    return net.seqBefore[k]! >= 0 ? net.seqBefore[k]! : this.seqInSlot(net.slotBefore[k]!);
  }

  /** The same for a face-up unit. */
  upSeqOf(id: number): number {
    const { net } = this;
    return net.upSeq[id]! >= 0 ? net.upSeq[id]! : this.seqInSlot(net.lastSlot[id]!);
  }

  private seqInSlot(slot: number): number {
    if (slot > ON_MAP) for (let k = 0; k < this.net.tokens; k++) if (this.slot[k] === slot) return this.seqOf(k);
    return -1;
  }
}
