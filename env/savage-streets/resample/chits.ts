import type { State, StateView } from "../../core/layout.js";
import type { Rng } from "../../core/dice/rng.js";
import { CHIT_KINDS } from "../data.js";
import type { Tables } from "../data.js";
import { ENTRY, entryAt, idIn, typeIn } from "../public-log.js";
import {
  AREAS,
  chitHas,
  type ChitId,
  chitPlaceOf,
  CHITS,
  FIRST_AREA,
  FIRST_CHIT,
  FLAG,
  HAND,
  L,
  PHASE,
  phaseOf,
  PILE,
  PUBLIC_LOG_WORDS,
  turnOf,
} from "../state.js";
import { IS_CHIT, ON_MAP, COUNTERS } from "./network.js";
import type { Assignment } from "./assignment.js";

const KINDS = CHIT_KINDS.length;

/** Deals kinds to face-down chits, the hand and the pile, and physical chits to kinds. */
export class ChitDealer {
  /**
   * Numbers by kind: of all chits, of those face-up at the start of the public log, and of those drawn and not returned
   * at random.
   */
  private readonly all = new Int32Array(KINDS);
  private readonly atStart = new Int32Array(KINDS);
  private readonly out = new Int32Array(KINDS);
  private readonly now = new Int32Array(KINDS);
  /** Kinds in pile and hand together once kinds are dealt. */
  private readonly rest = new Int32Array(KINDS);
  /**
   * A row for the start and for each entry by which the pile changes: chits of each kind left in it behind that by what
   * is known, then the least of all later ones.
   */
  private readonly left = new Int32Array((PUBLIC_LOG_WORDS + 1) * KINDS);
  /** The same without the least of later ones; used where a chit was returned face-down. */
  private readonly free = new Int32Array((PUBLIC_LOG_WORDS + 1) * KINDS);
  private rows = 0;
  /** Row that holds when an entry of the public log is over. */
  private readonly rowAt = new Int16Array(PUBLIC_LOG_WORDS);
  /** Row in which each chit counter was drawn. */
  private readonly rowOf = new Int32Array(COUNTERS);
  private readonly physicalChits = new Int32Array(CHITS);
  /** Number of assigned slots of a kind, and its first slot. */
  private readonly given = new Int32Array(KINDS);
  private readonly first = new Int32Array(KINDS);
  private readonly chitOfCounter = new Int32Array(COUNTERS);
  /** Kind of each chit counter. */
  private readonly kind = new Int8Array(COUNTERS);

  constructor(
    private readonly tables: Tables,
    private readonly assignment: Assignment,
  ) {
    for (let c = FIRST_CHIT; c < CHITS; c++) this.all[tables.data.chitKind[c]!]!++;
    for (let k = 1; k < KINDS; k++) this.first[k] = this.first[k - 1]! + this.all[k - 1]!;
  }

