import type { State, StateView } from "../../../env/index.js";
import { D1P, LOSSES, P } from "../../../env/streets-of-stalingrad/charts.js";
import {
  ATTACKER,
  BY_CRT,
  BY_WBBT,
  COMMIT_ARMOR,
  COMMIT_ENGINEERS,
  PINNED,
  SPENT,
  UNREADY,
} from "../../../env/streets-of-stalingrad/layout.js";
import { RETREATS, RETREATS_OR_LOSES } from "../../../env/streets-of-stalingrad/map/board.js";
import { isSeenFromAir } from "../../../env/streets-of-stalingrad/rules/artillery/air.js";
import { makeDrms } from "../../../env/streets-of-stalingrad/rules/artillery/bombardment-modifiers.js";
import { mayShell } from "../../../env/streets-of-stalingrad/rules/artillery/guns.js";
import { bestSpotter, firesAt, serve } from "../../../env/streets-of-stalingrad/rules/artillery/spotting.js";
import { makeAttackDrms } from "../../../env/streets-of-stalingrad/rules/combat/attack-modifiers.js";
import { stukasIn } from "../../../env/streets-of-stalingrad/rules/combat/participants.js";
import { asksEngineers } from "../../../env/streets-of-stalingrad/rules/combat/commitment.js";
import { attackOf, hasArmor } from "../../../env/streets-of-stalingrad/rules/units/armor.js";
import { chiefIn } from "../../../env/streets-of-stalingrad/rules/units/command.js";
import { drmSum, reaches } from "../../../env/streets-of-stalingrad/rules/units/fire.js";
import { firstIn, give, has, nextIn, placeOf, type Tables } from "../../../env/streets-of-stalingrad/state.js";
import type { Estimate, Prospect } from "./estimate.js";

const FACES = 10;
/** Chance that a defender with the choice retreats instead of losing a unit. */
const GIVES_GROUND = 0.5;

/** The participants of a hypothetical attack. */
export interface Means {
  /** All units that could attack; otherwise only those already named. */
  readonly everybody: boolean;
  /** The hex has an attack marker, so adjacent infantry may take part. */
  readonly marked: boolean;
  /** Guns to add: one gun, `ALL_GUNS` or `NO_GUN`. */
  readonly gun: number;
  readonly stukas: number;
  /** Column shift for both sides: 1 for a close assault. */
  readonly shift: number;
}
export const NO_GUN = -1;
export const ALL_GUNS = -2;

/** The attackers in one hex. */
interface Front {
  hex: number;
  units: number;
  points: number;
  storms: boolean;
}

/**
 * Evaluates attacks and bombardments. It names the participants in the given state, gets the modifiers from the rules,
 * averages over all dice of the defensive fire and of the attack, and then undoes the naming.
 */
export class Assault {
  private readonly flags: Int32Array;
  private readonly served: Int32Array;
  private readonly fronts: Front[] = [];

  constructor(
    private readonly tables: Tables,
    private readonly estimate: Estimate,
  ) {
    this.flags = new Int32Array(tables.units);
    this.served = new Int32Array(tables.units);
  }

  /** The expected result of an attack. The state is unchanged afterwards. */
  prospect(s: State, side: number, hex: number, means: Means): Prospect {
    this.keep(s);
    const found = this.think(s, side, hex, means);
    this.putBack(s);
    return found;
  }

