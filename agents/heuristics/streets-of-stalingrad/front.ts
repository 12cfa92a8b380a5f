import type { Game, Seed, StateView } from "../../../env/index.js";
import { BUILD, DONE, HEX, STAY } from "../../../env/streets-of-stalingrad/actions.js";
import {
  FIRING,
  GROUP,
  isBox,
  MARK_ATTACK,
  ORDERED,
  PINNED,
  STAGE_NORMAL,
  STAGE_RESERVES,
  TASK_FORT,
  TOOK_TROOP,
} from "../../../env/streets-of-stalingrad/layout.js";
import { mayShell } from "../../../env/streets-of-stalingrad/rules/artillery/guns.js";
import { GERMAN, SOVIET, TROOP } from "../../../env/streets-of-stalingrad/roster.js";
import {
  firstIn,
  has,
  markOf,
  nextIn,
  placeOf,
  type Tables,
  taskOf,
} from "../../../env/streets-of-stalingrad/state.js";
import { OP, PINNED_WORTH, Planner } from "./planner.js";
import { type Ask, GROUND, VICTORY } from "./policy.js";
import { Ferryman } from "./soviet.js";

/** Distance from the objective within which units attack it. All others hold their part of the front. */
const SECTOR = 8;
/** Value of taking a hex one or two hexes from the objective, in units lost by the enemy. */
const KEY = [1.2, 0.8] as const;
/** German stack units that stay on a victory hex; Soviet infantry needed in a hex of the front. */
const GARRISON = 2;
/** Units in a full stack. */
const FULL = 3;
/** Hexes that Soviet infantry moves in a movement phase. */
const MARCH = 8;
/** Hexes that a transport goes, and turns that a fort takes. */
const RIDE = 24;
const FORT_TURNS = 2;
const BUILD_FORT = BUILD + TASK_FORT - 1;
/** Distance within which a hex shields a victory hex. */
const SHIELD = 2;

/** The stacks of both sides, by hex. */
class Stacks {
  private readonly counts: readonly [Uint8Array, Uint8Array];
  private readonly counters: readonly [Uint8Array, Uint8Array];
  private readonly rifles: readonly [Uint8Array, Uint8Array];

  constructor(private readonly tables: Tables) {
    const words = (): Uint8Array => new Uint8Array(tables.hexes);
    this.counts = [words(), words()];
    this.counters = [words(), words()];
    this.rifles = [words(), words()];
  }

  note(s: StateView): void {
    const { roster, units } = this.tables;
    for (const list of [...this.counts, ...this.counters, ...this.rifles]) list.fill(0);
    for (let u = 0; u < units; u++) {
      const at = placeOf(this.tables, s, u);
      if (at < 0) continue;
      const side = roster.side[u] as 0 | 1;
      this.counters[side][at]!++;
      if (roster.stackUnit[u] === 1) this.counts[side][at]!++;
      if (roster.infantryType[u] === 1) this.rifles[side][at]!++;
    }
  }

  /** Units of a side in a hex that count for stacking. */
  in(side: number, hex: number): number {
    return this.counts[side as 0 | 1][hex]!;
  }
  /** Infantry units among them. */
  infantry(side: number, hex: number): number {
    return this.rifles[side as 0 | 1][hex]!;
  }
  /** True when there is a counter of a side in a hex. */
  any(side: number, hex: number): boolean {
    return this.counters[side as 0 | 1][hex]! > 0;
  }
  /** True when a hex is beside a counter of a side. */
  beside(side: number, hex: number): boolean {
    const { neighbours } = this.tables.board;
    for (let d = hex * 6; d < hex * 6 + 6; d++) if (neighbours[d]! >= 0 && this.any(side, neighbours[d]!)) return true;
    return false;
  }
  /** Hexes to the nearest counter of a side, `most` where none is nearer. */
  near(side: number, hex: number, most: number): number {
    const { board, hexes } = this.tables;
    let best = most;
    for (let h = 0; h < hexes; h++) if (this.any(side, h)) best = Math.min(best, board.distance(hex, h));
    return best;
  }
}

/**
 * The planner for a whole front. Assault groups attack the nearest objective, all other units stay in contact and hold
 * the line, and captured landings keep a garrison.
 */
export class FrontPlanner extends Planner {
  protected readonly stacks: Stacks;

  constructor(game: Game, seed: Seed) {
    super(game, seed);
    this.stacks = new Stacks(this.tables);
  }

  protected override selectMover(ask: Ask): number {
    this.stacks.note(ask.s);
    return super.selectMover(ask);
  }

