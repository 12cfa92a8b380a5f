import type { Game, Seed } from "../../../env/index.js";
import { DONE, HEX, PASS, STAY } from "../../../env/streets-of-stalingrad/actions.js";
import {
  ASK_ATTACK_UNIT,
  GROUP,
  isBox,
  KNOWN,
  MARK_ATTACK,
  ORDERED,
  STAGE_RESERVES,
} from "../../../env/streets-of-stalingrad/layout.js";
import { GERMAN, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import { groupHasVehicle, hasArmor } from "../../../env/streets-of-stalingrad/rules/units/armor.js";
import { attackPoints } from "../../../env/streets-of-stalingrad/rules/combat/participants.js";
import { isArmored } from "../../../env/streets-of-stalingrad/rules/units/units.js";
import { frameOf, has, markOf, placeOf } from "../../../env/streets-of-stalingrad/state.js";
import { type Ask, Policy } from "./policy.js";

/**
 * Never leaves victory and city hexes, fires with all its units, counter-attacks whenever it can, sends reserves to the
 * nearest hex under attack, and attacks only to recapture a victory hex.
 */
export class Holder extends Policy {
  constructor(game: Game, seed: Seed, name = "heuristic:holder") {
    super(name, game, seed, [SOVIET]);
  }

  protected override selectMover(ask: Ask): number {
    return this.unitThat(ask, (_u, hex) => !this.holds(ask, hex));
  }

  /** True when units stay in a hex. */
  protected holds(_ask: Ask, hex: number): boolean {
    return this.tables.points[hex]! > 0 || this.tables.board.pinSpends[hex] === 1;
  }

  protected override sendMover(ask: Ask): number {
    const { tables } = this;
    let from = -1;
    for (let u = 0; u < tables.units && from < 0; u++)
      if (has(tables, ask.s, u, GROUP)) from = placeOf(tables, ask.s, u);
    const hex = this.bestHex(ask, (h) => this.placeWorth(ask, h));
    const better = hex >= 0 && (from < 0 || this.placeWorth(ask, hex) > this.placeWorth(ask, from));
    return better || !this.may(ask, STAY) ? HEX + hex : STAY;
  }

  /** Value of being in a hex. */
  protected placeWorth({ s }: Ask, hex: number): number {
    const { tables, estimate } = this;
    const { board, points } = tables;
    const cover = 0.5 * board.footDrm[hex]!;
    if (s[tables.layout.stage] === STAGE_RESERVES)
      return cover - this.distanceTo(hex, (h) => markOf(tables, s, h) === MARK_ATTACK);
    const empty = (h: number) => points[h]! > 0 && (h === hex || estimate.count(s, SOVIET, h) === 0);
    return cover - Math.min(this.distanceTo(hex, empty), 1 + this.distanceTo(hex, (h) => points[h]! > 0));
  }

  protected override mark(ask: Ask): number {
    const hex = this.bestHex(ask, (h) => this.tables.points[h]!);
    return hex >= 0 && this.tables.points[hex]! > 0 ? HEX + hex : DONE;
  }

  protected override counter(ask: Ask): number {
    return this.everybody(ask);
  }

  protected override holdsOn(ask: Ask): boolean {
    return this.tables.points[this.focus(ask)]! > 0;
  }

  protected override refugeWorth(ask: Ask, hex: number): number {
    return this.placeWorth(ask, hex);
  }
}

/** Expected losses at which it retreats from an attack. */
const TOO_MANY = 1.2;

/**
 * Retreats before combat from an attack that would cost too much, if there is a free city hex behind. It takes back
 * victory hexes that nobody holds. It counter-attacks where it is at least as strong or the hex has victory value.
 */
export class Elastic extends Holder {
  constructor(game: Game, seed: Seed, name = "heuristic:elastic") {
    super(game, seed, name);
  }

  /** A unit is free to leave unless it is alone on a victory hex. */
  protected override holds({ s }: Ask, hex: number): boolean {
    return this.tables.points[hex]! > 0 && this.estimate.count(s, SOVIET, hex) === 1;
  }

  protected override retreat(ask: Ask): number {
    const { s } = ask;
    const { tables, estimate } = this;
    const hex = this.focus(ask);
    const armor = hasArmor(tables, s, SOVIET, hex, false);
    const points = frameOf(tables, s, ASK_ATTACK_UNIT) >= 0 ? attackPoints(tables, s, hex, armor) : 0;
    const defenders = estimate.count(s, SOVIET, hex);
    const losses = estimate.meanLosses(points, tables.board.footDrm[hex]!, 0, defenders);
    const leaves = losses > TOO_MANY && this.hasCityBehind(ask, hex) && this.may(ask, DONE);
    return leaves ? this.unitThat(ask, () => true) : super.retreat(ask);
  }

  /** True when an empty city hex is next to a hex. */
  private hasCityBehind({ s }: Ask, hex: number): boolean {
    const { board, layout } = this.tables;
    for (let d = hex * 6; d < hex * 6 + 6; d++) {
      const h = board.neighbours[d]!;
      if (h >= 0 && board.pinSpends[h] === 1 && s[layout.top + h] === 0) return true;
    }
    return false;
  }

  /** Guns wait for armor that has not moved yet. */
  protected override fireAtMovers(ask: Ask): number {
    const { s } = ask;
    const { roster } = this.tables;
    const waits = !groupHasVehicle(this.tables, s) && this.comesArmor(s) && this.may(ask, PASS);
    if (!waits) return super.fireAtMovers(ask);
    for (let u = roster.germans; u < this.tables.units; u++)
      if (roster.antiTank[u] === 0 && this.mayUnit(ask, u)) return this.unitAction(u);
    return PASS;
  }

  /** True when German armor on the map has no order yet. */
  private comesArmor(s: Ask["s"]): boolean {
    const { tables } = this;
    for (let u = 0; u < tables.roster.germans; u++)
      if (
        placeOf(tables, s, u) >= 0 &&
        has(tables, s, u, KNOWN) &&
        isArmored(tables, s, u) &&
        !has(tables, s, u, ORDERED)
      )
        return true;
    return false;
  }

  protected override counter(ask: Ask): number {
    const { estimate, tables } = this;
    const hex = this.focus(ask);
    const { af } = estimate.attackers(ask.s, SOVIET, hex);
    const wins = af >= estimate.strength(ask.s, GERMAN, hex, SOVIET) || tables.points[hex]! > 0;
    if (wins) return this.everybody(ask);
    return this.may(ask, PASS) ? PASS : DONE;
  }
}

/** Phases in which units cross. */
const CROSSINGS: readonly number[] = [10, 14];
/** How much a German in range reduces the value of a landing. */
const DANGER = 0.4;

/**
 * Plays like elastic, and sends units that fight at close range over the river. Stacks use the arrows. Units land on
 * banks that few Germans can fire at. Guns stay in their box.
 */
export class Ferryman extends Elastic {
  constructor(game: Game, seed: Seed) {
    super(game, seed, "heuristic:ferryman");
  }

  protected override selectMover(ask: Ask): number {
    const { gunRange } = this.tables.roster;
    return this.unitThat(ask, (u, hex) => !this.holds(ask, hex) && (hex >= 0 || gunRange[u] === 0));
  }

  protected override placeWorth(ask: Ask, hex: number): number {
    return super.placeWorth(ask, hex) - DANGER * this.firersNear(ask.s, hex);
  }

  /** Value of the arrows while units wait in a box, so that boats are near those who cross. */
  protected override boatWorth(ask: Ask, hex: number): number {
    const { board, layout, roster } = this.tables;
    if (!CROSSINGS.includes(ask.s[layout.phase]!)) return super.boatWorth(ask, hex);
    if (board.hexes[hex]!.arrow === undefined) return 0;
    for (let u = roster.germans; u < this.tables.units; u++)
      if (isBox(placeOf(this.tables, ask.s, u)) && roster.stackUnit[u] === 1 && roster.gunRange[u] === 0)
        return 1 + this.firersNear(ask.s, hex);
    return 0;
  }

  /** Known Germans in range of a hex or of the water next to it. */
  private firersNear(s: Ask["s"], hex: number): number {
    const { board, roster } = this.tables;
    let n = 0;
    for (let u = 0; u < roster.germans; u++) {
      const at = placeOf(this.tables, s, u);
      if (at < 0 || !has(this.tables, s, u, KNOWN) || roster.directFire[u] === 0) continue;
      if (board.distance(at, hex) <= roster.range[u]! + 1) n++;
    }
    return n;
  }
}
