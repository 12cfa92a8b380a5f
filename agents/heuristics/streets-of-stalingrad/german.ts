import type { Game, Seed } from "../../../env/index.js";
import { ALL, DONE, HEX, NUMBER, STAY } from "../../../env/streets-of-stalingrad/actions.js";
import { GROUP } from "../../../env/streets-of-stalingrad/layout.js";
import { GERMAN, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import { isSeenFromAir, mayFly } from "../../../env/streets-of-stalingrad/rules/artillery/air.js";
import { germanPoints } from "../../../env/streets-of-stalingrad/victory.js";
import { firstIn, has, placeOf } from "../../../env/streets-of-stalingrad/state.js";
import { ALL_GUNS, NO_GUN } from "./assault.js";
import { type Ask, GROUND, Policy, VICTORY } from "./policy.js";

/**
 * Moves by the shortest path to the nearest victory hex, orders every attack that it can, attacks with all its units
 * and never accelerates.
 */
export class Pusher extends Policy {
  constructor(game: Game, seed: Seed, name = "heuristic:pusher") {
    super(name, game, seed, [GERMAN]);
  }

  /** Ends the game if there is nothing left to win. */
  protected override endsNow({ s }: Ask): boolean {
    const { levels } = this.tables.setting;
    return levels !== null && germanPoints(this.tables, s) >= levels.germanDecisive;
  }

  protected override selectMover(ask: Ask): number {
    return this.unitThat(ask, (u, hex) => !this.keeps(ask, u, hex));
  }

  /** The only unit on a victory hex stays. */
  protected keeps({ s }: Ask, _unit: number, hex: number): boolean {
    return this.tables.points[hex]! > 0 && this.estimate.count(s, GERMAN, hex) === 1;
  }

  protected override sendMover(ask: Ask): number {
    const { tables } = this;
    const hex = this.bestHex(ask, (h) => this.placeWorth(ask, h));
    let from = -1;
    for (let u = 0; u < tables.units && from < 0; u++)
      if (has(tables, ask.s, u, GROUP)) from = placeOf(tables, ask.s, u);
    // who waits in a box comes on the map
    const better = hex >= 0 && (from < 0 || this.placeWorth(ask, hex) > this.placeWorth(ask, from));
    return better || !this.may(ask, STAY) ? HEX + hex : STAY;
  }

  /** Value of being in a hex. */
  protected placeWorth(ask: Ask, hex: number): number {
    return -this.toVictory(ask, hex);
  }

  /** Distance to the nearest victory hex that no German holds, or to any if they hold all. */
  protected toVictory({ s }: Ask, hex: number): number {
    const { points } = this.tables;
    const free = (h: number) => points[h]! > 0 && (h === hex || this.estimate.count(s, GERMAN, h) === 0);
    const distance = this.distanceTo(hex, free);
    return distance < this.tables.hexes ? distance : this.distanceTo(hex, (h) => points[h]! > 0);
  }

  protected override mark(ask: Ask): number {
    return this.best(ask, (h) => this.tables.points[h]!);
  }

  protected override counter(ask: Ask): number {
    return this.everybody(ask);
  }

  protected override refugeWorth(ask: Ask, hex: number): number {
    return this.tables.board.footDrm[hex]! - 0.1 * this.toVictory(ask, hex);
  }
}

/** What a gun must add to an attack; it fires only once a turn. */
const GUN = 0.1;

/**
 * Attacks where the tables promise more than the attack costs. It adds guns and Stukas where they raise the attack,
 * accelerates where that is better still, and gathers in the best cover next to its objective.
 */
export class Odds extends Pusher {
  /** True when the fight has only infantry, neither guns nor Stukas. */
  protected readonly footOnly: boolean;

  constructor(game: Game, seed: Seed, name = "heuristic:odds") {
    super(game, seed, name);
    this.footOnly = this.tables.missions === 0;
  }

  /** The same from the tables alone, for fights without guns. */
  private quickWorth({ s }: Ask, hex: number, shift: number): number {
    const { clears, kills, losses } = this.estimate.attack(s, GERMAN, hex, shift);
    return clears * (this.tables.points[hex]! > 0 ? VICTORY : GROUND) + kills - losses;
  }

  /** The best with or without guns, or by close assault. */
  protected override worth(ask: Ask, hex: number, marked: boolean): number {
    if (this.footOnly) return this.quickWorth(ask, hex, 0);
    let best = -Infinity;
    for (const gun of [NO_GUN, ALL_GUNS])
      for (const shift of [0, 1]) {
        const stukas = gun === ALL_GUNS ? this.stukas(ask, hex) : 0;
        const worth = this.value(ask, hex, { everybody: true, marked, gun, stukas, shift });
        best = Math.max(best, worth - (gun === ALL_GUNS ? GUN : 0));
      }
    return best;
  }

  /** Stukas that could join an attack. */
  private stukas({ s }: Ask, hex: number): number {
    const { tables } = this;
    return mayFly(tables, s, hex) && isSeenFromAir(tables, s, hex) ? s[tables.layout.stukasAvailable]! : 0;
  }

  /** Adds units with direct fire, then Stukas and guns that add more here than elsewhere. */
  protected override addToAttack(ask: Ask): number {
    const { roster } = this.tables;
    if (this.may(ask, ALL)) return ALL;
    const direct = this.unitThat(ask, (u) => roster.indirect[u] === 0);
    if (direct !== DONE || !this.may(ask, DONE)) return direct === DONE ? this.everybody(ask) : direct;
    return this.support(ask);
  }

  /** The gun, the Stukas or all guns that raise the attack most; `done` if none does. */
  private support(ask: Ask): number {
    const { tables } = this;
    const hex = this.focus(ask);
    const worth = (gun: number, stukas: number) =>
      Math.max(...[0, 1].map((shift) => this.value(ask, hex, { everybody: false, marked: true, gun, stukas, shift })));
    const now = worth(NO_GUN, 0);
    let best = DONE;
    let most = now;
    let guns = 0;
    let largest = -1;
    for (const u of tables.roster.guns) {
      if (!this.mayUnit(ask, u)) continue;
      guns++;
      if (largest < 0 || tables.roster.af[u]! > tables.roster.af[largest]!) largest = u;
      const with1 = worth(u, 0) - GUN;
      if (with1 > most) [best, most] = [this.unitAction(u), with1];
    }
    for (let n = 1; n <= ask.s[tables.layout.stukasAvailable]!; n++) {
      if (!this.may(ask, NUMBER + n)) continue;
      const flown = worth(NO_GUN, n) - GUN;
      if (flown > most) [best, most] = [NUMBER + n, flown];
    }
    if (best === DONE && guns > 1 && worth(ALL_GUNS, 0) - guns * GUN > now) return this.unitAction(largest);
    return best;
  }

  protected override mark(ask: Ask): number {
    return this.markBest(ask);
  }

  protected override target(ask: Ask): number {
    return this.targetBest(ask);
  }

  protected override accelerates(ask: Ask): boolean {
    const hex = this.focus(ask);
    if (this.footOnly) return this.quickWorth(ask, hex, 1) > this.quickWorth(ask, hex, 0);
    const means = { everybody: false, marked: true, gun: NO_GUN, stukas: 0 };
    return this.value(ask, hex, { ...means, shift: 1 }) > this.value(ask, hex, { ...means, shift: 0 });
  }

  protected override placeWorth(ask: Ask, hex: number): number {
    const { board, points } = this.tables;
    const distance = this.toVictory(ask, hex);
    let beside = 0;
    for (let d = hex * 6; d < hex * 6 + 6; d++) {
      const h = board.neighbours[d]!;
      if (h >= 0 && points[h]! > 0 && this.estimate.count(ask.s, SOVIET, h) > 0) beside = 1;
    }
    return (points[hex]! > 0 ? 4 : 0) - 2 * distance + beside + 0.5 * board.footDrm[hex]!;
  }

  protected override counter(ask: Ask): number {
    const { tables, estimate } = this;
    const hex = this.focus(ask);
    const { af } = estimate.attackers(ask.s, GERMAN, hex);
    const wins = af >= estimate.strength(ask.s, SOVIET, hex, GERMAN) || tables.points[hex]! > 0;
    return wins && firstIn(tables, ask.s, hex) >= 0 ? this.everybody(ask) : super.counter(ask);
  }
}
