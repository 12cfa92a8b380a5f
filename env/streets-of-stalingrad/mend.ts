import type { State, StateView } from "../core/layout.js";
import { isBoxed, type Knowledge } from "./knowledge.js";
import {
  ANNOUNCED_ZOC,
  ASK_AFTER_HEX,
  ASK_AFTER_UNIT,
  ASK_LEADER,
  BANK_SHIFT,
  DISMOUNTED,
  F_ASK,
  F_HEX,
  F_NEED,
  F_UNIT,
  FRAME_WORDS,
  FRESH,
  LEFT,
  STACK_MARKERS,
  UNREADY,
  type UnitId,
} from "./layout.js";
import { GERMAN } from "./roster.js";
import { leaves } from "./rules/combat/after.js";
import { combatFaults } from "./rules/combat/infiltration.js";
import { armorFaults } from "./rules/combat/dogs.js";
import { Lookouts } from "./lookouts.js";
import { isVisible } from "./rules/units/hidden.js";
import { FEELS_NO_PIN } from "./rules/units/losses.js";
import { isOverfull, sameLimit } from "./rules/units/stacking.js";
import { isArmored, isVehicle } from "./rules/units/units.js";
import { announcedOf, enemyOf, extraOf, firstIn, frameOf, has, nextIn, placeOf, setExtra } from "./state.js";
import type { Tables } from "./state.js";
import { isHeldByGermans } from "./victory.js";
import { isWorkshop, REPAIR } from "./rules/units/workshop.js";
import { Workers } from "./workers.js";

/** Rounds in which a deal is mended before it is given up. */
const ROUNDS = 12;
/** What is known of whether a class of units could be face down in a hex. */
const NOT_ASKED = 0;
const HIDDEN = 1;
const SEEN = 2;

/**
 * Deals of unseen units that agree with what a player has seen: backs, announcements, stacking, markers, holders. A
 * deal that does not is mended hex by hex: units of one back change places while that leaves fewer contradictions.
 */
export class Mender {
  private player = 0;
  /**
   * Bits by hex: markers on unseen counters, a stack too large anyway, held by Germans, open to foot, open to vehicles.
   */
  private readonly shown: Int32Array;
  private readonly overfull: Uint8Array;
  private readonly held: Uint8Array;
  private readonly hidden: Uint8Array;
  /** By hex: contradictions of the deal. */
  private readonly wrong: Uint8Array;
  /** Unseen units, those of one back together; by unit: where those of its back begin and end. */
  private readonly list: Int32Array;
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  private count = 0;
  /** Hexes may have more leaders, OPs and so on than their limit: movers that were stopped there. Rule: SOS 5.8 */
  crowded = false;
  /** The engineers at each site, and how many sites lack one. */
  readonly workers: Workers;
  private readonly lookouts: Lookouts;
  private lacks = 0;
  /** Unseen repair units that were not dealt to a hex: everybody knows that they are in the factory. Rule: SOS 16.71 */
  private strays = 0;

  constructor(
    private readonly tables: Tables,
    private readonly knowledge: Knowledge,
  ) {
    const { hexes, units } = tables;
    this.shown = new Int32Array(hexes);
    this.overfull = new Uint8Array(hexes);
    this.held = new Uint8Array(hexes);
    this.hidden = new Uint8Array(2 * hexes);
    this.wrong = new Uint8Array(hexes);
    this.list = new Int32Array(units);
    this.from = new Int32Array(units);
    this.to = new Int32Array(units);
    this.workers = new Workers(tables);
    this.lookouts = new Lookouts(tables);
  }

