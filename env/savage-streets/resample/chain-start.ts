import { Rng } from "../../core/dice/rng.js";
import { AREAS } from "../state.js";
import { ON_MAP, ROW, COUNTERS } from "./network.js";
import type { Assignment } from "./assignment.js";
import { START, type View } from "./view-cache.js";

/** Rounds in which an assignment must become consistent before a restart: each has `REPAIRS` repairs, then a sweep. */
const ROUNDS = 80;
const REPAIRS = 20;
/** One repair in `NOISE` is made at random; after one in `GUNS`, guns may change places. */
const NOISE = 3;
const GUNS = 4;
/** A sweep accepts one more violation once in `LAXITY` times, and never more than `WORST`. */
const LAXITY = 8;
const WORST = 2;
/** Above the number of violations that any exchange causes. */
const NEVER = 99;

/**
 * Finds consistent assignments by local search: at random first, then repaired by exchanges until no violation is left.
 */
export class ChainStarter {
  /**
   * Violations: in all; of each counter; the violating counters, and their places in that list; those of no single
   * counter.
   */
  private cost = 0;
  private readonly bad = new Int32Array(COUNTERS);
  private readonly badList = new Int32Array(COUNTERS);
  private readonly badAt = new Int32Array(COUNTERS);
  private badN = 0;
  private rest = 0;
  /** Results of `change`: more violations of either counter, and of no single counter. */
  private moreP = 0;
  private moreQ = 0;
  private moreRest = 0;
  /** Visits that a departure may end, by areas; which of them suit it. */
  private readonly lists = new Int16Array(AREAS * ROW);
  private readonly counts = new Int32Array(AREAS);
  private readonly suited = new Int32Array(ROW);
  /** The random stream of the local search. */
  private readonly own = new Rng("first assignment");

  constructor(private readonly assignment: Assignment) {}

  /**
   * Finds a consistent assignment of a view: one for this sample, or first assignment `j` where the public log is long.
   *
   * @returns false when none was found within the limits
   */
  start(view: View, j: number, rng: Rng): boolean {
    const { assignment, own } = this;
    assignment.net = view.net;
    if (!view.long) {
      view.net.dealStart(view.unknownChits, rng);
      return this.search(rng);
    }
    const known = view.startState(j);
    if (known === START.impossible) return false;
    if (known === START.found) {
      view.recallStart(j, assignment.departureOf, assignment.guns.placeOf);
      assignment.guns.place();
      assignment.recompute();
      return true;
    }
    view.seedStart(j, own);
    view.net.dealStart(view.unknownChits, own);
    const found = this.search(own);
    if (found) view.keepStart(j, assignment.departureOf, assignment.guns.placeOf);
    else view.giveUp(j);
    return found;
  }

  private search(rng: Rng): boolean {
    this.drawAtRandom(rng);
    this.assignment.guns.scatter(rng);
    this.measure();
    for (let round = 0; this.cost > 0 && round < ROUNDS; round++) {
      for (let k = REPAIRS; k > 0 && this.cost > 0; k--) {
        this.repair(rng);
        if (this.cost > 0 && k % GUNS === 0) this.moveGuns(rng);
      }
      if (this.cost > 0) this.metropolisSweep(rng);
    }
    return this.cost === 0;
  }

  /** A random assignment; each reveal goes to a counter there that fits it, if there is one. */
  private drawAtRandom(rng: Rng): void {
    const { lists, counts, suited } = this;
    const { net, headOf, departureOf, visitOf } = this.assignment;
    counts.fill(0);
    let x = 0;
    for (let e = 0; e < net.departures; e++) {
      for (; x < net.visits && net.visitTime[x]! < net.departureTime[e]!; x++) {
        const a = net.visitArea[x]!;
        const by = net.by[x]!;
        headOf[x] = by < 0 ? net.counterOf[x]! : headOf[visitOf[by]!]!;
        lists[a * ROW + counts[a]!++] = x;
      }
      const row = net.departureArea[e]! * ROW;
      const n = counts[net.departureArea[e]!]!;
      let able = 0;
      if (n > 1 && (net.revealOf[e] !== ON_MAP || net.departureFlags[e] !== 0))
        for (let i = 0; i < n; i++) if (this.suits(headOf[lists[row + i]!]!, e)) suited[able++] = i;
      const i = able > 0 ? suited[rng.below(able)]! : n > 1 ? rng.below(n) : 0;
      const y = lists[row + i]!;
      lists[row + i] = lists[row + n - 1]!;
      counts[net.departureArea[e]!] = n - 1;
      departureOf[y] = e;
      visitOf[e] = y;
    }
  }

  private suits(counter: number, e: number): boolean {
    const { assignment } = this;
    const { net } = assignment;
    return (
      (net.to[e]! < 0
        ? assignment.revealMismatch(counter, net.revealOf[e]!)
        : assignment.moveMismatch(counter, net.departureFlags[e]!)) === 0
    );
  }

  /** Counts all violations from scratch. */
  private measure(): void {
    const { assignment } = this;
    const { net } = assignment;
    this.badN = 0;
    this.rest = assignment.count();
    this.cost = this.rest;
    for (let k = 0; k < net.counters; k++) {
      this.bad[k] = 0;
      this.worsen(k, assignment.mismatches(k, assignment.departureOf[net.birth[k]!]!, assignment.reveal[k]!));
      this.cost += this.bad[k]!;
    }
  }

