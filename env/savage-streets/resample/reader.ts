import { bits } from "../../core/bits.js";
import type { StateView } from "../../core/layout.js";
import { isArmed, LANDING, type Tables } from "../data.js";
import {
  areaIn,
  CLASS,
  DOWN,
  ENTRY,
  flagsIn,
  idIn,
  isExcess,
  ONLY,
  reachIn,
  toIn,
  turnIn,
  typeIn,
} from "../public-log.js";
import * as state from "../state.js";
import * as checks from "./checks.js";
import * as networks from "./network.js";
import { Network } from "./network.js";
import { type AreaId, askedArea, FIRST_AREA, sovietOf, type UnitId } from "../state.js";

const { AREAS, DECISION, decisionOf, FLAG, GERMANS, L, PHASE, phaseOf, placeOf, SOVIETS, turnOf, unitHas, WAITING } =
  state;
const { CHECK, CHECKS } = checks;
const { CHIT, IS_CHIT, ON_MAP } = networks;

const NONE = -1;
/** Entries of what comes before the Soviet movement. */
const BEFORE: readonly number[] = [ENTRY.land, ENTRY.hold, ENTRY.stranded, ENTRY.chit];
/** Of a turn: before the Soviet movement, in it, behind it. */
const STEP = { before: 0, moving: 1, behind: 2 } as const;

/** Units that are face-down or waiting, as a mask of Soviet slots. */
export function unseenUnits(s: StateView): number {
  let mask = 0;
  for (let k = 0; k < SOVIETS; k++) {
    const place = placeOf(s, sovietOf(k));
    if (place === WAITING || (place < AREAS && !unitHas(s, sovietOf(k), FLAG.faceUp))) mask |= 1 << k;
  }
  return mask;
}

/** @param unseen units that are face-down or waiting, and no counter names */
export function setGuns(s: StateView, net: Network, unseen: number): void {
  let waiting = 0;
  for (let k = 0; k < SOVIETS; k++) if (placeOf(s, sovietOf(k)) === WAITING) waiting++;
  net.setGuns(unseen & net.guns, waiting);
}

/** Face-up units, chits and guns of an area in one word. */
export const faceUp = (units: number, chits: number, guns: number): number => units | (chits << 8) | (guns << 16);

/** Makes networks of public logs. */
export class Reader {
  /** Units due by a turn, and other sets, as masks of Soviet slots. */
  private readonly due = new Int32Array(10);
  private readonly red: number;
  private readonly smg: number;
  private readonly start: number;
  private readonly guns: number;
  private readonly solo: boolean;
  private readonly bare: number;
  private readonly mostUnits: number;
  /** Face-up units, chits and guns in each area; the counter that a unit is, or -1. */
  private readonly units = new Int8Array(AREAS);
  private readonly chits = new Int8Array(AREAS);
  private readonly upGuns = new Int8Array(AREAS);
  private readonly counterOf = new Int32Array(SOVIETS);

  constructor(tables: Tables) {
    const pick = (f: (u: UnitId) => boolean): number => {
      let m = 0;
      for (let k = 0; k < SOVIETS; k++) if (f(sovietOf(k))) m |= 1 << k;
      return m;
    };
    const { data } = tables;
    for (let t = 1; t <= 9; t++) this.due[t] = pick((u) => data.entryTurn[u]! >= 1 && data.entryTurn[u]! <= t);
    this.red = pick((u) => data.red[u] === 1);
    this.smg = pick((u) => data.smg[u] === 1);
    this.start = pick((u) => data.entryTurn[u] === 0);
    this.solo = tables.solo;
    this.guns = pick((u) => isArmed(data, u));
    const { stacking } = data;
    this.bare = tables.solo ? stacking.soloUnits : stacking.units;
    this.mostUnits = this.bare + (tables.solo ? stacking.soloArmor : stacking.armor);
  }

  network(): Network {
    return new Network(this.bare, this.mostUnits, this.smg, this.guns, this.start);
  }

