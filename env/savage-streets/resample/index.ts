import { bits, lowest, nthBitOf } from "../../core/bits.js";
import { InvariantError } from "../../core/errors.js";
import type { State, StateView } from "../../core/layout.js";
import type { Rng } from "../../core/dice/rng.js";
import { isArmed, type Tables } from "../data.js";
import { decisionOfKind } from "../decisions/index.js";
import { ENTRY, entryAt, flagsIn, ONLY, turnIn, typeIn } from "../public-log.js";
import { sovietStackFits } from "../rules/counters.js";
import { mayTry } from "../rules/reinforcement.js";
import {
  type AreaId,
  AREAS,
  chitHas,
  chitPlaceOf,
  CHITS,
  DECISION,
  decisionOf,
  FIRST_AREA,
  FIRST_CHIT,
  FLAG,
  FUTURE,
  GERMANS,
  L,
  NO_UNIT,
  PHASE,
  phaseOf,
  placeOf,
  SOVIET,
  sovietOf,
  SOVIETS,
  turnOf,
  unitHas,
  type UnitId,
  UNITS,
  WAITING,
} from "../state.js";
import { ChitDealer } from "./chits.js";
import { scatter } from "./fallback.js";
import { IS_CHIT, COUNTERS, ON_MAP } from "./network.js";
import type { Network } from "./network.js";
import { faceUp, Reader, unseenUnits } from "./reader.js";
import { River } from "./river.js";
import { Assignment } from "./assignment.js";
import { unitOfGun } from "./guns.js";
import { ChainStarter } from "./chain-start.js";
import { CHAIN_STARTS, type View, ViewCache } from "./view-cache.js";

/** Attempts at one history before the fallback. */
const ATTEMPTS = CHAIN_STARTS;
const ALL = 0x7fffffff;
/** Attempts without a history. */
const FALLBACKS = 200;
/** Rounds of both before the position is given up: there is at least one solution, the true state. */
const ROUNDS = 50;
/** Deals of identities to a replayed history; the Markov chain runs on between them. */
const DEALS = 12;

/**
 * Complete states consistent with the German player's observations. The public log becomes a network of counters'
 * visits (network.ts); an assignment of departures to visits is found (chain-start.ts), then a Markov chain samples
 * among the consistent ones (assignment.ts). Identities are then matched to counters, kinds to chits. Reads the public
 * part of the state only.
 */
export class Resampler {
  private readonly views: ViewCache;
  private readonly assignment: Assignment;
  private readonly starter: ChainStarter;
  /** Counters without a history. */
  private readonly bare: Network;
  private readonly dealer: ChitDealer;
  private readonly river: River;
  private readonly total = new Int32Array(AREAS);
  private readonly upUnits = new Int32Array(AREAS);
  private readonly upChits = new Int32Array(AREAS);
  private readonly upGuns = new Int32Array(AREAS);
  /** All three, as of `faceUp`. */
  private readonly up = new Int32Array(AREAS);
  /** Counter of each unit, -1 for none; counters still to be named. */
  private readonly mapped = new Int32Array(SOVIETS);
  private readonly unnamed = new Int32Array(COUNTERS);
  private unnamedCount = 0;
  /** Units still to be matched, and those that let one more stack in an area: *guns*. */
  private open = 0;
  private readonly guns: number;

  constructor(private readonly tables: Tables) {
    let guns = 0;
    for (let k = 0; k < SOVIETS; k++) if (isArmed(tables.data, sovietOf(k))) guns |= 1 << k;
    this.guns = guns;
    const reader = new Reader(tables);
    this.bare = reader.network();
    this.assignment = new Assignment(this.bare);
    this.starter = new ChainStarter(this.assignment);
    this.views = new ViewCache(reader);
    this.dealer = new ChitDealer(tables, this.assignment);
    this.river = new River(tables, this.assignment);
  }

  /**
   * @returns false when the history had to be ignored
   * @throws InvariantError when nothing fits after `ROUNDS`
   */
  resample(s: StateView, player: number, out: State, rng: Rng): boolean {
    out.set(s as ArrayLike<number>);
    rng.freshStream(out);
    if (player === SOVIET) return true; // the Soviet player knows all but the dice
    if (phaseOf(s) === PHASE.setup) {
      if (decisionOf(s) !== DECISION.none) this.setup(out, rng);
      return true;
    }
    this.publicCounts(s);
    const view = this.views.of(s, this.dealer.unknownAtStart(s), this.up);
    for (let round = 0; round < ROUNDS; round++) {
      if (this.withHistory(s, view, out, rng)) return true;
      if (this.withoutHistory(s, out, rng)) return false;
    }
    throw new InvariantError("savage-streets: no state was found that fits what the German has seen");
  }