  /**
   * Notes what a player sees.
   *
   * @param truth a state, of which only the holders of hexes are read
   * @param known the same as the player knows it, with the unseen units dealt in one fixed way
   * @returns how many units he doesn't see
   */
  begin(truth: StateView, known: StateView, player: number): number {
    const { held, hidden, knowledge, overfull, shown, tables } = this;
    const side = enemyOf(player);
    this.player = player;
    this.workers.begin(known, player);
    hidden.fill(NOT_ASKED);
    held.fill(0);
    for (const h of tables.valued) if (isHeldByGermans(tables, truth, h)) held[h] = 1;
    for (let h = 0; h < tables.hexes; h++) {
      shown[h] = 0;
      overfull[h] = 0;
      if (firstIn(tables, known, h) < 0) continue;
      for (let u = firstIn(tables, known, h); u >= 0; u = nextIn(tables, known, u))
        if (knowledge.isUnseen(known, u, player)) shown[h]! |= known[tables.layout.flags + u]! & STACK_MARKERS;
      if (isOverfull(tables, known, side, h)) overfull[h] = 1;
    }
    let n = 0;
    for (const slots of knowledge.byBack) {
      if (tables.roster.side[slots[0]!] === player) continue;
      const first = n;
      for (const u of slots) if (knowledge.isUnseen(known, u, player)) this.list[n++] = u;
      for (let i = first; i < n; i++) {
        this.from[this.list[i]!] = first;
        this.to[this.list[i]!] = n;
      }
    }
    this.count = n;
    this.lookouts.begin(known, player, this.list, n, this.to);
    return n;
  }

  /** True when the Germans hold the same valued hexes as in the true state. */
  holds(s: StateView): boolean {
    for (const h of this.tables.valued) if (isHeldByGermans(this.tables, s, h) !== (this.held[h] === 1)) return false;
    return true;
  }

  /** True when a deal agrees with what the player sees of every hex. */
  fits(s: StateView): boolean {
    for (let h = 0; h < this.tables.hexes; h++)
      if (firstIn(this.tables, s, h) >= 0 && this.faults(s, h) > 0) return false;
    return this.workers.lacking(s) === 0;
  }

  /** Markers that the player sees on the unseen counters of a hex. */
  markersOn(hex: number): number {
    return this.shown[hex]!;
  }

  /**
   * Mends a deal, then mixes it: units of one back change places wherever that contradicts nothing.
   *
   * @returns false when contradictions are left
   */
  mend(s: State, below: (n: number) => number): boolean {
    const { list, tables, wrong } = this;
    let total = 0;
    for (let h = 0; h < tables.hexes; h++) {
      wrong[h] = firstIn(tables, s, h) < 0 ? 0 : this.faults(s, h);
      total += wrong[h]!;
    }
    this.lacks = this.workers.lacking(s);
    this.strays = this.straying(s);
    total += this.lacks + this.strays;
    for (let round = 0; total > 0 && round < ROUNDS; round++) {
      const before = total;
      for (let i = 0; i < this.count && total > 0; i++) {
        const h = placeOf(tables, s, list[i]!);
        if (h >= 0 && wrong[h]! > 0) total -= this.improve(s, list[i]!, below);
      }
      if (this.lacks > 0) total -= this.bringWorkers(s, below);
      if (this.strays > 0) total -= this.bringHome(s, below);
      if (total === before) total -= this.mix(s, below);
    }
    if (total > 0) return false;
    this.mix(s, below);
    return true;
  }

  /** Counters where an engineer lacks become engineers with their back. @returns how many contradictions fewer */
  private bringWorkers(s: State, below: (n: number) => number): number {
    const { tables, workers } = this;
    const sites: number[] = [];
    workers.lacking(s, sites);
    let fewer = 0;
    for (const site of sites)
      for (const h of workers.hexesFor(s, site))
        for (let u = firstIn(tables, s, h), next = -1; u >= 0 && this.lacks > 0; u = next as UnitId) {
          next = nextIn(tables, s, u);
          if (this.knowledge.isUnseen(s, u, this.player)) fewer += this.improve(s, u, below);
        }
    return fewer;
  }

  /** Number of unseen repair units that are in no hex. */
  private straying(s: StateView): number {
    let n = 0;
    for (let i = 0; i < this.count; i++)
      if (this.tables.roster.kind[this.list[i]!] === REPAIR && placeOf(this.tables, s, this.list[i]!) < 0) n++;
    return n;
  }