  /** Reads the public log of a view. @param up what is face-up now, by areas, as of `faceUp` */
  read(s: StateView, net: Network, up: Int32Array): void {
    net.clear();
    this.faceUpAtStart(s, up);
    this.counterOf.fill(NONE);
    const n = s[L.publicLogLength]!;
    let i = 0;
    while (i < n && typeIn(s[L.publicLog + i]!) === ENTRY.init) this.init(net, s[L.publicLog + i]!, i++);
    let turn = n > 0 ? turnIn(s[L.publicLog]!) : turnOf(s);
    let step: number = STEP.before;
    // a position may begin amid a Soviet movement: areas may be overfull
    let fits = turn === 1;
    for (; i < n; i++) {
      const w = s[L.publicLog + i]!;
      const type = typeIn(w);
      if (turnIn(w) !== turn) {
        if (step !== STEP.behind) this.limits(net);
        if (step === STEP.moving) net.turnOver();
        turn = turnIn(w);
        step = STEP.before;
        fits = true;
      }
      if (type === ENTRY.move || isExcess(w)) {
        if (step === STEP.before) {
          if (fits) this.limits(net);
          net.turnOver();
          step = STEP.moving;
        }
      } else if (BEFORE.includes(type)) fits = true;
      else {
        if (step !== STEP.behind) this.limits(net);
        if (step === STEP.moving) net.turnOver();
        step = STEP.behind;
      }
      this.entry(net, w, i);
    }
    this.now(s, net, fits || turnOf(s) !== turn, step === STEP.before || turnOf(s) !== turn);
    net.end();
    this.landingTurns(s, net);
  }

  /**
   * The limits as they hold now.
   *
   * @param fits true when they held as this turn's Soviet movement began; `still`: true when nothing has moved in it
   */
  private now(s: StateView, net: Network, fits: boolean, still: boolean): void {
    if (phaseOf(s) !== PHASE.sovMove || (still && fits)) this.limits(net);
    else if (decisionOf(s) === DECISION.sovExcess) {
      const a = askedArea(s);
      net.checks.addLimits(this.units, this.chits, this.upGuns, a);
      this.check(net, a, CHECK.excess, this.bare, this.mostUnits);
    }
  }

  private limits(net: Network): void {
    net.checks.addLimits(this.units, this.chits, this.upGuns);
  }

  private check(net: Network, a: AreaId, kind: number, bare: number, most: number): void {
    net.checks.add(a, kind, bare, most, this.units[a]!, this.chits[a]!, this.upGuns[a]!);
  }

  /**
   * What was face-up when the public log began: all that is face-up now without an entry of the log that turned it up.
   */
  private faceUpAtStart(s: StateView, up: Int32Array): void {
    const { units, chits, upGuns } = this;
    for (let a = FIRST_AREA; a < AREAS; a++) {
      units[a] = up[a]! & 255;
      chits[a] = (up[a]! >> 8) & 255;
      upGuns[a] = up[a]! >> 16;
    }
    for (let i = 0; i < s[L.publicLogLength]!; i++) {
      const w = s[L.publicLog + i]!;
      const a = areaIn(w);
      const id = idIn(w);
      switch (typeIn(w)) {
        case ENTRY.move:
          if (id === 0) break;
          this.turnUp(id - 1 - GERMANS, toIn(w), -1);
          this.turnUp(id - 1 - GERMANS, a, 1);
          break;
        case ENTRY.revealUnit:
          this.turnUp(id - GERMANS, a, -1);
          break;
        case ENTRY.reflip:
          this.turnUp(id - GERMANS, a, 1);
          break;
        case ENTRY.dead:
          if ((flagsIn(w) & DOWN) === 0) this.turnUp(id - GERMANS, a, 1);
          break;
        case ENTRY.revealChit:
          chits[a]!--;
          break;
        case ENTRY.back:
          if (id > 0) chits[a]!++;
          break;
      }
    }
  }

  /** A unit more, or with `by` -1 less, is face-up in area `a`. */
  private turnUp(unit: number, a: AreaId, by: number): void {
    this.units[a]! += by;
    if ((this.guns >> unit) & 1) this.upGuns[a]! += by;
  }

