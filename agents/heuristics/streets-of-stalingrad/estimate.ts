import type { StateView } from "../../../env/index.js";
import { RETREATS, RETREATS_OR_LOSES } from "../../../env/streets-of-stalingrad/map/board.js";
import {
  ATTACKER,
  F_STUKAS,
  FIRED_AF,
  FIRING,
  KNOWN,
  OOS_SHIFT,
  PINNED,
  POOL,
  SPENT,
  UNREADY,
} from "../../../env/streets-of-stalingrad/layout.js";
import { attackOf, hasArmor } from "../../../env/streets-of-stalingrad/rules/units/armor.js";
import {
  extraOf,
  firstIn,
  has,
  nextIn,
  placeOf,
  type Tables,
  topFrame,
} from "../../../env/streets-of-stalingrad/state.js";
import { D1P, LOSSES, P } from "../../../env/streets-of-stalingrad/charts.js";

const FACES = 10;

/** The expected result of an attack. */
export interface Prospect {
  /** Chance that no defender is left in the hex. */
  clears: number;
  /** Chance that all defenders are lost. */
  destroys: number;
  /** Expected losses of defenders and attackers. */
  kills: number;
  losses: number;
}

/** Value of a pin, in units lost. */
const PIN = 0.3;

/**
 * Evaluates fights from the tables and from what a side knows. An unseen counter counts as the mean of the unseen
 * counters with the same back.
 */
export class Estimate {
  constructor(private readonly tables: Tables) {}