  private withHistory(s: StateView, view: View, out: State, rng: Rng): boolean {
    const first = view.long ? rng.below(CHAIN_STARTS) : 0;
    for (let k = 0; k < ATTEMPTS; k++) {
      if (!this.starter.start(view, (first + k) % CHAIN_STARTS, rng)) continue;
      for (let d = 0; d < DEALS; d++) {
        this.assignment.mix(rng);
        if (this.dealer.kinds(s, rng) && this.deal(s, out, rng)) return true;
      }
    }
    return false;
  }

  private withoutHistory(s: StateView, out: State, rng: Rng): boolean {
    for (let k = 0; k < FALLBACKS; k++) {
      scatter(this.tables, s, this.bare, rng, this.total, this.upUnits, this.upChits, this.upGuns);
      const fits = this.assignment.settle(this.bare, rng);
      this.dealer.anyKinds(s, rng);
      if (fits && this.deal(s, out, rng)) return true;
    }
    return false;
  }

  /** Set-up, which the German player does not see: some units of the order are placed anywhere. Ruling R39. */
  private setup(out: State, rng: Rng): void {
    const { tables } = this;
    let units = 0;
    for (let u = GERMANS; u < UNITS; u++) if (tables.data.entryTurn[u] === 0) units++;
    let placed = rng.below(units);
    out.fill(0, L.soviets, L.soviets + AREAS);
    for (let u = GERMANS; u < UNITS; u++) if (tables.data.entryTurn[u] === 0) out[L.unitPlace + u] = FUTURE;
    for (let u = GERMANS; u < UNITS; u++) {
      if (tables.data.entryTurn[u] !== 0) continue;
      if (placed-- === 0) {
        out[L.decisionUnit] = u + 1;
        return;
      }
      let a = rng.below(AREAS) as AreaId;
      while (((tables.data.numbered >> a) & 1) === 0 || !sovietStackFits(tables, out, a, u))
        a = rng.below(AREAS) as AreaId;
      out[L.unitPlace + u] = a;
      out[L.soviets + a]!++;
    }
  }

  private publicCounts(s: StateView): void {
    this.total.fill(0);
    this.upUnits.fill(0);
    this.upChits.fill(0);
    this.upGuns.fill(0);
    for (let u = GERMANS; u < UNITS; u++) {
      const a = placeOf(s, u);
      if (a >= AREAS) continue;
      if (!unitHas(s, u, FLAG.faceUp)) this.total[a]!++;
      else {
        this.upUnits[a]!++;
        if ((this.guns >> (u - GERMANS)) & 1) this.upGuns[a]!++;
      }
    }
    for (let c = FIRST_CHIT; c < CHITS; c++) {
      const a = chitPlaceOf(s, c);
      if (a < AREAS) (chitHas(s, c, FLAG.faceUp) ? this.upChits : this.total)[a]!++;
    }
    for (let a = FIRST_AREA; a < AREAS; a++) this.up[a] = faceUp(this.upUnits[a]!, this.upChits[a]!, this.upGuns[a]!);
  }

  /** Writes the replayed history into `out` with random identities. @returns false when they do not fit */
  private deal(s: StateView, out: State, rng: Rng): boolean {
    return this.units(s, out, rng) && this.river.fits(s, this.mapped) && this.finish(s, out, rng);
  }

  private finish(s: StateView, out: State, rng: Rng): boolean {
    this.dealer.write(s, out, rng);
    if (phaseOf(s) !== PHASE.sovMove)
      for (let a = FIRST_AREA; a < AREAS; a++) if (!sovietStackFits(this.tables, out, a, NO_UNIT)) return false;
    return this.tried(s, out, rng) && (decisionOfKind(decisionOf(s)).deal?.(this.tables, out, rng) ?? true);
  }

