import { bits } from "../../core/bits.js";
import type { StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import * as publicLog from "../public-log.js";
import * as state from "../state.js";
import * as networks from "./network.js";
import { Network } from "./network.js";

// own constants, for speed: see core/layout.ts
const { areaIn, CLASS, DOWN, ENTRY, flagsIn, idIn, ONLY, secondIn, turnIn, typeIn } = publicLog;
const { AREAS, FLAG, GERMANS, L, PHASE, phaseOf, placeOf, SOVIETS, turnOf, unitHas, WAITING } = state;
const { CHIT, IS_CHIT, ON_MAP } = networks;

const NONE = -1;

/** Units that are face-down or waiting, as a mask of Soviet slots. */
export function unseenUnits(s: StateView): number {
  let mask = 0;
  for (let k = 0; k < SOVIETS; k++) {
    const place = placeOf(s, GERMANS + k);
    if (place === WAITING || (place < AREAS && !unitHas(s, GERMANS + k, FLAG.faceUp))) mask |= 1 << k;
  }
  return mask;
}

/** Makes networks of public logs. */
export class Reader {
  /** Units due by a turn, and other sets, as masks of Soviet slots. */
  private readonly due = new Int32Array(10);
  private readonly red: number;
  private readonly smg: number;
  private readonly start: number;
  private readonly mostUnits: number;
  /** Face-up units and chits in each area; the counter that a unit is, or -1. */
  private readonly units = new Int8Array(AREAS);
  private readonly chits = new Int8Array(AREAS);
  private readonly counterOf = new Int32Array(SOVIETS);

  constructor(tables: Tables) {
    const pick = (f: (u: number) => boolean): number => {
      let m = 0;
      for (let k = 0; k < SOVIETS; k++) if (f(GERMANS + k)) m |= 1 << k;
      return m;
    };
    const { data } = tables;
    for (let t = 1; t <= 9; t++) this.due[t] = pick((u) => data.entryTurn[u]! >= 1 && data.entryTurn[u]! <= t);
    this.red = pick((u) => data.red[u] === 1);
    this.smg = pick((u) => data.smg[u] === 1);
    this.start = pick((u) => data.entryTurn[u] === 0);
    this.mostUnits = tables.solo ? 3 : 4;
  }

  network(): Network {
    return new Network(this.mostUnits, this.smg);
  }

  /** Reads the public log of a view. */
  read(s: StateView, net: Network): void {
    const { units, chits } = this;
    net.clear();
    units.fill(0);
    chits.fill(0);
    this.counterOf.fill(NONE);
    const n = s[L.publicLogLength]!;
    let i = 0;
    while (i < n && typeIn(s[L.publicLog + i]!) === ENTRY.init) this.init(net, s[L.publicLog + i]!, i++);
    let moving = false;
    let turn = 0;
    for (; i < n; i++) {
      const w = s[L.publicLog + i]!;
      const type = typeIn(w);
      // right after moves a loss may remove excess counters, so limits hold only after it
      const inMovement: boolean = type === ENTRY.move || (moving && (type === ENTRY.dead || type === ENTRY.back));
      if (inMovement !== moving || (moving && turnIn(w) !== turn)) {
        net.addStackingCheck(units, chits);
        net.turnOver();
      }
      moving = inMovement;
      turn = turnIn(w);
      this.entry(net, w, i);
    }
    if (!moving || turnOf(s) !== turn || phaseOf(s) > PHASE.sovMove) net.addStackingCheck(units, chits);
    net.end();
    this.landingTurns(s, net);
  }

  private init(net: Network, w: number, i: number): void {
    const cls = flagsIn(w);
    for (let k = 0; k < idIn(w); k++) {
      if (cls === CLASS.any) net.addUnknown(areaIn(w), this.start | this.due[turnIn(w)]!, i);
      else net.addCounter(areaIn(w), cls === CLASS.chit ? IS_CHIT : this.start, NONE, i);
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
          net.addCounter(a, only === ONLY.red ? due & this.red : only === ONLY.black ? due & ~this.red : due, NONE, i);
        break;
      }
      case ENTRY.chit:
        net.addCounter(a, IS_CHIT, NONE, i);
        break;
      case ENTRY.move:
        if (id === 0) net.addMove(a, secondIn(w), turnIn(w), i, flags);
        else {
          units[a]!--;
          units[secondIn(w)]!++;
          net.lastUpMove[id - 1 - GERMANS] = i;
        }
        break;
      case ENTRY.revealUnit:
        this.addReveal(net, a, id - GERMANS, i);
        units[a]!++;
        break;
      case ENTRY.revealChit:
        net.addReveal(a, CHIT, id, i);
        chits[a]!++;
        break;
      case ENTRY.reflip:
        units[a]!--;
        this.turnDown(net, a, id - GERMANS, i);
        break;
      case ENTRY.dead:
        if (flags === DOWN) this.addReveal(net, a, id - GERMANS, i);
        else units[a]!--;
        break;
      case ENTRY.back:
        if (id === 0) net.addReveal(a, CHIT, NONE, i);
        else chits[a]!--;
        break;
    }
  }

  private turnDown(net: Network, a: number, unit: number, i: number): void {
    const counter = net.addCounter(a, 1 << unit, unit, i);
    this.counterOf[unit] = counter;
    net.upMoveBefore[counter] = net.lastUpMove[unit]!;
    net.revealBefore[counter] = net.lastReveal[unit]!;
  }

  private addReveal(net: Network, a: number, unit: number, entry: number): void {
    const reveal = net.addReveal(a, unit, NONE, entry);
    net.lastReveal[unit] = reveal;
    net.lastUpMove[unit] = NONE;
    if (this.counterOf[unit]! < 0) return;
    net.reserve(reveal, this.counterOf[unit]!);
    this.counterOf[unit] = NONE;
  }

  /**
   * By entry turn, how many units are face-down or waiting and not named by a counter; counters by the turn they landed
   * in.
   */
  private landingTurns(s: StateView, net: Network): void {
    let open = unseenUnits(s);
    for (let k = 0; k < net.counters; k++) {
      const c = net.candidates[k]!;
      const named = net.named[k]!;
      net.landingTurn[k] = 0;
      net.interchangeClass[k] = named >= 0 ? -1 - k : c; // masks of units are positive and differ from `IS_CHIT`
      if (named >= 0) {
        if (net.reservedReveal[k] === ON_MAP) open &= ~(1 << named);
      } else if (c !== IS_CHIT && (c & this.start) === 0) {
        let t = 1;
        while ((c & ~this.due[t]!) !== 0) t++;
        net.landingTurn[k] = t;
      }
    }
    for (let t = 1; t <= 9; t++) net.unseen[t] = bits(open & this.due[t]!);
  }
}