  /** Repair units come to hexes of the factory. @returns how many contradictions fewer */
  private bringHome(s: State, below: (n: number) => number): number {
    let fewer = 0;
    for (let i = 0; i < this.count; i++) {
      const unit = this.list[i]!;
      if (this.strayed(unit, placeOf(this.tables, s, unit)) === 0) continue;
      fewer += this.improve(s, unit, below);
      if (this.strayed(unit, placeOf(this.tables, s, unit)) === 1) fewer += this.makeRoom(s, unit, below);
    }
    return fewer;
  }

  /**
   * A battery in the factory can't go to a box: it goes elsewhere on the map first.
   *
   * @returns how many contradictions fewer
   */
  private makeRoom(s: State, unit: number, below: (n: number) => number): number {
    const { from, list, tables, to } = this;
    const { battery } = tables.roster;
    const n = to[unit]! - from[unit]!;
    const start = below(n);
    let fewer = 0;
    for (let i = from[unit]!; i < to[unit]!; i++) {
      const there = list[i]!;
      if (battery[there] === battery[unit] || !isWorkshop(tables, placeOf(tables, s, there))) continue;
      for (let k = 0; k < n; k++) {
        const other = list[from[unit]! + ((start + k) % n)]!;
        if (battery[other] !== battery[unit] || placeOf(tables, s, other) < 0) continue;
        fewer += this.exchange(s, there, other, -2);
        if (isWorkshop(tables, placeOf(tables, s, other))) return fewer + this.exchange(s, unit, other, 0);
      }
      // there is nobody else: the box gets a battery, which may be one too many
      const gained = this.exchange(s, unit, there, 1, true);
      if (gained > 0) return fewer + gained;
    }
    return fewer;
  }

  /**
   * Units of one back change places at random where that leaves no more contradictions.
   *
   * @returns how many fewer it left
   */
  private mix(s: State, below: (n: number) => number): number {
    const { from, list, to } = this;
    let fewer = 0;
    for (let i = 0; i < this.count; i++) {
      const u = list[below(this.count)]!;
      fewer += this.exchange(s, u, list[from[u]! + below(to[u]! - from[u]!)]!, 0);
    }
    return fewer;
  }

  /** Swaps a unit with another if that leaves fewer contradictions. @returns how many fewer */
  private improve(s: State, unit: number, below: (n: number) => number): number {
    const { from, list, to } = this;
    const n = to[unit]! - from[unit]!;
    const start = below(n);
    for (let i = 0; i < n; i++) {
      const fewer = this.exchange(s, unit, list[from[unit]! + ((start + i) % n)]!, 1);
      if (fewer > 0) return fewer;
    }
    return 0;
  }

  /**
   * Two units change places if that removes contradictions.
   *
   * @param anyBattery whether boxes are armed is seen to later
   * @returns how many it removed
   */
  private exchange(s: State, a: number, b: number, least: number, anyBattery = false): number {
    const { tables, wrong } = this;
    const { extra, flags } = tables.layout;
    const x = placeOf(tables, s, a);
    const y = placeOf(tables, s, b);
    if (x === y && s[flags + a] === s[flags + b] && s[extra + a] === s[extra + b]) return 0;
    // boxes keep the batteries that they were dealt, unless that mends something. Rule: SOS 14.54
    if (!anyBattery && tables.roster.battery[a] !== tables.roster.battery[b] && (isBoxed(x) || isBoxed(y))) {
      const [gun, other] = tables.roster.battery[a] === 1 ? [a, b] : [b, a];
      if (least <= 0 || !this.knowledge.mayTrade(s, gun, other)) return 0;
    }
    const before = (x >= 0 ? wrong[x]! : 0) + (y >= 0 && y !== x ? wrong[y]! : 0) + this.lacks + this.strays;
    const astray = this.strayed(a, x) + this.strayed(b, y);
    this.swap(s, a, b);
    const atX = x >= 0 ? this.faults(s, x) : 0;
    const atY = y >= 0 && y !== x ? this.faults(s, y) : 0;
    const lacks = this.workers.lacking(s);
    const strays = this.strays - astray + this.strayed(a, y) + this.strayed(b, x);
    const fewer = before - atX - atY - lacks - strays;
    if (fewer < least) {
      this.swap(s, a, b);
      return 0;
    }
    this.lacks = lacks;
    this.strays = strays;
    if (x >= 0) wrong[x] = atX;
    if (y >= 0 && y !== x) wrong[y] = atY;
    return fewer;
  }

