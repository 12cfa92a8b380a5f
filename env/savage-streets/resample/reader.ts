import { bits } from "../../core/bits.js";
import type { StateView } from "../../core/layout.js";
import type { Rules } from "../data.js";
import * as ledger from "../ledger.js";
import * as state from "../state.js";
import * as networks from "./network.js";
import { Network } from "./network.js";

// own constants, for speed: see core/layout.ts
const { areaIn, CLASS, DOWN, ENTRY, flagsIn, idIn, ONLY, secondIn, turnIn, typeIn } = ledger;
const { AREAS, F, GERMANS, L, PHASE, phaseOf, placeOf, SOVIETS, turnOf, unitHas, WAITING } = state;
const { CHIT, IS_CHIT, ON_MAP } = networks;

const NONE = -1;

/** Units that are face-down or waiting, as a mask of Soviet slots. */
export function unseenUnits(s: StateView): number {
  let mask = 0;
  for (let k = 0; k < SOVIETS; k++) {
    const place = placeOf(s, GERMANS + k);
    if (place === WAITING || (place < AREAS && !unitHas(s, GERMANS + k, F.faceUp))) mask |= 1 << k;
  }
  return mask;
}

/** Makes networks of ledgers. */
export class Reader {
  /** Units due by a turn, and other sets, as masks of Soviet slots. */
  private readonly due = new Int32Array(10);
  private readonly red: number;
  private readonly smg: number;
  private readonly start: number;
  private readonly mostUnits: number;
  /** Face-up units and chits in each area; the token that a unit is, or -1. */
  private readonly units = new Int8Array(AREAS);
  private readonly chits = new Int8Array(AREAS);
  private readonly tokenOf = new Int32Array(SOVIETS);

  constructor(r: Rules) {
    const pick = (f: (u: number) => boolean): number => {
      let m = 0;
      for (let k = 0; k < SOVIETS; k++) if (f(GERMANS + k)) m |= 1 << k;
      return m;
    };
    const { data } = r;
    for (let t = 1; t <= 9; t++) this.due[t] = pick((u) => data.entryTurn[u]! >= 1 && data.entryTurn[u]! <= t);
    this.red = pick((u) => data.red[u] === 1);
    this.smg = pick((u) => data.smg[u] === 1);
    this.start = pick((u) => data.entryTurn[u] === 0);
    this.mostUnits = r.solo ? 3 : 4;
  }

  network(): Network {
    return new Network(this.mostUnits, this.smg);
  }

  /** Reads the ledger of a view. */
  read(s: StateView, net: Network): void {
    const { units, chits } = this;
    net.clear();
    units.fill(0);
    chits.fill(0);
    this.tokenOf.fill(NONE);
    const n = s[L.ledgerN]!;
    let i = 0;
    while (i < n && typeIn(s[L.ledger + i]!) === ENTRY.init) this.init(net, s[L.ledger + i]!, i++);
    let moving = false;
    let turn = 0;
    for (; i < n; i++) {
      const w = s[L.ledger + i]!;
      const type = typeIn(w);
      // right after moves a loss may be of excess counters, so that limits hold only behind it
      const inMovement: boolean = type === ENTRY.move || (moving && (type === ENTRY.dead || type === ENTRY.back));
      if (inMovement !== moving || (moving && turnIn(w) !== turn)) {
        net.check(units, chits);
        net.turnOver();
      }
      moving = inMovement;
      turn = turnIn(w);
      this.entry(net, w, i);
    }
    if (!moving || turnOf(s) !== turn || phaseOf(s) > PHASE.sovMove) net.check(units, chits);
    net.end();
    this.cohorts(s, net);
  }

  private init(net: Network, w: number, i: number): void {
    const cls = flagsIn(w);
    for (let k = 0; k < idIn(w); k++) {
      if (cls === CLASS.any) net.bearUnknown(areaIn(w), this.start | this.due[turnIn(w)]!, i);
      else net.bear(areaIn(w), cls === CLASS.chit ? IS_CHIT : this.start, NONE, i);
    }
  }

  private entry(net: Network, w: number, i: number): void {
    const { units, chits } = this;
    const a = areaIn(w);
    const id = idIn(w);
    const flags = flagsIn(w);
    switch (typeIn(w)) {
      case ENTRY.land: {
        const due = this.due[turnIn(w)]!;
        const only = flags >> 2;
        if ((flags & 3) === 0)
          net.bear(a, only === ONLY.red ? due & this.red : only === ONLY.black ? due & ~this.red : due, NONE, i);
        break;
      }
      case ENTRY.chit:
        net.bear(a, IS_CHIT, NONE, i);
        break;
      case ENTRY.move:
        if (id === 0) net.move(a, secondIn(w), turnIn(w), i, flags);
        else {
          units[a]!--;
          units[secondIn(w)]!++;
          net.upSeq[id - 1 - GERMANS] = i;
        }
        break;
      case ENTRY.revealUnit:
        this.lose(net, a, id - GERMANS);
        units[a]!++;
        break;
      case ENTRY.revealChit:
        net.lose(a, CHIT, id);
        chits[a]!++;
        break;
      case ENTRY.reflip:
        units[a]!--;
        this.turnDown(net, a, id - GERMANS, i);
        break;
      case ENTRY.dead:
        if (flags === DOWN) this.lose(net, a, id - GERMANS);
        else units[a]!--;
        break;
      case ENTRY.back:
        if (id === 0) net.lose(a, CHIT, NONE);
        else chits[a]!--;
        break;
    }
  }

  private turnDown(net: Network, a: number, unit: number, i: number): void {
    const token = net.bear(a, 1 << unit, unit, i);
    this.tokenOf[unit] = token;
    net.seqBefore[token] = net.upSeq[unit]!;
    net.slotBefore[token] = net.lastSlot[unit]!;
  }

  private lose(net: Network, a: number, unit: number): void {
    const slot = net.lose(a, unit, NONE);
    net.lastSlot[unit] = slot;
    net.upSeq[unit] = NONE;
    if (this.tokenOf[unit]! < 0) return;
    net.reserve(slot, this.tokenOf[unit]!);
    this.tokenOf[unit] = NONE;
  }

  /** By entry turn, how many units are face-down or waiting and not named by a token; tokens by the turn they landed in. */
  private cohorts(s: StateView, net: Network): void {
    let open = unseenUnits(s);
    for (let k = 0; k < net.tokens; k++) {
      const c = net.cand[k]!;
      const named = net.named[k]!;
      net.cohort[k] = 0;
      net.alike[k] = named >= 0 ? -1 - k : c; // masks of units are positive, and `IS_CHIT` is far off
      if (named >= 0) {
        if (net.want[k] === ON_MAP) open &= ~(1 << named);
      } else if (c !== IS_CHIT && (c & this.start) === 0) {
        let t = 1;
        while ((c & ~this.due[t]!) !== 0) t++;
        net.cohort[k] = t;
      }
    }
    for (let t = 1; t <= 9; t++) net.unseen[t] = bits(open & this.due[t]!);
  }
}
