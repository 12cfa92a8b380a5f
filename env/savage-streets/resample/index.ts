import { bits, lowest, nthBitOf } from "../../core/bits.js";
import { InvariantError } from "../../core/errors.js";
import type { State, StateView } from "../../core/layout.js";
import type { Rng } from "../../core/rng.js";
import { isArmed, type Rules } from "../data.js";
import { destinations } from "../actions.js";
import * as ledger from "../ledger.js";
import { chitAreas, firstInHand } from "../rules/chits.js";
import { sovietStackFits } from "../rules/counters.js";
import { landingChoices, mayTry } from "../rules/reinforcement.js";
import { chitMayMove, sovietOverfull, unitMayMove } from "../rules/soviet-movement.js";
import * as state from "../state.js";
import { ChitDealer } from "./chits.js";
import { scatter } from "./fallback.js";
import * as networks from "./network.js";
import type { Network } from "./network.js";
import { Reader, unseenUnits } from "./reader.js";
import { Story } from "./story.js";
import { Teller } from "./teller.js";
import { STORIES, type View, Views } from "./views.js";

// own constants, for speed: see core/layout.ts
const { ENTRY, entryAt, flagsIn, ONLY, turnIn, typeIn } = ledger;
const {
  AREAS,
  chitHas,
  chitPlaceOf,
  CHITS,
  F,
  FUTURE,
  GERMANS,
  KIND,
  kindOf,
  L,
  PHASE,
  phaseOf,
  placeOf,
  SOVIET,
  SOVIETS,
  turnOf,
  UNITS,
  unitHas,
  WAITING,
} = state;
const { IS_CHIT, TOKENS } = networks;

/** Attempts at one history before the fallback. */
const ATTEMPTS = STORIES;
const ALL = 0x7fffffff;
/** Attempts without a history. */
const FALLBACKS = 200;
/** How often both are gone through before the position is given up: there is at least one solution, the truth. */
const ROUNDS = 50;
/** Deals of identities to a replayed history, which is mixed on in between. */
const DEALS = 12;

/**
 * Complete states that fit what the German has seen. The ledger is read into a network of tokens' stays (network.ts); a story
 * of who left by which exit is told (teller.ts) and mixed on among those that fit (story.ts). Identities are then matched to
 * tokens, kinds to chits. Reads the public part of the state only.
 */
export class Resampler {
  private readonly views: Views;
  private readonly story: Story;
  private readonly teller: Teller;
  /** Tokens without a history. */
  private readonly bare: Network;
  private readonly dealer: ChitDealer;
  private readonly total = new Int32Array(AREAS);
  private readonly upUnits = new Int32Array(AREAS);
  private readonly upChits = new Int32Array(AREAS);
  /** Token of each unit, -1 for none; tokens still to be named. */
  private readonly mapped = new Int32Array(SOVIETS);
  private readonly wild = new Int32Array(TOKENS);
  private wilds = 0;
  /** Units still to be matched, as a mask of Soviet slots, and those that let one more stack in an area. */
  private open = 0;
  private readonly armed: number;

  constructor(private readonly r: Rules) {
    let armed = 0;
    for (let k = 0; k < SOVIETS; k++) if (isArmed(r.data, GERMANS + k)) armed |= 1 << k;
    this.armed = armed;
    const reader = new Reader(r);
    this.bare = reader.network();
    this.story = new Story(this.bare);
    this.teller = new Teller(this.story);
    this.views = new Views(reader);
    this.dealer = new ChitDealer(r, this.story);
  }