  private think(s: State, side: number, hex: number, means: Means): Prospect {
    const { tables, estimate } = this;
    const { roster } = tables;
    const enemy = 1 - side;
    if (means.everybody) this.nameEverybody(s, side, hex, means.marked);
    for (const gun of roster.guns) {
      if (roster.side[gun] !== side || (means.gun !== ALL_GUNS && gun !== means.gun)) continue;
      if (has(tables, s, gun, ATTACKER) || !mayShell(tables, s, gun, hex)) continue;
      give(tables, s, gun, ATTACKER);
      serve(tables, s, gun, bestSpotter(tables, s, gun, hex), hex);
    }
    const shells = this.findFronts(s, side, hex) + (means.stukas + stukasIn(tables, s)) * tables.stukaAf;
    const prospect = { clears: 0, destroys: 0, kills: 0, losses: 0 };
    if (this.fronts.length === 0) {
      this.addBombs(s, side, hex, shells, means.stukas, prospect);
      return prospect;
    }
    const committed = COMMIT_ARMOR | (asksEngineers(tables, s, hex) ? COMMIT_ENGINEERS : 0);
    makeAttackDrms(tables, s, side, hex, committed, true);
    const lift = means.stukas > 0 && isSeenFromAir(tables, s, hex) ? -1 : 0;
    const drm = drmSum(tables) + lift;
    const defenders = estimate.count(s, enemy, hex);
    let all = shells;
    for (const front of this.fronts) all += front.points;
    const target = this.strongest(s, enemy, hex);
    const points = target === null ? 0 : estimate.strength(s, enemy, hex, side);
    const column = this.columnOf(points, means.shift);
    if (column < 0 || target === null) {
      this.addFire(hex, all, drm, means.shift, true, defenders, 1, prospect);
      return prospect;
    }
    const back = this.defenceDrm(s, side, hex, target.hex);
    for (let die = 1; die <= FACES; die++) {
      const result = this.tables.charts.result(column, die + back);
      const lost = Math.min(target.units, LOSSES[result]!);
      const out = result === P || result === D1P;
      prospect.losses += lost / FACES;
      const left = out ? all - target.points : all - (target.points * lost) / target.units;
      const storms = this.fronts.some((f) => f.storms && (f !== target || (!out && lost < target.units)));
      this.addFire(hex, left, drm, means.shift, storms, defenders, 1 / FACES, prospect);
    }
    return prospect;
  }

  /** Adds the weighted result of a fire at the hex. */
  private addFire(
    hex: number,
    points: number,
    drm: number,
    shift: number,
    storms: boolean,
    defenders: number,
    weight: number,
    into: Prospect,
  ): void {
    const { board, charts } = this.tables;
    const column = this.columnOf(points, shift);
    if (column < 0) return;
    const ground = storms ? board.retreatOnP[hex] : 0;
    const flees = ground === RETREATS ? 1 : ground === RETREATS_OR_LOSES ? GIVES_GROUND : 0;
    for (let die = 1; die <= FACES; die++) {
      const result = charts.result(column, die + drm);
      const lost = Math.min(defenders, LOSSES[result]!);
      into.kills += (weight * lost) / FACES;
      if (lost === defenders) into.destroys += weight / FACES;
      if (lost === defenders) into.clears += weight / FACES;
      else if (result === P || result === D1P) into.clears += (weight * flees) / FACES;
    }
  }

  /** Only guns and Stukas, with the better of the two tables. */
  private addBombs(s: StateView, side: number, hex: number, points: number, stukas: number, into: Prospect): void {
    const { tables } = this;
    const guns = (gun: number) => has(tables, s, gun, ATTACKER) && firesAt(tables, s, gun, hex);
    for (const table of [BY_CRT, BY_WBBT]) {
      makeDrms(tables, s, side, hex, table, guns, stukas, true);
      const [kills] = this.barrage(s, 1 - side, hex, points, drmSum(tables), table);
      into.kills = Math.max(into.kills, kills);
    }
  }

  /**
   * The value of a bombardment by these guns and Stukas, in units lost by the enemy.
   *
   * @param pin value of a pinned unit
   */
  bombardment(
    s: State,
    side: number,
    hex: number,
    guns: (gun: number) => boolean,
    stukas: number,
    pin: number,
  ): number {
    return Math.max(
      this.byTable(s, side, hex, guns, stukas, pin, BY_CRT),
      this.byTable(s, side, hex, guns, stukas, pin, BY_WBBT),
    );
  }

  /** The same with one table. */
  byTable(
    s: State,
    side: number,
    hex: number,
    guns: (gun: number) => boolean,
    stukas: number,
    pin: number,
    table: number,
  ): number {
    const { tables } = this;
    let points = stukas * tables.stukaAf;
    for (const gun of tables.roster.guns) if (guns(gun)) points += tables.roster.af[gun]!;
    makeDrms(tables, s, side, hex, table, guns, stukas, true);
    const [kills, pinned] = this.barrage(s, 1 - side, hex, points, drmSum(tables), table);
    return kills + pin * pinned;
  }

