import type { StateView } from "../../core/layout.js";
import type { Rng } from "../../core/rng.js";
import type { Rules } from "../data.js";
import * as ledger from "../ledger.js";
import * as state from "../state.js";

// own constants, for speed: see core/layout.ts
const { areaIn, CLASS, DOWN, ENTRY, entryAt, flagsIn, idIn, ONLY, secondIn, SMG_MOVE, turnIn, typeIn } = ledger;
const { AREAS, CHITS, GERMANS, L, LEDGER_WORDS, PHASE, phaseOf, SOVIETS, turnOf } = state;

/** Most face-down counters in one ledger: those of the start, landings, chits placed, re-flips of 8 turns. */
export const TOKENS = SOVIETS + CHITS + SOVIETS + 30 + 8 * SOVIETS;
/** Before and after the Soviet movement of each turn. */
export const CHECKS = 18;

/** `cand` of a chit; else a mask of the units that a token may be. */
export const IS_CHIT = -1;
/** `slotId` of a chit. */
export const CHIT_SLOT = SOVIETS;

/** What happens to face-down counters, one after the other. */
export const OP = {
  birth: 0, // a token appears in an area
  move: 1, // some token goes from one area to another
  take: 2, // some token of an area is gone: it was what the slot says
  reveal: 3, // all tokens of an area are gone: they were what the slots say
  check: 4, // stacking limits hold
} as const;

/**
 * The ledger as a script for tokens: face-down counters without names. A token is born with what it can be and ends in a
 * slot (what it turned out to be) or lies on the map still.
 */
export class Script {
  ops = 0;
  tokens = 0;
  slots = 0;
  checks = 0;
  moves = 0;
  readonly op = new Uint8Array(LEDGER_WORDS + CHECKS + 2);
  readonly area = new Uint8Array(LEDGER_WORDS + CHECKS + 2);
  /** move: destination; reveal: number of slots; check: its number. */
  readonly second = new Uint8Array(LEDGER_WORDS + CHECKS + 2);
  /** birth: token; take, reveal: first slot. */
  readonly what = new Int32Array(LEDGER_WORDS + CHECKS + 2);
  /** move: turn; class and SMG mark. */
  readonly turn = new Uint8Array(LEDGER_WORDS + CHECKS + 2);
  readonly flags = new Uint8Array(LEDGER_WORDS + CHECKS + 2);
  /** Ledger entry of each op. */
  readonly entryOf = new Int32Array(LEDGER_WORDS + CHECKS + 2);
  readonly cand = new Int32Array(TOKENS);
  /** The slot in which a named token ends, -1 on the map; -2 for tokens without a name. */
  readonly want = new Int32Array(TOKENS);
  /** Unit of a token that is named from birth, else -1. */
  readonly named = new Int8Array(TOKENS);
  readonly born = new Int32Array(TOKENS);
  readonly slotId = new Uint8Array(TOKENS);
  /** 1 when the slot is kept for a named token. */
  readonly slotNamed = new Uint8Array(TOKENS);
  readonly slotEntry = new Int32Array(TOKENS);
  readonly slotKind = new Int8Array(TOKENS);
  /** Face-up units and chits per check and area. */
  readonly upUnits = new Int8Array(CHECKS * AREAS);
  readonly upChits = new Int8Array(CHECKS * AREAS);
  /** Solitaire stacks: entry of a face-up unit's last move, -1 for none since it was shown, and the slot it was shown in. */
  readonly upSeq = new Int32Array(SOVIETS);
  readonly lastSlot = new Int32Array(SOVIETS);
  /** The same two of a named token, from the time when it was face-up. */
  readonly seqBefore = new Int32Array(TOKENS);
  readonly slotBefore = new Int32Array(TOKENS);
  /** Units due by a turn, and other sets, as masks of Soviet slots. */
  readonly due = new Int32Array(10);
  readonly redMask: number;
  readonly smgMask: number;
  readonly startMask: number;
  private readonly nameOf = new Int32Array(SOVIETS);
  private readonly nowUnits = new Int8Array(AREAS);
  private readonly nowChits = new Int8Array(AREAS);

  constructor(r: Rules) {
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
  }

  clear(): void {
    this.ops = 0;
    this.tokens = 0;
    this.slots = 0;
    this.checks = 0;
    this.moves = 0;
    this.nameOf.fill(-1);
    this.nowUnits.fill(0);
    this.nowChits.fill(0);
    this.upSeq.fill(-1);
    this.lastSlot.fill(-1);
  }

  /** A token in area `a` from ledger entry `entry` on. @param named the unit it is, or -1 */
  bear(a: number, cand: number, named: number, entry: number): void {
    const k = this.tokens++;
    this.cand[k] = cand;
    this.named[k] = named;
    this.want[k] = named < 0 ? -2 : -1;
    this.born[k] = entry;
    if (named >= 0) {
      this.nameOf[named] = k;
      this.seqBefore[k] = this.upSeq[named]!;
      this.slotBefore[k] = this.lastSlot[named]!;
    }
    this.push(OP.birth, a, 0, k, entry);
  }

  private push(op: number, area: number, second: number, what: number, entry: number, turn = 0, flags = 0): void {
    const i = this.ops++;
    this.entryOf[i] = entry;
    this.op[i] = op;
    this.area[i] = area;
    this.second[i] = second;
    this.what[i] = what;
    this.turn[i] = turn;
    this.flags[i] = flags;
  }