  /**
   * @returns false when the history had to be left out of account
   * @throws InvariantError when nothing fits after `ROUNDS`
   */
  resample(s: StateView, player: number, out: State, rng: Rng): boolean {
    out.set(s as ArrayLike<number>);
    rng.freshStream(out);
    if (player === SOVIET) return true; // he knows all but the dice
    if (phaseOf(s) === PHASE.setup) {
      if (kindOf(s) !== KIND.none) this.setup(out, rng);
      return true;
    }
    this.publicCounts(s);
    const view = this.views.of(s, this.dealer.unknownAtStart(s));
    for (let round = 0; round < ROUNDS; round++) {
      if (this.withHistory(s, view, out, rng)) return true;
      if (this.withoutHistory(s, out, rng)) return false;
    }
    throw new InvariantError("savage-streets: no state was found that fits what the German has seen");
  }

  private withHistory(s: StateView, view: View, out: State, rng: Rng): boolean {
    const first = view.long ? rng.below(STORIES) : 0;
    for (let k = 0; k < ATTEMPTS; k++) {
      if (!this.teller.tell(view, (first + k) % STORIES, rng)) continue;
      for (let d = 0; d < DEALS; d++) {
        this.story.mix(rng);
        if (this.dealer.kinds(s, rng) && this.deal(s, out, rng)) return true;
      }
    }
    return false;
  }

  private withoutHistory(s: StateView, out: State, rng: Rng): boolean {
    for (let k = 0; k < FALLBACKS; k++) {
      scatter(this.r, s, this.bare, rng, this.total, this.upUnits, this.upChits);
      this.story.settle(this.bare);
      this.dealer.anyKinds(s, rng);
      if (this.deal(s, out, rng)) return true;
    }
    return false;
  }

  /** Set-up, of which he sees nothing: some units of the order are placed anywhere. Ruling R39. */
  private setup(out: State, rng: Rng): void {
    const { r } = this;
    let units = 0;
    for (let u = GERMANS; u < UNITS; u++) if (r.data.entryTurn[u] === 0) units++;
    let placed = rng.below(units);
    out.fill(0, L.soviets, L.soviets + AREAS);
    for (let u = GERMANS; u < UNITS; u++) if (r.data.entryTurn[u] === 0) out[L.unitPlace + u] = FUTURE;
    for (let u = GERMANS; u < UNITS; u++) {
      if (r.data.entryTurn[u] !== 0) continue;
      if (placed-- === 0) {
        out[L.dUnit] = u + 1;
        return;
      }
      let a = rng.below(AREAS);
      while (((r.data.numbered >> a) & 1) === 0 || !sovietStackFits(r, out, a, u)) a = rng.below(AREAS);
      out[L.unitPlace + u] = a;
      out[L.soviets + a]!++;
    }
  }

  private publicCounts(s: StateView): void {
    this.total.fill(0);
    this.upUnits.fill(0);
    this.upChits.fill(0);
    for (let u = GERMANS; u < UNITS; u++) {
      const a = placeOf(s, u);
      if (a < AREAS) (unitHas(s, u, F.faceUp) ? this.upUnits : this.total)[a]!++;
    }
    for (let c = 0; c < CHITS; c++) {
      const a = chitPlaceOf(s, c);
      if (a < AREAS) (chitHas(s, c, F.faceUp) ? this.upChits : this.total)[a]!++;
    }
  }

  /** Writes the replayed history into `out` with random identities. @returns false when they do not fit */
  private deal(s: StateView, out: State, rng: Rng): boolean {
    return this.units(s, out, rng) && this.finish(s, out, rng);
  }

  private finish(s: StateView, out: State, rng: Rng): boolean {
    this.dealer.write(s, out, rng);
    if (phaseOf(s) !== PHASE.sovMove)
      for (let a = 0; a < AREAS; a++) if (!sovietStackFits(this.r, out, a, -1)) return false;
    return this.tried(s, out, rng) && decide(this.r, s, out, rng);
  }

