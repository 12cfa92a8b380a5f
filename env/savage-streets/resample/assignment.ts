import type { Rng } from "../../core/dice/rng.js";
import { CLASS, SMG_MOVE } from "../public-log.js";
import { IS_CHIT, ON_MAP, VISITS, COUNTERS } from "./network.js";
import type { Network } from "./network.js";
import { Guns, unitOfGun } from "./guns.js";
import { StackOrder } from "./order.js";
import { Stacking } from "./stacking.js";

/** Sweeps that mix an assignment that fits. */
const MIXING = 8;
/** One proposal in `DETOURS` is a detour. */
const DETOURS = 4;
const DRAW = DETOURS / 4294967296;
const GONE = -1;

/**
 * An assignment: which departure ends each visit of the network. Any choice among the counters of the area that may
 * depart is a possible assignment, unless a later reveal contradicts it. Another assignment results when two counters
 * in one area exchange the rest of their paths, or (a *detour*) their paths up to where they next share an area.
 * Every exchange proposed is as likely as its reverse, and from a consistent assignment only exchanges to consistent
 * ones are made: a Markov chain whose stationary distribution is uniform over the consistent assignments.
 */
export class Assignment {
  /** After `mix`: the area of a counter at the end, or `GONE`; the turn it last moved; its arrival (`StackOrder`). */
  readonly finalArea = new Int8Array(COUNTERS);
  readonly moved = new Uint8Array(COUNTERS);
  readonly arrival = new Int32Array(COUNTERS);
  /** 1 when a counter made a move only an SMG company can make. */
  readonly smg = new Uint8Array(COUNTERS);
  /** The reveal that a counter ends in; on the map `ON_MAP`, or for a gun `asGun` of it. */
  readonly reveal = new Int16Array(COUNTERS);
  /** The departure of each visit, and the other way round; the counter whose visit it is. */
  readonly departureOf = new Int16Array(VISITS);
  readonly visitOf = new Int16Array(VISITS);
  readonly headOf = new Int16Array(VISITS);
  readonly stacking = new Stacking();
  readonly guns = new Guns(this);
  readonly order = new StackOrder(this.visitOf);
  private disorder = 0;
  /** Landed counters of unknown identity that are on the map at the end, by the turn of landing. */
  private readonly ends = new Int32Array(10);

  /** @param net the network, until another is set */
  constructor(public net: Network) {}

  /** Derives the rest of an assignment whose `departureOf` is set. */
  recompute(): void {
    const { net, departureOf, visitOf, headOf } = this;
    for (let x = 0; x < net.visits; x++) {
      const by = net.by[x]!;
      headOf[x] = by < 0 ? net.counterOf[x]! : headOf[visitOf[by]!]!;
      visitOf[departureOf[x]!] = x;
    }
    this.count();
  }

  /** Counts stacks and ends from scratch. @returns by how many counters checks and landings are missed */
  count(): number {
    const { net, departureOf, stacking } = this;
    this.ends.fill(0);
    stacking.begin(net);
    this.order.begin(net);
    this.disorder = this.order.broken();
    for (let k = 0; k < net.counters; k++) {
      const last = stacking.add(net.birth[k]!, departureOf, net.candidates[k] === IS_CHIT);
      this.reveal[k] = net.revealOf[last]!;
      if (this.reveal[k] === ON_MAP) this.ends[net.landingTurn[k]!]!++;
    }
    this.guns.count();
    return stacking.over() + this.landingExcess() + this.disorder;
  }

  /** Runs the Markov chain from a consistent assignment to another one. */
  mix(rng: Rng): void {
    for (let k = 0; k < MIXING; k++) {
      this.sweep(rng);
      this.guns.sweep(rng);
    }
    this.conclude();
  }

  /**
   * Takes the only assignment of a network without moves or reveals, with guns at random places.
   *
   * @returns true when it fits
   */
  settle(net: Network, rng: Rng): boolean {
    this.net = net;
    for (let x = 0; x < net.visits; x++) {
      this.departureOf[x] = this.visitOf[x] = x;
      this.headOf[x] = net.counterOf[x]!;
    }
    this.guns.scatter(rng);
    const fits = this.count() === 0;
    this.conclude();
    for (let k = 0; k < net.counters; k++) if (this.revealMismatch(k, this.reveal[k]!) > 0) return false;
    return fits;
  }

  /** 1 when a counter can't be what turned up in a reveal, or is not where it must be. */
  revealMismatch(counter: number, reveal: number): number {
    const { reservedReveal, candidates, revealMask } = this.net;
    if (reveal < ON_MAP)
      return (candidates[counter]! >> unitOfGun(reveal)) & 1 && candidates[counter] !== IS_CHIT ? 0 : 1;
    return reveal === reservedReveal[counter] || (candidates[counter]! & revealMask[reveal]!) !== 0 ? 0 : 1;
  }