  private strayed(unit: number, place: number): number {
    return place < 0 && this.tables.roster.kind[unit] === REPAIR ? 1 : 0;
  }

  /** Two units become each other's counters. */
  private swap(s: State, a: number, b: number): void {
    const { layout } = this.tables;
    this.unlink(s, a);
    this.unlink(s, b);
    for (const words of [layout.place, layout.flags, layout.extra, layout.work]) {
      const word = s[words + a]!;
      s[words + a] = s[words + b]!;
      s[words + b] = word;
    }
    this.link(s, a);
    this.link(s, b);
    for (let frame = layout.frames; frame < layout.frames + s[layout.depth]! * FRAME_WORDS; frame += FRAME_WORDS) {
      rename(s, frame + F_UNIT, a, b);
      if (s[frame + F_ASK] === ASK_AFTER_UNIT || s[frame + F_ASK] === ASK_AFTER_HEX) rename(s, frame + F_NEED, a, b);
    }
  }

  private unlink(s: State, unit: number): void {
    const { layout } = this.tables;
    const hex = s[layout.place + unit]!;
    if (hex < 0) return;
    let at = layout.top + hex;
    while (s[at] !== unit + 1) at = layout.next + s[at]! - 1;
    s[at] = s[layout.next + unit]!;
    s[layout.next + unit] = 0;
  }

  private link(s: State, unit: number): void {
    const { layout } = this.tables;
    const hex = s[layout.place + unit]!;
    if (hex < 0) return;
    let at = layout.top + hex;
    while (s[at]! !== 0 && s[at]! - 1 < unit) at = layout.next + s[at]! - 1;
    s[layout.next + unit] = s[at]!;
    s[at] = unit + 1;
  }

