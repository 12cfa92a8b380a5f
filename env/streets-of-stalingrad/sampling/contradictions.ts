import type { State, StateView } from "../../core/layout.js";
import type { Knowledge } from "../knowledge.js";
import {
  ANNOUNCED_ZOC,
  ASK_LEADER,
  BANK_SHIFT,
  DISMOUNTED,
  F_HEX,
  FRESH,
  LEFT,
  STACK_MARKERS,
  UNREADY,
} from "../layout.js";
import { Lookouts } from "./lookouts.js";
import { GERMAN } from "../roster.js";
import { leaves } from "../rules/combat/after.js";
import { armorFaults } from "../rules/combat/dogs.js";
import { combatFaults } from "../rules/combat/infiltration.js";
import { isVisible } from "../rules/units/hidden.js";
import { FEELS_NO_PIN } from "../rules/units/losses.js";
import { isOverfull, limit, sameLimit } from "../rules/units/stacking.js";
import { isArmored, isVehicle } from "../rules/units/units.js";
import { isWorkshop, REPAIR } from "../rules/units/workshop.js";
import {
  announcedOf,
  enemyOf,
  extraOf,
  firstIn,
  frameOf,
  has,
  nextIn,
  placeOf,
  setExtra,
  type Tables,
} from "../state.js";
import { isHeldByGermans } from "../victory.js";

/** What is known of whether a class of units could be face down in a hex. */
const NOT_ASKED = 0;
const HIDDEN = 1;
const SEEN = 2;

/**
 * What a player has seen of each hex, and how often a deal of unseen units contradicts it: backs, announcements,
 * stacking, markers, holders, lookouts.
 */
export class Contradictions {
  private player = 0;
  /**
   * Bits by hex: markers on unseen counters, a stack too large anyway, held by Germans, open to foot, open to vehicles.
   */
  private readonly shown: Int32Array;
  private readonly overfull: Uint8Array;
  private readonly held: Uint8Array;
  private readonly hidden: Uint8Array;
  /** Hexes may have more leaders, OPs and so on than their limit: movers that were stopped there. Rule: SOS 5.8 */
  crowded = false;
  private readonly lookouts: Lookouts;

  constructor(
    private readonly tables: Tables,
    private readonly knowledge: Knowledge,
  ) {
    const { hexes } = tables;
    this.shown = new Int32Array(hexes);
    this.overfull = new Uint8Array(hexes);
    this.held = new Uint8Array(hexes);
    this.hidden = new Uint8Array(2 * hexes);
    this.lookouts = new Lookouts(tables);
  }

  /**
   * Notes what a player sees.
   *
   * @param truth a state, of which only the holders of hexes are read
   * @param known the same as the player knows it, with the unseen units dealt in one fixed way
   * @param unseen the first `count` of them are the unseen units, those of one back together
   * @param end by unit: where those of its back end
   */
  begin(truth: StateView, known: StateView, player: number, unseen: Int32Array, count: number, end: Int32Array): void {
    const { held, hidden, knowledge, overfull, shown, tables } = this;
    const side = enemyOf(player);
    this.player = player;
    hidden.fill(NOT_ASKED);
    held.fill(0);
    for (const h of tables.valued) if (isHeldByGermans(tables, truth, h)) held[h] = 1;
    for (let h = 0; h < tables.hexes; h++) {
      shown[h] = 0;
      overfull[h] = 0;
      if (firstIn(tables, known, h) < 0) continue;
      for (let u = firstIn(tables, known, h); u >= 0; u = nextIn(tables, known, u))
        if (knowledge.isUnseen(known, u, player)) shown[h]! |= known[tables.layout.flags + u]! & STACK_MARKERS;
      if (isOverfull(tables, known, side, h) || this.mustBeOverfull(known, side, h)) overfull[h] = 1;
    }
    this.lookouts.begin(known, player, unseen, count, end);
  }

  /** True when a hex has too many stack units whatever its unseen ones are: who is not ready is a gun. */
  private mustBeOverfull(known: StateView, side: number, hex: number): boolean {
    const { knowledge, player, tables } = this;
    const { roster } = tables;
    let stack = 0;
    let lifted = false;
    for (let u = firstIn(tables, known, hex); u >= 0; u = nextIn(tables, known, u)) {
      if (roster.side[u] !== side) continue;
      if (knowledge.isUnseen(known, u, player)) stack += has(tables, known, u, UNREADY) ? 1 : 0;
      else {
        stack += roster.stackUnit[u]!;
        if (roster.liftsLimit[u] === 1) lifted = true;
      }
    }
    return stack > limit(tables, side, lifted);
  }

  /** True when the Germans hold the same valued hexes as in the true state. */
  holds(s: StateView): boolean {
    for (const h of this.tables.valued) if (isHeldByGermans(this.tables, s, h) !== (this.held[h] === 1)) return false;
    return true;
  }

  /** Markers that the player sees on the unseen counters of a hex. */
  markersOn(hex: number): number {
    return this.shown[hex]!;
  }

  /**
   * How often the other side's units in a hex contradict what the player sees. Where no unit may have a zone of control
   * or hold the hex, each that does counts, so that a deal is mended one unit at a time.
   */
  faults(s: StateView, h: number): number {
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
    // only units of the player can see it, and these are known; the bank of a vehicle at a wall is not
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
  bankThatHides(s: StateView, unit: number, hex: number): number {
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