  /** Violations by a counter that makes a move with such marks. */
  moveMismatch(counter: number, flags: number): number {
    if (flags === 0) return 0;
    const candidates = this.net.candidates[counter]!;
    const cls = flags & 3;
    return (
      (cls !== CLASS.any && (cls === CLASS.chit) !== (candidates === IS_CHIT) ? 1 : 0) +
      ((flags & SMG_MOVE) !== 0 && (candidates & this.net.smgMask) === 0 ? 1 : 0)
    );
  }

  /**
   * Violations by the moves of a counter on the path from departure `e` on, before departure `end` if the path contains
   * it.
   */
  private moveMismatches(counter: number, e: number, end = -1): number {
    const { net, departureOf } = this;
    let n = 0;
    for (let f = e, x = net.to[e]!; x >= 0 && f !== end; f = departureOf[x]!, x = net.to[f]!)
      n += this.moveMismatch(counter, net.departureFlags[f]!);
    return n;
  }

  /** Violations by a counter on the path from departure `e` on, which ends in `reveal`. */
  mismatches(counter: number, e: number, reveal: number): number {
    return this.revealMismatch(counter, reveal) + (this.net.hasRestrictedMoves ? this.moveMismatches(counter, e) : 0);
  }

  /** Counters of early landings left on the map beyond the number of units that they could be. */
  landingExcess(): number {
    let sum = 0;
    let over = 0;
    for (let t = 1; t <= 9; t++) {
      sum += this.ends[t]!;
      if (sum > this.net.unseen[t]!) over += sum - this.net.unseen[t]!;
    }
    return over;
  }

  /** True when the visits that end by departures `d` and `e` of a group may exchange these. */
  mayExchange(d: number, e: number): boolean {
    const { visitTime, departureTime } = this.net;
    return visitTime[this.visitOf[e]!]! < departureTime[d]! && visitTime[this.visitOf[d]!]! < departureTime[e]!;
  }

  /** The visits that end by departures `d` and `e` exchange these. */
  exchange(d: number, e: number): void {
    const { net, visitOf, departureOf, headOf } = this;
    const x = visitOf[d]!;
    const y = visitOf[e]!;
    visitOf[d] = y;
    visitOf[e] = x;
    departureOf[x] = e;
    departureOf[y] = d;
    const p = headOf[x]!;
    const q = headOf[y]!;
    if (p === q) return;
    const end = this.reveal[p]!;
    this.reveal[p] = this.reveal[q]!;
    this.reveal[q] = end;
    for (let z = net.to[d]!; z >= 0; z = net.to[departureOf[z]!]!) headOf[z] = q;
    for (let z = net.to[e]!; z >= 0; z = net.to[departureOf[z]!]!) headOf[z] = p;
  }

  /** Proposes one exchange for every departure that another counter may have taken. */
  private sweep(rng: Rng): void {
    const { choices, choice, others, member, interchangeClass } = this.net;
    const { visitOf, headOf } = this;
    for (let c = 0; c < choices; c++) {
      const at = choice[c]!;
      // from the same numbers before and after, so it need not be even
      const draw = Math.floor(rng.word() * DRAW * others[c]!);
      const d = member[at]!;
      const e = member[at + Math.floor(draw / DETOURS)]!;
      if (e === d || !this.mayExchange(d, e)) continue;
      const p = headOf[visitOf[d]!]!;
      const q = headOf[visitOf[e]!]!;
      if (draw % DETOURS === 0) this.detour(d, e, p, q);
      else if (interchangeClass[p] !== interchangeClass[q]) this.exchangeIfFit(d, e, p, q);
      else if (!this.guns.differ(p, q) && !this.ordersDiffer(d, e)) this.exchange(d, e);
      else if (this.trade(d, e, p, q) > 0) this.trade(d, e, p, q);
    }
  }

  /** Lets `p` at departure `d` and `q` at `e` exchange these, if a consistent assignment stays consistent. */
  private exchangeIfFit(d: number, e: number, p: number, q: number): void {
    const endP = this.reveal[p]!;
    const endQ = this.reveal[q]!;
    if (this.mismatches(q, d, endP) > 0 || this.mismatches(p, e, endQ) > 0) return;
    if (this.exchangeEnds(p, q, endP, endQ) > 0) this.exchangeEnds(q, p, endP, endQ);
    else if (this.trade(d, e, p, q) > 0) {
      this.trade(d, e, p, q);
      this.exchangeEnds(q, p, endP, endQ);
    }
  }

  /**
   * Counters `p` and `q`, one of which has departure `d` and the other `e`, exchange these, and stacks are counted
   * again. A second call takes the first one back.
   *
   * @returns by how many counters more the checks are missed
   */
  trade(d: number, e: number, p: number, q: number): number {
    const delta = this.tradeStacks(d, e, p, q);
    if (!this.ordersDiffer(d, e)) return delta;
    const before = this.disorder;
    this.disorder = this.order.broken();
    return delta + this.disorder - before;
  }