  private slot(id: number, entry: number, kind: number): void {
    const k = this.slots++;
    this.slotId[k] = id;
    this.slotEntry[k] = entry;
    this.slotKind[k] = kind;
    this.slotNamed[k] = 0;
    if (id < CHIT_SLOT) {
      this.lastSlot[id] = k;
      this.upSeq[id] = -1;
    }
    if (id === CHIT_SLOT || this.nameOf[id]! < 0) return;
    this.slotNamed[k] = 1;
    this.want[this.nameOf[id]!] = k;
    this.nameOf[id] = -1;
  }

  private check(): void {
    if (this.checks >= CHECKS) return;
    const at = this.checks * AREAS;
    this.upUnits.set(this.nowUnits, at);
    this.upChits.set(this.nowChits, at);
    this.push(OP.check, 0, this.checks++, 0, 0);
  }

  /** Reads the ledger. @param unknownChits how many counters of unknown class at its start are chits */
  read(s: StateView, rng: Rng, unknownChits: number): void {
    this.clear();
    const n = s[L.ledgerN]!;
    let i = this.readStart(s, rng, unknownChits);
    let moving = false;
    for (; i < n; ) {
      const w = entryAt(s, i);
      const inMovement: boolean = typeIn(w) === ENTRY.move || (moving && isLoss(w));
      if (inMovement !== moving || (moving && turnIn(w) !== turnIn(entryAt(s, i - 1)))) this.check();
      moving = inMovement;
      i = this.entry(s, i, w);
    }
    if (!moving || turnOf(s) !== (n === 0 ? 0 : turnIn(entryAt(s, n - 1))) || phaseOf(s) > PHASE.sovMove) this.check();
  }

  private readStart(s: StateView, rng: Rng, unknownChits: number): number {
    const n = s[L.ledgerN]!;
    let unknown = 0;
    let i = 0;
    for (; i < n && typeIn(entryAt(s, i)) === ENTRY.init; i++) if (flagsIn(entryAt(s, i)) === CLASS.any) unknown += idIn(entryAt(s, i));
    let chits = unknownChits;
    for (let e = 0; e < i; e++) {
      const w = entryAt(s, e);
      const cls = flagsIn(w);
      for (let k = 0; k < idIn(w); k++) {
        // of the counters of unknown class a random subset are chits
        const chit = cls === CLASS.chit || (cls === CLASS.any && rng.below(unknown) < chits);
        if (cls === CLASS.any) {
          unknown--;
          if (chit) chits--;
        }
        this.bear(areaIn(w), chit ? IS_CHIT : cls === CLASS.unit ? this.startMask : this.startMask | this.due[turnIn(w)]!, -1, e);
      }
    }
    return i;
  }

  /** One entry, or one group of reveals. @returns the next */
  private entry(s: StateView, i: number, w: number): number {
    const a = areaIn(w);
    const id = idIn(w);
    const flags = flagsIn(w);
    switch (typeIn(w)) {
      case ENTRY.land: {
        const due = this.due[turnIn(w)]!;
        const only = flags >> 2;
        if ((flags & 3) === 0) this.bear(a, only === ONLY.red ? due & this.redMask : only === ONLY.black ? due & ~this.redMask : due, -1, i);
        return i + 1;
      }
      case ENTRY.chit:
        this.bear(a, IS_CHIT, -1, i);
        return i + 1;
      case ENTRY.move:
        if (id === 0) {
          this.push(OP.move, a, secondIn(w), 0, i, turnIn(w), flags);
          this.moves++;
        } else {
          this.nowUnits[a]!--;
          this.nowUnits[secondIn(w)]!++;
          this.upSeq[id - 1 - GERMANS] = i;
        }
        return i + 1;
      case ENTRY.revealUnit:
      case ENTRY.revealChit:
        return this.reveal(s, i, a);
      case ENTRY.reflip:
        this.nowUnits[a]!--;
        this.bear(a, 1 << (id - GERMANS), id - GERMANS, i);
        return i + 1;
      case ENTRY.dead:
        if (flags === DOWN) {
          this.push(OP.take, a, 0, this.slots, i);
          this.slot(id - GERMANS, i, -1);
        } else this.nowUnits[a]!--;
        return i + 1;
      case ENTRY.back:
        if (id === 0) {
          this.push(OP.take, a, 0, this.slots, i);
          this.slot(CHIT_SLOT, i, -1);
        } else this.nowChits[a]!--;
        return i + 1;
      default:
        return i + 1;
    }
  }

  private reveal(s: StateView, start: number, a: number): number {
    const n = s[L.ledgerN]!;
    const first = this.slots;
    let i = start;
    for (; i < n; i++) {
      const w = entryAt(s, i);
      const unit = typeIn(w) === ENTRY.revealUnit;
      if ((!unit && typeIn(w) !== ENTRY.revealChit) || areaIn(w) !== a || turnIn(w) !== turnIn(entryAt(s, start))) break;
      this.slot(unit ? idIn(w) - GERMANS : CHIT_SLOT, i, unit ? -1 : idIn(w));
      (unit ? this.nowUnits : this.nowChits)[a]!++;
    }
    this.push(OP.reveal, a, i - start, first, start);
    return i;
  }
}

/** Right after moves a loss may be of excess counters, so that limits hold only behind it. */
const isLoss = (w: number): boolean => typeIn(w) === ENTRY.dead || typeIn(w) === ENTRY.back;

export const mayBeSmg = (flags: number): boolean => (flags & SMG_MOVE) !== 0;

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
