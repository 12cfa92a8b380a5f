import type { Game, Seed } from "../../../env/index.js";
import { ALL, DONE, HEX, STAY } from "../../../env/streets-of-stalingrad/actions.js";
import { ATTACKER, FIRING, GROUP } from "../../../env/streets-of-stalingrad/layout.js";
import { GERMAN, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import { germanPoints } from "../../../env/streets-of-stalingrad/victory.js";
import { firstIn, has, placeOf } from "../../../env/streets-of-stalingrad/state.js";
import { type Ask, Policy } from "./policy.js";

/**
 * Walks the shortest way to the nearest victory hex, orders an attack on every hex it can, attacks with all it has and
 * never accelerates.
 */
export class Pusher extends Policy {
  constructor(game: Game, seed: Seed, name = "heuristic:pusher") {
    super(name, game, seed, [GERMAN]);
  }

  /** There is nothing left to win. */
  protected override endsNow({ s }: Ask): boolean {
    const { levels } = this.tables.setting;
    return levels !== null && germanPoints(this.tables, s) >= levels.germanDecisive;
  }

  protected override selectMover(ask: Ask): number {
    return this.unitThat(ask, (u, hex) => !this.keeps(ask, u, hex));
  }

  /** Stays where it is: the only unit on a victory hex. */
  protected keeps({ s }: Ask, _unit: number, hex: number): boolean {
    return this.tables.points[hex]! > 0 && this.estimate.count(s, GERMAN, hex) === 1;
  }

  protected override sendMover(ask: Ask): number {
    const { tables } = this;
    const hex = this.bestHex(ask, (h) => this.placeWorth(ask, h));
    let from = -1;
    for (let u = 0; u < tables.units && from < 0; u++)
      if (has(tables, ask.s, u, GROUP)) from = placeOf(tables, ask.s, u);
    const better = hex >= 0 && this.placeWorth(ask, hex) > this.placeWorth(ask, from);
    return better || !this.may(ask, STAY) ? HEX + hex : STAY;
  }

  /** How good it is to stand in a hex. */
  protected placeWorth(ask: Ask, hex: number): number {
    return -this.toVictory(ask, hex);
  }

  /** Hexes to the nearest victory hex that no German holds; none is left: to any. */
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

/** What an attack must be worth, in units lost by the enemy. */
const THRESHOLD = 0.25;
/** A victory hex, and a hex of other ground, in units lost by the enemy. */
const VICTORY = 2.5;
const GROUND = 0.2;

/**
 * Attacks where the tables promise more than they cost, accelerates where that is better still, gathers beside what it
 * wants in the best cover.
 */
export class Odds extends Pusher {
  constructor(game: Game, seed: Seed, name = "heuristic:odds") {
    super(game, seed, name);
  }

  /** Who fires directly, then guns until the next column is reached, and none if it can't be. */
  protected override addToAttack(ask: Ask): number {
    if (this.may(ask, ALL)) return ALL;
    const { roster } = this.tables;
    const direct = this.unitThat(ask, (u) => roster.indirect[u] === 0);
    return direct === DONE || !this.may(ask, DONE) ? this.nextGun(ask, ATTACKER) : direct;
  }

  protected override addToMission(ask: Ask): number {
    const picked = this.estimate.shelling(ask.s, GERMAN);
    return picked === 0 ? super.addToMission(ask) : this.nextGun(ask, FIRING);
  }

  /** The gun that best reaches the next column beyond what fires without guns; `done` when it is reached or can't be. */
  private nextGun(ask: Ask, picked: number): number {
    const { tables } = this;
    const { charts, roster } = tables;
    let [without, sum, left] = [0, 0, 0];
    for (let u = 0; u < roster.germans; u++) {
      if (has(tables, ask.s, u, picked)) {
        sum += roster.af[u]!;
        if (roster.indirect[u] === 0) without += roster.af[u]!;
      } else if (roster.indirect[u] === 1 && this.mayUnit(ask, u)) left += roster.af[u]!;
    }
    const next = charts.crt.least[charts.column(without) + 1] ?? Infinity;
    const need = next - sum;
    if ((need <= 0 || need > left) && this.may(ask, DONE)) return DONE;
    // the smallest that is enough, else the largest
    let best = -1;
    for (let u = 0; u < roster.germans; u++) {
      if (roster.indirect[u] === 0 || !this.mayUnit(ask, u)) continue;
      const [af, most] = [roster.af[u]!, best < 0 ? 0 : roster.af[best]!];
      if (best < 0 || (af >= need ? most < need || af < most : af > most)) best = u;
    }
    return best < 0 ? this.everybody(ask) : this.unitAction(best);
  }

  /** What an attack by everybody beside a hex is worth, in units lost by the enemy. */
  protected worth({ s }: Ask, hex: number, shift: number): number {
    const { clears, kills, losses } = this.estimate.attack(s, GERMAN, hex, shift);
    return clears * (this.tables.points[hex]! > 0 ? VICTORY : GROUND) + kills - losses;
  }

  protected override mark(ask: Ask): number {
    const hex = this.bestHex(ask, (h) => this.worth(ask, h, 0));
    const wanted = hex >= 0 && Math.max(this.worth(ask, hex, 0), this.worth(ask, hex, 1)) > THRESHOLD;
    return wanted || !this.may(ask, DONE) ? HEX + hex : DONE;
  }

  protected override target(ask: Ask): number {
    return this.best(ask, (h) => this.worth(ask, h, 0));
  }

  protected override accelerates(ask: Ask): boolean {
    const hex = this.focus(ask);
    return this.worth(ask, hex, 1) > this.worth(ask, hex, 0);
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
