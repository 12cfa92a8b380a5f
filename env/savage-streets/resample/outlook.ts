import type { StateView } from "../../core/layout.js";
import { areaIn, CLASS, DOWN, ENTRY, entryAt, flagsIn, idIn, secondIn, SMG_MOVE, typeIn } from "../ledger.js";
import { AREAS, GERMANS, L, LEDGER_WORDS, PHASE, phaseOf, SOVIETS } from "../state.js";

/** Most face-down units an area can keep beyond a movement phase: three and an armed one. */
const MOST_UNITS = 4;
const MOST_CHITS = 3;
const ALL = (1 << AREAS) - 1;

/**
 * What the rest of the public history asks of a face-down counter, worked out backwards from now: for every move the
 * number of units that its two areas may hold afterwards, and for every unit where it may be so that it can still show up
 * where it does (or stay hidden, if it never does).
 */
export class Outlook {
  /** Per entry: fewest and most units in `from` and `to` after the move, a byte each. */
  readonly bounds = new Int32Array(LEDGER_WORDS);
  /** Per entry and unit: mask of areas that still do after the move. */
  readonly reach = new Int16Array(LEDGER_WORDS * SOVIETS);
  private readonly low = new Int32Array(AREAS);
  private readonly high = new Int32Array(AREAS);
  private readonly total = new Int32Array(AREAS);
  private readonly now = new Int16Array(SOVIETS);

  /** @param total face-down counters per area now; `upUnits`, `upChits` the face-up ones */
  prepare(s: StateView, total: Int32Array, upUnits: Int32Array, upChits: Int32Array, solo: boolean): void {
    const { low, high, now } = this;
    const moving = phaseOf(s) === PHASE.sovMove;
    this.total.set(total);
    for (let a = 0; a < AREAS; a++) {
      const n = total[a]!;
      low[a] = moving ? 0 : Math.max(0, n - MOST_CHITS + upChits[a]!);
      high[a] = moving ? n : Math.min(n, (solo ? MOST_UNITS - 1 : MOST_UNITS) - upUnits[a]!);
    }
    now.fill(ALL);
    for (let i = s[L.ledgerN]! - 1; i >= 0; i--) this.step(s, i, entryAt(s, i));
  }

  /** Takes entry `i` back. */
  private step(s: StateView, i: number, w: number): void {
    const { low, high, total } = this;
    const a = areaIn(w);
    const id = idIn(w);
    switch (typeIn(w)) {
      case ENTRY.land:
        if ((flagsIn(w) & 3) === 0) this.born(a);
        break;
      case ENTRY.reflip:
        this.born(a);
        this.now[id - GERMANS] = ALL; // face-up before: it is where everybody sees it
        break;
      case ENTRY.chit:
        total[a]!--;
        high[a] = Math.min(high[a]!, total[a]!);
        break;
      case ENTRY.move:
        if (id === 0) this.move(i, a, secondIn(w), flagsIn(w));
        break;
      case ENTRY.revealUnit:
      case ENTRY.revealChit:
        this.reveal(s, i, w);
        break;
      case ENTRY.dead:
        if (flagsIn(w) !== DOWN) break;
        total[a]!++;
        low[a]!++;
        high[a]!++;
        this.now[id - GERMANS] = 1 << a;
        break;
      case ENTRY.back:
        if (id === 0) total[a]!++; // one chit more: the units stay as they are
        break;
      default:
    }
  }

  private born(a: number): void {
    this.total[a]!--;
    this.low[a] = Math.max(0, this.low[a]! - 1);
    this.high[a] = Math.min(this.high[a]! - 1, this.total[a]!);
  }

  private move(i: number, from: number, to: number, flags: number): void {
    const { low, high, total, now } = this;
    this.bounds[i] = low[from]! | (Math.max(0, high[from]!) << 8) | (low[to]! << 16) | (Math.max(0, high[to]!) << 24);
    const unit = (flags & 3) === CLASS.unit || (flags & SMG_MOVE) !== 0;
    const chit = (flags & 3) === CLASS.chit;
    total[from]!++;
    total[to]!--;
    if (!chit) high[from] = Math.min(high[from]! + 1, total[from]!);
    if (unit) low[from]!++;
    if (!chit) low[to] = Math.max(0, low[to]! - 1);
    if (unit) high[to]!--;
    high[to] = Math.min(high[to]!, total[to]!);
    const at = i * SOVIETS;
    for (let u = 0; u < SOVIETS; u++) {
      const m = now[u]!;
      this.reach[at + u] = m;
      if ((m >> to) & 1) now[u] = m | (1 << from);
    }
  }

  /** Everything in the area was shown: nobody who stays hidden, or shows up elsewhere, can have been there. */
  private reveal(s: StateView, i: number, w: number): void {
    const a = areaIn(w);
    const type = typeIn(w);
    const id = idIn(w);
    const next = i + 1 < s[L.ledgerN]! ? entryAt(s, i + 1) : 0;
    const lastOfGroup = !((typeIn(next) === ENTRY.revealUnit || typeIn(next) === ENTRY.revealChit) && areaIn(next) === a);
    if (lastOfGroup) {
      this.low[a] = 0;
      this.high[a] = 0;
      this.total[a] = 0;
      for (let u = 0; u < SOVIETS; u++) this.now[u]! &= ~(1 << a);
    }
    this.total[a]!++;
    if (type !== ENTRY.revealUnit) return;
    this.low[a]!++;
    this.high[a]!++;
    this.now[id - GERMANS] = 1 << a;
  }
}