  /** Matches tokens to the units that are face-down or waiting, those with the fewest possibilities first. */
  private units(s: StateView, out: State, rng: Rng): boolean {
    const { r, mapped } = this;
    const { loc, moved, net } = this.story;
    this.open = unseenUnits(s);
    for (let m = this.open; m !== 0; m &= m - 1) {
      const u = GERMANS + lowest(m);
      out[L.unitPlace + u] = WAITING;
      out[L.unitFlags + u] = 0;
      out[L.unitRank + u] = 0;
    }
    mapped.fill(-1);
    this.wilds = 0;
    for (let k = 0; k < net.tokens; k++) {
      if (loc[k]! < 0 || net.cand[k] === IS_CHIT) continue;
      if (net.named[k]! < 0) this.wild[this.wilds++] = k;
      else this.name(k, net.named[k]!);
    }
    if (phaseOf(s) !== PHASE.sovMove) for (let a = 0; a < AREAS; a++) if (!this.arm(s, a, rng)) return false;
    while (this.wilds > 0) {
      let best = 0;
      let least = 99;
      for (let p = 0; p < this.wilds; p++) {
        const c = bits(this.mayBe(this.wild[p]!));
        if (c >= least) continue;
        least = c;
        best = p;
      }
      if (least === 0) return false;
      this.nameWild(best, this.mayBe(this.wild[best]!), rng);
    }
    for (let k = 0; k < SOVIETS; k++) if ((this.open >> k) & 1 && r.data.entryTurn[GERMANS + k] === 0) return false; // at-start units never wait
    const moving = phaseOf(s) === PHASE.sovMove;
    out.fill(0, L.soviets, L.soviets + AREAS);
    for (let k = 0; k < SOVIETS; k++) {
      const u = GERMANS + k;
      const t = mapped[k]!;
      if (t >= 0) {
        out[L.unitPlace + u] = loc[t]!;
        if (moving && moved[t] === turnOf(s)) out[L.unitFlags + u] = F.moved;
      }
      if (out[L.unitPlace + u]! < AREAS) out[L.soviets + out[L.unitPlace + u]!]!++;
    }
    if (r.solo) this.ranks(out);
    return true;
  }

  private name(token: number, id: number): void {
    this.mapped[id] = token;
    this.open &= ~(1 << id);
  }

  /** Names the token at `p` of `wild` at random. */
  private nameWild(p: number, ids: number, rng: Rng): void {
    this.name(this.wild[p]!, nthBitOf(ids, rng.below(bits(ids))));
    this.wild[p] = this.wild[--this.wilds]!;
  }

  /** Units that a token without a name may still be. */
  private mayBe(token: number): number {
    const { net } = this.story;
    return net.cand[token]! & this.open & (this.story.smg[token] === 1 ? net.smgMask : ALL);
  }

  /**
   * Where one unit more lies than could without a tank or gun, and none is known there, a random token is one (of several
   * that may be: weighted by tokens).
   *
   * @returns false when none can be
   */
  private arm(s: StateView, area: number, rng: Rng): boolean {
    const { r, mapped } = this;
    const { loc } = this.story;
    let units = this.upUnits[area]!;
    let known = false;
    for (let u = GERMANS; u < UNITS; u++)
      if (placeOf(s, u) === area && unitHas(s, u, F.faceUp) && (this.armed >> (u - GERMANS)) & 1) known = true;
    for (let k = 0; k < SOVIETS; k++) {
      if (mapped[k]! < 0 || loc[mapped[k]!] !== area) continue;
      units++;
      if ((this.armed >> k) & 1) known = true;
    }
    let able = 0;
    for (let p = 0; p < this.wilds; p++) {
      if (loc[this.wild[p]!] !== area) continue;
      units++;
      if (this.mayBe(this.wild[p]!) & this.armed) able++;
    }
    if (known || units <= (r.solo ? r.data.stacking.soloUnits : r.data.stacking.units)) return true;
    if (able === 0) return false;
    let pick = rng.below(able);
    for (let p = 0; p < this.wilds; p++) {
      const ids = loc[this.wild[p]!] === area ? this.mayBe(this.wild[p]!) & this.armed : 0;
      if (ids === 0 || pick-- !== 0) continue;
      this.nameWild(p, ids, rng);
      break;
    }
    return true;
  }