  private worsen(counter: number, by: number): void {
    const { bad, badList, badAt } = this;
    const before = bad[counter]!;
    bad[counter] = before + by;
    if (before === 0 && by > 0) {
      badAt[counter] = this.badN;
      badList[this.badN++] = counter;
    } else if (before > 0 && before + by === 0) {
      const last = badList[--this.badN]!;
      badList[badAt[counter]!] = last;
      badAt[last] = badAt[counter]!;
    }
  }

  /** Makes the exchange on the path of a violating counter that removes most violations (of several a random one). */
  private repair(rng: Rng): void {
    const { assignment } = this;
    const { net } = assignment;
    const k = this.badN > 0 ? this.badList[rng.below(this.badN)]! : rng.below(net.counters);
    const any = rng.below(NOISE) === 0;
    let best = NEVER;
    let bestD = 0;
    let bestE = 0;
    let ties = 0;
    for (let x = net.birth[k]!; x >= 0;) {
      const d = assignment.departureOf[x]!;
      const group = net.groupOf[d]!;
      const to = net.groupFrom[group + 1]!;
      for (let i = net.groupFrom[group]!; i < to; i++) {
        const e = net.member[i]!;
        if (e === d || !assignment.mayExchange(d, e)) continue;
        const delta = any ? 0 : this.change(d, e, k, assignment.headOf[assignment.visitOf[e]!]!, best);
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
    const q = assignment.headOf[assignment.visitOf[bestE]!]!;
    this.make(bestD, bestE, k, q, this.change(bestD, bestE, k, q, NEVER));
  }

  /** Proposes another place for every gun, and takes it where that is no worse. */
  private moveGuns(rng: Rng): void {
    const { net, guns } = this.assignment;
    for (let i = 0; i < net.gunCount; i++) {
      const from = guns.placeOf[i]!;
      const place = guns.drawPlace(i, rng);
      if (place < 0) continue;
      const before = guns.endMismatch(from);
      const other = guns.endMismatch(place);
      const rest = guns.move(i, place);
      const more = guns.endMismatch(from) - before;
      const moreOther = guns.endMismatch(place) - other;
      if (rest + more + moreOther > 0) {
        guns.move(i, from);
        continue;
      }
      if (more !== 0) this.worsen(guns.counterAt(from), more);
      if (moreOther !== 0) this.worsen(guns.counterAt(place), moreOther);
      this.rest += rest;
      this.cost += rest + more + moreOther;
    }
  }

  /** Proposes one exchange for every departure that another counter may have taken. */
  private metropolisSweep(rng: Rng): void {
    const { assignment } = this;
    const { net } = assignment;
    for (let c = 0; c < net.choices; c++) {
      const at = net.choice[c]!;
      const d = net.member[at]!;
      const e = net.member[at + rng.below(net.others[c]!)]!;
      if (e !== d && assignment.mayExchange(d, e)) this.propose(d, e, rng);
    }
  }

  private propose(d: number, e: number, rng: Rng): void {
    const { assignment } = this;
    const p = assignment.headOf[assignment.visitOf[d]!]!;
    const q = assignment.headOf[assignment.visitOf[e]!]!;
    const delta = this.change(d, e, p, q, WORST);
    if (delta <= 0 || (delta <= WORST && rng.below(LAXITY ** delta) === 0)) this.make(d, e, p, q, delta);
  }

  /**
   * Change of the number of violations if counter `p` at departure `d` and `q` at `e` exchanged these.
   *
   * @param most results above it need not be exact
   */
  private change(d: number, e: number, p: number, q: number, most: number): number {
    const { assignment } = this;
    const endP = assignment.reveal[p]!;
    const endQ = assignment.reveal[q]!;
    this.moreP = assignment.mismatches(p, e, endQ) - assignment.mismatches(p, d, endP);
    this.moreQ = assignment.mismatches(q, d, endP) - assignment.mismatches(q, e, endQ);
    this.moreRest = 0;
    const delta = this.moreP + this.moreQ;
    if (delta - this.rest > most) return delta; // the rest cannot compensate for it
    if (assignment.net.landingTurn[p] !== assignment.net.landingTurn[q]) {
      this.moreRest += assignment.exchangeEnds(p, q, endP, endQ);
      this.moreRest -= assignment.exchangeEnds(q, p, endP, endQ);
    }
    if (assignment.net.checks.any || assignment.net.movePairs.count > 0)
      this.moreRest += assignment.tradeCost(d, e, p, q);
    return delta + this.moreRest;
  }

  /** Carries out the exchange of the last call of `change`. */
  private make(d: number, e: number, p: number, q: number, delta: number): void {
    const { assignment } = this;
    assignment.exchangeEnds(p, q, assignment.reveal[p]!, assignment.reveal[q]!);
    this.worsen(p, this.moreP);
    this.worsen(q, this.moreQ);
    assignment.trade(d, e, p, q);
    this.cost += delta;
    this.rest += this.moreRest;
  }
}
