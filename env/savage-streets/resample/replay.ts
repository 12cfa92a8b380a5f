import type { StateView } from "../../core/layout.js";
import type { Rng } from "../../core/rng.js";
import { isArmed, type Rules } from "../data.js";
import { areaIn, CLASS, DOWN, ENTRY, entryAt, flagsIn, idIn, ONLY, secondIn, SMG_MOVE, turnIn, typeIn } from "../ledger.js";
import { AREAS, GERMANS, L, LEDGER_WORDS, PHASE, phaseOf, SOVIETS, turnOf } from "../state.js";
import type { Outlook } from "./outlook.js";

/** Most tokens of one game: 31 units and 30 chits, some of them several times. */
export const TOKENS = 31 + 31 + 9 * 31 + 60;
/** Backtracks after which the history is given up. */
const PATIENCE = 2000;
const GONE = -1;

/**
 * One face-down counter of the history each: where it is, and what it can be. All words that change on the way stand in
 * one array with a log, so that a wrong guess is taken back.
 */
export const T = { loc: 0, cand: 1, moved: 2, id: 3, kind: 4, seq: 5, born: 6, died: 7, size: 8 } as const;
const BASE = TOKENS * T.size;
/** Behind the tokens: their number, ids spoken for, sequence; units and chits per area, either face; place of face-up units. */
const M = { count: BASE, used: BASE + 1, seq: BASE + 2, units: BASE + 3, chits: BASE + 3 + AREAS, up: BASE + 3 + 2 * AREAS, upSeq: BASE + 3 + 2 * AREAS + SOVIETS, size: BASE + 3 + 2 * AREAS + 2 * SOVIETS } as const;
/** `cand` of a chit. */
export const IS_CHIT = -1;

export class Replay {
  readonly m = new Int32Array(M.size);
  /** Backtracks of the last call. */
  backtracks = 0;
  private readonly log = new Int32Array(1 << 18);
  private logN = 0;
  /** Choices made: entry, log height, first and end of the candidates left, areas touched. */
  private readonly stack = new Int32Array(LEDGER_WORDS * 5);
  private depth = 0;
  private readonly pool = new Int32Array(1 << 16);
  private poolN = 0;
  /** Units due by a turn, and by circle, as masks of Soviet slots. */
  private readonly due = new Int32Array(10);
  private readonly redMask: number;
  private readonly smgMask: number;
  private readonly startMask: number;
  private readonly armedMask: number;
  /** Areas at fault when something does not fit. */
  private blame = 0;

  constructor(
    private readonly r: Rules,
    private readonly outlook: Outlook,
  ) {
    const pick = (f: (u: number) => boolean): number => {
      let m = 0;
      for (let k = 0; k < SOVIETS; k++) if (f(GERMANS + k)) m |= 1 << k;
      return m;
    };
    const { data } = r;
    for (let t = 1; t <= 9; t++) this.due[t] = pick((u) => data.entryTurn[u]! >= 1 && data.entryTurn[u]! <= t);
    this.redMask = pick((u) => data.red[u] === 1);
    this.smgMask = pick((u) => data.smg[u] === 1);
    this.startMask = pick((u) => data.entryTurn[u] === 0);
    this.armedMask = pick((u) => isArmed(data, u));
  }

  /** Plays the ledger once more with tokens, guessing who moved. @returns false when no consistent way was found in time */
  run(s: StateView, rng: Rng, unknownChits: number): boolean {
    this.clear();
    this.backtracks = 0;
    let i = this.begin(s, rng, unknownChits);
    const n = s[L.ledgerN]!;
    for (;;) {
      const next = i < n ? this.take(s, i, rng) : this.finished(s) ? n + 1 : -1;
      if (next > n) return true;
      if (next >= 0) {
        i = next;
        continue;
      }
      if (++this.backtracks > PATIENCE) return false;
      i = this.back(rng);
      if (i < 0) return false;
    }
  }

  /** Forgets all tokens. */
  clear(): void {
    this.m.fill(0, M.count);
    this.m.fill(GONE, M.up, M.upSeq);
    this.logN = 0;
    this.depth = 0;
    this.poolN = 0;
  }

  get tokens(): number {
    return this.m[M.count]!;
  }
  /** Sequence number of a face-up unit in its stack. */
  upSeq(k: number): number {
    return this.m[M.upSeq + k]!;
  }

  private set(i: number, v: number): void {
    this.log[this.logN++] = i;
    this.log[this.logN++] = this.m[i]!;
    this.m[i] = v;
  }