  protected override keeps(ask: Ask, unit: number, hex: number): boolean {
    const { stacks, tables } = this;
    const { board, points, roster } = tables;
    if (hex < 0) return false;
    if (roster.gunRange[unit]! > 0)
      return stacks.near(SOVIET, hex, roster.gunRange[unit]! + 1) <= roster.gunRange[unit]!;
    const wanted = this.objective(ask, hex);
    if (wanted < 0 || this.holdsLine(unit, hex, wanted)) return true;
    if (roster.chief[unit] === 1)
      return roster.kind[unit] === OP ? board.sight.spots(hex, wanted, true) : stacks.in(GERMAN, hex) > 0;
    if (points[hex]! > 0 && stacks.in(GERMAN, hex) <= GARRISON) return true;
    if (stacks.beside(SOVIET, hex)) return true;
    return !this.hasWay(hex, wanted);
  }

  /** True when a unit is too far from the objective to attack it, and holds its part of the front. */
  protected holdsLine(_unit: number, hex: number, wanted: number): boolean {
    return this.tables.board.distance(hex, wanted) > SECTOR;
  }

  /** True when a hex beside this one is nearer to the objective, free of enemies and not full. */
  private hasWay(hex: number, wanted: number): boolean {
    const { board } = this.tables;
    for (let d = hex * 6; d < hex * 6 + 6; d++) {
      const h = board.neighbours[d]!;
      if (h < 0 || board.volga[h] === 1 || this.stacks.any(SOVIET, h) || this.stacks.in(GERMAN, h) >= FULL) continue;
      if (board.distance(h, wanted) < board.distance(hex, wanted)) return true;
    }
    return false;
  }

  protected override groundWorth(s: Ask["s"], hex: number): number {
    const { board, points, valued } = this.tables;
    if (points[hex]! > 0) return VICTORY * points[hex]!;
    let best = GROUND;
    for (const h of valued) {
      const distance = board.distance(hex, h);
      if (distance <= KEY.length && this.estimate.count(s, GERMAN, h) === 0) best = Math.max(best, KEY[distance - 1]!);
    }
    return best;
  }
}

/**
 * The ferryman for a whole front. Units that hold a landing or the line before it stay; all others go where these are
 * thin. It attacks where the tables promise more than the attack costs.
 */
export class FrontFerryman extends Ferryman {
  protected readonly stacks: Stacks;

  constructor(game: Game, seed: Seed) {
    super(game, seed);
    this.stacks = new Stacks(this.tables);
  }

  protected override selectMover(ask: Ask): number {
    this.note(ask);
    const { roster } = this.tables;
    const mover = this.unitThat(ask, (u, hex) => this.isFree(ask, u, hex) && this.hasNeed(ask, hex, MARCH));
    if (mover !== DONE || ask.s[this.tables.layout.stage] !== STAGE_NORMAL) return mover;
    const carrier = this.unitThat(ask, (u) => roster.transport[u] === 1 && this.passenger(ask, u) >= 0);
    if (carrier !== DONE) return carrier;
    return this.unitThat(ask, (u, hex) => this.mayFortify(ask, u, hex));
  }

  /** A unit beside a transport that is wanted farther off than it walks; -1 none. */
  private passenger(ask: Ask, transport: number): number {
    const { s } = ask;
    const { tables } = this;
    const hex = placeOf(tables, s, transport);
    if (hex < 0 || (s[tables.layout.work + transport]! & TOOK_TROOP) !== 0) return -1;
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
      if (tables.roster.rider[u] === TROOP && !has(tables, s, u, ORDERED | PINNED | GROUP) && this.isFree(ask, u, hex))
        return this.hasNeed(ask, hex, RIDE) ? u : -1;
    return -1;
  }

  /** True when an engineer that holds a landing, or the line before it, has time to build a fort. */
  private mayFortify({ s }: Ask, unit: number, hex: number): boolean {
    const { layout, points } = this.tables;
    if (hex < 0 || !this.tables.engineers[SOVIET]!.includes(unit) || taskOf(this.tables, s, unit) !== 0) return false;
    return s[layout.lastTurn]! - s[layout.turn]! >= FORT_TURNS && (points[hex]! > 0 || this.shields(hex));
  }

  /** True when a unit may leave its hex. */
  private isFree({ s }: Ask, unit: number, hex: number): boolean {
    const { stacks, tables } = this;
    const { roster } = tables;
    if (roster.stackUnit[unit] === 0 || roster.gunRange[unit]! > 0 || taskOf(tables, s, unit) !== 0) return false;
    if (roster.mp[unit] === 0 && roster.train[unit] === 0) return false;
    if (isBox(hex)) return true;
    if (tables.points[hex]! > 0) return false;
    return !this.shields(hex) || !stacks.beside(GERMAN, hex);
  }

