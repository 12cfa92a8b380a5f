import { Rng } from "../../core/rng.js";
import * as state from "../state.js";
import * as networks from "./network.js";
import type { Story } from "./story.js";
import { STORY, type View } from "./views.js";

// own constants, for speed: see core/layout.ts
const { AREAS } = state;
const { ON_MAP, ROW, TOKENS } = networks;

/** Rounds in which a story must come to fit before another is told: so many repairs, then a sweep. */
const ROUNDS = 12;
const REPAIRS = 20;
/** One repair in so many is made at random. */
const NOISE = 5;
/** A sweep makes a change for the worse by one once in so many times, and none by more than `WORST`. */
const LAXITY = 16;
const WORST = 2;
/** More than any exchange makes wrong. */
const NEVER = 99;

/** Tells stories that fit: at random first, then mended by exchanges until nothing is wrong. */
export class Teller {
  /** What is wrong: in all; of each token; the tokens to blame, and their places there; without one to blame. */
  private cost = 0;
  private readonly bad = new Int32Array(TOKENS);
  private readonly badList = new Int32Array(TOKENS);
  private readonly badAt = new Int32Array(TOKENS);
  private badN = 0;
  private rest = 0;
  /** What `change` found: more wrong of either token, and without one to blame. */
  private moreP = 0;
  private moreQ = 0;
  private moreRest = 0;
  /** Stays that an exit may end, by areas; which of them suit it. */
  private readonly lists = new Int16Array(AREAS * ROW);
  private readonly counts = new Int32Array(AREAS);
  private readonly suited = new Int32Array(ROW);
  /** The stream that first stories are told with. */
  private readonly own = new Rng("first story");

  constructor(private readonly story: Story) {}

  /**
   * Tells a story of a view that fits: one told for this sample, or first story `j` where the ledger is long.
   *
   * @returns false when none was found in time
   */
  tell(view: View, j: number, rng: Rng): boolean {
    const { story, own } = this;
    story.net = view.net;
    if (!view.long) {
      view.net.dealStart(view.unknownChits, rng);
      return this.find(rng);
    }
    const known = view.ask(j);
    if (known === STORY.impossible) return false;
    if (known === STORY.told) {
      view.recall(j, story.exitOf);
      story.retell();
      return true;
    }
    view.begin(j, own);
    view.net.dealStart(view.unknownChits, own);
    const found = this.find(own);
    if (found) view.keep(j, story.exitOf);
    else view.forbid(j);
    return found;
  }

  private find(rng: Rng): boolean {
    this.invent(rng);
    this.measure();
    for (let round = 0; this.cost > 0 && round < ROUNDS; round++) {
      for (let k = REPAIRS; k > 0 && this.cost > 0; k--) this.repair(rng);
      if (this.cost > 0) this.shake(rng);
    }
    return this.cost === 0;
  }

  /** A random story; each slot goes to a token that fits it where one lies there. */
  private invent(rng: Rng): void {
    const { lists, counts, suited } = this;
    const { net, headOf, exitOf, stayOf } = this.story;
    counts.fill(0);
    let x = 0;
    for (let e = 0; e < net.exits; e++) {
      for (; x < net.stays && net.stayTime[x]! < net.exitTime[e]!; x++) {
        const a = net.stayArea[x]!;
        const by = net.by[x]!;
        headOf[x] = by < 0 ? net.tokenOf[x]! : headOf[stayOf[by]!]!;
        lists[a * ROW + counts[a]!++] = x;
      }
      const row = net.exitArea[e]! * ROW;
      const n = counts[net.exitArea[e]!]!;
      let able = 0;
      if (n > 1 && (net.slotOf[e] !== ON_MAP || net.exitFlags[e] !== 0))
        for (let i = 0; i < n; i++) if (this.suits(headOf[lists[row + i]!]!, e)) suited[able++] = i;
      const i = able > 0 ? suited[rng.below(able)]! : n > 1 ? rng.below(n) : 0;
      const y = lists[row + i]!;
      lists[row + i] = lists[row + n - 1]!;
      counts[net.exitArea[e]!] = n - 1;
      exitOf[y] = e;
      stayOf[e] = y;
    }
  }

  private suits(token: number, e: number): boolean {
    const { story } = this;
    const { net } = story;
    return (net.to[e]! < 0 ? story.misfit(token, net.slotOf[e]!) : story.misstep(token, net.exitFlags[e]!)) === 0;
  }