  private add(i: number, d: number): void {
    this.set(i, this.m[i]! + d);
  }

  /** A new token in area `a`. @param cand mask of the units it may be, or `IS_CHIT`; @param id the unit it is, or -1 */
  create(a: number, cand: number, id: number, seq: number, entry: number): void {
    const k = this.m[M.count]!;
    const at = k * T.size;
    this.set(at + T.loc, a);
    this.set(at + T.cand, cand);
    this.set(at + T.moved, 0);
    this.set(at + T.id, id);
    this.set(at + T.kind, -1);
    this.set(at + T.seq, seq);
    this.set(at + T.born, entry);
    this.set(at + T.died, -1);
    this.set(M.count, k + 1);
  }

  private nextSeq(): number {
    const q = this.m[M.seq]!;
    this.set(M.seq, q + 1);
    return q;
  }

  /** The counts at the start. Counters of unknown class are dealt to units and chits at random. */
  private begin(s: StateView, rng: Rng, unknownChits: number): number {
    const n = s[L.ledgerN]!;
    let i = 0;
    let unknown = 0;
    for (let k = 0; k < n && typeIn(entryAt(s, k)) === ENTRY.init; k++) if (flagsIn(entryAt(s, k)) === CLASS.any) unknown += idIn(entryAt(s, k));
    let chits = unknownChits;
    for (; i < n && typeIn(entryAt(s, i)) === ENTRY.init; i++) {
      const w = entryAt(s, i);
      const a = areaIn(w);
      const cls = flagsIn(w);
      let here = 0;
      for (let k = 0; k < idIn(w); k++) {
        // a random subset of the unknown ones, three to an area at most, are chits
        const chit = cls === CLASS.chit || (cls === CLASS.any && chits > 0 && here < 3 && rng.below(unknown) < chits);
        if (cls === CLASS.any) unknown--;
        if (chit) {
          here++;
          if (cls === CLASS.any) chits--;
          this.create(a, IS_CHIT, -1, this.nextSeq(), i);
          this.add(M.chits + a, 1);
        } else {
          this.create(a, cls === CLASS.unit ? this.startMask : this.startMask | this.due[turnIn(w)]!, -1, this.nextSeq(), i);
          this.add(M.units + a, 1);
        }
      }
    }
    return i;
  }

  /** Carries out entry `i`. @returns the next entry, or -1 when it does not fit */
  private take(s: StateView, i: number, rng: Rng): number {
    const { m } = this;
    const w = entryAt(s, i);
    const a = areaIn(w);
    const id = idIn(w);
    if (this.endsMovement(s, i) && !this.withinLimits()) return -1;
    switch (typeIn(w)) {
      case ENTRY.land: {
        const result = flagsIn(w) & 3;
        if (result === 2) this.set(M.used, m[M.used]! | (1 << (id - 1 - GERMANS)));
        if (result !== 0) return i + 1;
        const only = flagsIn(w) >> 2;
        const due = this.due[turnIn(w)]!;
        this.create(a, only === ONLY.red ? due & this.redMask : only === ONLY.black ? due & ~this.redMask : due, -1, this.nextSeq(), i);
        this.add(M.units + a, 1);
        return i + 1;
      }
      case ENTRY.chit:
        this.create(a, IS_CHIT, -1, this.nextSeq(), i);
        this.add(M.chits + a, 1);
        if (m[M.chits + a]! <= 3) return i + 1;
        this.blame = 1 << a;
        return -1;
      case ENTRY.move:
        if (id === 0) return this.choose(i, w, rng);
        this.add(M.units + a, -1);
        this.add(M.units + secondIn(w), 1);
        this.set(M.up + id - 1 - GERMANS, secondIn(w));
        this.set(M.upSeq + id - 1 - GERMANS, this.nextSeq());
        return i + 1;
      case ENTRY.revealUnit:
      case ENTRY.revealChit:
        return this.reveal(s, i, rng);
      case ENTRY.reflip:
        this.create(a, 1 << (id - GERMANS), id - GERMANS, m[M.upSeq + id - GERMANS]!, i);
        this.set(M.up + id - GERMANS, GONE);
        this.set(M.used, m[M.used]! | (1 << (id - GERMANS)));
        return i + 1;
      case ENTRY.dead:
        this.add(M.units + a, -1);
        this.set(M.up + id - GERMANS, GONE);
        return flagsIn(w) !== DOWN || this.remove(a, id - GERMANS, rng) ? i + 1 : -1;
      case ENTRY.back:
        this.add(M.chits + a, -1);
        return id !== 0 || this.removeChit(a, i, rng) ? i + 1 : -1;
      default:
        return i + 1;
    }
  }

