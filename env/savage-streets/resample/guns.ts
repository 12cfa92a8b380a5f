import type { Rng } from "../../core/dice/rng.js";
import { SOVIETS } from "../state.js";
import { IS_CHIT, ON_MAP, COUNTERS } from "./network.js";
import type { Network } from "./network.js";
import type { Stacking } from "./stacking.js";

const NO_GUN = -1;

/** As the reveal of a counter on the map: it is this unit, a gun. */
const asGun = (unit: number): number => ON_MAP - 1 - unit;
/** The unit of such a reveal. */
export const unitOfGun = (reveal: number): number => ON_MAP - 1 - reveal;

/** What guns need to know of their assignment. */
interface Armed {
  readonly net: Network;
  readonly stacking: Stacking;
  readonly departureOf: Int16Array;
  readonly visitOf: Int16Array;
  readonly headOf: Int16Array;
  readonly reveal: Int16Array;
  revealMismatch(counter: number, reveal: number): number;
}

/** The guns of an assignment: which counters they are, and that the stacking checks know of them. */
export class Guns {
  /** The place of each gun of the network; the gun of each place, or -1. */
  readonly placeOf = new Int16Array(SOVIETS);
  private readonly gunAt = new Int16Array(COUNTERS + SOVIETS);

  constructor(private readonly assignment: Armed) {}

  /** The counters that guns are, and what the checks have of all. */
  count(): void {
    const { net, stacking, reveal, departureOf } = this.assignment;
    for (let i = 0; i < net.gunCount; i++)
      if (this.placeOf[i]! < net.endCount) reveal[this.counterAt(this.placeOf[i]!)] = asGun(net.gun[i]!);
    if (net.checks.askGuns)
      for (let k = 0; k < net.counters; k++) stacking.arm(net.birth[k]!, this.is(k, reveal[k]!), departureOf);
  }

  /** Puts every gun at a random place. */
  scatter(rng: Rng): void {
    const { gunAt, placeOf } = this;
    const { net } = this.assignment;
    gunAt.fill(NO_GUN, 0, net.endCount + net.waiting);
    for (let i = 0; i < net.gunCount; i++) {
      const places = (net.atStart >> net.gun[i]!) & 1 ? net.endCount : net.endCount + net.waiting;
      let place = rng.below(places);
      while (gunAt[place] !== NO_GUN) place = rng.below(places);
      placeOf[i] = place;
      gunAt[place] = i;
    }
  }

  /** Puts the guns where `placeOf` says. */
  place(): void {
    this.gunAt.fill(NO_GUN, 0, this.assignment.net.endCount + this.assignment.net.waiting);
    for (let i = 0; i < this.assignment.net.gunCount; i++) this.gunAt[this.placeOf[i]!] = i;
  }

  /** A place for the `i`-th gun, or -1 where that or what is there can't change places with it. */
  drawPlace(i: number, rng: Rng): number {
    const { placeOf, gunAt } = this;
    const { net } = this.assignment;
    const place = rng.below(net.endCount + net.waiting);
    const from = placeOf[i]!;
    if (place === from || (place >= net.endCount && from >= net.endCount)) return -1;
    const other = gunAt[place]!;
    const waits = place >= net.endCount ? i : from >= net.endCount ? other : NO_GUN;
    return waits !== NO_GUN && (net.atStart >> net.gun[waits]!) & 1 ? -1 : place;
  }

  /** The counter that ends at a place on the map. */
  counterAt(place: number): number {
    return this.assignment.headOf[this.assignment.visitOf[this.assignment.net.ends[place]!]!]!;
  }

  /**
   * The `i`-th gun changes places with what is at `place`. A second call with the place where it was takes this back.
   *
   * @returns by how many counters more the checks are missed
   */
  move(i: number, place: number): number {
    const { placeOf, gunAt } = this;
    const from = placeOf[i]!;
    const other = gunAt[place]!;
    gunAt[from] = other;
    if (other !== NO_GUN) placeOf[other] = from;
    gunAt[place] = i;
    placeOf[i] = place;
    return this.endAt(from, other) + this.endAt(place, i);
  }

  /** The counter that ends at a place is gun `i` now, or none. */
  private endAt(place: number, i: number): number {
    if (place >= this.assignment.net.endCount) return 0;
    const k = this.counterAt(place);
    const delta = this.arm(k, -1);
    this.assignment.reveal[k] = i === NO_GUN ? ON_MAP : asGun(this.assignment.net.gun[i]!);
    return delta + this.arm(k, 1);
  }

  /** Proposes another place for every gun. */
  sweep(rng: Rng): void {
    for (let i = 0; i < this.assignment.net.gunCount; i++) {
      const from = this.placeOf[i]!;
      const place = this.drawPlace(i, rng);
      if (place >= 0 && (this.move(i, place) > 0 || this.endMismatch(from) + this.endMismatch(place) > 0))
        this.move(i, from);
    }
  }

  /** Violations by the counter that ends at a place, what it is. */
  endMismatch(place: number): number {
    if (place >= this.assignment.net.endCount) return 0;
    const k = this.counterAt(place);
    return this.assignment.revealMismatch(k, this.assignment.reveal[k]!);
  }

  /** True when both are *plain*: units without a name. Such a one is a gun by where it ends. */
  arePlain(p: number, q: number): boolean {
    return this.isPlain(p) && this.isPlain(q);
  }

  private isPlain(counter: number): boolean {
    return this.assignment.net.candidates[counter] !== IS_CHIT && this.assignment.net.named[counter]! < 0;
  }

  /**
   * Counts guns as if plain counters with departures `d` and `e` exchanged these: nothing changes where they go then,
   * only on their ways before.
   *
   * @param sign -1 takes this back
   */
  trade(d: number, e: number, sign: number): number {
    const { net, stacking, departureOf } = this.assignment;
    const p = this.assignment.headOf[this.assignment.visitOf[d]!]!;
    const q = this.assignment.headOf[this.assignment.visitOf[e]!]!;
    const by = sign * (this.is(q, this.assignment.reveal[q]!) - this.is(p, this.assignment.reveal[p]!));
    const until = Math.min(net.departureChecks[d]!, net.departureChecks[e]!);
    return (
      stacking.arm(net.birth[p]!, by, departureOf, d, until) + stacking.arm(net.birth[q]!, -by, departureOf, e, until)
    );
  }

  /** True when a counter that ends in `reveal` counts as a gun. 1 if so. */
  private is(counter: number, reveal: number): number {
    const { net } = this.assignment;
    if (net.candidates[counter] === IS_CHIT) return 0;
    if (reveal !== ON_MAP) return reveal < ON_MAP ? 1 : net.revealGun[reveal]!;
    const id = net.named[counter]!;
    return id < 0 ? 0 : (net.guns >> id) & 1;
  }

  /** True when `p` and `q` count differently as guns, now or when they have exchanged their ends. */
  differ(p: number, q: number): boolean {
    if (!this.assignment.net.checks.askGuns) return false;
    const { reveal } = this.assignment;
    const one = this.is(p, reveal[p]!);
    if (one !== this.is(q, reveal[q]!)) return true;
    return !this.arePlain(p, q) && (one !== this.is(p, reveal[q]!) || one !== this.is(q, reveal[p]!));
  }

  arm(counter: number, sign: number): number {
    const { net, stacking, departureOf } = this.assignment;
    return stacking.arm(net.birth[counter]!, sign * this.is(counter, this.assignment.reveal[counter]!), departureOf);
  }
}
