import type { Game, Seed } from "../../../env/index.js";
import { DONE, HEX, NUMBER } from "../../../env/streets-of-stalingrad/actions.js";
import { F_STUKAS, FIRING, GROUP, PINNED } from "../../../env/streets-of-stalingrad/layout.js";
import { GERMAN, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import { KINDS } from "../../../env/streets-of-stalingrad/schema.js";
import { mayShell } from "../../../env/streets-of-stalingrad/rules/artillery/guns.js";
import { mayFly } from "../../../env/streets-of-stalingrad/rules/artillery/air.js";
import { firstIn, has, nextIn, placeOf, topFrame } from "../../../env/streets-of-stalingrad/state.js";
import { Odds } from "./german.js";
import type { Ask } from "./policy.js";

/** What a pinned defender adds to the value of an attack: it neither retreats nor counter-attacks, and stays pinned. */
export const PINNED_WORTH = 0.4;
/** Extra value of a hex opposite to friends: attackers in two opposite hexes have the Assault Advantage. */
const OPPOSITE = 0.6;
/** Chance of eliminating all defenders at which it tries a breakthrough. */
const SURE = 0.5;
/** Weight of the objective against other hexes in a bombardment. */
const MAIN = 2;
/** Distance from which infantry reaches a hex in time to attack it, by day and in the exploit phases. */
const MARCH = 5;
const EXPLOIT = 3;
export const OP = KINDS.indexOf("op");

/**
 * Attacks one victory hex at a time with all its units. It bombards the hex, marks it while it is pinned, attacks from
 * opposite sides, and keeps guns in range and observers in sight of it.
 */
export class Planner extends Odds {
  constructor(game: Game, seed: Seed) {
    super(game, seed, "heuristic:planner");
  }

  /** True when to take a hex next: no German holds it, and no other such victory hex has more points. */
  protected isWanted({ s }: Ask, hex: number): boolean {
    const { points, valued } = this.tables;
    if (points[hex]! <= 0 || this.estimate.count(s, GERMAN, hex) > 0) return false;
    return valued.every((h) => points[h]! <= points[hex]! || this.estimate.count(s, GERMAN, h) > 0);
  }

  /** The nearest hex to take next, or -1. */
  protected objective(ask: Ask, from: number): number {
    const { board, valued } = this.tables;
    let best = -1;
    for (const h of valued)
      if (this.isWanted(ask, h) && (best < 0 || board.distance(from, h) < board.distance(from, best))) best = h;
    return best;
  }

  protected override bombard(ask: Ask): number {
    const hex = this.bestHex(ask, (h) => this.bombWorth(ask, h));
    return hex >= 0 && this.bombWorth(ask, hex) > 0 ? HEX + hex : DONE;
  }

  protected override bombWorth(ask: Ask, hex: number): number {
    const { s } = ask;
    const { tables } = this;
    if (this.estimate.count(s, SOVIET, hex) === 0) return 0;
    const near = this.distanceTo(hex, (h) => this.estimate.count(s, GERMAN, h) > 0);
    if (near > 4 || this.waits(ask)) return 0;
    const stukas = mayFly(tables, s, hex) ? s[tables.layout.stukasAvailable]! : 0;
    const worth = this.assault.bombardment(s, GERMAN, hex, (g) => this.isOwnGun(ask, g, hex), stukas, PINNED_WORTH);
    return worth * (this.isWanted(ask, hex) ? MAIN : 1);
  }

  /** True when guns and Stukas wait for this day's next attack phase. */
  private waits(ask: Ask): boolean {
    const { s } = ask;
    const { tables } = this;
    const { board, layout, roster } = tables;
    const near = s[layout.phase] === 2 ? MARCH : s[layout.phase] === 6 ? EXPLOIT : -1;
    for (let u = 0; u < roster.germans; u++) {
      const at = placeOf(tables, s, u);
      if (at < 0 || roster.infantryType[u] === 0 || has(tables, s, u, PINNED)) continue;
      for (const h of tables.valued) if (this.isWanted(ask, h) && board.distance(at, h) <= near) return true;
    }
    return false;
  }

  private isOwnGun({ s }: Ask, gun: number, hex: number): boolean {
    const { tables } = this;
    return tables.roster.side[gun] === GERMAN && (has(tables, s, gun, FIRING) || mayShell(tables, s, gun, hex));
  }

  /** Adds everything in range of the hex. */
  protected override addToMission(ask: Ask): number {
    const { s } = ask;
    if (s[topFrame(this.tables, s) + F_STUKAS] === 0)
      for (let n = s[this.tables.layout.stukasAvailable]!; n > 0; n--) if (this.may(ask, NUMBER + n)) return NUMBER + n;
    return this.firstUnit(ask);
  }

  protected override worth(ask: Ask, hex: number, marked: boolean): number {
    let pinned = 0;
    for (let u = firstIn(this.tables, ask.s, hex); u >= 0; u = nextIn(this.tables, ask.s, u))
      if (has(this.tables, ask.s, u, PINNED)) pinned++;
    return super.worth(ask, hex, marked) + (marked ? PINNED_WORTH * pinned : 0);
  }

  /** Guns in range of the objective stay; observers and leaders move last. */
  protected override keeps(ask: Ask, unit: number, hex: number): boolean {
    const { board, roster } = this.tables;
    if (super.keeps(ask, unit, hex)) return true;
    const wanted = this.objective(ask, hex);
    if (wanted < 0) return roster.gunRange[unit]! > 0;
    if (roster.gunRange[unit]! > 0) return board.distance(hex, wanted) <= roster.gunRange[unit]!;
    if (roster.kind[unit] === OP) return board.sight.spots(hex, wanted, true);
    return false;
  }

  protected override selectMover(ask: Ask): number {
    const { roster } = this.tables;
    for (const chief of [0, 1]) {
      const unit = this.unitThat(ask, (u, hex) => roster.chief[u] === chief && !this.keeps(ask, u, hex));
      if (unit !== DONE) return unit;
    }
    return DONE;
  }

  protected override placeWorth(ask: Ask, hex: number): number {
    const { tables } = this;
    const { board, points, roster } = tables;
    const wanted = this.objective(ask, hex);
    let mover = -1;
    for (let u = 0; u < tables.units && mover < 0; u++) if (has(tables, ask.s, u, GROUP)) mover = u;
    if (wanted < 0) return super.placeWorth(ask, hex);
    if (mover >= 0 && roster.chief[mover] === 1) return this.chiefWorth(ask, mover, hex, wanted);
    if (this.footOnly) return super.placeWorth(ask, hex) + (this.isOpposite(ask, hex) ? OPPOSITE : 0);
    if (points[hex]! > 0) return 4 + points[hex]! - 2 * board.distance(hex, wanted);
    const distance = board.distance(hex, wanted);
    return -2 * distance + 0.5 * board.footDrm[hex]! + (distance === 1 && this.isOpposite(ask, hex) ? OPPOSITE : 0);
  }

  /** Leaders go to the hex with most attackers, observers where they see the objective and are not alone. */
  private chiefWorth({ s }: Ask, chief: number, hex: number, wanted: number): number {
    const { board, roster } = this.tables;
    let fighters = 0;
    for (let u = firstIn(this.tables, s, hex); u >= 0; u = nextIn(this.tables, s, u))
      if (u !== chief && roster.side[u] === GERMAN && roster.directFire[u] === 1) fighters++;
    const distance = board.distance(hex, wanted);
    if (roster.kind[chief] === OP)
      return (
        (board.sight.spots(hex, wanted, true) ? 5 : 0) + Math.min(fighters, 2) - 0.1 * distance - (distance < 2 ? 1 : 0)
      );
    return fighters - (distance === 1 ? 0 : distance);
  }

  /** True when friends are on the opposite side of an enemy next to the hex. */
  private isOpposite({ s }: Ask, hex: number): boolean {
    const { board } = this.tables;
    for (let d = 0; d < 6; d++) {
      const enemy = board.neighbours[hex * 6 + d]!;
      const beyond = enemy < 0 ? -1 : board.neighbours[enemy * 6 + d]!;
      if (beyond < 0 || this.estimate.count(s, SOVIET, enemy) === 0) continue;
      if (this.estimate.count(s, GERMAN, beyond) > 0) return true;
    }
    return false;
  }

  protected override breakThrough(ask: Ask): number {
    const chance = (h: number) => this.estimate.attack(ask.s, GERMAN, h, 0).destroys;
    const hex = this.bestHex(ask, chance);
    return hex >= 0 && chance(hex) >= SURE ? HEX + hex : DONE;
  }
}