  /** Is entry `i` the first after a Soviet movement phase? */
  private endsMovement(s: StateView, i: number): boolean {
    if (i === 0) return false;
    const w = entryAt(s, i);
    const before = entryAt(s, i - 1);
    if (!partOfMovement(before)) return false;
    return !partOfMovement(w) || turnIn(w) !== turnIn(before);
  }

  /** Rule: SS 1.21, as far as it can be told: three units and an armed one, three chits. */
  private withinLimits(): boolean {
    const { m } = this;
    const most = this.r.solo ? 3 : 4;
    for (let a = 0; a < AREAS; a++) {
      const units = m[M.units + a]!;
      if (m[M.chits + a]! <= 3 && (units <= 3 || (units <= most && this.maybeArmed(a)))) continue;
      this.blame = 1 << a;
      return false;
    }
    return true;
  }

  private maybeArmed(a: number): boolean {
    const { m } = this;
    for (let k = 0; k < m[M.count]!; k++) {
      const at = k * T.size;
      if (m[at + T.loc] !== a || m[at + T.cand] === IS_CHIT) continue;
      const open = m[at + T.id]! >= 0 ? m[at + T.cand]! : m[at + T.cand]! & ~m[M.used]!;
      if ((open & this.armedMask) !== 0) return true;
    }
    for (let k = 0; k < SOVIETS; k++) if ((this.armedMask >> k) & 1 && m[M.up + k] === a) return true;
    return false;
  }

  private finished(s: StateView): boolean {
    const n = s[L.ledgerN]!;
    if (n === 0 || !partOfMovement(entryAt(s, n - 1))) return true;
    return (turnIn(entryAt(s, n - 1)) === turnOf(s) && phaseOf(s) <= PHASE.sovMove) || this.withinLimits();
  }

  /** An anonymous move: one of the counters there that have not moved, each equally likely. */
  private choose(i: number, w: number, rng: Rng): number {
    const { m, pool } = this;
    const from = areaIn(w);
    const to = secondIn(w);
    const flags = flagsIn(w);
    const b = this.outlook.bounds[i]!;
    let unitsFrom = 0;
    let unitsTo = 0;
    for (let k = 0; k < m[M.count]!; k++) {
      const at = k * T.size;
      if (m[at + T.cand] === IS_CHIT) continue;
      if (m[at + T.loc] === from) unitsFrom++;
      else if (m[at + T.loc] === to) unitsTo++;
    }
    const lowFrom = b & 255;
    const highFrom = (b >> 8) & 255;
    const lowTo = (b >> 16) & 255;
    const highTo = (b >>> 24) & 255;
    const mayUnit = (flags & 3) !== CLASS.chit && unitsFrom - 1 >= lowFrom && unitsFrom - 1 <= highFrom && unitsTo + 1 >= lowTo && unitsTo + 1 <= highTo;
    const mayChit = (flags & 3) !== CLASS.unit && (flags & SMG_MOVE) === 0 && unitsFrom >= lowFrom && unitsFrom <= highFrom && unitsTo >= lowTo && unitsTo <= highTo;
    const first = this.poolN;
    let end = first;
    let must = -1;
    for (let k = 0; k < m[M.count]!; k++) {
      const at = k * T.size;
      if (m[at + T.loc] !== from) continue;
      const free = m[at + T.moved] !== turnIn(w);
      if (m[at + T.cand] === IS_CHIT) {
        if (mayChit && free) pool[end++] = k;
        continue;
      }
      const id = m[at + T.id]!;
      if (id >= 0) {
        const reach = this.outlook.reach[i * SOVIETS + id]!;
        const goes = ((reach >> to) & 1) === 1;
        if (((reach >> from) & 1) === 0) {
          if (!goes || !free || must >= 0) return this.fail(from, to);
          must = k;
        }
        if (!goes) continue;
      }
      if (!mayUnit || !free) continue;
      if (flags & SMG_MOVE && (id >= 0 ? m[at + T.cand]! & this.smgMask : m[at + T.cand]! & this.smgMask & ~m[M.used]!) === 0) continue;
      pool[end++] = k;
    }
    if (must >= 0) {
      let found = false;
      for (let p = first; p < end; p++) found ||= pool[p] === must;
      if (!found) return this.fail(from, to);
      pool[first] = must;
      end = first + 1;
    }
    if (end === first) return this.fail(from, to);
    const d = this.depth++ * 5;
    this.stack[d] = i;
    this.stack[d + 1] = this.logN;
    this.stack[d + 2] = first;
    this.stack[d + 3] = end;
    this.stack[d + 4] = (1 << from) | (1 << to) | (to << 16) | ((flags & SMG_MOVE) << 20) | (turnIn(w) << 24);
    this.poolN = end;
    return this.tryNext(rng);
  }

