import type { State, StateView } from "../../core/layout.js";
import { Contradictions } from "./contradictions.js";
import { isBoxed, type Knowledge } from "../knowledge.js";
import {
  ASK_AFTER_HEX,
  ASK_AFTER_UNIT,
  BANK_SHIFT,
  F_ASK,
  F_NEED,
  F_UNIT,
  FRAME_WORDS,
  type UnitId,
} from "../layout.js";
import { isVisible } from "../rules/units/hidden.js";
import { isVehicle } from "../rules/units/units.js";
import { isWorkshop, REPAIR } from "../rules/units/workshop.js";
import { firstIn, nextIn, placeOf, setExtra, type Tables } from "../state.js";
import { Workers } from "./workers.js";

/** Rounds in which a deal is mended before it is given up. */
const ROUNDS = 12;

/**
 * Deals of unseen units that agree with what a player has seen. A deal that does not is mended hex by hex: units of one
 * back change places while that leaves fewer contradictions.
 */
export class Mender {
  private player = 0;
  /** What the player sees, and what of a deal contradicts it. */
  readonly seen: Contradictions;
  /** By hex: contradictions of the deal. */
  private readonly wrong: Uint8Array;
  /** Unseen units, those of one back together; by unit: where those of its back begin and end. */
  private readonly list: Int32Array;
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  private count = 0;
  /** The engineers at each site, and how many sites lack one. */
  readonly workers: Workers;
  private lacks = 0;
  /** Unseen repair units that were not dealt to a hex: everybody knows that they are in the factory. Rule: SOS 16.71 */
  private strays = 0;

  constructor(
    private readonly tables: Tables,
    private readonly knowledge: Knowledge,
  ) {
    const { hexes, units } = tables;
    this.wrong = new Uint8Array(hexes);
    this.list = new Int32Array(units);
    this.from = new Int32Array(units);
    this.to = new Int32Array(units);
    this.workers = new Workers(tables);
    this.seen = new Contradictions(tables, knowledge);
  }

  /**
   * Notes what a player sees.
   *
   * @param truth a state, of which only the holders of hexes are read
   * @param known the same as the player knows it, with the unseen units dealt in one fixed way
   * @returns how many units he doesn't see
   */
  begin(truth: StateView, known: StateView, player: number): number {
    const { knowledge, tables } = this;
    this.player = player;
    this.workers.begin(known, player);
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
    this.seen.begin(truth, known, player, this.list, n, this.to);
    return n;
  }

  /** True when a deal agrees with what the player sees of every hex. */
  fits(s: StateView): boolean {
    for (let h = 0; h < this.tables.hexes; h++)
      if (firstIn(this.tables, s, h) >= 0 && this.seen.faults(s, h) > 0) return false;
    return this.workers.lacking(s) === 0;
  }

  /** Unseen vehicles at a wall come to a bank on which they are not seen. */
  settleBanks(s: State): void {
    const { tables } = this;
    if (!tables.board.sight.hasWalls) return;
    for (let i = 0; i < this.count; i++) {
      const unit = this.list[i]!;
      const hex = placeOf(tables, s, unit);
      if (hex < 0 || !tables.board.sight.isWall(hex) || !isVehicle(tables, s, unit)) continue;
      if (isVisible(tables, s, unit)) setExtra(tables, s, unit, BANK_SHIFT, this.seen.bankThatHides(s, unit, hex));
    }
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
      wrong[h] = firstIn(tables, s, h) < 0 ? 0 : this.seen.faults(s, h);
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
    const atX = x >= 0 ? this.seen.faults(s, x) : 0;
    const atY = y >= 0 && y !== x ? this.seen.faults(s, y) : 0;
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
}

/** A word that names one of two units names the other. */
function rename(s: State, at: number, a: number, b: number): void {
  if (s[at] === a + 1) s[at] = b + 1;
  else if (s[at] === b + 1) s[at] = a + 1;
}