  /** Matches counters to the units that are face-down or waiting, those with the fewest possibilities first. */
  private units(s: StateView, out: State, rng: Rng): boolean {
    const { tables, mapped } = this;
    const { finalArea, moved, net } = this.assignment;
    this.open = unseenUnits(s);
    for (let m = this.open; m !== 0; m &= m - 1) {
      const u = GERMANS + lowest(m);
      out[L.unitPlace + u] = WAITING;
      out[L.unitFlags + u] = 0;
      out[L.unitRank + u] = 0;
    }
    mapped.fill(-1);
    this.unnamedCount = 0;
    for (let k = 0; k < net.counters; k++) {
      if (finalArea[k]! < 0 || net.candidates[k] === IS_CHIT) continue;
      if (net.named[k]! >= 0) this.name(k, net.named[k]!);
      else if (this.assignment.reveal[k]! < ON_MAP) this.name(k, unitOfGun(this.assignment.reveal[k]!));
      else this.unnamed[this.unnamedCount++] = k;
    }
    if (net.checks.askGuns) this.open &= ~this.guns; // those without a counter wait
    while (this.unnamedCount > 0) {
      let best = 0;
      let least = 99;
      for (let p = 0; p < this.unnamedCount; p++) {
        const c = bits(this.mayBe(this.unnamed[p]!));
        if (c >= least) continue;
        least = c;
        best = p;
      }
      if (least === 0) return false;
      this.nameWild(best, this.mayBe(this.unnamed[best]!), rng);
    }
    for (let k = 0; k < SOVIETS; k++)
      if ((this.open >> k) & 1 && tables.data.entryTurn[sovietOf(k)] === 0) return false; // at-start units never wait
    const moving = phaseOf(s) === PHASE.sovMove;
    out.fill(0, L.soviets, L.soviets + AREAS);
    for (let k = 0; k < SOVIETS; k++) {
      const u = GERMANS + k;
      const t = mapped[k]!;
      if (t >= 0) {
        out[L.unitPlace + u] = finalArea[t]!;
        if (moving && moved[t] === turnOf(s)) out[L.unitFlags + u] = FLAG.moved;
      }
      if (out[L.unitPlace + u]! < AREAS) out[L.soviets + out[L.unitPlace + u]!]!++;
    }
    if (tables.solo) this.ranks(out);
    return true;
  }

  private name(counter: number, id: number): void {
    this.mapped[id] = counter;
    this.open &= ~(1 << id);
  }

  /** Gives the counter at `p` of `unnamed` a random identity. */
  private nameWild(p: number, ids: number, rng: Rng): void {
    this.name(this.unnamed[p]!, nthBitOf(ids, rng.below(bits(ids))));
    this.unnamed[p] = this.unnamed[--this.unnamedCount]!;
  }

  /** Units that a counter of unknown identity may be. */
  private mayBe(counter: number): number {
    const { net } = this.assignment;
    const smg = this.assignment.smg[counter] === 1 ? net.smgMask : ALL;
    return net.candidates[counter]! & this.open & smg;
  }

  /** Solo: stacks are in the order in which their units came. */
  private ranks(out: State): void {
    for (let k = 0; k < SOVIETS; k++) {
      const a = out[L.unitPlace + GERMANS + k]!;
      let rank = 0;
      if (a < AREAS)
        for (let j = 0; j < SOVIETS; j++) if (out[L.unitPlace + GERMANS + j] === a && this.before(j, k)) rank++;
      out[L.unitRank + GERMANS + k] = rank;
    }
  }

  private before(j: number, k: number): boolean {
    const x = this.arrivalOf(j);
    const y = this.arrivalOf(k);
    return x < y || (x === y && j < k);
  }

  private arrivalOf(k: number): number {
    const { arrival, order } = this.assignment;
    return this.mapped[k]! >= 0 ? arrival[this.mapped[k]!]! : order.arrivalOfUnit(k);
  }

  /** As many waiting units as were turned away this turn have tried. */
  private tried(s: StateView, out: State, rng: Rng): boolean {
    for (let i = s[L.publicLogLength]! - 1; i >= 0 && turnIn(entryAt(s, i)) === turnOf(s); i--) {
      const w = entryAt(s, i);
      if (typeIn(w) !== ENTRY.land || (flagsIn(w) & 3) !== 1) continue;
      const only = flagsIn(w) >> 2;
      const triers = this.river.triers(i);
      let n = 0;
      for (let u = GERMANS; u < UNITS; u++) if (this.couldTry(out, u, only, triers)) n++;
      if (n === 0) return false;
      let pick = rng.below(n);
      for (let u = GERMANS; u < UNITS; u++) {
        if (!this.couldTry(out, u, only, triers) || pick-- !== 0) continue;
        out[L.unitFlags + u]! |= FLAG.triedLanding;
        break;
      }
    }
    return true;
  }

  private couldTry(out: StateView, u: UnitId, only: number, triers: number): boolean {
    return (
      mayTry(out, u) &&
      ((triers >> (u - GERMANS)) & 1) === 1 &&
      (only === ONLY.open || (only === ONLY.red) === (this.tables.data.red[u] === 1))
    );
  }
}