  private fail(from: number, to: number): number {
    this.blame = (1 << from) | (1 << to);
    return -1;
  }

  /** Moves a random candidate that was not tried yet, for the choice on top. */
  private tryNext(rng: Rng): number {
    const { stack, pool, m } = this;
    const d = (this.depth - 1) * 5;
    const first = stack[d + 2]!;
    const pick = first + rng.below(stack[d + 3]! - first);
    const k = pool[pick]!;
    pool[pick] = pool[first]!;
    pool[first] = k;
    stack[d + 2] = first + 1;
    const at = k * T.size;
    const from = m[at + T.loc]!;
    const to = (stack[d + 4]! >> 16) & 15;
    const counts = m[at + T.cand] === IS_CHIT ? M.chits : M.units;
    this.add(counts + from, -1);
    this.add(counts + to, 1);
    this.set(at + T.loc, to);
    this.set(at + T.moved, (stack[d + 4]! >> 24) & 15);
    this.set(at + T.seq, this.nextSeq());
    if ((stack[d + 4]! >> 20) & SMG_MOVE) this.set(at + T.cand, m[at + T.cand]! & this.smgMask);
    return stack[d]! + 1;
  }

  /** Takes back guesses up to the latest one that touches an area at fault and has another candidate. */
  private back(rng: Rng): number {
    const { stack } = this;
    let blame = this.blame;
    while (this.depth > 0) {
      const d = (this.depth - 1) * 5;
      const touched = stack[d + 4]! & 0x3fff;
      if ((touched & blame) !== 0) {
        if (stack[d + 2]! < stack[d + 3]!) {
          this.undo(stack[d + 1]!);
          this.poolN = stack[d + 3]!;
          this.blame = blame;
          return this.tryNext(rng);
        }
        blame |= touched;
      }
      this.depth--;
    }
    return -1;
  }

  private undo(height: number): void {
    while (this.logN > height) {
      this.logN -= 2;
      this.m[this.log[this.logN]!] = this.log[this.logN + 1]!;
    }
  }

  /** Matches what lies in the area to what was shown. @returns the entry after the group, or -1 */
  private reveal(s: StateView, i: number, rng: Rng): number {
    const { m } = this;
    const a = areaIn(entryAt(s, i));
    const n = s[L.ledgerN]!;
    let shown = 0;
    let kinds = 0;
    let end = i;
    for (; end < n; end++) {
      const w = entryAt(s, end);
      const type = typeIn(w);
      if ((type !== ENTRY.revealUnit && type !== ENTRY.revealChit) || areaIn(w) !== a || turnIn(w) !== turnIn(entryAt(s, i))) break;
      if (type === ENTRY.revealUnit) shown |= 1 << (idIn(w) - GERMANS);
      else kinds++;
    }
    this.blame = 1 << a;
    // units that are known must be shown, chits must be as many
    for (let k = 0; k < m[M.count]!; k++) {
      const at = k * T.size;
      if (m[at + T.loc] !== a) continue;
      if (m[at + T.cand] === IS_CHIT) kinds--;
      else if (m[at + T.id]! >= 0) {
        if (((shown >> m[at + T.id]!) & 1) === 0) return -1;
        shown &= ~(1 << m[at + T.id]!);
        this.show(k, m[at + T.id]!, a);
      }
    }
    if (kinds !== 0 || (shown & m[M.used]!) !== 0 || !this.matchShown(a, shown, rng)) return -1;
    for (let p = i; p < end; p++) {
      const w = entryAt(s, p);
      if (typeIn(w) !== ENTRY.revealChit) continue;
      let left = 0;
      for (let k = 0; k < m[M.count]!; k++) if (m[k * T.size + T.loc] === a) left++;
      let pick = rng.below(left);
      for (let k = 0; k < m[M.count]!; k++) {
        const at = k * T.size;
        if (m[at + T.loc] !== a || pick-- !== 0) continue;
        this.set(at + T.loc, GONE);
        this.set(at + T.kind, idIn(w));
        break;
      }
    }
    return end;
  }