  /** The expected numbers of lost and of pinned units. */
  private barrage(s: StateView, enemy: number, hex: number, points: number, drm: number, by: number): [number, number] {
    const { tables } = this;
    const { charts } = tables;
    const table = by === BY_CRT ? charts.crt : charts.wbbt;
    const column = charts.column(Math.floor(points), table);
    if (column < 0) return [0, 0];
    const there = this.estimate.count(s, enemy, hex);
    let fresh = 0;
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
      if (tables.roster.side[u] === enemy && !has(tables, s, u, PINNED | SPENT)) fresh++;
    let [kills, pinned] = [0, 0];
    for (let die = 1; die <= FACES; die++) {
      const result = charts.result(column, charts.clamp(die + drm, table), table);
      const lost = Math.min(there, LOSSES[result]!);
      kills += lost / FACES;
      if (result === P || result === D1P) pinned += Math.max(0, fresh - lost) / FACES;
    }
    return [kills, pinned];
  }

  /** Names all units that could attack the hex. */
  private nameEverybody(s: State, side: number, hex: number, marked: boolean): void {
    const { tables } = this;
    const { board, layout, roster } = tables;
    for (let u = roster.first(side); u < roster.end(side); u++) {
      if (roster.directFire[u] === 0 || roster.af[u] === 0 || s[layout.served + u] !== 0) continue;
      if (has(tables, s, u, PINNED | SPENT | UNREADY) || !reaches(tables, s, u, hex)) continue;
      const at = placeOf(tables, s, u);
      if (!marked && roster.infantryType[u] === 1 && board.distance(at, hex) === 1) continue;
      give(tables, s, u, ATTACKER);
      const chief = chiefIn(tables, s, side, at);
      if (chief >= 0) give(tables, s, chief, ATTACKER);
    }
  }

  /** Sums the attackers by hex. @returns the points of guns */
  private findFronts(s: StateView, side: number, hex: number): number {
    const { tables, fronts } = this;
    const { board, roster } = tables;
    const armor = hasArmor(tables, s, 1 - side, hex, true);
    fronts.length = 0;
    let shells = 0;
    for (let u = roster.first(side); u < roster.end(side); u++) {
      if (!has(tables, s, u, ATTACKER) || roster.af[u] === 0) continue;
      if (firesAt(tables, s, u, hex)) {
        shells += roster.af[u]!;
        continue;
      }
      const at = placeOf(tables, s, u);
      let front = fronts.find((f) => f.hex === at);
      if (front === undefined) fronts.push((front = { hex: at, units: 0, points: 0, storms: false }));
      front.units++;
      front.points += attackOf(tables, s, u, hex, armor);
      if (roster.infantryType[u] === 1 && board.distance(at, hex) === 1) front.storms = true;
    }
    return shells;
  }

  /** The attackers to whom defensive fire does most. A pinned unit fires only at adjacent attackers. */
  private strongest(s: StateView, enemy: number, hex: number): Front | null {
    const { tables } = this;
    const { board, roster } = tables;
    let reach = 0;
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
      if (roster.side[u] === enemy)
        reach = Math.max(reach, has(tables, s, u, PINNED | SPENT) ? 1 : Math.max(1, roster.range[u]!));
    let best: Front | null = null;
    for (const front of this.fronts)
      if (board.distance(front.hex, hex) <= reach && (best === null || front.points > best.points)) best = front;
    return best;
  }

  /** The predictable modifiers of the defensive fire. */
  private defenceDrm(s: StateView, side: number, hex: number, at: number): number {
    const { tables } = this;
    let drm = chiefIn(tables, s, side, at) >= 0 ? 1 : 0;
    if (chiefIn(tables, s, 1 - side, hex, true) >= 0) drm--;
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
      if (has(tables, s, u, PINNED | SPENT)) return drm + 1;
    return drm;
  }

  private columnOf(points: number, shift: number): number {
    const { charts } = this.tables;
    const column = charts.column(Math.floor(points));
    return column < 0 ? -1 : Math.min(charts.crt.columns.length - 1, column + shift);
  }

  private keep(s: StateView): void {
    const { layout, units } = this.tables;
    for (let u = 0; u < units; u++) {
      this.flags[u] = s[layout.flags + u]!;
      this.served[u] = s[layout.served + u]!;
    }
  }

  private putBack(s: State): void {
    const { layout, units } = this.tables;
    for (let u = 0; u < units; u++) {
      s[layout.flags + u] = this.flags[u]!;
      s[layout.served + u] = this.served[u]!;
    }
  }
}