  /** Units of a side in a hex. */
  count(s: StateView, side: number, hex: number): number {
    const { tables } = this;
    let n = 0;
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) if (tables.roster.side[u] === side) n++;
    return n;
  }

  /** Expected sum of DF (or AF) of the units of `side` in a hex, from what `viewer` knows. */
  strength(s: StateView, side: number, hex: number, viewer: number, attack = false): number {
    const { tables } = this;
    const { roster } = tables;
    const points = attack ? roster.af : roster.df;
    let sum = 0;
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.side[u] !== side) continue;
      sum += side === viewer || has(tables, s, u, KNOWN) ? points[u]! : this.meanUnseen(s, u, points);
    }
    return sum;
  }

  /** Mean of the unseen counters with the same back as a unit. */
  private meanUnseen(s: StateView, unit: number, points: Uint8Array): number {
    const { tables } = this;
    const { roster } = tables;
    let sum = 0;
    let n = 0;
    for (let u = roster.first(roster.side[unit]!); u < roster.end(roster.side[unit]!); u++) {
      if (roster.tag[u] !== roster.tag[unit] || roster.counters[u]!.spare) continue;
      if (has(tables, s, u, KNOWN) || placeOf(tables, s, u) < POOL) continue;
      sum += points[u]!;
      n++;
    }
    return n === 0 ? 0 : sum / n;
  }

  /** Sum of AF with which adjacent units of a side can attack a hex. */
  attackers(s: StateView, side: number, hex: number): { units: number; af: number; oos: number } {
    const { tables } = this;
    const { board, roster } = tables;
    const found = { units: 0, af: 0, oos: 0 };
    const armor = hasArmor(tables, s, 1 - side, hex, true);
    for (let u = roster.first(side); u < roster.end(side); u++) {
      const at = placeOf(tables, s, u);
      if (at < 0 || board.sideTo(at, hex) < 0 || has(tables, s, u, PINNED | SPENT) || roster.directFire[u] === 0)
        continue;
      if (roster.af[u] === 0) continue;
      found.units++;
      found.af += attackOf(tables, s, u, hex, armor);
      found.oos = Math.max(found.oos, extraOf(tables, s, u, OOS_SHIFT));
    }
    return found;
  }

  /** AF of the guns and Stukas named for a mission, or of the guns that fire by themselves. */
  shelling(s: StateView, side: number): number {
    const { tables } = this;
    const { roster } = tables;
    let sum = 0;
    for (let u = roster.first(side); u < roster.end(side); u++)
      if (has(tables, s, u, FIRING | ATTACKER) && roster.indirect[u] === 1) sum += roster.af[u]!;
    return sum + s[topFrame(tables, s) + F_STUKAS]! * tables.stukaAf;
  }

  /** Value of a bombardment in units lost by the enemy. A pin counts less. @param onCrt whether the CRT is used */
  bombardment(s: StateView, enemy: number, hex: number, points: number, onCrt: boolean): number {
    const { board, charts } = this.tables;
    const table = onCrt ? charts.crt : charts.wbbt;
    const column = charts.column(points, table);
    if (column < 0) return 0;
    const defenders = this.count(s, enemy, hex);
    const modifier = onCrt ? board.footDrm[hex]! : 0;
    let sum = 0;
    for (let die = 1; die <= FACES; die++) {
      const result = charts.result(column, die + modifier, table);
      const lost = Math.min(defenders, LOSSES[result]!);
      sum += lost + (result === P || result === D1P ? PIN * (defenders - lost) : 0);
    }
    return sum / FACES;
  }

  /** True when the remaining points of a side's guns in range reach the next column. */
  guns(s: StateView, side: number, hex: number): number {
    const { tables } = this;
    const { board, roster } = tables;
    let sum = 0;
    for (const u of roster.guns) {
      const at = placeOf(tables, s, u);
      if (roster.side[u] !== side || at < 0 || has(tables, s, u, PINNED | SPENT | FIRED_AF | UNREADY)) continue;
      if (board.distance(at, hex) <= roster.gunRange[u]!) sum += roster.af[u]!;
    }
    return sum;
  }

  /** Mean losses from fire on the combat results table. */
  meanLosses(points: number, modifier: number, shift: number, most: number): number {
    const { charts } = this.tables;
    const column = this.columnOf(points, shift);
    if (column < 0) return 0;
    let sum = 0;
    for (let die = 1; die <= FACES; die++) sum += Math.min(most, LOSSES[charts.result(column, die + modifier)]!);
    return sum / FACES;
  }

  /** 1 if guns raise a sum of points to the next column, and no further. */
  private lift(points: number, guns: number): number {
    const { charts } = this.tables;
    const next = charts.crt.least[charts.column(Math.floor(points)) + 1];
    return next !== undefined && points + guns >= next ? 1 : 0;
  }

  private columnOf(points: number, shift: number): number {
    const { charts } = this.tables;
    const column = charts.column(Math.floor(points));
    return column < 0 ? -1 : Math.min(charts.crt.columns.length - 1, column + shift);
  }

  /**
   * The expected result of an attack by all adjacent units.
   *
   * @param shift column shift for both sides: 1 for a close assault
   */
  attack(s: StateView, side: number, hex: number, shift: number): Prospect {
    const { tables } = this;
    const { board, charts } = tables;
    const enemy = 1 - side;
    const { units, af, oos } = this.attackers(s, side, hex);
    const defenders = this.count(s, enemy, hex);
    const losses = this.meanLosses(this.strength(s, enemy, hex, side), 0, shift, units);
    // attackers that are lost to fire don't attack
    const own = units === 0 ? 0 : (af * (units - losses)) / units;
    const column = this.columnOf(own, shift + this.lift(own, units === 0 ? 0 : this.guns(s, side, hex)));
    const prospect = { clears: 0, destroys: 0, kills: 0, losses };
    if (column < 0) return prospect;
    const modifier = board.footDrm[hex]! + oos;
    const ground = board.retreatOnP[hex];
    for (let die = 1; die <= FACES; die++) {
      const result = charts.result(column, die + modifier);
      const lost = Math.min(defenders, LOSSES[result]!);
      prospect.kills += lost / FACES;
      const drivenOut = (result === P || result === D1P) && (ground === RETREATS || ground === RETREATS_OR_LOSES);
      if (lost === defenders) prospect.destroys += 1 / FACES;
      if (lost === defenders || drivenOut) prospect.clears += 1 / FACES;
    }
    return prospect;
  }
}