  private show(k: number, id: number, a: number): void {
    const at = k * T.size;
    this.set(at + T.id, id);
    this.set(at + T.loc, GONE);
    this.set(M.up + id, a);
    this.set(M.upSeq + id, this.m[at + T.seq]!);
    this.set(M.used, this.m[M.used]! | (1 << id));
  }

  /** Gives the shown units to the tokens left in the area, the one with the fewest possibilities first. */
  private matchShown(a: number, shown: number, rng: Rng): boolean {
    const { m } = this;
    let open = shown;
    for (;;) {
      let best = -1;
      let least = 99;
      for (let k = 0; k < m[M.count]!; k++) {
        const at = k * T.size;
        if (m[at + T.loc] !== a || m[at + T.cand] === IS_CHIT) continue;
        const c = bitCount(m[at + T.cand]! & open);
        if (c >= least) continue;
        least = c;
        best = k;
      }
      if (best < 0) return open === 0 && this.enoughLeft();
      if (least === 0) return false;
      const id = nthBit(m[best * T.size + T.cand]! & open, rng.below(least));
      open &= ~(1 << id);
      this.show(best, id, a);
    }
  }

  /** Can the landed tokens still all be somebody: no more of them by any turn than units due by then and not spoken for? */
  private enoughLeft(): boolean {
    const { m } = this;
    for (let t = 2; t <= 9; t++) {
      const ids = this.due[t]! & ~m[M.used]!;
      let tokens = 0;
      for (let k = 0; k < m[M.count]!; k++) {
        const at = k * T.size;
        if (m[at + T.loc]! >= 0 && m[at + T.id]! < 0 && m[at + T.cand] !== IS_CHIT && (m[at + T.cand]! & ~this.due[t]!) === 0) tokens++;
      }
      if (tokens > bitCount(ids)) {
        this.blame = (1 << AREAS) - 1;
        return false;
      }
    }
    return true;
  }

  /** A named unit that lay face-down is gone. */
  private remove(a: number, id: number, rng: Rng): boolean {
    const { m } = this;
    this.blame = 1 << a;
    const known = ((m[M.used]! >> id) & 1) === 1;
    let fits = 0;
    for (let k = 0; k < m[M.count]!; k++) if (this.couldBe(k, a, id, known)) fits++;
    if (fits === 0) return false;
    let pick = rng.below(fits);
    for (let k = 0; k < m[M.count]!; k++) {
      if (!this.couldBe(k, a, id, known) || pick-- !== 0) continue;
      this.set(k * T.size + T.loc, GONE);
      this.set(k * T.size + T.id, id);
      break;
    }
    this.set(M.used, m[M.used]! | (1 << id));
    return true;
  }

  private couldBe(k: number, a: number, id: number, known: boolean): boolean {
    const at = k * T.size;
    const { m } = this;
    if (m[at + T.loc] !== a || m[at + T.cand] === IS_CHIT) return false;
    return known ? m[at + T.id] === id : m[at + T.id]! < 0 && ((m[at + T.cand]! >> id) & 1) === 1;
  }

  private removeChit(a: number, entry: number, rng: Rng): boolean {
    const { m } = this;
    this.blame = 1 << a;
    let fits = 0;
    for (let k = 0; k < m[M.count]!; k++) if (m[k * T.size + T.loc] === a && m[k * T.size + T.cand] === IS_CHIT) fits++;
    if (fits === 0) return false;
    let pick = rng.below(fits);
    for (let k = 0; k < m[M.count]!; k++) {
      if (m[k * T.size + T.loc] !== a || m[k * T.size + T.cand] !== IS_CHIT || pick-- !== 0) continue;
      this.set(k * T.size + T.loc, GONE);
      this.set(k * T.size + T.died, entry);
      break;
    }
    return true;
  }
}

const partOfMovement = (w: number): boolean => {
  const type = typeIn(w);
  return type === ENTRY.move || (type === ENTRY.dead && flagsIn(w) === DOWN) || (type === ENTRY.back && idIn(w) === 0);
};

export function bitCount(mask: number): number {
  let n = 0;
  for (let m = mask; m !== 0; m &= m - 1) n++;
  return n;
}

/** Position of the `i`-th set bit. */
export function nthBit(mask: number, i: number): number {
  let m = mask;
  for (let k = i; k > 0; k--) m &= m - 1;
  return 31 - Math.clz32(m & -m);
}