  /** True when moves may come out of their order when departures `d` and `e` are exchanged. */
  private ordersDiffer(d: number, e: number): boolean {
    const { count, inOrder } = this.net.movePairs;
    return count > 0 && (inOrder[d] === 1 || inOrder[e] === 1);
  }

  private tradeStacks(d: number, e: number, p: number, q: number): number {
    const by = this.unitsMore(this.headOf[this.visitOf[d]!]!, this.headOf[this.visitOf[e]!]!);
    let delta = by === 0 ? 0 : this.shift(d, e, by);
    if (!this.guns.differ(p, q)) this.exchange(d, e);
    else if (this.guns.arePlain(p, q)) {
      delta += this.guns.trade(d, e, 1);
      this.exchange(d, e);
    } else {
      delta += this.guns.arm(p, -1) + this.guns.arm(q, -1);
      this.exchange(d, e);
      delta += this.guns.arm(p, 1) + this.guns.arm(q, 1);
    }
    return delta;
  }

  /** What `trade` would return. */
  tradeCost(d: number, e: number, p: number, q: number): number {
    const by = this.unitsMore(this.headOf[this.visitOf[d]!]!, this.headOf[this.visitOf[e]!]!);
    let delta = 0;
    if (this.ordersDiffer(d, e)) {
      delta = this.trade(d, e, p, q);
      this.trade(d, e, p, q);
    } else if (!this.guns.differ(p, q)) {
      if (by === 0) return 0;
      delta = this.shift(d, e, by);
      this.shift(d, e, -by);
    } else if (this.guns.arePlain(p, q)) {
      delta = this.guns.trade(d, e, 1);
      this.guns.trade(d, e, -1);
    } else {
      delta = this.trade(d, e, p, q);
      this.trade(d, e, p, q);
    }
    return delta;
  }

  /** Counts `q` at the end of the path of `p` and vice versa. @returns the landing excess, if it may have changed */
  exchangeEnds(p: number, q: number, endP: number, endQ: number): number {
    const { landingTurn } = this.net;
    if (landingTurn[p] === landingTurn[q] || endP <= ON_MAP === endQ <= ON_MAP) return 0;
    this.ends[landingTurn[endP <= ON_MAP ? p : q]!]!--;
    this.ends[landingTurn[endP <= ON_MAP ? q : p]!]!++;
    return this.landingExcess();
  }

  /** Change of the number of units on the path of `p` when `q` takes it: 1, 0 or -1, and 0 where no limit applies. */
  private unitsMore(p: number, q: number): number {
    const { net } = this;
    return net.checks.any ? (net.candidates[p] === IS_CHIT ? 1 : 0) - (net.candidates[q] === IS_CHIT ? 1 : 0) : 0;
  }

  /**
   * Lets counter `p`, with departure `d`, and `q`, with departure `e`, exchange their paths up to where they next share
   * an area, if the result is consistent. It is its own reverse: the exchange leaves that place as it is.
   */
  private detour(d: number, e: number, p: number, q: number): void {
    const { net, departureOf } = this;
    if (net.interchangeClass[p] === net.interchangeClass[q] && !this.guns.differ(p, q) && !this.ordersDiffer(d, e))
      return;
    const { departureTime, groupOf, to } = net;
    let f = d;
    let g = e;
    do {
      // the counter that departs first goes on
      const first = departureTime[f]! <= departureTime[g]!;
      const x = to[first ? f : g]!;
      if (x < 0) return;
      if (first) f = departureOf[x]!;
      else g = departureOf[x]!;
    } while (groupOf[f] !== groupOf[g] || !this.mayExchange(f, g));
    if (net.hasRestrictedMoves && this.moveMismatches(q, d, f) + this.moveMismatches(p, e, g) > 0) return;
    if (this.trade(d, e, p, q) + this.trade(f, g, p, q) > 0) {
      this.trade(f, g, p, q);
      this.trade(d, e, p, q);
    }
  }

  /**
   * Counts stacks as after the exchange of departures `d` and `e`.
   *
   * @param by result of `unitsMore`
   * @returns by how many counters more the checks are missed
   */
  private shift(d: number, e: number, by: number): number {
    return d < e ? this.stacking.shift(d, e, by, this.departureOf) : this.stacking.shift(e, d, -by, this.departureOf);
  }

  /** Computes the final place of every counter. */
  private conclude(): void {
    const { net, finalArea, moved, arrival, reveal, smg } = this;
    for (let k = 0; k < net.counters; k++) {
      let x = net.birth[k]!;
      let e = this.departureOf[x]!;
      smg[k] = 0;
      while (net.to[e]! >= 0) {
        if ((net.departureFlags[e]! & SMG_MOVE) !== 0) smg[k] = 1;
        x = net.to[e]!;
        e = this.departureOf[x]!;
      }
      finalArea[k] = reveal[k]! <= ON_MAP ? net.visitArea[x]! : GONE;
      moved[k] = net.visitTurn[x]!;
      arrival[k] = this.order.arrival(x);
    }
  }
}