  /**
   * How often the other side's units in a hex contradict what the player sees. Where no unit may have a zone of control
   * or hold the hex, each that does counts, so that a deal is mended one unit at a time.
   */
  private faults(s: StateView, h: number): number {
    const { knowledge, player, tables } = this;
    const { flags } = tables.layout;
    const { roster } = tables;
    let n = 0;
    let here = false;
    let zones = 0;
    let holders = 0;
    let chief = false;
    let fighter = false;
    let markers = 0;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.side[u] === player) {
        if (roster.chief[u] === 1) chief = true;
        if (roster.zocUnit[u] === 1) fighter = true;
        continue;
      }
      here = true;
      if (roster.zocUnit[u] === 1) zones++;
      if (roster.stackUnit[u] === 1) holders++;
      else if (!this.crowded && this.tooMany(s, u)) n++;
      if (knowledge.isUnseen(s, u, player)) {
        if (!this.canLie(s, u, h) || this.isSecond(s, u, h)) n++;
        if (this.lookouts.contradicts(s, u, h)) n++;
        if (!FEELS_NO_PIN.includes(roster.kind[u]!)) markers |= s[flags + u]!;
      } else markers |= s[flags + u]!;
      if (has(tables, s, u, LEFT) && !leaves(tables, s, u, h, 2)) n++;
    }
    if (!here) return 0;
    if (roster.herman >= 0) n += combatFaults(tables, s, h);
    if (roster.dogs.length > 0) n += armorFaults(tables, s, h);
    // a combat unit would have driven the leader or OP of the player out
    if (chief && !this.makesWay(s, h)) n += zones;
    if (fighter) n += zones;
    const said = fighter ? 0 : announcedOf(tables, s, h); // of units beside a minefield that they have entered
    if (said !== 0) n += said === ANNOUNCED_ZOC ? missing(zones) : zones;
    if ((this.shown[h]! & ~markers) !== 0) n++;
    if (this.overfull[h] === 0 && isOverfull(tables, s, enemyOf(player), h)) n++;
    if (player !== GERMAN && tables.points[h] !== 0) n += this.held[h] === 1 ? missing(holders) : holders;
    return n;
  }

  /** True when a leader is asked to leave the hex. */
  private makesWay(s: StateView, hex: number): boolean {
    const frame = frameOf(this.tables, s, ASK_LEADER);
    return frame >= 0 && s[frame + F_HEX] === hex + 1;
  }

  /** True when a unit could be face down where it was dealt, with the markers there. */
  private canLie(s: StateView, unit: number, hex: number): boolean {
    const { hidden, tables } = this;
    const { roster } = tables;
    const at = 2 * hex + (isVehicle(tables, s, unit) ? 1 : 0);
    // whoever looks at it is of the player's side; of a vehicle at a wall the bank is not known
    if (hidden[at] === NOT_ASKED)
      hidden[at] = isVisible(tables, s, unit) && this.bankThatHides(s, unit, hex) === 0 ? SEEN : HIDDEN;
    if (hidden[at] === SEEN) return false;
    if (has(tables, s, unit, DISMOUNTED) && roster.carried[unit] === 0) return false;
    if (has(tables, s, unit, UNREADY) && roster.towed[unit] === 0) return false;
    if (roster.kind[unit] === REPAIR && !isWorkshop(tables, hex)) return false;
    if (roster.train[unit] === 1 && !tables.board.hasFeature(hex, "railroad")) return false;
    return !has(tables, s, unit, FRESH) || isArmored(tables, s, unit);
  }

  /** The bank of a wall behind which a vehicle would be face down, 0 none. Rule: SOS 9.40 */
  private bankThatHides(s: StateView, unit: number, hex: number): number {
    const { banks, sight } = this.tables.board;
    if (!sight.hasWalls || !sight.isWall(hex) || !isVehicle(this.tables, s, unit)) return 0;
    const state = s as State;
    const was = extraOf(this.tables, s, unit, BANK_SHIFT);
    let found = 0;
    for (let bank = 1; bank <= 6 && found === 0; bank++) {
      if (!banks.isBank(hex, bank)) continue;
      setExtra(this.tables, state, unit, BANK_SHIFT, bank);
      if (!isVisible(this.tables, s, unit)) found = bank;
    }
    setExtra(this.tables, state, unit, BANK_SHIFT, was);
    return found;
  }

  /** Unseen vehicles at a wall come to a bank on which they are not seen. */
  settleBanks(s: State): void {
    const { tables } = this;
    if (!tables.board.sight.hasWalls) return;
    for (let i = 0; i < this.count; i++) {
      const unit = this.list[i]!;
      const hex = placeOf(tables, s, unit);
      if (hex < 0 || !tables.board.sight.isWall(hex) || !isVehicle(tables, s, unit)) continue;
      if (isVisible(tables, s, unit)) setExtra(tables, s, unit, BANK_SHIFT, this.bankThatHides(s, unit, hex));
    }
  }

  /** True when a minefield, fort or bridge is where the player has one. Rule: SOS 17.11, SOS 17.21, SOS 17.33 */
  private isSecond(s: StateView, unit: number, hex: number): boolean {
    const { roster } = this.tables;
    if (roster.blind[unit] === 0) return false;
    for (let u = firstIn(this.tables, s, hex); u >= 0; u = nextIn(this.tables, s, u))
      if (roster.side[u] === this.player && roster.kind[u] === roster.kind[unit]) return true;
    return false;
  }

  /** True when a hex has more leaders, OPs and so on than it may, and not all of them are seen. */
  private tooMany(s: StateView, unit: number): boolean {
    const { tables } = this;
    const { charts, roster } = tables;
    let n = 0;
    let unseen = false;
    for (let u = firstIn(tables, s, placeOf(tables, s, unit)); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.side[u] !== roster.side[unit] || !sameLimit(tables, unit, u)) continue;
      if (this.knowledge.isUnseen(s, u, this.player)) unseen = true;
      n++;
    }
    return unseen && n > charts.extraLimit[roster.kind[unit]!]!;
  }
}

/** A contradiction where there should be a unit and is none. */
const missing = (units: number): number => (units === 0 ? 1 : 0);

/** A word that names one of two units names the other. */
function rename(s: State, at: number, a: number, b: number): void {
  if (s[at] === a + 1) s[at] = b + 1;
  else if (s[at] === b + 1) s[at] = a + 1;
}