  /** Face-down chits of unknown class that lay on the map when the public log began. */
  unknownAtStart(s: StateView): number {
    let n = CHITS;
    for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) >= AREAS || chitHas(s, c, FLAG.faceUp)) n--;
    for (let i = 0; i < s[L.publicLogLength]!; i++) {
      const w = entryAt(s, i);
      const type = typeIn(w);
      if (type === ENTRY.chit) n--;
      else if (type === ENTRY.revealChit || (type === ENTRY.back && idIn(w) === 0)) n++;
    }
    return n;
  }

  /**
   * Gives every chit counter a kind, weighted by physical chits.
   *
   * @returns false when the kinds shown can't have been drawn
   */
  kinds(s: StateView, rng: Rng): boolean {
    if (!this.known(s)) return false;
    const { out, rest, kind } = this;
    const { net } = this.assignment;
    if (this.someReturned()) return this.kindsWithReturns(rng);
    out.fill(0);
    for (let k = 0; k < net.counters; k++) {
      if (net.candidates[k] !== IS_CHIT || this.shownKind(k) >= 0) continue;
      const drawn = this.draw(this.rowOf[k]!, rng);
      if (drawn < 0) return false;
      kind[k] = drawn;
      out[drawn]!++;
    }
    for (let k = 0; k < KINDS; k++) rest[k] = this.left[this.rows * KINDS + k]! - out[k]!;
    return true;
  }

  /** True when a chit counter was returned face-down. It is in the pile again from then on, and may be drawn again. */
  private someReturned(): boolean {
    const { net, reveal } = this.assignment;
    for (let k = 0; k < net.counters; k++)
      if (net.candidates[k] === IS_CHIT && reveal[k] !== ON_MAP && this.shownKind(k) < 0) return true;
    return false;
  }

  /** `kinds` where a chit is out of the pile from the row of its draw to that of its return, or to the end. */
  private kindsWithReturns(rng: Rng): boolean {
    const { free, rest, kind, rowOf, rowAt, rows, out } = this;
    const { net, reveal } = this.assignment;
    for (let k = 0; k < net.counters; k++) {
      if (net.candidates[k] !== IS_CHIT || this.shownKind(k) >= 0) continue;
      const [from, to] = [rowOf[k]!, reveal[k] === ON_MAP ? rows : rowAt[net.revealEntry[reveal[k]!]!]!];
      let sum = 0;
      for (let c = 0; c < KINDS; c++) {
        let least = CHITS;
        for (let r = from; r <= to; r++) least = Math.min(least, free[r * KINDS + c]!);
        out[c] = Math.max(0, least);
        sum += out[c]!;
      }
      if (sum === 0) return false;
      let pick = rng.below(sum);
      let drawn = 0;
      while ((pick -= out[drawn]!) >= 0) drawn++;
      kind[k] = drawn;
      for (let r = from; r <= to; r++) free[r * KINDS + drawn]!--;
    }
    for (let c = 0; c < KINDS; c++) rest[c] = free[rows * KINDS + c]!;
    return true;
  }

  /** The kind a chit counter turned out to be, or -1. */
  private shownKind(k: number): number {
    return this.assignment.net.revealKind[this.assignment.reveal[k]!]!;
  }

  /** Gives every chit counter on the map any kind that is not face-up. */
  anyKinds(s: StateView, rng: Rng): void {
    const { now } = this;
    const { net, reveal } = this.assignment;
    now.set(this.all);
    for (let c = FIRST_CHIT; c < CHITS; c++)
      if (chitPlaceOf(s, c) < AREAS && chitHas(s, c, FLAG.faceUp)) now[this.tables.data.chitKind[c]!]!--;
    for (let k = 0; k < net.counters; k++)
      if (net.candidates[k] === IS_CHIT && reveal[k] === ON_MAP) this.kind[k] = this.pick(rng);
    this.rest.set(now);
  }

  /** Takes a random chit from what is left; returns its kind. */
  private pick(rng: Rng): number {
    const { now } = this;
    let sum = 0;
    for (let k = 0; k < KINDS; k++) sum += now[k]!;
    let pick = rng.below(sum);
    let kind = 0;
    while ((pick -= now[kind]!) >= 0) kind++;
    now[kind]!--;
    return kind;
  }

  /** A kind for a chit drawn in `row` and never shown: in the pile then and not needed later. */
  private draw(row: number, rng: Rng): number {
    let sum = 0;
    for (let k = 0; k < KINDS; k++) sum += this.spare(row, k);
    if (sum === 0) return -1;
    let pick = rng.below(sum);
    for (let k = 0; k < KINDS; k++) {
      pick -= this.spare(row, k);
      if (pick < 0) return k;
    }
    return -1;
  }

  private spare(row: number, k: number): number {
    return Math.max(0, this.left[row * KINDS + k]! - this.out[k]!);
  }

  /** Runs through the draws of chits that are shown later. */
  private known(s: StateView): boolean {
    const { left, atStart, tables, rowOf } = this;
    const { net } = this.assignment;
    const n = s[L.publicLogLength]!;
    atStart.fill(0);
    for (let c = FIRST_CHIT; c < CHITS; c++)
      if (chitPlaceOf(s, c) < AREAS && chitHas(s, c, FLAG.faceUp)) atStart[tables.data.chitKind[c]!]!++;
    left.fill(0, 0, KINDS);
    let rows = 0;
    for (let i = 0, k = 0; i < n; i++) {
      const w = entryAt(s, i);
      const type = typeIn(w);
      const back = type === ENTRY.back && idIn(w) > 0;
      if (type === ENTRY.revealChit) atStart[idIn(w)]!--;
      else if (back) atStart[idIn(w) - 1]!++;
      let drawn = false;
      for (; k < net.counters && net.born[k] === i; k++) {
        if (net.candidates[k] !== IS_CHIT) continue;
        rowOf[k] = rows + 1;
        drawn = true;
      }
      if (back || drawn) {
        rows++;
        left.fill(0, rows * KINDS, (rows + 1) * KINDS);
        if (back) left[rows * KINDS + idIn(w) - 1]!++;
      }
      this.rowAt[i] = rows;
    }
    for (let k = 0; k < net.counters; k++) {
      const shown = net.candidates[k] === IS_CHIT ? this.shownKind(k) : -1;
      if (shown >= 0) left[rowOf[k]! * KINDS + shown]!--;
    }
    for (let k = 0; k < KINDS; k++) left[k]! += this.all[k]! - atStart[k]!;
    for (let x = KINDS; x < (rows + 1) * KINDS; x++) left[x]! += left[x - KINDS]!;
    for (let x = 0; x < (rows + 1) * KINDS; x++) this.free[x] = left[x]!;
    for (let x = rows * KINDS - 1; x >= 0; x--) left[x] = Math.min(left[x]!, left[x + KINDS]!);
    for (let k = 0; k < KINDS; k++) if (left[k]! < 0) return false;
    this.rows = rows;
    return true;
  }

  /** Writes all chits into `out`: face-up ones as in `s`, the rest by counters, hand and pile. */
  write(s: StateView, out: State, rng: Rng): void {
    const { net, finalArea, moved } = this.assignment;
    this.shuffle(rng);
    out.fill(PILE, L.chitPlace, L.chitPlace + CHITS);
    out.fill(0, L.chitFlags, L.chitFlags + CHITS);
    out.fill(0, L.chitRank, L.chitRank + CHITS);
    out.fill(0, L.ambushTarget, L.ambushTarget + CHITS);
    out.fill(0, L.chits, L.chits + AREAS);
    out[L.eventChitsLeft] = 0;
    this.writeFaceUp(s, out);
    const moving = phaseOf(s) === PHASE.sovMove;
    for (let k = 0; k < net.counters; k++) {
      if (net.candidates[k] !== IS_CHIT || finalArea[k]! < 0) continue;
      const c = this.take(this.kind[k]!);
      this.chitOfCounter[k] = c;
      out[L.chitPlace + c] = finalArea[k]!;
      if (moving && moved[k] === turnOf(s)) out[L.chitFlags + c] = FLAG.moved;
      out[L.chits + finalArea[k]!]!++;
    }
    if (this.tables.solo) this.rankBySeq(out);
    this.writeHand(s, out, rng);
  }

  /** Solo: the stack of chits is in the order of their arrival. */
  private rankBySeq(out: State): void {
    const { net, finalArea, arrival } = this.assignment;
    for (let k = 0; k < net.counters; k++) {
      const a = finalArea[k]!;
      if (net.candidates[k] !== IS_CHIT || a < 0) continue;
      let rank = 0;
      for (let c = FIRST_CHIT; c < CHITS; c++)
        if (out[L.chitPlace + c] === a && out[L.chitFlags + c]! & FLAG.faceUp) rank++;
      for (let j = 0; j < net.counters; j++)
        if (
          net.candidates[j] === IS_CHIT &&
          finalArea[j] === a &&
          (arrival[j]! < arrival[k]! || (arrival[j] === arrival[k] && j < k))
        )
          rank++;
      out[L.chitRank + this.chitOfCounter[k]!] = rank;
    }
  }

  private take(kind: number): number {
    const c = this.physicalChits[this.first[kind]! + this.given[kind]!]!;
    this.given[kind]!++;
    return c;
  }

  /** Chits of a kind are interchangeable: each kind's slots in random order. */
  private shuffle(rng: Rng): void {
    const { physicalChits } = this;
    this.given.fill(0);
    for (let c = FIRST_CHIT; c < CHITS; c++) physicalChits[c] = c;
    for (let k = 0; k < KINDS; k++) {
      const at = this.first[k]!;
      for (let i = this.all[k]! - 1; i > 0; i--) {
        const j = rng.below(i + 1);
        const x = physicalChits[at + i]!;
        physicalChits[at + i] = physicalChits[at + j]!;
        physicalChits[at + j] = x;
      }
    }
  }

  /** Face-up chits of a kind in an area keep their parts in the events in slot order, whatever their slots. */
  private writeFaceUp(s: StateView, out: State): void {
    const { physicalChits, given, first } = this;
    for (let k = 0; k < KINDS; k++) {
      for (let a = FIRST_AREA; a < AREAS; a++) {
        const from = first[k]! + given[k]!;
        let n = 0;
        for (let c = first[k]! as ChitId; c < first[k]! + this.all[k]!; c++)
          if (chitPlaceOf(s, c) === a && chitHas(s, c, FLAG.faceUp)) n++;
        if (n === 0) continue;
        physicalChits.subarray(from, from + n).sort();
        given[k]! += n;
        let i = 0;
        for (let c = first[k]! as ChitId; c < first[k]! + this.all[k]!; c++) {
          if (chitPlaceOf(s, c) !== a || !chitHas(s, c, FLAG.faceUp)) continue;
          const to = physicalChits[from + i++]!;
          out[L.chitPlace + to] = a;
          out[L.chitFlags + to] = s[L.chitFlags + c]!;
          out[L.chitRank + to] = this.tables.solo ? out[L.chits + a]! : 0;
          out[L.chits + a]!++;
          if ((s[L.eventChitsLeft]! >> c) & 1) out[L.eventChitsLeft]! |= 1 << to;
          out[L.ambushTarget + to] = s[L.ambushTarget + c]!;
          if (s[L.decisionChit] === c + 1) out[L.decisionChit] = to + 1;
        }
      }
    }
  }

  private writeHand(s: StateView, out: State, rng: Rng): void {
    this.now.set(this.rest);
    let hand = 0;
    for (let c = FIRST_CHIT; c < CHITS; c++) if (chitPlaceOf(s, c) === HAND) hand++;
    for (let i = 0; i < hand; i++) {
      const c = this.take(this.pick(rng));
      out[L.chitPlace + c] = HAND;
      out[L.chitRank + c] = i;
    }
  }
}