  private init(net: Network, w: number, i: number): void {
    const cls = flagsIn(w);
    for (let k = 0; k < idIn(w); k++) {
      if (cls === CLASS.any) net.addUnknown(areaIn(w), this.start | this.due[turnIn(w)]!, i);
      else net.addCounter(areaIn(w), cls === CLASS.chit ? IS_CHIT : this.start, NONE, i);
    }
  }

  private entry(net: Network, w: number, i: number): void {
    const { chits } = this;
    const a = areaIn(w);
    const id = idIn(w);
    const flags = flagsIn(w);
    switch (typeIn(w)) {
      case ENTRY.land: {
        const due = this.due[turnIn(w)]!;
        const only = flags >> 2;
        if ((flags & 3) !== LANDING.land) this.landingFailed(net, a, id - 1 - GERMANS, i);
        else
          net.addCounter(a, only === ONLY.red ? due & this.red : only === ONLY.black ? due & ~this.red : due, NONE, i);
        break;
      }
      case ENTRY.hold:
      case ENTRY.stranded:
        if (reachIn(w, 0) === 0 && reachIn(w, 1) === 0) break;
        net.river[net.rivers++] = i;
        for (let b = FIRST_AREA; b < AREAS; b++) {
          net.riverCheck[(net.rivers - 1) * AREAS + b] = b * CHECKS + net.checks.count[b]!;
          if (((reachIn(w, 0) | reachIn(w, 1)) >> b) & 1) this.check(net, b, CHECK.count, this.bare, this.mostUnits);
        }
        break;
      case ENTRY.chit:
        net.addCounter(a, IS_CHIT, NONE, i);
        break;
      case ENTRY.move:
        if (id === 0) {
          net.addMove(a, toIn(w), turnIn(w), i, flags);
          if (this.solo) net.addDownMove(a, (flags & 3) === CLASS.chit);
        } else {
          if (this.solo) net.addUpMove(a, id - 1 - GERMANS);
          this.turnUp(id - 1 - GERMANS, a, -1);
          this.turnUp(id - 1 - GERMANS, toIn(w), 1);
          net.lastUpMove[id - 1 - GERMANS] = i;
        }
        break;
      case ENTRY.revealUnit:
        this.addReveal(net, a, id - GERMANS, i);
        this.turnUp(id - GERMANS, a, 1);
        break;
      case ENTRY.revealChit:
        net.addReveal(a, CHIT, id, i);
        chits[a]!++;
        break;
      case ENTRY.reflip:
        this.turnUp(id - GERMANS, a, -1);
        this.turnDown(net, a, id - GERMANS, i);
        break;
      case ENTRY.dead:
        if (isExcess(w)) this.check(net, a, CHECK.unitExcess, this.bare, this.mostUnits);
        if (flags & DOWN) this.addReveal(net, a, id - GERMANS, i);
        else this.turnUp(id - GERMANS, a, -1);
        break;
      case ENTRY.back:
        if (isExcess(w)) this.check(net, a, CHECK.chitExcess, this.bare, this.mostUnits);
        if (id === 0) net.addReveal(a, CHIT, NONE, i);
        else chits[a]!--;
        break;
    }
  }

  /** There was room for the unit, which was lost (`unit` 0 and up) or turned away. Rule: SS 1.21, SS 2.2 */
  private landingFailed(net: Network, a: AreaId, unit: number, entry: number): void {
    if (unit < 0) net.addTry(a, this.units[a]!, this.chits[a]!, this.upGuns[a]!, entry);
    const most = this.mostUnits - 1;
    const bare = unit < 0 || (this.guns >> unit) & 1 ? most : this.bare - 1;
    this.check(net, a, CHECK.limits, bare, most);
  }

  private turnDown(net: Network, a: AreaId, unit: number, i: number): void {
    const counter = net.addCounter(a, 1 << unit, unit, i);
    this.counterOf[unit] = counter;
    net.upMoveBefore[counter] = net.lastUpMove[unit]!;
    net.revealBefore[counter] = net.lastReveal[unit]!;
  }

  private addReveal(net: Network, a: AreaId, unit: number, entry: number): void {
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
    setGuns(s, net, open);
    for (let t = 1; t <= 9; t++) net.unseen[t] = bits(open & this.due[t]!);
  }
}