  /** Counts from scratch what is wrong. */
  private measure(): void {
    const { story } = this;
    const { net } = story;
    this.badN = 0;
    this.rest = story.count();
    this.cost = this.rest;
    for (let k = 0; k < net.tokens; k++) {
      this.bad[k] = 0;
      this.worsen(k, story.wrongs(k, story.exitOf[net.birth[k]!]!, story.slot[k]!));
      this.cost += this.bad[k]!;
    }
  }

  private worsen(token: number, by: number): void {
    const { bad, badList, badAt } = this;
    const before = bad[token]!;
    bad[token] = before + by;
    if (before === 0 && by > 0) {
      badAt[token] = this.badN;
      badList[this.badN++] = token;
    } else if (before > 0 && before + by === 0) {
      const last = badList[--this.badN]!;
      badList[badAt[token]!] = last;
      badAt[last] = badAt[token]!;
    }
  }

  /** Makes the exchange on the way of a token with something wrong that mends most (of several a random one). */
  private repair(rng: Rng): void {
    const { story } = this;
    const { net } = story;
    const k = this.badN > 0 ? this.badList[rng.below(this.badN)]! : rng.below(net.tokens);
    const any = rng.below(NOISE) === 0;
    let best = NEVER;
    let bestD = 0;
    let bestE = 0;
    let ties = 0;
    for (let x = net.birth[k]!; x >= 0;) {
      const d = story.exitOf[x]!;
      const group = net.groupOf[d]!;
      const to = net.groupFrom[group + 1]!;
      for (let i = net.groupFrom[group]!; i < to; i++) {
        const e = net.member[i]!;
        if (e === d || !story.valid(d, e)) continue;
        const delta = any ? 0 : this.change(d, e, k, story.headOf[story.stayOf[e]!]!, best);
        if (delta > best) continue;
        if (delta < best) ties = 0;
        best = delta;
        if (++ties > 1 && rng.below(ties) !== 0) continue;
        bestD = d;
        bestE = e;
      }
      x = net.to[d]!;
    }
    if (best === NEVER) return;
    const q = story.headOf[story.stayOf[bestE]!]!;
    this.make(bestD, bestE, k, q, this.change(bestD, bestE, k, q, NEVER));
  }

  /** Proposes one exchange for every exit that somebody else may have taken. */
  private shake(rng: Rng): void {
    const { story } = this;
    const { net } = story;
    for (let c = 0; c < net.choices; c++) {
      const at = net.choice[c]!;
      const d = net.member[at]!;
      const e = net.member[at + rng.below(net.others[c]!)]!;
      if (e !== d && story.valid(d, e)) this.propose(d, e, rng);
    }
  }

  private propose(d: number, e: number, rng: Rng): void {
    const { story } = this;
    const p = story.headOf[story.stayOf[d]!]!;
    const q = story.headOf[story.stayOf[e]!]!;
    const delta = this.change(d, e, p, q, WORST);
    if (delta <= 0 || (delta <= WORST && rng.below(LAXITY ** delta) === 0)) this.make(d, e, p, q, delta);
  }

  /**
   * What more would be wrong if token `p` at exit `d` and `q` at `e` exchanged these.
   *
   * @param most any number above it is as good as another
   */
  private change(d: number, e: number, p: number, q: number, most: number): number {
    const { story } = this;
    const endP = story.slot[p]!;
    const endQ = story.slot[q]!;
    this.moreP = story.wrongs(p, e, endQ) - story.wrongs(p, d, endP);
    this.moreQ = story.wrongs(q, d, endP) - story.wrongs(q, e, endQ);
    this.moreRest = 0;
    const delta = this.moreP + this.moreQ;
    if (delta > most && this.rest === 0) return delta; // the rest can't make up for it
    if (story.net.cohort[p] !== story.net.cohort[q]) {
      this.moreRest += story.exchangeEnds(p, q, endP, endQ);
      this.moreRest -= story.exchangeEnds(q, p, endP, endQ);
    }
    const by = story.unitsMore(p, q);
    if (by !== 0) {
      this.moreRest += story.shift(d, e, by);
      story.shift(d, e, -by);
    }
    return delta + this.moreRest;
  }

  /** Carries out what `change` was asked about last. */
  private make(d: number, e: number, p: number, q: number, delta: number): void {
    const { story } = this;
    const by = story.unitsMore(p, q);
    if (by !== 0) story.shift(d, e, by);
    story.exchangeEnds(p, q, story.slot[p]!, story.slot[q]!);
    this.worsen(p, this.moreP);
    this.worsen(q, this.moreQ);
    story.swap(d, e);
    this.cost += delta;
    this.rest += this.moreRest;
  }
}