  /** Solo: stacks stand in the order in which their units came. */
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
    const x = this.seqOf(j);
    const y = this.seqOf(k);
    return x < y || (x === y && j < k);
  }

  private seqOf(k: number): number {
    return this.mapped[k]! >= 0 ? this.story.seqOf(this.mapped[k]!) : this.story.upSeqOf(k);
  }

  /** As many waiting units as were turned away this turn have tried. */
  private tried(s: StateView, out: State, rng: Rng): boolean {
    for (let i = s[L.ledgerN]! - 1; i >= 0 && turnIn(entryAt(s, i)) === turnOf(s); i--) {
      const w = entryAt(s, i);
      if (typeIn(w) !== ENTRY.land || (flagsIn(w) & 3) !== 1) continue;
      const only = flagsIn(w) >> 2;
      let n = 0;
      for (let u = GERMANS; u < UNITS; u++) if (this.couldTry(out, u, only)) n++;
      if (n === 0) return false;
      let pick = rng.below(n);
      for (let u = GERMANS; u < UNITS; u++) {
        if (!this.couldTry(out, u, only) || pick-- !== 0) continue;
        out[L.unitFlags + u]! |= F.tried;
        break;
      }
    }
    return true;
  }

  private couldTry(out: StateView, u: number, only: number): boolean {
    return mayTry(out, u) && (only === ONLY.open || (only === ONLY.red) === (this.r.data.red[u] === 1));
  }
}

/** Chooses the hidden part of a Soviet decision. @returns false when the state does not allow that decision */
function decide(r: Rules, s: StateView, out: State, rng: Rng): boolean {
  switch (kindOf(s)) {
    case KIND.reinfPick:
      for (let u = GERMANS; u < UNITS; u++) if (mayTry(out, u) && landingChoices(r, out, u) !== 0) return true;
      return false;
    case KIND.reinfArea: {
      let n = 0;
      for (let u = GERMANS; u < UNITS; u++) if (mayTry(out, u) && landingChoices(r, out, u) !== 0) n++;
      let pick = n === 0 ? -1 : rng.below(n);
      for (let u = GERMANS; u < UNITS; u++)
        if (mayTry(out, u) && landingChoices(r, out, u) !== 0 && pick-- === 0) out[L.dUnit] = u + 1;
      return n > 0;
    }
    case KIND.chitPlace:
      out[L.dChit] = firstInHand(out) + 1;
      return chitAreas(r, out) !== 0;
    case KIND.sovDest:
      return chooseMover(r, out, rng);
    case KIND.sovExcess: {
      const area = s[L.dArea]! - 1;
      for (let a = 0; a < area; a++) if (sovietOverfull(r, out, a)) return false;
      return sovietOverfull(r, out, area);
    }
    default:
      return true;
  }
}

/** A counter that may have been picked to move; of like chits in an area the lowest slot. */
function chooseMover(r: Rules, out: State, rng: Rng): boolean {
  let n = 0;
  for (let k = GERMANS; k < UNITS + CHITS; k++) if (couldMove(r, out, k)) n++;
  if (n === 0) return false;
  let pick = rng.below(n);
  for (let k = GERMANS; k < UNITS + CHITS; k++) {
    if (!couldMove(r, out, k) || pick-- !== 0) continue;
    let mover = k;
    for (let c = 0; k >= UNITS && c < k - UNITS && mover === k; c++)
      if (
        r.data.chitKind[c] === r.data.chitKind[k - UNITS] &&
        chitPlaceOf(out, c) === chitPlaceOf(out, k - UNITS) &&
        chitMayMove(r, out, c)
      )
        mover = UNITS + c;
    out[L.dUnit] = mover + 1;
  }
  return true;
}

const couldMove = (r: Rules, s: StateView, k: number): boolean =>
  k < UNITS ? unitMayMove(r, s, k) && destinations(r, s, k) !== 0 : chitMayMove(r, s, k - UNITS);