  /** Looks at the front before units move. */
  protected note(ask: Ask): void {
    this.stacks.note(ask.s);
  }

  /** True when a hex in reach needs a unit. */
  protected hasNeed(ask: Ask, hex: number, reach: number): boolean {
    const { board, hexes } = this.tables;
    for (let h = 0; h < hexes; h++)
      if (h !== hex && (isBox(hex) || board.distance(h, hex) <= reach) && this.need(ask, h) > 0) return true;
    return false;
  }

  /** How much a hex needs another unit: landings first, then the line before them. */
  protected need({ s }: Ask, hex: number): number {
    const { stacks, tables } = this;
    const { board, points } = tables;
    const here = stacks.in(SOVIET, hex);
    if (board.volga[hex] === 1 || stacks.any(GERMAN, hex) || here >= FULL) return 0;
    if (s[tables.layout.stage] === STAGE_RESERVES) return markOf(tables, s, hex) === MARK_ATTACK ? FULL - here : 0;
    if (points[hex]! > 0) return 2 * (FULL - here);
    const rifles = stacks.infantry(SOVIET, hex);
    return rifles < GARRISON && stacks.beside(GERMAN, hex) && this.shields(hex) ? GARRISON - rifles : 0;
  }

  /** True when a hex shields a landing that the Germans don't hold. */
  private shields(hex: number): boolean {
    const { board, valued } = this.tables;
    return valued.some((h) => board.distance(hex, h) <= SHIELD && !this.stacks.any(GERMAN, h));
  }

  protected override sendMover(ask: Ask): number {
    this.note(ask);
    const mover = this.mover(ask);
    const from = mover < 0 ? -1 : placeOf(this.tables, ask.s, mover);
    if (mover >= 0 && this.tables.roster.transport[mover] === 1) {
      const rider = this.passenger(ask, mover);
      if (rider >= 0 && this.mayUnit(ask, rider)) return this.unitAction(rider);
    }
    if (mover >= 0 && this.mayFortify(ask, mover, from))
      return this.may(ask, BUILD_FORT) ? BUILD_FORT : this.may(ask, STAY) ? STAY : this.first(ask);
    const worth = (h: number): number => this.need(ask, h) + 0.1 * this.tables.board.footDrm[h]! - this.wayLeft(h);
    const hex = this.bestHex(ask, worth);
    const better = hex >= 0 && (from < 0 || this.need(ask, hex) > 0 || this.wayLeft(hex) < this.wayLeft(from));
    return better || !this.may(ask, STAY) ? HEX + hex : STAY;
  }

  /** What the way counts that is left to the nearest hex that needs a unit. */
  protected wayLeft(_hex: number): number {
    return 0;
  }

  /** A unit of the group: a transport if there is one. */
  private mover({ s }: Ask): number {
    let mover = -1;
    for (let u = 0; u < this.tables.units; u++)
      if (has(this.tables, s, u, GROUP) && (mover < 0 || this.tables.roster.transport[u] === 1)) mover = u;
    return mover;
  }

  /** Kills and pins; worth most before the own line. */
  protected override bombWorth(ask: Ask, hex: number): number {
    const { s } = ask;
    if (this.estimate.count(s, GERMAN, hex) === 0) return 0;
    const guns = (g: number): boolean =>
      this.tables.roster.side[g] === SOVIET && (has(this.tables, s, g, FIRING) || mayShell(this.tables, s, g, hex));
    const worth = this.assault.bombardment(s, SOVIET, hex, guns, 0, PINNED_WORTH);
    this.stacks.note(s);
    return this.stacks.beside(SOVIET, hex) ? 2 * worth : worth;
  }

  protected override mark(ask: Ask): number {
    return this.markBest(ask);
  }
  protected override target(ask: Ask): number {
    return this.targetBest(ask);
  }

  /** Does not give up landings and the hexes before them. */
  protected override holdsOn(ask: Ask): boolean {
    return this.keepsGround(ask, this.focus(ask)) || super.holdsOn(ask);
  }
  protected override retreat(ask: Ask): number {
    if (this.keepsGround(ask, this.focus(ask)) && this.may(ask, DONE)) return DONE;
    return super.retreat(ask);
  }
  private keepsGround({ s }: Ask, hex: number): boolean {
    this.stacks.note(s);
    return this.tables.points[hex]! > 0 || this.shields(hex);
  }
}
